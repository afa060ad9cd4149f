// Test the network on cases: accuracy, log loss, confusion and calibration of a target.

import { button, choice, h, s } from "../frame/dom.js";
import { documentPath } from "../frame/server.js";
import { refusalLine } from "../frame/refusals.js";
import { digits, percent, say } from "../frame/words.js";

/** @type {import("../frame/panel.js").Contents} */
export const contents = {
  inputs: ({ state, data }) => [state.cases, state.target, state.version, data.test],
  draw(app) {
    const { state, data } = app;
    if (state.cases === null) return [h("p", { class: "quiet" }, say("Open a table of cases first."))];
    const names = /** @type {[string, string][]} */ (data.network.variables.map(({ name }) => [name, name]));
    const chooser = h("p", {}, h("label", {}, say("predict"), " ",
      choice(say("target to predict"), [["", "—"], ...names], state.target ?? "", (name) => app.send({ kind: "target_chosen", variable: name || null }))), " ",
    state.target !== null && button(say("test"), () => run(app)));
    const found = data.test;
    const isNew = found && found.target === state.target && found.version === state.version && found.cases === state.cases;
    if (!isNew) return [chooser];
    if (found.refused) return [chooser, refusalLine(found.refused)];
    const { states } = data.network.variables.find(({ name }) => name === found.target);
    return [chooser, scores(found), confusion(found.confusion, states), calibration(found.calibration)];
  },
};

/** @param {App} app */
async function run(app) {
  const { document, cases, target, version } = app.state;
  const path = `${documentPath(document ?? "")}/cases/${encodeURIComponent(cases ?? "")}/test`;
  const answer = await app.server.ask(path, { body: { version, target } }, "-test");
  app.data.test = { ...answer, target, version, cases };
  app.render();
}

const scores = (found) =>
  h("table", { class: "numbers", "data-scores": "" }, h("tbody", {}, [
    [say("accuracy"), "accuracy"], [say("log loss"), "log_loss"], [say("Brier score"), "brier"],
    [say("rows"), "n_rows"], [say("left out"), "n_left_out"],
  ].map(([title, name]) => found[name] != null && h("tr", {},
    h("th", { scope: "row" }, title), h("td", { "data-score": name, "data-value": found[name] }, digits(found[name], 5))))));

/** Rows are what was, columns what was predicted. */
function confusion(counts, states) {
  if (!counts) return null;
  const most = Math.max(1, ...counts.flat());
  return h("div", { class: "scrolled" }, h("table", { class: "confusion", "data-confusion": "" },
    h("caption", {}, say("in the file ↓, predicted →")),
    h("thead", {}, h("tr", {}, h("th", {}), states.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, counts.map((row, number) => h("tr", {}, h("th", { scope: "row" }, states[number]),
      row.map((count, other) => {
        const cell = h("td", { class: number === other ? "right" : "" }, count);
        cell.style.setProperty("--share", String(count / most));
        return cell;
      }))))));
}

/** How often it happened, against how probable it was said to be. */
function calibration(bins) {
  if (!bins || bins.length === 0) return null;
  const size = 160;
  const at = (share) => 8 + share * (size - 16);
  const most = Math.max(...bins.map(({ n }) => n));
  return h("figure", {},
    s("svg", { class: "chart", width: size, height: size, viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": say("calibration") },
      s("rect", { class: "frame", x: 8, y: 8, width: size - 16, height: size - 16 }),
      s("path", { class: "diagonal", d: `M8 ${size - 8}L${size - 8} 8` }),
      bins.filter(({ n }) => n > 0).map(({ mean, share, n }) =>
        s("circle", { class: "bin", cx: at(mean), cy: size - at(share), r: 2 + 4 * Math.sqrt(n / most) },
          s("title", {}, say("said {0} %, came true {1} % of {2}", percent(mean), percent(share), n))))),
    h("figcaption", { class: "quiet" }, say("calibration: said →, came true ↑")));
}
