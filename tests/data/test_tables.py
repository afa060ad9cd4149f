"""Tables of every kind become the same columns, and the same matrix."""

import subprocess
import sys
from datetime import date, time, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from bayesic.data.columns import Categories, Nothing, Numbers, Texts
from bayesic.data.distinct import category_name
from bayesic.data.frames import is_table
from bayesic.data.matrices import as_matrix
from bayesic.data.tables import as_table
from helpers.cells import seen
from helpers.labelled_rows import FIVE

LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.fixture(params=LIBRARIES)
def make_table(request):
    return LIBRARIES[request.param]


def test_tables_are_told_from_arrays_and_lists(make_table):
    assert is_table(make_table({"湿度": [1, 2]}))
    for other in (np.zeros((2, 2)), [[1]], ((1,),), pd.Series([1]), None, 3, "rain"):
        assert not is_table(other)


def test_whole_numbers_stay_whole_numbers(make_table):
    matrix = as_matrix(make_table({"rain": [0, 2], "风": [1, 3]}))
    assert matrix.dtype == np.int64
    assert matrix.tolist() == [[0, 1], [2, 3]]


def test_fractions_beside_whole_numbers_become_floats(make_table):
    matrix = as_matrix(make_table({"rain": [0, 2], "wind": [0.5, 1.5]}))
    assert matrix.dtype == np.float64
    assert matrix.tolist() == [[0.0, 0.5], [2.0, 1.5]]


def test_booleans_are_zeros_and_ones(make_table):
    assert as_matrix(make_table({"wet": [True, False]})).tolist() == [[1], [0]]
    mixed = as_matrix(make_table({"wet": [True, False], "wind": [7, 8]}))
    assert mixed.dtype.kind in "iuf"
    assert mixed.tolist() == [[1, 7], [0, 8]]


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
@pytest.mark.parametrize("column", [[1, None], [1.0, None], [True, None]])
def test_null_is_not_observed(make, column):
    matrix = as_matrix(make({"rain": column, "wind": [2, 3]}))
    assert matrix.dtype == np.float64
    np.testing.assert_array_equal(matrix, [[1.0, 2.0], [np.nan, 3.0]])


@pytest.mark.parametrize("dtype", ["Int64", "UInt8", "Float64", "boolean", "int64[pyarrow]"])
def test_missing_values_of_nullable_pandas_columns_are_not_observed(dtype):
    table = pd.DataFrame({"rain": pd.array([1, None], dtype=dtype), "wind": [2, 3]})
    matrix = as_matrix(table)
    assert matrix.dtype == np.float64
    np.testing.assert_array_equal(matrix, [[1.0, 2.0], [np.nan, 3.0]])


def test_nullable_pandas_columns_without_gaps_stay_whole_numbers():
    matrix = as_matrix(pd.DataFrame({"rain": pd.array([1, 4], dtype="Int64")}))
    assert matrix.dtype.kind == "i"
    assert matrix.tolist() == [[1], [4]]


def test_nan_and_null_of_one_polars_column_are_both_not_observed():
    matrix = as_matrix(pl.DataFrame({"rain": [1.0, float("nan"), None]}))
    np.testing.assert_array_equal(matrix, [[1.0], [np.nan], [np.nan]])


def test_a_chunked_table_with_an_index_of_its_own_is_taken_row_by_row():
    parts = [pl.DataFrame({"rain": [1]}), pl.DataFrame({"rain": [2]})]
    assert as_matrix(pl.concat(parts, rechunk=False)).tolist() == [[1], [2]]
    assert as_matrix(pd.DataFrame({"rain": [1, 2]}, index=[9, 9])).tolist() == [[1], [2]]


def test_columns_of_words_are_refused_by_name(make_table):
    table = make_table({"wind": [1, 2], "天气": ["晴", "雨"]})
    with pytest.raises(ValueError, match=r"column '天气' is String.*OrdinalEncoder"):
        as_matrix(table)


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"outlook": pd.Categorical(["sunny", "rain"])}),
        pd.DataFrame({"outlook": pd.to_datetime(["2026-11-15", "2026-11-16"])}),
        pl.DataFrame({"outlook": pl.Series(["sunny", "rain"], dtype=pl.Categorical)}),
        pl.DataFrame({"outlook": [[1, 2], [3]]}),
        pa.table({"outlook": pa.array([b"sunny", b"rain"])}),
    ],
    ids=["pandas category", "pandas dates", "polars category", "polars lists", "pyarrow bytes"],
)
def test_columns_of_other_kinds_are_refused_by_name(table):
    with pytest.raises(ValueError, match="X must hold numbers, but column 'outlook' is"):
        as_matrix(table)


