"""What one column holds, and the text that names a category."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.data.columns import Categories, Nothing, Numbers, Texts, united_levels
from bayesic.data.distinct import category_name


@pytest.mark.parametrize("one", [1, 1.0, "1", np.int8(1), np.float32(1), Decimal("1.00"), 10**0])
def test_one_is_the_same_category_however_it_is_written(one):
    assert category_name(one) == "1"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("free ", "free "),
        ("", ""),
        ("雨", "雨"),
        ("1.0", "1.0"),
        (True, "True"),
        (np.bool_(False), "False"),
        (0.5, "0.5"),
        (np.float32(0.1), "0.1"),
        (-0.0, "0"),
        (1e20, "100000000000000000000"),
        (10**20, "100000000000000000000"),
        (-3.0, "-3"),
        (Decimal("0.50"), "0.5"),
        (Decimal("0.12345678901234567890123"), "0.12345678901234567890123"),
        (date(2024, 1, 5), "2024-01-05"),
        (datetime(2024, 1, 5), "2024-01-05"),
        (datetime(2024, 1, 5, 10, 30), "2024-01-05 10:30:00"),
        (datetime(2024, 1, 5, tzinfo=UTC), "2024-01-05 00:00:00+00:00"),
        (np.datetime64("2024-01-05"), "2024-01-05"),
        (np.datetime64("2024-01-05T10:30"), "2024-01-05 10:30:00"),
        (np.datetime64("2024-01-05T00:00:00.000000001"), "2024-01-05 00:00:00.000000001"),
        (pd.Timestamp("2024-01-05"), "2024-01-05"),
        (pd.Timestamp("2024-01-05 10:30"), "2024-01-05 10:30:00"),
        (time(10, 30), "10:30:00"),
        (timedelta(hours=1), "1:00:00"),
        (np.timedelta64(1, "h"), "1:00:00"),
        (pd.Timedelta("1h"), "1:00:00"),
        (Fraction(1, 3), "1/3"),
        (pd.Period("2024-01", freq="M"), "2024-01"),
    ],
)
def test_the_name_of_a_category(value, name):
    assert category_name(value) == name
    assert type(category_name(value)) is str


@given(st.integers(-(2**53), 2**53))
def test_whole_numbers_have_one_name_as_integer_float_and_decimal(number):
    assert category_name(number) == category_name(float(number)) == str(number)
    assert category_name(Decimal(number)) == str(number)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_different_numbers_have_different_names(number):
    assert float(category_name(number)) == number


def test_levels_with_one_name_are_united_and_unused_ones_left_out():
    cells = united_levels(np.array([3, 0, -1, 2, 1]), ["rain", 1, 1.0, "1", "never"])
    assert cells.codes.dtype == np.intp
    assert [cells.levels[code] if code >= 0 else None for code in cells.codes] == [
        "1",
        "rain",
        None,
        "1",
        "1",
    ]
    assert sorted(cells.levels) == ["1", "rain"]


@given(st.lists(st.integers(-1, 3), max_size=8), st.lists(st.sampled_from("xy1"), min_size=4))
def test_uniting_levels_keeps_the_name_of_every_row(codes, names):
    cells = united_levels(np.array(codes, dtype=np.intp), names)
    found = [cells.levels[code] if code >= 0 else None for code in cells.codes]
    assert found == [names[code] if code >= 0 else None for code in codes]
    assert set(cells.levels) == {name for name in found if name is not None}
    assert len(set(cells.levels)) == len(cells.levels)


@pytest.mark.parametrize("rows", [slice(1, 3), slice(0, 0), slice(2, None), slice(None)])
def test_a_part_has_these_rows(rows):
    numbers = Numbers(np.array([1.0, 2.0, 3.0, np.nan]))
    np.testing.assert_array_equal(numbers.part(rows).values, numbers.values[rows])
    categories = Categories(np.array([0, 1, -1, 0]), ("rain", "sun"))
    np.testing.assert_array_equal(categories.part(rows).codes, categories.codes[rows])
    assert categories.part(rows).levels == ("rain", "sun")
    texts = Texts(["free", None, "win", "now"])
    assert texts.part(rows).texts == texts.texts[rows]
    for cells in (numbers, categories, texts, Nothing(4)):
        assert len(cells) == 4
        assert len(cells.part(rows)) == len(range(4)[rows])


def test_parts_of_numbers_and_categories_are_not_copied():
    numbers, codes = np.zeros(5), np.zeros(5, dtype=np.intp)
    assert np.shares_memory(Numbers(numbers).part(slice(1, 3)).values, numbers)
    assert np.shares_memory(Categories(codes, ("rain",)).part(slice(1, 3)).codes, codes)
