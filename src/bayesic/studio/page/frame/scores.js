// How good answers are: scores, confusion, calibration.

import { h, s } from "./dom.js";
import { digits, percent, say } from "./words.js";

/** @param {[string, string][]} names title and field of each score */
export const scoreTable = (found, names) =>
  h("table", { class: "numbers", "data-scores": "" }, h("tbody", {}, names.map(([title, name]) => found[name] != null
    && h("tr", {}, h("th", { scope: "row" }, title),
      h("td", { "data-score": name, "data-value": found[name] }, digits(found[name], 5))))));

/** Rows are what was, columns what was predicted. */
export function confusion(counts, states) {
  if (!counts) return null;
  const most = Math.max(1, ...counts.flat());
  return h("div", { class: "scrolled" },
    h("table", { class: "confusion", "data-confusion": "" },
      h("caption", {}, say("in the file ↓, predicted →")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "↓ →"), states.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, counts.map((row, number) => h("tr", {}, h("th", { scope: "row" }, states[number]),
        row.map((count, other) => {
          const cell = h("td", { class: number === other ? "right" : "" }, count);
          cell.style.setProperty("--share", String(count / most));
          return cell;
        }))))));
}

/** How often it happened, against how probable it was said to be. */
export function calibration(bins) {
  if (!bins || bins.length === 0) return null;
  const size = 160;
  const at = (share) => 8 + share * (size - 16);
  const most = Math.max(...bins.map(({ n }) => n));
  return h("figure", {},
    s("svg", { class: "chart", width: size, height: size, viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": say("calibration") },
      s("rect", { class: "frame", x: 8, y: 8, width: size - 16, height: size - 16 }),
      s("path", { class: "diagonal", d: `M8 ${size - 8}L${size - 8} 8` }),
      bins.filter(({ n }) => n > 0).map(({ mean, share, n }) =>
        s("circle", { class: "bin", cx: at(mean), cy: size - at(share), r: 2 + 4 * Math.sqrt(n / most) },
          s("title", {}, say("said {0} %, came true {1} % of {2}", percent(mean), percent(share), n))))),
    h("figcaption", { class: "quiet" }, say("calibration: said →, came true ↑")));
}