def test_a_lazy_table_is_refused_with_the_way_out():
    with pytest.raises(TypeError, match=r"lazy LazyFrame.*collect\(\)"):
        as_matrix(pl.LazyFrame({"rain": [1]}))


def test_empty_tables_are_refused(make_table):
    without_rows = make_table({"rain": [1, 2]})[:0]
    for table, came in ((without_rows, "0 sample"), (make_table({}), "0 sample|0 feature")):
        with pytest.raises(ValueError, match=f"at least one row and one column: found ({came})"):
            as_matrix(table)


def test_a_table_with_one_name_for_two_columns_is_taken_or_refused_with_that_name():
    table = pd.DataFrame([[1, 2]], columns=["rain", "rain"])
    try:
        matrix = as_matrix(table)
    except ValueError as error:
        assert "rain" in str(error)
    else:
        assert matrix.tolist() == [[1, 2]]


@pytest.mark.parametrize("Model", FIVE)
def test_every_library_gives_the_same_model_with_the_names_of_the_columns(Model, make_table):
    columns = {"下雨": [0, 2, 1, 3], "上午": [1, 0, 0, 2]}
    y = ["ham", "spam", "ham", "spam"]
    from_table = Model().fit(make_table(columns), y)
    assert from_table.feature_names_in_.tolist() == ["下雨", "上午"]
    from_array = Model().fit(np.column_stack(list(columns.values())), y)
    np.testing.assert_array_equal(
        from_table.predict_proba(make_table(columns)),
        from_array.predict_proba(np.column_stack(list(columns.values()))),
    )


@pytest.mark.parametrize("Model", FIVE)
def test_columns_are_matched_by_name_in_any_order(Model):
    model = Model().fit(pd.DataFrame({"rain": [0, 2], "wind": [1, 0]}), ["ham", "spam"])
    expected = model.predict_proba(pd.DataFrame({"rain": [0, 2], "wind": [3, 1]}))
    turned = {"wind": [3, 1], "rain": [0, 2]}
    for table in (turned, pd.DataFrame(turned), [{"wind": 3, "rain": 0}, {"wind": 1, "rain": 2}]):
        np.testing.assert_array_equal(model.predict_proba(table), expected)
    with pytest.raises(ValueError, match="Feature names unseen at fit time: .'snow'"):
        model.predict({"rain": [0], "wind": [1], "snow": [2]})


# columns --------------------------------------------------------------------------------------

FORMS = {
    **LIBRARIES,
    "dict of lists": dict,
    "dict of arrays": lambda columns: {
        name: np.array([*values, None], dtype=object)[:-1] for name, values in columns.items()
    },
    "dict of polars": lambda columns: {name: pl.Series(values) for name, values in columns.items()},
    "dict of pyarrow": lambda columns: {name: pa.array(values) for name, values in columns.items()},
    "list of dicts": lambda columns: [
        dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
    ],
    "record batch": pa.RecordBatch.from_pydict,
}


@pytest.fixture(params=FORMS)
def make(request):
    return FORMS[request.param]


def only_column(X, told=None, name="day"):
    stored = {} if told is None else {name: told}
    return seen(as_table(X, stored).columns[name])


def test_every_form_gives_the_same_columns(make):
    table = as_table(
        make(
            {
                "wind": [1, None, 3],
                "天气": ["雨", "晴", None],
                "wet": [True, None, False],
                "share": [0.5, 2.0, None],
                "nobody": [None, None, None],
            }
        )
    )
    assert table.named
    assert table.shape == (3, 5)
    assert {name: seen(cells) for name, cells in table.columns.items()} == {
        "wind": (Numbers, [1, None, 3]),
        "天气": (Categories, ["雨", "晴", None]),
        "wet": (Categories, ["True", None, "False"]),
        "share": (Numbers, [0.5, 2, None]),
        "nobody": (Nothing, [None, None, None]),
    }


