// Noisy-OR: a table from one number for each cause, which the library computes.

import { h, replace } from "../frame/dom.js";
import { edit } from "./editing.js";
import { say } from "../frame/words.js";

/** @param {App} app @param {Table} table */
export function noisyOr(app, { variable, parents }, close) {
  const refused = h("p", { class: "refused", role: "alert" });
  const field = (name, label, value) =>
    h("label", {}, label, " ", h("input", { type: "number", min: 0, max: 1, step: "any", value, name, required: true }));
  const form = h("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const [leak, ...strengths] = [...form.querySelectorAll("input")].map((input) => Number(input.value));
      const causes = Object.fromEntries(parents.map(({ name }, place) => [name, strengths[place]]));
      const told = await edit(app, { kind: "noisy_or", variable, causes, leak });
      replace(refused, told);
      if (told === null) close();
    },
  },
  h("p", { class: "quiet" }, say("One number for each cause: how probable {0} is if this cause alone is there.", variable)),
  field("leak", say("without any cause"), 0),
  parents.map(({ name }) => field(name, name, 0.5)),
  refused, h("div", { class: "buttons" }, h("button", { type: "submit" }, say("fill by noisy-OR"))));
  return h("details", { class: "noisy-or" }, h("summary", {}, say("Noisy-OR")), form);
}
