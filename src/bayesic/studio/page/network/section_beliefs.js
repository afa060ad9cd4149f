// The belief in each state of the selected variable, in digits that can be copied.

import { h } from "../frame/dom.js";
import { at } from "../frame/maps.js";
import { digits, say } from "../frame/words.js";
import { behindBars } from "./state.js";

/** @type {import("../frame/panel.js").Section} */
export const beliefs = {
  id: "beliefs",
  title: ({ state }) => (state.selected === null ? say("Beliefs") : say("Beliefs about {0}", state.selected)),
  inputs: ({ state, data }) => [state.selected, state.pinned, state.scenarios, data.bars, data.ghost, data.scenarios, data.answer],
  draw({ state, data }) {
    const { selected } = state;
    if (selected === null) return [h("p", { class: "quiet" }, say("Click the name of a variable to select it."))];
    const variable = data.network.variables.find(({ name }) => name === selected);
    const now = at(data.bars?.probabilities, selected);
    const isOld = Boolean(data.answer?.impossible || data.answer?.refused); // what is known cannot be: these are the beliefs before
    const before = isOld ? undefined : at(behindBars(state, data)?.probabilities, selected);
    const errors = at(data.bars?.standard_errors, selected);
    if (!variable || !now) return [h("p", { class: "quiet" }, say("No numbers: a table is missing."))];
    return [h("table", { class: "numbers" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("state")), h("th", { scope: "col" }, isOld ? say("before") : say("now")),
        errors && h("th", { scope: "col" }, "±"),
        before && h("th", { scope: "col" }, state.scenarios[state.pinned ?? -1]?.name ?? say("before")))),
      h("tbody", {}, variable.states.map((text, number) => h("tr", {},
        h("th", { scope: "row" }, text), h("td", { "data-belief": now[number] }, digits(now[number], 6)),
        errors && h("td", { class: "quiet" }, digits(errors[number], 2)),
        before && h("td", { class: "quiet" }, before[number] === undefined ? "" : digits(before[number], 6))))))];
  },
};
