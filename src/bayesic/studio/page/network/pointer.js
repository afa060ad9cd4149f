// Mouse and fingers on the canvas: clicks, moving cards, drawing edges, dragging likelihoods.

import { addVariable, clickState, setShare } from "./actions.js";
import { barRange } from "./card.js";
import { s } from "../frame/dom.js";
import { closesCycle, edit } from "./editing.js";
import { say } from "../frame/words.js";

/**
 * @typedef {{move: (event: PointerEvent) => void, end: (event: PointerEvent) => void}} Gesture
 */

let gestures = 0;
const menus = () => import("./card_menu.js"); // fetched when one is opened first

/**
 * Listen on the canvas. Comes before the canvas's own listeners, so that what is done here is no pan.
 * @param {App} app
 */
export function listenToPointer(app, svg, desk) {
  /** @type {Gesture | null} */
  let gesture = null;

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || gesture) return;
    gesture = begun(app, desk, event);
    if (!gesture) return;
    event.stopImmediatePropagation();
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => gesture?.move(event));
  svg.addEventListener("pointerup", (event) => { gesture?.end(event); gesture = null; });
  svg.addEventListener("pointercancel", () => { gesture = null; desk.redraw(); });

  svg.addEventListener("click", (event) => clicked(app, desk, event));
  svg.addEventListener("dblclick", (event) => {
    if (!(/** @type {Element} */ (event.target).closest(".card, .edge"))) addVariable(app, desk.canvas.place(event));
  });
  svg.addEventListener("contextmenu", (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    event.preventDefault();
    const box = /** @type {Element} */ (event.target).getBoundingClientRect();
    const byKey = event.clientX === 0 && event.clientY === 0;
    const at = byKey ? { x: box.left, y: box.bottom } : { x: event.clientX, y: event.clientY };
    menus().then(({ openMenu }) => openMenu(app, place, at));
  });
}

/** The variable, and the state if there is one, under an element. */
export function placeOf(target) {
  const card = target?.closest?.(".card");
  if (!card) return null;
  const row = target.closest(".state");
  return { variable: card.dataset.variable, state: row ? Number(row.dataset.number) : null };
}

/** @param {App} app */
function clicked(app, desk, event) {
  if (desk.canvas.wasDragged || desk.wasDragged) return;
  const target = /** @type {any} */ (event.target);
  const place = placeOf(target);
  const at = { x: event.clientX, y: event.clientY };
  if (!place) {
    const edge = target.closest(".edge");
    if (edge) menus().then(({ openEdgeMenu }) => openEdgeMenu(app, edge.dataset, at));
    else if (app.state.selected !== null) app.send({ kind: "variable_selected", variable: null });
  } else if (target.closest(".more")) app.send({ kind: "card_opened", variable: place.variable });
  else if (target.closest(".menu-mark")) menus().then(({ openMenu }) => openMenu(app, place, at));
  else if (place.state === null) app.send({ kind: "variable_selected", variable: place.variable });
  else if (![app.state.likely, app.state.becoming].includes(place.variable)) clickState(app, /** @type {any} */ (place), event);
}

/** The gesture that a press begins, if any. @param {App} app */
function begun(app, desk, event) {
  const target = /** @type {Element} */ (event.target);
  const place = placeOf(target);
  desk.wasDragged = false;
  if (!place) return null;
  const variable = desk.variable(place.variable);
  if (target.closest(".port")) return connecting(app, desk, variable);
  if (place.state !== null && [app.state.likely, app.state.becoming].includes(place.variable)) return weighing(app, desk, variable, place.state);
  if (target.closest(".menu-mark") || place.state !== null || target.closest(".more")) return null;
  return moving(app, desk, variable, event);
}

/** Dragging a card. @param {App} app @param {Variable} variable */
function moving(app, desk, variable, start) {
  const origin = desk.canvas.place(start);
  let moved = variable;
  return {
    move(event) {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < 4 && !desk.wasDragged) return;
      desk.wasDragged = true;
      const now = desk.canvas.place(event);
      moved = { ...variable, x: variable.x + now.x - origin.x, y: variable.y + now.y - origin.y };
      desk.place(moved);
    },
    async end() {
      if (!desk.wasDragged) {
        // the canvas has the pointer, so that the click goes there and not to the card
        app.send({ kind: "variable_selected", variable: variable.name });
        desk.wasDragged = true;
        return;
      }
      const positions = { [variable.name]: [moved.x, moved.y] };
      if (await edit(app, { kind: "move", positions }) !== null) desk.redraw();
    },
  };
}

/** Drawing an edge from the port of a card. @param {App} app @param {Variable} from */
function connecting(app, desk, from) {
  const start = { x: from.x + from.width / 2, y: from.y + from.height };
  const line = s("path", { class: "new-edge", "marker-end": "url(#arrow-new)" });
  desk.canvas.world.append(line);
  const { drawing } = app.state;
  const under = (event) =>
    placeOf(document.elementFromPoint(event.clientX, event.clientY))?.variable ?? null;
  const isRefused = (to) =>
    to !== null && (drawing === null ? closesCycle(app, from.name, to) : to === from.name);
  desk.wasDragged = true;
  return {
    move(event) {
      const end = desk.canvas.place(event);
      line.setAttribute("d", `M${start.x} ${start.y}L${end.x} ${end.y}`);
      const to = under(event);
      const refused = isRefused(to);
      line.setAttribute("class", `new-edge ${refused ? "refused" : ""} ${drawing ?? ""}`);
      app.notice(refused && to !== from.name ? say("An edge from {0} to {1} would close a cycle.", from.name, to ?? "") : "");
    },
    end(event) {
      const to = under(event);
      line.remove();
      if (to === null || to === from.name) return;
      if (drawing !== null) app.send({ kind: "constraint_drawn", list: drawing, edge: [from.name, to] });
      else edit(app, { kind: "add_edge", from: from.name, to });
    },
  };
}

/** Dragging the likelihood of a state, or what the belief in it becomes. @param {App} app @param {Variable} variable */
function weighing(app, desk, variable, state) {
  const { from, length } = barRange(variable.width);
  const gesture = (gestures += 1);
  desk.wasDragged = true;
  const move = (event) => {
    const share = (desk.canvas.place(event).x - variable.x - from) / length;
    const value = Math.round(100 * Math.min(1, Math.max(0, share))) / 100;
    setShare(app, variable.name, state, value, gesture);
  };
  return { move, end: move };
}
