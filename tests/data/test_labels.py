"""Labels of every kind become class numbers; what is no label is refused."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.exceptions import DataConversionWarning

from bayesic.data.labels import declared_classes, encode_known_labels, encode_labels


def assert_encodes(y, labels):
    """The classes are the sorted labels, and each row's number points to its label."""
    classes, codes = encode_labels(y)
    assert classes.tolist() == sorted(set(labels))
    assert codes.dtype == np.intp
    assert [classes.tolist()[code] for code in codes] == list(labels)


# kinds of labels ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        ["spam", "ham", "spam"],
        ["晴", "雨", "多云", "雨"],
        [1, 0, 1],
        [-5, 7, -5, 0],
        [True, False, True],
        [2.0, 1.0, 2.0],
        [10**30, 1, 10**30],
        ["", " ", ""],
    ],
    ids=["words", "Chinese", "zero and one", "negative", "truth", "floats", "huge", "blanks"],
)
def test_lists_of_labels(labels):
    assert_encodes(labels, labels)


INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_the_smallest_and_the_largest_number_of_every_integer_kind(dtype):
    limits = np.iinfo(dtype)
    for labels in (
        [limits.max, limits.min, limits.max],
        [limits.max, limits.max - 1, limits.max],
        [limits.min + 2, limits.min, limits.min + 2],
    ):
        y = np.array(labels, dtype=dtype)
        assert_encodes(y, labels)
        assert encode_labels(y)[0].dtype == dtype


@given(st.data())
def test_integers_of_every_kind_are_coded_as_by_sorting(data):
    dtype = data.draw(st.sampled_from(INTEGERS))
    y = data.draw(hnp.arrays(dtype, st.integers(1, 20)))
    classes, codes = encode_labels(y)
    expected_classes, expected_codes = np.unique(y, return_inverse=True)
    assert classes.tolist() == expected_classes.tolist()
    assert codes.tolist() == expected_codes.tolist()


def test_one_label_only_is_one_class():
    assert_encodes(["spam"], ["spam"])
    assert_encodes(np.array([7, 7]), [7, 7])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_whole_floats_are_labels(dtype):
    assert_encodes(np.array([3.0, -1.0, 3.0], dtype=dtype), [3.0, -1.0, 3.0])


@pytest.mark.parametrize(
    "y", [np.full(100, 1000, dtype=np.float16), np.array([1e308, 1e308, -1e308])]
)
def test_whole_floats_whose_sum_is_too_large_are_labels_all_the_same(y):
    assert_encodes(y, y.tolist())


def test_objects_that_can_be_sorted_are_labels():
    assert_encodes(np.array(["spam", "ham"], dtype=object), ["spam", "ham"])
    assert_encodes(np.array([3, 1, 2], dtype=object), [3, 1, 2])


def test_bytes_and_strings_of_variable_width_are_labels():
    assert_encodes(np.array([b"spam", b"ham"]), [b"spam", b"ham"])
    words = np.array(["spam", "a very long label"], dtype=np.dtypes.StringDType())
    assert_encodes(words, ["spam", "a very long label"])


@pytest.mark.parametrize(
    "make",
    [
        pd.Series,
        lambda labels: pd.Series(labels, index=[5, 5, 1]),
        lambda labels: pd.Series(pd.Categorical(labels, categories=["spam", "ham", "news"])),
        lambda labels: pd.Series(labels, dtype="string"),
        pl.Series,
        pa.array,
    ],
    ids=["pandas", "pandas index", "pandas category", "pandas string", "polars", "pyarrow"],
)
def test_columns_of_every_library_are_labels(make):
    assert_encodes(make(["spam", "ham", "spam"]), ["spam", "ham", "spam"])


def test_nullable_whole_numbers_of_pandas_are_labels():
    assert_encodes(pd.Series([3, 1], dtype="Int64"), [3, 1])


def test_labels_in_a_column_are_taken_with_the_warning_of_scikit_learn():
    with pytest.warns(DataConversionWarning, match="1d array was expected"):
        classes, codes = encode_labels(np.array([["spam"], ["ham"]]))
    assert (classes.tolist(), codes.tolist()) == (["ham", "spam"], [1, 0])


def test_the_labels_given_are_not_changed():
    y = np.array([3, 1, 3])
    encode_labels(y)[0][:] = 99
    assert y.tolist() == [3, 1, 3]


# what is refused ------------------------------------------------------------------------------


