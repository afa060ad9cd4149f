// The table desk: columns, a target, a model that learns it, and why each row gets its answer.

import { listenToDrops } from "../frame/files.js";
import { createHeader } from "../frame/header.js";
import { at } from "../frame/maps.js";
import { createPage, part, toStart } from "../frame/page.js";
import { createPanel } from "../frame/panel.js";
import { openFiles } from "./files.js";
import { createFoot } from "./foot.js";
import { listenToKeys } from "./keys.js";
import { KEPT, QUESTIONS } from "./questions.js";
import { createRow } from "./row.js";
import { GROUPS } from "./sections.js";
import { createStage } from "./stage.js";
import { EVENTS, START, UNDONE } from "./state.js";
import { createStrip } from "./strip.js";
import { createToolbar } from "./toolbar.js";
import { fromHash, hashOf } from "./url.js";

const example = new URLSearchParams(location.hash.slice(1)).get("example");

/** @type {TableApp} */
const app = createPage({
  name: "table", start: START, events: EVENTS, undone: UNDONE,
  quiet: ["table_opened", "target_suggested", "model_followed", "model_lost", "view_chosen", "rows_turned"],
  subject: ({ table }) => table, questions: QUESTIONS, kept: KEPT, hashOf, fromHash,
  moved: (_, state) => (location.hash.includes("example=") ? location.reload() : app.send({ kind: "table_opened", ...state })),
  changed, received, pulse,
});
app.parts.help = async () => (await import("./help.js")).openHelp();
listenToKeys(app);
listenToDrops((files) => openFiles(app, files));
const parts = [
  createHeader(app, part("toolbar"), createToolbar(app)), createStrip(app, part("strip")),
  createStage(app, part("tabs"), part("view")), createRow(app, part("row")),
  createPanel(app, part("sections"), GROUPS, () => (app.data.profile?.columns ? app.data.profile : null)),
  createFoot(app, part("foot")),
];
if (app.state.table === null) await openAny();
await app.begin(parts);

/** Without a table in the address: the example it names, the one that was opened last, or the start page. */
async function openAny() {
  if (example !== null) {
    const answer = await app.server.ask("/tables", { body: { example } });
    if (app.server.isLocked) return undefined;
    if (answer.refused) return toStart(answer.refused);
    return app.send({ kind: "table_opened", ...answer });
  }
  const { tables = [] } = await app.server.ask("/tables");
  if (app.server.isLocked) return undefined;
  if (tables.length === 0) return toStart();
  return app.send({ kind: "table_opened", table: tables.at(-1).name });
}

/** @param {TableApp} _ @param {TableState} before */
function changed(_, before) {
  if (app.state.table !== before.table) app.data = { tables: app.data.tables };
}

/** @param {TableApp} _ */
function received(_, name, answer) {
  const { state } = app;
  if (name === "profile" && answer.refused && state.target === null) return toStart(answer.refused);
  if (name === "profile" && state.target === null && answer.columns) {
    const target = likelyTarget(answer.columns);
    if (target) app.send({ kind: "target_suggested", target });
  }
  if (name === "model" && answer.refused) {
    app.send({ kind: "model_lost" });
    app.refuse(answer.refused);
  } else if (name === "model" && answer.seq > state.seq) app.send({ kind: "model_followed", seq: answer.seq });
  if (name === "answer") app.waitFor();
}

/** The last column that has few values. */
function likelyTarget(columns) {
  const few = columns.filter(({ n_values: n, look, is_cut: isCut }) => n > 1 && n <= 50 && !look && !isCut);
  return (few.at(-1) ?? columns.at(-1))?.name;
}

/** Follow what other tabs do. @param {TableApp} _ */
function pulse(_, { models }) {
  const seq = at(models, app.state.learned ?? "");
  if (seq !== undefined && seq > app.state.seq) app.send({ kind: "model_followed", seq });
}
