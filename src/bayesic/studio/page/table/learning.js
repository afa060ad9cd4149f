// Learning, which may take its time: a bar, and a way to stop it; and changes of what was learned.

import { tablePath } from "./questions.js";

const LOOK = 200; // milliseconds between looks at how far it has come

/** The model that is to be learned. @param {TableApp} app */
export const modelOf = ({ state, data }) => state.model ?? data.profile?.suggested ?? "NaiveBayes";

/** @param {TableApp} app */
export const canLearn = ({ state, data }) => state.target !== null && !data.learning && !data.profile?.unfit;

/** @param {TableApp} app */
export async function learn(app) {
  const { table, target, kinds } = app.state;
  if (!canLearn(app)) return;
  const stop = new AbortController();
  const purpose = "-learn";
  app.data.learning = { stop, what: "", done: 0, total: null };
  app.render();
  const timer = setInterval(async () => {
    const told = await app.server.ask(`/progress?tab=${encodeURIComponent(app.server.tab + purpose)}`).catch(() => ({}));
    if (app.data.learning?.stop !== stop || told.what === undefined) return;
    app.data.learning = { stop, ...told };
    app.render();
  }, LOOK);
  try {
    const body = { target, model: modelOf(app), kinds };
    const answer = await app.server.ask(`${tablePath(table)}/learn`, { body, signal: stop.signal }, purpose);
    if (app.state.table !== table) return;
    app.data.learning = null;
    if (answer.refused) app.refuse(answer.refused);
    else if (answer.learned) app.send({ kind: "learned", ...answer, target, model: app.state.model });
  } catch (error) {
    if (/** @type {any} */ (error).name !== "AbortError") throw error;
  } finally {
    clearInterval(timer);
    app.data.learning = null;
    app.render();
  }
}

/** @param {TableApp} app */
export const stopLearning = (app) => app.data.learning?.stop.abort();

/** @param {TableApp} app @param {"correct" | "forget" | "teach"} verb */
export async function change(app, verb, more = {}) {
  const { table, learned, row } = app.state;
  const answer = await app.server.ask(`${tablePath(table)}/${verb}`, { body: { learned, row, ...more } }, `-${verb}`);
  if (answer.refused) return app.refuse(answer.refused);
  return app.send({ kind: "model_followed", seq: answer.seq });
}
