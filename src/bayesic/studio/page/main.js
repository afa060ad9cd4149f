// The page: what is chosen (state), what was answered (data), and the parts that show them.

import { createDesk } from "./desk.js";
import { listenToDrops } from "./files.js";
import { createFoot } from "./foot.js";
import { listenToKeys } from "./keys.js";
import { createPanel } from "./panel.js";
import { createQuestions } from "./questions.js";
import { documentPath, keepToken, Server } from "./server.js";
import { createStart } from "./start.js";
import { createStore, START } from "./state.js";
import { createToolbar } from "./toolbar.js";
import { fromHash, hashOf } from "./url.js";
import { loadWords, say, speak } from "./words.js";

const KEPT = "bayesic studio"; // what is remembered in this browser: language and colours
const SLOW = 300; // milliseconds until the page says that it is waiting
const PULSE = 1000;

const part = (id) => /** @type {any} */ (document.getElementById(id));

keepToken();
const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
const spoken = navigator.language.startsWith("zh") ? "zh" : "en";
const store = createStore({ ...START, language: spoken, ...kept, ...fromHash(location.hash) }, changed);
let isAlive = true;

/** @type {App} */
const app = {
  get state() { return store.state; },
  get history() { return store.history; },
  data: {}, waiting: {},
  send: store.send, undo: store.undo, redo: store.redo,
  server: new Server(heard),
  again: (name) => questions.again(name),
  notice(sentence) { part("notice").textContent = sentence; },
  parts: { render, help: async () => (await import("./help.js")).openHelp() },
};

const questions = createQuestions(app, received);
const toolbar = createToolbar(app, part("toolbar"));
const desk = createDesk(app, part("canvas"), part("corner"));
app.parts.desk = desk;
const panel = createPanel(app, part("panel"));
const foot = createFoot(app, part("foot"));
const start = createStart(app, part("start"));
listenToKeys(app);
listenToDrops(app);

/** After every event. @param {State} before @param {PageEvent} event */
function changed(before, event) {
  const { state } = store;
  if (state.document !== before.document) app.data = {};
  if (["undone", "redone"].includes(event.kind) && state.version !== before.version && state.document !== null) {
    app.server.ask(`${documentPath(state.document)}/head`, { body: { version: state.version } }).catch(() => {});
  }
  if (state.language !== before.language) speak(state.language);
  if (state.language !== before.language || state.theme !== before.theme) {
    localStorage.setItem(KEPT, JSON.stringify({ language: state.language, theme: state.theme }));
  }
  if (event.kind !== "section_opened") app.notice("");
  clearTimeout(writing);
  writing = window.setTimeout(writeAddress, 100); // browsers take milliseconds for it
  questions.update();
  waitFor();
  render();
}

let writing = 0;
function writeAddress() {
  const hash = hashOf(store.state);
  if (hash !== location.hash) history.replaceState(null, "", hash);
}
addEventListener("pagehide", writeAddress);

let timer = 0;
/** Say that the answer takes its time, but not at once. */
function waitFor() {
  clearTimeout(timer);
  app.data.isSlow = false;
  if (app.waiting.answer) timer = window.setTimeout(() => { app.data.isSlow = true; render(); }, SLOW);
}

function received(name, answer, before) {
  if (name === "network" && answer.refused) {
    app.send({ kind: "document_closed" });
    app.notice(answer.refused);
    return;
  }
  if (name === "network" && (answer.version !== store.state.version || answer.version !== before?.version)) {
    questions.settle("network", { ...store.state, version: answer.version });
    app.send({ kind: "document_loaded", version: answer.version, variables: answer.variables });
  }
  if (name === "answer") {
    if (answer.probabilities) Object.assign(app.data, { ghost: app.data.bars, bars: answer });
    waitFor();
  }
  render();
}

function render() {
  const { state } = store;
  if (document.documentElement.dataset.theme !== state.theme) document.documentElement.dataset.theme = state.theme;
  const title = state.document === null ? "bayesic" : `${state.document} · bayesic`;
  if (document.title !== title) document.title = title;
  part("desk").hidden = state.document === null;
  [toolbar, start, desk, panel, foot].forEach((one) => one.render());
}

/** @param {boolean} alive whether the server has answered */
function heard(alive) {
  if (alive === isAlive) return;
  isAlive = alive;
  part("lost").textContent = alive ? "" : say("The server has stopped. Start it again with: bayesic studio");
  if (alive) questions.lost();
}

/** Follow what other tabs do, and notice when the server is gone. */
async function pulse() {
  if (document.hidden) return;
  try {
    const { documents } = await app.server.ask("/pulse");
    const { document: name, version } = store.state;
    if (name === null || version === null || app.waiting.network) return;
    const head = documents?.[name]?.head;
    if (head !== undefined && head !== version && head !== lastHead) app.send({ kind: "head_followed", version: head });
    lastHead = head;
  } catch { /* heard() has told it */ }
}
/** @type {number | undefined} */
let lastHead;
setInterval(pulse, PULSE);

addEventListener("hashchange", () => {
  if (hashOf(store.state) === location.hash) return;
  const { document: name, ...rest } = fromHash(location.hash);
  app.send({ kind: "document_opened", name, ...rest });
});

questions.update();
waitFor();
await loadWords(store.state.language);
speak(store.state.language);
render();
