// The table of the selected variable, its parents, and the way to edit them.

import { editTable } from "./actions.js";
import { button, choice, h } from "../frame/dom.js";
import { askText } from "../frame/dialogs.js";
import { closesCycle, deleteVariable, edit, renameVariable } from "./editing.js";
import { configurations } from "./configurations.js";
import { refusalLine } from "../frame/refusals.js";
import { digits, say } from "../frame/words.js";

const MOST = 40;

/** @type {import("../frame/panel.js").Contents} */
export const contents = {
  inputs: ({ state, data }) => [state.selected, data.table],
  draw(app) {
    const { selected } = app.state;
    if (selected === null) {
      return [h("p", { class: "quiet" }, say("Click the name of a variable to select it.")),
        button(say("arrange automatically"), () => edit(app, { kind: "arrange" }))];
    }
    const variable = app.parts.desk.variable(selected);
    if (!variable) return [];
    return [
      h("p", { class: "buttons" },
        button(say("edit"), () => editTable(app, selected), { class: "main", "data-key": "edit table" }),
        button(say("rename"), () => askText(say("Rename {0}", selected), selected, (name) => renameVariable(app, selected, name))),
        button(say("delete"), () => deleteVariable(app, selected))),
      parentsOf(app, variable),
      app.data.table && shown(app.data.table),
    ];
  },
};

/** @param {App} app @param {Variable} variable */
function parentsOf(app, { name, parents }) {
  const possible = app.data.network.variables.map((one) => one.name)
    .filter((other) => !parents.includes(other) && !closesCycle(app, other, name));
  return h("p", { class: "parents" }, say("parents"), " ",
    parents.map((parent) => h("span", { class: "chip" }, parent, button("×", () => edit(app, { kind: "delete_edge", from: parent, to: name }),
      { class: "plain", "aria-label": say("Delete the edge from {0}", parent), "data-key": `delete ${parent}` }))),
    choice(say("add a parent"), [["", say("add a parent")], ...possible.map((other) => [other, other])], "",
      (from) => from && edit(app, { kind: "add_edge", from, to: name })));
}

function shown(answer) {
  if (answer.refused) return refusalLine(answer.refused);
  if (answer.missing) return h("p", { class: "quiet" }, say("There is no table yet."));
  const rows = configurations(answer.parents);
  return h("div", { class: "scrolled" },
    h("table", { class: "numbers", "data-table": answer.variable },
      h("thead", {}, h("tr", {}, answer.parents.map(({ name }) => h("th", { scope: "col" }, name)),
        answer.states.map((text) => h("th", { scope: "col", class: "of-state" }, text)))),
      h("tbody", {}, answer.rows.slice(0, MOST).map((row, number) => h("tr", {},
        rows[number].map((text) => h("th", { scope: "row" }, text)), row.map((value) => h("td", {}, digits(value, 5))))))),
    answer.rows.length > MOST && h("p", { class: "quiet" }, say("and {0} more", answer.rows.length - MOST)));
}
