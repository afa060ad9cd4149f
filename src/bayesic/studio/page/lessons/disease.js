// A disease and two tests: what a positive result means.

import { h, replace } from "../frame/dom.js";
import { percent, say } from "../frame/words.js";
import { bar, oneOf, slider } from "./controls.js";
import { prose } from "./lesson.js";
import { formula, fraction, number, over, P, row } from "./mathml.js";

/** @type {Lesson} */
export const disease = {
  name: "disease",
  title: () => say("A disease and two tests"),
  about: () => say("What a positive result means: prior, likelihood, posterior."),
  start: { prior: "0.008", sensitivity: "0.98", specificity: "0.97", first: "+", second: "+" },
  questions: ({ prior, sensitivity, specificity, first, second }) => ({
    answer: { path: "/lessons/disease", body: { prior, sensitivity, specificity, results: first + second } },
  }),
  create(app) {
    const controls = [
      slider(app, "prior", { label: say("how many have the disease"), min: 0, max: 1, step: 0.001 }),
      slider(app, "sensitivity", { label: say("the ill who test positive"), min: 0, max: 1, step: 0.01 }),
      slider(app, "specificity", { label: say("the healthy who test negative"), min: 0, max: 1, step: 0.01 }),
      oneOf(app, "first", say("first test"), [["+", say("positive")], ["-", say("negative")]]),
      oneOf(app, "second", say("second test"), [["+", say("positive")], ["-", say("negative")], ["", say("none")]]),
    ];
    const steps = h("div", { class: "steps" });
    return {
      children: [text(), h("div", { class: "work" }, controls.map(({ element }) => element), steps)],
      render() {
        controls.forEach(({ update }) => update());
        replace(steps, app.data.answer.steps.map(drawn));
      },
    };
  },
};

const text = () => prose(
  say("Move the sliders, and change what each test says."),
  say("With the numbers of the book, one positive test leaves the disease improbable. Only the second one makes it probable."),
  say("The disease is rare, so most positive results come from the many who are healthy. What follows from the first test is the prior of the second."),
  say("Source: Mitchell, Machine Learning, section 6.2."),
  formula(P("h", "|", "D"), "=", fraction(
    row(P("D", "|", "h"), P("h")), row(over("∑", "h′"), P("D", "|", "h′"), P("h′")))),
);

function drawn(step, place) {
  const names = [say("disease"), say("no disease")];
  const [best, likely] = [step.most_probable, step.most_likely].map((which) => (which === null ? say("neither") : names[which]));
  return h("section", { "data-step": place, "data-result": step.result },
    h("h2", {}, [say("First test"), say("Second test")][place], ": ", step.result === "+" ? say("positive") : say("negative")),
    h("table", { class: "numbers" },
      h("thead", {}, h("tr", {}, [h("td", {}), ...[say("prior"), say("likelihood"), say("product"), say("posterior")]
        .map((title) => h("th", { scope: "col" }, title))])),
      h("tbody", {}, names.map((name, which) => h("tr", { "data-hypothesis": which },
        h("th", { scope: "row" }, name),
        [step.prior, step.likelihood, step.joint, step.posterior].map((column) =>
          h("td", {}, number(column[which]), h("small", {}, column[which].decimal))))))),
    h("p", { class: "belief" }, bar({ probability: step.posterior[0].value }),
      h("output", { "data-probability": step.posterior[0].value }, `${percent(step.posterior[0].value)} %`)),
    h("p", { class: "quiet" }, say("Most probable (MAP): {0}. Most likely (ML): {1}.", best, likely)));
}