@pytest.mark.parametrize(
    "rows",
    [
        [(2, "S"), (None, "M"), (1, None)],
        ((2, "S"), [float("nan"), "M"], (1, np.nan)),
        [np.array([2, "S"], dtype=object), (pd.NA, "M"), (1, pd.NA)],
        np.array([[2, "S"], [None, "M"], [1, None]], dtype=object),
    ],
    ids=["tuples", "tuple of rows", "arrays and tuples", "object array"],
)
def test_rows_without_names_are_columns_x0_and_x1(rows):
    table = as_table(rows)
    assert not table.named
    assert {name: seen(cells) for name, cells in table.columns.items()} == {
        "x0": (Numbers, [2, None, 1]),
        "x1": (Categories, ["S", "M", None]),
    }


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "longdouble"])
def test_arrays_of_every_numeric_dtype(dtype):
    table = as_table(np.array([[0, 1], [1, 1]], dtype=dtype))
    cells = Numbers, [0, 1]
    expected = (Categories, ["False", "True"]) if dtype == "bool" else cells
    assert seen(table.columns["x0"]) == expected


@pytest.mark.parametrize("format_", ["csr", "csc", "coo"])
def test_sparse_arrays_are_columns_of_numbers(format_):
    table = as_table(sparse.random_array((4, 3), density=0.5, format=format_, rng=7))
    dense = sparse.random_array((4, 3), density=0.5, format=format_, rng=7).toarray()
    for place, cells in enumerate(table.columns.values()):
        assert seen(cells) == (Numbers, dense[:, place].tolist())


def test_masked_cells_are_not_observed():
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    assert seen(as_table(masked).columns["x1"]) == (Numbers, [None, 4])


def test_arrays_of_words_are_categories():
    words = np.array([["spam"], ["ham"]])
    for array in (words, words.astype(object), words.astype(np.dtypes.StringDType())):
        assert seen(as_table(array).columns["x0"]) == (Categories, ["spam", "ham"])


def test_missing_keys_of_dicts_are_not_observed():
    table = as_table([{"wind": 1}, {"sky": "rain", "wind": 2}])
    assert list(table.columns) == ["wind", "sky"]
    assert seen(table.columns["sky"]) == (Categories, [None, "rain"])


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(["spam", None, "ham"], dtype="category"),
        pd.Series(pd.Categorical(["spam", None, "ham"], categories=["news", "ham", "spam"])),
        pd.Series(["spam", pd.NA, "ham"], dtype="string"),
        pd.Series(["spam", None, "ham"], dtype="string[pyarrow]"),
        pd.Series(["spam", np.nan, "ham"], dtype=object),
        pd.Series(["spam", None, "ham"], index=[4, 4, 1]),
        pl.Series(["spam", None, "ham"], dtype=pl.Categorical),
        pl.Series(["spam", None, "ham"], dtype=pl.Enum(["news", "ham", "spam"])),
        pa.array(["spam", None, "ham"]).dictionary_encode(),
        pa.array(["spam", None, "ham"], pa.large_string()),
        pa.chunked_array([["spam", None], ["ham"], pa.array([], pa.string())]),
    ],
)
def test_words_of_every_dtype_are_categories(column):
    assert only_column({"mail": column}, name="mail") == (Categories, ["spam", None, "ham"])


def test_dictionaries_of_chunks_that_differ_are_united():
    chunks = [pa.array(words).dictionary_encode() for words in (["spam", "ham"], ["ham", "news"])]
    found = only_column({"mail": pa.chunked_array(chunks)}, name="mail")
    assert found == (Categories, ["spam", "ham", "ham", "news"])


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1, None, 3], dtype="Int64"),
        pd.Series([1, None, 3], dtype="Float32"),
        pd.Series([1, None, 3], dtype="int8[pyarrow]"),
        pd.Series([Decimal(1), None, Decimal(3)]),
        pl.Series([1, None, 3], dtype=pl.UInt8),
        pl.Series([1.0, float("nan"), 3.0]),
        pl.Series([Decimal(1), None, Decimal(3)]),
        pa.array([1, None, 3], pa.float32()),
        pa.chunked_array([[1, None], [3]]),
        pa.array([Decimal(1), None, Decimal(3)]),
        [1, None, 3.0],
        [np.int8(1), np.nan, Decimal(3)],
        (1, pd.NA, 3),
        [1, pd.NaT, 3],
        [1, Decimal("nan"), 3],
    ],
)
def test_numbers_of_every_dtype_are_numbers(column):
    assert only_column({"wind": column}, name="wind") == (Numbers, [1, None, 3])


