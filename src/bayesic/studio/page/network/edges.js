// Edges: a line for each, from the card of the parent to the card of the child.

import { s, replace } from "../frame/dom.js";

/**
 * @typedef {[number, number, number][]} EdgeRoute
 */

/** The route of an edge as a path: straight down at each place, a curve to the next one. @param {EdgeRoute} route */
export function pathOf(route) {
  const down = (from, to) => (from === to ? "" : `V${to}`); // a line of no length would turn the arrow
  const parts = [`M${route[0][0]} ${route[0][1]}${down(route[0][1], route[0][2])}`];
  for (let place = 1; place < route.length; place += 1) {
    const [x, , bottom] = route[place - 1];
    const [nextX, top, end] = route[place];
    const middle = (bottom + top) / 2;
    parts.push(`C${x} ${middle} ${nextX} ${middle} ${nextX} ${top}${down(top, end)}`);
  }
  return parts.join("");
}

/**
 * The straightest route between two cards, while one is being moved.
 * @param {Variable} from @param {Variable} to @returns {EdgeRoute}
 */
export function straightRoute(from, to) {
  const start = from.x + from.width / 2;
  const end = to.x + to.width / 2;
  return [[start, from.y + from.height, from.y + from.height], [end, to.y, to.y]];
}

export const edgeKey = (from, to) => JSON.stringify([from, to]);

export function createEdges(layer) {
  /** @type {Map<string, SVGElement>} */
  let lines = new Map();

  return {
    /** @param {Network} network @param {(name: string) => boolean} isShown */
    draw(network, isShown) {
      lines = new Map();
      for (const { from, to, route } of network.edges) {
        if (!isShown(from) || !isShown(to)) continue;
        const line = s("path", { class: "edge", d: pathOf(route), "marker-end": "url(#arrow)" });
        line.dataset.from = from;
        line.dataset.to = to;
        lines.set(edgeKey(from, to), line);
      }
      replace(layer, [...lines.values()]);
    },
    /** While a card is being moved. @param {Network} network @param {Variable} moved */
    follow(network, moved) {
      const variables = new Map(network.variables.map((variable) => [variable.name, variable]));
      variables.set(moved.name, moved);
      for (const { from, to } of network.edges) {
        if (from !== moved.name && to !== moved.name) continue;
        const parent = /** @type {Variable} */ (variables.get(from));
        const child = /** @type {Variable} */ (variables.get(to));
        lines.get(edgeKey(from, to))?.setAttribute("d", pathOf(straightRoute(parent, child)));
      }
    },
    /** Mark the edges along a path, in either direction. */
    mark(path) {
      const marked = new Set();
      for (let place = 1; path && place < path.length; place += 1) {
        marked.add(edgeKey(path[place - 1], path[place]));
        marked.add(edgeKey(path[place], path[place - 1]));
      }
      for (const [key, line] of lines) line.classList.toggle("on-path", marked.has(key));
    },
  };
}

/** The heads of arrows, once for the canvas. */
export const arrowHeads = () =>
  s("defs", {}, ["arrow", "arrow-new"].map((id) =>
    s("marker", {
      id, class: id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse",
    }, s("path", { d: "M0 0.5L8 4L0 7.5Z" }))));
