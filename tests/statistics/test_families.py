"""Family counts: what is counted, how states are told apart, and what is refused."""

import pickle
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.coded import Coded
from bayesic.data.states import united_states
from bayesic.statistics.families import LARGEST_TABLE, FamilyCounts, family_counts
from helpers.comparisons import assert_same
from helpers.examples import at_most

PARENTS = {"play": ("sky", "wind"), "sky": (), "wind": ("sky",)}
VALUES = {"sky": ("sun", "rain", "fog"), "wind": (True, False), "play": (2, 10, 0.5, "no")}


@st.composite
def rows_of_words(draw):
    cells = st.fixed_dictionaries({name: st.sampled_from(VALUES[name]) for name in VALUES})
    return draw(st.lists(cells, max_size=8))


def coded(rows, name):
    """The states in the order in which they come, as a table may have them."""
    states = list(dict.fromkeys(row[name] for row in rows))
    return Coded(np.array([states.index(row[name]) for row in rows], np.int64), tuple(states))


def counted(rows):
    columns = {name: coded(rows, name) for name in VALUES}
    return family_counts(columns, PARENTS)


@at_most(40)
@given(rows_of_words())
def test_counts_are_those_of_a_counter(rows):
    counts = counted(rows)
    for name, table in counts.tables().items():
        family = (*PARENTS[name], name)
        expected = Counter(tuple(row[member] for member in family) for row in rows)
        cells = product(*(counts.states[member] for member in family))
        assert [expected[cell] for cell in cells] == table.ravel().tolist()
        assert set(counts.states[name]) == {row[name] for row in rows}
    assert counts.table.dtype == np.int64
    assert_same(counts, counts.checked())


def test_states_are_sorted_numbers_before_texts():
    rows = [{"sky": "sun", "wind": True, "play": value} for value in ("no", 10, 0.5, 2)]
    assert counted(rows).states["play"] == (0.5, 2, 10, "no")


def test_many_states_are_counted_in_wider_numbers():
    parents = {"day": (), "sky": ("day",), "wind": ("day", "sky")}
    rng = np.random.default_rng(1)
    sizes = {"day": 300, "sky": 255, "wind": 3}
    codes = {name: rng.integers(0, size, 2000) for name, size in sizes.items()}
    columns = {name: Coded(codes[name], tuple(range(size))) for name, size in sizes.items()}
    counts = family_counts(columns, parents)
    expected = Counter(zip(*(codes[name].tolist() for name in sizes), strict=True))
    table = counts.tables({name: tuple(range(size)) for name, size in sizes.items()})["wind"]
    assert {tuple(cell): int(table[tuple(cell)]) for cell in np.argwhere(table)} == expected


def test_what_was_never_learned_cannot_be_taken_away():
    sunny = [{"sky": "sun", "wind": True, "play": 2}]
    with pytest.raises(ValueError, match="'fog' was never seen in column 'sky'"):
        counted(sunny) - counted([{**sunny[0], "sky": "fog"}])
    with pytest.raises(ValueError, match="Only what was learned"):
        counted(sunny) - counted(sunny * 2)


def test_counts_of_other_families_cannot_be_added():
    counts = counted([{"sky": "sun", "wind": True, "play": 2}])
    turned = FamilyCounts.empty({**PARENTS, "play": ("wind", "sky")})
    with pytest.raises(ValueError, match="same order: these differ in 'play'"):
        counts + turned
    with pytest.raises(ValueError, match="differ in 'day'"):
        counts + FamilyCounts.empty({**PARENTS, "day": ()})


def test_the_order_of_the_variables_does_not_matter():
    rows = [{"sky": "sun", "wind": True, "play": 2}, {"sky": "fog", "wind": False, "play": "no"}]
    columns = {name: coded(rows, name) for name in VALUES}
    turned = family_counts(columns, {name: PARENTS[name] for name in ("wind", "sky", "play")})
    assert_same(counted(rows) + turned, counted(rows * 2))
    assert_same(counted(rows * 2) - turned, counted(rows))


def test_states_are_the_same_by_their_text_and_true_is_one():
    assert united_states((False, True), ("True", "unknown")) == (False, True, "unknown")
    assert united_states((1, 2), (True, "2")) == (1, 2)
    assert united_states(("a", "1"), (1, 3)) == (3, "1", "a")


def test_too_large_tables_are_refused_before_they_are_made():
    many = tuple(range(1 + int(LARGEST_TABLE**0.5)))
    columns = {name: Coded(np.zeros(1, np.int64), many) for name in ("day", "price")}
    with pytest.raises(ValueError, match=r"'price' needs .* Put numbers into bins"):
        family_counts(columns, {"day": (), "price": ("day",)})


def test_counts_are_read_only_also_after_pickling():
    counts = counted([{"sky": "sun", "wind": True, "play": 2}])
    for one in (counts, pickle.loads(pickle.dumps(counts))):
        with pytest.raises(ValueError, match="read-only"):
            one.table[0] = 7
        with pytest.raises(ValueError, match="read-only"):
            one.tables()["sky"][0] = 7


GOOD = FamilyCounts({"sky": (), "wind": ("sky",)}, {"sky": ("fog", "sun"), "wind": (True,)},
                    np.array([1, 2, 1, 2]))  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        {"parents": {"sky": (), "wind": ("day",)}},
        {"states": {"sky": ("fog", "sun")}},
        {"states": {"sky": ("sun", "fog"), "wind": (True,)}},
        {"states": {"sky": ("fog", "fog"), "wind": (True,)}},
        {"states": {"sky": ("fog", None), "wind": (True,)}},
        {"table": np.array([1, 2, 1])},
        {"table": np.array([1, -2, 1, 2])},
        {"table": np.array([1, 2, 2, 1])},
        {"table": np.array([0, 3, 0, 3])},
    ],
    ids=["parents", "no states", "order", "twice", "none", "short", "negative", "sums", "never"],
)
def test_what_cannot_come_from_counting_is_refused(wrong):
    assert GOOD.checked() is GOOD
    fields = {"parents": GOOD.parents, "states": GOOD.states, "table": GOOD.table}
    with pytest.raises((ValueError, TypeError)):
        FamilyCounts(**{**fields, **wrong}).checked()
