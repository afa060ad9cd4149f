// What is chosen on the lessons desk, in events and in the address.

import { at } from "../frame/maps.js";
import { LESSONS } from "./all.js";

/** @type {import("../frame/store.js").Events} */
export const EVENTS = {
  lesson_opened: (_, { lesson, given }) => ({ lesson, given: { ...(at(LESSONS, lesson)?.start ?? {}), ...given } }),
  given_changed: (state, { given }) => ({ given: { ...state.given, ...given } }),
};

/** @param {LessonsState} state */
export function hashOf({ lesson, given }) {
  if (lesson === null) return "";
  const fields = new URLSearchParams({ lesson });
  for (const [name, text] of Object.entries(given)) if (text !== LESSONS[lesson].start[name]) fields.set(name, text);
  return `#${fields}`;
}

/** The part of the state that an address holds. @returns {{lesson: string | null, given: Given}} */
export function fromHash(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const lesson = fields.get("lesson");
  if (lesson === null || !Object.hasOwn(LESSONS, lesson)) return { lesson: null, given: {} };
  const given = { ...LESSONS[lesson].start };
  for (const name of Object.keys(given)) given[name] = fields.get(name) ?? given[name];
  return { lesson, given };
}
