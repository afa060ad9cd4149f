// The state in the address: after a reload, or on the screen of someone else, it is the same.

/** @type {["table", "target", "model", "learned", "answer"]} */
const TEXTS = ["table", "target", "model", "learned", "answer"];
/** @type {["row", "reject"]} */
const NUMBERS = ["row", "reject"];
const VIEWS = ["columns", "rows", "nomogram"];
const PREFIXES = /** @type {const} */ ([["kind.", "kinds"], ["cell.", "cells"]]);

/** @param {TableState} state */
export function hashOf(state) {
  const fields = new URLSearchParams();
  for (const name of TEXTS) if (state[name] !== null) fields.set(name, /** @type {string} */ (state[name]));
  for (const name of NUMBERS) if (state[name] !== null) fields.set(name, String(state[name]));
  if (state.view !== "columns") fields.set("view", state.view);
  if (state.first > 0) fields.set("first", String(state.first));
  if (state.costs !== null) fields.set("costs", JSON.stringify(state.costs));
  for (const [prefix, kind] of PREFIXES) {
    for (const [name, text] of Object.entries(state[kind])) fields.set(prefix + name, text);
  }
  return `#${fields}`;
}

/** The part of the state that an address holds; `example` is one that is still to be opened. */
export function fromHash(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {any} */
  const state = { costs: costsIn(fields.get("costs")) };
  for (const name of TEXTS) state[name] = fields.get(name);
  for (const name of NUMBERS) state[name] = numberIn(fields.get(name));
  state.first = numberIn(fields.get("first")) ?? 0;
  state.view = VIEWS.includes(fields.get("view") ?? "") ? fields.get("view") : "columns";
  for (const [prefix, kind] of PREFIXES) {
    const named = [...fields].filter(([key]) => key.startsWith(prefix));
    state[kind] = Object.fromEntries(named.map(([key, text]) => [key.slice(prefix.length), text]));
  }
  return state;
}

/** @returns {Costs | null} */
function costsIn(text) {
  try {
    const { actions, costs } = JSON.parse(text ?? "null") ?? {};
    const isGrid = Array.isArray(actions) && Array.isArray(costs) && costs.every(Array.isArray);
    return isGrid ? { actions: actions.map(String), costs: costs.map((row) => row.map(Number)) } : null;
  } catch {
    return null;
  }
}

const numberIn = (text) => (text !== null && text !== "" && Number.isFinite(Number(text)) ? Number(text) : null);
