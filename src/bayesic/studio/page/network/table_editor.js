// The editor of a table: a grid of numbers, paste from a spreadsheet, normalise, noisy-OR, states.

import { configurations } from "./configurations.js";
import { askText, openDialog } from "../frame/dialogs.js";
import { button, h, replace } from "../frame/dom.js";
import { addState, deleteState, edit } from "./editing.js";
import { noisyOr } from "./noisy_or.js";
import { numbersIn } from "./paste.js";
import { refusalLine } from "../frame/refusals.js";
import { documentPath } from "../frame/server.js";
import { say } from "../frame/words.js";

const ROWS_A_PAGE = 200;

/** Open the editor of a variable. @param {App} app */
export async function openTable(app, variable) {
  const body = h("div", { class: "table-editor" });
  const dialog = openDialog(say("Table of {0}", variable), [body], { class: "wide" });
  const load = async () => {
    const path = `${documentPath(app.state.document ?? "")}/table/${encodeURIComponent(variable)}?version=${app.state.version}`;
    const table = await app.server.ask(path);
    replace(body, table.refused ? refusalLine(table.refused) : contents(app, table, load, () => dialog.close()));
  };
  await load();
  body.querySelector("td input")?.focus();
}

/** @param {App} app @param {Table} table */
function contents(app, table, reload, close) {
  const { variable, states, parents } = table;
  const keys = configurations(parents);
  let values = table.rows.length > 0 ? table.rows.map((row) => row.map(String)) : keys.map(() => states.map(() => ""));
  let page = 0;
  const grid = h("div", { class: "scrolled" });
  const refused = h("p", { class: "refused", role: "alert" });

  /** Go on if an edit was done; tell it if it was refused. @param {any[] | null} told */
  const done = (told, goOn) => { replace(refused, told); if (told === null) goOn(); };
  const draw = () => replace(grid, gridOf(), pager());
  const pager = () => values.length > ROWS_A_PAGE && h("p", {},
    button("◂", () => { page = Math.max(0, page - 1); draw(); }, { "aria-label": say("previous rows") }),
    say(" rows {0} to {1} of {2} ", page * ROWS_A_PAGE + 1, Math.min(values.length, (page + 1) * ROWS_A_PAGE), values.length),
    button("▸", () => { page = Math.min(Math.ceil(values.length / ROWS_A_PAGE) - 1, page + 1); draw(); }, { "aria-label": say("next rows") }));

  const gridOf = () => h("table", { class: "grid" },
    h("thead", {}, h("tr", {}, parents.map(({ name }) => h("th", { scope: "col" }, name)),
      states.map((text, state) => h("th", { scope: "col", class: "of-state" }, stateName(text, state))),
      h("th", {}, button("+", newState, { "aria-label": say("add a state"), title: say("add a state"), "data-key": "add state" })))),
    h("tbody", {}, values.slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE).map((row, place) => {
      const number = page * ROWS_A_PAGE + place;
      return h("tr", {}, keys[number].map((text) => h("th", { scope: "row" }, text)),
        row.map((value, state) => h("td", {}, cell(value, number, state))));
    })));

  const cell = (value, row, column) =>
    h("input", {
      value, inputmode: "decimal", "data-key": `${row} ${column}`, "data-row": row, "data-column": column,
      "aria-label": [...keys[row], states[column]].join(", "),
      oninput: (event) => { values = withValue(values, row, column, event.target.value); },
      onpaste: (event) => pasted(event, row, column),
      onkeydown: (event) => walked(event, row, column),
    });

  function walked(event, row, column) {
    const down = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key];
    if (!down) return;
    event.preventDefault();
    /** @type {HTMLElement | null} */(grid.querySelector(`[data-row="${row + down}"][data-column="${column}"]`))?.focus();
  }

  function pasted(event, row, column) {
    const block = numbersIn(event.clipboardData?.getData("text/plain") ?? "");
    if (block.length === 0 || (block.length === 1 && block[0].length === 1)) return;
    event.preventDefault();
    block.forEach((line, down) => line.forEach((text, right) => {
      if (row + down < values.length && column + right < states.length) values = withValue(values, row + down, column + right, text);
    }));
    draw();
  }

  const stateName = (text, state) => [
    h("input", {
      class: "state-name", value: text, "aria-label": say("name of state {0}", state + 1), "data-key": `state ${state}`,
      onchange: async (event) => done(await edit(app, { kind: "rename_state", variable, state, name: event.target.value }), reload),
    }),
    states.length > 1 && button("×", async () => done(await deleteState(app, variable, state), reload),
      { class: "plain", "aria-label": say("delete state {0}", text), "data-key": `delete ${state}` })];

  const newState = () => askText(say("Name of the new state"), "", async (name) => {
    const sentence = await addState(app, variable, name);
    if (sentence === null) reload();
    return sentence;
  });

  async function save(normalise) {
    const wrong = values.flat().find((text) => text.trim() === "" || !Number.isFinite(Number(text)));
    if (wrong !== undefined) {
      refused.textContent = say("Each cell needs a number, got {0}.", JSON.stringify(wrong));
      return;
    }
    const rows = values.map((row) => row.map(Number));
    done(await edit(app, { kind: "set_table", variable, rows, normalise }), close);
  }

  draw();
  return [
    h("p", { class: "quiet" }, say("Each row is a distribution. Cells copied from a spreadsheet can be pasted.")),
    grid, refused,
    h("div", { class: "buttons" },
      button(say("cancel"), close),
      button(say("normalise and save"), () => save(true), { title: say("divide each row by its sum") }),
      button(say("save"), () => save(false), { class: "main" })),
    parents.length > 0 && states.length === 2 && noisyOr(app, table, close),
  ];
}

const withValue = (values, row, column, text) =>
  values.map((line, number) => (number === row ? line.map((old, place) => (place === column ? text : old)) : line));
