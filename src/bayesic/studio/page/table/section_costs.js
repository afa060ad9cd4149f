// Costs: what each action costs in each class, and what it costs to take none; and what is best to do then.

import { button, h, s } from "../frame/dom.js";
import { digits, say } from "../frame/words.js";

/** @type {import("../frame/panel.js").Section} */
export const costs = {
  id: "costs",
  title: () => say("Costs"),
  inputs: ({ state, data }) => [state.learned, state.costs, state.reject, data.model?.classes, data.evaluation],
  draw(app) {
    const { state, data } = app;
    const classes = data.model?.classes;
    if (state.learned === null || !classes) return [h("p", { class: "quiet" }, say("Learn first."))];
    const found = data.evaluation;
    const follows = found && !found.refused ? [regions(found, classes), ...actions(found)] : [];
    return [grid(app, classes), rejecting(app), ...follows];
  },
};

/** A mistake costs 1. @returns {Costs} */
const usual = (classes) => ({
  actions: classes.map(String), costs: classes.map((_, action) => classes.map((__, other) => Number(action !== other))),
});

/** @param {TableApp} app */
function grid(app, classes) {
  const now = app.state.costs ?? usual(classes);
  const send = (next) => app.send({ kind: "costs_set", costs: next });
  const setCost = (action, place) => ({ target }) => {
    const value = Number(target.value);
    if (target.value === "" || !Number.isFinite(value)) return;
    send({ ...now, costs: now.costs.map((row, number) => (number === action ? row.map((cost, other) => (other === place ? value : cost)) : row)) });
  };
  const rename = (action) => ({ target }) => target.value
    && send({ ...now, actions: now.actions.map((name, number) => (number === action ? target.value : name)) });
  const drop = (action) => () => send({
    actions: now.actions.filter((_, number) => number !== action), costs: now.costs.filter((_, number) => number !== action),
  });
  return h("div", {}, h("table", { class: "costs" },
    h("caption", {}, say("what an action costs, if the class is")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("action")), classes.map((label) => h("th", { scope: "col" }, label)), h("td", {}))),
    h("tbody", {}, now.actions.map((name, action) => h("tr", {},
      h("th", { scope: "row" }, h("input", { value: name, "aria-label": say("name of action {0}", action + 1), onchange: rename(action), "data-key": `action ${action}` })),
      classes.map((label, place) => h("td", {}, h("input", {
        type: "number", step: "any", value: now.costs[action]?.[place] ?? 0, "aria-label": say("cost of {0} if {1}", name, label),
        "data-cost": `${name}|${label}`, "data-key": `cost ${action} ${place}`, onchange: setCost(action, place),
      }))),
      h("td", {}, now.actions.length > 1 && button("×", drop(action), { class: "plain", "aria-label": say("drop {0}", name) })))))),
  h("p", { class: "buttons" },
    button(say("one more action"), () => send({ actions: [...now.actions, say("action {0}", now.actions.length + 1)], costs: [...now.costs, classes.map(() => 0)] }), { class: "plain" }),
    app.state.costs !== null && button(say("each mistake costs 1"), () => send(null), { class: "plain" })));
}

/** @param {TableApp} app */
const rejecting = (app) => h("p", {}, h("label", {}, say("to take no action (reject) costs"), " ", h("input", {
  type: "number", step: "any", value: app.state.reject ?? "", placeholder: "—", "data-reject": "", "data-key": "reject",
  onchange: ({ target }) => app.send({ kind: "reject_set", reject: target.value === "" ? null : Number(target.value) }),
})));

/** Of two classes: which action is best, from certainty of the one to certainty of the other. */
function regions({ regions: found }, classes) {
  if (found.length === 0) return null;
  const names = [...new Set(found.map(({ action }) => String(action)))];
  return h("figure", {},
    s("svg", { class: "regions", width: "100%", height: 26, role: "img", "aria-label": say("what is best to do, by P({0})", classes[1]) },
      found.map(({ action, from, to }) => s("rect", {
        class: `region-${names.indexOf(String(action)) % 4}`, x: `${100 * from}%`, width: `${Math.max(0.2, 100 * (to - from))}%`, height: 16,
        "data-region": action, "data-from": from, "data-to": to,
      }, s("title", {}, `${action}: ${digits(from, 3)} – ${digits(to, 3)}`)))),
    h("figcaption", { class: "quiet" }, say("what is best to do, by P({0})", classes[1]), h("ul", { class: "legend" },
      names.map((name, number) => h("li", {}, h("span", { class: `dot region-${number % 4}` }), name)))));
}

/** How many rows get which action. */
const actions = ({ actions: counts, expected_cost: cost }) => !counts ? [] : [
  h("table", { class: "numbers", "data-actions": "" }, h("tbody", {}, Object.entries(counts).map(([name, count]) =>
    h("tr", {}, h("th", { scope: "row" }, name), h("td", { "data-action": name, "data-count": count }, count))))),
  h("p", {}, say("expected cost of a row"), " ", h("output", { "data-expected-cost": cost }, digits(cost, 4))),
];
