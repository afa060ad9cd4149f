// Sliders and buttons that change what a lesson is given.

import { button, h, setAttribute } from "../frame/dom.js";

let gestures = 0;

/** One drag or one run of a slider is one step for undo. */
export const newGesture = () => { gestures += 1; };

/** @param {LessonsApp} app @param {Given} given */
export const give = (app, given) =>
  app.send({ kind: "given_changed", given, gesture: `${Object.keys(given).join(" ")} ${gestures}` });

/** A change that is a step of its own. @param {LessonsApp} app @param {Given} given */
export function giveOnce(app, given) {
  newGesture();
  give(app, given);
  newGesture();
}

/**
 * A number by slider and by keys. Call `update` when the state has changed.
 * @param {LessonsApp} app
 * @param {{label: string, min: number, max: number, step: number}} limits
 */
export function slider(app, field, limits) {
  const { label, min, max, step } = limits;
  const attributes = { min, max, "aria-label": label, "data-field": field };
  const changed = ({ target }) => target.value !== "" && give(app, { [field]: target.value });
  const range = h("input", { type: "range", step, ...attributes, oninput: changed, onchange: newGesture });
  const typed = h("input", { type: "number", step: "any", ...attributes, oninput: changed, onchange: newGesture });
  return {
    element: h("div", { class: "slider" }, h("span", {}, label), range, typed),
    update() {
      const value = app.state.given[field];
      if (range.value !== value) range.value = value;
      if (Number(typed.value) !== Number(value)) typed.value = value; // "0." stays as it is typed
    },
  };
}

/**
 * One of several, as buttons.
 * @param {LessonsApp} app
 * @param {[string, string][]} choices value and text
 */
export function oneOf(app, field, label, choices) {
  const buttons = choices.map(([value, text]) =>
    button(text, () => giveOnce(app, { [field]: value }), { "data-field": field, "data-value": value }));
  return {
    element: h("div", { class: "one-of", role: "group", "aria-label": label }, h("span", {}, label), h("span", { class: "group" }, buttons)),
    update() {
      for (const one of buttons) setAttribute(one, "aria-pressed", one.dataset.value === app.state.given[field]);
    },
  };
}

/** A bar for a probability. @param {{probability: number}} of */
export function bar(of, kind = "belief") {
  const inner = h("span", { class: `fill ${kind}` });
  inner.style.width = `${100 * of.probability}%`;
  return h("span", { class: "track-of" }, inner);
}
