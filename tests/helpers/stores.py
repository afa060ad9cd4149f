"""Rows for stores, and whether two models have learned the same."""

from typing import Any

from helpers.comparisons import assert_same

TEXTS = ["free money", "lunch today", "free lunch", "rain today"]
LABELS = ["spam", "ham", "spam", "ham"]
DAYS = {"sky": ["rain", "sun", "rain", None], "wind": [3.5, 1.0, float("nan"), 2.0]}
PLAY = ["stay", "go", "stay", "go"]


def same(one: Any, other: Any) -> bool:
    """Whether two models have learned the same, bit for bit; a store may set parameters."""
    assert_same(one.statistics_, other.statistics_)
    return one.classes_.tolist() == other.classes_.tolist()
