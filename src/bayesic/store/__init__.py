"""A durable home for models: a journal of events, models as folds of it, snapshots."""
