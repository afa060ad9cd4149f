"""Weights of rows: one finite number of 0 or more for each, not all 0."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from bayesic.data.arguments import checked_weights


def test_no_weights_stay_none():
    assert checked_weights(None, n_rows=3) is None


@pytest.mark.parametrize(
    "given",
    [
        [2, 0, 1],
        (2, 0, 1),
        np.array([2, 0, 1], dtype=np.uint8),
        np.array([2, 0, 1], dtype=np.float16),
        np.array([2, 9, 0, 9, 1, 9])[::2],
        np.array([2, 0, 1], dtype=object),
        pd.Series([2, 0, 1], index=[7, 8, 9]),
        pl.Series([2, 0, 1]),
    ],
    ids=["list", "tuple", "uint8", "float16", "strided", "objects", "pandas", "polars"],
)
def test_weights_of_every_kind_become_float64(given):
    weights = checked_weights(given, n_rows=3)
    assert weights.dtype == np.float64
    assert weights.flags.c_contiguous
    assert weights.tolist() == [2.0, 0.0, 1.0]


def test_truth_values_choose_rows():
    assert checked_weights([True, False], n_rows=2).tolist() == [1.0, 0.0]


def test_one_number_is_the_weight_of_every_row():
    assert checked_weights(2.5, n_rows=3).tolist() == [2.5, 2.5, 2.5]


@pytest.mark.parametrize(
    ("given", "shape"),
    [
        ([1, 2], r"\(2,\)"),
        ([[1], [1], [1]], r"\(3, 1\)"),
        ([], r"\(0,\)"),
        ([[1, 1, 1]], r"\(1, 3"),
    ],
)
def test_another_number_of_weights_than_rows_is_refused(given, shape):
    with pytest.raises(ValueError, match=f"one weight for each of the 3 rows, got shape {shape}"):
        checked_weights(given, n_rows=3)


@pytest.mark.parametrize("weight", [np.nan, np.inf, -np.inf, None])
def test_weights_that_are_not_finite_are_refused(weight):
    with pytest.raises(ValueError, match="sample_weight must be finite, got NaN or infinity"):
        checked_weights([1.0, weight], n_rows=2)


def test_negative_weights_are_refused_with_the_way_out():
    with pytest.raises(ValueError, match=r"0 or more, got -0\.5.*forget\(X, y\)"):
        checked_weights([1.0, -0.5], n_rows=2)


@pytest.mark.parametrize("given", [[0, 0], 0, [0.0, -0.0]])
def test_weights_that_are_all_zero_are_refused(given):
    with pytest.raises(ValueError, match="above 0 for at least one row"):
        checked_weights(given, n_rows=2)


@pytest.mark.parametrize(
    "given",
    [["heavy", "light"], [1, [2]], [{}, {}], object(), [1, 1j], [10**400, 1]],
    ids=["words", "ragged", "dictionaries", "object", "complex", "too large for a float"],
)
def test_weights_that_are_no_numbers_are_refused(given):
    with pytest.raises((TypeError, ValueError), match="sample_weight must hold numbers"):
        checked_weights(given, n_rows=2)
