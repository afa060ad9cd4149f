// A point in the journal: go back to it, or see what has changed since.

import { button, h } from "../frame/dom.js";
import { refusalLine } from "../frame/refusals.js";
import { digits, say } from "../frame/words.js";
import { modelPath } from "./state.js";

const MOST = 12; // changes that are shown

/** @type {import("./view.js").View} */
export const point = {
  id: "point",
  inputs: ({ data, state }) => [data.drift, data.model, data.wentBack, state.model, state.seq],
  draw(app) {
    const { state, data } = app;
    if (state.model === null || !data.model?.name) return [];
    const title = h("h2", {}, state.seq === null ? say("Back to a point, and what has changed since") : say("After event {0}", state.seq));
    if (state.seq === null) return [title, h("p", { class: "quiet" }, say("Choose a point in the history below, or a dot above."))];
    return [
      title,
      h("div", { class: "two" },
        h("div", {}, h("h3", {}, say("Go back")),
          h("p", {}, button(say("make a copy {0}", `${state.model}@${state.seq}`), () => copy(app), { class: "main", "data-key": "copy" })),
          h("p", { class: "quiet" }, say("A new model, exactly as this one was then, to the last bit. This one stays as it is. The history of the copy begins there.")),
          h("p", {}, button(say("take back all that came later"), () => takeBack(app), { "data-key": "take back" })),
          h("p", { class: "quiet" }, say("This model forgets every row that came later, corrects back what was corrected, and learns again what was forgotten. All of it is written to the history, so you can go forward again.")),
          data.wentBack && h("p", { role: "status" }, data.wentBack)),
        h("div", {}, h("h3", {}, say("What has changed since")), state.seq >= data.model.seq ? h("p", { class: "quiet" }, say("This is the last event: nothing has changed since.")) : drift(data.drift))),
    ];
  },
};

function drift(found) {
  if (!found) return null;
  if (found.refused) return refusalLine(found.refused, undefined, { class: "quiet" });
  return h("table", { class: "numbers drift" },
    h("caption", {}, say("{0} rows before, {1} rows since; changes in nats per row", digits(found.n_earlier, 7), digits(found.n_later, 7))),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("column or word")), h("th", { scope: "col" }, say("change")))),
    h("tbody", {}, found.changes.slice(0, MOST).map(({ column, change }) => h("tr", { "data-column": column, "data-change": change },
      h("th", { scope: "row" }, column), h("td", {}, digits(change, 4))))));
}

/** @param {ModelsApp} app */
async function copy(app) {
  const { model, seq } = app.state;
  const answer = await app.server.ask(`${modelPath(model ?? "")}/copy`, { body: { seq } });
  if (answer.refused) return app.refuse(answer.refused);
  app.data.wentBack = say("{0} is in the store.", answer.name);
  return app.parts.again();
}

/** @param {ModelsApp} app */
async function takeBack(app) {
  const { model, seq } = app.state;
  const answer = await app.server.ask(`${modelPath(model ?? "")}/take-back`, { body: { seq } });
  if (answer.refused) return app.refuse(answer.refused);
  app.data.wentBack = say("{0} rows forgotten, {1} corrected back, {2} learned again.", answer.forgotten, answer.corrected, answer.learned);
  return app.parts.again();
}
