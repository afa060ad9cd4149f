// Evidence as people write it.

import { refusalLine } from "../frame/refusals.js";
import { digits, percent, say } from "../frame/words.js";

/**
 * A line for each variable of which something is known.
 * @param {Evidence} evidence
 * @param {Variable[]} variables
 */
export function evidenceLines(evidence, variables) {
  const states = new Map(variables.map((variable) => [variable.name, variable.states]));
  const of = (variable, state) => states.get(variable)?.[state] ?? "?";
  const line = (kind, variable, text) => ({ variable, text, kind });
  return [
    ...Object.entries(evidence.do).map(([variable, state]) => line("do", variable, `do(${variable} = ${of(variable, state)})`)),
    ...Object.entries(evidence.given).map(([variable, state]) => line("given", variable, `${variable} = ${of(variable, state)}`)),
    ...Object.entries(evidence.some).map(([variable, some]) => line("some", variable, someText(variable, some, states.get(variable) ?? []))),
    ...Object.entries(evidence.becomes).map(([variable, values]) => line("becomes", variable,
      `${variable} → ${values.map((value, state) => `${of(variable, state)} ${percent(value)} %`).join(" : ")}`)),
    ...Object.entries(evidence.likelihoods).map(([variable, values]) => line("likelihoods", variable,
      `${variable} ~ ${values.map((value, state) => `${of(variable, state)} ${digits(value)}`).join(" : ")}`)),
  ];
}

function someText(variable, some, states) {
  const missing = states.filter((_, state) => !some.includes(state));
  return missing.length === 1
    ? `${variable} ≠ ${missing[0]}`
    : `${variable}: ${some.map((state) => states[state]).join(say(" or "))}`;
}

/** What clashes, in the words of the page. @param {{variables: string[]}} impossible */
export const clashText = ({ variables }) => say("These cannot be true together: {0}.", variables.join(say(", ")));

/** Why there is no answer. @param {Partial<Answer>} answer @param {import("../frame/dom.js").Attributes} [attributes] */
export const refused = ({ refused: sentence, impossible }, attributes) =>
  refusalLine(impossible?.sentence ?? sentence ?? "", impossible && clashText(impossible), attributes);

/** In one line. @param {Evidence} evidence @param {Variable[]} variables */
export const evidenceText = (evidence, variables) =>
  evidenceLines(evidence, variables).map(({ text }) => text).join(", ") || say("nothing known");
