// Opening things from the start page: each on its desk.

import { documentPath } from "../frame/server.js";
import { say } from "../frame/words.js";

const TABLES = /\.(csv|tsv|parquet|pq)(\.gz)?$/i;

/** @param {StartApp} app @param {File[]} files */
export async function openFiles(app, files) {
  for (const file of files) await (TABLES.test(file.name) ? openTable(app, file) : openFile(app, file));
}

/** @param {StartApp} app @param {File} file */
const openFile = async (app, file) =>
  openNetwork(app, { query: `?name=${encodeURIComponent(file.name)}`, bytes: await file.arrayBuffer() });

/**
 * Go to a network that is open, or opens now from an example, a new name or the bytes of a file.
 * @param {StartApp} app
 * @param {{name?: string, body?: any, query?: string, bytes?: ArrayBuffer}} what
 * @returns {Promise<string | null>} why it cannot be opened
 */
export async function openNetwork(app, { name, body, query = "", bytes }) {
  const answer = name === undefined ? await app.server.ask(`/documents${query}`, { body, bytes }) : { name };
  if (answer.refused) app.notice(answer.refused);
  else toDesk("network", { document: answer.name, cases: app.state.cases });
  return answer.refused ?? null;
}

/** @param {StartApp} app @param {File} file */
async function openTable(app, file) {
  app.notice(say("reading …"));
  const answer = await app.server.ask(`/cases?name=${encodeURIComponent(file.name)}`, { bytes: file });
  if (answer.refused) app.notice(answer.refused);
  else toDesk("table", { table: answer.cases });
}

/** Learn edges and tables from the cases. @param {StartApp} app */
export async function learnNetwork(app) {
  const { cases } = app.state;
  app.notice(say("learning …"));
  const body = { base: null, cases, what: "structure", smoothing: 1, method: null, forbidden: [], demanded: [] };
  const answer = await app.server.ask(`${documentPath(cases ?? "")}/learn`, { body }, "-learn");
  if (answer.refused) app.notice(answer.refused);
  else toDesk("network", { document: answer.name ?? cases, cases });
}

/** @param {Object<string, string | null>} fields what the address of the desk holds */
export function toDesk(desk, fields) {
  const known = Object.entries(fields).filter(([, value]) => value !== null);
  location.assign(`/desk/${desk}#${new URLSearchParams(/** @type {any} */ (known))}`);
}
