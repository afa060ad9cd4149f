// Cases: step through the rows of a file, and see which of them surprise the network.

import { button, h } from "../frame/dom.js";
import { chooseFile } from "../frame/files.js";
import { caseInfo, goToCase, openFiles, stepCase } from "./files.js";
import { documentPath } from "../frame/server.js";
import { refusalLine } from "../frame/refusals.js";
import { digits, say } from "../frame/words.js";

/** @type {import("../frame/panel.js").Contents} */
export const contents = {
  inputs: ({ state, data }) => [state.cases, state.row, state.target, state.version, data.row, data.surprise, data.caseTables],
  draw(app) {
    const { state } = app;
    const chooser = button(say("open a CSV, TSV or Parquet file"), () => chooseFile((files) => openFiles(app, files)), { "data-key": "open cases" });
    if (state.cases === null) return [h("p", { class: "quiet" }, say("Rows of a table: each is a case.")), chooser];
    const info = caseInfo(app);
    return [
      h("p", { class: "facts" },
        button("◂", () => stepCase(app, -1), { "aria-label": say("Previous case") }),
        h("input", {
          type: "number", min: 1, max: info?.n_rows, value: state.row === null ? "" : state.row + 1, "aria-label": say("case"),
          "data-key": "case", onchange: (event) => goToCase(app, Number(event.target.value) - 1),
        }),
        button("▸", () => stepCase(app, 1), { "aria-label": say("Next case") }),
        info && h("span", { class: "quiet" }, say("of {0}", info.n_rows))),
      state.row !== null && rowShown(app),
      surprises(app),
      chooser,
    ];
  },
};

/** The cells of the row. @param {App} app */
function rowShown({ state, data }) {
  const { row } = data;
  if (!row) return null;
  if (row.refused) return refusalLine(row.refused);
  const left = new Set(row.left_out);
  return h("div", { class: "scrolled" },
    state.target !== null && Object.hasOwn(row.given, state.target)
      && h("p", { class: "quiet" }, say("{0} is left open, because it is asked about.", state.target)),
    h("table", { class: "numbers" }, h("tbody", {}, Object.entries(row.cells).map(([column, text]) =>
      h("tr", { class: left.has(column) ? "quiet" : "" }, h("th", { scope: "row" }, column),
        h("td", {}, text, left.has(column) && ` (${say("not used")})`))))));
}

/** The rows with the least probability. @param {App} app */
function surprises(app) {
  const { state, data } = app;
  const found = data.surprise;
  const isOld = found && (found.version !== state.version || found.cases !== state.cases);
  const look = button(say("which rows surprise the network?"), async () => {
    const path = `${documentPath(state.document ?? "")}/cases/${encodeURIComponent(state.cases ?? "")}/surprise`;
    const answer = await app.server.ask(path, { body: { version: state.version } }, "-surprise");
    app.data.surprise = { ...answer, version: state.version, cases: state.cases };
    app.render();
  });
  if (!found || isOld) return look;
  if (found.refused) return [look, refusalLine(found.refused)];
  return h("div", { class: "scrolled" },
    h("p", { class: "quiet" }, say("mean log probability {0}", digits(found.mean, 5)),
      found.n_impossible > 0 && ` · ${say("{0} rows are impossible", found.n_impossible)}`),
    h("table", { class: "numbers", "data-surprise": "" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("case")), h("th", { scope: "col" }, say("log probability")))),
      h("tbody", {}, found.rows.map(({ number, log_probability: value }) => h("tr", {},
        h("th", { scope: "row" }, button(String(number + 1), () => goToCase(app, number), { class: "plain", "data-key": `surprise ${number}` })),
        h("td", { "data-value": value }, value === null ? "−∞" : digits(value, 5)))))));
}
