"""Decision trees of the shortest description."""
