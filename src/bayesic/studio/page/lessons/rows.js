// A small table whose cells can be changed. In the address it is the numbers of its levels.

import { button, choice, h } from "../frame/dom.js";
import { say } from "../frame/words.js";

/** Rows such as "00010.00011": a digit for each cell. @param {string} text */
export const rowsOf = (text) => (text === "" ? null : text === "none" ? [] : text.split(".").map(cellsOf));
/** @param {number[][]} rows */
export const textOf = (rows) => (rows.length === 0 ? "none" : rows.map((cells) => cells.join("")).join("."));
/** @param {string} text */
export const cellsOf = (text) => [...text].map(Number);

/**
 * @param {{columns: string[], levels: string[][], rows: number[][], caption: string, used?: number}} table
 *   used: how many rows count; the others are pale
 * @param {(rows: number[][]) => void} changed
 */
export function editableRows({ columns, levels, rows, caption, used = rows.length }, changed) {
  const set = (row, cell, value) =>
    changed(rows.map((cells, at) => (at === row ? cells.map((old, place) => (place === cell ? value : old)) : cells)));
  return h("div", { class: "scrolled-table", tabindex: 0, role: "region", "aria-label": caption }, h("table", { class: "rows" },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("td", {}), columns.map((name) => h("th", { scope: "col" }, name)), h("td", {}))),
    h("tbody", {}, rows.map((cells, row) => h("tr", { class: row < used ? null : "unused", "data-row": row },
      h("th", { scope: "row" }, row + 1),
      cells.map((code, cell) => h("td", {}, picker(`${columns[cell]} ${row + 1}`, levels[cell], code, (value) => set(row, cell, value)))),
      h("td", {}, button("×", () => changed(rows.filter((_, at) => at !== row)),
        { class: "plain", "aria-label": say("delete row {0}", row + 1), "data-key": `delete ${row}` })))))));
}

/** A choice of a level. @param {string[]} levels @param {(code: number) => void} chosen */
export const picker = (label, levels, code, chosen) =>
  choice(label, levels.map((text, number) => [String(number), text]), String(code), (value) => chosen(Number(value)));
