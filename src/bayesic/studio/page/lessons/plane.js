// The plane of density and sugar: axes, melons, and a field of numbers over it.

import { s } from "../frame/dom.js";
import { say } from "../frame/words.js";

const [WIDTH, HEIGHT, LEFT, BELOW] = [480, 336, 34, 30];

const [X0, X1, Y0, Y1] = [0, 1, -0.1, 0.6]; // the limits of the grid of the server
const within = (value, least, most) => Math.min(most, Math.max(least, value));

/** Between data and picture. */
export const SCALE = {
  step: 0.01,
  /** @param {number[]} point */
  toPicture: ([x, y]) => [LEFT + (WIDTH * (x - X0)) / (X1 - X0), (HEIGHT * (Y1 - y)) / (Y1 - Y0)],
  toData: (x, y) => [within(X0 + ((x - LEFT) * (X1 - X0)) / WIDTH, X0, X1), within(Y1 - (y * (Y1 - Y0)) / HEIGHT, Y0, Y1)],
};

/** An empty plane: put what you draw into `layer`, in front of the field. @param {string} label */
export function createPlane(label) {
  const fields = ["good", "bad"].map((kind) => {
    const image = s("image", { x: LEFT, y: 0, width: WIDTH, height: HEIGHT, preserveAspectRatio: "none" });
    return { image, kind };
  });
  const melons = s("g", { class: "melons" });
  const layer = s("g", {});
  const svg = s("svg", { class: "plane", viewBox: `0 0 ${WIDTH + LEFT} ${HEIGHT + BELOW}`, role: "group", "aria-label": label },
    s("defs", {}, fields.map(({ image, kind }) => s("mask", { id: `field-${kind}`, maskUnits: "userSpaceOnUse", x: LEFT, y: 0, width: WIDTH, height: HEIGHT }, image))),
    fields.map(({ kind }) => s("rect", { class: `field ${kind}`, x: LEFT, y: 0, width: WIDTH, height: HEIGHT, mask: `url(#field-${kind})` })),
    s("rect", { class: "frame", x: LEFT, y: 0, width: WIDTH, height: HEIGHT }), axes(), melons, layer);
  return {
    svg, layer,
    /** Colour the plane: 1 is all good, 0 is all bad. @param {number[][]} shares row by row from below */
    fill(shares) { fields.forEach(({ image, kind }) => image.setAttribute("href", picture(shares, kind))); },
    /** @param {number[][]} rows density, sugar, class @param {(number: number) => string} [mark] a further class */
    melons(rows, mark = () => "") {
      melons.replaceChildren(...rows.map(([x, y, which], number) => {
        const [left, top] = SCALE.toPicture([x, y]);
        return s("circle", { class: `melon ${which === 0 ? "good" : "bad"} ${mark(number)}`, cx: left, cy: top, r: 4, "data-melon": number });
      }));
    },
  };
}

function axes() {
  const label = (x, y, text, anchor) => s("text", { x, y, "text-anchor": anchor }, text);
  return s("g", { class: "axes" },
    [0.2, 0.4, 0.6, 0.8].map((x) => label(SCALE.toPicture([x, 0])[0], HEIGHT + 14, x, "middle")),
    [0, 0.2, 0.4].map((y) => label(LEFT - 5, SCALE.toPicture([0, y])[1] + 4, y, "end")),
    label(LEFT + WIDTH, HEIGHT + 26, say("density"), "end"), label(LEFT + 4, 13, say("sugar"), "start"));
}

/** A field as a small picture: the more of this kind, the lighter (it is a mask). @param {number[][]} shares */
function picture(shares, kind) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [shares[0].length, shares.length];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = context.createImageData(canvas.width, canvas.height);
  shares.forEach((row, y) => row.forEach((share, x) => {
    const own = kind === "good" ? share : 1 - share;
    const light = 255 * Math.max(0, 2 * own - 1);
    image.data.set([light, light, light, 255], 4 * ((canvas.height - 1 - y) * canvas.width + x));
  }));
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

/**
 * The line where a field is 0, as an SVG path: the edges of each cell that it crosses, joined.
 * @param {number[][]} field row by row from below
 */
export function zeroLine(field) {
  const at = (x, y) => SCALE.toPicture([X0 + ((X1 - X0) * x) / (field[0].length - 1), Y0 + ((Y1 - Y0) * y) / (field.length - 1)]);
  const parts = [];
  for (let y = 0; y + 1 < field.length; y += 1) {
    for (let x = 0; x + 1 < field[0].length; x += 1) {
      const corners = [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]];
      const crossed = corners.flatMap((from, number) => crossing(field, from, corners[(number + 1) % 4])).map(([a, b]) => at(a, b));
      for (let pair = 0; pair + 1 < crossed.length; pair += 2) {
        parts.push(`M${crossed[pair].map(short).join(" ")}L${crossed[pair + 1].map(short).join(" ")}`);
      }
    }
  }
  return parts.join("");
}

/** @param {number[][]} field @param {number[]} from @param {number[]} to */
function crossing(field, from, to) {
  const [first, second] = [field[from[1]][from[0]], field[to[1]][to[0]]];
  if (first > 0 === second > 0) return [];
  const share = first / (first - second);
  return [[from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]];
}

const short = (value) => value.toFixed(2);
