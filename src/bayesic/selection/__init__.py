"""Which model: honest scores of each candidate, and the choice."""
