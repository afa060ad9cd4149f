// What a person has chosen on the table desk, and the events that change it.

import { FRAME } from "../frame/store.js";

/** @type {TableState} */
export const START = Object.freeze({
  table: null, target: null, model: null, kinds: {}, learned: null, seq: 0, view: "columns", first: 0,
  row: null, cells: {}, answer: null, costs: null, reject: null,
  ...FRAME, panels: { evaluation: true },
});

// What undo brings back.
/** @type {(keyof TableState)[]} */
export const UNDONE = ["target", "model", "kinds", "learned", "row", "cells", "answer", "costs", "reject"];

// What is chosen for one target: another one makes it void.
const OF_TARGET = { learned: null, answer: null, costs: null, reject: null };

/** @type {Object<string, (state: TableState, event: any) => Partial<TableState>>} */
export const EVENTS = {
  table_opened: ({ language, theme, panels }, { kind: _, ...more }) => ({ ...START, language, theme, panels, ...more }),
  target_suggested: (_, { target }) => ({ target }),
  target_chosen: (_, { target }) => ({ ...OF_TARGET, target, cells: {} }),
  model_chosen: (_, { model }) => ({ model, learned: null }),
  kind_chosen: ({ kinds }, { column, chosen }) => ({
    kinds: chosen === "" ? without(kinds, column) : { ...kinds, [column]: chosen }, learned: null,
  }),
  learned: (_, { learned, seq, target, model }) => ({ learned, seq, target, model, view: "rows" }),
  model_followed: (_, { seq }) => ({ seq }),
  model_lost: () => ({ learned: null }),
  view_chosen: (_, { view }) => ({ view }),
  rows_turned: (_, { first }) => ({ first }),
  row_chosen: (_, { row }) => ({ row, cells: {} }),
  cell_changed: ({ cells }, { column, text, was }) => ({
    cells: text === was ? without(cells, column) : { ...cells, [column]: text },
  }),
  cells_restored: () => ({ cells: {} }),
  answer_chosen: (_, { answer }) => ({ answer }),
  costs_set: (_, { costs }) => ({ costs }),
  reject_set: (_, { reject }) => ({ reject }),
};

const without = (values, name) => Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
