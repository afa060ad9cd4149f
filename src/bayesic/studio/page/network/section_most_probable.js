// The most probable explanation: one state of each variable, marked on the cards too.

import { h } from "../frame/dom.js";
import { kindOf } from "./evidence.js";
import { refused } from "./evidence_text.js";
import { at } from "../frame/maps.js";
import { fromLogarithm, say } from "../frame/words.js";

/** @type {import("../frame/panel.js").Contents} */
export const contents = {
  inputs: ({ state, data }) => [state.evidence, data.mostProbable],
  draw({ state, data }) {
    const { mostProbable: answer, network } = data;
    if (!answer) return [h("p", { class: "quiet" }, say("computing …"))];
    if (answer.refused || answer.impossible) return [refused(answer)];
    const open = network.variables.filter(({ name }) => kindOf(state.evidence, name) === null);
    return [
      h("p", { class: "facts" }, say("probability"), " ", h("output", {}, fromLogarithm(answer.log_probability))),
      h("table", { class: "numbers" }, h("tbody", {}, open.map(({ name, states }) =>
        h("tr", {}, h("th", { scope: "row" }, name),
          h("td", { "data-most-probable": name }, states[at(answer.states, name) ?? -1]))))),
    ];
  },
};
