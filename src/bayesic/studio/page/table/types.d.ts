// The shapes of the table desk, for `tsc --checkJs`.

interface Costs { actions: string[]; costs: number[][] }

interface TableState {
  table: string | null;
  target: string | null;
  model: string | null; // null: the one that is suggested
  kinds: Record<string, string>; // column -> kind, where a person has chosen it
  learned: string | null; // the model in the store
  seq: number; // its last event, as far as this tab knows
  view: string; // "columns", "rows" or "nomogram"
  first: number; // place of the first row of the list
  row: number | null; // the number of the row that is explained
  cells: Record<string, string>; // what if: column -> another cell
  answer: string | null; // the class that is explained; null: the predicted one
  costs: Costs | null;
  reject: number | null;
  language: string;
  theme: string;
  panels: Record<string, boolean>;
}
type TableApp = PageApp<TableState>;
