// The line below: how long the answer took, and ways out: code, the model as a file.

import { button, h, replace, setText } from "../frame/dom.js";
import { download } from "../frame/files.js";
import { digits, say } from "../frame/words.js";
import { asCommand, asPython } from "./code.js";
import { modelPath } from "./state.js";

/** @param {TextApp} app */
export function createFoot(app, place) {
  const status = h("span", { class: "status", role: "status" });
  const ways = h("span", { class: "ways" });
  place.append(status, h("span", { class: "grow" }), ways);
  /** @type {any[]} */
  let drawn = [];
  return {
    render() {
      const { data, state } = app;
      place.hidden = state.model === null;
      const { texts } = data.model ?? {};
      setText(status, texts === undefined ? "" : `${say("{0} texts", digits(texts, 7))}${data.isSlow ? ` · ${say("computing …")}` : ""}`);
      const inputs = [state.language, state.model];
      if (inputs.every((value, number) => value === drawn[number])) return;
      drawn = inputs;
      replace(ways, waysOut(app));
    },
  };
}

/** @param {TextApp} app */
function waysOut(app) {
  const copy = async (text) => {
    await navigator.clipboard.writeText(text);
    app.notice(say("Copied."), true);
  };
  return [
    button(say("copy as Python"), () => copy(asPython(app.state)), { class: "plain" }),
    button(say("as command"), () => copy(asCommand(app.state)), { class: "plain" }),
    button(say("download the model"), () => save(app), { class: "plain" }),
  ];
}

/** @param {TextApp} app */
async function save(app) {
  const response = await app.server.fetched(`${modelPath(app.state.model ?? "")}/file`, {}, "-file");
  if (response.headers.get("content-type")?.includes("json")) return app.refuse((await response.json()).refused);
  return download(await response.blob(), `${app.state.model}.bayes`);
}
