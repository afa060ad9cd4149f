// Opening things from the start page: each on its desk.

import { isTable, openCases } from "../frame/files.js";
import { say } from "../frame/words.js";

/** @param {StartApp} app @param {File[]} files */
export async function openFiles(app, files) {
  for (const file of files) await (isTable(file.name) ? openTable(app, file) : openFile(app, file));
}

/** A network, or another model, which the store takes in. @param {StartApp} app @param {File} file */
async function openFile(app, file) {
  const [query, bytes] = [`?name=${encodeURIComponent(file.name)}`, await file.arrayBuffer()];
  const network = await app.server.ask(`/documents${query}`, { bytes });
  if (!network.refused) return toDesk("network", { document: network.name });
  const model = network.is_model ? await app.server.ask(`/models${query}`, { bytes }) : network;
  return model.refused ? refuse(app, file, model.refused) : toDesk("models", { model: model.name });
}

/** @param {StartApp} app @param {File} file @param {string} sentence */
const refuse = (app, file, sentence) => app.refuse(sentence, say("{0} cannot be read.", file.name));

/**
 * Go to a network that is open, or opens now from an example or under a new name.
 * @param {StartApp} app
 * @param {{name?: string, body?: any}} what
 * @returns {Promise<string | null>} why it cannot be opened
 */
export async function openNetwork(app, { name, body }) {
  const answer = name === undefined ? await app.server.ask("/documents", { body }) : { name };
  if (answer.refused) app.refuse(answer.refused);
  else toDesk("network", { document: answer.name });
  return answer.refused ?? null;
}

/** @param {StartApp} app @param {File} file */
async function openTable(app, file) {
  app.notice(say("reading …"), true);
  const answer = await openCases(app, file);
  if (answer.refused) refuse(app, file, answer.refused);
  else toDesk("table", { table: answer.cases });
}

/** @param {Object<string, string>} fields what the address of the desk holds */
export const toDesk = (desk, fields) => location.assign(`/desk/${desk}#${new URLSearchParams(fields)}`);
