"""Counts of levels by class: what a column of categories or words leaves behind."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.statistics.level_counts import LevelCounts, level_counts
from helpers.labelled_rows import quarters

SKIES = ("sun", "rain", "fog", "雨", "")
N_CLASSES = 3
cells = st.lists(
    st.tuples(st.sampled_from([None, *SKIES]), st.integers(0, N_CLASSES - 1), st.none() | quarters),
    max_size=12,
)


def counted(rows, weighted=False):
    """The statistic of rows of (level or None, class, weight)."""
    levels = list(dict.fromkeys(level for level, _, _ in rows if level is not None))
    codes = [-1 if level is None else levels.index(level) for level, _, _ in rows]
    weights = np.array([weight or 1.0 for _, _, weight in rows]) if weighted else None
    classes = np.array([label for _, label, _ in rows], dtype=np.intp)
    return level_counts(np.array(codes, dtype=np.intp), levels, classes, N_CLASSES, weights)


def as_dict(counts):
    """(level, class) -> count, zeros left out."""
    table = counts.table.tolist()
    return {
        (level, label): count
        for level, row in zip(counts.levels, table, strict=True)
        for label, count in enumerate(row)
        if count
    }


@given(rows=cells, weighted=st.booleans())
def test_every_observed_cell_is_counted_once_with_its_weight(rows, weighted):
    expected = Counter()
    for level, label, weight in rows:
        if level is not None:
            expected[level, label] += (weight or 1) if weighted else 1
    counts = counted(rows, weighted)
    assert as_dict(counts) == expected
    if expected:
        assert counts.table.dtype == (np.float64 if weighted else np.int64)
    assert counts.n_observed.tolist() == counts.table.sum(axis=0).tolist()


@given(rows=cells, weighted=st.booleans())
def test_levels_are_sorted_and_each_of_them_occurs(rows, weighted):
    counts = counted(rows, weighted)
    assert list(counts.levels) == sorted({level for level, _, _ in rows} - {None})
    assert counts.table.any(axis=1).all()
    assert counts.checked() is counts


def test_weights_that_cannot_be_summed_exactly_leave_no_level_behind():
    codes, classes = np.array([0, 0, 1]), np.zeros(3, np.intp)
    weights = np.array([0.1, 0.2, 0.3])
    all_rows = level_counts(codes, ["rain", "sun"], classes, 1, weights)
    rain = level_counts(codes[:2], ["rain"], classes[:2], 1, weights[:2])
    in_turn = all_rows
    for row in (0, 1):
        in_turn -= level_counts(codes[[row]], ["rain"], classes[[row]], 1, weights[[row]])
    for rest in (all_rows - rain, in_turn):
        assert rest.levels == ("sun",)
        assert rest.table.tolist() == [[0.3]]


@pytest.mark.parametrize(
    ("taken", "match"),
    [
        ([("fog", 0, None)], "'fog' was never seen"),
        ([("rain", 1, None)], "Only what was learned can be taken away"),
        ([("rain", 0, None)] * 3, "leave a count of -1"),
    ],
    ids=["a level never seen", "in another class", "more often than learned"],
)
def test_what_was_not_learned_is_not_taken_away(taken, match):
    counts = counted([("rain", 0, None), ("rain", 0, None), ("sun", 1, None)])
    with pytest.raises(ValueError, match=match):
        counts - counted(taken)
    assert as_dict(counts) == {("rain", 0): 2, ("sun", 1): 1}


@pytest.mark.parametrize(
    ("levels", "table"),
    [
        (("rain", "rain"), [[1], [1]]),
        (("sun", "rain"), [[1], [1]]),
        (("rain",), [[1], [1]]),
        (("rain",), [[-1]]),
        (("rain",), [[np.nan]]),
        (("rain",), [[0]]),
        (("rain",), [1]),
    ],
    ids=["a level twice", "out of order", "a row too many", "negative", "NaN", "never", "flat"],
)
def test_counts_that_cannot_come_from_rows_are_refused(levels, table):
    with pytest.raises(ValueError, match="table|level"):
        LevelCounts(levels, np.array(table)).checked()
