// The line on top: what is open, undo, search, view, language, colours.

import { addVariable } from "./actions.js";
import { button, h, replace } from "./dom.js";
import { chooseFile } from "./files.js";
import { createSearch } from "./search.js";
import { loadWords, say } from "./words.js";

const THEMES = ["auto", "light", "dark"];

/** @param {App} app */
export function createToolbar(app, place) {
  const search = createSearch(app);
  app.parts.search = search;
  /** @type {any[]} */
  let drawn = [];
  return {
    render() {
      const { state, history } = app;
      const inputs = [state.document, state.language, state.theme, state.names, state.focus,
        history.past.length > 0, history.future.length > 0];
      if (drawn.length > 0 && inputs.every((value, number) => value === drawn[number])) return;
      drawn = inputs;
      search.translate();
      replace(place, contents(app, search.element));
    },
  };
}

/** @param {App} app */
function contents(app, search) {
  const { state, history } = app;
  const isOpen = state.document !== null;
  const next = THEMES[(THEMES.indexOf(state.theme) + 1) % THEMES.length];
  return [
    h("button", { type: "button", class: "brand plain", onclick: () => isOpen && app.send({ kind: "document_closed" }), title: say("start page"), "data-key": "brand" }, "bayesic"),
    isOpen && h("h1", { class: "title" }, state.document),
    isOpen && h("span", { class: "group" },
      button(say("undo"), () => app.undo(), { disabled: history.past.length === 0, title: "Ctrl+Z", "data-key": "undo" }),
      button(say("redo"), () => app.redo(), { disabled: history.future.length === 0, title: "Ctrl+Y", "data-key": "redo" })),
    isOpen && h("span", { class: "group" },
      button(say("+ variable"), () => addVariable(app), { title: "a" }),
      button(say("open"), () => chooseFile(app), { "data-key": "open" })),
    isOpen && search,
    isOpen && h("span", { class: "group" },
      button(say("fit"), () => app.parts.desk.fit(), { title: "f" }),
      button(say("names"), () => app.send({ kind: "names_shown", names: !state.names }), { "aria-pressed": state.names, title: "m" }),
      state.focus !== null && button(say("all variables"), () => app.send({ kind: "neighbourhood_shown", variable: null }), { "aria-pressed": "true" })),
    h("span", { class: "grow" }),
    h("span", { class: "group" },
      languageButton(app, "en", "EN", "English"), languageButton(app, "zh", "中", "中文")),
    button({ auto: "◐", light: "☼", dark: "☾" }[state.theme] ?? "◐", () => app.send({ kind: "theme_chosen", theme: next }),
      { "aria-label": say("colours: {0}", say(state.theme)), title: say("colours: {0}", say(state.theme)), "data-key": "theme" }),
    button("?", () => app.parts.help(), { "aria-label": say("Help"), "data-key": "help" }),
  ];
}

/** @param {App} app */
const languageButton = (app, language, text, name) =>
  button(text, async () => {
    await loadWords(language);
    app.send({ kind: "language_chosen", language });
  }, {
    "aria-pressed": app.state.language === language, title: name, lang: language, "data-key": `language ${language}`,
  });
