// What can be done, once for keys, menus and help.

import { askText } from "../frame/dialogs.js";
import { deleteVariable, edit, freeName, renameVariable } from "./editing.js";
import { kindOf } from "./evidence.js";
import { at } from "../frame/maps.js";
import { say } from "../frame/words.js";

/**
 * @typedef {{variable: string, state: number}} Place
 * @typedef {object} Action
 * @property {string[]} keys
 * @property {string} title
 * @property {"state" | "variable" | "page"} on
 * @property {(app: App, place: any) => void} run
 */

/** @param {App} app */
const nStates = (app, name) => app.data.network.variables.find(
  (variable) => variable.name === name).states.length;

const evidenceEvent = (kind) => (app, { variable, state }) =>
  app.send({ kind, variable, state, n: nStates(app, variable) });

/** @type {Action[]} */
export const ACTIONS = [
  { keys: ["Enter", " "], title: "Observe this state, or take it back", on: "state", run: evidenceEvent("state_observed") },
  { keys: ["n"], title: "Not this state", on: "state", run: evidenceEvent("state_excluded") },
  { keys: ["+"], title: "One of several states", on: "state", run: evidenceEvent("state_toggled") },
  { keys: ["d"], title: "Set from outside: do(x)", on: "state", run: evidenceEvent("state_set") },
  {
    keys: ["l"], title: "Set likelihoods: drag the bars, or press ← and →", on: "variable",
    run: (app, { variable }) => app.send({
      kind: "likelihoods_begun", variable: app.state.likely === variable ? null : variable,
    }),
  },
  {
    keys: ["b"], title: "Tell what the belief becomes: drag the bars, or press ← and →", on: "variable",
    run: (app, { variable }) => app.send({
      kind: "telling_begun", variable: app.state.becoming === variable ? null : variable,
    }),
  },
  {
    keys: ["x"], title: "Clear the evidence on this variable", on: "variable",
    run: (app, { variable }) =>
      kindOf(app.state.evidence, variable) && app.send({ kind: "variable_forgotten", variable }),
  },
  {
    keys: ["t"], title: "Ask about this variable", on: "variable",
    run(app, { variable }) {
      app.send({ kind: "target_chosen", variable });
      app.send({ kind: "section_opened", section: "ask-next", open: true });
    },
  },
  {
    keys: ["s"], title: "Show what it depends on; on a second variable: the open path", on: "variable",
    run(app, { variable }) {
      const { from } = app.state;
      const next = from === variable ? { from: null } : from === null ? { from: variable } : { from, to: variable };
      app.send({ kind: "connections_asked", ...next });
      app.send({ kind: "section_opened", section: "separation", open: next.from !== null });
    },
  },
  {
    keys: ["h"], title: "Only its neighbourhood, or all again", on: "variable",
    run: (app, { variable }) => app.send({
      kind: "neighbourhood_shown", variable: app.state.focus === variable ? null : variable,
    }),
  },
  { keys: ["o"], title: "Show all its states, or fewer", on: "variable", run: (app, { variable }) => app.send({ kind: "card_opened", variable }) },
  { keys: ["e"], title: "Edit its table and states", on: "variable", run: (app, { variable }) => editTable(app, variable) },
  {
    keys: ["F2"], title: "Rename", on: "variable",
    run: (app, { variable }) => askText(say("Rename {0}", variable), variable, (name) => renameVariable(app, variable, name)),
  },
  { keys: ["Delete"], title: "Delete this variable", on: "variable", run: (app, { variable }) => deleteVariable(app, variable) },

  { keys: ["a"], title: "Add a variable", on: "page", run: (app) => addVariable(app) },
  { keys: ["r"], title: "Clear all evidence", on: "page", run: (app) => app.send({ kind: "evidence_cleared" }) },
  { keys: ["k"], title: "Keep the evidence as a scenario", on: "page", run: (app) => keepScenario(app) },
  { keys: ["m"], title: "Names only, or bars", on: "page", run: (app) => app.send({ kind: "names_shown", names: !app.state.names }) },
  { keys: ["f"], title: "Fit the network into the window", on: "page", run: (app) => app.parts.desk.fit() },
  { keys: ["="], title: "Zoom in", on: "page", run: (app) => app.parts.desk.canvas.zoomBy(1.25) },
  { keys: ["-"], title: "Zoom out", on: "page", run: (app) => app.parts.desk.canvas.zoomBy(0.8) },
  { keys: ["]", "F8"], title: "Next case", on: "page", run: (app) => stepCase(app, 1) },
  { keys: ["["], title: "Previous case", on: "page", run: (app) => stepCase(app, -1) },
  { keys: ["/"], title: "Find a variable", on: "page", run: (app) => app.parts.search.focus() },
  { keys: ["Ctrl+z", "u"], title: "Undo", on: "page", run: (app) => app.undo() },
  { keys: ["Ctrl+Shift+z", "Ctrl+y", "y"], title: "Redo", on: "page", run: (app) => app.redo() },
  { keys: ["?"], title: "Help", on: "page", run: (app) => app.parts.help() },
];

/** Dialogs are fetched when they are opened. @param {App} app @param {string} variable */
export async function editTable(app, variable) {
  const { openTable } = await import("./table_editor.js");
  openTable(app, variable);
}

/** @param {App} app @param {number} by */
const stepCase = async (app, by) => (await import("./files.js")).stepCase(app, by);

/** Scenarios are called A, B, C, ... @param {App} app */
export function keepScenario(app) {
  const taken = new Set(app.state.scenarios.map(({ name }) => name));
  let number = 0;
  const nameOf = () => String.fromCharCode(65 + (number % 26)) + (number >= 26 ? Math.floor(number / 26) : "");
  while (taken.has(nameOf())) number += 1;
  app.send({ kind: "scenario_kept", name: nameOf() });
  app.send({ kind: "section_opened", section: "scenarios", open: true });
}

/** Set the likelihood of a state, or what the belief in it becomes, whichever is being set. @param {App} app @param {number} [gesture] */
export function setShare(app, variable, state, value, gesture) {
  const n = nStates(app, variable);
  const now = at(app.data.bars?.probabilities, variable);
  if (app.state.becoming !== variable) app.send({ kind: "likelihood_set", variable, state, value, n, gesture });
  else if (now && n > 1) app.send({ kind: "belief_told", variable, state, value, now, gesture });
}

/** @param {App} app @param {{x: number, y: number}} [at] */
export function addVariable(app, at) {
  const suggested = freeName(app, say("variable"));
  askText(say("Name of the new variable"), suggested, (name) =>
    edit(app, { kind: "add_variable", name, ...at }, { selected: name }));
}

/**
 * Observe a state as a click does: with Alt it is excluded, with Ctrl or Shift one of several.
 * @param {App} app @param {Place} place
 */
export function clickState(app, place, event) {
  const kind = event.altKey ? "state_excluded"
    : event.ctrlKey || event.shiftKey || event.metaKey ? "state_toggled" : "state_observed";
  evidenceEvent(kind)(app, place);
}
