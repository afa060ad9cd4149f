// The shapes of the lessons desk, for `tsc --checkJs`.

/** What a person has set in a lesson, as it stands in the address: field -> text. */
type Given = Record<string, string>;

interface LessonsState {
  lesson: string | null;
  given: Given;
  language: string;
  theme: string;
  panels: Record<string, boolean>;
}
type LessonsApp = PageApp<LessonsState>;

interface Lesson {
  name: string;
  title: () => string;
  about: () => string; // one line, for the list of lessons
  start: Given;
  questions: (given: Given, language: string) => Record<string, import("../frame/questions.js").Question>;
  create: (app: LessonsApp) => { children: any[]; render: () => void };
}

/** A number that the server has computed exactly. */
interface Exact { text: string; value: number; decimal: string }

interface Ellipse { mean: number[]; axis: number[]; other: number }
