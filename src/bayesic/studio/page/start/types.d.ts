// The shapes of the start page, for `tsc --checkJs`.

interface StartState { language: string; theme: string; panels: Record<string, boolean> }
type StartApp = PageApp<StartState>;
