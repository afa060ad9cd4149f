"""Tables as numbers of states: every kind of table gives the same numbers."""

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks.codes import state_codes
from bayesic.networks.variable_names import number_of_state

STATES = {
    "Sky": ("晴", "多云", "雨"),
    "Storm": (True, False),
    "Level": (0, 1, 2),
    "Size": (0.5, 2.0),
}
ROWS = [
    {"Sky": "雨", "Storm": False, "Level": 2, "Size": 2.0},
    {"Sky": None, "Storm": True, "Level": None, "Size": 0.5},
    {"Sky": "晴", "Storm": None, "Level": 0, "Size": None},
]
EXPECTED = [[2, 1, 2, 1], [-1, 0, -1, 0], [0, -1, 0, -1]]
COLUMNS = {name: [row[name] for row in ROWS] for name in STATES}

TABLES = {
    "list of dicts": ROWS,
    "dict of lists": COLUMNS,
    "dict of arrays": {name: np.array(its, dtype=object) for name, its in COLUMNS.items()},
    "dict of series": {name: pd.Series(its) for name, its in COLUMNS.items()},
    "dict of polars": {name: pl.Series(its) for name, its in COLUMNS.items()},
    "dict of arrow": {name: pa.array(its) for name, its in COLUMNS.items()},
    "pandas": pd.DataFrame(COLUMNS),
    "pandas objects": pd.DataFrame(COLUMNS, dtype=object),
    "pandas categories": pd.DataFrame(COLUMNS).astype("category"),
    "pandas nullable": pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas texts": pd.DataFrame(COLUMNS, dtype=object).map(str, "ignore"),
    "polars": pl.DataFrame(COLUMNS),
    "arrow": pa.table(COLUMNS),
    "arrow dictionary": pa.table({**COLUMNS, "Sky": pa.array(COLUMNS["Sky"]).dictionary_encode()}),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_every_kind_of_table_gives_the_same_numbers(name):
    codes = state_codes(STATES, TABLES[name])
    assert codes.tolist() == EXPECTED
    assert codes.dtype == np.int64


def test_columns_may_be_missing_and_others_are_not_looked_at():
    codes = state_codes(STATES, {"Day": [date(2024, 1, 5), object()], "Storm": [False, True]})
    assert codes.tolist() == [[-1, 1, -1, -1], [-1, 0, -1, -1]]
    frame = pd.DataFrame({"Day": pd.to_datetime(["2024-01-05"]), "Sky": ["雨"]})
    assert state_codes(STATES, frame).tolist() == [[2, -1, -1, -1]]


@pytest.mark.parametrize("missing", [None, np.nan, float("nan"), pd.NA, pd.NaT])
def test_whatever_says_missing_is_not_observed(missing):
    for column in ([missing, "晴"], np.array([missing, "晴"], dtype=object)):
        assert state_codes({"Sky": STATES["Sky"]}, {"Sky": column}).tolist() == [[-1], [0]]
    assert state_codes({"Sky": STATES["Sky"]}, {"Sky": [missing]}).tolist() == [[-1]]


def test_fixed_texts_and_masked_arrays_are_columns():
    sky = {"Sky": STATES["Sky"]}
    assert state_codes(sky, {"Sky": np.array(["雨", "晴"])}).tolist() == [[2], [0]]
    masked = np.ma.array(["雨", "晴"], mask=[True, False])
    assert state_codes(sky, {"Sky": masked}).tolist() == [[-1], [0]]


def test_states_are_compared_as_text():
    storm = {"Storm": (True, False)}
    for column in (["True", "False"], [1, 0], [1.0, 0.0], [True, False], ["1", "0"]):
        assert state_codes(storm, {"Storm": column}).tolist() == [[0], [1]]
    level = {"Level": ("1", "2")}
    for column in ([1, 2], [1.0, 2.0], ["1", "2"], np.array([1, 2], np.int8)):
        assert state_codes(level, {"Level": column}).tolist() == [[0], [1]]
    assert number_of_state(True, (0, 1), "Level") == 1
    assert number_of_state(1e300, (2.5, 1e300), "Level") == 1


def test_columns_are_named_by_the_text_of_their_names():
    states = {"0": ("yes", "no"), "1": ("yes", "no")}
    for table in (
        pd.DataFrame({0: ["yes"], "1": ["no"]}),
        {0: ["yes"], "1": ["no"]},
        pd.DataFrame([["yes", "no"]]),
    ):
        assert state_codes(states, table).tolist() == [[0, 1]]


def test_more_states_than_a_byte_counts():
    days = {"Day": tuple(f"day {number}" for number in range(366))}
    column = [f"day {number}" for number in (365, 0, 127, 255)]
    assert state_codes(days, {"Day": column}).ravel().tolist() == [365, 0, 127, 255]


@pytest.mark.parametrize("kind", ["list", "category", "string", "polars"])
def test_unknown_states_are_refused_with_their_row_or_taken_as_null(kind):
    words = ["晴", "雪", "雨"]
    table = {
        "list": {"Sky": words},
        "category": pd.DataFrame({"Sky": pd.Categorical(words)}),
        "string": pd.DataFrame({"Sky": words}),
        "polars": pl.DataFrame({"Sky": words}),
    }[kind]
    with pytest.raises(
        ValueError, match="Sky has the states '晴', '多云', '雨', got '雪' in row 1"
    ):
        state_codes({"Sky": STATES["Sky"]}, table)
    codes = state_codes({"Sky": STATES["Sky"]}, table, unknown="null")
    assert codes.ravel().tolist() == [0, -1, 2]


def test_categories_that_do_not_occur_need_not_be_states():
    column = pd.Categorical(["晴"], categories=["雪", "晴"])
    assert state_codes({"Sky": STATES["Sky"]}, pd.DataFrame({"Sky": column})).tolist() == [[0]]


REFUSED = {
    "no variable": ({"sky": ["晴"]}, "named like the variables, 'Sky', .* none of 'sky' is"),
    "array": (np.array([["晴"]]), "none of 'x0' is"),
    "scalar": ({"Sky": "晴"}, "needs a list for each column"),
    "lengths": ({"Sky": ["晴"], "Storm": []}, "same number of rows"),
    "twice": (pd.DataFrame([["晴", "雨"]], columns=["Sky", "Sky"]), "different names"),
    "nothing": ({}, "at least one column"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_table_of_these_variables_is_refused(name):
    table, message = REFUSED[name]
    with pytest.raises(ValueError, match=message):
        state_codes(STATES, table)


def test_states_of_the_same_text_cannot_be_told_apart():
    with pytest.raises(ValueError, match="Two states of Level have the same text: 1, '1'"):
        state_codes({"Level": (1, "1")}, pl.DataFrame({"Level": [1]}))


def test_a_table_without_rows_has_none():
    assert state_codes(STATES, {"Sky": []}).shape == (0, 4)
    assert state_codes(STATES, pd.DataFrame({"Sky": []})).shape == (0, 4)


@given(st.lists(st.sampled_from(["晴", "多云", "雨", None]), min_size=1, max_size=20))
def test_short_cuts_give_what_the_long_way_gives(words):
    sky = {"Sky": STATES["Sky"]}
    expected = [sky["Sky"].index(word) if word else -1 for word in words]
    series = pd.Series(words, dtype="str")
    for table in (
        {"Sky": words},
        pd.DataFrame({"Sky": series}),
        pd.DataFrame({"Sky": series.astype("category")}),
        pl.DataFrame({"Sky": words}, schema={"Sky": pl.String}),
        [{"Sky": word} for word in words],
    ):
        assert state_codes(sky, table).ravel().tolist() == expected
