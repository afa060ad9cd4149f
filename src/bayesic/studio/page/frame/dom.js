// Making elements. Texts go in as text nodes, never as markup: names come from files.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | null | false | undefined} Child
 * @typedef {Object<string, any>} Attributes
 */

/**
 * An HTML element. `onclick` and its like are listeners, `true` is an attribute without a value.
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element. @param {Attributes} [attributes] @param {...(Child | Child[])} children */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** @param {Attributes} attributes @param {(Child | Child[])[]} children */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true && !name.startsWith("aria-")) element.setAttribute(name, "");
    else if ((value !== false || name.startsWith("aria-")) && value != null) element.setAttribute(name, String(value));
  }
  element.append(...present(children));
  return element;
}

/** @param {(Child | Child[])[]} children */
const present = (children) =>
  /** @type {any[]} */(children.flat()).filter((child) => child != null && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));

/**
 * Put children in place of all that is there; what had the focus keeps it (by its data-key).
 * @param {...(Child | Child[])} children
 */
export function replace(parent, ...children) {
  const focused = document.activeElement;
  const key = focused && parent.contains(focused) && focused.getAttribute("data-key");
  parent.replaceChildren(...present(children));
  if (!key) return;
  const again = [...parent.querySelectorAll("[data-key]")]
    .find((element) => element.getAttribute("data-key") === key);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

/**
 * A button with a text; `options` are further attributes.
 * @param {(event: any) => void} onclick
 * @param {Attributes} [options]
 */
export const button = (text, onclick, options = {}) =>
  h("button", { type: "button", onclick, "data-key": `button ${text}`, ...options }, text);

/**
 * A choice among texts. `choices`: [value, text] pairs.
 * @param {[string, string][]} choices
 * @param {(value: string) => void} onchosen
 */
export function choice(label, choices, chosen, onchosen) {
  const select = h("select", {
    "aria-label": label,
    "data-key": `choice ${label}`,
    onchange: (event) => onchosen(event.target.value),
  }, choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  return select;
}

export function setAttribute(element, name, value) {
  const text = String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const ruler = document.createElement("canvas").getContext("2d");
/** @type {Map<string, string>} */
const fitted = new Map();

/** The text, cut with an ellipsis where it is wider than `width` pixels. */
export function fitting(text, width, font) {
  const key = `${font}|${width}|${text}`;
  const known = fitted.get(key);
  if (known !== undefined) return known;
  if (!ruler) return text;
  ruler.font = font;
  let shown = text;
  if (ruler.measureText(text).width > width) {
    const characters = [...text.slice(0, 200)];
    while (characters.length > 1 && ruler.measureText(`${characters.join("")}…`).width > width) {
      characters.pop();
    }
    shown = `${characters.join("")}…`;
  }
  fitted.set(key, shown);
  return shown;
}
