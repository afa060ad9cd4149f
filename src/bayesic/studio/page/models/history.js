// What happened to the model, the latest first; rows are forgotten and corrected from here.

import { button, choice, h } from "../frame/dom.js";
import { say } from "../frame/words.js";
import { isLastPage, modelPath } from "./state.js";
import { timeOf } from "./when.js";

/** @type {import("./view.js").View} */
export const history = {
  id: "history",
  inputs: ({ data, state }) => [data.latest, data.model, state.model, state.seq, state.before],
  draw(app) {
    const { data, state } = app;
    if (state.model === null || !data.model?.name || !data.latest?.events) return [];
    /** @type {StoredEvent[]} */
    const events = data.latest.events;
    const turn = (before) => () => app.send({ kind: "history_turned", before });
    return [
      h("h2", {}, say("History")),
      h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": say("History") }, h("table", { class: "events history" },
        h("thead", {}, h("tr", {}, ["event", "when", "what", "row", "class"].map((name) => h("th", { scope: "col" }, say(name))), h("td", {}))),
        h("tbody", {}, events.map((event) => line(app, event))))),
      h("p", { class: "buttons" },
        button(say("newest"), turn(null), { disabled: state.before === null, "data-key": "newest" }),
        button(say("older"), turn(events.at(-1)?.seq), { disabled: isLastPage(events), "data-key": "older" })),
    ];
  },
};

// for the words of both languages: say("event") say("when") say("what") say("row") say("class")

const named = (op) => ({
  create: say("created"), learn: say("learned"), forget: say("forgotten"), correct: say("corrected"), leave: say("left its window"), adopt: say("recorded"),
}[op] ?? op);

/** @param {ModelsApp} app @param {StoredEvent} event */
function line(app, event) {
  const { seq, op, id, time, row, y } = event;
  const isChosen = app.state.seq === seq;
  const isRow = ["learn", "correct", "adopt"].includes(op);
  return h("tr", { "data-event": seq, "data-op": op, "data-id": id, class: isChosen ? "chosen" : "" },
    h("td", {}, button(String(seq), () => choose(app, isChosen ? null : seq),
      { class: "plain", "aria-pressed": isChosen, title: say("look at this point"), "data-key": `event ${seq}` })),
    h("td", { class: "quiet" }, timeOf(time)), h("td", {}, named(op)),
    h("td", { class: "row", title: id }, shortOf(row), id && h("span", { class: "id quiet" }, id)),
    h("td", {}, y === undefined || y === null ? "" : String(y)),
    h("td", { class: "acts" }, isRow && [
      button(say("forget"), () => change(app, "forget", { ids: [id] }), { class: "plain", "data-key": `forget ${seq}` }), corrections(app, event)]));
}

/** What follows is told above the history: bring it into view. @param {ModelsApp} app */
function choose(app, seq) {
  app.send({ kind: "point_chosen", seq });
  if (seq !== null) document.getElementById("point")?.scrollIntoView({ block: "center" });
}

/** @param {ModelsApp} app @param {StoredEvent} event */
function corrections(app, { seq, id, y }) {
  const { labels, classes } = app.data.model;
  if (classes.length < 2) return null;
  /** @type {[string, string][]} */
  const pairs = classes.map((name, number) => [String(number), name]).filter((_, number) => labels[number] !== y);
  const select = choice(say("correct event {0}", seq), [["", say("correct …")], ...pairs], "", (number) =>
    number && change(app, "correct", { id, y: labels[Number(number)] }));
  select.setAttribute("data-correct", String(seq));
  return select;
}

/** @param {ModelsApp} app */
async function change(app, verb, body) {
  const answer = await app.server.ask(`${modelPath(app.state.model ?? "")}/${verb}`, { body });
  if (answer.refused) app.refuse(answer.refused);
  return app.parts.again();
}

/** A row in a line. */
function shortOf(row) {
  if (row === undefined || row === null) return "";
  const text = typeof row === "string" ? row
    : Array.isArray(row) ? row.join(", ") : Object.entries(row).map(([name, cell]) => `${name}=${cell}`).join(", ");
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
