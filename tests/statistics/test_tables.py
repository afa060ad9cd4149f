"""All that is kept of a table: rows of each class, and one statistic for each column."""

import numpy as np
import pytest

from bayesic.data.tables import as_table
from bayesic.statistics.levels import LevelCounts, WordCounts
from bayesic.statistics.numbers import NumberCounts
from bayesic.statistics.table_counts import TableCounts, table_counts

N_CLASSES = 3
STORED = {"sky": "category", "wind": "number", "note": "text"}


def counted(some):
    """The statistic of rows of (sky, wind, note, class)."""
    columns = dict(zip(STORED, zip(*(row[:3] for row in some), strict=True), strict=True))
    table = as_table({name: list(cells) for name, cells in columns.items()}, STORED)
    return table_counts(table, np.array([row[3] for row in some]), N_CLASSES)


def test_each_column_is_kept_by_what_it_holds():
    counts = counted([("rain", 2.0, "free lunch", 0), ("sun", None, "free", 1)])
    assert counts.class_count.tolist() == [1, 1, 0]
    assert counts.columns["sky"].levels == ("rain", "sun")
    assert counts.columns["wind"].keys.tolist() == [2.0]
    assert counts.columns["note"].levels == ("free", "lunch")
    assert counts.columns["note"].table.tolist() == [[1, 1, 0], [1, 0, 0]]
    kinds = [type(column) for column in counts.columns.values()]
    assert kinds == [LevelCounts, NumberCounts, WordCounts]


def test_a_column_in_which_nothing_was_observed_is_not_kept():
    counts = counted([(None, 1.0, None, 0), (None, 2.0, "", 1)])
    assert list(counts.columns) == ["wind"]


@pytest.mark.parametrize(
    ("taken", "match"),
    [
        ([("fog", None, None, 0)], "Column 'sky'.*'fog' was never seen"),
        ([(None, 9.0, None, 0)], "Column 'wind'.*9.0 was never seen"),
        ([("rain", None, None, 1)], "Column 'sky'.*Only what was learned"),
        ([(None, None, "free", 0)], "column 'note' was never observed"),
        ([(None, None, None, 2)], "Only what was learned.*count of -1"),
    ],
    ids=["level", "number", "another class", "another column", "a class without rows"],
)
def test_what_was_not_learned_is_not_taken_away_and_the_column_is_named(taken, match):
    counts = counted([("rain", 1.0, None, 0), ("sun", 2.0, None, 1)])
    with pytest.raises(ValueError, match=match):
        counts - counted(taken)


def test_a_column_cannot_turn_from_numbers_into_words():
    numbers = table_counts(as_table({"size": [1.0]}), np.array([0]), 1)
    words = table_counts(as_table({"size": ["XL"]}), np.array([0]), 1)
    for operation in (lambda: numbers + words, lambda: words - numbers):
        with pytest.raises(ValueError, match=r"Column 'size' has held .* columns=\{'size': ...\}"):
            operation()


def test_statistics_that_cannot_come_from_rows_are_refused():
    good = counted([("rain", 1.0, "free", 0)])
    assert good.checked() is good
    for class_count in ([1, -1, 0], [np.nan, 0.0, 0.0], [1, 0]):
        with pytest.raises(ValueError, match="class_count must hold counts|number of classes"):
            TableCounts(np.array(class_count), good.columns).checked()
