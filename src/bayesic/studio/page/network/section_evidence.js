// What is known: each piece of evidence, and how probable all of it is.

import { button, h } from "../frame/dom.js";
import { evidenceLines, refused } from "./evidence_text.js";
import { digits, fromLogarithm, say } from "../frame/words.js";

/** @type {import("../frame/panel.js").Section} */
export const evidence = {
  id: "evidence",
  title: () => say("Evidence"),
  inputs: ({ state, data }) => [state.evidence, state.likely, state.becoming, data.answer, data.conflict],
  draw(app) {
    const lines = evidenceLines(app.state.evidence, app.data.network.variables);
    const { answer } = app.data;
    return [
      lines.length === 0 && h("p", { class: "quiet" }, say("Click a state to observe it; click again to take it back.")),
      h("ul", { class: "lines" }, lines.map(({ variable, text, kind }) =>
        h("li", { class: `evidence by-${kind}` }, h("span", {}, text),
          button("×", () => app.send({ kind: "variable_forgotten", variable }), {
            class: "plain", "aria-label": say("Forget {0}", variable), "data-key": `forget ${variable}`,
          })))),
      app.state.likely !== null && h("p", { class: "mode" },
        say("Drag the bars of {0}: how probable is what was seen, under each state?", app.state.likely), " ",
        button(say("done"), () => app.send({ kind: "likelihoods_begun", variable: null }))),
      app.state.becoming !== null && h("p", { class: "mode" },
        say("Drag the bars of {0}: what does the belief become?", app.state.becoming), " ",
        button(say("done"), () => app.send({ kind: "telling_begun", variable: null }))),
      (answer?.impossible || answer?.refused) && refused(answer, { role: "alert" }),
      lines.length > 0 && h("p", { class: "facts" },
        answer?.log_probability != null && h("span", {}, say("P(evidence)"), " ",
          h("output", { "data-log-probability": answer.log_probability }, fromLogarithm(answer.log_probability))),
        button(say("clear"), () => app.send({ kind: "evidence_cleared" }), { class: "end" })),
      conflictOf(app.data.conflict?.bits),
    ];
  },
};

/** Whether the findings tell against each other. @param {number | null | undefined} bits */
const conflictOf = (bits) => bits != null && h("p", {
  class: bits > 0 ? "conflict" : "",
  title: bits > 0 ? say("Above 0: these findings are rarer together than apart.") : say("0 or below: these findings fit together."),
}, say("conflict"), " ", h("output", { "data-conflict": bits }, digits(bits, 3)), " ", say("bits"));
