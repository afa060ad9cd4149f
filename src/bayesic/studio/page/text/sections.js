// The sections of the panel beside a text.

import { h } from "../frame/dom.js";
import { digits, say } from "../frame/words.js";
import { learnButtons } from "./empty.js";
import { signed, strength } from "./pieces.js";

/** @type {import("../frame/panel.js").Section} */
const model = {
  id: "model",
  title: ({ state }) => state.model ?? say("model"),
  inputs: ({ data }) => [data.model],
  draw({ data, state }) {
    const { texts, words, classes, name } = data.model;
    if (classes.length === 0) return [h("p", { class: "quiet" }, say("This model has learned nothing yet."))];
    return [
      h("p", {}, say("{0} texts, {1} different words", digits(texts, 7), words)),
      h("table", { class: "numbers" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("class")), h("th", { scope: "col" }, say("texts")))),
        h("tbody", {}, classes.map((one) => h("tr", { "data-texts": one.texts }, h("th", { scope: "row" }, one.name), h("td", {}, digits(one.texts, 7)))))),
      h("p", {}, h("a", { href: `/desk/models#${new URLSearchParams({ model: name })}` }, say("history, learning curve, drift"))),
    ];
  },
};

/** @type {import("../frame/panel.js").Section} */
const words = {
  id: "words",
  title: () => say("Most telling words"),
  inputs: ({ data }) => [data.model],
  draw: ({ data }) => {
    const classes = data.model.classes.filter((one) => one.words.length > 0);
    if (classes.length === 0) return [h("p", { class: "quiet" }, say("Two classes are needed: words tell one from the other."))];
    return classes.map((one) => h("table", { class: "ranking telling" }, h("caption", {}, say("for {0}", one.name)),
      h("tbody", {}, one.words.map(([word, weight]) => h("tr", { "data-telling": word, "data-of": one.name, "data-weight": weight },
        h("th", { scope: "row" }, word), h("td", {}, signed(weight)), h("td", {}, meter(strength(weight))))))));
  },
};

function meter(share) {
  const bar = h("i", { class: "meter" });
  bar.style.width = `${100 * share}%`;
  return bar;
}

/** @type {import("../frame/panel.js").Section} */
const learn = {
  id: "learn",
  title: () => say("Learn more texts"),
  inputs: () => [],
  draw: (app) => [
    h("p", { class: "quiet" }, say("A folder with one folder for each class (texts, mails, mailboxes), or a table with a column of texts and a column of classes.")),
    h("p", { class: "buttons" }, learnButtons(app)),
  ],
};

/** @type {[string, import("../frame/panel.js").Section[]][]} */
export const GROUPS = [["What is known", [model]], ["What follows", [words]], ["What to do", [learn]]];
