// The sections of the panel beside a network.

import { say } from "../frame/words.js";
import { beliefs } from "./section_beliefs.js";
import { evidence } from "./section_evidence.js";

/**
 * A section that is closed at first: its module is fetched when it is opened.
 * @param {(app: App) => string} title
 * @param {() => Promise<{contents: import("../frame/panel.js").Contents}>} load
 */
const later = (id, title, load) => ({ id, title, load });

const KNOWN = [
  evidence,
  later("scenarios", ({ state }) => (state.scenarios.length ? say("Scenarios ({0})", state.scenarios.length) : say("Scenarios")), () => import("./section_scenarios.js")),
  later("cases", ({ state }) => (state.cases === null ? say("Cases") : say("Cases: {0}", state.cases)), () => import("./section_cases.js")),
];
const FOLLOWS = [
  beliefs,
  later("most-probable", () => say("Most probable explanation"), () => import("./section_most_probable.js")),
  later("ask-next", () => say("What to ask next"), () => import("./section_ask.js")),
  later("separation", () => say("What depends on what"), () => import("./section_separation.js")),
];
const TO_DO = [
  later("table", ({ state }) => (state.selected === null ? say("Table of a variable") : say("Table of {0}", state.selected)), () => import("./section_table.js")),
  later("learn", () => say("Learn from cases"), () => import("./section_learn.js")),
  later("test", () => say("Test with cases"), () => import("./section_test.js")),
];

/** @type {[string, (import("../frame/panel.js").Section | import("../frame/panel.js").LaterSection)[]][]} */
export const GROUPS = [["What is known", KNOWN], ["What follows", FOLLOWS], ["What to do", TO_DO]];
