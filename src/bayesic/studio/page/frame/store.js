// The state of a desk: one value that never changes, and the events that make the next one.

/**
 * @typedef {{event: PageEvent, before: any, after: any}} Step
 * @typedef {Object<string, (state: any, event: any) => any>} Events   what an event changes of the state
 */

/** What every desk remembers. */
export const FRAME = Object.freeze({ language: "en", theme: "auto", panels: {} });

/** @type {Events} */
const FRAME_EVENTS = {
  language_chosen: (_, { language }) => ({ language }),
  theme_chosen: (_, { theme }) => ({ theme }),
  tour_walked: (_, { tour }) => ({ tour }),
  section_opened: ({ panels }, { section, open }) => ({ panels: { ...panels, [section]: open } }),
};

/**
 * Keeps the state and the list of steps; tells `changed` of every new state.
 * @template S
 * @param {S} initial
 * @param {{events: Events, undone: (keyof S)[], quiet?: string[], subject?: (state: S) => any}} desk
 *   undone: what undo brings back; quiet: events that are no steps of the person;
 *   subject: what the desk is about (a document): another one has another history
 * @param {(before: S, event: PageEvent) => void} changed
 */
export function createStore(initial, { events, undone, quiet = [], subject = () => null }, changed) {
  const known = { ...FRAME_EVENTS, ...events };
  const store = {
    state: initial,
    history: { past: /** @type {Step[]} */ ([]), future: /** @type {Step[]} */ ([]) },

    /** @param {PageEvent} event */
    send(event) {
      const made = known[event.kind];
      if (!made) throw new Error(`There is no event ${event.kind}.`);
      const before = store.state;
      const next = { ...before, ...made(before, event) };
      if (subject(next) !== subject(before)) store.history = { past: [], future: [] };
      else if (!quiet.includes(event.kind)) keep(before, next, event);
      store.state = next;
      changed(before, event);
    },
    undo: () => walk("past", "future", "before"),
    redo: () => walk("future", "past", "after"),
  };

  /** @param {S} before @param {S} next @param {PageEvent} event */
  function keep(before, next, event) {
    const fields = undone.filter((field) => !equal(before[field], next[field]));
    if (fields.length === 0) return;
    const picked = (state) => Object.fromEntries(fields.map((field) => [field, state[field]]));
    const step = { event, before: picked(before), after: picked(next) };
    const last = store.history.past.at(-1);
    if (event.amends) {
      const whole = last && { ...last, before: { ...step.before, ...last.before }, after: { ...last.after, ...step.after } };
      if (whole) store.history = { ...store.history, past: [...store.history.past.slice(0, -1), whole] };
      return;
    }
    const goesOn = event.gesture !== undefined && last?.event.gesture === event.gesture;
    const past = goesOn && last
      ? [...store.history.past.slice(0, -1), { ...step, before: { ...step.before, ...last.before } }]
      : [...store.history.past, step];
    store.history = { past, future: [] };
  }

  /** @param {"past" | "future"} from @param {"past" | "future"} to @param {"before" | "after"} side */
  function walk(from, to, side) {
    const step = store.history[from].at(-1);
    if (!step) return;
    const before = store.state;
    store.history = /** @type {any} */ ({
      [from]: store.history[from].slice(0, -1), [to]: [...store.history[to], step],
    });
    store.state = { ...before, ...step[side] };
    changed(before, { kind: side === "before" ? "undone" : "redone" });
  }
  return store;
}

/** Same content. */
const equal = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);
