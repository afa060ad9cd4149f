// One row: from the prior to the posterior, cell by cell; and what if a cell were another one.

import { button, choice, h, replace, s, setAttribute, setText } from "../frame/dom.js";
import { at } from "../frame/maps.js";
import { refusal, refusalLine } from "../frame/refusals.js";
import { digits, percent, say } from "../frame/words.js";
import { scaleOf, signed } from "./bridge.js";
import { change } from "./learning.js";

/** @param {TableApp} app */
export function createRow(app, place) {
  let key = "";
  /** @type {{update: (answer: any) => void} | null} */
  let lines = null;
  return {
    render() {
      const { state, data } = app;
      const { answer } = data;
      const isKnown = state.learned !== null && state.row !== null;
      const next = JSON.stringify([state.learned, state.row, state.language, answer?.cells, answer?.classes, answer?.corrected, answer?.forgotten, state.answer]);
      if (isKnown && !(answer && data.profile?.columns)) return;
      if (next !== key) {
        key = next;
        lines = isKnown && answer.classes ? editor(app, place) : null;
        if (!lines) replace(place, isKnown ? refusalLine(answer.refused, undefined, { role: "alert" }) : hint(app));
      }
      if (lines && answer) lines.update(answer);
    },
  };
}

/** @param {TableApp} app */
function hint({ state }) {
  const sentence = state.learned === null
    ? say("Choose the column to predict, and press Learn.") : say("Click a row to see why it gets its answer.");
  return [h("h2", {}, say("Why?")), h("p", { class: "quiet" }, sentence)];
}

/** The row as lines that stay where they are while numbers change. @param {TableApp} app */
function editor(app, place) {
  const { answer } = app.data;
  const refused = h("p", { class: "refused", role: "alert" });
  const classes = answer.classes.map(() => ({ text: h("span", {}), bar: s("rect", { class: "bar", height: 10 }), number: h("td", { class: "number" }) }));
  const prior = step(say("prior"));
  const cells = answer.cells.map(([name, text]) => step(name, input(app, name, text)));
  const total = step(say("log odds"), null, "total");
  const headline = h("p", { class: "headline" });
  const decision = h("p", { class: "decision" });
  const restore = button(say("as in the file"), () => app.send({ kind: "cells_restored" }), { class: "plain" });
  replace(place, [
    ...head(app, answer), refused,
    h("table", { class: "posterior" }, h("tbody", {}, classes.map(({ text, bar, number }) => h("tr", {},
      h("th", { scope: "row" }, text), h("td", {}, s("svg", { width: "100%", height: 10, "aria-hidden": true }, bar)), number)))),
    decision, headline,
    h("div", { class: "bridge" }, [prior, ...cells, total].map(({ root }) => root)),
    h("p", { class: "buttons" }, restore),
  ]);
  return { update };

  /** @param {any} found */
  function update(found) {
    replace(refused, found.refused ? refusal(found.refused) : "");
    place.classList.toggle("is-old", Boolean(found.refused));
    for (const { field, name, was } of cells) {
      const text = at(app.state.cells, name) ?? was;
      if (document.activeElement !== field && field.value !== text) field.value = text;
      field.classList.toggle("changed", Object.hasOwn(app.state.cells, name));
    }
    restore.classList.toggle("hidden", Object.keys(app.state.cells).length === 0);
    if (found.refused) return;
    found.classes.forEach((label, number) => {
      const { text, bar, number: cell } = classes[number];
      setText(text, String(label));
      setAttribute(bar, "width", `${100 * found.probability[number]}%`);
      setAttribute(cell, "data-class", label);
      setAttribute(cell, "data-probability", found.probability[number]);
      setText(cell, percent(found.probability[number]));
    });
    setText(headline, compared(found));
    const { state } = app;
    const { action, actions, risks } = found.decision;
    decision.classList.toggle("hidden", state.costs === null && state.reject === null);
    setAttribute(decision, "data-action", action);
    setText(decision, say("with your costs: {0} ({1})", action, actions.map((name, number) => `${name} ${digits(risks[number], 3)}`).join(", ")));
    walk(found);
  }

  /** The bars, each from where the one before has ended. */
  function walk(found) {
    const weights = new Map(found.evidence.map(({ name, weight }) => [name, Number(weight)]));
    const scale = scaleOf([Number(found.prior_log_odds), ...cells.map(({ name }) => weights.get(name) ?? 0)]);
    prior.show(0, Number(found.prior_log_odds), scale);
    let at = Number(found.prior_log_odds);
    for (const cell of cells) {
      const weight = weights.get(cell.name) ?? 0;
      cell.show(at, weight, scale);
      at += Number.isFinite(weight) ? weight : 0;
    }
    total.show(0, Number(found.log_odds), scale);
  }
}

