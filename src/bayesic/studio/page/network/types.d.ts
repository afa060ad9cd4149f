// The shapes of what the modules of the network desk hand to each other, for `tsc --checkJs`.

/** What is known of a network: states by number. */
interface Evidence {
  given: Record<string, number>; // observed: variable -> state
  some: Record<string, number[]>; // one of these states
  likelihoods: Record<string, number[]>; // P(what was seen | state), by state
  becomes: Record<string, number[]>; // what the belief becomes, by state
  do: Record<string, number>; // set from outside
}

interface Scenario { name: string; evidence: Evidence }
type Edge = [string, string];
interface Constraints { forbidden: Edge[]; demanded: Edge[] }

/** All that a person has chosen. It never changes; events make new ones. */
interface State {
  document: string | null;
  version: number | null; // null: whatever is the head
  evidence: Evidence;
  selected: string | null;
  target: string | null; // what to ask about
  from: string | null; // whose connections are shown
  to: string | null; // where the open path ends
  scenarios: Scenario[];
  pinned: number | null; // the scenario behind the bars
  focus: string | null; // only its neighbourhood is shown
  names: boolean; // names only
  open: string[]; // cards that show all their states
  likely: string | null; // the card whose likelihoods are being set
  becoming: string | null; // the card whose belief is being told
  method: "auto" | "exact" | "samples";
  cases: string | null;
  row: number | null;
  constraints: Constraints;
  drawing: "forbidden" | "demanded" | null;
  language: string;
  theme: string;
  panels: Record<string, boolean>; // section -> whether it is open
}

interface Variable {
  name: string;
  states: string[];
  parents: string[];
  has_table: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

type EdgeRoute = [number, number, number][]; // x, top, bottom

/** A network as the server draws it up. */
interface Network {
  name: string;
  version: number;
  head: number;
  width: number;
  height: number;
  cost: { cells: number; seconds: number };
  n_parameters: number;
  variables: Variable[];
  edges: { from: string; to: string; route: EdgeRoute }[];
}

interface Answer {
  version: number;
  probabilities: Record<string, number[]>;
  log_probability: number;
  milliseconds: number;
  method: string;
  standard_errors: Record<string, number[]> | null;
  impossible?: { sentence: string; variables: string[] };
  costly?: { cells: number; seconds: number; fits: boolean };
  cancelled?: boolean;
  refused?: string;
}

/** The table of a variable: a row for each configuration of its parents, the last one fastest. */
interface Table {
  variable: string;
  states: string[];
  parents: { name: string; states: string[] }[];
  rows: number[][];
  missing: boolean;
}

type App = PageApp<State>;
