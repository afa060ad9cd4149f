// Three tours of a minute each: where each step is, what to do there, and why.

import { placeOf } from "./server.js";
import { say } from "./words.js";

/**
 * @typedef {{on: string, hash?: string, show?: string, text: () => string, why: () => string}} TourStep
 *   on: the desk; hash: what is opened there, if it is another desk than before; show: what to look at
 * @typedef {{title: () => string, about: () => string, example?: string, steps: TourStep[]}} Tour
 *   example: the network that the first step needs
 */

const state = (variable, name) => `.state[data-variable="${variable}"][data-state="${name}"]`;

/** @type {Object<string, Tour>} */
export const TOURS = {
  clinic: {
    title: () => say("A clinic"),
    about: () => say("observe, and see what follows"),
    example: "asia",
    steps: [
      {
        on: "network", show: state("dysp", "yes"),
        text: () => say("A patient is short of breath. Click “yes” on the card “dysp”."),
        why: () => say("Orange is what you know. Blue bars are what follows from it, the pale bars behind them what was believed before."),
      },
      {
        on: "network", show: '.card[data-variable="bronc"]',
        text: () => say("Look at “bronc”, “lung” and “tub”: all three have risen."),
        why: () => say("Bronchitis is by far the most probable cause, because it is frequent. Nothing was computed by hand: Bayes' rule runs against the arrows."),
      },
      {
        on: "network", show: state("xray", "yes"),
        text: () => say("The X-ray shows something. Click “yes” on the card “xray”."),
        why: () => say("Lung cancer rises, and bronchitis falls: one cause explains the other away."),
      },
      {
        on: "network", show: "#section-ask-next",
        text: () => say("What should be asked next? Open “What to ask next” in the panel, and choose “lung”."),
        why: () => say("The list says how many bits each answer would tell about lung cancer."),
      },
      {
        on: "network", show: state("smoke", "no"),
        text: () => say("The patient does not smoke: click “no” on the card “smoke”. Then try “yes” on “asia”."),
        why: () => say("Now tuberculosis becomes the best explanation. A click on something orange takes it back."),
      },
      {
        on: "lessons", hash: "lesson=disease", show: "[data-field=prior]",
        text: () => say("The same rule with one disease and two tests. Move the first slider."),
        why: () => say("Every number of the studio is computed in this way. That was the tour; the lessons have more."),
      },
    ],
  },
  costs: {
    title: () => say("A table with costs"),
    about: () => say("learn, explain, decide"),
    steps: [
      {
        on: "table", hash: "example=tennis", show: "[data-key=learn]",
        text: () => say("Fourteen days, and whether tennis was played. The target is chosen already: click “Learn”."),
        why: () => say("Learning is counting: each column gets a small table for each answer."),
      },
      {
        on: "table", show: "[data-row]",
        text: () => say("Click a row."),
        why: () => say("The bars go from the prior to the answer. Each is the weight of evidence of one cell, and they add up to the log odds."),
      },
      {
        on: "table",
        text: () => say("Change a cell of this row, and watch the probability."),
        why: () => say("So you see what the answer depends on. The row itself stays as it was."),
      },
      {
        on: "table", show: "#section-costs",
        text: () => say("Set costs: 5 for playing in bad weather, 1 for a missed game."),
        why: () => say("The best action is the one that costs least on average. It need not be the most probable answer."),
      },
    ],
  },
  mails: {
    title: () => say("Mails"),
    about: () => say("type, see which words count, correct"),
    steps: [
      {
        on: "text", hash: "example=mails", show: "#editor",
        text: () => say("Type a mail: “you win a free prize”."),
        why: () => say("Each word is coloured by its evidence: how much more frequent it is in one kind of mail than in the other."),
      },
      {
        on: "text", show: "#editor",
        text: () => say("Add “for the meeting at noon”."),
        why: () => say("One word rarely decides. Their weights add up, and the answer turns."),
      },
      {
        on: "text", show: "#answer",
        text: () => say("Is the answer wrong? Correct it."),
        why: () => say("The model learns this mail at once, without learning the others again."),
      },
      {
        on: "text", show: "#section-words",
        text: () => say("Look at the most telling words of each class."),
        why: () => say("That is all the model knows: how often each word was seen in each class."),
      },
    ],
  },
};

/**
 * The address of a step of a tour: with what it opens, or else with what was open on its desk.
 * @param {string} name @param {number} number from 1 on
 */
export function tourAddress(name, number, open = TOURS[name].steps[number - 1].hash) {
  const { on } = TOURS[name].steps[number - 1];
  const hash = open ?? (sessionStorage.getItem(placeOf(on)) ?? "").slice(1);
  return `/desk/${on}#${hash}&tour=${name}.${number}`;
}
