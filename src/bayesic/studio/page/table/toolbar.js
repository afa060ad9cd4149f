// What the table desk has in the line on top: the table, undo.

import { button, choice, h } from "../frame/dom.js";
import { chooseFile } from "../frame/files.js";
import { undoButtons } from "../frame/header.js";
import { say } from "../frame/words.js";
import { learnNetwork, openFiles } from "./files.js";

/** @param {TableApp} app */
export const createToolbar = (app) => ({
  inputs: () => [app.state.table, app.data.tables, app.history.past.length > 0, app.history.future.length > 0],
  contents: () => [
    h("h1", { class: "title", title: app.state.table ?? "" }, title(app)),
    button(say("open"), () => chooseFile((files) => openFiles(app, files)), { "data-key": "open" }),
    undoButtons(app),
    button(say("learn a network from it"), () => learnNetwork(app), { class: "plain", "data-key": "network" }),
  ],
});

/** The name of the table; where several are open, a choice. @param {TableApp} app */
function title(app) {
  const { table } = app.state;
  const names = (app.data.tables?.tables ?? []).map(({ name }) => name);
  if (names.length < 2 || !names.includes(table)) return table ?? "";
  return choice(say("table"), names.map((name) => [name, name]), table, (name) => app.send({ kind: "table_opened", table: name }));
}
