"""Tables of every dataframe library become the same matrix."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from bayesic.data.matrices import as_matrix
from bayesic.data.tables import is_table
from support import FIVE

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
def test_columns_in_another_order_than_learned_are_refused(Model):
    model = Model().fit(pd.DataFrame({"rain": [0, 2], "wind": [1, 0]}), ["ham", "spam"])
    with pytest.raises(ValueError, match="feature names"):
        model.predict(pd.DataFrame({"wind": [1], "rain": [0]}))
