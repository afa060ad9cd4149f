// How good the model was while it learned: each row was predicted before it was learned.

import { h, s } from "../frame/dom.js";
import { refusalLine } from "../frame/refusals.js";
import { digits, say } from "../frame/words.js";
import { moment } from "./when.js";

const WIDTH = 420;
const HEIGHT = 150;
const SIDE = { left: 38, right: 8, top: 8, bottom: 38 };

/** @type {import("./view.js").View} */
export const curve = {
  id: "curve",
  inputs: ({ data, state }) => [data.curve, data.model, state.model, state.seq],
  draw(app) {
    const { data, state } = app;
    if (state.model === null || !data.model?.name || !data.curve) return [];
    const title = h("h2", {}, say("How good it was while it learned"));
    if (data.curve.refused) return [title, refusalLine(data.curve.refused, undefined, { class: "quiet" })];
    /** @type {CurvePoint[]} */
    const points = (data.curve.points ?? []).map(finite);
    if (points.length === 0) return [title, h("p", { class: "quiet" }, say("Nothing could be predicted yet: a row counts when its class was known before it came."))];
    return [
      title,
      h("p", { class: "quiet" }, say("Each row was predicted before it was learned. The line is the mean so far, the dots are the parts of the journal. Choose a dot to look at that point.")),
      h("div", { class: "charts" },
        chart(app, points, "accuracy", say("accuracy"), [0, 1]),
        chart(app, points, "log_loss", say("log loss"), [0, Math.max(...points.flatMap((one) => [one.log_loss, one.recent_log_loss]).filter(Number.isFinite), 0.1)])),
    ];
  },
};

/** JSON has no infinity: it comes as a text. @returns {CurvePoint} */
const finite = (point) => ({
  ...point, ...Object.fromEntries(["log_loss", "recent_log_loss"].map((name) => [name, point[name] === "inf" ? Infinity : point[name]])),
});

const shown = (value, count) => (value === Infinity ? "∞" : digits(value, count));

/**
 * @param {ModelsApp} app @param {CurvePoint[]} points
 * @param {"accuracy" | "log_loss"} measure
 */
function chart(app, points, measure, name, [low, high]) {
  const last = points[points.length - 1];
  const [first] = points;
  const most = Math.max(last.n_rows, 2);
  const x = (rows) => SIDE.left + ((rows - 1) / (most - 1)) * (WIDTH - SIDE.left - SIDE.right);
  const y = (value) => HEIGHT - SIDE.bottom - ((Math.min(value, high) - low) / (high - low)) * (HEIGHT - SIDE.top - SIDE.bottom);
  const way = points.map((one, number) => `${number ? "L" : "M"}${x(one.n_rows).toFixed(1)} ${y(one[measure]).toFixed(1)}`).join("");
  const choose = (seq) => () => app.send({ kind: "point_chosen", seq: app.state.seq === seq ? null : seq });
  const chosen = points.findLast(({ seq }) => seq === app.state.seq); // rows that came in one call end with the same event
  const dots = points.map((one) => s("circle", {
    cx: x(one.n_rows), cy: y(one[`recent_${measure}`]), r: one === chosen ? 5 : 3, class: one === chosen ? "dot chosen" : "dot", onclick: choose(one.seq),
    "data-point": one.seq, "data-rows": one.n_rows, "data-value": one[measure], "data-recent": one[`recent_${measure}`],
  }, s("title", {}, `${moment(one.time)} · ${say("{0} rows", one.n_rows)} · ${shown(one[measure], 4)} (${shown(one[`recent_${measure}`], 4)})`)));
  const left = { x: SIDE.left - 6, "text-anchor": "end", class: "tick" };
  const below = { y: HEIGHT - 21, class: "tick" };
  return h("figure", {},
    h("figcaption", {}, name, " ", h("output", { "data-last": measure, "data-value": last[measure] }, shown(last[measure], 6))),
    s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `${name}: ${shown(last[measure], 4)}` },
      s("path", { class: "axis", d: `M${SIDE.left} ${SIDE.top}V${HEIGHT - SIDE.bottom}H${WIDTH - SIDE.right}` }),
      s("text", { ...left, y: y(high) + 4 }, digits(high, 3)), s("text", { ...left, y: y(low) + 4 }, digits(low, 3)),
      s("text", { ...below, x: x(1) }, say("{0} rows", first.n_rows)), s("text", { ...below, x: x(most), "text-anchor": "end" }, say("{0} rows", last.n_rows)),
      s("text", { ...below, y: HEIGHT - 6, x: x(1) }, moment(first.time)), s("text", { ...below, y: HEIGHT - 6, x: x(most), "text-anchor": "end" }, moment(last.time)),
      s("path", { class: "running", d: way }), dots));
}
