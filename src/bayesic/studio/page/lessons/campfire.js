// Storm, bus tour and campfire: a joint distribution from three small tables.

import { button, h, replace } from "../frame/dom.js";
import { digits, percent, say } from "../frame/words.js";
import { bar, giveOnce, slider } from "./controls.js";
import { prose } from "./lesson.js";
import { formula, of, over, P, sub, words } from "./mathml.js";

const VARIABLES = ["Storm", "BusTourGroup", "Campfire"];

/** What is observed, such as "?t?": a letter for each variable. @param {string} text */
const knownIn = (text) => Object.fromEntries(VARIABLES.flatMap((name, at) => (/[tf]/.test(text[at]) ? [[name, text[at] === "t"]] : [])));

/** @type {Lesson} */
export const campfire = {
  name: "campfire",
  title: () => say("Storm and campfire"),
  about: () => say("A Bayesian network: three small tables make a joint distribution."),
  start: { storm: "0.25", bus: "0.5", known: "???" },
  questions: ({ storm, bus, known }) => ({ answer: { path: "/lessons/campfire", body: { storm, bus, given: knownIn(known) } } }),
  create(app) {
    const sliders = [
      slider(app, "storm", { label: say("P(storm)"), min: 0, max: 1, step: 0.01 }),
      slider(app, "bus", { label: say("P(bus tour group)"), min: 0, max: 1, step: 0.01 }),
    ];
    const [beliefs, tables] = ["beliefs", "tables"].map((name) => h("div", { class: name }));
    return {
      children: [text(), h("div", { class: "work" }, beliefs, sliders.map(({ element }) => element), tables,
        h("p", { class: "buttons" }, button(say("open it on the network desk"), () => openNetwork(app))))],
      render() {
        sliders.forEach(({ update }) => update());
        replace(beliefs, VARIABLES.map((name, at) => card(app, name, at)));
        replace(tables, conditional(app.data.answer), joint(app.data.answer));
      },
    };
  },
};

const text = () => prose(
  say("Click a state: it was observed. A second click takes it back."),
  say("No campfire makes a storm more probable. That a bus tour is there says nothing of the storm by itself; together with the missing fire it says a lot."),
  say("Each variable has a table given its parents; the joint probability is the product. Rows that do not agree with what was observed drop out, and the rest is divided by its sum."),
  say("Source: Mitchell, Machine Learning, figure 6.3. The book prints the table of Campfire only; the two other numbers are yours."),
  formula(of("P", sub("y", "1"), ",", "…", ",", sub("y", "n")), "=", over("∏", "i"), P(sub("y", "i"), "|", words("Parents"), "(", sub("Y", "i"), ")")),
);

/** @param {LessonsApp} app */
async function openNetwork(app) {
  const { name, refused } = await app.server.ask("/documents", { body: { example: "campfire" } });
  if (refused) app.refuse(refused);
  else location.assign(`/desk/network#${new URLSearchParams({ document: name })}`);
}

/** @param {LessonsApp} app */
function card(app, name, at) {
  const { known } = app.state.given;
  const [yes, no] = app.data.answer.beliefs[name];
  const state = (letter, title, probability) => {
    const isKnown = known[at] === letter;
    const next = isKnown ? "?" : letter;
    return h("button", {
      type: "button", class: "state-of", "aria-pressed": isKnown, "data-variable": name, "data-state": letter, "data-probability": probability,
      "data-key": `${name} ${letter}`, onclick: () => giveOnce(app, { known: known.slice(0, at) + next + known.slice(at + 1) }),
    }, h("span", { class: "label" }, title), bar({ probability }, isKnown ? "known" : "belief"), h("span", { class: "figure" }, percent(probability)));
  };
  return h("section", { class: "card-of" }, h("h2", {}, say(name)), state("t", say("true"), yes), state("f", say("false"), no));
}

const word = (value) => h("td", { class: "word" }, value ? say("true") : say("false"));
const wordHead = (title) => h("th", { scope: "col", class: "word" }, title);
const numberHead = (title) => h("th", { scope: "col" }, title);

const conditional = ({ table }) => h("table", { class: "numbers" }, h("caption", {}, say("P(Campfire | Storm, BusTourGroup)")),
  h("thead", {}, h("tr", {}, [say("Storm"), say("BusTourGroup")].map(wordHead), [say("true"), say("false")].map(numberHead))),
  h("tbody", {}, table.map(({ storm, bus, probabilities }) => h("tr", { "data-row": `${storm} ${bus}` },
    [storm, bus].map(word), probabilities.map((one) => h("td", { "data-probability": one }, digits(one)))))));

const joint = ({ joint: rows, evidence }) => h("table", { class: "numbers" },
  h("caption", {}, say("The joint distribution. P(what was observed) = {0}", digits(evidence))),
  h("thead", {}, h("tr", {}, VARIABLES.map((name) => wordHead(say(name))), [say("product"), "P"].map(numberHead))),
  h("tbody", {}, rows.map(({ states, factors, probability, agrees }) => h("tr", { class: agrees ? null : "unused", "data-states": states.join(" ") },
    states.map(word), h("td", {}, factors.map((factor) => digits(factor)).join(" · ")),
    h("td", { "data-probability": probability }, digits(probability))))));
