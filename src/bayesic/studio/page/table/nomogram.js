// The whole model as points to add up: each column a line, each value where its weight of evidence is.

import { h, s } from "../frame/dom.js";
import { refusalLine } from "../frame/refusals.js";
import { digits, say } from "../frame/words.js";
import { signed } from "./bridge.js";

const [FLAT, HIGH] = [44, 80];

/**
 * Where lines begin, how long they are, where their names end and how many letters these have.
 * @typedef {{left: number, width: number, names: number, letters: number}} Lines
 * @returns {Lines}
 */
const linesOf = (space) => (space > 700 ? { left: 184, width: 610, names: 156, letters: 18 }
  : { left: 104, width: Math.max(160, space - 156), names: 86, letters: 12 });

export const nomogramView = {
  id: "nomogram",
  title: () => say("Nomogram"),
  /** @param {TableApp} app */
  inputs: ({ data, state }) => [data.nomogram, data.answer, state.learned, innerWidth],
  /** @param {TableApp} app */
  draw({ data, state }) {
    if (state.learned === null) return [h("p", { class: "quiet" }, say("Learn first."))];
    const found = data.nomogram;
    if (!found) return [h("p", { class: "quiet" }, say("computing …"))];
    if (found.refused) return [refusalLine(found.refused, say("This model has no nomogram:"), { class: "quiet" })];
    return [
      h("p", {}, say("what each value adds to the log odds of {0} rather than {1}", found.answer, found.against)),
      h("div", { class: "wide" }, picture(found, marksOf(found, data.answer))),
    ];
  },
};

/** The weights of the row that is explained, if it compares the same classes. */
function marksOf({ answer, against }, found) {
  if (!found?.evidence || found.against === null) return null;
  const same = found.answer === answer && found.against === against;
  const other = found.answer === against && found.against === answer;
  if (!same && !other) return null;
  const turned = (weight) => (same ? Number(weight) : -Number(weight));
  return { weights: new Map(found.evidence.map(({ name, weight }) => [name, turned(weight)])), total: turned(found.log_odds) };
}

function picture(found, marks) {
  const { columns, prior_log_odds: prior, against, answer } = found;
  const shown = columns.filter(({ values }) => values.length > 0);
  const finite = [0, Number(prior), ...shown.flatMap(({ weights }) => weights.map(Number))].filter(Number.isFinite);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  const frame = linesOf(innerWidth);
  const at = (weight) => frame.left + (frame.width * (Math.max(least, Math.min(most, weight)) - least)) / (most - least || 1);
  let y = 24;
  /** @type {any[]} */
  const lines = [axis(frame, at, least, most, y)];
  y += 20;
  lines.push(priorLine(frame, Number(prior), at, y));
  y += FLAT;
  for (const column of shown) {
    const height = column.is_curve ? HIGH : FLAT;
    lines.push(line(frame, column, at, y, height, marks?.weights.get(column.name)));
    y += height;
  }
  lines.push(total(frame, found, y, marks?.total));
  return s("svg", { class: "nomogram", width: frame.left + frame.width + 28, height: y + 76, role: "img", "aria-label": say("nomogram of {0} rather than {1}", answer, against) }, lines.flat(3));
}

const text = (x, y, content, more = {}, ...inner) => s("text", { x, y, "text-anchor": "middle", ...more }, content, inner);

/** The points: weights of evidence. */
function axis({ names, width }, at, least, most, y) {
  const ticks = ticksOf(least, most, width / 76);
  return [text(names, y + 4, say("weight"), { "text-anchor": "end", class: "name" }),
    s("path", { class: "axis", d: `M${at(least)} ${y}H${at(most)}` }),
    ticks.map((tick) => [s("path", { class: "axis", d: `M${at(tick)} ${y}v5` }), text(at(tick), y - 4, String(tick).replace("-", "−"), { class: "tick" })])];
}

/** Round numbers on a line, about so many. */
function ticksOf(least, most, many) {
  const raw = (most - least || 1) / many;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((one) => one >= raw) ?? raw;
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, number) => Number(((first + number) * step).toPrecision(12)));
}

const priorLine = ({ names }, prior, at, y) => s("g", { "data-prior": prior },
  text(names, y + 16, say("prior"), { "text-anchor": "end", class: "name" }),
  s("circle", { class: "known", cx: at(prior), cy: y + 12, r: 4 }), text(at(prior), y + 32, signed(prior), { class: "tick" }));

