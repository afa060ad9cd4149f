// One card: a variable with a bar for each state. Made once; later only widths and classes change.

import { fitting, s, setAttribute, setText } from "../frame/dom.js";
import { kindOf } from "./evidence.js";
import { at } from "../frame/maps.js";
import { digits, percent, say } from "../frame/words.js";

/**
 * What all cards show.
 * @typedef {object} Shown
 * @property {Object<string, number[]> | null} probabilities
 * @property {Object<string, number[]> | null} ghosts
 * @property {Object<string, number[]> | null} errors     standard errors of samples
 * @property {Object<string, number> | null} mostProbable
 * @property {Evidence} evidence
 * @property {string | null} selected
 * @property {string | null} target
 * @property {string | null} from
 * @property {string | null} likely
 * @property {string | null} becoming
 * @property {Set<string>} clashing
 * @property {Set<string> | null} connected
 * @property {Set<string>} onPath
 *
 * @typedef {{group: any, bar: any, ghost: any, number: any, seen: any, state: number, label: string}} Row
 */

export const HEADER = 24;
export const ROW = 18;
export const MOST_ROWS = 6;
const FONT = '12px system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif';
const PADDING = 8;
const NUMBER = 44;

export const barRange = (width) => {
  const from = Math.round(0.4 * width);
  return { from, length: width - from - NUMBER };
};

/** @param {Variable} variable */
const parentText = ({ parents }) => (parents.length > 0 ? say("parents: {0}", parents.join(", ")) : null);

/** A card without rows: its box and its name. @param {Variable} variable */
export function createCard(variable) {
  const { name, width, height } = variable;
  const title = s("text", { class: "name", x: PADDING, y: 16 },
    fitting(name, width - 2 * PADDING - 14, `600 ${FONT}`));
  const badge = s("text", { class: "badge", x: width - 22, y: 16, "text-anchor": "end" });
  const header = s("g", { class: "header", role: "button", tabindex: -1, "aria-label": name, "aria-description": parentText(variable) },
    s("rect", { class: "hit", width, height: HEADER, rx: 3 }), title, badge,
    s("text", { class: "menu-mark", x: width - 9, y: 16, "text-anchor": "middle", "aria-hidden": "true" }, "⋮"));
  const size = Math.min(30, Math.max(9, Math.min(height * 0.5, (1.6 * width) / Math.max(4, name.length))));
  const big = s("text", {
    class: "big-name", x: width / 2, y: height / 2, "text-anchor": "middle",
    "dominant-baseline": "central", "aria-hidden": "true",
  }, fitting(name, width - 4, FONT.replace("12px", `${size}px`)));
  big.style.fontSize = `${size}px`;
  const group = s("g", { class: "card", role: "group", "aria-label": name, transform: `translate(${variable.x} ${variable.y})` },
    s("rect", { class: "box", width, height, rx: 4 }), header, big,
    s("circle", { class: "port", cx: width / 2, cy: height, r: 5 }));
  group.dataset.variable = name;
  return { variable, group, header, badge, rows: /** @type {Row[] | null} */ (null), body: /** @type {any} */ (null), isStale: true };
}

/** @typedef {ReturnType<typeof createCard>} Card */

/** Give a card its rows. @param {Card} card @param {boolean} isOpen whether all states are shown */
export function addRows(card, isOpen) {
  const { variable } = card;
  const n = variable.states.length;
  const shown = isOpen ? n : Math.min(n, MOST_ROWS);
  card.rows = variable.states.slice(0, shown).map((label, state) => createRow(variable, label, state));
  const more = shown < n && s("g", {
    class: "more", role: "button", tabindex: -1, "aria-label": say("{0}: show {1} more states", variable.name, n - shown),
    transform: `translate(0 ${HEADER + shown * ROW})`,
  }, s("rect", { class: "hit", width: variable.width, height: ROW }),
  s("text", { x: PADDING, y: 13 }, say("+{0} more", n - shown)));
  card.body = s("g", { class: "rows" }, card.rows.map((row) => row.group), more);
  card.group.insertBefore(card.body, card.group.querySelector(".port"));
  card.isStale = true;
}

/** @param {Card} card */
export function dropRows(card) {
  card.body?.remove();
  card.body = null;
  card.rows = null;
}

