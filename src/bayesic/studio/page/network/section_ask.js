// What to ask next: how many bits each variable would tell about the target.

import { choice, h } from "../frame/dom.js";
import { digits, say } from "../frame/words.js";
import { refused } from "./evidence_text.js";

const MOST = 20;

/** @type {import("../frame/panel.js").Contents} */
export const contents = {
  inputs: ({ state, data }) => [state.target, data.askNext],
  draw(app) {
    const { state, data } = app;
    const names = data.network.variables.map(({ name }) => name);
    const chooser = h("label", {}, say("to learn about"), " ",
      choice(say("target"), [["", "—"], ...names.map((name) => [name, name])], state.target ?? "",
        (name) => app.send({ kind: "target_chosen", variable: name || null })));
    const answer = data.askNext;
    if (state.target === null) return [chooser];
    if (!answer) return [chooser, h("p", { class: "quiet" }, say("computing …"))];
    if (!Array.isArray(answer)) return [chooser, refused(answer)];
    const most = Math.max(1e-12, ...answer.map(({ bits }) => bits));
    return [chooser, h("table", { class: "ranking" }, h("tbody", {}, answer.slice(0, MOST).map(({ variable, bits }) =>
      h("tr", {},
        h("th", { scope: "row" }, h("button", { type: "button", class: "plain", "data-key": `find ${variable}`, onclick: () => app.parts.desk.find(variable) }, variable)),
        h("td", { "data-variable": variable, "data-bits": bits }, bits < 1e-9 ? "0" : digits(bits, 3)),
        h("td", {}, meter(bits / most)))))),
    answer.length > MOST && h("p", { class: "quiet" }, say("and {0} more", answer.length - MOST)),
    h("p", { class: "quiet" }, say("in bits, given what is known"))];
  },
};

function meter(share) {
  const bar = h("i", { class: "meter" });
  bar.style.width = `${80 * share}px`;
  return bar;
}
