// Keys: undo, the row before and after, the views, learn.

import { learn } from "./learning.js";

const VIEWS = { 1: "columns", 2: "rows", 3: "nomogram" };

/** @param {TableApp} app */
export function listenToKeys(app) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    const { key } = event;
    if (target.closest("input:not([type=radio]), textarea, select, dialog, [role=menu]") || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (key.toLowerCase() === "z" && !event.shiftKey) app.undo();
      else if (key.toLowerCase() === "y" || (key.toLowerCase() === "z" && event.shiftKey)) app.redo();
      else return;
      event.preventDefault();
      return;
    }
    if (Object.hasOwn(VIEWS, key)) app.send({ kind: "view_chosen", view: VIEWS[/** @type {1} */ (Number(key))] });
    else if (key === "l") learn(app);
    else if (key === "j" || key === "k") step(app, key === "j" ? 1 : -1);
    else if (key === "?") app.parts.help();
  });
}

/** Explain the row after or before. @param {TableApp} app */
function step(app, by) {
  const numbers = (app.data.rows?.rows ?? []).map(({ number }) => number);
  if (numbers.length === 0) return;
  const place = numbers.indexOf(app.state.row);
  const next = place < 0 ? 0 : Math.max(0, Math.min(numbers.length - 1, place + by));
  app.send({ kind: "row_chosen", row: numbers[next] });
}
