"""Counts of levels together: what is counted, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.columns import Categories, Nothing
from bayesic.data.tables import Table
from bayesic.statistics import combinations as module
from bayesic.statistics.combinations import CombinationCounts, Layout, combination_counts
from helpers.examples import at_most

COLUMNS = ("wind", "sky", "天")
CELLS = ("rain", "sun", "雪", None)
N_CLASSES = 2

row = st.tuples(
    st.tuples(*[st.sampled_from(CELLS)] * 3),
    st.integers(0, N_CLASSES - 1),
    st.integers(0, 8).map(lambda number: number / 4),
)
some_rows = st.lists(row, min_size=1, max_size=6)
orders = st.integers(1, 3)


def categories(values):
    levels = [*dict.fromkeys(value for value in values if value is not None)]
    if not levels:
        return Nothing(len(values))
    codes = [-1 if value is None else levels.index(value) for value in values]
    return Categories(np.array(codes, np.intp), tuple(levels))


def counts_of(rows, order=2, weighted=True):
    columns = zip(*(cells for cells, _, _ in rows), strict=True)
    cells = {name: categories(column) for name, column in zip(COLUMNS, columns, strict=True)}
    codes = np.array([code for _, code, _ in rows])
    weights = np.array([weight for _, _, weight in rows]) if weighted else None
    table = Table(cells, len(rows), True, COLUMNS)
    return combination_counts(table, codes, N_CLASSES, order, weights)


@at_most(40)
@given(rows=some_rows, order=orders)
def test_counts_are_those_of_a_plain_loop(rows, order):
    counts = counts_of(rows, order)
    names, levels = list(counts.levels), list(counts.levels.values())
    assert names == sorted(names)
    for columns, shape, _ in counts.layout.shapes():
        expected = np.zeros((*shape, N_CLASSES))
        for cells, code, weight in rows:
            own = [cells[COLUMNS.index(names[column])] for column in columns]
            if None not in own and weight:
                places = [levels[c].index(word) for c, word in zip(columns, own, strict=True)]
                expected[(*places, code)] += weight
        np.testing.assert_array_equal(counts.of(*columns), expected)


RAIN = [(("rain", "sun", "sun"), 0, 1.0), (("sun", "sun", None), 1, 1.0)]


def test_what_was_never_counted_cannot_be_taken_away():
    some = counts_of(RAIN)
    with pytest.raises(ValueError, match="'雪' was never seen in column 'wind'"):
        some - counts_of([(("雪", "sun", None), 0, 1.0)])
    with pytest.raises(ValueError, match="would leave a count of"):
        some - counts_of([RAIN[0], RAIN[0]])
    with pytest.raises(ValueError, match="these are of 2 and 3. Use the same n or k"):
        some + counts_of(RAIN, 3)


def binned(edges):
    cells = {"age": Categories(np.array([0, 1]), ("0", "1"))}
    table = Table(cells, 2, True, ("age",))
    return combination_counts(table, np.array([0, 1]), 2, 2, edges={"age": edges} if edges else {})


def test_only_counts_of_the_same_bins_are_put_together():
    some = binned((0.0, 2.5, 9.0))
    assert some.checked().edges == {"age": (0.0, 2.5, 9.0)}
    assert (some + some).edges == some.edges and (some - some).edges == {}
    with pytest.raises(ValueError, match=r"'age' is cut at \[2.5\] here and at \[3.0\] there"):
        some + binned((0.0, 3.0, 9.0))
    with pytest.raises(ValueError, match="is cut at|holds numbers here and categories there"):
        some + binned(None)


def test_a_table_that_would_not_fit_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr(module, "LARGEST_TABLE", 10)
    with pytest.raises(ValueError, match="more than 10. Most levels have .*'ignore'"):
        counts_of(RAIN)


def changed(counts, **fields):
    return CombinationCounts(**{**vars(counts), **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"order": 0},
        {"order": 3},
        {"levels": {"sky": ("sun",), "wind": ("rain", "sun")}},
        {"levels": {"sky": ("sun",), "wind": ("sun", "rain"), "天": ("sun",)}},
        {"class_count": np.array([1, -1])},
        {"edges": {"sky": (0.0, 1.0)}},
        {"edges": {"hue": (0.0, 1.0)}},
        {"edges": {"sky": (0.0, float("nan"), 1.0)}},
    ],
    ids=str,
)
def test_what_cannot_have_come_from_counting_is_refused(fields):
    with pytest.raises(ValueError):
        changed(counts_of(RAIN), **fields).checked()


def test_the_layout_holds_single_columns_then_pairs():
    layout = Layout((2, 3, 4), 2)
    assert layout.n_cells_of(1) == 9 and layout.n_cells_of(2) == 6 + 8 + 12 and layout.n_cells == 35
    assert layout.first(2).tolist() == [9, 15, 23]
    assert [columns for columns, _, _ in layout.shapes()] == [
        (0,),
        (1,),
        (2,),
        (0, 1),
        (0, 2),
        (1, 2),
    ]
