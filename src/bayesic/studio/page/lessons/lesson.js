// The list of lessons, and the one that is open.

import { h, replace } from "../frame/dom.js";
import { refusal } from "../frame/refusals.js";
import { say } from "../frame/words.js";
import { LESSONS } from "./all.js";

/** @param {LessonsApp} app */
export function createContents(app, place) {
  /** @type {any[]} */
  let drawn = [];
  return {
    render() {
      const { lesson, language } = app.state;
      if (drawn[0] === lesson && drawn[1] === language) return;
      drawn = [lesson, language];
      replace(place, lesson === null ? overview() : line(lesson));
    },
  };
}

const overview = () => [
  h("h1", {}, say("Lessons")),
  h("p", {}, say("Worked examples of the textbooks to touch: move something, and every number follows.")),
  h("ol", { class: "overview" }, Object.values(LESSONS).map(({ name, title, about }) => h("li", {},
    h("a", { href: `#lesson=${name}`, "data-lesson": name, "data-key": `lesson ${name}` }, h("strong", {}, title())),
    h("span", { class: "quiet" }, about())))),
];

/** All lessons in a line. @param {string} open */
const line = (open) => h("nav", { class: "line", "aria-label": say("Lessons") },
  h("a", { href: "#", "data-key": "all lessons" }, say("all lessons")),
  Object.values(LESSONS).map(({ name, title }) => h("a", {
    href: `#lesson=${name}`, "data-lesson": name, "aria-current": name === open ? "true" : null, "data-key": `lesson ${name}`,
  }, title())));

/** @param {LessonsApp} app */
export function createLesson(app, place) {
  const refused = h("p", { class: "refused", role: "alert" });
  let drawn = "";
  /** @type {{render: () => void} | null} */
  let shown = null;
  return {
    render() {
      const { lesson, language } = app.state;
      const wanted = `${lesson} ${language}`;
      if (wanted !== drawn) {
        drawn = wanted;
        const made = lesson === null ? null : LESSONS[lesson].create(app);
        replace(place, made && [h("h1", {}, LESSONS[lesson ?? ""].title()), refused, ...made.children]);
        if (lesson !== null) place.parentElement.scrollTop = 0;
        shown = made;
      }
      const { answer, regions } = app.data;
      const sentence = answer?.refused ?? regions?.refused;
      replace(refused, sentence ? refusal(sentence) : "");
      if (answer && !answer.refused && !(regions?.refused)) shown?.render();
    },
  };
}

/** What to try, what happens, why; and the source. */
export const prose = (attempt, result, reason, source, ...formulas) => h("div", { class: "prose" },
  h("dl", {},
    h("dt", {}, say("Try")), h("dd", {}, attempt), h("dt", {}, say("See")), h("dd", {}, result),
    h("dt", {}, say("Why")), h("dd", {}, reason)),
  ...formulas,
  h("p", { class: "quiet source" }, source));
