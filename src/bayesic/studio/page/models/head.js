// One model: what it is, and what can be done with all of it.

import { openDialog } from "../frame/dialogs.js";
import { button, h } from "../frame/dom.js";
import { download } from "../frame/files.js";
import { digits, say } from "../frame/words.js";
import { modelPath } from "./state.js";

/** @type {import("./view.js").View} */
export const head = {
  id: "head",
  inputs: ({ data, state }) => [data.model, state.model],
  draw(app) {
    const { state, data } = app;
    if (state.model === null) return welcome();
    if (!data.model?.name) return [];
    /** @type {StoredModel} */
    const { name, kind, rows, classes, counts, is_text: isText } = data.model;
    return [
      h("h1", {}, name),
      h("p", {}, kind, rows !== null && ` · ${say("{0} rows", digits(rows, 7))}`,
        classes.length > 0 && h("span", { class: "quiet" }, ` · ${classes.slice(0, 12).map((one, number) =>
          (counts[number] === undefined ? one : `${one} ${digits(counts[number], 7)}`)).join(", ")}${classes.length > 12 ? " …" : ""}`)),
      h("p", { class: "buttons" },
        isText && h("a", { class: "button", href: `/desk/text#${new URLSearchParams({ model: name })}` }, say("open on the text desk")),
        button(say("download"), () => save(app), { "data-key": "download" }),
        button(say("delete"), () => askDelete(app), { "data-key": "delete" })),
    ];
  },
};

const welcome = () => [
  h("h1", {}, say("Models")),
  h("p", {}, say("Models that learn live in a store. Choose one to see how good it was while it learned, what happened to it, and what has changed; to go back to a point; or to compare it with another one.")),
];

/** @param {ModelsApp} app */
async function save(app) {
  const name = app.state.model ?? "";
  const response = await app.server.fetched(`${modelPath(name)}/file`, {}, "-file");
  if (response.headers.get("content-type")?.includes("json")) return app.refuse((await response.json()).refused);
  return download(await response.blob(), `${name}.bayes`);
}

/** @param {ModelsApp} app */
function askDelete(app) {
  const name = app.state.model ?? "";
  const remove = async () => {
    const answer = await app.server.ask(modelPath(name), { method: "DELETE" });
    dialog.close();
    if (answer.refused) return app.refuse(answer.refused);
    app.send({ kind: "model_chosen", model: null });
    return app.again("models");
  };
  const dialog = openDialog(say("Delete {0}?", name), [
    h("p", {}, say("The model is gone, and so are all its rows and its history. This cannot be undone: download it first if you may need it.")),
    h("div", { class: "buttons" }, button(say("cancel"), () => dialog.close()), button(say("delete"), remove, { class: "main", "data-key": "really delete" })),
  ], { class: "small" });
}

/** Take model files into the store. @param {ModelsApp} app @param {File[]} files */
export async function takeIn(app, files) {
  for (const file of files) {
    const answer = await app.server.ask(`/models?name=${encodeURIComponent(file.name)}`, { bytes: await file.arrayBuffer() });
    if (answer.refused) app.refuse(answer.refused, say("{0} cannot be read.", file.name));
    else {
      app.again("models");
      app.send({ kind: "model_chosen", model: answer.name });
    }
  }
}
