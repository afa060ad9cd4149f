// What a screen reader is told when something has changed that others see.

import { at } from "../frame/maps.js";
import { duration, percent, say } from "../frame/words.js";
import { clashText, evidenceText } from "./evidence_text.js";

const MOST_STATES = 6;

/** @param {App} app */
export function createSpoken(app) {
  /** @type {{answer: any, version: any}} */
  let told = { answer: null, version: null };
  return {
    render() {
      const { answer, network, isSlow } = app.data;
      if (!network?.variables) return;
      if (isSlow) app.announce(say("computing …"));
      else if (answer && answer !== told.answer && isWhole(answer, network)) {
        const isFirst = told.answer === null;
        const isEdited = !isFirst && answer.version !== told.version;
        told = { answer, version: answer.version };
        if (!isFirst) app.announce([isEdited && changeText(app), answerText(app)].filter(Boolean).join(" "));
      }
    },
  };
}

/** Whether network and answer have both arrived after an edit. @param {Answer} answer @param {Network} network */
const isWhole = (answer, network) => answer.version === undefined || answer.version === network.version;

/** @param {App} app */
const changeText = ({ data: { network } }) =>
  say("The network has changed: {0} variables, {1} edges.", network.variables.length, network.edges.length);

/** @param {App} app */
function answerText({ state, data }) {
  const { answer, network } = data;
  const known = say("Known: {0}.", evidenceText(state.evidence, network.variables));
  if (answer.impossible) return state.panels.evidence ? "" : clashText(answer.impossible); // the alert there tells it
  if (answer.costly) return `${known} ${say("The exact answer takes {0}; samples are offered below.", duration(answer.costly.seconds))}`;
  return `${known} ${beliefText(state.target ?? state.selected, answer, network)}`.trim();
}

/** @param {Answer} answer @param {Network} network */
function beliefText(name, answer, network) {
  const variable = network.variables.find((one) => one.name === name);
  const probabilities = at(answer.probabilities, name);
  if (!variable || !probabilities) return "";
  const states = variable.states.slice(0, MOST_STATES).map((text, state) => `${text} ${percent(probabilities[state])} %`);
  return `${name}: ${states.join(", ")}.`;
}
