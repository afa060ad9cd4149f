"""Anything with rows and columns becomes a matrix of numbers, or an error that says why not."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

import bayesic as by
from bayesic.data.matrices import (
    as_matrix,
    cells_per_row,
    dense_rows,
    n_cells,
    refuse_infinities,
    sparse_rows,
    with_entries,
)

RAIN = [[0, 3, 1], [2, 0, 0]]  # millimetres on three days in two towns
ALL = slice(0, 2)


# arrays ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "dtype",
    ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
    + ["float16", "float32", "float64", "longdouble", ">f8", ">i4"],
)
def test_every_numeric_dtype_is_taken_as_it_is(dtype):
    array = np.array([[0, 1], [1, 1]], dtype=dtype)
    matrix = as_matrix(array)
    assert matrix is array
    rows = dense_rows(matrix, ALL)
    assert rows.dtype == np.float64
    assert rows.dtype.isnative
    assert rows.tolist() == [[0.0, 1.0], [1.0, 1.0]]


@pytest.mark.parametrize(
    "array",
    [
        np.asfortranarray(RAIN, dtype=np.float64),
        np.array(RAIN, dtype=np.float64).repeat(2, axis=0)[::2],
        np.array(RAIN, dtype=np.float64).repeat(2, axis=1)[:, ::2],
        np.array(RAIN, dtype=np.float64)[::-1][::-1],
        np.array(RAIN, dtype=np.float64).T.copy().T,
    ],
    ids=["Fortran order", "every other row", "every other column", "turned twice", "transposed"],
)
def test_every_memory_order_gives_the_same_rows(array):
    matrix = as_matrix(array)
    assert np.shares_memory(matrix, array)
    rows = dense_rows(matrix, ALL)
    assert rows.flags.c_contiguous
    assert rows.tolist() == RAIN


def test_float64_rows_in_c_order_are_a_view_not_a_copy():
    array = np.array(RAIN, dtype=np.float64)
    assert np.shares_memory(dense_rows(as_matrix(array), slice(0, 1)), array)


def test_a_read_only_array_is_taken():
    array = np.array(RAIN)
    array.flags.writeable = False
    assert as_matrix(array).tolist() == RAIN


@pytest.mark.parametrize("nested", [RAIN, tuple(map(tuple, RAIN)), [np.array(row) for row in RAIN]])
def test_nested_lists_of_whole_numbers_stay_whole_numbers(nested):
    matrix = as_matrix(nested)
    assert matrix.dtype.kind == "i"
    assert matrix.tolist() == RAIN


def test_none_in_a_nested_list_is_not_observed():
    matrix = as_matrix([[1, None], [2, 3]])
    assert matrix.dtype == np.float64
    np.testing.assert_array_equal(matrix, [[1.0, np.nan], [2.0, 3.0]])


def test_objects_that_are_numbers_become_floats():
    objects = np.array([[Fraction(1, 2), Decimal("0.25")], [3, True]], dtype=object)
    matrix = as_matrix(objects)
    assert matrix.dtype == np.float64
    assert matrix.tolist() == [[0.5, 0.25], [3.0, 1.0]]


def test_masked_entries_are_not_observed():
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    np.testing.assert_array_equal(as_matrix(masked), [[1.0, np.nan], [3.0, 4.0]])
    assert masked.data.tolist() == [[1, 2], [3, 4]]


# sparse ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia", "dok", "lil"])
@pytest.mark.parametrize("family", ["array", "matrix"])
@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.bool_])
def test_every_sparse_format_becomes_csr_with_the_same_numbers(kind, family, dtype):
    X = getattr(sparse, f"{kind}_{family}")(np.array(RAIN, dtype=dtype))
    matrix = as_matrix(X)
    assert isinstance(matrix, sparse.csr_array)
    assert matrix.dtype == dtype
    np.testing.assert_array_equal(matrix.toarray(), np.array(RAIN, dtype=dtype))
    np.testing.assert_array_equal(dense_rows(matrix, ALL), np.array(RAIN, dtype=dtype))


def test_csr_entries_are_not_copied():
    X = sparse.csr_array(np.array(RAIN, dtype=np.float64))
    matrix = as_matrix(X)
    assert np.shares_memory(matrix.data, X.data)
    assert np.shares_memory(sparse_rows(matrix, ALL).data, X.data)


@pytest.mark.parametrize("family", [sparse.csr_array, sparse.csr_matrix])
def test_entries_given_twice_mean_their_sum_and_the_callers_matrix_stays_as_it_is(family):
    data, columns, pointers = np.array([1.0, 4.0, 2.0]), np.array([1, 0, 1]), np.array([0, 3, 3])
    X = family((data, columns, pointers), shape=(2, 2))
    assert as_matrix(X).toarray().tolist() == [[4.0, 3.0], [0.0, 0.0]]
    assert X.data.tolist() == [1.0, 4.0, 2.0]
    assert X.indices.tolist() == [1, 0, 1]


def test_entries_of_a_row_in_any_order_are_taken():
    X = sparse.csr_array((np.array([5.0, 7.0]), np.array([2, 0]), np.array([0, 2])), shape=(1, 3))
    assert as_matrix(X).toarray().tolist() == [[7.0, 0.0, 5.0]]


def test_coordinates_given_twice_mean_their_sum():
    X = sparse.coo_array((np.array([1, 2]), (np.array([0, 0]), np.array([1, 1]))), shape=(1, 2))
    assert as_matrix(X).toarray().tolist() == [[0, 3]]


@given(hnp.arrays(np.float64, (5, 3), elements=st.sampled_from([0.0, 1.0, -2.5, np.nan])))
def test_rows_of_a_sparse_matrix_are_the_rows_of_the_dense_one(X):
    matrix = as_matrix(sparse.csr_array(X))
    for rows in (slice(0, 5), slice(1, 4), slice(2, 2)):
        np.testing.assert_array_equal(sparse_rows(matrix, rows).toarray(), X[rows])
        np.testing.assert_array_equal(dense_rows(matrix, rows), X[rows])


def test_other_entries_at_the_same_places():
    X = sparse.csr_array(np.array([[0.0, 2.0], [3.0, 0.0]]))
    assert with_entries(X, X.data * 10).toarray().tolist() == [[0.0, 20.0], [30.0, 0.0]]


def test_cells_are_counted_where_there_is_something_to_do():
    dense = np.array(RAIN)
    assert (n_cells(dense), cells_per_row(dense)) == (6, 3.0)
    assert (n_cells(sparse.csr_array(dense)), cells_per_row(sparse.csr_array(dense))) == (3, 1.5)


# what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "came"),
    [(3.5, "0D"), (None, "0D"), ([1, 2, 3], "1D"), (np.zeros((2, 2, 2)), "3D")],
)
def test_what_has_no_rows_and_columns_is_refused(X, came):
    with pytest.raises(ValueError, match=f"Expected 2D array, got {came}.*rows and columns"):
        as_matrix(X)


def test_a_path_is_refused_with_the_way_to_read_it():
    with pytest.raises(ValueError, match=r"an array or a dataframe .*got 'rain'.*read_csv"):
        as_matrix("rain")


def test_a_sparse_vector_is_refused():
    with pytest.raises(ValueError, match="Expected 2D array, got 1D"):
        as_matrix(sparse.coo_array(np.array([1, 0, 2])))


@pytest.mark.parametrize(
    ("shape", "came"),
    [((0, 3), "0 sample"), ((3, 0), r"0 feature\(s\) \(shape=\(3, 0\)\)"), ((0, 0), "0 sample")],
)
@pytest.mark.parametrize("kind", [np.zeros, sparse.csr_array])
def test_empty_tables_are_refused(kind, shape, came):
    with pytest.raises(ValueError, match=f"at least one row and one column: found {came}"):
        as_matrix(kind(shape))


def test_rows_of_different_length_are_refused():
    with pytest.raises(ValueError, match="rows of equal length.*longer or shorter"):
        as_matrix([[1, 2], [3]])


@pytest.mark.parametrize(
    "X",
    [
        np.array([["sunny", "hot"]]),
        np.array([[b"sunny"]]),
        np.array([["2026-11-15"]], dtype="datetime64[D]"),
        np.array([[1]], dtype="timedelta64[s]"),
        [[1, "2"], [3, "4"]],
    ],
    ids=["words", "bytes", "days", "seconds", "numbers beside words"],
)
def test_what_are_no_numbers_is_refused_with_the_way_out(X):
    with pytest.raises(ValueError, match=r"X must hold numbers, got dtype .*OrdinalEncoder"):
        as_matrix(X)


@pytest.mark.parametrize("cell", ["sunny", object(), [1, 2], {"rain": 1}])
def test_objects_that_are_no_numbers_are_refused(cell):
    X = np.empty((1, 2), dtype=object)
    X[0, 0], X[0, 1] = 1, cell
    with pytest.raises((TypeError, ValueError), match="X must hold numbers, got objects.*Ordinal"):
        as_matrix(X)


@pytest.mark.parametrize("X", [[[10**400]], np.array([[1.5, 10**400]], dtype=object)])
def test_whole_numbers_too_large_for_a_float_are_refused(X):
    with pytest.raises(ValueError, match="X must hold numbers"):
        as_matrix(X)


@pytest.mark.parametrize(
    "X",
    [
        np.array([[1 + 2j]]),
        np.array([[1, 2j]], dtype=object),
        sparse.csr_array(np.array([[1j]])),
        [[1, 1j]],
    ],
)
def test_complex_numbers_are_refused_with_the_way_out(X):
    with pytest.raises(ValueError, match="Complex data not supported.*two columns"):
        as_matrix(X)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_the_matrix_class_of_numpy_is_refused():
    with pytest.raises(TypeError, match=r"np\.matrix is not supported.*np\.asarray"):
        as_matrix(np.matrix([[1, 2]]))


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_infinities_are_refused_and_nan_passes(infinity):
    refuse_infinities(np.array([1.0, np.nan]))
    with pytest.raises(ValueError, match=r"contains infinity.*use NaN"):
        refuse_infinities(np.array([1.0, infinity]))


def test_entries_given_twice_are_added_up_in_every_sparse_format():
    twice = sparse.csc_array((np.array([1.0, 2.0]), np.array([0, 0]), np.array([0, 2, 2])), (1, 2))
    assert not twice.has_canonical_format
    matrix = as_matrix(twice)
    assert matrix.has_canonical_format
    assert matrix.data.tolist() == [3.0]
    assert twice.nnz == 2


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@pytest.mark.parametrize("column", [7, -1])
def test_a_sparse_matrix_with_entries_outside_of_its_columns_is_refused(
    monkeypatch, kernels, column
):
    monkeypatch.setenv("BAYESIC_KERNELS", kernels)
    broken = sparse.csr_array(np.eye(2))
    broken.indices = np.array([0, column], dtype=broken.indices.dtype)
    for model in (by.MultinomialNB(), by.BernoulliNB(), by.GaussianNB(), by.CategoricalNB()):
        with pytest.raises(ValueError, match="outside of its 2 columns"):
            model.fit(broken, ["rain", "sun"])
