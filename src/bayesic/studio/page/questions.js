// Which questions a state asks, and the machine that asks each of them once.

import { asJson } from "./evidence.js";
import { documentPath } from "./server.js";

/**
 * @typedef {{path: string, body?: any, bodies?: any[]}} Question   one body, or one for each part
 */

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

/** What to ask in a state; null: nothing. @type {Object<string, (state: State) => Question | null>} */
export const QUESTIONS = {
  documents: (state) => (state.document === null ? { path: "/documents" } : null),
  network(state) {
    if (state.document === null) return null;
    const fields = new URLSearchParams(state.open.map((name) => ["open", name]));
    if (state.version !== null) fields.set("version", String(state.version));
    return { path: below(state, `?${fields}`) };
  },
  answer: (state) =>
    isReady(state) ? { path: below(state, "/ask"), body: known(state, how(state)) } : null,
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
const KEPT = new Set(["network", "answer", "scenarios"]);

/**
 * Ask what the state asks, each question once; hand answers to `received(name, answer, before)`.
 * @param {App} app
 * @param {(name: string, answer: any, before: any) => void} received
 */
export function createQuestions(app, received) {
  /** @type {Object<string, {key: string, stop: AbortController}>} */
  const asked = {};

  async function ask(name) {
    const question = QUESTIONS[name](app.state);
    const key = question === null ? "" : JSON.stringify(question);
    if (asked[name]?.key === key) return;
    asked[name]?.stop.abort();
    const stop = new AbortController();
    asked[name] = { key, stop };
    const before = app.data[name];
    if (question === null || !KEPT.has(name)) app.data[name] = null;
    app.waiting[name] = question !== null;
    if (question === null) return;
    try {
      const answer = await answerTo(question, name, stop.signal);
      if (asked[name].stop !== stop || answer.cancelled) return;
      app.waiting[name] = false;
      app.data[name] = answer;
      received(name, answer, before);
    } catch (error) {
      if (asked[name].stop !== stop) return;
      asked[name].key = "lost"; // once more when the server is back
      app.waiting[name] = false;
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** @param {Question} question @param {AbortSignal} signal */
  const answerTo = ({ path, body, bodies }, name, signal) =>
    bodies === undefined
      ? app.server.ask(path, { body, signal }, `-${name}`)
      : Promise.all(bodies.map((part, number) =>
        app.server.ask(path, { body: part, signal }, `-${name}${number}`)));

  return {
    update: () => Object.keys(QUESTIONS).forEach(ask),
    again(name) {
      if (asked[name]) asked[name].key = "again";
      ask(name);
    },
    /** What is known answers this state, too. @param {string} name @param {State} state */
    settle(name, state) { asked[name].key = JSON.stringify(QUESTIONS[name](state)); },
    /** The questions that were lost with the server. */
    lost: () => Object.keys(asked).filter((name) => asked[name].key === "lost").forEach(ask),
  };
}
