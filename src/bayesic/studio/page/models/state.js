// What a person has chosen on the models desk, the events that change it, and the address that holds it.

import { FRAME } from "../frame/store.js";

const N_EVENTS = 20; // of the history at once

/** @type {ModelsState} */
export const START = Object.freeze({ ...FRAME, model: null, seq: null, before: null, other: null });

/** @type {import("../frame/store.js").Events} */
export const EVENTS = {
  model_chosen: (_, { model }) => ({ model, seq: null, before: null, other: null }),
  point_chosen: (_, { seq }) => ({ seq }),
  history_turned: (_, { before }) => ({ before }),
  other_chosen: (_, { other }) => ({ other }),
  moved: (_, { fields }) => fields,
};

export const modelPath = (name) => `/models/${encodeURIComponent(name)}`;

/** @type {import("../frame/questions.js").Questions} */
export const QUESTIONS = {
  models: () => ({ path: "/models" }),
  model: ({ model }) => (model === null ? null : { path: modelPath(model) }),
  curve: ({ model }) => (model === null ? null : { path: `${modelPath(model)}/curve?points=30` }),
  latest: ({ model, before }) => (model === null ? null
    : { path: `${modelPath(model)}/latest?limit=${N_EVENTS}${before === null ? "" : `&before=${before}`}` }),
  drift: ({ model, seq }) => (model === null || seq === null ? null : { path: `${modelPath(model)}/drift?since=${seq + 1}` }),
};

export const isLastPage = (events) => events.length < N_EVENTS;

/** @param {ModelsState} state */
export function hashOf({ model, seq, before, other }) {
  if (model === null) return "";
  const fields = Object.entries({ model, seq, before, other }).filter(([, value]) => value !== null);
  return `#${new URLSearchParams(/** @type {any} */ (fields))}`;
}

/** @returns {Partial<ModelsState>} */
export function fromHash(hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const number = (name) => (/^\d+$/.test(fields.get(name) ?? "") ? Number(fields.get(name)) : null);
  return { model: fields.get("model"), seq: number("seq"), before: number("before"), other: fields.get("other") };
}
