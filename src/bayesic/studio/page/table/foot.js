// The line below: how long it took, and ways out: code, the model as a file.

import { button, h, replace } from "../frame/dom.js";
import { digits, say } from "../frame/words.js";
import { saveModel } from "./files.js";

/** @param {TableApp} app */
export function createFoot(app, place) {
  const status = h("span", { class: "status", role: "status" });
  const ways = h("span", { class: "ways" });
  place.append(status, h("span", { class: "grow" }), ways);
  /** @type {any[]} */
  let drawn = [];
  return {
    render() {
      const { state, data } = app;
      const inputs = [state.language, state.learned, data.answer, data.profile];
      if (drawn.length > 0 && inputs.every((value, number) => value === drawn[number])) return;
      drawn = inputs;
      const rows = data.profile?.n_rows;
      replace(status, [
        rows === undefined ? "" : say("{0} rows", rows),
        data.answer?.milliseconds === undefined ? "" : ` · ${digits(data.answer.milliseconds, 2)} ms`,
      ]);
      replace(ways, waysOut(app));
    },
  };
}

/** @param {TableApp} app */
function waysOut(app) {
  const copy = (form) => async () => {
    const text = (await import("./code.js"))[form](app);
    if (text === null) return app.notice(say("The command has no such model. Copy it as Python."));
    await navigator.clipboard.writeText(text);
    return app.notice(say("Copied."), true);
  };
  return [
    button(say("copy as Python"), copy("asPython"), { class: "plain" }),
    button(say("as command"), copy("asCommand"), { class: "plain" }),
    app.state.learned !== null && button(say("download the model"), () => saveModel(app), { class: "plain", "data-key": "save" }),
  ];
}
