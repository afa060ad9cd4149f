"""Labels with gaps."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesic.data.labels import encode_some_labels

WORDS = ["spam", None, "ham", "spam"]


@pytest.mark.parametrize(
    "y",
    [
        WORDS,
        tuple(WORDS),
        ["spam", float("nan"), "ham", "spam"],
        ["spam", pd.NA, "ham", "spam"],
        ["spam", pd.NaT, "ham", "spam"],
        np.array(WORDS, dtype=object),
        pd.Series(WORDS),
        pd.Series(WORDS, dtype="string"),
        pd.Series(WORDS, dtype="category"),
        pl.Series(WORDS),
        pa.array(WORDS),
    ],
    ids=[
        "list",
        "tuple",
        "NaN",
        "NA",
        "NaT",
        "array",
        "pandas",
        "pandas string",
        "pandas category",
        "polars",
        "pyarrow",
    ],
)
def test_a_gap_is_a_gap_in_every_library(y):
    classes, codes = encode_some_labels(y)
    assert classes.tolist() == ["ham", "spam"]
    assert codes.tolist() == [1, -1, 0, 1]


@pytest.mark.parametrize(
    "y",
    [
        [3, None, 1],
        np.array([3.0, np.nan, 1.0]),
        pd.Series([3, None, 1], dtype="Int64"),
        pl.Series([3, None, 1]),
        pa.array([3, None, 1]),
    ],
    ids=["list", "array", "pandas", "polars", "pyarrow"],
)
def test_numbers_may_be_labels(y):
    classes, codes = encode_some_labels(y)
    assert classes.tolist() == [1, 3]
    assert codes.tolist() == [1, -1, 0]


def test_without_gaps_labels_are_what_they_always_are():
    classes, codes = encode_some_labels(["spam", "ham"])
    assert classes.tolist() == ["ham", "spam"]
    assert codes.tolist() == [1, 0]


@pytest.mark.parametrize("y", [[None, None], np.full(2, np.nan), pd.Series([pd.NA, pd.NA])])
def test_one_row_at_least_must_have_a_label(y):
    with pytest.raises(ValueError, match="At least one row must have a label, got 2 rows without"):
        encode_some_labels(y)


@pytest.mark.parametrize("y", [None, [], [[1, 2], [3, 4]], "spam", 3])
def test_what_is_no_list_of_labels_is_refused(y):
    with pytest.raises(ValueError, match="y"):
        encode_some_labels(y)


def test_words_and_numbers_do_not_mix():
    with pytest.raises(TypeError, match="labels of one type"):
        encode_some_labels(["spam", None, 3])
