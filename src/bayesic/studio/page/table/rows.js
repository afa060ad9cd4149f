// The rows of the table, a page at a time; a click on one explains it.

import { button, h } from "../frame/dom.js";
import { refusalLine } from "../frame/refusals.js";
import { percent, say } from "../frame/words.js";
import { ROWS_SHOWN } from "./questions.js";

export const rowsView = {
  id: "rows",
  title: () => say("Rows"),
  /** @param {TableApp} app */
  inputs: ({ data, state }) => [data.rows, state.row, state.first, state.target, state.learned],
  /** @param {TableApp} app */
  draw(app) {
    const { rows } = app.data;
    if (!rows) return [h("p", { class: "quiet" }, say("reading …"))];
    if (rows.refused) return [refusalLine(rows.refused)];
    return [pager(app, rows), h("div", { class: "wide" }, table(app, rows))];
  },
};

/** @param {TableApp} app */
function pager(app, { rows, n_rows: all, n_shown: shown }) {
  const { first } = app.state;
  const turn = (to) => () => app.send({ kind: "rows_turned", first: Math.max(0, to) });
  return h("p", { class: "pager" },
    button("‹", turn(first - ROWS_SHOWN), { disabled: first === 0, "aria-label": say("earlier rows") }),
    button("›", turn(first + ROWS_SHOWN), { disabled: first + rows.length >= shown, "aria-label": say("later rows") }),
    h("span", { class: "quiet" }, all === shown ? say("{0} to {1} of {2} rows", first + 1, first + rows.length, all)
      : say("{0} to {1} of {2} rows at hand, of {3} in all", first + 1, first + rows.length, shown, all)));
}

/** @param {TableApp} app */
function table(app, { columns, rows }) {
  const { target, learned, costs, reject } = app.state;
  const place = columns.indexOf(target);
  const others = columns.map((name, number) => ({ name, number })).filter(({ number }) => number !== place);
  const hasActions = learned !== null && (costs !== null || reject !== null);
  return h("table", { class: "grid-table rows-table" },
    h("thead", {}, h("tr", {},
      [say("row"), target, learned !== null && say("predicted"), hasActions && say("action"), ...others.map(({ name }) => name)]
        .filter((title) => title !== false && title !== null).map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, rows.map((row) => line(app, row, place, others, hasActions))));
}

/** @param {TableApp} app */
function line(app, row, place, others, hasActions) {
  const choose = () => app.send({ kind: "row_chosen", row: row.number });
  const { number, cells, predicted, probability, corrected, forgotten, action } = row;
  const isChosen = number === app.state.row;
  const label = corrected ?? cells[place];
  const isWrong = predicted !== undefined && String(predicted) !== String(label);
  return h("tr", {
    class: [isChosen && "is-chosen", forgotten && "is-forgotten"].filter(Boolean).join(" "), onclick: choose, "data-row": number,
  },
  h("td", {}, h("button", {
    type: "button", class: "plain", "aria-label": say("explain row {0}", number), "aria-pressed": isChosen, "data-key": `row ${number}`,
    onclick: (event) => { event.stopPropagation(); choose(); },
  }, number)),
  place >= 0 && h("td", { class: "label" }, label, corrected != null && h("span", { class: "quiet", title: say("corrected") }, " ✎")),
  predicted !== undefined && h("td", { class: isWrong ? "wrong" : "", "data-probability": probability },
    `${predicted} `, h("span", { class: "quiet" }, percent(probability))),
  hasActions && h("td", {}, action ?? ""),
  others.map(({ number: other }) => h("td", {}, cells[other])));
}
