// The middle of the desk: columns, rows or the nomogram, by tabs.

import { h, replace } from "../frame/dom.js";
import { say } from "../frame/words.js";
import { columnsView } from "./columns.js";
import { nomogramView } from "./nomogram.js";
import { rowsView } from "./rows.js";

const VIEWS = [columnsView, rowsView, nomogramView];

/** @param {TableApp} app */
export function createStage(app, tabs, place) {
  /** @type {any[]} */
  let drawn = [];
  place.id = "view";
  place.setAttribute("role", "tabpanel");
  place.setAttribute("tabindex", "0");
  return {
    render() {
      const { state, data } = app;
      const view = VIEWS.find(({ id }) => id === state.view) ?? columnsView;
      const inputs = [view, state.language, ...view.inputs(app)];
      if (drawn.length > 0 && inputs.length === drawn.length && inputs.every((value, number) => value === drawn[number])) return;
      if (drawn[0] !== view || drawn[1] !== state.language) {
        replace(tabs, VIEWS.map((one) => tab(app, one, one === view)));
        place.setAttribute("aria-labelledby", `tab-${view.id}`);
        place.scrollTop = 0;
      }
      drawn = inputs;
      replace(place, data.profile?.columns ? view.draw(app) : []);
    },
  };
}

/** @param {TableApp} app */
const tab = (app, view, isShown) => h("button", {
  type: "button", role: "tab", id: `tab-${view.id}`, "aria-selected": isShown, "aria-controls": "view",
  tabindex: isShown ? 0 : -1, "data-key": `tab ${view.id}`,
  onclick: () => app.send({ kind: "view_chosen", view: view.id }),
  onkeydown: (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const next = VIEWS[(VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length];
    app.send({ kind: "view_chosen", view: next.id });
    document.getElementById(`tab-${next.id}`)?.focus();
  },
}, view.title());
