// The card of a tour: what to do next, and why. It blocks nothing; the page loads it only if the address has a tour.

import { button, h, replace } from "./dom.js";
import { withTour } from "./page.js";
import { TOURS, tourAddress } from "./tours.js";
import { say } from "./words.js";

const AGAIN = 200; // milliseconds between two looks where the thing to look at is
const ROOM = 8;

/** @param {PageApp<any>} app */
export function createTour(app) {
  const ring = h("div", { class: "tour-ring", hidden: true });
  const card = h("aside", {
    class: "tour", "aria-label": say("Tour"),
    onkeydown: (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      app.send({ kind: "tour_walked", tour: null });
    },
  });
  document.head.append(h("link", { rel: "stylesheet", href: "/studio/page/frame/tour.css" }));
  document.body.prepend(card, ring); // first for those who come by Tab
  addEventListener("keydown", (event) => {
    if (event.key !== "F6" || app.state.tour === null) return;
    event.preventDefault();
    card.querySelector("[data-key='tour next'], [data-key='tour leave']")?.focus();
  });
  addEventListener("click", keepOnLinks, true);
  setInterval(follow, AGAIN);
  let drawn = "";
  let isBrought = false; // into view, once for each step

  /** Links to other desks take the tour with them. */
  function keepOnLinks(event) {
    const link = /** @type {Element} */ (event.target).closest?.("a[href^='/desk/']");
    if (!(link instanceof HTMLAnchorElement) || app.state.tour === null || link.hash.includes("tour=")) return;
    link.hash = withTour(link.hash, app.state.tour);
  }

  /** Put the ring around what the step is about, and the card where it hides nothing of it. */
  function follow() {
    const step = stepOf(app.state.tour)?.step;
    const target = step?.show && step.on === app.desk ? document.querySelector(step.show) : null;
    if (target && !isBrought) {
      isBrought = true;
      target.scrollIntoView({ block: "center" });
    }
    const box = target?.getBoundingClientRect();
    const isSeen = box !== undefined && box.width > 0 && box.bottom > 0 && box.top < innerHeight;
    ring.hidden = !isSeen;
    if (!isSeen) return;
    const [left, right] = [Math.max(1, box.left - 4), Math.min(innerWidth - 1, box.right + 4)]; // all of it is seen
    Object.assign(ring.style, { left: `${left}px`, top: `${box.top - 4}px`, width: `${right - left}px`, height: `${box.height + 8}px` });
    const own = card.getBoundingClientRect();
    const isHidden = box.left < own.right + ROOM && box.right > own.left - ROOM && box.top < own.bottom + ROOM && box.bottom > own.top - ROOM;
    if (isHidden) card.classList.toggle("up");
  }

  return {
    render() {
      const found = stepOf(app.state.tour);
      card.hidden = found === null;
      if (found === null) { ring.hidden = true; return; }
      const now = `${app.state.tour} ${app.state.language}`;
      if (now === drawn) return;
      drawn = now;
      isBrought = false;
      card.classList.remove("up");
      card.setAttribute("aria-label", say("Tour"));
      replace(card, ...contents(app, found));
      follow();
    },
  };
}

/** @param {string | null} place such as "clinic.2" */
function stepOf(place) {
  const [name, text] = (place ?? "").split(".");
  const tour = Object.hasOwn(TOURS, name) ? TOURS[name] : null;
  const step = tour?.steps[Number(text) - 1];
  return tour && step ? { name, number: Number(text), tour, step } : null;
}

/** @param {PageApp<any>} app @param {{name: string, number: number, tour: import("./tours.js").Tour, step: import("./tours.js").TourStep}} found */
function contents(app, { name, number, tour, step }) {
  const go = (to) => (tour.steps[to - 1].on === app.desk ? app.send({ kind: "tour_walked", tour: `${name}.${to}` }) : location.assign(tourAddress(name, to)));
  return [
    h("header", {}, h("strong", {}, tour.title()), h("span", { class: "quiet" }, `${number} / ${tour.steps.length}`)),
    h("div", { role: "status" }, h("p", {}, step.text()), h("p", { class: "quiet" }, step.why())),
    h("div", { class: "buttons" },
      button(say("back"), () => go(number - 1), { disabled: number === 1, "data-key": "tour back" }),
      number < tour.steps.length && button(say("next"), () => go(number + 1), { class: "main", "data-key": "tour next" }),
      button(say("leave the tour"), () => app.send({ kind: "tour_walked", tour: null }), { "data-key": "tour leave" }),
      h("kbd", {}, "F6")),
  ];
}
