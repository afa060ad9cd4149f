// Sentences of the library on the page. They are English; a Chinese page first says in Chinese what it can say itself.

import { h } from "./dom.js";
import { say, spoken } from "./words.js";

/**
 * @param {string} sentence of the library
 * @param {string} [own] the same in short, in the words of the page
 */
export function refusal(sentence, own = say("This cannot be done:")) {
  const english = h("span", { lang: "en" }, sentence);
  return spoken() === "en" ? [english] : [own, " ", english];
}

/** As a line of its own. @param {string} sentence @param {string} [own] @param {import("./dom.js").Attributes} [attributes] */
export const refusalLine = (sentence, own, attributes = {}) =>
  h("p", { class: "refused", ...attributes }, refusal(sentence, own));