def test_numbers_that_are_float64_are_not_copied():
    values = np.array([1.0, 2.0, np.nan])
    matrix = np.asfortranarray([[1.0, 2.0], [3.0, 4.0]])
    for X, owner in (
        ({"wind": values}, values),
        (matrix, matrix),
        (pd.DataFrame({"wind": values}, copy=False), values),
        (pl.DataFrame({"wind": pl.Series(values)}), None),
    ):
        (cells, *_) = as_table(X).columns.values()
        owner = X["wind"].to_numpy(allow_copy=False) if owner is None else owner
        assert np.shares_memory(cells.values, owner)


def test_whole_numbers_too_large_for_a_float_are_rounded(make):
    assert only_column(make({"day": [2**53 + 1, 1]})) == (Numbers, [float(2**53), 1])


def test_columns_without_any_value_are_nothing_whatever_their_dtype():
    for column in (
        pl.Series([None, None], dtype=pl.Float64),
        pl.Series([None, None], dtype=pl.String),
        pl.Series([None, None], dtype=pl.Date),
        pd.Series([None, None], dtype="category"),
        pd.Series([pd.NaT, pd.NaT]),
        pa.nulls(2),
        np.array([np.nan, np.nan]),
        np.array(["NaT", "NaT"], dtype="datetime64[s]"),
        [None, float("nan")],
    ):
        assert only_column({"day": column}) == (Nothing, [None, None])


def test_a_table_without_rows_is_a_table(make_table):
    table = as_table(make_table({"wind": [1.0], "sky": ["rain"]})[:0])
    assert table.shape == (0, 2)
    assert as_table(np.empty((0, 3))).shape == (0, 3)
    assert as_table({"sky": []}).shape == (0, 1)


def test_names_become_text():
    assert list(as_table(pd.DataFrame([[1, 2]])).columns) == ["0", "1"]
    assert list(as_table({1: [2], None: [3]}).columns) == ["1", "None"]


def test_a_part_of_a_table_has_these_rows():
    table = as_table({"wind": [1, 2, 3], "sky": ["rain", None, "sun"]}).part(slice(1, 3))
    assert table.shape == (2, 2)
    assert table.named
    assert table.columns["wind"].values.tolist() == [2, 3]
    assert [table.columns["sky"].codes[0], len(table.columns["sky"])] == [-1, 2]


def test_what_is_given_is_not_changed():
    columns = {"wind": [1, None], "sky": ["rain", None]}
    as_table(columns, {"wind": "category"})
    assert columns == {"wind": [1, None], "sky": ["rain", None]}


# what is told ---------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [[1, None, 7], [1.0, None, 7.0], ["1", None, "7"]])
def test_told_categories_are_compared_as_text(make, values):
    assert only_column(make({"day": values}), "category") == (Categories, ["1", None, "7"])


def test_told_categories_of_every_dtype(make):
    for values, names in (
        ([True, None], ["True", None]),
        ([0.5, float("nan")], ["0.5", None]),
        ([date(2024, 1, 5), None], ["2024-01-05", None]),
        ([-5, 10**12], ["-5", "1000000000000"]),
        ([None, None], [None, None]),
    ):
        assert only_column(make({"day": values}), "category") == (Categories, names)


