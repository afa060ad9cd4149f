// The state of the page: one value that never changes, and the events that make the next one.

import * as evidence from "./evidence.js";

/**
 * @typedef {{event: PageEvent, before: Partial<State>, after: Partial<State>}} Step
 */

/** @type {State} */
export const START = Object.freeze({
  document: null, version: null, evidence: evidence.NOTHING, selected: null, target: null,
  from: null, to: null, scenarios: [], pinned: null, focus: null, names: false, open: [],
  likely: null, method: "auto", cases: null, row: null,
  constraints: { forbidden: [], demanded: [] }, drawing: null,
  language: "en", theme: "auto", panels: { evidence: true, beliefs: true },
});

// What undo brings back. The rest (language, panels, what is selected) stays where it is.
/** @type {(keyof State)[]} */
const UNDONE = ["version", "evidence", "scenarios", "constraints", "row"];

/** @type {Object<string, (state: State, event: any) => Partial<State>>} */
const EVENTS = {
  document_opened: (state, { name, evidence: known, ...more }) => ({
    ...START, language: state.language, theme: state.theme, panels: state.panels,
    cases: state.cases, document: name, evidence: known ?? evidence.NOTHING, ...more,
  }),
  document_closed: (state) => EVENTS.document_opened(state, { name: null }),
  document_loaded: (state, { version, variables }) => ({
    version, ...forgotten(state, variables),
  }),
  head_followed: (_, { version }) => ({ version }),
  edited: (state, { version, evidence: known, selected }) => ({
    version, evidence: known ?? state.evidence,
    selected: selected === undefined ? state.selected : selected,
  }),

  state_observed: ({ evidence: known }, { variable, state }) => ({
    evidence: evidence.observed(known, variable, state), row: null, selected: variable,
  }),
  state_excluded: ({ evidence: known }, { variable, state, n }) => ({
    evidence: evidence.excluded(known, variable, state, n), row: null, selected: variable,
  }),
  state_toggled: ({ evidence: known }, { variable, state, n }) => ({
    evidence: evidence.toggled(known, variable, state, n), row: null, selected: variable,
  }),
  state_set: ({ evidence: known }, { variable, state }) => ({
    evidence: evidence.intervened(known, variable, state), row: null, selected: variable,
  }),
  likelihood_set: ({ evidence: known }, { variable, state, value, n }) => ({
    evidence: evidence.withLikelihood(known, variable, state, value, n), row: null, selected: variable,
  }),
  variable_forgotten: ({ evidence: known }, { variable }) => ({
    evidence: evidence.without(known, variable), row: null,
  }),
  evidence_replaced: (_, { evidence: known, row }) => ({ evidence: known, row: row ?? null }),
  evidence_cleared: () => ({ evidence: evidence.NOTHING, row: null }),

  variable_selected: (_, { variable }) => ({ selected: variable }),
  target_chosen: (_, { variable }) => ({ target: variable }),
  connections_asked: (_, { from, to }) => ({ from, to: to ?? null }),
  neighbourhood_shown: (_, { variable }) => ({ focus: variable }),
  names_shown: (_, { names }) => ({ names }),
  card_opened: ({ open }, { variable }) => ({
    open: open.includes(variable) ? open.filter((name) => name !== variable) : [...open, variable],
  }),
  likelihoods_begun: (_, { variable }) => ({ likely: variable }),
  method_chosen: (_, { method }) => ({ method }),

  scenario_kept: ({ scenarios, evidence: known }, { name }) => ({
    scenarios: [...scenarios, { name, evidence: known }], pinned: scenarios.length,
  }),
  scenario_dropped: ({ scenarios, pinned }, { number }) => ({
    scenarios: scenarios.filter((_, other) => other !== number),
    pinned: pinned === null || pinned === number ? null : pinned - Number(pinned > number),
  }),
  scenario_pinned: (_, { number }) => ({ pinned: number }),

  cases_loaded: (_, { cases }) => ({ cases, row: null }),
  constraint_drawn: ({ constraints }, { list, edge }) => ({
    constraints: {
      forbidden: constraints.forbidden.filter((other) => !same(other, edge)),
      demanded: constraints.demanded.filter((other) => !same(other, edge)),
      ...(list && { [list]: [...constraints[/** @type {"forbidden"} */ (list)]
        .filter((other) => !same(other, edge)), edge] }),
    },
  }),
  drawing_begun: (_, { list }) => ({ drawing: list }),

  language_chosen: (_, { language }) => ({ language }),
  theme_chosen: (_, { theme }) => ({ theme }),
  section_opened: ({ panels }, { section, open }) => ({ panels: { ...panels, [section]: open } }),
};

/** @param {[string, string]} one @param {[string, string]} other */
const same = (one, other) => one[0] === other[0] && one[1] === other[1];

/**
 * What is chosen, without what a network that was changed no longer has.
 * @param {State} state @param {Variable[]} variables
 */
function forgotten(state, variables) {
  const names = new Set(variables.map(({ name }) => name));
  const there = (name) => (name !== null && names.has(name) ? name : null);
  return {
    evidence: evidence.fittingEvidence(state.evidence, variables),
    selected: there(state.selected), target: there(state.target), from: there(state.from),
    to: there(state.to), focus: there(state.focus), likely: there(state.likely),
    open: state.open.filter((name) => names.has(name)),
  };
}

/** The next state. @param {State} state */
export function after(state, event) {
  const made = EVENTS[event.kind];
  if (!made) throw new Error(`There is no event ${event.kind}.`);
  return { ...state, ...made(state, event) };
}

/**
 * Keeps the state and the list of steps; tells `changed` of every new state.
 * @param {State} initial
 * @param {(before: State, event: PageEvent) => void} changed
 */
export function createStore(initial, changed) {
  const store = {
    state: initial,
    history: { past: /** @type {Step[]} */ ([]), future: /** @type {Step[]} */ ([]) },

    send(event) {
      const before = store.state;
      const next = after(before, event);
      if (next.document !== before.document) store.history = { past: [], future: [] };
      else if (!["document_loaded", "head_followed"].includes(event.kind)) keep(before, next, event);
      store.state = next;
      changed(before, event);
    },
    undo: () => walk("past", "future", "before"),
    redo: () => walk("future", "past", "after"),
  };

  /** @param {State} before @param {State} next */
  function keep(before, next, event) {
    const fields = UNDONE.filter((field) => !equal(before[field], next[field]));
    if (fields.length === 0) return;
    const picked = (state) =>
      Object.fromEntries(fields.map((field) => [field, state[field]]));
    const step = { event, before: picked(before), after: picked(next) };
    const last = store.history.past.at(-1);
    const goesOn = event.gesture !== undefined && last?.event.gesture === event.gesture;
    const past = goesOn && last
      ? [...store.history.past.slice(0, -1), { ...step, before: { ...step.before, ...last.before } }]
      : [...store.history.past, step];
    store.history = { past, future: [] };
  }

  /** @param {"past" | "future"} from @param {"past" | "future"} to @param {"before" | "after"} side */
  function walk(from, to, side) {
    const step = store.history[from].at(-1);
    if (!step) return;
    const before = store.state;
    store.history = /** @type {any} */ ({
      [from]: store.history[from].slice(0, -1), [to]: [...store.history[to], step],
    });
    store.state = { ...before, ...step[side] };
    changed(before, { kind: side === "before" ? "undone" : "redone" });
  }
  return store;
}

/** Same content. */
const equal = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);
