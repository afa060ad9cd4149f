// The line below: how it was computed, what it would cost, and ways out: code, files, pictures.

import { button, h, replace } from "../frame/dom.js";
import { download } from "../frame/files.js";
import { SAMPLES } from "./questions.js";
import { refusal } from "../frame/refusals.js";
import { documentPath } from "../frame/server.js";
import { digits, duration, say } from "../frame/words.js";

const FORMATS = [["bif", "BIF"], ["xml", "XMLBIF"], ["net", "Hugin NET"], ["uai", "UAI"], ["json", "JSON"], ["bayes", "bayesic model"]];

/** @param {App} app */
export function createFoot(app, place) {
  const status = h("span", { class: "status" }); // who cannot see it is told by spoken.js
  const ways = h("span", { class: "ways" });
  place.append(status, h("span", { class: "grow" }), ways);
  /** @type {any} */
  let drawn = null;
  return {
    render() {
      if (!app.data.network?.variables) return;
      replace(status, statusOf(app));
      if (drawn === app.state.language) return;
      drawn = app.state.language;
      replace(ways, waysOut(app));
    },
  };
}

/** @param {App} app */
function statusOf(app) {
  const { data, waiting, state } = app;
  const { answer, network } = data;
  const count = h("span", { title: say("{0} numbers in the tables", network.n_parameters ?? "?") }, say("{0} variables", network.variables.length));
  const choose = (method) => () => app.send({ kind: "method_chosen", method });
  if (waiting.answer && data.isSlow) {
    return [count, " · ", h("span", { class: "busy" }, say("computing …")), " ",
      state.method === "exact" && button(say("stop"), choose("auto"))];
  }
  if (answer?.costly) {
    const { cells, seconds, fits } = answer.costly;
    const cost = fits ? say("the exact answer takes {0} ({1} numbers)", duration(seconds), digits(cells, 2))
      : say("the exact answer takes {0} numbers, more than this machine can hold", digits(cells, 2));
    return [count, " · ", h("strong", {}, cost), " ", fits && button(say("compute it"), choose("exact")), " ", button(say("sample {0} cases", SAMPLES), choose("samples"))];
  }
  if (!answer?.method) return [count];
  const isExact = answer.method === "exact";
  return [count, " · ", isExact ? say("exact") : say("from {0} samples, error up to {1}", SAMPLES, largestError(answer)), " · ",
    `${digits(answer.milliseconds, 2)} ms`, " ", !isExact && button(say("exact"), choose("auto"))];
}

/** @param {Answer} answer */
const largestError = ({ standard_errors: errors }) =>
  digits(Math.max(0, ...Object.values(errors ?? {}).flat().filter(Number.isFinite)), 2);

/** @param {App} app */
function waysOut(app) {
  const copy = async (form) => {
    const code = (await import("./code.js"))[form](app);
    if (code === null) return app.notice(say("The command cannot ask this. Copy it as Python."));
    await navigator.clipboard.writeText(code);
    return app.notice(say("Copied."), true);
  };
  const menu = (items, label) => async (event) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const { showMenu } = await import("../frame/menu.js");
    showMenu(items, { x: left, y: top - 28 * items.length - 12 }, label);
  };
  return [
    button(say("copy as Python"), () => copy("asPython"), { class: "plain" }),
    button(say("as command"), () => copy("asCommand"), { class: "plain" }),
    button(say("save"), menu(FORMATS.map(([format, title]) => ({ title, run: () => save(app, format) })), say("save")), { class: "plain" }),
    button(say("picture"), menu([
      { title: "SVG", run: () => picture(app, "svg") },
      { title: "PNG", run: () => picture(app, "png") },
      { title: say("print"), run: () => print() },
    ], say("picture")), { class: "plain" }),
  ];
}

/** @param {App} app */
async function save(app, format) {
  const path = `${documentPath(app.state.document ?? "")}/file?format=${format}&version=${app.state.version}`;
  const response = await app.server.fetched(path, {}, "-file");
  if ((response.headers.get("content-disposition") ?? "") === "") {
    const answer = await response.json().catch(() => ({}));
    const own = say("This file could not be written.");
    return app.notice(answer.refused ? refusal(answer.refused, own) : own);
  }
  return download(await response.blob(), `${app.state.document}.${format}`);
}

/** @param {App} app @param {"svg" | "png"} form */
async function picture(app, form) {
  const { pictureOf, pngOf } = await import("./export.js");
  download(await (form === "svg" ? pictureOf(app) : pngOf(app)), `${app.state.document}.${form}`);
}
