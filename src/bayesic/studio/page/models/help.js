// Help: what is on this desk.

import { openDialog } from "../frame/dialogs.js";
import { h } from "../frame/dom.js";
import { say } from "../frame/words.js";

const LINES = [
  ["a dot, an event", "Look at this point: go back to it, or see what has changed since"],
  ["forget", "Take a row back out; its id is free again"],
  ["correct …", "Give a row another class"],
  ["newest, older", "Turn the pages of the history"],
  ["drop a file", "Take a model file into the store"],
];

export function openHelp() {
  openDialog(say("Help"), [
    h("p", {}, say("Everything that a model learns is an event of its journal, with a number, a time and the id of the row. Nothing is lost: forgetting and correcting are events, too.")),
    h("table", { class: "help" }, h("tbody", {}, LINES.map(([key, text]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, say(key))), h("td", {}, say(text)))))),
  ], { class: "wide" });
}
