// All cards: those that are in view have their rows, unless there are too many to read.

import { replace } from "../frame/dom.js";
import { addRows, createCard, dropRows, paint } from "./card.js";

/**
 * @typedef {import("./card.js").Shown} Shown
 * @typedef {import("./card.js").Card} Card
 * @typedef {import("./canvas.js").Box} Box
 */

const MOST_ROWS_IN_VIEW = 1500;
const MOST_GLIDING = 64; // more bars than this change at once: each frame would be painted anew

export function createCards(layer) {
  /** @type {Map<string, Card>} */
  let cards = new Map();
  let nRows = 0;
  let open = new Set();
  /** @type {Shown | null} */
  let shown = null;

  /** @param {Card} card */
  function setRows(card, wanted) {
    if (wanted && !card.rows) addRows(card, open.has(card.variable.name));
    if (!wanted && card.rows) dropRows(card);
    if (card.isStale && shown) paint(card, shown);
  }

  return {
    get all() { return cards; },
    get: (name) => cards.get(name),
    /** @param {Network} network @param {(name: string) => boolean} isShown */
    draw(network, isShown, opened) {
      const focused = focusOf(layer);
      open = new Set(opened);
      cards = new Map(network.variables.filter(({ name }) => isShown(name))
        .map((variable) => [variable.name, createCard(variable)]));
      nRows = [...cards.values()].reduce((sum, { variable }) => sum + variable.states.length, 0);
      layer.classList.toggle("still", nRows > MOST_GLIDING);
      replace(layer, [...cards.values()].map((card) => card.group));
      return focused;
    },
    /** @param {Shown} next */
    update(next) {
      shown = next;
      for (const card of cards.values()) {
        paint(card, next);
      }
    },
    /** Give rows to what is in view. @param {Box} seen */
    show(seen, onlyNames) {
      const isSmall = nRows <= MOST_ROWS_IN_VIEW;
      const near = [...cards.values()].filter(({ variable }) => isSmall || overlap(variable, seen));
      const count = near.reduce((sum, { variable }) => sum + variable.states.length, 0);
      const withRows = !onlyNames && count <= MOST_ROWS_IN_VIEW;
      layer.classList.toggle("names-only", !withRows);
      const inView = new Set(near);
      for (const card of cards.values()) setRows(card, withRows && inView.has(card));
    },
    /** What can have the focus in a card, from top to bottom. */
    stops(name) {
      const card = cards.get(name);
      if (!card) return [];
      return [card.header, ...(card.body ? card.body.children : [])];
    },
  };
}

/** @param {Box} one @param {Box} other */
const overlap = (one, other) =>
  one.x < other.x + other.width && other.x < one.x + one.width
  && one.y < other.y + other.height && other.y < one.y + one.height;

/** The variable and state that have the focus. */
function focusOf(layer) {
  const focused = document.activeElement;
  if (!focused || !layer.contains(focused)) return null;
  return {
    variable: /** @type {any} */ (focused.closest(".card"))?.dataset.variable,
    state: focused.getAttribute("data-number"),
  };
}
