// The lessons desk: worked examples that one can touch.

import { createHeader, undoButtons } from "../frame/header.js";
import { createPage, part } from "../frame/page.js";
import { FRAME } from "../frame/store.js";
import { LESSONS } from "./all.js";
import { createContents, createLesson } from "./lesson.js";
import { EVENTS, fromHash, hashOf } from "./state.js";

/** @type {LessonsState} */
const START = { ...FRAME, lesson: null, given: {} };

/** @param {LessonsState} state */
const asked = (state) => (state.lesson === null ? {} : LESSONS[state.lesson].questions(state.given, state.language));

/** @type {LessonsApp} */
const app = createPage({
  name: "lessons", start: START,
  events: EVENTS, undone: ["given"], subject: ({ lesson }) => lesson,
  questions: { answer: (state) => asked(state).answer ?? null, regions: (state) => asked(state).regions ?? null },
  kept: ["answer", "regions"],
  hashOf, fromHash,
  moved: (_, { lesson, given }) => app.send({ kind: "lesson_opened", lesson, given }),
  changed: (_, before) => { if (app.state.lesson !== before.lesson) app.data = {}; },
});

addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (!(event.ctrlKey || event.metaKey) || target.closest("input[type=text]")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) app.redo();
  else app.undo();
});

await app.begin([
  createHeader(app, part("toolbar"), {
    inputs: () => [app.state.lesson, app.history.past.length, app.history.future.length],
    contents: () => (app.state.lesson === null ? [] : [undoButtons(app)]),
  }),
  createContents(app, part("contents")), createLesson(app, part("lesson")),
]);
