// The line on top of every desk: the ways to all other pages, language, colours, help.

import { button, h, replace } from "./dom.js";
import { placeOf } from "./server.js";
import { loadWords, say } from "./words.js";

const THEMES = ["auto", "light", "dark"];

// The desks, with the words on their tabs.
const DESKS = [
  ["network", "Network"],
  ["table", "Table"],
  ["text", "Text"],
  ["lessons", "Lessons"],
  ["models", "Models"],
];

/**
 * @param {PageApp<any>} app
 * @param {{inputs: () => any[], contents: () => any[]}} [own] what the desk has of its own in this line
 */
export function createHeader(app, place, own = { inputs: () => [], contents: () => [] }) {
  /** @type {any[]} */
  let drawn = [];
  return {
    render() {
      const inputs = [app.state.language, app.state.theme, ...own.inputs()];
      if (drawn.length > 0 && inputs.every((value, number) => value === drawn[number])) return;
      drawn = inputs;
      replace(place, [
        h("a", { class: "brand", href: "/", title: say("start page"), "data-key": "brand" }, "bayesic"),
        h("nav", { "aria-label": say("desks") }, DESKS.map(([name, title]) => h("a", {
          href: `/desk/${name}${sessionStorage.getItem(placeOf(name)) ?? ""}`, "aria-current": name === app.desk ? "page" : null, "data-key": `desk ${name}`,
        }, say(title)))),
        ...own.contents(), h("span", { class: "grow" }), ...everywhere(app),
      ]);
    },
  };
}

/** Undo and redo, where a desk has steps. @param {PageApp<any>} app */
export const undoButtons = (app) => h("span", { class: "group" },
  button(say("undo"), () => app.undo(), { disabled: app.history.past.length === 0, title: "Ctrl+Z", "data-key": "undo" }),
  button(say("redo"), () => app.redo(), { disabled: app.history.future.length === 0, title: "Ctrl+Y", "data-key": "redo" }));

/** @param {PageApp<any>} app */
function everywhere(app) {
  const { theme } = app.state;
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return [
    h("span", { class: "group" },
      languageButton(app, "en", "EN", "English"), languageButton(app, "zh", "中", "中文")),
    button({ auto: "◐", light: "☼", dark: "☾" }[theme] ?? "◐", () => app.send({ kind: "theme_chosen", theme: next }),
      { "aria-label": say("colours: {0}", say(theme)), title: say("colours: {0}", say(theme)), "data-key": "theme" }),
    app.parts.help && button("?", () => app.parts.help(), { "aria-label": say("Help"), "data-key": "help" }),
  ];
}

/** @param {PageApp<any>} app */
const languageButton = (app, language, text, name) =>
  button(text, async () => {
    await loadWords(language, app.desk);
    app.send({ kind: "language_chosen", language });
  }, {
    "aria-pressed": app.state.language === language, title: name, lang: language, "data-key": `language ${language}`,
  });
