// Help: the keys, and what the mouse does.

import { ACTIONS } from "./actions.js";
import { openDialog } from "../frame/dialogs.js";
import { h } from "../frame/dom.js";
import { say } from "../frame/words.js";

const MOUSE = [
  ["click", "Observe this state, or take it back"],
  ["Alt + click", "Not this state"],
  ["Shift or Ctrl + click", "One of several states"],
  ["right click, ⋮", "Menu of a variable and its states"],
  ["drag a name", "Move a card"],
  ["drag the dot below a card", "Draw an edge"],
  ["click an edge", "Delete, forbid or require it"],
  ["double click", "Add a variable"],
  ["wheel, pinch; drag", "Zoom; pan"],
];

const WALKING = [
  ["Tab, ← → ↑ ↓", "Walk among cards and states"],
  ["Shift + arrows", "Pan"],
  ["Ctrl + arrows", "Move a card"],
  ["Shift + F10", "Menu of a variable and its states"],
  ["Esc", "Leave a mode"],
];

export function openHelp() {
  const keys = ACTIONS.map(({ keys: names, title }) => [names.map((name) => (name === " " ? say("space") : name)).join(", "), title]);
  const table = (title, lines) => h("table", { class: "help" },
    h("caption", {}, say(title)),
    h("tbody", {}, lines.map(([key, text]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, say(key))), h("td", {}, say(text))))));
  openDialog(say("Help"), [
    h("p", {}, say("Blue is what is believed, orange what is known. The pale bar behind is the belief before the last change, or of the scenario that is pinned.")),
    h("div", { class: "columns" }, table("Mouse", MOUSE), table("Keys", [...WALKING, ...keys])),
  ], { class: "wide" });
}