@pytest.mark.parametrize(
    "column",
    [
        np.array(["2024-01-05", "NaT"], dtype="datetime64[ns]"),
        pd.Series(pd.to_datetime(["2024-01-05", None])),
        pl.Series([date(2024, 1, 5), None]).cast(pl.Datetime),
        pa.array([date(2024, 1, 5), None]).cast(pa.timestamp("ms")),
    ],
    ids=["numpy", "pandas", "polars", "pyarrow"],
)
def test_a_timestamp_at_midnight_is_the_category_of_its_date(column):
    assert only_column({"day": column}, "category") == (Categories, ["2024-01-05", None])


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([[1], None]),
        pl.Series([Decimal("1.50"), None]),
        pl.Series([2**70, None], dtype=pl.Int128),
        pl.Series([-(2**63), 2**63 - 1]),
        pl.Series([time(10, 30), None]),
        pl.Series([timedelta(hours=1), None]),
        pl.Series([object(), None], dtype=pl.Object),
        pl.Series([b"rain", None]),
        pa.array([{"rain": 1}, None]),
        pa.array([Decimal("1.50"), None]),
        pa.array(["rain", None], pa.string_view()),
        pd.Series(pd.period_range("2024-01", periods=2, freq="M")),
        pd.Series(pd.interval_range(0, 2)),
        pd.Series([1 + 2j, 3]),
        pd.Series(pd.to_timedelta(["1h", None])),
        pd.Series([date(2024, 1, 5), None], dtype="date32[pyarrow]"),
        np.array([-(2**63), 2**63 - 1]),
        np.array([0, 2**64 - 1], dtype=np.uint64),
        np.array([1 + 2j, 3]),
        np.array([b"rain", b"sun"]),
    ],
    ids=lambda column: f"{type(column).__module__.split('.')[0]} {getattr(column, 'dtype', '')}",
)
def test_told_categories_of_rare_dtypes_have_the_names_of_their_values(column):
    values = column.to_pylist() if isinstance(column, pa.Array) else column
    values = values.to_list() if isinstance(values, (pl.Series, pd.Series)) else list(values)
    names = [
        None if any(value is gap for gap in (None, pd.NaT, pd.NA)) else category_name(value)
        for value in values
    ]
    assert only_column({"day": column}, "category") == (Categories, names)


def test_true_and_one_are_two_categories():
    assert only_column({"day": [True, 1, "1"]}, "category") == (Categories, ["True", "1", "1"])


def test_other_things_are_categories_by_their_text():
    assert only_column({"day": [(1, 2), [3]]}, "category") == (Categories, ["(1, 2)", "[3]"])


def test_told_numbers(make):
    for values, numbers in (
        ([True, False, None], [1, 0, None]),
        (["1.5", None, "-2e3"], [1.5, None, -2000]),
        ([None, None, None], [None, None, None]),
    ):
        assert only_column(make({"day": values}), "number") == (Numbers, numbers)


def test_told_texts(make):
    assert only_column(make({"day": ["free now", None]}), "text") == (Texts, ["free now", None])
    assert only_column(make({"day": [None, None]}), "text") == (Texts, [None, None])


def test_a_categorical_column_may_be_texts():
    column = pd.Series(["free now", None], dtype="category")
    assert only_column({"day": column}, "text") == (Texts, ["free now", None])


def test_ignored_columns_are_left_out_and_not_looked_at():
    table = as_table({"id": [1, "?"], "wind": [1, 2]}, {"id": "ignore", "unknown": "ignore"})
    assert list(table.columns) == ["wind"]


# what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("told", [None, "number"])
def test_dates_are_refused_with_the_way_out(make, told):
    with pytest.raises(ValueError, match=r"'day'.*dates.*columns=\{'day': 'categorical'\}"):
        only_column(make({"day": [date(2024, 1, 5), None]}), told)


def test_numbers_and_words_in_one_column_are_refused_with_the_first_of_each():
    for X in (
        {"day": [None, 1, "?", 2]},
        pd.DataFrame({"day": [None, 1, "?", 2]}, dtype=object),
        [{"day": None}, {"day": 1}, {"day": "?"}, {}],
    ):
        with pytest.raises(
            ValueError, match=r"'day'.*got 1 in row 11 and '\?' in row 12\. Replace"
        ):
            as_table(X, first_row=10)
    with pytest.raises(ValueError, match=r"got 2 in row 1 and True in row 0"):
        as_table({"day": [True, 2]})


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_infinity_is_refused_by_column_and_row(make, infinity):
    with pytest.raises(ValueError, match=f"got {infinity} in column 'day', row 1"):
        only_column(make({"day": [1.0, infinity]}))


def test_numbers_too_large_for_float64_are_refused():
    with pytest.raises(ValueError, match="got inf in column 'x0', row 0"):
        as_table(np.array([[np.longdouble("1e4000")]]))
    with pytest.raises(ValueError, match="fit into float64.*column 'day', row 1.*'categorical'"):
        as_table({"day": [1, 10**400]})


