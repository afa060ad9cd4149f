// k nearest neighbours: move a point, and choose how many to ask.

import { h, replace, s } from "../frame/dom.js";
import { digits, percent, say } from "../frame/words.js";
import { bar, give, newGesture, slider } from "./controls.js";
import { pointIn } from "./gaussians.js";
import { prose } from "./lesson.js";
import { formula, fraction, number, P, sub } from "./mathml.js";
import { createPlane, SCALE } from "./plane.js";
import { handle, pointOf } from "./svg_drag.js";

/** @type {Lesson} */
export const neighbours = {
  name: "neighbours",
  title: () => say("Nearest neighbours"),
  about: () => say("Move a point, choose k: who is asked, and what they say."),
  start: { k: "3", at: "0.5,0.2" },
  questions: ({ k, at }) => ({
    answer: { path: "/lessons/neighbours", body: { k: Number(k), point: pointIn(at) } },
    regions: { path: "/lessons/regions", body: { k: Number(k) } },
  }),
  create(app) {
    const k = slider(app, "k", { label: say("k, how many are asked"), min: 1, max: 17, step: 1 });
    const plane = createPlane(say("melons, and the regions of both classes"));
    const move = (point) => give(app, { at: point.map((value) => Number(value.toFixed(4))).join() });
    const probe = handle(SCALE, { label: say("the point that is asked about"), kind: "probe", name: "probe" }, move);
    const lines = s("g", { class: "links" });
    plane.layer.append(lines, probe.element);
    plane.svg.addEventListener("click", (event) => { newGesture(); move(pointOf(event, plane.svg, SCALE)); newGesture(); });
    const result = h("div", { class: "beside" });
    return {
      children: [text(), h("div", { class: "work" }, k.element, plane.svg, result)],
      render() {
        const { answer, regions } = app.data;
        k.update();
        if (!regions) return;
        const nearest = new Set(answer.nearest.map(({ row }) => row));
        plane.fill(regions.shares);
        plane.melons(regions.melons, (row) => (nearest.has(row) ? "near" : ""));
        const at = SCALE.toPicture(pointIn(app.state.given.at));
        lines.replaceChildren(...answer.nearest.map(({ row }) => {
          const [x, y] = SCALE.toPicture(regions.melons[row]);
          return s("line", { x1: at[0], y1: at[1], x2: x, y2: y });
        }));
        probe.place(pointIn(app.state.given.at));
        replace(result, ...said(answer));
      },
    };
  },
};

const text = () => prose(
  say("Click into the picture or drag the point; arrow keys move it, too. Move the slider from 1 to 17."),
  say("With k = 1 every melon has an island of its own. With k = 17 all melons are asked everywhere, and the larger class wins."),
  say("A small k follows every point, noise too; a large one smooths over what is really there."),
  say("The points are 17 watermelons, by density and sugar. Source: Zhou, Machine Learning, table 4.3; k nearest neighbours: the lecture on Bayes classifiers."),
  formula(P("c", "|", "x"), "=", fraction(sub("k", "c"), "k")),
);

function said({ shares, nearest }) {
  const names = [say("good melons"), say("bad melons")];
  return [
    shares.map((share, which) => h("p", { class: "belief", "data-class": which }, h("span", { class: "label" }, names[which]),
      bar({ probability: share.value }, which === 0 ? "belief" : "other"), number(share), h("output", {}, `${percent(share.value)} %`))),
    h("table", { class: "numbers" }, h("caption", {}, say("The nearest melons")),
      h("thead", {}, h("tr", {}, [say("melon"), say("is"), say("distance")].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, nearest.map(({ row, label, distance }) => h("tr", { "data-melon": row },
        h("th", { scope: "row" }, row + 1), h("td", {}, label === 0 ? say("good") : say("bad")), h("td", { "data-distance": distance }, digits(distance)))))),
  ];
}
