// Gaussian classes: drag their ellipses, and the boundary bends.

import { button, h, replace, s } from "../frame/dom.js";
import { digits, percent, say } from "../frame/words.js";
import { bar, give, giveOnce, oneOf } from "./controls.js";
import { prose } from "./lesson.js";
import { formula, fraction, of, P, row, sub } from "./mathml.js";
import { createPlane, SCALE, zeroLine } from "./plane.js";
import { handle } from "./svg_drag.js";

const LEAST = 0.02; // of a half axis

/** @param {string} text @returns {Ellipse[] | null} */
const ellipsesOf = (text) => (text === "" ? null : text.split(";").map((one) => {
  const [x, y, across, up, other] = one.split(",").map(Number);
  return { mean: [x, y], axis: [across, up], other };
}));
/** @param {Ellipse[]} ellipses */
const textOf = (ellipses) => ellipses.map(({ mean, axis, other }) => [...mean, ...axis, other].map((value) => Number(value.toFixed(4))).join()).join(";");
/** @param {string} text */
export const pointIn = (text) => text.split(",").map(Number);

/** @type {Lesson} */
export const gaussians = {
  name: "gaussians",
  title: () => say("Gaussian classes"),
  about: () => say("Naive, linear, quadratic: a boundary that bends as you drag ellipses."),
  start: { form: "full", classes: "", at: "0.5,0.25" },
  questions: ({ form, classes, at }) => ({
    answer: { path: "/lessons/gaussians", body: { classes: ellipsesOf(classes), covariance: form, point: pointIn(at) } },
  }),
  create(app) {
    const form = oneOf(app, "form", say("covariances"), [["diagonal", say("naive")], ["tied", say("LDA")], ["full", say("QDA")]]);
    const plane = createPlane(say("melons, ellipses and the boundary"));
    const boundary = s("path", { class: "boundary", "data-boundary": "" });
    const outlines = [0, 1].map((which) => s("ellipse", { class: `ellipse ${which === 0 ? "good" : "bad"}` }));
    const names = [say("good melons"), say("bad melons")];
    /** @param {number} which @param {(one: Ellipse) => Partial<Ellipse>} change */
    const changed = (which, change) => give(app, { classes: textOf(
      current(app).map((one, number) => (number === which ? { ...one, ...change(one) } : one))) });
    const handles = [0, 1].flatMap((which) => handlesOf(which, names[which], changed));
    const probe = handle(SCALE, { label: say("the point that is asked about"), kind: "probe", name: "probe" },
      (point) => give(app, { at: point.map((value) => Number(value.toFixed(4))).join() }));
    plane.layer.append(boundary, ...outlines, ...handles.map(({ element }) => element), probe.element);
    const numbers = h("div", { class: "beside" });
    return {
      children: [text(), h("div", { class: "work" }, form.element, plane.svg, numbers)],
      render() {
        const { answer } = app.data;
        form.update();
        plane.fill(answer.shares);
        plane.melons(answer.melons);
        boundary.setAttribute("d", zeroLine(answer.log_odds));
        answer.model_ellipses.forEach((one, which) => outline(outlines[which], one));
        handles.forEach(({ update }) => update(current(app)));
        probe.place(pointIn(app.state.given.at));
        replace(numbers, ...facts(app, answer, names));
      },
    };
  },
};

const text = () => prose(
  say("Drag the middle of an ellipse, or the ends of its axes; or select one with Tab and use the arrow keys. Switch between naive, LDA and QDA."),
  say("One matrix for both classes (LDA) gives a straight line. A matrix for each (QDA) bends it. Naive Bayes stands the ellipses upright."),
  say("The boundary is where the log odds are 0. With equal matrices the squares cancel, and what is left is linear."),
  say("The points are 17 watermelons, by density and sugar. Source: Zhou, Machine Learning, table 4.3; the three models: the lecture on Bayes classifiers."),
  formula("log", fraction(P(sub("c", "1"), "|", "x"), P(sub("c", "2"), "|", "x")), "=", "log",
    fraction(row(sub("π", "1"), of("N", "x", ";", sub("μ", "1"), ",", sub("Σ", "1"))), row(sub("π", "2"), of("N", "x", ";", sub("μ", "2"), ",", sub("Σ", "2")))), "=", "0"),
);

