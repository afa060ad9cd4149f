// Scenarios: evidence that is kept, side by side, or behind the bars.

import { keepScenario } from "./actions.js";
import { button, h } from "../frame/dom.js";
import { evidenceText } from "./evidence_text.js";
import { at } from "../frame/maps.js";
import { percent, say } from "../frame/words.js";

/** @type {import("../frame/panel.js").Contents} */
export const contents = {
  inputs: ({ state, data }) => [state.scenarios, state.pinned, state.selected, state.target, data.scenarios, data.bars],
  draw(app) {
    const { state, data } = app;
    return [
      h("ul", { class: "lines" }, state.scenarios.map(({ name, evidence }, number) => h("li", {},
        button(name, () => app.send({ kind: "scenario_pinned", number: state.pinned === number ? null : number }), {
          "aria-pressed": state.pinned === number, title: say("show behind the bars"), "data-key": `pin ${name}`,
        }),
        h("span", { class: "grow" }, evidenceText(evidence, data.network.variables)),
        button(say("load"), () => app.send({ kind: "evidence_replaced", evidence }), { "data-key": `load ${name}`, class: "plain" }),
        button("×", () => app.send({ kind: "scenario_dropped", number }), { class: "plain", "aria-label": say("Drop scenario {0}", name), "data-key": `drop ${name}` })))),
      button(say("keep the evidence as a scenario"), () => keepScenario(app)),
      comparison(app),
    ];
  },
};

/** The belief in a variable under each scenario. @param {App} app */
function comparison({ state, data }) {
  const name = state.target ?? state.selected;
  const variable = data.network.variables.find((one) => one.name === name);
  if (!variable || !data.scenarios) return null;
  const columns = [[say("now"), data.bars], ...state.scenarios.map((scenario, number) => [scenario.name, data.scenarios[number]])];
  return h("table", { class: "numbers", "data-comparison": name },
    h("caption", {}, say("{0}, in %", variable.name)),
    h("thead", {}, h("tr", {}, h("th", {}), columns.map(([title]) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, variable.states.map((text, number) =>
      h("tr", {}, h("th", { scope: "row" }, text), columns.map(([, answer]) => {
        const probability = at(answer?.probabilities, variable.name)?.[number];
        return h("td", { "data-value": probability }, probability === undefined ? "—" : percent(probability));
      })))));
}