/** Which class is weighed against what. */
function compared({ answer, against, classes }) {
  if (classes.length === 1) return say("{0} is the only class.", answer);
  return against === null ? say("{0} against the rest", answer) : say("{0} rather than {1}", answer, against);
}

/** @param {TableApp} app */
function head(app, { label, corrected, forgotten, classes }) {
  const { row, answer } = app.state;
  const now = corrected ?? label;
  const all = /** @type {[string, string][]} */ (classes.map((one) => [String(one), String(one)]));
  return [
    h("div", { class: "facts" }, h("h2", {}, say("Row {0}", row ?? "")),
      h("span", { class: "quiet" }, forgotten ? say("forgotten") : ""),
      h("span", { class: "grow" }),
      forgotten ? label != null && button(say("learn it again"), () => change(app, "teach", { label: String(label) }), { class: "plain", "data-key": "teach" })
        : now != null && button(say("forget it"), () => change(app, "forget"), { class: "plain", "data-key": "forget" })),
    h("div", { class: "facts" },
      !forgotten && h("label", {}, say("label"), " ", choice(say("label"), [...(now == null ? [/** @type {[string, string]} */ (["", "—"])] : []), ...all], String(now ?? ""),
        (text) => change(app, now == null ? "teach" : "correct", { label: text }))),
      corrected != null && h("span", { class: "quiet" }, say("was {0}", label ?? "—")),
      h("span", { class: "grow" }),
      h("label", {}, say("why"), " ", choice(say("why this class"), [["", say("the predicted one")], ...all], answer ?? "",
        (text) => app.send({ kind: "answer_chosen", answer: text || null })))),
  ];
}

/** A line of the bridge. @param {any} [field] the cell, where it can be changed */
function step(name, field = null, kind = "") {
  const bar = s("rect", { y: 3, height: 10 });
  const from = s("line", { class: "from", y1: 0, y2: 16 });
  const zero = s("line", { class: "zero", y1: 0, y2: 16 });
  const number = h("output", { class: "number" });
  const root = h("div", { class: `step ${kind}`, role: "group", "aria-label": name, "data-step": name },
    h("span", { class: "name", title: name }, name), field ?? h("span", {}),
    s("svg", { width: "100%", height: 16, "aria-hidden": true }, zero, from, bar), number);
  return { root, name, field, was: field?.dataset.was ?? "", show };

  function show(at, weight, scale) {
    const [low, high] = [scale(Math.min(at, at + weight)), scale(Math.max(at, at + weight))];
    setAttribute(bar, "class", weight >= 0 ? "for" : "against");
    setAttribute(bar, "x", `${low}%`);
    setAttribute(bar, "width", `${Math.max(0.3, high - low)}%`);
    for (const [line, place] of /** @type {[any, number][]} */ ([[zero, 0], [from, at]])) {
      setAttribute(line, "x1", `${scale(place)}%`);
      setAttribute(line, "x2", `${scale(place)}%`);
    }
    setAttribute(root, "data-weight", weight);
    setText(number, signed(weight));
  }
}

/** The cell of a column, to be changed. @param {TableApp} app */
function input(app, name, was) {
  const column = app.data.profile.columns.find((one) => one.name === name) ?? {};
  const changed = (event) => app.send({ kind: "cell_changed", column: name, text: event.target.value, was, gesture: `cell ${name}` });
  const options = { "aria-label": name, "data-cell": name, "data-was": was };
  if (column.stored !== "number" && column.n_values <= column.bars?.length) {
    const levels = [...new Set(["", was, ...column.bars.map(([text]) => text)])];
    return h("select", { ...options, onchange: changed }, levels.map((text) => h("option", { value: text, selected: text === was }, text || "—")));
  }
  return h("input", { ...options, value: was, autocomplete: "off", spellcheck: "false", inputmode: column.stored === "number" ? "decimal" : null, oninput: changed });
}
