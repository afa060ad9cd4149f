// The shapes of what the modules of the models desk hand to each other, for `tsc --checkJs`.

/** All that a person has chosen. It never changes; events make new ones. */
interface ModelsState {
  model: string | null;
  seq: number | null; // the point in the journal that is looked at
  before: number | null; // the history is shown from here back; null: from its end
  other: string | null; // the model to compare with
  language: string;
  theme: string;
  panels: Record<string, boolean>;
}

interface StoredModel {
  name: string; kind: string; is_text: boolean; seq: number; rows: number | null; labels: any[];
  classes: string[]; counts: number[]; time: number | null; predicts: boolean; problem?: string;
}

interface CurvePoint {
  seq: number; time: number; n_rows: number;
  accuracy: number; log_loss: number; recent_accuracy: number; recent_log_loss: number;
}

interface StoredEvent { seq: number; op: string; id: string; time: number; row?: any; y?: any }

type ModelsApp = PageApp<ModelsState>;
