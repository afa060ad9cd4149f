"""Moments with cross-products: numbers against exact fractions, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from bayesic.statistics.cross_moments import CrossMoments, cross_moments
from bayesic.statistics.moments import class_moments
from helpers.comparisons import assert_same
from helpers.environment import cells_per_block
from helpers.examples import at_most
from helpers.labelled_rows import WORDS, Rows, labelled_rows, quarters

TOLERANCE = 1e-12
few_examples = at_most(25)


def summary(rows):
    """The statistics of these rows among all WORDS; of none, the zero."""
    if len(rows.y) == 0:
        return CrossMoments.empty(len(WORDS), rows.X.shape[1])
    return cross_moments(rows.X, rows.codes, len(WORDS), rows.weights)


some_rows = st.booleans().flatmap(lambda some: labelled_rows(weights=quarters if some else None))


# what they are --------------------------------------------------------------------------------


def test_products_of_a_column_without_spread_go_with_it():
    X = np.array([[1, 1e-5], [0, 0], [0, 0], [0, 77], [0, 0], [0, 0]])
    codes = np.array([0, 0, 1, 0, 1, 1])
    whole = cross_moments(X, codes, 2)
    first, second = cross_moments(X[:3], codes[:3], 2), cross_moments(X[3:], codes[3:], 2)
    assert_same(first + second, whole, TOLERANCE, scale=77.0)
    assert_same(whole - second, first, TOLERANCE, scale=77.0)


@few_examples
@given(some_rows)
def test_the_moments_of_each_feature_are_those_of_gaussian_nb(rows):
    expected = class_moments(rows.X, rows.codes, len(WORDS), rows.weights)
    assert_same(summary(rows).class_moments, expected, TOLERANCE, scale=4.0)


@few_examples
@given(some_rows)
def test_all_rows_as_one_class_are_the_summary_without_classes(rows):
    expected = cross_moments(rows.X, np.zeros(len(rows.y), int), 1, rows.weights)
    assert_same(summary(rows).overall(), expected, TOLERANCE, scale=4.0)


# what cannot be taken away --------------------------------------------------------------------


def test_more_rows_than_were_added_cannot_be_taken_away():
    spam = summary(Rows(np.array([[1, 0]]), np.array(["spam"])))
    ham = summary(Rows(np.array([[1, 0]]), np.array(["ham"])))
    for removed in (spam + spam, ham):
        with pytest.raises(ValueError, match="Only what was learned can be .*Check"):
            spam - removed


def test_rows_with_other_values_cannot_be_taken_away():
    learned = summary(Rows(np.array([[1, 0], [2, 0]]), np.array(["spam", "spam"])))
    with pytest.raises(ValueError, match="Only what was learned can be .*Check"):
        learned - summary(Rows(np.array([[0, 4]]), np.array(["spam"])))


# numbers --------------------------------------------------------------------------------------


def exact_scatter(X, weights):
    """Mean and scatter as fractions of the very numbers that came in."""
    rows = [[Fraction(float(value)) for value in row] for row in X]
    weights = [Fraction(float(weight)) for weight in weights]
    mean = [
        sum(w * row[j] for w, row in zip(weights, rows, strict=True)) / sum(weights)
        for j in range(X.shape[1])
    ]
    scatter = [
        [
            sum(
                w * (row[i] - mean[i]) * (row[j] - mean[j])
                for w, row in zip(weights, rows, strict=True)
            )
            for j in range(X.shape[1])
        ]
        for i in range(X.shape[1])
    ]
    return np.array(mean, dtype=float), np.array(scatter, dtype=float)


@pytest.mark.parametrize("offset", [0.0, 1e8, -1e8, 1.7e9])
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_columns_far_from_zero_come_out_right(offset, weighted):
    random = np.random.default_rng(8)
    X = offset + random.normal(size=(60, 3)) @ np.array([[1, 0.5, 0], [0, 1, 0.9], [0, 0, 1]])
    codes = np.arange(60) % 2
    weights = random.random(60) if weighted else None
    for moments in (
        cross_moments(X, codes, 2, weights),
        cross_moments(sparse.csr_array(X), codes, 2, weights),
    ):
        for c in range(2):
            chosen = codes == c
            mean, scatter = exact_scatter(
                X[chosen], np.ones(30) if not weighted else weights[chosen]
            )
            np.testing.assert_allclose(moments.mean[c], mean, rtol=4e-15, atol=1e-14)
            np.testing.assert_allclose(moments.scatter[c], scatter, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
def test_small_blocks_and_forgetting_keep_the_digits_far_from_zero(offset):
    X = offset + np.random.default_rng(3).normal(size=(90, 2))
    codes = np.arange(90) % 3
    whole = cross_moments(X, codes, 3)
    with cells_per_block(4):
        in_blocks = cross_moments(X, codes, 3)
    np.testing.assert_allclose(in_blocks.scatter, whole.scatter, atol=1e-6)
    rest = whole - cross_moments(X[45:], codes[45:], 3)
    np.testing.assert_allclose(
        rest.scatter, cross_moments(X[:45], codes[:45], 3).scatter, atol=1e-5
    )


def test_a_column_without_spread_has_no_products():
    X = np.column_stack([np.full(9, 0.1), np.arange(9.0)])
    scatter = cross_moments(X, np.zeros(9, int), 1).scatter[0]
    assert scatter.tolist() == [[0.0, 0.0], [0.0, pytest.approx(60.0)]]


@pytest.mark.parametrize("dtype", ["int8", "float32", "longdouble"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_dtype_and_order_gives_the_same(dtype, order):
    X = np.random.default_rng(5).integers(0, 5, (50, 3))
    codes = np.arange(50) % 2
    given_so = cross_moments(np.asarray(X, dtype=dtype, order=order), codes, 2)
    assert_same(given_so, cross_moments(X, codes, 2), TOLERANCE, scale=4.0)
    assert given_so.scatter.dtype == np.float64


# values that stay as they are, and bad input --------------------------------------------------


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, "contains NaN.*Fill the gaps"),
        (np.inf, "contains infinity"),
        (1e200, "too large: their squares overflow.*larger unit"),
    ],
    ids=["gap", "infinity", "large"],
)
def test_what_cannot_be_summed_is_refused(kind, value, message):
    X = kind(np.array([[1.0, 2.0], [value, 3.0], [4.0, 5.0]]))
    with pytest.raises(ValueError, match=message):
        cross_moments(X, np.array([0, 0, 0]), 1)


@pytest.mark.parametrize(
    "change",
    [
        {"class_count": np.array([-1, 2])},
        {"mean": np.zeros((2, 3))},
        {"mean": np.full((2, 2), np.nan)},
        {"scatter": np.full((2, 2, 2), np.nan)},
        {"scatter": np.array([[[1.0, 0.5], [0.2, 1.0]]] * 2)},
        {"scatter": np.zeros((2, 2))},
    ],
    ids=["below 0", "shape", "NaN mean", "NaN", "lopsided", "flat"],
)
def test_what_cannot_have_come_from_rows_is_refused(change):
    whole = cross_moments(np.arange(8.0).reshape(4, 2) ** 2, np.array([0, 0, 1, 1]), 2)
    made = CrossMoments(**{**vars(whole), **change})
    with pytest.raises(ValueError, match="must"):
        made.checked()
