// Opening models and teaching them: a text, a folder of classes, a column of a table.

import { openDialog } from "../frame/dialogs.js";
import { button, choice, h } from "../frame/dom.js";
import { sendTable } from "../frame/files.js";
import { say } from "../frame/words.js";
import { modelPath } from "./state.js";

const TABLES = /\.(csv|tsv|parquet|pq)(\.gz)?$/i;

/** Open an example; a text to try it with is there if there was none. @param {TextApp} app */
export async function openExample(app, example) {
  const answer = await app.server.ask("/texts", { body: { example } });
  if (answer.refused) return app.refuse(answer.refused);
  const text = app.state.text || say("Are you free today? Click the link for your free lunch, 今天免费!");
  app.again("models");
  return app.send({ kind: "model_opened", model: answer.name, text });
}

/** @param {TextApp} app @returns {Promise<string | null>} why there is no such model */
export async function newModel(app, name) {
  const answer = await app.server.ask("/texts", { body: { new: name } });
  if (answer.refused) return answer.refused;
  app.again("models");
  app.send({ kind: "model_opened", model: answer.name });
  return null;
}

/** Say of which class the text is. @param {TextApp} app */
export async function teach(app, label) {
  const { model, text } = app.state;
  const path = modelPath(model ?? "");
  const answer = await app.server.ask(`${path}/teach`, { body: { text, label } });
  if (answer.refused) return app.refuse(answer.refused);
  const back = async () => {
    const done = await app.server.ask(`${path}/forget`, { body: { ids: [answer.id] } });
    if (done.refused) return app.refuse(done.refused);
    app.data.taught = { done: "forgotten" };
    return app.parts.learned();
  };
  app.data.taught = { ...answer, back };
  return app.parts.learned();
}

/** Files that were dropped or chosen: tables are learned, others are read. @param {TextApp} app @param {File[]} files */
export async function openFiles(app, files) {
  for (const file of files) {
    if (TABLES.test(file.name)) await askColumns(app, file);
    else if (app.state.model === null) app.notice(say("Open a model first, or learn one from a folder or a table."));
    else await readText(app, file);
  }
}

/** @param {TextApp} app @param {File} file */
async function readText(app, file) {
  const text = await file.text().catch(() => null); // a folder has no text
  if (text === null) app.notice(say("{0} cannot be read. To learn a folder, choose it with the button.", file.name));
  else app.send({ kind: "text_typed", text });
}

/** The model that is open, or a new one of this name. @param {TextApp} app */
async function modelFor(app, name) {
  if (app.state.model !== null) return app.state.model;
  const { models = [] } = await app.server.ask("/texts");
  const taken = new Set(models.map((one) => one.name));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  const answer = await app.server.ask("/texts", { body: { new: free } });
  if (answer.refused) throw new Error(answer.refused);
  return answer.name;
}

/** Learn what came; then say how much it was. @param {TextApp} app */
async function learned(app, name, path, bytes) {
  let model;
  try {
    model = await modelFor(app, name);
  } catch (error) {
    return /** @type {any} */ (error).message;
  }
  app.notice(say("learning …"), true);
  const answer = await app.server.ask(`${modelPath(model)}/${path}`, { bytes }, "-learn");
  app.again("models");
  if (app.state.model !== model) app.send({ kind: "model_opened", model });
  else app.parts.learned();
  if (answer.refused) app.refuse(answer.refused);
  else app.notice(say("{0} texts learned, {1} of them new.", answer.texts, answer.new));
  return answer.refused ?? null;
}

/** Let the person choose a folder: its sub-folders are classes. @param {TextApp} app */
export function chooseFolder(app) {
  const input = h("input", { type: "file", webkitdirectory: true, onchange: () => learnFolder(app, [...input.files]) });
  input.click();
}

/** @param {TextApp} app @param {File[]} files */
export async function learnFolder(app, files) {
  if (files.length === 0) return app.notice(say("This folder is empty."));
  const [folder] = files[0].webkitRelativePath.split("/");
  const list = files.map((file) => [file.webkitRelativePath.slice(folder.length + 1), file.size]);
  const bytes = await new Blob([`${JSON.stringify(list)}\n`, ...files]).arrayBuffer();
  return learned(app, folder, `folder?name=${encodeURIComponent(folder)}`, bytes);
}

/** Ask which column holds the texts, and which the classes. @param {TextApp} app @param {File} file */
export async function askColumns(app, file) {
  /** @type {Blob} */
  let bytes = file;
  const named = `name=${encodeURIComponent(file.name)}`;
  const found = await sendTable(file, (table) => app.server.ask(`/text-columns?${named}`, { bytes: bytes = table }));
  if (found.refused) return app.refuse(found.refused, say("{0} cannot be read.", file.name));
  const chosen = { text: found.text, label: found.label ?? found.text };
  const refused = h("p", { class: "refused", role: "alert" });
  const pairs = found.columns.map(({ name, example }) => [name, example ? `${name} (${example.slice(0, 24)})` : name]);
  const line = (title, field) => h("p", {}, h("label", {}, title, " ", choice(title, pairs, chosen[field], (name) => { chosen[field] = name; })));
  const learn = async () => {
    const query = new URLSearchParams({ name: file.name, ...chosen });
    refused.textContent = await learned(app, file.name.replace(TABLES, ""), `column?${query}`, bytes) ?? "";
    if (refused.textContent === "") dialog.close();
  };
  const dialog = openDialog(say("Learn from {0}", file.name), [
    line(say("column with the texts"), "text"), line(say("column with the classes"), "label"), refused,
    h("div", { class: "buttons" }, button(say("cancel"), () => dialog.close()), button(say("learn"), learn, { class: "main" })),
  ], { class: "small" });
  return dialog;
}
