// Keys: the same actions as in the menus, and walking among the cards.

import { at } from "../frame/maps.js";
import { ACTIONS, setShare } from "./actions.js";
import { edit } from "./editing.js";
import { placeOf } from "./pointer.js";

const ARROWS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);
const STEP = 60;
const NUDGE = 24;

/** The name of what was pressed: "n", "Ctrl+z". */
const pressed = (event) =>
  `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${event.shiftKey && event.key.length > 1 ? "Shift+" : ""}`
  + `${event.ctrlKey && event.shiftKey && event.key.length === 1 ? "Shift+" : ""}`
  + `${event.ctrlKey || event.metaKey ? event.key.toLowerCase() : event.key}`;

/** @param {App} app */
export function listenToKeys(app) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input, textarea, select, dialog, [role=menu]") || event.altKey) return;
    const place = placeOf(document.activeElement);
    if (app.state.document === null) return;
    if (event.key === "Escape") return escape(app);
    if (ARROWS.has(event.key) && onCanvas(target)) {
      event.preventDefault();
      arrow(app, event, place);
      return;
    }
    if ((event.key === "Enter" || event.key === " ") && !placeOf(target)) return; // a button's own key
    if ((event.key === "Enter" || event.key === " ") && place?.state === null) {
      event.preventDefault();
      const header = /** @type {any} */ (target);
      if (header.matches(".more")) app.send({ kind: "card_opened", variable: place.variable });
      else app.send({ kind: "variable_selected", variable: place.variable });
      return;
    }
    const name = pressed(event);
    const action = ACTIONS.find(({ keys }) => keys.includes(name));
    const at = place ?? (app.state.selected === null ? null : { variable: app.state.selected, state: null });
    if (!action || (action.on === "state" && at?.state == null) || (action.on === "variable" && !at)) return;
    event.preventDefault();
    action.run(app, at);
  });
}

const onCanvas = (target) => Boolean(target.closest("svg.canvas")) || target === document.body;

/** Leave the last mode that was entered. @param {App} app */
function escape(app) {
  const { likely, becoming, drawing, from, focus } = app.state;
  app.notice("");
  if (likely !== null) app.send({ kind: "likelihoods_begun", variable: null });
  else if (becoming !== null) app.send({ kind: "telling_begun", variable: null });
  else if (drawing !== null) app.send({ kind: "drawing_begun", list: null });
  else if (from !== null) app.send({ kind: "connections_asked", from: null });
  else if (focus !== null) app.send({ kind: "neighbourhood_shown", variable: null });
}

/** @param {App} app @param {{variable: string, state: number | null} | null} place */
function arrow(app, event, place) {
  const { desk } = app.parts;
  const [x, y] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key] ?? [0, 0];
  if (place && (event.ctrlKey || event.metaKey)) return move(app, place.variable, x, y);
  if (!place || event.shiftKey) return desk.canvas.pan(-x * STEP, -y * STEP);
  if ([app.state.likely, app.state.becoming].includes(place.variable) && place.state !== null && x !== 0) return weigh(app, place, x);
  const stops = desk.cards.stops(place.variable);
  const next = stops.indexOf(document.activeElement) + y;
  if (x === 0 && next >= 0 && next < stops.length) return desk.focus(place.variable, next === 0 ? null : next - 1);
  const neighbour = nearest(app, place.variable, x, y);
  if (neighbour === null) return;
  desk.canvas.show(desk.variable(neighbour));
  desk.cards.show(desk.canvas.seen(), app.state.names);
  desk.focus(neighbour, x !== 0 || y < 0 ? place.state : null);
}

/** Move a card a little. @param {App} app */
function move(app, name, x, y) {
  const variable = app.parts.desk.variable(name);
  return edit(app, { kind: "move", positions: { [name]: [variable.x + x * NUDGE, variable.y + y * NUDGE] } });
}

/** Raise or lower a likelihood or a belief by a twentieth. @param {App} app */
function weigh(app, { variable, state }, direction) {
  const { evidence, becoming } = app.state;
  const now = becoming === variable
    ? at(evidence.becomes, variable)?.[state] ?? at(app.data.bars?.probabilities, variable)?.[state] ?? 0
    : at(evidence.likelihoods, variable)?.[state] ?? 1;
  const value = Math.round(100 * Math.min(1, Math.max(0, now + 0.05 * direction))) / 100;
  setShare(app, variable, state, value);
}

/** The card next to another one in a direction. @param {App} app */
function nearest(app, name, x, y) {
  const { desk } = app.parts;
  const middle = (one) => [one.x + one.width / 2, one.y + one.height / 2];
  const [fromX, fromY] = middle(desk.variable(name));
  let best = null;
  let least = Infinity;
  for (const { variable } of desk.cards.all.values()) {
    const [toX, toY] = middle(variable);
    const along = (toX - fromX) * x + (toY - fromY) * y;
    const across = Math.abs((toX - fromX) * y) + Math.abs((toY - fromY) * x);
    const cost = along + 2 * across;
    if (along > 1 && along >= across / 2 && cost < least) [best, least] = [variable.name, cost];
  }
  return best;
}
