// What a person has chosen on the text desk, the events that change it, and the address that holds it.

import { FRAME } from "../frame/store.js";

/** @type {TextState} */
export const START = Object.freeze({
  ...FRAME, panels: { model: true, words: true, learn: true }, model: null, text: "", answer: null,
});

const LONGEST = 30_000; // characters of a text in an address

/** @type {import("../frame/store.js").Events} */
export const EVENTS = {
  model_opened: (_, { model, text = "" }) => ({ model, answer: null, ...(text && { text: plain(text) }) }),
  model_gone: () => ({ model: null, answer: null }),
  text_typed: (_, { text }) => ({ text: plain(text) }),
  answer_chosen: (_, { answer }) => ({ answer }),
  moved: (_, { fields }) => fields,
};

/** Lines end as they do in a field of the page. */
const plain = (text) => text.replace(/\r\n?/g, "\n");

export const modelPath = (name) => `/texts/${encodeURIComponent(name)}`;

/** @type {import("../frame/questions.js").Questions} */
export const QUESTIONS = {
  models: () => ({ path: "/texts" }),
  model: ({ model }) => (model === null ? null : { path: modelPath(model) }),
  answer: ({ model, text, answer }) =>
    (model === null ? null : { path: `${modelPath(model)}/ask`, body: { text, ...(answer !== null && { answer }) } }),
};

/** @param {TextState} state */
export function hashOf({ model, text, answer }) {
  if (model === null) return "";
  const fields = { model, ...(answer !== null && { answer }), ...(text && text.length <= LONGEST && { text }) };
  return `#${new URLSearchParams(/** @type {any} */ (fields))}`;
}

/** @returns {Partial<TextState>} */
export function fromHash(hash) {
  const fields = new URLSearchParams(hash.slice(1));
  return { model: fields.get("model"), text: plain(fields.get("text") ?? ""), answer: fields.get("answer") };
}
