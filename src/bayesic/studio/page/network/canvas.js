// The canvas: pan, zoom, fit. It knows rectangles, not networks.

import { s } from "../frame/dom.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

const SMALLEST = 0.02;
const LARGEST = 4;
const MARGIN = 24;

/** @param {() => void} moved called after the view has changed */
export function createCanvas(svg, moved) {
  const world = s("g", { class: "world" });
  svg.append(world);
  let view = { x: 0, y: 0, scale: 1 };
  let waiting = false;
  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  let wasDragged = false;

  function apply() {
    if (svg.hasAttribute("viewBox")) return; // on paper
    world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; moved(); });
  }

  /** @param {{x: number, y: number}} at in pixels of the canvas */
  function zoom(factor, at) {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor));
    const ratio = scale / view.scale;
    view = { x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio, scale };
    apply();
  }

  /** @type {{width: number, height: number} | null} */
  let known = null; // asking for it makes the browser lay out the page
  const size = () => (known ??= { width: svg.clientWidth || 1, height: svg.clientHeight || 1 });
  new ResizeObserver(() => { known = null; apply(); }).observe(svg);

  const canvas = {
    svg, world,
    get scale() { return view.scale; },
    seen() {
      const { width, height } = size();
      return { x: -view.x / view.scale, y: -view.y / view.scale, width: width / view.scale, height: height / view.scale };
    },
    pan(x, y) { view = { ...view, x: view.x + x, y: view.y + y }; apply(); },
    zoomBy(factor) { const { width, height } = size(); zoom(factor, { x: width / 2, y: height / 2 }); },
    /** Show all of a box. @param {Box} box */
    fit(box) {
      known = null;
      const { width, height } = size();
      const scale = Math.min(1.25, LARGEST,
        (width - 2 * MARGIN) / Math.max(1, box.width), (height - 2 * MARGIN) / Math.max(1, box.height));
      view = {
        scale: Math.max(SMALLEST, scale),
        x: (width - box.width * scale) / 2 - box.x * scale,
        y: Math.max(MARGIN, (height - box.height * scale) / 2) - box.y * scale,
      };
      apply();
    },
    /** Let paper of any size show all of a box; null: back to the window. @param {Box | null} box */
    print(box) {
      if (!box) {
        svg.removeAttribute("viewBox");
        return apply();
      }
      svg.setAttribute("viewBox", `${box.x - 8} ${box.y - 8} ${box.width + 16} ${box.height + 16}`);
      return world.removeAttribute("transform");
    },
    /** Bring a box into view, without a jump if it is there. @param {Box} box */
    show(box, always = false) {
      const seen = canvas.seen();
      const isThere = box.x >= seen.x && box.y >= seen.y
        && box.x + box.width <= seen.x + seen.width && box.y + box.height <= seen.y + seen.height;
      if (isThere && !always) return;
      const { width, height } = size();
      const scale = always ? Math.max(view.scale, 0.8) : view.scale;
      view = {
        scale,
        x: width / 2 - (box.x + box.width / 2) * scale,
        y: height / 2 - (box.y + box.height / 2) * scale,
      };
      apply();
    },
    /** Where an event is, in the units of the world. */
    place(event) {
      const edge = svg.getBoundingClientRect();
      return { x: (event.clientX - edge.left - view.x) / view.scale, y: (event.clientY - edge.top - view.y) / view.scale };
    },
    /** Whether the last press became a drag: then it was no click. */
    get wasDragged() { return wasDragged; },
  };

  /** @param {PointerEvent | WheelEvent} event */
  const local = (event) => {
    const edge = svg.getBoundingClientRect();
    return { x: event.clientX - edge.left, y: event.clientY - edge.top };
  };

  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (event.shiftKey) canvas.pan(-event.deltaY, 0);
    else zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), local(event));
  }, { passive: false });

  svg.addEventListener("pointerdown", (event) => {
    if (event.defaultPrevented || (event.button !== 0 && event.button !== 1)) return;
    pointers.set(event.pointerId, local(event));
    wasDragged = false;
  });
  svg.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = local(event);
    const moves = Math.hypot(now.x - before.x, now.y - before.y);
    if (!wasDragged && moves < 4) return;
    if (!wasDragged) svg.setPointerCapture(event.pointerId);
    wasDragged = true;
    const others = [...pointers].filter(([id]) => id !== event.pointerId);
    pointers.set(event.pointerId, now);
    if (others.length === 0) canvas.pan(now.x - before.x, now.y - before.y);
    else {
      const other = others[0][1];
      const reach = (point) => Math.hypot(point.x - other.x, point.y - other.y);
      zoom(reach(now) / Math.max(1, reach(before)), other);
    }
  });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
    svg.addEventListener(end, (event) => pointers.delete(event.pointerId));
  }
  return canvas;
}
