"""The one road from a table to codes: every kind of column gives the same states."""

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.coded import Coded, block_of, coded, table_blocks
from bayesic.data.distinct import MOST_OBJECTS, distinct_objects, distinct_of_array, shared_objects
from bayesic.data.source import opened

WORDS = st.lists(st.sampled_from(["晴", "雨", "fog", None]), min_size=1, max_size=20)


def cells(column):
    """What a coded column says of each row."""
    return [column.states[code] if code >= 0 else None for code in column.codes.tolist()]


def coded_sky(values, known=None, **options):
    return coded(block_of({"sky": values}), {"sky": known}, **options)["sky"]


KINDS = {
    "list": list,
    "tuple": tuple,
    "objects": lambda values: np.array([*values, None], dtype=object)[:-1],
    "pandas objects": lambda values: pd.Series(values, dtype=object),
    "pandas": lambda values: pd.Series(values, dtype="str"),
    "pandas categories": lambda values: pd.Series(values, dtype="category"),
    "polars": lambda values: pl.Series(values, dtype=pl.String),
    "polars categories": lambda values: pl.Series(values, dtype=pl.Categorical),
    "arrow": lambda values: pa.array(values, pa.string()),
    "arrow dictionary": lambda values: pa.array(values, pa.string()).dictionary_encode(),
}


@pytest.mark.parametrize("known", [None, ("雨", "晴"), ("fog", "雨", "晴", "hail")], ids=str)
@pytest.mark.parametrize("kind", KINDS)
@given(words=WORDS)
def test_every_kind_of_column_says_the_same_of_each_row(kind, known, words):
    column = coded_sky(KINDS[kind](words), known)
    assert cells(column) == words
    assert sorted(column.occurring()) == sorted({word for word in words if word})


@given(st.lists(st.sampled_from([True, 1, "1", 1.0, 0, None, 2.5, "rain"]), max_size=12))
def test_states_keep_their_types_and_one_state_has_one_number(values):
    names = {1: "1", "1": "1", 0: "0", 2.5: "2.5", "rain": "rain", None: None}
    found = cells(coded_sky(values))
    assert [names[state] for state in found] == [names[value] for value in values]
    for state in {*found} - {None}:
        assert state in values
    assert len(set(map(str, map(names.get, found)))) == len({*found})


def test_what_is_neither_text_nor_number_becomes_a_text():
    values = [date(2024, 1, 5), Decimal("2.50"), [1, 2], np.datetime64("2024-01-06")]
    assert cells(coded_sky(values)) == ["2024-01-05", "2.5", "[1, 2]", "2024-01-06"]
    days = np.array(["2024-01-05", "NaT"], dtype="datetime64[ns]")
    assert cells(coded_sky(days)) == ["2024-01-05", None]


def test_known_states_are_as_they_are_known():
    for known in ((True, False), ("True", "False"), (1, 0)):
        column = coded_sky([True, None, False], known)
        assert [*map(type, cells(column))] == [type(known[0]), type(None), type(known[0])]
        assert column.numbered(known).tolist() == [0, -1, 1]


def test_unseen_states_get_the_mark_that_is_asked_for():
    column = coded_sky(["rain", "hail", None], ("sun", "rain"))
    assert column.numbered(("sun", "rain"), unseen=-2).tolist() == [1, -2, -1]
    assert column.numbered(("sun", "rain"), unseen=2).tolist() == [1, 2, -1]
    assert column.numbered(("sun", "rain")).tolist() == [1, -1, -1]


@pytest.mark.parametrize("n_states", [126, 127, 128, 200, 40_000])
def test_codes_of_many_states_do_not_overflow(n_states):
    states = tuple(f"day {number}" for number in range(n_states))
    column = Coded(np.array([0, n_states - 1, -1]), states)
    assert column.numbered(states[::-1], -2).tolist() == [n_states - 1, 0, -1]
    looked_up = coded_sky([states[-1], None, states[0]], states)
    assert looked_up.numbered(states).tolist() == [n_states - 1, -1, 0]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([date(2024, 1, 5)], "holds dates or times"),
        ([1, "rain"], "got 1 in row 0 and 'rain' in row 1"),
        ([None, [1]], "got list in column 'sky', row 1"),
        ([1.0, float("inf")], "must be finite, got inf in column 'sky', row 1"),
    ],
    ids=["dates", "mixture", "other", "infinite"],
)
def test_columns_that_name_nothing_are_refused_where_names_are_asked_for(values, message):
    with pytest.raises(ValueError, match=message):
        coded_sky(values, only_names=True)
    assert len(coded_sky(values).states) >= 1  # as a category anything will do


def test_numbers_and_intervals_of_a_category_type_are_names():
    column = coded_sky(pd.cut(pd.Series([1.0, 9.0]), [0, 5, 10]), only_names=True)
    assert (column.states, column.are_names) == (("(0, 5]", "(5, 10]"), True)
    assert coded_sky(pd.Series([1.5, 2.5], dtype="category"), only_names=True).are_names


@pytest.mark.parametrize("length", [10, 8192, 20_000])
def test_shared_objects_are_told_apart_by_type(length):
    values = np.array([True, 1, "1", None] * length, dtype=object)
    found = shared_objects(values)
    assert [*map(repr, found.values)] == ["True", "1", "'1'"]
    assert found.codes.tolist() == [0, 1, 2, -1] * length


def test_columns_of_many_objects_are_not_shared():
    words = [f"word {number}" for number in range(MOST_OBJECTS + 1)]
    assert shared_objects(np.array(words, dtype=object)) is None
    assert shared_objects(np.array([0.5, "rain"], dtype=object)) is None
    assert shared_objects(np.array(["rain", "sun"])) is None
    assert distinct_of_array(np.array(words, dtype=object)).values == words


@given(st.lists(st.sampled_from([True, 1, 0, False, None, float("nan")]), max_size=10))
def test_true_and_one_are_two_values(values):
    found = distinct_objects(values)
    kept = [found.values[code] if code >= 0 else None for code in found.codes.tolist()]
    observed = [None if value is None or value != value else value for value in values]
    assert [(type(value), value) for value in kept] == [(type(v), v) for v in observed]


def test_columns_that_are_not_asked_for_are_not_looked_at():
    block = block_of({"sky": ["rain"], "day": object(), "note": "a text"}, {"sky"})
    assert (block.names, block.n_rows, [*block.columns]) == (("sky", "day", "note"), 1, ["sky"])
    rows = [{"sky": "rain", 3: object()}, {"day": 4}]
    block = block_of(rows, {"sky"})
    assert (block.names, block.columns) == (("sky", "3", "day"), {"sky": ["rain", None]})


def test_files_come_in_blocks_and_texts_stay_as_written(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("door,day\n1,1\n2,2\n")
    [block] = table_blocks(opened(path), {"door": ("2", "1")})
    assert cells(coded(block, {"door": ("2", "1")})["door"]) == ["1", "2"]
    [block] = table_blocks(opened(path), {"door": None})
    assert cells(coded(block, {"door": None})["door"]) == [1, 2]
    assert block.rows == slice(0, 2)
