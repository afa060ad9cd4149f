"""All that is kept of a table: rows of each class, and one statistic for each column."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.tables import as_table
from bayesic.statistics.level_counts import LevelCounts, WordCounts
from bayesic.statistics.number_counts import NumberCounts
from bayesic.statistics.table_counts import TableCounts, table_counts

N_CLASSES = 3
STORED = {"sky": "category", "wind": "number", "note": "text"}


def read(some):
    """Rows of (sky, wind, note, class) as a table, and their classes."""
    columns = dict(zip(STORED, zip(*(row[:3] for row in some), strict=True), strict=True))
    table = as_table({name: list(cells) for name, cells in columns.items()}, STORED)
    return table, np.array([row[3] for row in some])


def counted(some):
    """The statistic of such rows."""
    return table_counts(*read(some), N_CLASSES)


def test_each_column_is_kept_by_what_it_holds():
    counts = counted([("rain", 2.0, "free lunch", 0), ("sun", None, "free", 1)])
    assert counts.class_count.tolist() == [1, 1, 0]
    assert counts.columns["sky"].levels == ("rain", "sun")
    assert counts.columns["wind"].keys.tolist() == [2.0]
    assert counts.columns["note"].levels == ("free", "lunch")
    assert counts.columns["note"].table.tolist() == [[1, 1, 0], [1, 0, 0]]
    kinds = [type(column) for column in counts.columns.values()]
    assert kinds == [LevelCounts, NumberCounts, WordCounts]


ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, "rain", "sun", "雪"]),
        st.sampled_from([None, 0.0, 1.5, -2.0, 1e8, 0.1]),
        st.sampled_from([None, "", "free lunch", "free 雪"]),
        st.integers(0, N_CLASSES - 1),
    ),
    min_size=1,
    max_size=12,
)


@given(ROWS, st.integers(0, 12))
def test_a_few_rows_more_are_the_same_as_one_by_one_to_the_last_bit(rows, cut):
    one_by_one = in_pieces = TableCounts.empty(N_CLASSES)
    for row in rows:
        one_by_one = one_by_one + counted([row])
    for piece in filter(None, (rows[:cut], rows[cut:])):
        in_pieces = in_pieces.with_rows(*read(piece))
    assert in_pieces.class_count.tolist() == one_by_one.class_count.tolist()
    assert in_pieces.columns.keys() == one_by_one.columns.keys()
    for name, mine in in_pieces.columns.items():
        theirs = one_by_one.columns[name]
        assert type(mine) is type(theirs)
        np.testing.assert_array_equal(mine.table, theirs.table)
        if isinstance(mine, NumberCounts):
            assert mine.keys.tobytes() == theirs.keys.tobytes()
            for array, other in zip(mine.moments.arrays(), theirs.moments.arrays(), strict=True):
                assert array.tobytes() == other.tobytes()
        else:
            assert mine.levels == theirs.levels


def test_a_number_that_is_too_large_is_refused_beside_a_gap():
    table = as_table({"wind": [None, 1e150]}, {"wind": "number"})
    with pytest.raises(ValueError, match="'wind' are too large"):
        TableCounts.empty(1).with_rows(table, np.zeros(2, np.intp))


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
