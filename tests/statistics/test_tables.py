"""All that is kept of a table: rows of each class, and one statistic for each column."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.tables import as_table
from bayesic.statistics.levels import LevelCounts, WordCounts
from bayesic.statistics.numbers import NumberCounts
from bayesic.statistics.tables import TableCounts, table_counts
from helpers.environment import cells_per_block, environment
from helpers.labelled_rows import quarters

N_CLASSES = 3
STORED = {"sky": "category", "wind": "number", "note": "text"}
rows = st.tuples(
    st.none() | st.sampled_from(["sun", "rain", "雨"]),
    st.none() | st.integers(-4, 4).map(float),
    st.none() | st.sampled_from(["", "free lunch", "free free", "今天下雨"]),
    st.integers(0, N_CLASSES - 1),
)
tables = st.lists(rows, min_size=1, max_size=12)


def counted(some, weights=None):
    """The statistic of rows of (sky, wind, note, class)."""
    if not some:
        return TableCounts.empty(N_CLASSES)
    columns = dict(zip(STORED, zip(*(row[:3] for row in some), strict=True), strict=True))
    table = as_table({name: list(cells) for name, cells in columns.items()}, STORED)
    return table_counts(table, np.array([row[3] for row in some]), N_CLASSES, weights)


def assert_same_table(ours, theirs):
    np.testing.assert_array_equal(ours.class_count, theirs.class_count)
    assert set(ours.columns) == set(theirs.columns)
    for name, counts in theirs.columns.items():
        mine = ours.columns[name]
        assert type(mine) is type(counts)
        np.testing.assert_array_equal(mine.table, counts.table, err_msg=name)
        if isinstance(counts, LevelCounts):
            assert mine.levels == counts.levels
        else:
            assert (mine.bits, mine.keys.tolist()) == (counts.bits, counts.keys.tolist())
            for here, there in zip(mine.moments.arrays(), counts.moments.arrays(), strict=True):
                np.testing.assert_allclose(here, there, rtol=0, atol=1e-12 * 16 * 12)


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


@given(some=tables, data=st.data())
def test_any_order_and_any_split_gives_the_same_statistic(some, data):
    shuffled = data.draw(st.permutations(some))
    cut = data.draw(st.integers(0, len(some)))
    assert_same_table(counted(shuffled[:cut]) + counted(shuffled[cut:]), counted(some))


@given(some=tables)
def test_the_empty_statistic_changes_nothing(some):
    counts, empty = counted(some), TableCounts.empty(N_CLASSES)
    for same in (counts + empty, empty + counts, counts - empty):
        assert_same_table(same, counts)
    assert_same_table(counts - counts, empty)


@given(some=tables, more=tables)
def test_removing_undoes_adding(some, more):
    assert_same_table((counted(some) + counted(more)) - counted(more), counted(some))


@given(some=tables, data=st.data())
def test_removing_undoes_adding_with_weights(some, data):
    drawn = data.draw(st.lists(quarters, min_size=len(some), max_size=len(some)))
    weights = np.array(drawn)
    whole = counted(some, weights)
    assert_same_table((whole + whole) - whole, whole)


@pytest.mark.parametrize("threads", ["2", "5"])
def test_the_number_of_threads_does_not_change_a_bit(threads):
    random = np.random.default_rng(0)
    some = [
        (sky, float(wind), note, label)
        for sky, wind, note, label in zip(
            random.choice(["sun", "rain"], 500), random.normal(size=500),
            random.choice(["free lunch", "meeting"], 500), random.integers(0, 3, 500), strict=True,
        )
    ]  # fmt: skip
    with cells_per_block(64), environment(BAYESIC_THREADS="1"):
        alone = counted(some)
    with cells_per_block(64), environment(BAYESIC_THREADS=threads):
        together = counted(some)
    assert_same_table(together, alone)
    for mine, theirs in zip(
        together.columns["wind"].moments.arrays(),
        alone.columns["wind"].moments.arrays(),
        strict=True,
    ):
        assert mine.tobytes() == theirs.tobytes()


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


@given(some=tables)
def test_classes_move_to_their_places_in_a_wider_list(some):
    wider = counted(some).with_classes_at(np.array([4, 0, 2]), 5)
    moved = [(*row[:3], [4, 0, 2][row[3]]) for row in some]
    for label in range(5):
        assert wider.class_count[label] == sum(row[3] == label for row in moved)
        for name, place in (("sky", 0), ("wind", 1)):
            observed = sum(row[3] == label and row[place] is not None for row in moved)
            if name in wider.columns:
                assert wider.columns[name].n_observed[label] == observed


def test_the_statistic_cannot_be_written_to():
    counts = counted([("rain", 1.0, "free", 0)])
    with pytest.raises(ValueError, match="read-only"):
        counts.class_count[0] = 5
    with pytest.raises(FrozenInstanceError):
        counts.columns = {}


def test_statistics_that_cannot_come_from_rows_are_refused():
    good = counted([("rain", 1.0, "free", 0)])
    assert good.checked() is good
    for class_count in ([1, -1, 0], [np.nan, 0.0, 0.0], [1, 0]):
        with pytest.raises(ValueError, match="class_count must hold counts|number of classes"):
            TableCounts(np.array(class_count), good.columns).checked()
