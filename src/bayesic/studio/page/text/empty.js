// Without a model: what this desk is, and ways to begin.

import { askText } from "../frame/dialogs.js";
import { button, h, replace } from "../frame/dom.js";
import { chooseFile } from "../frame/files.js";
import { say } from "../frame/words.js";
import { chooseFolder, newModel, openExample, openFiles } from "./learning.js";

/** @param {TextApp} app */
export function createEmpty(app, place) {
  /** @type {any[]} */
  let drawn = [];
  return {
    render() {
      const { models } = app.data;
      const inputs = [models, app.state.language, app.state.model];
      if (inputs.every((value, number) => value === drawn[number])) return;
      drawn = inputs;
      document.body.classList.toggle("without-model", app.state.model === null);
      place.hidden = app.state.model !== null;
      replace(place, place.hidden ? [] : contents(app, models ?? {}));
    },
  };
}

/** @param {TextApp} app */
const contents = (app, { models = [], examples = [] }) => [
  h("h1", {}, say("Texts")),
  h("p", {}, say("Type a text, and see which class it belongs to and what every word says to that. Where the answer is wrong, say so, and it is learned.")),
  examples.length > 0 && h("section", {}, h("h2", {}, say("Try an example")), h("p", { class: "buttons" },
    examples.map(({ name, title }) => button(say(title), () => openExample(app, name), { class: "main", "data-example": name })))),
  h("section", {}, h("h2", {}, say("Learn your own")),
    h("p", {}, say("A folder with one folder for each class (texts, mails, mailboxes), or a table with a column of texts and a column of classes.")),
    h("p", { class: "buttons" }, learnButtons(app))),
  models.length > 0 && h("section", {}, h("h2", {}, say("Open a model")), h("p", { class: "buttons" },
    models.map(({ name, texts }) => button(`${name} · ${say("{0} texts", texts)}`, () => app.send({ kind: "model_opened", model: name }), { "data-model": name })))),
];

/** @param {TextApp} app */
export const learnButtons = (app) => [
  button(say("choose a folder"), () => chooseFolder(app), { "data-key": "folder" }),
  button(say("choose a table"), () => chooseFile((files) => openFiles(app, files)), { "data-key": "table" }),
  button(say("new model"), () => askText(say("Name of the new model"), say("texts"), (name) => newModel(app, name)), { "data-key": "new model" }),
];
