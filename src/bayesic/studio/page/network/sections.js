// The sections of the panel beside a network.

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

/** @type {[string, import("../frame/panel.js").Section[]][]} */
export const GROUPS = [
  ["What is known", [evidence, scenarios, cases]],
  ["What follows", [beliefs, mostProbable, ask, separation]],
  ["What to do", [table, learn, test]],
];
