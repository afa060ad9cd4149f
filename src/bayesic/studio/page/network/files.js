// Networks and tables that are chosen or dropped; and the cases of a table.

import { fromJson } from "./evidence.js";
import { openCases } from "../frame/files.js";
import { documentPath } from "../frame/server.js";
import { say } from "../frame/words.js";

const TABLES = /\.(csv|tsv|parquet|pq)(\.gz)?$/i;

/** @param {App} app */
export async function openFiles(app, files) {
  for (const file of files) await (TABLES.test(file.name) ? loadCases(app, file) : openNetwork(app, file));
}

/** @param {App} app */
const refuse = (app, { refused }, { name }) => app.refuse(refused, say("{0} cannot be read.", name));

/** @param {App} app */
async function openNetwork(app, file) {
  const answer = await app.server.ask(`/documents?name=${encodeURIComponent(file.name)}`, { bytes: await file.arrayBuffer() });
  if (answer.refused) refuse(app, answer, file);
  else app.send({ kind: "document_opened", name: answer.name });
}

/** @param {App} app */
async function loadCases(app, file) {
  const answer = await openCases(app, file);
  if (answer.refused) return refuse(app, answer, file);
  app.send({ kind: "cases_loaded", cases: answer.cases });
  app.send({ kind: "section_opened", section: "cases", open: true });
}

/** What is known of the table of cases: its number of rows and its columns. @param {App} app */
export const caseInfo = (app) =>
  app.data.caseTables?.cases?.find(({ cases }) => cases === app.state.cases) ?? null;

/** @param {App} app */
export function stepCase(app, by) {
  if (app.state.cases === null) return app.notice(say("Open a table of cases first."));
  const { row } = app.state;
  return goToCase(app, row === null ? 0 : row + by);
}

/** Enter a row of the table as evidence; the target, if there is one, is left open. @param {App} app */
export async function goToCase(app, number) {
  const { cases, document, version, target } = app.state;
  const last = (caseInfo(app)?.n_rows ?? Infinity) - 1;
  const row = Math.max(0, Math.min(last, number));
  if (!Number.isInteger(row) || cases === null) return;
  const path = `${documentPath(document ?? "")}/cases/${encodeURIComponent(cases)}/row?number=${row}&version=${version}`;
  const answer = await app.server.ask(path, {}, "-step");
  if (answer.refused) return app.refuse(answer.refused);
  const given = Object.fromEntries(Object.entries(answer.given).filter(([name]) => name !== target));
  app.send({ kind: "evidence_replaced", evidence: fromJson({ given }), row });
}

/**
 * Learn from the cases, into the document that is open.
 * @param {App} app
 * @param {{what: string, smoothing: number, method: string}} wish
 */
export async function learnFrom(app, wish, document = app.state.document ?? "") {
  const { cases, version, constraints } = app.state;
  app.data.learned = { sentence: say("learning …") };
  app.render();
  const body = {
    base: version, cases, what: wish.what, smoothing: wish.smoothing,
    method: wish.what === "tables" && wish.method === "em" ? "em" : null,
    forbidden: constraints.forbidden, demanded: constraints.demanded,
  };
  const answer = await app.server.ask(`${documentPath(document)}/learn`, { body }, "-learn");
  app.data.learned = answer.refused ? answer : { sentence: say("Learned; undo takes it back.") };
  if (answer.refused) app.render();
  else if (document === app.state.document) app.send({ kind: "edited", version: answer.version });
  else app.send({ kind: "document_opened", name: answer.name ?? document });
}