function line({ names, letters }, column, at, y, height, mark) {
  const { name, values, weights, is_curve: isCurve } = column;
  const middle = y + height / 2;
  return s("g", { "data-line": name },
    text(names, middle, name.length > letters ? `${name.slice(0, letters - 1)}…` : name, { "text-anchor": "end", class: "name" }, s("title", {}, name)),
    isCurve ? curve(values, weights, at, y, height) : levels(name, values, weights, at, y + 16),
    mark !== undefined && (isCurve ? s("path", { class: "mark", "data-mark": mark, d: `M${at(mark)} ${y + 8}V${y + height - 10}` })
      : s("circle", { class: "mark", "data-mark": mark, cx: at(mark), cy: y + 16, r: 5.5 })));
}

/** Levels where their weights are; labels above and below in turn, so that neighbours do not meet. */
function levels(name, values, weights, at, y) {
  const points = values.map((value, number) => ({ value: String(value), weight: Number(weights[number]) }))
    .sort((one, other) => one.weight - other.weight);
  const ends = [-Infinity, -Infinity];
  return [s("path", { class: "axis", d: `M${at(points[0].weight)} ${y}H${at(points.at(-1)?.weight ?? 0)}` }),
    ...points.map(({ value, weight }, number) => {
      const x = at(weight);
      const label = value.length > 14 ? `${value.slice(0, 13)}…` : value;
      const width = [...label].reduce((sum, mark) => sum + (mark.charCodeAt(0) > 0x2e80 ? 12 : 6.4), 6);
      const side = ends[number % 2] <= x - width / 2 ? number % 2 : 1 - (number % 2);
      const fits = ends[side] <= x - width / 2;
      if (fits) ends[side] = x + width / 2;
      return s("g", { "data-value": value, "data-weight": weight },
        s("circle", { class: "point", cx: x, cy: y, r: 3 }, s("title", {}, `${name} = ${value}: ${signed(weight)}`)),
        fits && text(x, side === 0 ? y - 7 : y + 16, label, { class: "tick" }));
    })];
}

/** Numbers: across their weight, upwards their value. */
function curve(values, weights, at, y, height) {
  const [low, high] = [values[0], values.at(-1)];
  const up = (value) => y + height - 12 - ((height - 22) * (value - low)) / (high - low || 1);
  const points = values.map((value, number) => [at(Number(weights[number])), up(value)]);
  return s("g", { "data-curve": JSON.stringify(values.map((value, number) => [value, Number(weights[number])]).slice(0, 1)) },
    s("path", { class: "curve", d: points.map(([x, place], number) => `${number === 0 ? "M" : "L"}${x.toFixed(2)} ${place.toFixed(2)}`).join("") }),
    text(points[0][0], points[0][1] + 11, digits(low, 4), { class: "tick" }),
    text(points.at(-1)?.[0] ?? 0, (points.at(-1)?.[1] ?? 0) - 3, digits(high, 4), { class: "tick" }));
}

/** All points together, and the probability that they mean. */
function total({ left, width, names }, { scale, answer, against, n_classes: n }, y, sum) {
  const odds = scale.map(([, logOdds]) => logOdds);
  const [least, most] = [Math.min(...odds), Math.max(...odds)];
  const at = (logOdds) => left + (width * (Math.max(least, Math.min(most, logOdds)) - least)) / (most - least);
  return s("g", { "data-total": sum ?? null },
    text(names, y + 26, say("sum"), { "text-anchor": "end", class: "name" }),
    text(names, y + 46, `P(${answer})`, { "text-anchor": "end", class: "name" }),
    n > 2 && text(left, y + 66, say("P({0}) if it is {0} or {1}", answer, against), { "text-anchor": "start", class: "tick" }),
    s("path", { class: "axis", d: `M${left} ${y + 30}H${left + width}` }),
    scale.map(([, logOdds]) => s("path", { class: "axis", d: `M${at(logOdds)} ${y + 26}v8` })),
    apart(scale.map(([probability, logOdds]) => ({ probability, logOdds, x: at(logOdds) }))).flatMap(({ probability, logOdds, x }) => [
      text(x, y + 17, logOdds === 0 ? "0" : signed(logOdds).slice(0, 5), { class: "tick" }),
      text(x, y + 46, String(probability), { class: "tick" }),
    ]),
    sum !== undefined && s("path", { class: "mark", d: `M${at(sum)} ${y + 21}V${y + 37}` }));
}

/** Those of a line whose labels do not meet; both ends are among them. */
function apart(points) {
  const last = points.at(-1)?.x ?? 0;
  let free = -Infinity;
  return points.filter(({ x }) => {
    const fits = x >= free && (x === last || x <= last - 36);
    if (fits) free = x + 36;
    return fits;
  });
}
