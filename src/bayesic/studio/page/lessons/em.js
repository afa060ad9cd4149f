// EM for two Gaussians, one step per click.

import { button, h, replace, s } from "../frame/dom.js";
import { digits, say } from "../frame/words.js";
import { give, giveOnce, slider } from "./controls.js";
import { prose } from "./lesson.js";
import { formula, fraction, over, row, sub, sup } from "./mathml.js";
import { handle } from "./svg_drag.js";

const [WIDTH, BASE, TOP, HEIGHT] = [480, 170, 10, 208];
const [FROM, TO] = [-1, 11];
const MOST = 60;
const SCALE = {
  step: 0.1,
  /** @param {number[]} point */
  toPicture: ([x]) => [(WIDTH * (x - FROM)) / (TO - FROM), BASE + 26],
  toData: (x, _) => [Math.min(TO, Math.max(FROM, FROM + (x * (TO - FROM)) / WIDTH)), 0],
};
/** @param {string} text */
const numbersIn = (text) => text.split(/[\s,，]+/).filter((part) => part !== "").map(Number);

/** @type {Lesson} */
export const em = {
  name: "em",
  title: () => say("EM, step by step"),
  about: () => say("Two Gaussians and points that do not say which one made them."),
  start: { points: "1 1.5 2 2.4 3 4.5 6 6.5 7 7.2 8 8.8", means: "4,5", spread: "1", steps: "0" },
  questions: ({ points, means, spread, steps }) => ({
    answer: { path: "/lessons/em", body: { points: numbersIn(points), means: numbersIn(means), spread: Number(spread), steps: Number(steps) } },
  }),
  create(app) {
    const spread = slider(app, "spread", { label: say("spread σ, known"), min: 0.1, max: 3, step: 0.1 });
    const typed = h("input", { type: "text", "aria-label": say("points"), "data-field": "points", onchange: ({ target }) => giveOnce(app, { points: target.value }) });
    const [curves, dots, means] = ["curves", "dots", "means"].map((name) => s("g", { class: name }));
    const starts = [0, 1].map((which) => handle(SCALE, { label: say("where mean {0} begins", which + 1), kind: which === 0 ? "good" : "bad", name: `start ${which}` },
      ([x]) => give(app, { means: numbersIn(app.state.given.means).map((old, at) => (at === which ? Number(x.toFixed(3)) : old)).join() })));
    const picture = s("svg", { class: "line-picture", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": say("points and two Gaussians") },
      s("line", { class: "axis", x1: 0, x2: WIDTH, y1: BASE, y2: BASE }), curves, means, dots, starts.map(({ element }) => element));
    const [walk, result] = ["buttons", "beside"].map((name) => h("div", { class: name }));
    return {
      children: [text(), h("div", { class: "work" }, walk, picture, h("p", { class: "quiet" }, say("drag where the means begin")), result, spread.element, h("label", { class: "slider" }, h("span", {}, say("points")), typed))],
      render() {
        const { answer } = app.data;
        const { given } = app.state;
        spread.update();
        if (document.activeElement !== typed) typed.value = given.points;
        replace(walk, ...walking(app, Number(given.steps)));
        drawCurves(curves, answer);
        drawDots(dots, numbersIn(given.points), answer.responsibilities);
        means.replaceChildren(...answer.steps.at(-1).means.map((mean, which) => s("line", { class: kindOf(which), x1: across(mean), x2: across(mean), y1: TOP, y2: BASE })));
        numbersIn(given.means).forEach((mean, which) => starts[which].place([mean, 0]));
        replace(result, ...facts(answer));
      },
    };
  },
};

const text = () => prose(
  say("Click “one step”, again and again. Drag the two dots below the line to begin elsewhere. Make the spread small."),
  say("Each point takes the colour of the Gaussian that is more responsible for it; then each mean moves to the middle of its points. The log likelihood never falls."),
  say("Nobody knows which Gaussian made a point, so each is counted in parts (E), and the means follow from the parts (M). As the spread goes to 0, a point belongs wholly to the nearest mean: that is k-means."),
  say("Source: Mitchell, Machine Learning, section 6.12."),
  formula("E", "[", sub("z", row("i", "j")), "]", "=", fraction(exponential("j"), row(over("∑", "n"), exponential("n")))),
  formula(sub("μ", "j"), "=", fraction(row(over("∑", "i"), "E", "[", sub("z", row("i", "j")), "]", sub("x", "i")), row(over("∑", "i"), "E", "[", sub("z", row("i", "j")), "]"))),
);

const exponential = (which) => sup("e", row("−", sup(row("(", sub("x", "i"), "−", sub("μ", which), ")"), "2"), "/", "2", sup("σ", "2")));
const kindOf = (which) => (which === 0 ? "good" : "bad");
const across = (x) => SCALE.toPicture([x])[0];

/** @param {LessonsApp} app */
function walking(app, steps) {
  const to = (number) => giveOnce(app, { steps: String(number) });
  return [
    button(say("one step"), () => to(steps + 1), { class: "main", "data-key": "one step", disabled: steps >= MOST }),
    button(say("one back"), () => to(steps - 1), { "data-key": "one back", disabled: steps === 0 }),
    button(say("start again"), () => to(0), { "data-key": "start again", disabled: steps === 0 }),
    h("output", { "data-steps": steps }, say("{0} steps", steps)),
  ];
}

function drawCurves(place, { curve, densities }) {
  const most = Math.max(...densities.flat());
  place.replaceChildren(...densities.map((heights, which) => s("path", {
    class: kindOf(which),
    d: `M${heights.map((height, at) => `${across(curve[at]).toFixed(1)} ${(BASE - ((BASE - TOP) * height) / most).toFixed(1)}`).join("L")}`,
  })));
}

/** @param {number[]} points @param {number[][]} shares */
function drawDots(place, points, shares) {
  if (points.length !== shares.length) return;
  place.replaceChildren(...points.map((x, number) => {
    const dot = s("circle", { cx: across(x), cy: BASE, r: 5, "data-point": x, "data-responsibility": shares[number][0] });
    dot.style.fill = `color-mix(in srgb, var(--bar) ${(100 * shares[number][0]).toFixed(1)}%, var(--evidence))`;
    return dot;
  }));
}

function facts({ steps }) {
  const { means, log_likelihood: value } = steps.at(-1);
  return [
    h("p", {}, say("means"), " ", means.map((mean, which) => h("output", { class: kindOf(which), "data-mean": mean }, digits(mean, 5), " ")),
      " · ", say("log likelihood"), " ", h("output", { "data-log-likelihood": value }, digits(value, 6))),
    chart(steps.map(({ log_likelihood: one }) => one)),
  ];
}

/** The log likelihood after each step. @param {number[]} values */
function chart(values) {
  const [width, height] = [480, 70];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (step) => 8 + ((width - 16) * step) / Math.max(10, values.length - 1);
  const y = (value) => height - 10 - ((height - 20) * (value - least)) / (most - least || 1);
  return s("svg", { class: "line-picture curve", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": say("log likelihood after each step") },
    s("polyline", { points: values.map((value, step) => `${x(step)},${y(value)}`).join(" ") }),
    values.map((value, step) => s("circle", { cx: x(step), cy: y(value), r: 2.5, "data-value": value })));
}
