"""Rows as lines of JSON: what comes back is what was given."""

import json
import math
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.store.plain_rows import Row, digest, line_of, plain, row_of, rows_of

cells = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(alphabet=st.characters(exclude_categories=()))
)
rows = st.builds(
    Row,
    st.dictionaries(st.text() | st.just("float"), cells) | st.lists(cells) | st.text(),
    st.none() | st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
)


@given(rows)
def test_a_row_comes_back_from_its_line_with_the_same_values_and_types(row):
    back = row_of(line_of(row))
    assert repr(back) == repr(row)  # 1, 1.0 and True are equal, -0.0 and 0.0 too
    assert digest(back) == digest(row)


@given(rows)
def test_a_line_is_json_that_any_program_reads_and_utf8_can_hold(row):
    def refuse(constant):
        raise AssertionError(constant)

    json.loads(line_of(row).encode("utf-8"), parse_constant=refuse)


@given(rows, rows)
def test_rows_are_the_same_if_their_values_are(some, other):
    def compared(row):
        x = sorted(row.x.items()) if isinstance(row.x, dict) else row.x
        return [type(row.x), _typed(x), _typed(row.y)]

    assert (digest(some) == digest(other)) == (compared(some) == compared(other))


def _typed(value):
    """Values that are equal and of one kind: True is no number, 1 and 1.0 are one."""
    if isinstance(value, (list, tuple)):
        return [_typed(part) for part in value]
    return isinstance(value, bool), value


def test_gaps_of_all_kinds_are_none():
    for gap in (None, float("nan"), np.nan, np.float32("nan"), pd.NA, pd.NaT, Decimal("nan")):
        assert plain(gap) is None


def test_numbers_of_all_kinds_keep_their_values():
    assert plain(np.int8(-3)) == -3 and type(plain(np.int8(-3))) is int
    assert plain(np.float32(0.1)) == float(np.float32(0.1))
    assert plain(2**100) == 2**100
    assert plain(Decimal("0.5")) == 0.5 and plain(-math.inf) == -math.inf
    assert plain(np.bool_(True)) is True and type(plain(np.str_("rain"))) is str


@pytest.mark.parametrize("cell", [date(2024, 1, 5), b"rain", ["rain"], 1j, object()])
def test_what_a_model_could_not_learn_is_refused_with_the_way_out(cell):
    with pytest.raises(TypeError, match="A store keeps numbers, texts"):
        rows_of([{"sky": cell}], ["go"])


@pytest.mark.parametrize(
    "table",
    [
        {"sky": ["rain", None], "wind": [3, 4]},
        pd.DataFrame({"sky": ["rain", None], "wind": [3, 4]}),
        pl.DataFrame({"sky": ["rain", None], "wind": [3, 4]}),
        [{"sky": "rain", "wind": 3}, {"sky": None, "wind": 4}],
    ],
)
def test_tables_of_all_kinds_give_the_same_rows(table):
    assert rows_of(table, ["stay", "go"]) == [
        Row({"sky": "rain", "wind": 3}, "stay"),
        Row({"sky": None, "wind": 4}, "go"),
    ]


@pytest.mark.parametrize(
    "texts", [["rain", None], np.array(["rain", None]), pd.Series(["rain", None]), ("rain", None)]
)
def test_texts_of_all_kinds_give_the_same_rows(texts):
    assert rows_of(texts, pd.Series(["stay", "go"])) == [Row("rain", "stay"), Row(None, "go")]


def test_rows_and_labels_must_go_together():
    with pytest.raises(ValueError, match="2 rows, y has 1 labels"):
        rows_of(["rain", "sun"], ["go"])
    with pytest.raises(ValueError, match="got None in row 1"):
        rows_of(["rain", "sun"], ["go", float("nan")])
    with pytest.raises(ValueError, match="There are no rows"):
        rows_of([], [])
    with pytest.raises(ValueError, match="2D"):
        rows_of(np.arange(3.0), [1, 2, 3])
