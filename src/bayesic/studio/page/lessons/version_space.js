// EnjoySport: the version space shrinks, example by example.

import { button, h, replace, s } from "../frame/dom.js";
import { refusalLine } from "../frame/refusals.js";
import { say } from "../frame/words.js";
import { giveOnce, slider } from "./controls.js";
import { prose } from "./lesson.js";
import { formula, of, row, sub, words } from "./mathml.js";
import { cellsOf, editableRows, picker, rowsOf, textOf } from "./rows.js";

const [WIDTH, HEIGHT, BETWEEN] = [166, 26, 62]; // of a hypothesis in the picture

/** @type {Lesson} */
export const versionSpace = {
  name: "version-space",
  title: () => say("Version space"),
  about: () => say("EnjoySport: all hypotheses that agree with the examples, between S and G."),
  start: { rows: "", used: "4", day: "000100" },
  questions: ({ rows, day }) => ({ answer: { path: "/lessons/version-space", body: { rows: rowsOf(rows), day: cellsOf(day) } } }),
  create(app) {
    const used = slider(app, "used", { label: say("examples seen"), min: 0, max: 4, step: 1 });
    const [buttons, space, day, table] = ["buttons", "space", "day", "table"].map((name) => h("div", { class: name }));
    return {
      children: [text(), h("div", { class: "work" }, used.element, buttons, space, day, table)],
      render() {
        const { answer } = app.data;
        const number = Math.min(Number(app.state.given.used) || 0, answer.rows.length);
        used.element.querySelectorAll("input").forEach((input) => input.setAttribute("max", answer.rows.length));
        used.update();
        replace(buttons, ...walking(app, number, answer.rows.length));
        replace(space, ...boundaries(answer.steps, number, answer.columns));
        replace(day, ...newDay(app, answer, answer.steps[number]));
        replace(table, ...examples(app, answer, number));
      },
    };
  },
};

const text = () => prose(
  say("Take one example after the other. Change the answer of a day, or its weather."),
  say("A positive example makes S more general, a negative one makes G more special. What is left lies between them."),
  say("Every hypothesis in between agrees with all examples. Where they do not agree on a new day, nobody can know yet. A wrong label leaves no hypothesis at all."),
  say("Source: Mitchell, Machine Learning, table 2.1 and figure 2.3."),
  formula(sub("VS", row("H", ",", "D")), "=", "{", "h", "∈", "H", "|", "∃", "s", "∈", "S", "∃", "g", "∈", "G", ":", "g", "≥", "h", "≥", "s", "}"),
  formula(of("P", "h", "|", "D"), "=", row("1", "/", "|", sub("VS", row("H", ",", "D")), "|"), words(" "), words(say("(equal priors)"))),
);

/** @param {LessonsApp} app */
const walking = (app, number, all) => [
  button(say("one back"), () => giveOnce(app, { used: String(number - 1) }), { disabled: number === 0, "data-key": "one back" }),
  button(say("next example"), () => giveOnce(app, { used: String(number + 1) }), { disabled: number === all, class: "main", "data-key": "next example" }),
];

function boundaries(steps, number, columns) {
  const step = steps[number];
  const sizes = h("p", { class: "quiet sizes" }, say("hypotheses after each example:"), " ", steps.map((one, at) => h("span",
    { class: at === number ? "here" : null, "data-size": one.size ?? 0 }, `${at > 0 ? " → " : ""}${one.size ?? "0"}`)));
  if (step.refused) return [refusalLine(step.refused), sizes];
  const lines = (name, list) => h("tr", { "data-boundary": name }, h("th", { scope: "row" }, name),
    h("td", {}, list.map((cells) => h("div", { "data-hypothesis": cells.join(",") }, `⟨${cells.map(named).join(", ")}⟩`))));
  return [
    h("p", { class: "size" }, h("output", { "data-size": step.size }, step.size), " ", say("hypotheses are left")), sizes,
    h("table", { class: "boundaries" }, h("caption", {}, columns.map((name) => say(name)).join(", ")),
      h("tbody", {}, lines("G", step.general), lines("S", step.specific))),
    step.hypotheses.length > 0 ? lattice(step) : h("p", { class: "quiet" }, say("They are drawn as soon as there are few.")),
  ];
}

const named = (value) => (value === "?" || value === "∅" ? value : say(value));

/** From the most special below to the most general above. */
function lattice({ hypotheses, edges, general, specific }) {
  const heights = [...new Set(hypotheses.map(({ height }) => height))].sort((one, other) => other - one);
  const levels = heights.map((height) => hypotheses.flatMap((one, at) => (one.height === height ? [at] : [])));
  const width = Math.max(...levels.map((level) => level.length)) * (WIDTH + 16);
  /** @type {Object<number, {x: number, y: number}>} */
  const places = {};
  levels.forEach((level, row) => level.forEach((at, column) => {
    places[at] = { x: (width * (column + 0.5)) / level.length, y: row * BETWEEN + HEIGHT };
  }));
  const is = (list, { cells }) => list.some((one) => one.join() === cells.join());
  const picture = s("svg", { class: "lattice", viewBox: `0 0 ${width} ${(levels.length - 1) * BETWEEN + 2 * HEIGHT}`, role: "img",
    "aria-label": say("{0} hypotheses, the most general on top", hypotheses.length) },
    edges.map(([below, above]) => s("line", { x1: places[below].x, y1: places[below].y, x2: places[above].x, y2: places[above].y })),
    hypotheses.map((one, at) => s("g", { class: is(specific, one) ? "in-s" : is(general, one) ? "in-g" : null },
      s("rect", { x: places[at].x - WIDTH / 2, y: places[at].y - HEIGHT / 2, width: WIDTH, height: HEIGHT, rx: 4 }),
      s("text", { x: places[at].x, y: places[at].y + 4, "text-anchor": "middle" }, short(one.cells)))));
  picture.style.maxWidth = `${width}px`;
  return picture;
}

const short = (cells) => cells.filter((value) => value !== "?").map(named).join(" ∧ ") || say("always");

/** @param {LessonsApp} app */
function newDay(app, { columns, levels }, step) {
  const codes = cellsOf(app.state.given.day);
  const votes = step.refused ? null : say("{0} of {1} say yes: {2}", step.votes, step.size, say(step.answer));
  return [h("strong", {}, say("A new day")), columns.map((name, place) => h("label", {}, `${say(name)} `,
    picker(say(name), levels[place].map((level) => say(level)), codes[place], (code) =>
      giveOnce(app, { day: codes.map((old, at) => (at === place ? code : old)).join("") })))),
    votes && h("output", { "data-votes": step.votes, "data-answer": step.answer }, votes)];
}

/** @param {LessonsApp} app */
function examples(app, { columns, levels, rows: answered }, used) {
  const rows = rowsOf(app.state.given.rows) ?? answered; // the answer may be on its way
  const changed = (next) => giveOnce(app, { rows: textOf(next), used: String(Math.min(used, next.length)) });
  const known = [...levels.map((list) => list.map((level) => say(level))), [say("No"), say("Yes")]];
  return [
    editableRows({ columns: [...columns.map((name) => say(name)), say("enjoy?")], levels: known, rows, used, caption: say("Examples") }, changed),
    h("p", { class: "buttons" },
      button(say("add an example"), () => changed([...rows, [...cellsOf(app.state.given.day), 1]]), { "data-key": "add" }),
      button(say("the examples of the book"), () => giveOnce(app, { rows: "", used: "4" }), { "data-key": "book", disabled: app.state.given.rows === "" })),
  ];
}
