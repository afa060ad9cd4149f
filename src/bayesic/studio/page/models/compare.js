// Two models on the same rows: how good each is, and where they differ.

import { openDialog } from "../frame/dialogs.js";
import { button, choice, h } from "../frame/dom.js";
import { chooseFile, sendTable } from "../frame/files.js";
import { refusalLine } from "../frame/refusals.js";
import { digits, percent, say } from "../frame/words.js";
import { modelPath } from "./state.js";

/** @type {import("./view.js").View} */
export const compare = {
  id: "compare",
  inputs: ({ data, state }) => [data.compared, data.model, data.models, state.model, state.other],
  draw(app) {
    const { data, state } = app;
    if (state.model === null || !data.model?.predicts) return [];
    const others = (data.models?.models ?? []).filter((one) => one.predicts && one.name !== state.model && one.is_text === data.model.is_text);
    const title = h("h2", {}, say("Compare with another model"));
    if (others.length === 0) return [title, h("p", { class: "quiet" }, say("There is no other model of this kind of rows. A copy of a point, above, makes one."))];
    const other = others.some((one) => one.name === state.other) ? state.other : others[0].name;
    return [
      title,
      h("p", { class: "buttons" }, choice(say("the other model"), others.map((one) => [one.name, `${one.kind} · ${one.name}`]), other, (name) => app.send({ kind: "other_chosen", other: name })),
        button(say("on the rows that {0} knows", `${data.model.kind} · ${state.model}`), () => ask(app, other), { class: "main", "data-key": "compare" }),
        button(say("on a table …"), () => chooseFile(([file]) => file && askTable(app, other, file)), { "data-key": "compare table" })),
      h("p", { class: "quiet" }, say("A row that a model has learned is judged as if it had not learned it.")),
      data.compared && (data.compared.refused ? refusalLine(data.compared.refused, undefined, { role: "alert" }) : result(data.compared)),
    ];
  },
};

/** @param {ModelsApp} app */
async function ask(app, other) {
  app.data.compared = await app.server.ask(`${modelPath(app.state.model ?? "")}/compare`, { body: { with: other } }, "-compare");
  app.render();
}

/** @param {ModelsApp} app @param {File} file */
async function askTable(app, other, file) {
  /** @type {Blob} */
  let bytes = file;
  const named = `name=${encodeURIComponent(file.name)}`;
  const found = await sendTable(file, (table) => app.server.ask(`/text-columns?${named}`, { bytes: bytes = table }));
  if (found.refused) return app.refuse(found.refused, say("{0} cannot be read.", file.name));
  const chosen = { text: found.text, label: found.label ?? found.text };
  const isText = app.data.model.is_text;
  const pairs = found.columns.map(({ name }) => [name, name]);
  const line = (title, field) => h("p", {}, h("label", {}, title, " ", choice(title, pairs, chosen[field], (name) => { chosen[field] = name; })));
  const run = async () => {
    const query = new URLSearchParams({ with: other, name: file.name, label: chosen.label, ...(isText && { text: chosen.text }) });
    dialog.close();
    app.data.compared = await app.server.ask(`${modelPath(app.state.model ?? "")}/compare?${query}`, { bytes }, "-compare");
    app.render();
  };
  const dialog = openDialog(say("Compare on {0}", file.name), [
    isText && line(say("column with the texts"), "text"), line(say("column with the classes"), "label"),
    h("div", { class: "buttons" }, button(say("cancel"), () => dialog.close()), button(say("compare"), run, { class: "main" })),
  ], { class: "small" });
  return dialog;
}

function result({ models, rows, n_differ: nDiffer, differ }) {
  const measures = [["accuracy", say("accuracy")], ["log_loss", say("log loss")], ["brier_score", say("Brier score")], ["left_out", say("rows left out")]];
  const heads = () => models.map(({ name, kind }) => h("th", { scope: "col" }, kind, h("span", { class: "of-model quiet" }, name)));
  return h("div", {},
    h("table", { class: "numbers compared" },
      h("caption", {}, say("{0} rows, {1} of them answered differently", rows, nDiffer)),
      h("thead", {}, h("tr", {}, h("td", {}), heads())),
      h("tbody", {}, measures.map(([measure, title]) => h("tr", {}, h("th", { scope: "row" }, title),
        models.map((one) => h("td", { "data-compared": one.name, "data-measure": measure, "data-value": one[measure] },
          one[measure] === undefined ? "–" : digits(Number(one[measure]), 6))))))),
    models.map(({ name, kind, is_flattered: isFlattered }) => isFlattered
      && h("p", { class: "quiet", "data-flattered": name }, say("{0} · {1} also knows rows that cannot be left out; they flatter it. A table of new rows is the fair test.", kind, name))),
    differ.length > 0 && h("div", { class: "wide", tabindex: "0", role: "region", "aria-label": say("where they differ") }, h("table", { class: "events differ" },
      h("caption", {}, say("Where they differ: the answer of each, and how probable the truth was to it")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("row")), h("th", { scope: "col" }, say("truth")), heads())),
      h("tbody", {}, differ.map((one) => h("tr", { "data-differ": one.id }, h("td", { class: "row", title: one.id }, one.row), h("td", {}, one.truth),
        one.answers.map((answer, number) => h("td", { class: answer === one.truth ? "right" : "wrong" }, answer, h("span", { class: "quiet" }, ` ${percent(one.probabilities[number])}`)))))))));
}
