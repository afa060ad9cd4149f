// Points in a picture that can be dragged, and moved by the arrow keys.

import { s } from "../frame/dom.js";
import { newGesture } from "./controls.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * A handle. `move` gets the place where it should be, in the units of the data.
 * @param {{toData: (x: number, y: number) => number[], toPicture: (point: number[]) => number[], step: number}} scale
 * @param {{label: string, kind: string, name: string}} what
 * @param {(point: number[]) => void} move
 */
export function handle(scale, { label, kind, name }, move) {
  let at = [0, 0];
  const shape = s("g", {
    class: `handle ${kind}`, tabindex: 0, role: "slider", "aria-label": label, "data-handle": name,
    onpointerdown: (event) => {
      shape.setPointerCapture(event.pointerId);
      event.preventDefault();
      shape.focus({ preventScroll: true });
      newGesture();
    },
    onpointermove: (event) => shape.hasPointerCapture(event.pointerId) && move(pointOf(event, shape.ownerSVGElement, scale)),
    onpointerup: newGesture,
    onkeydown: (event) => {
      const by = ARROWS[/** @type {keyof ARROWS} */ (event.key)];
      if (!by) return;
      event.preventDefault();
      const size = scale.step * (event.shiftKey ? 5 : 1);
      move([at[0] + by[0] * size, at[1] + by[1] * size]);
    },
    onblur: newGesture,
  }, s("circle", { class: "hit", r: 12 }), s("circle", { class: "dot", r: 6 }));
  return {
    element: shape,
    /** @param {number[]} point */
    place(point) {
      at = point;
      const [x, y] = scale.toPicture(point);
      shape.setAttribute("transform", `translate(${x} ${y})`);
      shape.setAttribute("aria-valuenow", point[0].toFixed(3));
      shape.setAttribute("aria-valuetext", point.map((one) => one.toFixed(3)).join(", "));
    },
  };
}

/** Where the pointer is, in the units of the data. */
export function pointOf(event, svg, scale) {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return scale.toData(place.x, place.y);
}
