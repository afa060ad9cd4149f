// What the table desk asks the server, as it follows from the state.

export const tablePath = (name) => `/tables/${encodeURIComponent(name ?? "")}`;

export const ROWS_SHOWN = 50;

/** The field is there only if something was chosen. */
const chosen = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** @param {TableState} state */
const ofModel = ({ learned, seq }) => ({ learned, seq });
/** @param {TableState} state */
const ofCosts = ({ costs, reject }) => chosen({ costs, reject });
/** @param {TableState} state */
const ofRow = (state) => ({ ...ofModel(state), row: state.row, cells: state.cells });

/** @type {import("../frame/questions.js").Questions} */
export const QUESTIONS = {
  profile: ({ table, target, kinds, model }) =>
    (table === null ? null : { path: `${tablePath(table)}/profile`, body: { target, kinds, model } }),
  tables: ({ table }) => ({ path: `/tables#${table}` }),
  model: ({ table, learned, seq }) => (learned === null ? null
    : { path: `${tablePath(table)}/model?learned=${encodeURIComponent(learned)}#${seq}` }),
  rows: (state) => (state.table === null || state.view !== "rows" ? null : {
    path: `${tablePath(state.table)}/rows`,
    body: { first: state.first, count: ROWS_SHOWN, ...(state.learned === null ? {} : { ...ofModel(state), ...ofCosts(state) }) },
  }),
  answer: (state) => (state.learned === null || state.row === null ? null : {
    path: `${tablePath(state.table)}/explain`, body: { ...ofRow(state), ...chosen({ answer: state.answer }), ...ofCosts(state) },
  }),
  work: (state) => (state.learned === null || state.row === null || !state.panels.work ? null
    : { path: `${tablePath(state.table)}/work`, body: { ...ofRow(state), language: state.language } }),
  evaluation: (state) => (state.learned === null || !(state.panels.evaluation || state.panels.costs) ? null
    : { path: `${tablePath(state.table)}/evaluate`, body: { ...ofModel(state), ...ofCosts(state) } }),
  nomogram: (state) => (state.learned === null || state.view !== "nomogram" ? null
    : { path: `${tablePath(state.table)}/nomogram`, body: { ...ofModel(state), ...chosen({ answer: state.answer }) } }),
};

export const KEPT = ["profile", "tables", "model", "rows", "answer", "work", "evaluation", "nomogram"];
