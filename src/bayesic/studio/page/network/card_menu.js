// The menu of a card, a state or an edge: the actions, with their keys beside.

import { ACTIONS } from "./actions.js";
import { edit } from "./editing.js";
import { showMenu } from "../frame/menu.js";
import { say } from "../frame/words.js";

/**
 * @param {App} app
 * @param {{variable: string, state: number | null}} place
 * @param {{x: number, y: number}} at in the window
 */
export function openMenu(app, place, at) {
  const actions = ACTIONS.filter(({ on }) => on === "variable" || (on === "state" && place.state !== null));
  showMenu(actions.map((action) => ({
    title: say(action.title), key: action.keys[0], run: () => action.run(app, place),
  })), at, place.variable);
}

/** @param {App} app @param {{from: string, to: string}} edge @param {{x: number, y: number}} at in the window */
export function openEdgeMenu(app, { from, to }, at) {
  const items = [
    { title: say("Delete this edge"), run: () => edit(app, { kind: "delete_edge", from, to }) },
    { title: say("Forbid this edge when learning"), run: () => app.send({ kind: "constraint_drawn", list: "forbidden", edge: [from, to] }) },
    { title: say("Require this edge when learning"), run: () => app.send({ kind: "constraint_drawn", list: "demanded", edge: [from, to] }) },
  ];
  showMenu(items, at, `${from} → ${to}`);
}
