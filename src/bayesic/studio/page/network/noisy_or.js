// Noisy-OR: a table from one number for each cause, which the library computes.

import { h, replace } from "../frame/dom.js";
import { edit } from "./editing.js";
import { say } from "../frame/words.js";

/** @param {App} app @param {Table} table */
export function noisyOr(app, { variable, parents }, close) {
  const refused = h("p", { class: "refused", role: "alert" });
  const field = (name, value) => h("input", { type: "number", min: 0, max: 1, step: "any", value, name, required: true });
  // kept apart from the form, which has each field under its name: one may be called "querySelectorAll"
  const fields = [field("leak", 0), ...parents.map(({ name }) => field(name, 0.5))];
  const titles = [say("without any cause"), ...parents.map(({ name }) => name)];
  const form = h("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      const [leak, ...strengths] = fields.map((input) => Number(input.value));
      const causes = Object.fromEntries(parents.map(({ name }, place) => [name, strengths[place]]));
      const told = await edit(app, { kind: "noisy_or", variable, causes, leak });
      replace(refused, told);
      if (told === null) close();
    },
  },
  h("p", { class: "quiet" }, say("One number for each cause: how probable {0} is if this cause alone is there.", variable)),
  fields.map((input, place) => h("label", {}, titles[place], " ", input)),
  refused, h("div", { class: "buttons" }, h("button", { type: "submit" }, say("fill by noisy-OR"))));
  return h("details", { class: "noisy-or" }, h("summary", {}, say("Noisy-OR")), form);
}
