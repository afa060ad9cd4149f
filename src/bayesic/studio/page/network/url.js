// The state in the address: after a reload, or on the screen of someone else, it is the same.

import { START } from "./state.js";

/** @type {["document", "selected", "target", "from", "to", "focus", "cases"]} */
const TEXTS = ["document", "selected", "target", "from", "to", "focus", "cases"];
const PREFIXES = /** @type {const} */ ([
  ["is.", "given"], ["some.", "some"], ["likelihood.", "likelihoods"], ["becomes.", "becomes"], ["do.", "do"],
]);

const LISTS = /** @type {const} */ (["forbidden", "demanded"]);

/** @param {Record<string, boolean>} panels */
const openSections = (panels) => Object.keys(panels).filter((id) => panels[id]).sort().join(" ");

/** An edge as JSON: names may have any characters. @returns {[string, string] | null} */
function edgeIn(text) {
  try {
    const [from, to] = JSON.parse(text);
    return typeof from === "string" && typeof to === "string" ? [from, to] : null;
  } catch {
    return null;
  }
}

/** @param {State} state */
export function hashOf(state) {
  const fields = new URLSearchParams();
  for (const name of TEXTS) if (state[name] !== null) fields.set(name, /** @type {string} */ (state[name]));
  addEvidence(fields, state.evidence);
  if (state.names) fields.set("names", "only");
  if (state.row !== null) fields.set("row", String(state.row));
  for (const { name, evidence } of state.scenarios) {
    const inner = new URLSearchParams({ name });
    addEvidence(inner, evidence);
    fields.append("scenario", inner.toString());
  }
  if (state.pinned !== null) fields.set("pinned", String(state.pinned));
  for (const list of LISTS) for (const edge of state.constraints[list]) fields.append(list, JSON.stringify(edge));
  for (const name of state.open) fields.append("open", name);
  const shown = openSections(state.panels);
  if (shown !== openSections(START.panels)) fields.set("sections", shown);
  return `#${fields}`;
}

/** The part of the state that an address holds. */
export function fromHash(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  /** @type {any} */
  const state = { evidence: evidenceIn(fields), names: fields.get("names") === "only" };
  for (const name of TEXTS) state[name] = fields.get(name);
  state.row = numberIn(fields.get("row"));
  state.scenarios = fields.getAll("scenario").map((text) => {
    const inner = new URLSearchParams(text);
    return { name: inner.get("name") ?? "", evidence: evidenceIn(inner) };
  });
  const pinned = numberIn(fields.get("pinned"));
  state.pinned = pinned !== null && pinned < state.scenarios.length ? pinned : null;
  state.constraints = Object.fromEntries(LISTS.map((list) => [list, fields.getAll(list).map(edgeIn).filter(Boolean)]));
  state.open = fields.getAll("open");
  const shown = fields.get("sections");
  if (shown !== null) state.panels = Object.fromEntries(shown.split(" ").map((id) => [id, true]));
  return state;
}

/** @param {URLSearchParams} fields @param {Evidence} evidence */
function addEvidence(fields, evidence) {
  for (const [prefix, kind] of PREFIXES) {
    for (const [name, value] of Object.entries(evidence[kind])) fields.set(prefix + name, String(value));
  }
}

/** @param {URLSearchParams} fields */
function evidenceIn(fields) {
  /** @type {any} */
  const evidence = {};
  for (const [prefix, kind] of PREFIXES) {
    const many = kind !== "given" && kind !== "do";
    const named = [...fields].filter(([key]) => key.startsWith(prefix)).map(([key, text]) =>
      /** @type {[string, number[]]} */ ([key.slice(prefix.length), text.split(",").map(Number)]));
    const told = named.filter(([, values]) => values.every((value) => value >= 0));
    evidence[kind] = Object.fromEntries(told.map(([name, values]) => [name, many ? values : values[0]]));
  }
  return evidence;
}

const numberIn = (text) => (text !== null && /^\d+$/.test(text) ? Number(text) : null);
