// The menu of a card, a state or an edge: the actions, with their keys beside.

import { ACTIONS } from "./actions.js";
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
