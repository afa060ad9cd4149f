// What the network desk has in the line on top: what is open, undo, search, view.

import { button, h } from "../frame/dom.js";
import { chooseFile } from "../frame/files.js";
import { undoButtons } from "../frame/header.js";
import { say } from "../frame/words.js";
import { addVariable } from "./actions.js";
import { createSearch } from "./search.js";

/** @param {App} app */
export function createToolbar(app) {
  const search = createSearch(app);
  app.parts.search = search;
  return {
    inputs: () => {
      const { state, history } = app;
      return [state.document, state.names, state.focus, history.past.length > 0, history.future.length > 0];
    },
    contents: () => {
      search.translate();
      return app.state.document === null ? [] : contents(app, search.element);
    },
  };
}

/** @param {App} app */
const contents = (app, search) => [
  h("h1", { class: "title" }, app.state.document),
  undoButtons(app),
  h("span", { class: "group" },
    button(say("+ variable"), () => addVariable(app), { title: "a" }),
    button(say("open"), () => chooseFile(app.parts.openFiles), { "data-key": "open" })),
  search,
  h("span", { class: "group" },
    button(say("fit"), () => app.parts.desk.fit(), { title: "f" }),
    button(say("names"), () => app.send({ kind: "names_shown", names: !app.state.names }), { "aria-pressed": app.state.names, title: "m" }),
    app.state.focus !== null && button(say("all variables"), () => app.send({ kind: "neighbourhood_shown", variable: null }), { "aria-pressed": "true" })),
];
