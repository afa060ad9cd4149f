// The start page: what is open, and what can be.

import { listenToDrops } from "../frame/files.js";
import { createHeader } from "../frame/header.js";
import { createPage, noticeOfOthers, part } from "../frame/page.js";
import { FRAME } from "../frame/store.js";
import { openFiles } from "./opening.js";
import { createStart } from "./start.js";

const isNetwork = () => new URLSearchParams(location.hash.slice(1)).has("document");
if (isNetwork()) location.replace(`/desk/network${location.hash}`);

/** @type {StartState} */
const START = FRAME;

/** @type {StartApp} */
const app = createPage({
  name: "start", start: START, undone: [], events: {},
  questions: { documents: () => ({ path: "/documents" }), tables: () => ({ path: "/tables" }), desks: () => ({ path: "/desks" }) },
  kept: ["documents", "tables", "desks"],
  hashOf: () => "", fromHash: () => ({}), moved: () => isNetwork() && location.reload(),
});
listenToDrops((files) => openFiles(app, files));
await app.begin([createHeader(app, part("toolbar")), createStart(app, part("start"))]);
app.notice(noticeOfOthers()); // now the page knows its language
