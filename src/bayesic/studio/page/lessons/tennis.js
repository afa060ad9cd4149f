// Play tennis: a table one can edit, and the fractions that follow.

import { button, h, replace } from "../frame/dom.js";
import { percent, say } from "../frame/words.js";
import { bar, giveOnce, oneOf } from "./controls.js";
import { prose } from "./lesson.js";
import { formula, fraction, number, of, over, P, row, sub, words } from "./mathml.js";
import { cellsOf, editableRows, picker, rowsOf, textOf } from "./rows.js";

/** @type {Lesson} */
export const tennis = {
  name: "tennis",
  title: () => say("Play tennis"),
  about: () => say("Naive Bayes is counting: a table one can edit, and fractions that follow."),
  start: { rows: "", day: "0201", smoothing: "0" },
  questions: ({ rows, day, smoothing }, language) => ({
    answer: { path: "/lessons/tennis", body: { rows: rowsOf(rows), day: cellsOf(day), smoothing: Number(smoothing), language } },
  }),
  create(app) {
    const smoothing = oneOf(app, "smoothing", say("probabilities from"), [["0", say("counts as they are")], ["1", say("counts + 1 (Laplace)")]]);
    const [day, table, work] = ["day", "table", "calculation"].map((name) => h("div", { class: name }));
    return {
      children: [text(), h("div", { class: "work" }, day, smoothing.element, work, table)],
      render() {
        const { answer } = app.data;
        smoothing.update();
        replace(day, ...dayPickers(app, answer));
        replace(work, ...calculation(answer));
        replace(table, ...tableOf(app, answer));
      },
    };
  },
};

const text = () => prose(
  say("Choose the weather of a day. Change any cell of the table, delete a row or add one."),
  say("Each factor is a count over a count: of the days with this answer, how many had this weather? Set a count to 0, and the whole product is 0; adding 1 to every count mends that."),
  say("Naive Bayes takes the columns as independent within a class, so four small counts stand in for a table of all combinations."),
  say("Source: Mitchell, Machine Learning, table 3.2 and section 6.9; corrected counts: Li Hang, section 4.2."),
  formula(sub("c", words("MAP")), "=", over(words("arg max\u00a0"), "c"), P("c"), over("∏", "j"), P(sub("x", "j"), "|", "c")),
  formula(sub("P", "λ"), "(", sub("x", "j"), "|", "c", ")", "=", fraction(
    row(of("n", sub("x", "j"), ",", "c"), "+", "λ"), row(of("n", "c"), "+", sub("S", "j"), "λ"))),
);

/** @param {LessonsApp} app */
function dayPickers(app, { columns, levels }) {
  const codes = cellsOf(app.state.given.day);
  return [h("strong", {}, say("The day")), columns.map((name, place) => h("label", {}, `${name} `,
    picker(name, levels[place], codes[place], (code) =>
      giveOnce(app, { day: codes.map((old, at) => (at === place ? code : old)).join("") }))))];
}

/** @param {any} answer */
function calculation({ classes, prior, factors, joint, posterior, impossible }) {
  /** @param {(cell: Exact) => any} [more] */
  const line = (name, title, cells, more = (_) => null) => h("tr", { "data-factor": name },
    h("th", { scope: "row" }, title), cells.map((cell, which) => h("td", { "data-class": classes[which] }, number(cell), more(cell))));
  const decimal = ({ decimal: digits }) => h("small", {}, digits);
  return [
    h("table", { class: "numbers" },
      h("thead", {}, h("tr", {}, h("td", {}), classes.map((label) => h("th", { scope: "col" }, say(label))))),
      h("tbody", {},
        line("prior", "P(c)", prior),
        factors.map(({ column, value, shares }) => line(column, `P(${value} | c)`, shares)),
        line("joint", say("product"), joint, decimal), line("posterior", say("posterior"), posterior, decimal))),
    impossible && h("p", { class: "refused" }, say("The product is 0 for every class: the answer is the prior.")),
    posterior.map((one, which) => h("p", { class: "belief" }, h("span", { class: "label" }, say(classes[which])),
      bar({ probability: one.value }), h("output", {}, `${percent(one.value)} %`))),
  ];
}

/** @param {LessonsApp} app */
function tableOf(app, { columns, levels, rows: answered }) {
  const rows = rowsOf(app.state.given.rows) ?? answered; // the answer may be on its way
  const changed = (next) => giveOnce(app, { rows: textOf(next) });
  return [
    editableRows({ columns: [...columns, say("play?")], levels: [...levels, [say("No"), say("Yes")]], rows, caption: say("{0} days", rows.length) }, changed),
    h("p", { class: "buttons" },
      button(say("add a day"), () => changed([...rows, [...cellsOf(app.state.given.day), 1]]), { "data-key": "add" }),
      button(say("the table of the book"), () => giveOnce(app, { rows: "" }), { "data-key": "book", disabled: app.state.given.rows === "" })),
  ];
}
