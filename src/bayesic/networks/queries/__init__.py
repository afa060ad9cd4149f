"""Questions to a model with names, as pure functions: one idea per file."""
