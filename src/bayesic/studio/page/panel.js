// The panel: one column of sections that open and close, each drawn anew only when its inputs change.

import { h, replace, setText } from "./dom.js";
import { ask } from "./section_ask.js";
import { beliefs } from "./section_beliefs.js";
import { cases } from "./section_cases.js";
import { evidence } from "./section_evidence.js";
import { learn } from "./section_learn.js";
import { mostProbable } from "./section_most_probable.js";
import { scenarios } from "./section_scenarios.js";
import { separation } from "./section_separation.js";
import { table } from "./section_table.js";
import { test } from "./section_test.js";
import { say } from "./words.js";

/**
 * @typedef {object} Section
 * @property {string} id
 * @property {(app: App) => string} title
 * @property {(app: App) => any[]} inputs   what it is drawn from; drawn again when one of them changes
 * @property {(app: App) => any[]} draw
 */

/** @type {[string, Section[]][]} */
const GROUPS = [
  ["What is known", [evidence, scenarios, cases]],
  ["What follows", [beliefs, mostProbable, ask, separation]],
  ["What to do", [table, learn, test]],
];

/** @param {App} app */
export function createPanel(app, place) {
  const headings = GROUPS.map(([title, sections]) => {
    const heading = h("h2", {});
    const frames = sections.map(framed);
    place.append(heading, ...frames.map(({ details }) => details));
    return { heading, title, frames };
  });

  /** @param {Section} section */
  function framed(section) {
    const summary = h("summary", {});
    const body = h("div", { class: "section-body" });
    const details = h("details", {
      class: "section", id: `section-${section.id}`,
      ontoggle: () => {
        if (details.open === Boolean(app.state.panels[section.id])) return;
        app.send({ kind: "section_opened", section: section.id, open: details.open });
      },
    }, summary, body);
    return { section, details, summary, body, drawn: /** @type {any[] | null} */ (null) };
  }

  return {
    render() {
      for (const { heading, title } of headings) setText(heading, say(title));
      for (const frame of headings.flatMap(({ frames }) => frames)) {
        setText(frame.summary, frame.section.title(app));
        const isOpen = Boolean(app.state.panels[frame.section.id]);
        if (frame.details.open !== isOpen) frame.details.open = isOpen;
        if (!frame.details.open) continue;
        const inputs = [...frame.section.inputs(app), app.state.language, app.data.network];
        const { drawn } = frame;
        if (drawn && inputs.every((value, number) => value === drawn[number])) continue;
        frame.drawn = inputs;
        replace(frame.body, app.data.network?.variables ? frame.section.draw(app) : []);
      }
    },
  };
}
