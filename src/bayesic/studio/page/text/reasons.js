// What weighs most: the prior and the words, as a bridge from the log odds before the text to those after it.

import { button, h, replace } from "../frame/dom.js";
import { say } from "../frame/words.js";
import { isFor, signed, strength } from "./pieces.js";

const FEW = 40; // lines that are shown at first

/** @param {TextApp} app */
export function createReasons(app, place) {
  /** @type {any[]} */
  let drawn = [];
  let showsAll = false;
  const showAll = () => { showsAll = true; app.render(); };
  return {
    render() {
      const inputs = [app.data.answer, app.state.language, app.state.model, showsAll];
      if (inputs.every((value, number) => value === drawn[number])) return;
      drawn = inputs;
      replace(place, app.state.model !== null && app.data.answer?.weights ? contents(app.data.answer, showsAll ? Infinity : FEW, showAll) : []);
    },
  };
}

/** @param {TextAnswer} answer */
function contents(answer, most, showAll) {
  const { weights, prior, log_odds, against } = answer;
  if (answer.classes.length < 2) return [];
  const lines = [
    h("tr", { class: "total", "data-prior": prior }, h("th", { scope: "row" }, say("before the text")), barOf(prior), h("td", {}, signed(prior, 4))),
    ...weights.slice(0, most).map(({ word, weight, times }) => h("tr", { "data-word": word, "data-weight": weight },
      h("th", { scope: "row" }, word, Number(times) > 1 && h("span", { class: "quiet" }, ` ×${times}`)), barOf(weight), h("td", {}, signed(weight, 4)))),
    h("tr", { class: "total", "data-log-odds": log_odds }, h("th", { scope: "row" }, say("log odds")), barOf(log_odds), h("td", {}, signed(log_odds, 4))),
  ];
  return [
    h("h2", {}, say("What weighs most"), " ", h("span", { class: "quiet" },
      h("span", { class: "key for" }, answer.answer), " ", h("span", { class: "key against" }, against ?? say("the rest")))),
    answer.impossible && h("p", { class: "mode" }, say("A word of probability 0 rules out every class.")),
    weights.length === 0 && h("p", { class: "quiet" }, say("No word of this text has been learned: the answer is that of the prior.")),
    h("div", { class: "scrolled bridge", tabindex: "0", role: "region", "aria-label": say("What weighs most") },
      h("table", {}, h("tbody", {}, lines)),
      weights.length > most && button(say("show all {0} words", weights.length), showAll, { class: "plain" })),
  ];
}

/** A bar from the middle: to the right for the answer, to the left against it. @param {Weight} weight */
function barOf(weight) {
  const bar = h("i", { class: isFor(weight) ? "for" : "against" });
  bar.style.width = `${50 * strength(weight)}%`;
  return h("td", { class: "from-middle" }, bar);
}