def test_no_labels_at_all_are_refused():
    with pytest.raises(ValueError, match="requires y to be passed.*the class of each row"):
        encode_labels(None)
    with pytest.raises(ValueError, match="at least one label, got none"):
        encode_labels([])


@pytest.mark.parametrize(
    "y",
    [
        [1.0, np.nan],
        np.array(["spam", None], dtype=object),
        np.array(["spam", np.nan], dtype=object),
        ["spam", None],
        ["spam", np.nan],
        pd.Series(["spam", None]),
        pd.Series([1, None], dtype="Int64"),
        pd.Series(["spam", None], dtype="string"),
        np.array(["spam", pd.NA], dtype=object),
        pl.Series(["spam", None]),
        pl.Series([1, None]),
    ],
    ids=[
        "float NaN",
        "None object",
        "NaN object",
        "list with None",
        "list with NaN",
        "pandas None",
        "pandas nullable",
        "pandas string",
        "pandas NA object",
        "polars words",
        "polars numbers",
    ],
)
def test_a_missing_label_is_refused_with_the_way_out(y):
    with pytest.raises(ValueError, match=r"Input y contains NaN.*Leave out the rows"):
        encode_labels(y)


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_an_infinite_label_is_refused(infinity):
    with pytest.raises(ValueError, match="Input y contains infinity.*whole numbers or strings"):
        encode_labels([1.0, infinity])


def test_a_continuous_target_is_refused_with_the_number_that_came():
    with pytest.raises(ValueError, match=r"Unknown label type: continuous.*0\.5.*into classes"):
        encode_labels([1.0, 0.5])


@pytest.mark.parametrize(
    "y",
    [np.array(["spam", 1], dtype=object), np.array([b"spam", "ham"], dtype=object), ["spam", 1]],
    ids=["words and numbers", "bytes and words", "list of words and numbers"],
)
def test_labels_of_mixed_kinds_are_refused_by_kind(y):
    with pytest.raises(TypeError, match="labels of one type, got .* and .*strings"):
        encode_labels(y)


@pytest.mark.parametrize(
    "y",
    [
        np.array([1j, 2j]),
        np.array(["2026-11-15"], dtype="datetime64[D]"),
        np.array([(1, 2)], dtype=[("rain", int), ("wind", int)]),
    ],
    ids=["complex", "dates", "records"],
)
def test_dtypes_that_name_no_classes_are_refused(y):
    with pytest.raises(ValueError, match="y must hold class labels|Complex data not supported"):
        encode_labels(y)


def test_labels_that_cannot_be_looked_up_are_refused_as_labels():
    y = np.empty(2, dtype=object)
    y[0], y[1] = ["spam"], ["ham"]
    with pytest.raises((TypeError, ValueError), match="label"):
        encode_labels(y)


@pytest.mark.parametrize("y", [5, "spam", [[1, 2], [3, 4]], np.zeros((2, 2, 2)), [[1], [2, 3]]])
def test_what_is_no_list_of_labels_is_refused(y):
    with pytest.raises(ValueError, match="."):
        encode_labels(y)


# known classes --------------------------------------------------------------------------------


def test_known_labels_are_coded_by_their_place_among_the_classes():
    classes = np.array(["ham", "news", "spam"])
    assert encode_known_labels(["spam", "ham"], classes).tolist() == [2, 0]


def test_labels_equal_in_value_are_the_same_class():
    assert encode_known_labels([1.0, 0.0], np.array([0, 1])).tolist() == [1, 0]


@pytest.mark.parametrize("y", [["spam", "nonsense"], [1, 2]])
def test_an_unknown_label_is_refused_with_both_sides_of_the_difference(y):
    classes = np.array(["ham", "spam"])
    with pytest.raises(ValueError, match=r"\['ham', 'spam'\].*classes=") as refused:
        encode_known_labels(y, classes)
    assert str(y[-1]) in str(refused.value)


def test_declared_classes_are_sorted():
    assert declared_classes(["spam", "ham"]).tolist() == ["ham", "spam"]


@pytest.mark.parametrize(
    "classes", [[["ham"], ["spam"]], [[None]], ["ham", ["spam"]], [{}], "ham", 2, {"ham": 1}]
)
def test_classes_that_are_no_flat_list_are_refused(classes):
    with pytest.raises(ValueError, match="classes must be a flat list of labels"):
        declared_classes(classes)


def test_a_class_declared_twice_is_refused():
    with pytest.raises(ValueError, match=r"every class once, got \['ham', 'ham'\]"):
        declared_classes(["ham", "ham"])
