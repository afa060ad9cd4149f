// The models desk: what each model of the store has learned, when, and how well.

import { listenToDrops } from "../frame/files.js";
import { createHeader, undoButtons } from "../frame/header.js";
import { at } from "../frame/maps.js";
import { createPage, part } from "../frame/page.js";
import { loadWords, speak } from "../frame/words.js";
import { compare } from "./compare.js";
import { curve } from "./curve.js";
import { head, takeIn } from "./head.js";
import { history } from "./history.js";
import { list } from "./list.js";
import { point } from "./point.js";
import { EVENTS, fromHash, hashOf, QUESTIONS, START } from "./state.js";
import { createView } from "./view.js";

/** @type {ModelsApp} */
const app = createPage({
  name: "models", start: START, events: EVENTS, undone: ["seq", "before", "other"], subject: ({ model }) => model, questions: QUESTIONS,
  kept: ["models", "model", "curve", "latest"], hashOf, fromHash, moved: (_, fields) => app.send({ kind: "moved", fields }), changed, received, pulse,
});
app.parts.help = async () => (await import("./help.js")).openHelp();
app.parts.again = again;
listenToDrops((files) => takeIn(app, files));
await loadWords(app.state.language, "models");
speak(app.state.language);
await app.begin([
  createHeader(app, part("toolbar"), {
    inputs: () => [app.state.model, app.history.past.length > 0, app.history.future.length > 0],
    contents: () => (app.state.model === null ? [] : [undoButtons(app)]),
  }),
  ...[list, head, curve, point, history, compare].map((view) => createView(app, part(view.id), view)),
]);

/** @param {ModelsApp} _ @param {ModelsState} before */
function changed(_, before) {
  if (app.state.model !== before.model) app.data = { models: app.data.models };
}

/** @param {ModelsApp} _ */
function received(_, name, answer) {
  if (name !== "model" || !answer.refused) return;
  app.send({ kind: "model_chosen", model: null });
  app.refuse(answer.refused);
}

/** Ask everything again: something was learned, or is gone. */
function again() {
  app.data.compared = null;
  for (const question of ["models", "model", "curve", "latest", "drift"]) app.again(question);
}

/** Follow what is learned elsewhere. @param {ModelsApp} _ */
function pulse(_, { models }) {
  const known = app.data.models?.models;
  if (!models || !known || app.waiting.models) return;
  const isNew = known.length !== Object.keys(models).length || known.some(({ name, seq }) => seq !== undefined && at(models, name) !== seq);
  if (isNew) again();
}
