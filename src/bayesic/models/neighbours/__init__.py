"""Models that keep the rows themselves."""