def test_words_that_are_no_numbers_are_refused_if_numbers_were_told(make):
    with pytest.raises(ValueError, match="olumn 'day', row 1: must be a number, got 'four'"):
        only_column(make({"day": ["3", "four"]}), "number")


@pytest.mark.parametrize("values", [[1, 2], [True, False], [date(2024, 1, 5)] * 2])
def test_texts_must_be_strings(make, values):
    with pytest.raises(ValueError, match="text column must hold strings.*column 'day', row 0"):
        only_column(make({"day": values}), "text")


@pytest.mark.parametrize("values", [[[1], [2]], [{"rain": 1}, {"rain": 2}], [b"rain", b"sun"]])
def test_lists_structs_and_bytes_are_refused_with_the_way_out(make, values):
    with pytest.raises(ValueError, match=r"column 'day', row 0.*columns=\{'day': 'ignore'\}"):
        only_column(make({"day": values}))


@pytest.mark.parametrize("array", [np.array([[1j]]), np.array([[b"rain"]])])
def test_arrays_of_other_kinds_are_refused(array):
    with pytest.raises(ValueError, match="column 'x0', row 0.*'ignore'"):
        as_table(array)


def test_rows_of_different_length_are_refused_with_the_row():
    with pytest.raises(ValueError, match="row 0 has 2, row 2 has 1.*None"):
        as_table([(1, 2), (3, 4), (5,)])


def test_columns_of_different_length_are_refused():
    with pytest.raises(ValueError, match=r"same number of rows.*'rain': 2.*'wind': 1"):
        as_table({"rain": [1, 2], "wind": [1]})


@pytest.mark.parametrize("X", [[1, 2], ["spam", "ham"], [(1, 2), 3], (1, 2)])
def test_a_single_row_or_column_is_refused_with_the_way_out(X):
    with pytest.raises(ValueError, match=r"\[\[\.\.\.\]\]"):
        as_table(X)


@pytest.mark.parametrize("X", [np.zeros(3), np.zeros((1, 2, 3)), 3, None])
def test_arrays_must_have_two_dimensions(X):
    with pytest.raises(ValueError, match=r"rows and columns \(2D\), got a \dD.*\[\[\.\.\.\]\]"):
        as_table(X)


@pytest.mark.parametrize("series", [pd.Series([1]), pl.Series([1]), pa.chunked_array([[1]])])
def test_one_column_of_a_library_is_refused_with_the_way_out(series):
    with pytest.raises(ValueError, match=r"got one column.*\{'name': column\}"):
        as_table(series)


@pytest.mark.parametrize("row", [{"sky": "rain"}, {"sky": 3}, {"sky": b"rain"}])
def test_a_dict_of_single_values_is_refused_with_the_way_out(row):
    with pytest.raises(ValueError, match=r"needs a list for each column.*\{'sky': \["):
        as_table(row)


def test_a_column_with_columns_of_its_own_is_refused():
    with pytest.raises(ValueError, match="one dimension, got 2 in column 'sky'"):
        as_table({"sky": np.zeros((2, 2))})


@pytest.mark.parametrize("X", [[], {}, [[]], [{}], np.empty((3, 0)), pd.DataFrame(index=[0, 1])])
def test_tables_without_columns_are_refused(X):
    with pytest.raises(ValueError, match="at least one column"):
        as_table(X)


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame([[1, 2]], columns=["rain", "rain"]),
        pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["rain", "rain"]),
        {"1": [2], 1: [3]},
    ],
)
def test_one_name_for_two_columns_is_refused(X):
    with pytest.raises(ValueError, match="must have different names"):
        as_table(X)


def test_a_lazy_table_is_no_table_in_memory():
    with pytest.raises(TypeError, match=r"lazy LazyFrame.*collect\(\)"):
        as_table(pl.LazyFrame({"rain": [1]}))


def test_no_dataframe_library_is_loaded_before_a_table_of_it_comes():
    program = """
import sys
import numpy as np
from bayesic.data.tables import as_table
as_table({"sky": ["rain", None], "wind": np.array([1.0, 2.0])})
as_table([(1, "rain")])
print([m for m in ("pandas", "polars", "pyarrow", "duckdb", "narwhals") if m in sys.modules])
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
