// The same steps in Python, and on the command line.

import { at } from "../frame/maps.js";
import { modelOf } from "./learning.js";

/** A text as Python writes it. */
const quoted = (text) => JSON.stringify(text);

/** @param {TableApp} app */
const fileOf = ({ data, state }) => data.profile?.file ?? `${state.table}.csv`;

/** The table as Python has it. @param {TableApp} app */
const tableOf = (app) => app.data.profile?.code ?? quoted(fileOf(app));

/** Lines after which the rows are at hand: what is not UTF-8 is written as such first. @param {TableApp} app */
function readingOf(app) {
  const { encoding = null } = app.data.profile ?? {};
  if (encoding === null) return [`rows = ${tableOf(app)}`];
  const file = fileOf(app);
  const unpacked = file.replace(/\.gz$/i, "");
  const bytes = `Path(${quoted(file)}).read_bytes()`;
  const [imports, content] = unpacked === file ? [[], bytes] : [["import gzip"], `gzip.decompress(${bytes})`];
  return [...imports, "from pathlib import Path", "", `text = ${content}.decode(${quoted(encoding)})`,
    `rows = ${quoted(unpacked.replace(/(?=\.[^.]*$)/, ".utf-8"))}`, `Path(rows).write_bytes(text.encode())`];
}

/** What is told of columns. @param {TableApp} app */
const toldOf = ({ data }) => (data.profile?.columns ?? []).filter(({ kind, name }) => kind !== null && name !== data.profile.target);

/** @param {TableApp} app */
export function asPython(app) {
  const { state, data } = app;
  const told = toldOf(app).map(({ name, kind }) => `${quoted(name)}: ${quoted(kind)}`).join(", ");
  const target = quoted(state.target ?? "");
  const isChanged = Boolean(data.model?.is_changed); // rows were corrected or forgotten: the file does not say so, the model does
  const lines = ["import bayesic as by", ""];
  if (isChanged) lines.push(`model = by.load(${quoted(`${state.learned}.bayes`)})  # the model as it was downloaded`);
  else lines.push(...readingOf(app), `model = by.${modelOf(app)}(${told && `columns={${told}}`}).fit(rows, y=${target})`);
  const loss = state.costs === null ? null : lossOf(state.costs, data.model?.classes ?? []);
  if (loss !== null) lines.push(`loss = ${loss}`);
  const how = [loss === null ? "" : ", loss=loss", state.reject === null ? "" : `, reject_loss=${state.reject}`].join("");
  if (!isChanged) lines.push(`print(by.evaluate(model, rows, ${target}, cv="leave-one-out"${how}))`);
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
    const text = at(state.cells, name) ?? was;
    return `${quoted(name)}: ${text === "" ? "None" : numbers.has(name) ? Number(text) : quoted(text)}`;
  });
  return `{${cells.join(", ")}}`;
}

const shell = (text) => (/^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Lines for a shell; null where the command has no such model. @param {TableApp} app */
export function asCommand(app) {
  const { state, data } = app;
  const model = at(data.profile?.commands ?? {}, modelOf(app));
  const isChanged = Boolean(data.model?.is_changed);
  if (model === undefined && !isChanged) return null;
  const [file, out] = [fileOf(app), `${isChanged ? state.learned : state.table}.bayes`];
  const told = toldOf(app).flatMap(({ name, kind }) => ["--columns", `${name}=${kind}`]);
  const [costs, how] = costsFor(app);
  const inEncoding = data.profile?.encoding ? ["--encoding", data.profile.encoding] : [];
  const lines = isChanged ? [] : [
    line("bayesic", "fit", file, "--target", state.target ?? "", "--model", model, ...told, ...inEncoding, "--out", out),
    ...costs, line("bayesic", "evaluate", out, file, "--leave-one-out", ...how, ...inEncoding),
  ];
  if (state.row !== null && data.answer?.cells) {
    const hasCells = Object.keys(state.cells).length > 0; // which no row of the file has
    const row = hasCells ? [`${state.table}-row.csv`] : [file, "--row", String(state.row), ...inEncoding];
    if (hasCells) lines.push(written(row[0], ...csvOf(app)));
    lines.push(line("bayesic", "explain", out, ...row, ...(state.answer === null ? [] : ["--answer", state.answer])));
  }
  return lines.map((one) => `${one}\n`).join("");
}

const line = (...words) => words.map(shell).join(" ");

/** The line that writes a file. @param {...string} lines */
const written = (file, ...lines) => `${line("printf", "%s\\n", ...lines)} > ${shell(file)}`;

/** The line that writes the costs to a file, if there are any, and the options that name them. @param {TableApp} app */
function costsFor({ state, data }) {
  const { costs, reject, table } = state;
  const file = `${table}-costs.json`;
  const classes = (data.model?.classes ?? []).map(String);
  const loss = costs === null ? null : Object.fromEntries(costs.actions.map((action, number) =>
    [action, Object.fromEntries(classes.map((label, place) => [label, costs.costs[number][place]]))]));
  return [loss === null ? [] : [written(file, JSON.stringify(loss))],
    [...(loss === null ? [] : ["--loss", file]), ...(reject === null ? [] : ["--reject", String(reject)])]];
}

/** The row with its changed cells, as the two lines of a table. @param {TableApp} app */
function csvOf({ state, data }) {
  const inQuotes = (text) => (/[",\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text);
  const { cells } = data.answer;
  return [cells.map(([name]) => name), cells.map(([name, was]) => at(state.cells, name) ?? was)]
    .map((texts) => texts.map(inQuotes).join(","));
}