/** The ellipses as they were given last, or those of the melons. @param {LessonsApp} app @returns {Ellipse[]} */
const current = (app) => ellipsesOf(app.state.given.classes) ?? app.data.answer.ellipses ?? [];

/** Mean and both axes of a class. */
function handlesOf(which, name, changed) {
  const kind = which === 0 ? "good" : "bad";
  const unit = ({ axis }) => { const size = Math.hypot(...axis); return [-axis[1] / size, axis[0] / size]; };
  const mean = handle(SCALE, { label: say("mean of the {0}", name), kind, name: `mean ${which}` }, (point) => changed(which, () => ({ mean: point })));
  const axis = handle(SCALE, { label: say("long axis of the {0}", name), kind: `${kind} small`, name: `axis ${which}` }, (point) =>
    changed(which, ({ mean: [x, y] }) => ({ axis: atLeast([point[0] - x, point[1] - y]) })));
  const other = handle(SCALE, { label: say("short axis of the {0}", name), kind: `${kind} small`, name: `other ${which}` }, (point) =>
    changed(which, (one) => {
      const [across, up] = unit(one);
      return { other: Math.max(LEAST, Math.abs((point[0] - one.mean[0]) * across + (point[1] - one.mean[1]) * up)) };
    }));
  const follow = ({ element, place }, where) => ({ element, update: (all) => place(where(all[which])) });
  return [
    follow(mean, (one) => one.mean),
    follow(axis, (one) => [one.mean[0] + one.axis[0], one.mean[1] + one.axis[1]]),
    follow(other, (one) => [one.mean[0] + unit(one)[0] * one.other, one.mean[1] + unit(one)[1] * one.other]),
  ];
}

/** @param {number[]} axis */
function atLeast(axis) {
  const size = Math.hypot(...axis);
  return size >= LEAST ? axis : size === 0 ? [LEAST, 0] : axis.map((value) => (value * LEAST) / size);
}

/** The line of standard deviation 1. */
function outline(element, { mean, axis, other }) {
  const [x, y] = SCALE.toPicture(mean);
  const unit = SCALE.toPicture([1, 0])[0] - SCALE.toPicture([0, 0])[0];
  const angle = (-180 * Math.atan2(axis[1], axis[0])) / Math.PI;
  for (const [name, value] of Object.entries({ rx: unit * Math.hypot(...axis), ry: unit * other, transform: `translate(${x} ${y}) rotate(${angle})` })) element.setAttribute(name, String(value));
}

/** @param {LessonsApp} app */
function facts(app, { probabilities, covariances, n_parameters: free, prior }, names) {
  return [
    probabilities.map((value, which) => h("p", { class: "belief" }, h("span", { class: "label" }, names[which]),
      bar({ probability: value }, which === 0 ? "belief" : "other"), h("output", { "data-class": which, "data-probability": value }, `${percent(value)} %`))),
    h("table", { class: "numbers" }, h("caption", {}, say("What the model has learned: {0} numbers beside the priors", free)),
      h("thead", {}, h("tr", {}, h("td", {}), [say("prior"), say("variances"), say("covariance")].map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, names.map((name, which) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, digits(prior[which], 3)),
        h("td", {}, `${digits(covariances[which][0][0], 3)}, ${digits(covariances[which][1][1], 3)}`),
        h("td", { "data-covariance": covariances[which][0][1] }, digits(covariances[which][0][1], 3)))))),
    h("p", { class: "buttons" }, button(say("back to the melons"), () => giveOnce(app, { classes: "" }), { "data-key": "melons", disabled: app.state.given.classes === "" })),
  ];
}
