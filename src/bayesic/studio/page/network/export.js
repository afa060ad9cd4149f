// The network as a picture: what is on the canvas, with its colours written into it.

import { boundsOf } from "./desk.js";
import { s } from "../frame/dom.js";

const WRITTEN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "font-family", "opacity", "text-anchor", "text-decoration-line"];
const MARGIN = 16;

/** @param {App} app */
function copied({ data, parts }) {
  const { world, svg } = parts.desk.canvas;
  const variables = data.network.variables.filter(({ name }) => parts.desk.cards.get(name));
  const { x, y, width, height } = boundsOf(variables);
  const copy = world.cloneNode(true);
  copy.removeAttribute("transform");
  const originals = world.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, number) => {
    const style = getComputedStyle(originals[number]);
    if (style.display === "none" || style.visibility === "hidden") element.setAttribute("display", "none");
    for (const name of WRITTEN) {
      const value = style.getPropertyValue(name);
      if (value) element.setAttribute(name === "text-decoration-line" ? "text-decoration" : name, value);
    }
    for (const name of ["class", "tabindex", "role", "aria-pressed"]) element.removeAttribute(name);
  });
  const heads = svg.querySelector("defs").cloneNode(true);
  heads.querySelectorAll("path").forEach((path, number) =>
    path.setAttribute("fill", getComputedStyle(svg.querySelectorAll("defs path")[number]).fill));
  const box = { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
  const made = s("svg", {
    xmlns: "http://www.w3.org/2000/svg", width: box.width, height: box.height, viewBox: `${box.x} ${box.y} ${box.width} ${box.height}`,
  }, heads, s("rect", { ...box, fill: getComputedStyle(document.body).backgroundColor }), copy);
  return { svg: made, width: box.width, height: box.height };
}

/** @param {App} app */
export const pictureOf = (app) =>
  new Blob([new XMLSerializer().serializeToString(copied(app).svg)], { type: "image/svg+xml" });

/** @param {App} app */
export async function pngOf(app) {
  const { width, height } = copied(app);
  const scale = Math.min(2, 16_000 / width, 16_000 / height);
  const address = URL.createObjectURL(pictureOf(app));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}
