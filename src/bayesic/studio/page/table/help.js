// Help: the keys, and how to begin.

import { openDialog } from "../frame/dialogs.js";
import { h } from "../frame/dom.js";
import { say } from "../frame/words.js";

const KEYS = [
  ["1, 2, 3", "Columns, rows, nomogram"],
  ["l", "Learn"],
  ["j, k", "Explain the next row, the one before"],
  ["Ctrl+Z, Ctrl+Y", "Undo, redo"],
];

export function openHelp() {
  openDialog(say("Help"), [
    h("p", {}, say("Choose the column to predict, press Learn, click a row. Blue speaks for the answer, orange against it. Change a cell and watch what follows.")),
    h("table", { class: "help" }, h("tbody", {}, KEYS.map(([key, text]) =>
      h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, say(key))), h("td", {}, say(text)))))),
  ]);
}
