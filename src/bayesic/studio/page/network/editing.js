// Changing a network: the server makes the new version, the page goes there.

import * as evidence from "./evidence.js";
import { refusal } from "../frame/refusals.js";
import { documentPath } from "../frame/server.js";
import { say } from "../frame/words.js";

/**
 * Send an edit; null if it was done, else why not, in the library's sentence.
 * @param {App} app
 * @param {{kind: string, [field: string]: any}} event
 * @param {{evidence?: Evidence, selected?: string | null}} [after] what else changes
 */
export async function edit(app, event, after = {}) {
  const { document, version } = app.state;
  if (document === null) return null;
  const answer = await app.server.ask(`${documentPath(document)}/edit`, { body: { base: version, event } });
  if (answer.refused) {
    const told = () => refusal(answer.refused, reasonOf(app, event));
    app.notice(told());
    return told();
  }
  app.send({ kind: "edited", version: answer.version, ...after });
  return null;
}

/** Why an edit was refused, as far as the page can tell. @param {App} app @param {any} event */
function reasonOf(app, { kind, variable, name, state, from, to }) {
  if (kind === "add_edge" && closesCycle(app, from, to)) return say("An edge from {0} to {1} would close a cycle.", from, to);
  const isTaken = kind.endsWith("_variable") ? variableOf(app, name) : variableOf(app, variable)?.states.includes(name ?? state);
  if (isTaken && /^(add|rename)/.test(kind)) return say("The name {0} is taken.", name ?? state);
  return kind === "set_table" ? say("Each row needs numbers from 0 to 1 with the sum 1.") : undefined;
}

/** @param {App} app */
const variableOf = (app, variable) => app.data.network.variables.find(
  (other) => other.name === variable);

/** A name that is not taken. @param {App} app */
export function freeName(app, wish) {
  const names = new Set(app.data.network.variables.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wish : `${wish} ${number}`;
    if (!names.has(name)) return name;
  }
}

/** @param {App} app */
export const renameVariable = (app, variable, name) =>
  edit(app, { kind: "rename_variable", variable, name },
    { evidence: evidence.renamed(app.state.evidence, variable, name), selected: name });

/** @param {App} app */
export const deleteVariable = (app, variable) =>
  edit(app, { kind: "delete_variable", variable },
    { evidence: evidence.without(app.state.evidence, variable), selected: null });

/** @param {App} app */
export const deleteState = (app, variable, state) =>
  edit(app, { kind: "delete_state", variable, state },
    { evidence: evidence.without(app.state.evidence, variable) });

/** @param {App} app */
export const addState = (app, variable, state) => {
  const likely = evidence.kindOf(app.state.evidence, variable) === "likelihoods";
  return edit(app, { kind: "add_state", variable, state },
    likely ? { evidence: evidence.without(app.state.evidence, variable) } : {});
};

/** Whether an edge would close a cycle: whether `from` descends from `to`. @param {App} app */
export function closesCycle(app, from, to) {
  const seen = new Set();
  const waiting = [from];
  while (waiting.length > 0) {
    const name = /** @type {string} */ (waiting.pop());
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    waiting.push(...(variableOf(app, name)?.parents ?? []));
  }
  return false;
}
