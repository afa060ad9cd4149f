// The shapes of what all desks share, for `tsc --checkJs`. The browser never reads it.

// gesture: events of one drag are one step; amends: what follows from the last step, and is undone with it
interface PageEvent { kind: string; gesture?: number | string; amends?: boolean; [field: string]: any }

/** What a desk is, apart from how it is shown. */
interface PageDesk<S> {
  name: string;
  start: S;
  events: import("./store.js").Events;
  undone: (keyof S)[]; // what undo brings back
  quiet?: string[]; // events that are no steps of the person
  subject?: (state: S) => string | null; // what it is about; another one has another history
  questions: import("./questions.js").Questions;
  kept?: string[]; // answers that stay on the page until the new one is there
  hashOf: (state: S) => string;
  fromHash: (hash: string) => Partial<S>;
  moved: (app: PageApp<S>, state: Partial<S>) => void; // the person has changed the address
  changed?: (app: PageApp<S>, before: S, event: PageEvent) => void;
  received?: (app: PageApp<S>, name: string, answer: any, before: any) => void;
  pulse?: (app: PageApp<S>, answer: any) => void; // once a second
}

/** What a page is made of, handed to every part of it. */
interface PageApp<S> {
  readonly desk: string;
  readonly state: S;
  readonly history: { past: any[]; future: any[] };
  data: Record<string, any>; // what the server has answered, by question
  waiting: Record<string, boolean>; // questions that are being answered
  send: (event: PageEvent) => void;
  undo: () => void;
  redo: () => void;
  server: import("./server.js").Server;
  again: (question: string) => void; // ask once more
  settle: (question: string, state: S) => void; // what is known answers this state, too
  announce: (sentence: string) => void; // tell people who use a screen reader what changed
  notice: (sentence: string | any[], isNews?: boolean) => void; // tell the person
  refuse: (sentence: string, own?: string) => void; // the same, a sentence of the library; own: in short, in the words of the page
  render: () => void;
  waitFor: () => void;
  begin: (parts: { render: () => void }[]) => Promise<void>;
  parts: any; // what other parts may call
}
