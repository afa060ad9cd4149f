// Which questions a state of the network desk asks.

import { asJson, findings } from "./evidence.js";
import { documentPath } from "../frame/server.js";

/** How many samples are drawn where the exact answer is too large. */
export const SAMPLES = 10_000;

/** @param {State} state */
const below = (state, rest) => documentPath(state.document ?? "") + rest;

/** @param {State} state */
const known = (state, more = {}) => ({
  version: state.version, evidence: asJson(state.evidence), ...more,
});

/** @param {State} state */
const isOpen = (state, section) => state.panels[section] ?? false;

/** @param {State} state */
const isReady = (state) => state.document !== null && state.version !== null;

/** @param {State} state */
const how = ({ method }) => ({
  exact: method === "exact", samples: method === "samples" ? SAMPLES : null,
});

/** What to ask in a state; null: nothing. @type {Object<string, (state: State) => import("../frame/questions.js").Question | null>} */
export const QUESTIONS = {
  network(state) {
    if (state.document === null) return null;
    const fields = new URLSearchParams(state.open.map((name) => ["open", name]));
    if (state.version !== null) fields.set("version", String(state.version));
    return { path: below(state, `?${fields}`) };
  },
  answer: (state) =>
    isReady(state) ? { path: below(state, "/ask"), body: known(state, how(state)) } : null,
  conflict: (state) =>
    isReady(state) && isOpen(state, "evidence") && findings(state.evidence).length > 1
      ? { path: below(state, "/conflict"), body: known(state) } : null,
  scenarios: (state) =>
    isReady(state) && state.scenarios.length > 0
      ? {
        path: below(state, "/ask"),
        bodies: state.scenarios.map(({ evidence }) =>
          ({ version: state.version, evidence: asJson(evidence), ...how(state) })),
      } : null,
  mostProbable: (state) =>
    isReady(state) && isOpen(state, "most-probable")
      ? { path: below(state, "/most-probable"), body: known(state) } : null,
  askNext: (state) =>
    isReady(state) && isOpen(state, "ask-next") && state.target !== null
      ? { path: below(state, "/ask-next"), body: known(state, { target: state.target }) } : null,
  separation: (state) =>
    isReady(state) && state.from !== null
      ? { path: below(state, "/separation"), body: known(state, { from: state.from, to: state.to }) }
      : null,
  table: (state) =>
    isReady(state) && isOpen(state, "table") && state.selected !== null
      ? { path: below(state, `/table/${encodeURIComponent(state.selected)}?version=${state.version}`) }
      : null,
  caseTables: (state) =>
    state.cases === null ? null : { path: `/cases?of=${encodeURIComponent(state.cases)}` },
  row: (state) =>
    isReady(state) && state.cases !== null && state.row !== null
      ? {
        path: below(state, `/cases/${encodeURIComponent(state.cases)}/row`
          + `?number=${state.row}&version=${state.version}`),
      } : null,
};

// What is shown until the new answer is there: the bars stay, lists of another question do not.
export const KEPT = ["network", "answer", "conflict", "scenarios"];
