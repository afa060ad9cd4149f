// What the table desk has in the line on top: the table, undo.

import { button, h } from "../frame/dom.js";
import { chooseFile } from "../frame/files.js";
import { undoButtons } from "../frame/header.js";
import { say } from "../frame/words.js";
import { learnNetwork, openFiles } from "./files.js";

/** @param {TableApp} app */
export const createToolbar = (app) => ({
  inputs: () => [app.state.table, app.history.past.length > 0, app.history.future.length > 0],
  contents: () => [
    h("h1", { class: "title", title: app.state.table ?? "" }, app.state.table ?? ""),
    button(say("open"), () => chooseFile((files) => openFiles(app, files)), { "data-key": "open" }),
    undoButtons(app),
    button(say("learn a network from it"), () => learnNetwork(app), { class: "plain", "data-key": "network" }),
  ],
});
