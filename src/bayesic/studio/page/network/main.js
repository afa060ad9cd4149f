// The network desk: cards with bars, evidence, questions, edits.

import { listenToDrops } from "../frame/files.js";
import { createHeader } from "../frame/header.js";
import { at } from "../frame/maps.js";
import { createPage, part, toStart } from "../frame/page.js";
import { createPanel } from "../frame/panel.js";
import { documentPath } from "../frame/server.js";
import { createDesk } from "./desk.js";
import { createFoot } from "./foot.js";
import { listenToKeys } from "./keys.js";
import { KEPT, QUESTIONS } from "./questions.js";
import { GROUPS } from "./sections.js";
import { createSpoken } from "./spoken.js";
import { EVENTS, START, UNDONE } from "./state.js";
import { createToolbar } from "./toolbar.js";
import { fromHash, hashOf } from "./url.js";

/** @type {App} */
const app = createPage({
  name: "network", start: START, events: EVENTS, undone: UNDONE, quiet: ["head_followed"],
  subject: ({ document: name }) => name, questions: QUESTIONS, kept: KEPT, hashOf, fromHash,
  moved: (_, { document: name, ...rest }) => app.send({ kind: "document_opened", name, ...rest }),
  changed, received, pulse,
});
app.parts.help = async () => (await import("./help.js")).openHelp();
app.parts.desk = createDesk(app, part("canvas"), part("corner"));
listenToKeys(app);
app.parts.openFiles = async (files) => (await import("./files.js")).openFiles(app, files);
listenToDrops(app.parts.openFiles);
const parts = [
  createHeader(app, part("toolbar"), createToolbar(app)), app.parts.desk,
  createPanel(app, part("panel"), GROUPS, () => (app.data.network?.variables ? app.data.network : null)),
  createFoot(app, part("foot")), createSpoken(app),
];
if (app.state.document === null) await openAny();
await app.begin(parts);

/** Without a document in the address: the one that was opened last, or the start page. */
async function openAny() {
  const { documents = [] } = await app.server.ask("/documents");
  if (app.server.isLocked) return undefined;
  if (documents.length === 0) return toStart();
  return app.send({ kind: "document_opened", name: documents.at(-1).name, cases: app.state.cases });
}

/** @param {App} _ @param {State} before @param {PageEvent} event */
function changed(_, before, event) {
  const { state } = app;
  if (state.document !== before.document) app.data = {};
  if (["undone", "redone"].includes(event.kind) && state.version !== before.version && state.document !== null) {
    app.server.ask(`${documentPath(state.document)}/head`, { body: { version: state.version } }).catch(() => {});
  }
}

/** @param {App} _ */
function received(_, name, answer, before) {
  if (name === "network" && answer.refused) return toStart(answer.refused, "{0} is not open.", app.state.document ?? "");
  if (name === "network" && (answer.version !== app.state.version || answer.version !== before?.version)) {
    app.settle("network", { ...app.state, version: answer.version });
    app.send({ kind: "document_loaded", version: answer.version, variables: answer.variables, amends: true });
  }
  if (name === "answer") {
    if (answer.probabilities) Object.assign(app.data, { ghost: app.data.bars, bars: answer });
    app.waitFor();
  }
}

/** @type {number | undefined} */
let lastHead;
/** Follow what other tabs do. @param {App} _ */
function pulse(_, { documents }) {
  const { document: name, version } = app.state;
  if (name === null || version === null || app.waiting.network) return;
  const head = at(documents, name)?.head;
  if (head !== undefined && head !== version && head !== lastHead) app.send({ kind: "head_followed", version: head });
  lastHead = head;
}
