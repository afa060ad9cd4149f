// The answer: how probable each class is, and buttons to say which one it is.

import { button, h, replace } from "../frame/dom.js";
import { percent, say } from "../frame/words.js";
import { teach } from "./learning.js";

/** @param {TextApp} app */
export function createAnswer(app, place) {
  /** @type {any[]} */
  let drawn = [];
  const other = h("input", { "data-key": "new class", spellcheck: "false", autocomplete: "off" });
  const form = h("form", {
    class: "other",
    onsubmit: (event) => {
      event.preventDefault();
      const label = other.value.trim();
      if (label) teach(app, label).then(() => { other.value = ""; });
    },
  }, other, h("button", { type: "submit", "data-key": "learn new class" }));
  return {
    render() {
      const { data, state } = app;
      const inputs = [data.answer, data.ghost, data.taught, state.language, state.answer, state.model];
      if (inputs.every((value, number) => value === drawn[number])) return;
      drawn = inputs;
      other.placeholder = say("another class");
      other.setAttribute("aria-label", say("another class"));
      form.lastElementChild.textContent = say("learn");
      replace(place, contents(app, form));
    },
  };
}

/** @param {TextApp} app */
function contents(app, form) {
  const { data, state } = app;
  const { answer, ghost, taught } = data;
  if (state.model === null || !answer?.classes) return [];
  const isEmpty = answer.classes.length === 0;
  return [
    h("h2", {}, isEmpty ? say("This model has learned nothing yet.") : say("Which class")),
    isEmpty && h("p", {}, say("Type a text and name its class below, or learn from a folder or a table, on the right.")),
    h("table", { class: "classes" }, h("tbody", {}, answer.classes.map((one) => row(app, one, ghost)))),
    form,
    taught && h("p", { class: "taught", role: "status" }, said(taught), " ",
      taught.id && button(say("take it back"), () => taught.back(), { class: "plain" })),
    !isEmpty && h("p", { class: "quiet" }, say("Is the answer wrong, or right? Say which class it is: it is learned at once, and kept in the store.")),
  ];
}

/** What was learned, in words. */
const said = ({ done, label }) => ({
  learned: say("Learned as {0}.", label), corrected: say("Corrected: it is {0}.", label),
  already: say("It was learned as {0} already.", label), forgotten: say("Taken back."),
}[done]);

/** A class with its bar; behind it the bar before the last change. @param {TextApp} app */
function row(app, { name, probability }, ghost) {
  const { answer } = app.data;
  const before = ghost?.classes?.find((one) => one.name === name)?.probability;
  const isExplained = answer.answer === name;
  const choose = () => app.send({ kind: "answer_chosen", answer: isExplained || name === answer.predicted ? null : name });
  return h("tr", { class: name === answer.predicted ? "predicted" : "", "data-class": name, "data-probability": probability },
    h("th", { scope: "row" }, button(name, choose, {
      class: "plain", "aria-pressed": isExplained, title: say("explain this class"), "data-key": `class ${name}`,
    })),
    h("td", { class: "bar-cell" }, bar(before, "ghost"), bar(probability, "belief"), h("span", { class: "all-digits quiet" }, String(probability))),
    h("td", { class: "share" }, percent(probability)),
    h("td", { class: "teach" }, button(say("it is {0}", name), () => teach(app, name), { "data-key": `teach ${name}`, "data-teach": name })));
}

function bar(share, kind) {
  const element = h("i", { class: kind });
  element.style.width = `${100 * (share ?? 0)}%`;
  return element;
}
