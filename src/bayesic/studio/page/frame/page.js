// What every desk is made of: what is chosen (state), what was answered (data), and the parts that show them.

import { h, replace, setText } from "./dom.js";
import { createQuestions } from "./questions.js";
import { refusal } from "./refusals.js";
import { keepToken, keptToken, placeOf, Server, useToken } from "./server.js";
import { createStore } from "./store.js";
import { loadWords, say, speak } from "./words.js";

const KEPT = "bayesic studio"; // what is remembered in this browser: language and colours
const NOTICE = "bayesic notice";
const SLOW = 300; // milliseconds until the page says that it is waiting
const PULSE = 1000;

export const part = (id) => /** @type {any} */ (document.getElementById(id));

/** Go to the start page, which tells the library's sentence and, by its key and values, its own. @param {string[]} own */
export function toStart(sentence = "", ...own) {
  sessionStorage.setItem(NOTICE, JSON.stringify([sentence, ...own]));
  location.replace("/");
}

export const withTour = (hash, tour) => (tour ? `${hash || "#"}&tour=${tour}` : hash);

/** What another desk wanted to say, once. */
export function noticeOfOthers() {
  const [sentence, ...own] = JSON.parse(sessionStorage.getItem(NOTICE) ?? "[]");
  sessionStorage.removeItem(NOTICE);
  return sentence ? refusal(sentence, own.length > 0 ? say(.../** @type {[string]} */ (own)) : undefined) : "";
}

/**
 * The application of a desk. Make the parts that show it, and hand them to `begin`.
 * @template S
 * @param {PageDesk<S>} desk
 * @returns {PageApp<S>}
 */
export function createPage(desk) {
  keepToken();
  addEventListener("hashchange", () => keepToken() && location.reload()); // the printed address was put in place of this one
  const remembered = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  const spoken = navigator.language.startsWith("zh") ? "zh" : "en";
  const tour = new URLSearchParams(location.hash.slice(1)).get("tour");
  const store = createStore({ ...desk.start, language: spoken, ...remembered, ...desk.fromHash(location.hash), tour }, desk, changed);
  let isAlive = true;
  /** @type {{render: () => void}[]} */
  let parts = [];

  const voice = h("p", { class: "spoken", role: "status" });
  document.body.append(voice);

  /** @type {PageApp<any>} */
  const app = {
    desk: desk.name,
    get state() { return store.state; },
    get history() { return store.history; },
    data: {}, waiting: {},
    send: store.send, undo: store.undo, redo: store.redo,
    server: new Server(heard, askForToken),
    again: (name) => questions.again(name),
    settle: (name, state) => questions.settle(name, state),
    announce(sentence) { setText(voice, sentence); },
    notice(sentence, isNews = false) {
      part("notice").classList.toggle("news", isNews);
      replace(part("notice"), sentence);
    },
    refuse(sentence, own) { app.notice(refusal(sentence, own)); },
    render, waitFor, begin,
    parts: {},
  };
  const questions = createQuestions(app, desk, (name, answer, before) => {
    desk.received?.(app, name, answer, before);
    render();
  });

  /** After every event. @param {any} before @param {PageEvent} event */
  function changed(before, event) {
    const { state } = app;
    desk.changed?.(app, before, event);
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
  let known = location.hash; // another one is a link that was clicked: its event is still to come
  function writeAddress() {
    if (app.server.isLocked) return; // it says what to show once there is a token
    if (location.hash === known && address() !== known) history.replaceState(null, "", address() || location.pathname);
    if (address() === location.hash) known = location.hash;
    sessionStorage.setItem(placeOf(desk.name), desk.hashOf(app.state)); // for those who come back
  }
  const address = () => withTour(desk.hashOf(app.state), app.state.tour);
  addEventListener("pagehide", writeAddress);

  let timer = 0;
  /** Say that the answer takes its time, but not at once. */
  function waitFor() {
    clearTimeout(timer);
    app.data.isSlow = false;
    if (app.waiting.answer) timer = window.setTimeout(() => { app.data.isSlow = true; render(); }, SLOW);
  }

  function render() {
    const { state } = app;
    if (document.documentElement.dataset.theme !== state.theme) document.documentElement.dataset.theme = state.theme;
    const subject = desk.subject?.(state) ?? null;
    const title = subject === null ? "bayesic" : `${subject} · bayesic`;
    if (document.title !== title) document.title = title;
    parts.forEach((one) => one.render());
  }

  /** @param {boolean} alive whether the server has answered */
  function heard(alive) {
    if (alive === isAlive) return;
    isAlive = alive;
    part("lost").textContent = alive ? "" : say("The server has stopped. Start it again with: bayesic studio");
    if (alive) questions.lost();
  }

  /** The server wants a token, and knows none that came. */
  async function askForToken() {
    const [{ askText }] = await Promise.all([import("./dialogs.js"), loadWords(app.state.language, desk.name)]);
    speak(app.state.language);
    const way = say("Open the address that the command “bayesic studio” has printed: it ends with the token.");
    part("lost").textContent = `${say("This studio needs a token.")} ${way}`;
    const unknown = keptToken() === null ? [] : [say("The token that this browser has is not known here: was the studio started again?")];
    askText(say("This studio needs a token."), "", async (token) => {
      useToken(token);
      location.reload();
      return null;
    }, [...unknown, `${way} ${say("You can also paste it here.")}`]);
  }

  /** Notice when the server is gone, and what other tabs do. */
  async function pulse() {
    if (document.hidden || app.server.isLocked) return;
    try {
      const answer = await app.server.ask("/pulse");
      desk.pulse?.(app, answer);
    } catch { /* heard() has told it */ }
  }

  /** @param {{render: () => void}[]} shown */
  async function begin(shown) {
    setInterval(pulse, PULSE);
    addEventListener("hashchange", () => {
      known = location.hash;
      if (address() !== location.hash) desk.moved(app, desk.fromHash(location.hash));
    });
    questions.update();
    waitFor();
    await loadWords(app.state.language, desk.name);
    speak(app.state.language);
    parts = tour ? [...shown, (await import("./tour.js")).createTour(app)] : shown; // not before the words are there
    render();
  }
  return app;
}
