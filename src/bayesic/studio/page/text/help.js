// Help: what the colours mean, and the keys.

import { openDialog } from "../frame/dialogs.js";
import { h } from "../frame/dom.js";
import { say } from "../frame/words.js";

const LINES = [
  ["blue word", "It speaks for the class that is explained; the darker, the more"],
  ["orange word", "It speaks against it"],
  ["dotted word", "The model has not learned it"],
  ["click a class", "Explain this class instead of the predicted one"],
  ["it is …", "Learn the text as this class; if it was learned as another one, correct it"],
  ["drop a file", "A table is learned; any other file becomes the text"],
  ["Ctrl+Z", "Undo"],
];

export function openHelp() {
  openDialog(say("Help"), [
    h("p", {}, say("The weight of a word is a logarithm: +0.7 doubles the odds, +2.3 makes them ten times as large. The prior and all words together are the log odds.")),
    h("table", { class: "help" }, h("tbody", {}, LINES.map(([key, text]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, say(key))), h("td", {}, say(text)))))),
  ], { class: "wide" });
}
