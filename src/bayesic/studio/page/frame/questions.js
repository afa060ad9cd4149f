// The machine that asks each question of a state once.

/**
 * @typedef {{path: string, body?: any, bodies?: any[]}} Question   one body, or one for each part
 * @typedef {Object<string, (state: any) => Question | null>} Questions   what to ask in a state; null: nothing
 */

/**
 * Ask what the state asks, each question once; hand answers to `received(name, answer, before)`.
 * @param {PageApp<any>} app
 * @param {{questions: Questions, kept?: string[]}} desk
 *   kept: answers that stay on the page until the new one is there
 * @param {(name: string, answer: any, before: any) => void} received
 */
export function createQuestions(app, { questions, kept = [] }, received) {
  /** @type {Object<string, {key: string, stop: AbortController}>} */
  const asked = {};

  async function ask(name) {
    const question = questions[name](app.state);
    const key = question === null ? "" : JSON.stringify(question);
    if (asked[name]?.key === key) return;
    asked[name]?.stop.abort();
    const stop = new AbortController();
    asked[name] = { key, stop };
    const before = app.data[name];
    if (question === null || !kept.includes(name)) app.data[name] = null;
    app.waiting[name] = question !== null;
    if (question === null) return;
    try {
      const answer = await answerTo(question, name, stop.signal);
      if (asked[name].stop !== stop || answer.cancelled || app.server.isLocked) return;
      app.waiting[name] = false;
      app.data[name] = answer;
      received(name, answer, before);
    } catch (error) {
      if (asked[name].stop !== stop) return;
      asked[name].key = "lost"; // once more when the server is back
      app.waiting[name] = false;
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** @param {Question} question @param {AbortSignal} signal */
  const answerTo = ({ path, body, bodies }, name, signal) =>
    bodies === undefined
      ? app.server.ask(path, { body, signal }, `-${name}`)
      : Promise.all(bodies.map((part, number) =>
        app.server.ask(path, { body: part, signal }, `-${name}${number}`)));

  return {
    update: () => Object.keys(questions).forEach(ask),
    again(name) {
      if (asked[name]) asked[name].key = "again";
      ask(name);
    },
    /** What is known answers this state, too. @param {string} name @param {any} state */
    settle(name, state) { asked[name].key = JSON.stringify(questions[name](state)); },
    /** The questions that were lost with the server. */
    lost: () => Object.keys(asked).filter((name) => asked[name].key === "lost").forEach(ask),
  };
}
