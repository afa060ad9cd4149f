// Learn tables or edges from cases, with edges that must or must not be.

import { button, choice, h } from "../frame/dom.js";
import { learnFrom } from "./files.js";
import { refusalLine } from "../frame/refusals.js";
import { say } from "../frame/words.js";

let edge = ["", ""]; // that is being chosen by name
let wish = { what: "tables", smoothing: 1, method: "count" };

/** @type {import("../frame/panel.js").Contents} */
export const contents = {
  inputs: ({ state, data }) => [state.cases, state.constraints, state.drawing, data.learned, wish],
  draw(app) {
    const { state, data } = app;
    if (state.cases === null) return [h("p", { class: "quiet" }, say("Open a table of cases first."))];
    const change = (part) => { wish = { ...wish, ...part }; app.render(); };
    return [
      h("p", {}, h("label", {}, say("learn"), " ", choice(say("learn"),
        [["tables", say("tables")], ["structure", say("edges and tables")]], wish.what, (what) => change({ what })))),
      h("p", {}, h("label", {}, say("smoothing"), " ", h("input", {
        type: "number", min: 0, step: "any", value: wish.smoothing, "data-key": "smoothing",
        onchange: (event) => { wish = { ...wish, smoothing: Number(event.target.value) }; },
      }))),
      wish.what === "tables" && h("p", {}, h("label", {}, h("input", {
        type: "checkbox", checked: wish.method === "em", "data-key": "em",
        onchange: (event) => change({ method: event.target.checked ? "em" : "count" }),
      }), " ", say("fill missing values by EM"))),
      wish.what === "structure" && constraints(app),
      button(say("learn from {0}", state.cases), () => learnFrom(app, wish), { class: "main", "data-key": "learn" }),
      data.learned && (data.learned.refused ? refusalLine(data.learned.refused, undefined, { role: "status" })
        : h("p", { class: "quiet", role: "status" }, data.learned.sentence)),
    ];
  },
};

/** @param {App} app */
function constraints(app) {
  const { state } = app;
  const list = (name, title) => [
    button(title, () => app.send({ kind: "drawing_begun", list: state.drawing === name ? null : name }), { "aria-pressed": state.drawing === name, "data-key": name }),
    h("ul", { class: "lines" }, state.constraints[name].map((edge) => h("li", { class: name }, `${edge[0]} → ${edge[1]}`,
      button("×", () => app.send({ kind: "constraint_drawn", list: null, edge }), { class: "plain", "aria-label": say("Forget {0}", edge.join(" → ")) })))),
  ];
  return h("div", {},
    state.drawing !== null && h("p", { class: "mode" }, say("Drag from the dot below a card to another card.")),
    list("demanded", say("draw required edges")), list("forbidden", say("draw forbidden edges")),
    byName(app));
}

/** The same without a mouse. @param {App} app */
function byName(app) {
  const names = /** @type {[string, string][]} */ (app.data.network.variables.map(({ name }) => [name, name]));
  const chooser = (label, end) => choice(label, [["", label], ...names], edge[end], (name) => { edge = edge.with(end, name); });
  const put = (list) => () => {
    if (edge[0] === "" || edge[1] === "" || edge[0] === edge[1]) return;
    app.send({ kind: "constraint_drawn", list, edge });
  };
  return h("p", {}, chooser(say("from"), 0), " → ", chooser(say("to"), 1), " ",
    button(say("require"), put("demanded")), " ", button(say("forbid"), put("forbidden")));
}
