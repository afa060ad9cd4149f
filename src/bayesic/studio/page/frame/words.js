// The words of the page: English in the source, other languages by the English sentence.

import { at } from "./maps.js";

let language = "en";
/** @type {Object<string, string>} English sentence -> Chinese */
let chinese = {};

/** Fetch what a language needs before it is spoken on a desk. */
export async function loadWords(name, desk) {
  if (name !== "zh") return;
  const parts = ["frame", desk].map(async (folder) => (await fetch(`/studio/page/${folder}/chinese.json`)).json());
  chinese = Object.assign({}, ...await Promise.all(parts));
}

/** The language of the page now. */
export const spoken = () => language;

/** Speak a language from now on. */
export function speak(name) {
  language = name;
  document.documentElement.lang = name === "zh" ? "zh-CN" : "en";
}

const SEVERAL = /\{(\d)\} (bit|class|row|step|text|value|variable)(?:es|s)\b/g;

/**
 * A sentence in the language of the page; {0}, {1} are replaced by values.
 * @param {...(string | number)} values
 */
export function say(sentence, ...values) {
  const text = language === "zh" ? at(chinese, sentence) ?? sentence : sentence.replace(SEVERAL, (found, number, noun) =>
    (String(values[number]) === "1" ? `{${number}} ${noun}` : found));
  return text.replace(/\{(\d)\}/g, (_, number) => String(values[Number(number)]));
}

/** A probability in percent, as it stands beside a bar: 68.8. Only 0 is "0", and only 1 is "100". */
export function percent(probability) {
  if (probability === 0) return "0";
  if (probability === 1) return "100";
  if (probability < 0.0005) return "<0.1";
  if (probability >= 0.9995) return ">99.9";
  return (100 * probability).toFixed(1);
}

/** A number with so many digits that count. */
export function digits(value, digits = 4) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size < 1e-4 || size >= 1e7 ? value.toExponential(digits - 1) : String(Number(value.toPrecision(digits)));
}

/** A probability given as its logarithm; far below what a number can hold it is a power of ten. */
export function fromLogarithm(logarithm) {
  if (logarithm > -600) return digits(Math.exp(logarithm));
  return `1e${Math.round(logarithm / Math.LN10)}`;
}

export function duration(seconds) {
  if (seconds < 1) return say("under a second");
  if (seconds < 100) return say("about {0} s", Math.round(seconds));
  if (seconds < 6000) return say("about {0} minutes", Math.round(seconds / 60));
  return say("hours");
}
