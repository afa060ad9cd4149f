// A part of the desk that is drawn anew only when one of its inputs has changed.

import { replace } from "../frame/dom.js";

/**
 * @typedef {object} View
 * @property {string} id   of its place
 * @property {(app: ModelsApp) => any[]} inputs
 * @property {(app: ModelsApp) => any[]} draw
 */

/** @param {ModelsApp} app @param {View} view */
export function createView(app, place, view) {
  /** @type {any[] | null} */
  let drawn = null;
  return {
    render() {
      const inputs = [...view.inputs(app), app.state.language];
      const before = drawn;
      if (before && inputs.every((value, number) => value === before[number])) return;
      drawn = inputs;
      replace(place, view.draw(app));
    },
  };
}
