// Tables that are chosen or dropped; a network learned from one; the model as a file.

import { download, isTable, openCases } from "../frame/files.js";
import { documentPath } from "../frame/server.js";
import { say } from "../frame/words.js";
import { tablePath } from "./questions.js";

/** @param {TableApp} app @param {File[]} files */
export async function openFiles(app, files) {
  for (const file of files) {
    if (!isTable(file.name)) {
      app.notice(say("This desk is for tables: CSV, TSV, Parquet. Open {0} on the start page.", file.name));
      continue;
    }
    app.notice(say("reading …"), true);
    const answer = await openCases(app, file);
    if (answer.refused) app.refuse(answer.refused, say("{0} cannot be read.", file.name));
    else app.send({ kind: "table_opened", table: answer.cases });
  }
}

/** Learn edges and tables of a network from all columns. @param {TableApp} app */
export async function learnNetwork(app) {
  const cases = app.state.table ?? "";
  app.notice(say("learning …"), true);
  const body = { base: null, cases, what: "structure", smoothing: 1, method: null, forbidden: [], demanded: [] };
  const { documents = [] } = await app.server.ask("/documents");
  const taken = new Set(documents.map(({ name }) => name));
  let name = cases; // a network of this name that is open stays as it is
  for (let number = 2; taken.has(name); number += 1) name = `${cases} ${number}`;
  const answer = await app.server.ask(`${documentPath(name)}/learn`, { body }, "-network");
  if (answer.refused) app.refuse(answer.refused);
  else location.assign(`/desk/network#${new URLSearchParams({ document: answer.name ?? name, cases })}`);
}

/** @param {TableApp} app */
export async function saveModel(app) {
  const { table, learned } = app.state;
  const path = `${tablePath(table)}/file?learned=${encodeURIComponent(learned ?? "")}`;
  const response = await app.server.fetched(path, {}, "-file");
  if (response.headers.get("content-type")?.includes("json")) {
    const answer = await response.json().catch(() => ({}));
    const own = say("This file could not be written.");
    return answer.refused ? app.refuse(answer.refused, own) : app.notice(own);
  }
  return download(await response.blob(), `${learned}.bayes`);
}
