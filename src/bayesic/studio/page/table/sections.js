// The sections of the panel, in their order.

import { h } from "../frame/dom.js";
import { calibration, confusion, scoreTable } from "../frame/scores.js";
import { refusalLine } from "../frame/refusals.js";
import { digits, percent, say } from "../frame/words.js";
import { costs } from "./section_costs.js";

/** @type {import("../frame/panel.js").Section} */
const evaluation = {
  id: "evaluation",
  title: () => say("Evaluation"),
  inputs: ({ state, data }) => [state.learned, data.evaluation],
  draw(app) {
    const { evaluation: found } = app.data;
    if (app.state.learned === null) return [quiet(say("Learn first."))];
    if (!found) return [quiet(say("computing …"))];
    if (found.refused) return [refusalLine(found.refused)];
    return [
      quiet(found.rows === found.n_known ? say("each of {0} rows as if it had not been learned", found.rows)
        : say("{0} of {1} rows, each as if it had not been learned", found.rows, found.n_known)),
      scoreTable(found, [
        [say("accuracy"), "accuracy"], [say("log loss"), "log_loss"], [say("Brier score"), "brier_score"],
        [say("expected cost"), "expected_cost"],
      ]),
      confusion(found.confusion, found.classes.map(String)),
      calibration(found.calibration),
      worst(app, found.worst),
    ];
  },
};

/** @param {TableApp} app */
const worst = (app, rows) => rows.length > 0 && h("div", {}, quiet(say("worst predictions")),
  h("ul", { class: "lines" }, rows.map(({ row, truth, answer, probability }) => h("li", {},
    h("button", {
      type: "button", class: "plain", onclick: () => app.send({ kind: "row_chosen", row }), "data-key": `worst ${row}`,
    }, say("row {0}: {1}, predicted {2}", row, truth, answer)), h("span", { class: "quiet" }, percent(probability))))));

/** @type {import("../frame/panel.js").Section} */
const members = {
  id: "members",
  title: () => say("Members"),
  inputs: ({ state, data }) => [state.learned, data.model, data.answer],
  draw({ data }) {
    const found = data.model?.members ?? [];
    if (found.length === 0) return [quiet(say("Only AutoBayes has members, which vote."))];
    const votes = new Map((data.answer?.votes ?? []).map(({ member, probability }) => [member, probability]));
    const head = [say("member"), say("weight"), say("log loss"), votes.size > 0 ? say("P({0})", data.answer.answer) : ""];
    return [h("table", { class: "numbers members" },
      h("thead", {}, h("tr", {}, head.map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, found.map(({ member, weight, log_loss: loss }) => h("tr", { "data-member": member },
        h("th", { scope: "row" }, member), h("td", { "data-weight": weight }, digits(weight, 3)), h("td", {}, loss === null ? "" : digits(loss, 4)),
        h("td", { "data-vote": votes.get(member) ?? null }, votes.has(member) ? percent(votes.get(member)) : "")))))];
  },
};

/** @type {import("../frame/panel.js").Section} */
const work = {
  id: "work",
  title: () => say("In fractions"),
  inputs: ({ state, data }) => [state.learned, state.row, data.work],
  draw({ state, data }) {
    if (state.learned === null || state.row === null) return [quiet(say("Click a row to see its calculation."))];
    if (!data.work) return [];
    if (data.work.refused) return [refusalLine(data.work.refused, say("This cannot be shown in fractions:"), { class: "quiet" })];
    return [h("pre", { class: "work", tabindex: 0, "data-work": "" }, data.work.work)];
  },
};

const quiet = (sentence) => h("p", { class: "quiet" }, sentence);

/** @type {[string, import("../frame/panel.js").Section[]][]} */
export const GROUPS = [["What follows", [work, members, evaluation]], ["What to do", [costs]]];
