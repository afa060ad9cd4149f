// The same steps in Python, and on the command line.

import { modelOf } from "./learning.js";

const COMMANDS = {
  AutoBayes: "auto", NaiveBayes: "naive", BayesForest: "forest", TreeAugmentedNB: "tan", KDependence: "kdb", AveragedOneDependence: "aode",
};

/** A text as Python writes it. */
const quoted = (text) => JSON.stringify(text);

/** @param {TableApp} app */
const fileOf = ({ data, state }) => data.profile?.file ?? `${state.table}.csv`;

/** The table as Python has it. @param {TableApp} app */
const tableOf = (app) => app.data.profile?.code ?? quoted(fileOf(app));

/** What is told of columns. @param {TableApp} app */
const toldOf = ({ data }) => (data.profile?.columns ?? []).filter(({ kind, name }) => kind !== null && name !== data.profile.target);

/** @param {TableApp} app */
export function asPython(app) {
  const { state, data } = app;
  const told = toldOf(app).map(({ name, kind }) => `${quoted(name)}: ${quoted(kind)}`).join(", ");
  const target = quoted(state.target ?? "");
  const lines = ["import bayesic as by", "", `rows = ${tableOf(app)}`];
  lines.push(`model = by.${modelOf(app)}(${told && `columns={${told}}`}).fit(rows, y=${target})`);
  const loss = state.costs === null ? null : lossOf(state.costs, data.model?.classes ?? []);
  if (loss !== null) lines.push(`loss = ${loss}`);
  const how = [loss === null ? "" : ", loss=loss", state.reject === null ? "" : `, reject_loss=${state.reject}`].join("");
  lines.push(`print(by.evaluate(model, rows, ${target}, cv="leave-one-out"${how}))`);
  if (state.row !== null && data.answer?.cells) {
    lines.push(`row = ${rowOf(app)}`);
    lines.push(`print(model.explain(row${state.answer === null ? "" : `, answer=${python(classNamed(app, state.answer))}`}))`);
    if (how) lines.push(`print(by.decide(model.predict_proba([row])${how}, classes=model.classes_))`);
  }
  return `${lines.join("\n")}\n`;
}

/** @param {TableApp} app */
const classNamed = ({ data }, text) => data.model?.classes.find((label) => String(label) === text) ?? text;

const python = (value) => (value === true ? "True" : value === false ? "False" : value === null ? "None" : JSON.stringify(value));

/** @param {Costs} costs */
const lossOf = ({ actions, costs }, classes) => `{${actions.map((action, number) =>
  `${quoted(action)}: {${classes.map((label, place) => `${python(label)}: ${costs[number][place]}`).join(", ")}}`).join(", ")}}`;

/** @param {TableApp} app */
function rowOf({ state, data }) {
  const numbers = new Set(data.profile.columns.filter(({ stored }) => stored === "number").map(({ name }) => name));
  const cells = data.answer.cells.map(([name, was]) => {
    const text = state.cells[name] ?? was;
    return `${quoted(name)}: ${text === "" ? "None" : numbers.has(name) ? Number(text) : quoted(text)}`;
  });
  return `{${cells.join(", ")}}`;
}

const shell = (text) => (/^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Lines for a shell; null where the command has no such model. @param {TableApp} app */
export function asCommand(app) {
  const { state } = app;
  const model = COMMANDS[/** @type {"AutoBayes"} */ (modelOf(app))];
  if (model === undefined) return null;
  const [file, out] = [fileOf(app), `${state.table}.bayes`];
  const told = toldOf(app).flatMap(({ name, kind }) => ["--columns", `${name}=${kind}`]);
  const lines = [
    ["bayesic", "fit", file, "--target", state.target ?? "", "--model", model, ...told, "--out", out],
    ["bayesic", "evaluate", out, file, "--leave-one-out"],
  ];
  if (state.row !== null) {
    lines.push(["bayesic", "explain", out, file, "--row", String(state.row), ...(state.answer === null ? [] : ["--answer", state.answer])]);
  }
  return `${lines.map((words) => words.map(shell).join(" ")).join("\n")}\n`;
}
