// The start page: what is open, and what can be.

import { listenToDrops } from "../frame/files.js";
import { createHeader } from "../frame/header.js";
import { createPage, noticeOfOthers, part } from "../frame/page.js";
import { FRAME } from "../frame/store.js";
import { openFiles } from "./opening.js";
import { createStart } from "./start.js";

const fields = new URLSearchParams(location.hash.slice(1));
if (fields.has("document")) location.replace(`/desk/network${location.hash}`);

/** @type {StartState} */
const START = { ...FRAME, cases: null };

/** @type {StartApp} */
const app = createPage({
  name: "start", start: START, undone: [],
  events: { cases_loaded: (_, { cases }) => ({ cases }) },
  questions: { documents: () => ({ path: "/documents" }), desks: () => ({ path: "/desks" }) }, kept: ["documents", "desks"],
  hashOf: ({ cases }) => (cases === null ? "" : `#${new URLSearchParams({ cases })}`),
  fromHash: (hash) => ({ cases: new URLSearchParams(hash.slice(1)).get("cases") }),
  moved: (_, { cases }) => (location.hash.includes("document=") ? location.reload() : app.send({ kind: "cases_loaded", cases })),
});
listenToDrops((files) => openFiles(app, files));
await app.begin([createHeader(app, part("toolbar")), createStart(app, part("start"))]);
app.notice(noticeOfOthers()); // now the page knows its language
