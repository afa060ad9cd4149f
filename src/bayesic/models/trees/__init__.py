"""Trees whose leaves are counts."""