/** @param {Variable} variable */
function createRow({ name, width }, label, state) {
  const { from, length } = barRange(width);
  const ghost = s("rect", { class: "ghost", x: from, y: 2, height: 14, width: 0 });
  const bar = s("rect", { class: "bar", x: from, y: 4.5, height: 9, width: 0 });
  const seen = s("rect", { class: "likelihood", x: from, y: 14, height: 3, width: 0 });
  const number = s("text", { class: "number", x: width - PADDING, y: 13, "text-anchor": "end" });
  const group = s("g", {
    class: "state", role: "button", tabindex: -1, "aria-pressed": "false", "data-variable": name,
    "data-state": label, "data-number": state, transform: `translate(0 ${HEADER + state * ROW})`,
  },
  s("rect", { class: "hit", x: 1, width: width - 2, height: ROW }),
  s("text", { class: "label", x: PADDING, y: 13 }, fitting(label, from - PADDING - 4, FONT)),
  s("rect", { class: "track", x: from, y: 4.5, height: 9, width: length }),
  ghost, bar, seen, number);
  return { group, bar, ghost, number, seen, state, label };
}

/** Show a card as it is now. @param {Card} card @param {Shown} shown */
export function paint(card, shown) {
  const { name } = card.variable;
  const kind = kindOf(shown.evidence, name);
  card.isStale = false;
  const classes = ["card"];
  if (kind) classes.push("known", `by-${kind}`);
  if (shown.selected === name) classes.push("selected");
  if (shown.clashing.has(name)) classes.push("clashing");
  if (shown.likely === name || shown.becoming === name) classes.push("likely");
  if (shown.connected) classes.push(shown.connected.has(name) ? "connected" : "separated");
  if (shown.from === name) classes.push("from");
  if (shown.onPath.has(name)) classes.push("on-path");
  setAttribute(card.group, "class", classes.join(" "));
  setText(card.badge, badgeOf(kind, shown.target === name));
  setAttribute(card.header, "aria-label", [name, ...spokenOf(name, kind, shown)].join(", "));
  if (card.rows) for (const row of card.rows) paintRow(card.variable, row, shown, kind);
}

/** What a card shows by its colours, in words. @param {Shown} shown */
const spokenOf = (name, kind, shown) => [
  kind === "given" && say("observed"), kind === "do" && say("set"),
  kind === "some" && say("one of several states"), kind === "likelihoods" && say("with likelihoods"), kind === "becomes" && say("told"),
  shown.target === name && say("asked about"), shown.clashing.has(name) && say("cannot be true"),
  shown.from !== name && shown.connected && !kind && (shown.connected.has(name) ? say("connected") : say("independent")),
].filter(Boolean);

const badgeOf = (kind, isTarget) =>
  (kind === "do" ? "do" : "") + (isTarget ? " ◎" : "");

/** @param {Variable} variable @param {Row} row @param {Shown} shown */
function paintRow(variable, row, shown, kind) {
  const { name, width } = variable;
  const { length } = barRange(width);
  const probability = at(shown.probabilities, name)?.[row.state];
  const ghost = at(shown.ghosts, name)?.[row.state];
  setAttribute(row.bar, "width", probability === undefined ? 0 : length * probability);
  setAttribute(row.ghost, "width", ghost === undefined ? 0 : length * ghost);
  const likelihoods = at(shown.evidence.likelihoods, name) ?? (shown.likely === name ? variable.states.map(() => 1) : null);
  const told = likelihoods ?? at(shown.evidence.becomes, name);
  setAttribute(row.seen, "width", told ? length * Math.min(1, told[row.state]) : 0);
  const text = probability === undefined ? "" : percent(probability);
  setText(row.number, text);
  const role = roleOf(shown.evidence, kind, name, row.state);
  const isLikeliest = at(shown.mostProbable, name) === row.state;
  setAttribute(row.group, "class", `state ${role}${isLikeliest ? " most-probable" : ""}`);
  setAttribute(row.group, "aria-pressed", role === "observed" || role === "set");
  if (probability === undefined) row.group.removeAttribute("data-probability");
  else setAttribute(row.group, "data-probability", probability);
  const error = at(shown.errors, name)?.[row.state];
  const spoken = [
    `${name} ${row.label}${text && ` ${text} %`}${error === undefined ? "" : ` ± ${(100 * error).toFixed(1)}`}`,
    role && say(role), likelihoods && say("likelihood {0}", digits(likelihoods[row.state])), isLikeliest && say("most probable"),
  ];
  setAttribute(row.group, "aria-label", spoken.filter(Boolean).join(", "));
}

/** What is known of a state. @param {Evidence} evidence */
function roleOf(evidence, kind, name, state) {
  if (kind === "given") return evidence.given[name] === state ? "observed" : "";
  if (kind === "do") return evidence.do[name] === state ? "set" : "";
  if (kind === "some") return evidence.some[name].includes(state) ? "possible" : "excluded";
  return "";
}
