// The minimap: all cards as small boxes, and what is in view. Only where a network is larger than the window.

import { s } from "../frame/dom.js";

const WIDTH = 160;
const HEIGHT = 110;

export function createMinimap(corner, canvas) {
  const boxes = s("path", { class: "boxes" });
  const frame = s("rect", { class: "frame" });
  const svg = s("svg", { class: "minimap", "aria-hidden": "true", width: WIDTH, height: HEIGHT, preserveAspectRatio: "none" }, boxes, frame);
  corner.append(svg);
  let bounds = { x: 0, y: 0, width: 1, height: 1 };

  function jump(event) {
    if (event.buttons === 0) return;
    const edge = svg.getBoundingClientRect();
    const seen = canvas.seen();
    const x = bounds.x + ((event.clientX - edge.left) / edge.width) * bounds.width;
    const y = bounds.y + ((event.clientY - edge.top) / edge.height) * bounds.height;
    canvas.pan((seen.x + seen.width / 2 - x) * canvas.scale, (seen.y + seen.height / 2 - y) * canvas.scale);
  }
  svg.addEventListener("pointerdown", jump);
  svg.addEventListener("pointermove", jump);

  return {
    /** @param {Variable[]} variables */
    draw(variables) {
      const right = Math.max(1, ...variables.map(({ x, width }) => x + width));
      const bottom = Math.max(1, ...variables.map(({ y, height }) => y + height));
      const left = Math.min(right, ...variables.map(({ x }) => x));
      const top = Math.min(bottom, ...variables.map(({ y }) => y));
      bounds = { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
      svg.setAttribute("viewBox", `${bounds.x} ${bounds.y} ${bounds.width} ${bounds.height}`);
      boxes.setAttribute("d", variables.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`).join(""));
    },
    move() {
      const seen = canvas.seen();
      const isWhole = seen.width >= bounds.width && seen.height >= bounds.height;
      svg.classList.toggle("hidden", isWhole);
      for (const side of /** @type {const} */ (["x", "y", "width", "height"])) frame.setAttribute(side, String(seen[side]));
    },
  };
}
