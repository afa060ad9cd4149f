// What the text desk has in the line on top: which model, undo.

import { choice, h } from "../frame/dom.js";
import { undoButtons } from "../frame/header.js";
import { say } from "../frame/words.js";

/** @param {TextApp} app */
export function createToolbar(app) {
  return {
    inputs: () => [app.state.model, app.data.models, app.history.past.length > 0, app.history.future.length > 0],
    contents: () => (app.state.model === null ? [] : contents(app)),
  };
}

/** @param {TextApp} app */
function contents(app) {
  const { model } = app.state;
  const names = (app.data.models?.models ?? []).map(({ name }) => name);
  /** @type {[string, string][]} */
  const pairs = [...new Set([...names, model])].map((name) => [name, name]);
  return [
    h("h1", { class: "unseen" }, say("Texts")),
    choice(say("model"), [...pairs, ["", say("all models, new model …")]], model,
      (name) => app.send(name ? { kind: "model_opened", model: name } : { kind: "model_gone" })),
    undoButtons(app),
  ];
}
