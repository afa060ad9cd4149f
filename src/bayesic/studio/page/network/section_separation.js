// What depends on what, given the evidence (d-separation), with an open path.

import { button, choice, h } from "../frame/dom.js";
import { refusalLine } from "../frame/refusals.js";
import { say } from "../frame/words.js";

/** @type {import("../frame/panel.js").Contents} */
export const contents = {
  inputs: ({ state, data }) => [state.from, state.to, state.selected, data.separation],
  draw(app) {
    const { state, data } = app;
    const names = /** @type {[string, string][]} */ (data.network.variables.map(({ name }) => [name, name]));
    const ask = (from, to) =>
      app.send({ kind: "connections_asked", from: from || null, to: to || null });
    const choosers = h("p", {},
      choice(say("from"), [["", say("choose …")], ...names], state.from ?? "", (name) => ask(name, state.to ?? "")), " → ",
      choice(say("to"), [["", say("any")], ...names], state.to ?? "", (name) => ask(state.from ?? "", name)), " ",
      state.from !== null && button(say("clear"), () => ask("", ""), { "data-key": "clear separation" }));
    if (state.from === null) return [choosers, h("p", { class: "quiet" }, say("Colours then show what can still tell something about it."))];
    const answer = data.separation;
    if (!answer) return [choosers];
    if (answer.refused) return [choosers, refusalLine(answer.refused)];
    const list = (found) => found.join(", ") || "—";
    return [choosers,
      h("dl", {},
        h("dt", { class: "mark connected" }, say("connected")), h("dd", { "data-list": "connected" }, list(answer.connected)),
        h("dt", { class: "mark separated" }, say("independent")), h("dd", { "data-list": "separated" }, list(answer.separated)),
        state.to !== null && h("dt", { class: "mark on-path" }, say("open path")),
        state.to !== null && h("dd", { "data-list": "path" }, answer.path ? pathText(answer.path, data.network) : say("none: they are independent"))),
    ];
  },
};

/** The path with its arrows: smoke → lung ← ... @param {Network} network */
function pathText(path, network) {
  const parents = new Map(network.variables.map((variable) => [variable.name, variable.parents]));
  return path.map((name, place) => (place === 0 ? name
    : ` ${parents.get(name)?.includes(path[place - 1]) ? "→" : "←"} ${name}`)).join("");
}
