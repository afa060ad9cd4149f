"""Cells that name a category by its number become int64 codes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesic.data.categories import LARGEST_CODE, category_codes, refuse_huge


@pytest.mark.parametrize(
    "dtype",
    ["bool", "int8", "uint8", "int32", "uint32", "int64", "uint64"]
    + ["float16", "float32", "float64", "longdouble"],
)
def test_numbers_of_every_dtype_are_codes(dtype):
    codes = category_codes(np.array([[0, 1], [1, 0]], dtype=dtype), "CategoricalNB")
    assert codes.dtype == np.int64
    assert codes.flags.c_contiguous
    assert codes.tolist() == [[0, 1], [1, 0]]


def test_int64_codes_in_c_order_are_a_view_not_a_copy():
    values = np.array([[3, 1], [0, 2]])
    assert np.shares_memory(category_codes(values, "CategoricalNB"), values)


def test_fortran_order_gives_the_same_codes_in_c_order():
    values = np.asfortranarray([[3, 1], [0, 2]])
    codes = category_codes(values, "CategoricalNB")
    assert codes.flags.c_contiguous
    assert codes.tolist() == values.tolist()


def test_nan_is_not_observed():
    codes = category_codes(np.array([[2.0, np.nan], [np.nan, 0.0]]), "CategoricalNB")
    assert codes.tolist() == [[2, -1], [-1, 0]]


@given(hnp.arrays(np.int64, (4, 2), elements=st.integers(0, 2**52)))
def test_whole_floats_are_the_same_codes_as_integers(values):
    codes = category_codes(values.astype(np.float64), "CategoricalNB")
    assert codes.tolist() == values.tolist()


@pytest.mark.parametrize(
    "values", [np.array([[2**64 - 1, 1]], dtype=np.uint64), np.array([[1e300, 1.0]])]
)
def test_numbers_beyond_int64_stay_large_and_positive(values):
    codes = category_codes(values, "CategoricalNB")
    assert codes[0, 0] > LARGEST_CODE
    assert codes[0, 1] == 1


@pytest.mark.parametrize("value", [0.9, 1.5, 1e-300, 99_998.5])
def test_numbers_that_are_not_whole_are_refused_not_cut(value):
    with pytest.raises(ValueError, match="CategoricalNB needs whole numbers.*GaussianNB") as told:
        category_codes(np.array([[value, 1.0]]), "CategoricalNB")
    assert str(value) in str(told.value)


@pytest.mark.parametrize("values", [np.array([[-1, 0]]), np.array([[-1.0, np.nan]])])
def test_negative_codes_are_refused_with_the_way_out(values):
    with pytest.raises(ValueError, match=r"Negative values .* CategoricalNB.*got -1.*Use NaN"):
        category_codes(values, "CategoricalNB")


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_infinite_codes_are_refused(infinity):
    with pytest.raises(ValueError, match="contains infinity"):
        category_codes(np.array([[infinity, 1.0]]), "CategoricalNB")


def test_codes_up_to_the_limit_are_learned_and_not_above():
    refuse_huge(np.array([3, LARGEST_CODE]))
    with pytest.raises(ValueError, match=r"at most 99999, got 100000 in column 1.*OrdinalEncoder"):
        refuse_huge(np.array([3, LARGEST_CODE + 1, 5]))
