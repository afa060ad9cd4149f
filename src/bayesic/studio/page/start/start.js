// The start page: drop a file, or try an example.

import { askText } from "../frame/dialogs.js";
import { button, h, replace } from "../frame/dom.js";
import { chooseFile } from "../frame/files.js";
import { documentPath } from "../frame/server.js";
import { say } from "../frame/words.js";
import { learnNetwork, openFiles, openNetwork } from "./opening.js";

/** @param {StartApp} app */
export function createStart(app, place) {
  /** @type {any[]} */
  let drawn = [];
  return {
    render() {
      const inputs = [app.data.documents, app.state.language, app.state.cases];
      if (drawn.length > 0 && inputs.every((value, number) => value === drawn[number])) return;
      drawn = inputs;
      replace(place, contents(app));
    },
  };
}

/** @param {StartApp} app */
function contents(app) {
  const { documents = [], examples = [] } = app.data.documents ?? {};
  return [
    h("h1", {}, "bayesic ", h("span", { class: "quiet" }, say("studio"))),
    h("p", {}, say("See what follows from what is known. Open a network, click what you observe, and watch every belief change.")),
    h("section", { class: "drop" },
      h("p", {}, say("Drop a file here: a network (BIF, XMLBIF, NET, UAI, JSON) or a table of cases (CSV, TSV, Parquet).")),
      h("p", { class: "buttons" },
        button(say("choose a file"), () => chooseFile((files) => openFiles(app, files)), { class: "main" }),
        button(say("new network"), () => askText(say("Name of the new network"), say("network"), (name) => openNetwork(app, { body: { new: name } }))))),
    app.state.cases !== null && h("section", {},
      h("h2", {}, say("Cases: {0}", app.state.cases)),
      button(say("learn a network from it"), () => learnNetwork(app), { class: "main" }),
      h("p", { class: "quiet" }, say("or open a network to try the cases on."))),
    documents.length > 0 && h("section", {}, h("h2", {}, say("Open")), tiles(documents, (one) =>
      openNetwork(app, { name: one.name }), async (one) => {
      await app.server.ask(documentPath(one.name), { method: "DELETE" });
      app.again("documents");
    })),
    h("section", {}, h("h2", {}, say("Examples, one click away")), tiles(examples, (one) => openNetwork(app, { body: { example: one.name } }))),
  ];
}

/** @param {any[]} items @param {(item: any) => void} chosen @param {(item: any) => void} [closed] */
const tiles = (items, chosen, closed) =>
  h("ul", { class: "tiles" }, items.map((item) => h("li", {},
    h("button", { type: "button", onclick: () => chosen(item), "data-example": item.name, "data-key": `open ${item.name}` },
      h("strong", {}, say(item.title || item.name)),
      item.n_variables !== undefined && h("span", { class: "quiet" }, say("{0} variables", item.n_variables))),
    closed && button("×", () => closed(item), { class: "plain", "aria-label": say("Close {0}", item.name), "data-key": `close ${item.name}` }))));
