// All models of the store.

import { button, h } from "../frame/dom.js";
import { chooseFile } from "../frame/files.js";
import { digits, say } from "../frame/words.js";
import { takeIn } from "./head.js";
import { moment } from "./when.js";

/** @type {import("./view.js").View} */
export const list = {
  id: "list",
  inputs: ({ data, state }) => [data.models, state.model],
  draw(app) {
    const { models = [] } = app.data.models ?? {};
    return [
      h("h2", {}, say("Models of the store")),
      h("ul", { class: "models" }, models.map((one) => h("li", {}, line(app, one)))),
      models.length === 0 && app.data.models && h("p", { class: "quiet" }, say("There is no model yet. What the table and text desks learn is kept here; so is what other programs teach this store.")),
      h("p", { class: "buttons" },
        models.length === 0 && h("a", { href: "/desk/text#example=mails" }, say("try the mails example")),
        button(say("take in a model file"), () => chooseFile((files) => takeIn(app, files)), { class: "plain", "data-key": "take in" })),
    ];
  },
};

/** @param {ModelsApp} app @param {StoredModel} one */
function line(app, one) {
  const isChosen = app.state.model === one.name;
  const facts = one.problem ?? [
    one.kind, one.rows !== null && say("{0} rows", digits(one.rows, 7)), one.classes.length > 0 && say("{0} classes", one.classes.length),
  ].filter(Boolean).join(" · ");
  return h("button", {
    type: "button", class: "model", "aria-current": isChosen ? "true" : null, "data-model": one.name, "data-rows": one.rows, "data-key": `model ${one.name}`,
    onclick: () => app.send({ kind: "model_chosen", model: one.name }),
  }, h("strong", {}, one.name), h("span", { class: one.problem ? "refused" : "quiet" }, facts),
  one.time && h("span", { class: "quiet" }, moment(one.time)));
}
