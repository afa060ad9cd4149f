// Formulas in MathML, made of small functions.

const MATHML = "http://www.w3.org/1998/Math/MathML";

/** @typedef {Node | string | number} Piece */

/** @param {Object<string, string>} attributes @param {Piece[]} children @returns {any} */
function element(tag, attributes, children) {
  const made = document.createElementNS(MATHML, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.map((child) => (child instanceof Node ? child : piece(String(child)))));
  return made;
}

/** A text as it is meant: a number, a name, or an operator. @param {string} text */
function piece(text) {
  const tag = /^[\d.]+$/.test(text) ? "mn" : /^[\p{L}\p{M}]/u.test(text) ? "mi" : "mo";
  const made = document.createElementNS(MATHML, tag);
  if (/^[(){}[\]|]$/.test(text)) made.setAttribute("stretchy", "false");
  if (text === "|") ["lspace", "rspace"].forEach((side) => made.setAttribute(side, ".25em"));
  made.textContent = text;
  return made;
}

/** @param {...Piece} children */
export const row = (...children) => element("mrow", {}, children);
export const fraction = (above, below) => element("mfrac", {}, [above, below]);
export const sub = (base, below) => element("msub", {}, [base, below]);
export const sup = (base, above) => element("msup", {}, [base, above]);
export const words = (text) => { const made = element("mtext", {}, []); made.textContent = text; return made; };

/** P( ... ), or another function. @param {...Piece} children */
export const P = (...children) => row("P", "(", ...children, ")");
/** @param {...Piece} children */
export const of = (name, ...children) => row(name, "(", ...children, ")");

/** A sum or product over something. @param {Piece} below */
export const over = (sign, below) => element("munder", {}, [sign, below]);

/** A formula on a line of its own. @param {...Piece} children */
export const formula = (...children) =>
  element("math", { display: "block" }, [row(...children)]);

/** A formula within a text. @param {...Piece} children */
export const inline = (...children) => element("math", {}, [row(...children)]);

/** A number of the server as the book writes it: 2/9 as a fraction. @param {Exact} exact */
export function number(exact) {
  const [above, below] = exact.text.split("/");
  const made = inline(below === undefined ? above : fraction(above, below));
  made.setAttribute("displaystyle", "true");
  made.setAttribute("data-probability", String(exact.value));
  made.setAttribute("data-fraction", exact.text);
  return made;
}
