// The line above the table: what is predicted, by which model, and the button that learns it.

import { button, choice, h, replace } from "../frame/dom.js";
import { refusal } from "../frame/refusals.js";
import { say } from "../frame/words.js";
import { canLearn, learn, modelOf, stopLearning } from "./learning.js";

/** @param {TableApp} app */
export function createStrip(app, place) {
  /** @type {any[]} */
  let drawn = [];
  return {
    render() {
      const { state, data } = app;
      const inputs = [data.profile, state.target, state.model, state.learned, data.learning, data.model, state.language];
      if (drawn.length > 0 && inputs.every((value, number) => value === drawn[number])) return;
      drawn = inputs;
      replace(place, data.profile ? contents(app) : h("span", { class: "quiet" }, say("reading …")));
    },
  };
}

/** @param {TableApp} app */
function contents(app) {
  const { state, data } = app;
  if (data.profile.refused) return [h("span", { class: "refused", role: "alert" }, refusal(data.profile.refused))];
  const models = /** @type {[string, string][]} */ (Object.keys(data.profile.models).map((name) => [name, name]));
  return [
    h("span", {}, say("predict"), " ", h("strong", { "data-target": state.target ?? "" }, state.target ?? "—")),
    h("label", {}, say("with"), " ", choice(say("model"), models, modelOf(app), (model) => app.send({ kind: "model_chosen", model }))),
    button(say("Learn"), () => learn(app), {
      class: state.learned === null ? "main" : "", disabled: !canLearn(app), "data-key": "learn",
    }),
    data.learning ? bar(app, data.learning) : summary(app),
    data.profile.unfit && h("span", { class: "refused", role: "alert" }, refusal(data.profile.unfit, say("This column cannot be learned:"))),
  ];
}

/** @param {TableApp} app */
function bar(app, { what, done, total }) {
  const words = { "reading rows": say("reading rows"), "learning members": say("learning members") }[what] ?? say("learning …");
  const share = total ? done / total : null;
  return h("span", { class: "learning" },
    h("progress", { max: 1, value: share, "aria-label": say("learning …") }),
    h("span", { class: "quiet", role: "status" }, words),
    button(say("stop"), () => stopLearning(app), { "data-key": "stop" }));
}

/** @param {TableApp} app */
function summary({ state, data }) {
  if (state.learned === null || !data.model?.classes) return null;
  return h("span", { class: "quiet", "data-learned": data.model.learned, "data-seq": data.model.seq },
    say("{0} rows learned, {1} classes", data.model.n_rows, data.model.classes.length));
}
