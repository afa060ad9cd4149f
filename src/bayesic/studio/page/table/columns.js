// The columns of the table as rows: target, kind, what is missing, a small picture, bits, a warning.

import { choice, h, s } from "../frame/dom.js";
import { at } from "../frame/maps.js";
import { digits, say } from "../frame/words.js";
import { modelOf } from "./learning.js";

const WIDTH = 112;
const HEIGHT = 22;

/** @returns {Object<string, string>} */
const looks = () => ({
  identifier: say("an identifier?"), count: say("row numbers?"), date: say("a date?"), text: say("a text?"),
});

export const columnsView = {
  id: "columns",
  title: () => say("Columns"),
  /** @param {TableApp} app */
  inputs: (app) => [app.data.profile, app.state.target, app.state.kinds, modelOf(app)],
  /** @param {TableApp} app */
  draw(app) {
    const { profile } = app.data;
    const most = Math.max(1e-9, ...profile.columns.map(({ bits }) => bits ?? 0));
    return [
      h("table", { class: "grid-table columns-table" },
        h("thead", {}, h("tr", {}, [
          say("target"), say("column"), say("kind"), say("missing"), say("values"), say("bits"), say("note"),
        ].map((title) => h("th", { scope: "col" }, title)))),
        h("tbody", {}, profile.columns.map((column) => line(app, column, most)))),
      h("p", { class: "quiet" }, note(profile)),
    ];
  },
};

const note = ({ n_rows: rows, n_shown: shown, target, entropy }) => [
  rows === shown ? say("{0} rows", rows) : say("{0} rows; pictures and bits are of {1} of them", rows, shown),
  target !== null && entropy != null ? ` · ${say("entropy of {0}: {1} bits", target, digits(entropy, 4))}` : "",
].join("");

/** @param {TableApp} app */
function line(app, column, most) {
  const { name, missing, look, bits } = column;
  const isTarget = name === app.state.target;
  return h("tr", { class: isTarget ? "is-target" : column.kind === "ignore" ? "is-ignored" : "", "data-column": name },
    h("td", {}, h("input", {
      type: "radio", name: "target", checked: isTarget, "aria-label": say("predict {0}", name), "data-key": `target ${name}`,
      onchange: () => app.send({ kind: "target_chosen", target: name }),
    })),
    h("th", { scope: "row" }, name),
    h("td", {}, isTarget ? say("target") : kindChoice(app, column)),
    h("td", { class: "number", "data-missing": missing, "data-word": say("missing") }, missing === 0 ? "" : missing),
    h("td", {}, picture(column)),
    h("td", { class: "number" }, bits == null ? "" : [
      h("span", { "data-bits": bits }, bits.toFixed(4)),
      s("svg", { class: "meter-cell", width: 44, height: 9, "aria-hidden": true },
        s("rect", { class: "bar", width: Math.max(0, 44 * bits) / most, height: 9 })),
    ]),
    h("td", { class: "note" }, look ? looks()[look] : ""));
}

/** @param {TableApp} app */
function kindChoice(app, { name, kind, found }) {
  const known = at(app.data.profile.models, modelOf(app)) ?? [];
  const words = (text) => say(text);
  const own = at(app.state.kinds, name) ?? "";
  const automatic = own === "" && kind !== null ? kind : found;
  const choices = /** @type {[string, string][]} */ ([
    ["", automatic ? say("{0} (automatic)", kindName(automatic)) : say("automatic")],
    ...known.map((each) => [each, kindName(each)]),
    ...(own !== "" && !known.includes(own) ? [[own, words(own)]] : []),
  ]);
  return choice(say("kind of {0}", name), choices, own, (chosen) => app.send({ kind: "kind_chosen", column: name, chosen }));
}

const kindName = (kind) => at({
  categorical: say("categories"), gaussian: say("normal"), kernel: say("density"), binned: say("bins"), poisson: say("counts"),
  bernoulli: say("yes or no"), text: say("text"), ignore: say("left out"),
}, kind) ?? kind;

function picture({ bars, n_values: values, name }) {
  const most = Math.max(1, ...bars.map(([, count]) => count));
  const step = WIDTH / Math.max(bars.length, 8);
  return s("svg", { class: "picture", width: WIDTH, height: HEIGHT, role: "img", "aria-label": say("{0}: {1} values", name, values) },
    bars.map(([text, count], number) => s("rect", {
      class: "bar", x: number * step, width: Math.max(1, step - 1), y: HEIGHT - (HEIGHT * count) / most, height: (HEIGHT * count) / most,
    }, s("title", {}, `${text}: ${count}`))));
}
