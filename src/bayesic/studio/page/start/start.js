// The start page: drop a file, take a tour, or try an example.

import { askText } from "../frame/dialogs.js";
import { button, h, replace } from "../frame/dom.js";
import { chooseFile } from "../frame/files.js";
import { documentPath } from "../frame/server.js";
import { TOURS, tourAddress } from "../frame/tours.js";
import { say } from "../frame/words.js";
import { openFiles, openNetwork, toDesk } from "./opening.js";

/** @param {StartApp} app */
export function createStart(app, place) {
  /** @type {any[]} */
  let drawn = [];
  return {
    render() {
      const inputs = [app.data.documents, app.data.tables, app.data.desks, app.state.language];
      if (drawn.length > 0 && inputs.every((value, number) => value === drawn[number])) return;
      drawn = inputs;
      replace(place, contents(app));
    },
  };
}

/** @param {StartApp} app */
function contents(app) {
  const { documents = [], examples = [] } = app.data.documents ?? {};
  const { tables = [] } = app.data.tables ?? {};
  const { desks = [] } = app.data.desks ?? {};
  return [
    h("h1", {}, "bayesic ", h("span", { class: "quiet" }, say("studio"))),
    h("p", {}, say("See what follows from what is known, and why: in networks, tables and texts.")),
    h("section", { class: "drop" },
      h("p", {}, say("Drop a file here: a network (BIF, XMLBIF, NET, UAI, JSON), a table (CSV, TSV, Parquet) or a model (.bayes).")),
      h("p", { class: "buttons" },
        button(say("choose a file"), () => chooseFile((files) => openFiles(app, files)), { class: "main" }),
        button(say("new network"), () => askText(say("Name of the new network"), say("network"), (name) => openNetwork(app, { body: { new: name } }))))),
    documents.length > 0 && h("section", {}, h("h2", {}, say("Open networks")), tiles(documents, (one) =>
      openNetwork(app, { name: one.name }), async (one) => {
      await app.server.ask(documentPath(one.name), { method: "DELETE" });
      app.again("documents");
    })),
    tables.length > 0 && h("section", {}, h("h2", {}, say("Open tables")), h("ul", { class: "tiles" }, tables.map(({ name, n_rows: rows }) => h("li", {},
      h("button", { type: "button", onclick: () => toDesk("table", { table: name }), "data-table": name, "data-key": `table ${name}` },
        h("strong", {}, name), h("span", { class: "quiet" }, say("{0} rows", rows))))))),
    tours(app, desks),
    h("section", {}, h("h2", {}, say("Example networks, one click away")), tiles(examples, (one) => openNetwork(app, { body: { example: one.name } }))),
    otherDesks(desks),
  ];
}

/** @param {any[]} items @param {(item: any) => void} chosen @param {(item: any) => void} [closed] */
const tiles = (items, chosen, closed) =>
  h("ul", { class: "tiles" }, items.map((item) => h("li", {},
    h("button", { type: "button", onclick: () => chosen(item), "data-example": item.name, "data-key": `open ${item.name}` },
      h("strong", {}, say(item.title || item.name)),
      item.n_variables !== undefined && h("span", { class: "quiet" }, say("{0} variables", item.n_variables))),
    closed && button("×", () => closed(item), { class: "plain", "aria-label": say("Close {0}", item.name), "data-key": `close ${item.name}` }))));

/** The tours whose desks are there. @param {StartApp} app @param {string[]} desks */
function tours(app, desks) {
  const open = Object.entries(TOURS).filter(([, { steps }]) => steps.every(({ on }) => desks.includes(on)));
  return open.length > 0 && h("section", {}, h("h2", {}, say("Tours, a minute each")),
    h("ul", { class: "tiles" }, open.map(([name, { title, about }]) => h("li", {},
      h("button", { type: "button", onclick: () => begin(app, name), "data-tour": name, "data-key": `tour ${name}` },
        h("strong", {}, title()), h("span", { class: "quiet" }, about()))))));
}

/** @param {StartApp} app */
async function begin(app, name) {
  const { example } = TOURS[name];
  if (example === undefined) return location.assign(tourAddress(name, 1));
  const answer = await app.server.ask("/documents", { body: { example } });
  if (answer.refused) return app.refuse(answer.refused);
  return location.assign(tourAddress(name, 1, `${new URLSearchParams({ document: answer.name })}`));
}

/** What the other desks have to begin with. @param {string[]} desks */
function otherDesks(desks) {
  const links = [
    { desk: "table", hash: "#example=tennis", title: say("Play tennis, as a table"), about: say("columns, target, costs") },
    { desk: "text", hash: "#example=mails", title: say("Mails, word by word"), about: say("evidence in a text") },
    { desk: "lessons", hash: "", title: say("Lessons"), about: say("worked examples to touch") },
    { desk: "models", hash: "", title: say("Models of the store"), about: say("what they have learned") },
  ].filter(({ desk }) => desks.includes(desk));
  return links.length > 0 && h("section", {}, h("h2", {}, say("More to begin with")), h("ul", { class: "tiles" }, links.map(({ desk, hash, title, about }) => h("li", {},
    h("a", { href: `/desk/${desk}${hash}`, "data-desk": desk, "data-key": `desk link ${desk}` }, h("strong", {}, title), h("span", { class: "quiet" }, about))))));
}
