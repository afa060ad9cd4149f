// What a person has chosen on the network desk, and the events that change it.

import { FRAME } from "../frame/store.js";
import * as evidence from "./evidence.js";

/** @type {State} */
export const START = Object.freeze({
  document: null, version: null, evidence: evidence.NOTHING, selected: null, target: null,
  from: null, to: null, scenarios: [], pinned: null, focus: null, names: false, open: [],
  likely: null, becoming: null, method: "auto", cases: null, row: null,
  constraints: { forbidden: [], demanded: [] }, drawing: null,
  ...FRAME, panels: { evidence: true, beliefs: true },
});

// What undo brings back. The rest (language, panels, what is selected) stays where it is.
/** @type {(keyof State)[]} */
export const UNDONE = ["version", "evidence", "scenarios", "constraints", "row"];

/** @type {Object<string, (state: State, event: any) => Partial<State>>} */
export const EVENTS = {
  document_opened: (state, { name, evidence: known, ...more }) => ({
    ...START, language: state.language, theme: state.theme, panels: state.panels,
    cases: state.cases, document: name, evidence: known ?? evidence.NOTHING, ...more,
  }),
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
  belief_told: ({ evidence: known }, { variable, state, value, now }) => ({
    evidence: evidence.withBelief(known, variable, state, value, now), row: null, selected: variable,
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
  likelihoods_begun: (_, { variable }) => ({ likely: variable, becoming: null }),
  telling_begun: (_, { variable }) => ({ becoming: variable, likely: null }),
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
};

/** The beliefs behind the bars: of the scenario that is pinned, or before the last change. @param {State} state */
export const behindBars = ({ scenarios, pinned }, data) =>
  (pinned !== null && pinned < scenarios.length ? data.scenarios?.[pinned] : data.ghost);

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
    to: there(state.to), focus: there(state.focus), likely: there(state.likely), becoming: there(state.becoming),
    open: state.open.filter((name) => names.has(name)),
  };
}
