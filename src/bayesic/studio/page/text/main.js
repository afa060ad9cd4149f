// The text desk: a text, what each word says, and what is learned from it.

import { listenToDrops } from "../frame/files.js";
import { createHeader } from "../frame/header.js";
import { createPage, part } from "../frame/page.js";
import { createPanel } from "../frame/panel.js";
import { loadWords, speak } from "../frame/words.js";
import { createAnswer } from "./answer.js";
import { createEditor } from "./editor.js";
import { createEmpty } from "./empty.js";
import { createFoot } from "./foot.js";
import { openExample, openFiles } from "./learning.js";
import { createReasons } from "./reasons.js";
import { GROUPS } from "./sections.js";
import { EVENTS, fromHash, hashOf, QUESTIONS, START } from "./state.js";
import { createToolbar } from "./toolbar.js";

const example = () => new URLSearchParams(location.hash.slice(1)).get("example");
const wanted = example();

/** @type {TextApp} */
const app = createPage({
  name: "text", start: START, events: EVENTS, undone: ["text", "answer"], quiet: ["model_opened", "model_gone", "moved"],
  subject: ({ model }) => model, questions: QUESTIONS, kept: ["models", "model", "answer"], hashOf, fromHash,
  moved: (_, fields) => (example() === null ? app.send({ kind: "moved", fields }) : openExample(app, example())),
  changed, received, pulse,
});
app.parts.help = async () => (await import("./help.js")).openHelp();
app.parts.editor = createEditor(app, part("editor"));
listenToDrops((files) => openFiles(app, files));
await loadWords(app.state.language, "text");
speak(app.state.language);
if (wanted !== null) await openExample(app, wanted);
await app.begin([
  createHeader(app, part("toolbar"), createToolbar(app)), createEmpty(app, part("empty")), app.parts.editor,
  createAnswer(app, part("answer")), createReasons(app, part("reasons")),
  createPanel(app, part("panel"), GROUPS, () => (app.data.model?.classes ? app.data.model : null)),
  createFoot(app, part("foot")),
]);

/** @param {TextApp} _ @param {TextState} before */
function changed(_, before) {
  if (app.state.model !== before.model) app.data = { models: app.data.models };
  if (app.state.text !== before.text) app.data.taught = null;
}

/** @param {TextApp} _ */
function received(_, name, answer, before) {
  if (name === "model" && answer.refused) {
    app.send({ kind: "model_gone" });
    app.refuse(answer.refused);
  }
  if (name !== "answer") return;
  app.waitFor();
  if (answer.refused) {
    if (app.state.answer !== null) app.send({ kind: "answer_chosen", answer: null });
    return;
  }
  if (before?.classes) app.data.ghost = before;
}

/** Follow what other tabs teach. @param {TextApp} _ */
function pulse(_, { models }) {
  const { model } = app.state;
  if (model === null || !models || app.waiting.answer || app.waiting.model) return;
  if (!Object.hasOwn(models, model)) {
    app.again("models");
    app.send({ kind: "model_gone" });
  } else if (models[model] !== app.data.model?.seq) learned();
}

/** The model has learned: what is shown is to be asked again. */
function learned() {
  for (const question of ["models", "model", "answer"]) app.again(question);
}
app.parts.learned = learned;
