"""Rows with labels: where they stand among others, and what is added and taken away there."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.statistics.aligned import (
    added,
    laid_out,
    learned_places,
    places_of_cells,
    places_of_keys,
    sum_at,
    sums_of_runs,
    taken_at,
    taken_away,
    united_words,
)

N_CLASSES = 2
word_sets = st.sets(st.text("冰雨ab", max_size=3))
counts_of_words = st.dictionaries(
    st.sampled_from(("free", "lunch", "rain", "雨")),
    st.tuples(*[st.integers(1, 9)] * N_CLASSES),
)


def table_of(counts):
    words = tuple(sorted(counts))
    rows = [counts[word] for word in words]
    return words, np.array(rows, np.int64).reshape(len(words), N_CLASSES)


@given(word_sets, word_sets)
def test_words_are_united_in_order_and_found_again(some, more):
    some, more = tuple(sorted(some)), tuple(sorted(more))
    words, mine, theirs = united_words(some, more)
    assert words == tuple(sorted({*some, *more}))
    assert (words if mine is None else tuple(words[place] for place in mine)) == some
    assert [words[place] for place in theirs] == [*more]


@given(counts_of_words, counts_of_words)
def test_words_are_added_as_in_a_dictionary_and_taken_away_again(some, more):
    (words, table), (others, other_table) = table_of(some), table_of(more)
    both, sums = added(words, others, (table, other_table))
    nothing = (0,) * N_CLASSES
    expected = {
        word: tuple(np.add(some.get(word, nothing), more.get(word, nothing)).tolist())
        for word in {*some, *more}
    }
    assert dict(zip(both, map(tuple, sums.tolist()), strict=True)) == expected
    left, rest = taken_away(learned_places(others, both), both, (sums, other_table))
    assert left == words and rest.tolist() == table.tolist()


def test_words_that_were_never_learned_are_refused_by_name():
    with pytest.raises(ValueError, match="the word 'snow' was never seen in March. Check texts"):
        learned_places(("rain", "snow"), ("free", "rain"), "the word ", " in March", "texts")


def test_what_is_taken_from_a_row_may_not_be_more_than_it_has():
    with pytest.raises(ValueError, match="would leave a count of -1"):
        taken_at(np.array([1]), np.array([5, 2]), np.array([3]))


@given(st.lists(st.integers(0, 3), max_size=8))
def test_rows_of_one_key_that_follow_one_another_are_added(keys):
    keys = np.sort(np.array(keys, np.int64))
    first, sums = sums_of_runs(keys, np.ones(len(keys), np.int64))
    distinct, count = np.unique(keys, return_counts=True)
    assert keys[first].tolist() == distinct.tolist() and sums.tolist() == count.tolist()


@given(st.sets(st.integers(0, 9)), st.lists(st.integers(-1, 11)))
def test_keys_are_found_where_they_stand(keys, asked):
    known = sorted(keys)
    places, found = places_of_keys(np.array(known, np.int64), np.array(asked, np.int64))
    assert found.tolist() == [key in keys for key in asked]
    assert [known[place] for place in places[found]] == [key for key in asked if key in keys]


LEVELS = {"sky": ("fog", "rain", "sun"), "wind": ("no", "yes"), "天": ("冰", "雨")}
TABLES = [("sky",), ("wind", "sky"), ("sky", "wind", "天")]


@given(st.data())
def test_cells_of_some_levels_are_found_among_those_of_all(data):
    some = {
        name: data.draw(st.lists(st.sampled_from(levels), unique=True))
        for name, levels in LEVELS.items()
    }
    tables = data.draw(st.permutations(TABLES))
    numbers = {
        name: np.array([LEVELS[name].index(level) for level in levels], np.intp)
        for name, levels in some.items()
    }
    others = [*laid_out(TABLES, {name: len(levels) for name, levels in LEVELS.items()})]
    cells = [(axes, cell) for axes in TABLES for cell in product(*map(LEVELS.get, axes))]
    places = places_of_cells(tables, numbers, others)
    expected = [(axes, cell) for axes in tables for cell in product(*map(some.get, axes))]
    assert [cells[place] for place in places] == expected


def test_tables_that_stand_as_they_are_need_no_places():
    first, second = np.array([[1, 2]]), np.array([[0.5, 0.0]])
    assert sum_at(1, (None, first), (None, second)).tolist() == [[1.5, 2.0]]
    assert taken_at(None, first, second).tolist() == [[0.5, 2.0]]
