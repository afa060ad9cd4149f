// Test the network on cases: accuracy, log loss, confusion and calibration of a target.

import { button, choice, h } from "../frame/dom.js";
import { calibration, confusion, scoreTable } from "../frame/scores.js";
import { documentPath } from "../frame/server.js";
import { refusalLine } from "../frame/refusals.js";
import { say } from "../frame/words.js";

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

const scores = (found) => scoreTable(found, [
  [say("accuracy"), "accuracy"], [say("log loss"), "log_loss"], [say("Brier score"), "brier"],
  [say("rows"), "n_rows"], [say("left out"), "n_left_out"],
]);
