// The shapes of what the modules of the text desk hand to each other, for `tsc --checkJs`.

/** All that a person has chosen. It never changes; events make new ones. */
interface TextState {
  model: string | null;
  text: string;
  answer: string | null; // the class that is explained; null: the predicted one
  language: string;
  theme: string;
  panels: Record<string, boolean>;
}

type Weight = number | string; // "inf" and "-inf" where numbers end

/** A piece of the text; words have a weight, null if the model knows none of their tokens. */
interface Piece { text: string; weight?: Weight | null; tokens?: [string, Weight][] }

interface TextAnswer {
  seq: number;
  text: string;
  answer: string;
  against: string | null;
  predicted: string;
  classes: { name: string; probability: number }[];
  prior: Weight;
  log_odds: Weight;
  weights: { word: string; weight: Weight; times: string }[];
  impossible: boolean;
  pieces: Piece[];
  refused?: string;
}

type TextApp = PageApp<TextState>;
