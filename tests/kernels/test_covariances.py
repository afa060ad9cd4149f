"""Products of features: the compiled kernels are the plain ones, and these are exact sums."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesic.kernels import centres as plain
from helpers.examples import at_most

compiled = pytest.importorskip("bayesic.kernels._compiled_centres")
both = pytest.mark.parametrize("kernels", [plain, compiled], ids=["plain", "compiled"])


@st.composite
def rows_and_weights(draw):
    """Whole numbers; some rows count, in any order, with weights of quarters."""
    n_rows, n_features = draw(st.integers(1, 9)), draw(st.integers(1, 6))
    values = draw(hnp.arrays(np.float64, (n_rows, n_features), elements=st.integers(-5, 5)))
    rows = np.array(draw(st.permutations(range(n_rows)))[: draw(st.integers(1, n_rows))])
    quarters = st.integers(1, 8).map(lambda number: number / 4)
    return values, rows, draw(hnp.arrays(np.float64, len(rows), elements=quarters))


@both
@at_most(40)
@given(case=rows_and_weights())
def test_mean_and_scatter_are_those_of_fractions(kernels, case):
    values, rows, weights = case
    exact = [[Fraction(cell) for cell in row] for row in values[rows].tolist()]
    exact_weights = [Fraction(weight) for weight in weights.tolist()]
    weighted = list(zip(exact_weights, exact, strict=True))
    features = range(values.shape[1])
    expected = [sum(w * row[j] for w, row in weighted) / sum(exact_weights) for j in features]
    products = [
        [sum(w * (row[i] - expected[i]) * (row[j] - expected[j]) for w, row in weighted)
         for j in features]
        for i in features
    ]  # fmt: skip
    mean, scatter = kernels.weighted_scatter(values, rows, weights)
    np.testing.assert_allclose(mean, np.array(expected, dtype=float), atol=1e-14)
    np.testing.assert_allclose(scatter, np.array(products, dtype=float), atol=1e-12)
    np.testing.assert_array_equal(scatter, scatter.T)


@both
@pytest.mark.parametrize("n_rows", [1, 127, 128, 129, 500])
@pytest.mark.parametrize("n_features", [1, 3, 4, 50])
def test_groups_and_tiles_of_any_size_are_whole(kernels, n_rows, n_features):
    rng = np.random.default_rng(n_rows + n_features)
    values = rng.normal(size=(n_rows + 3, n_features)) + 1e4
    rows = rng.permutation(n_rows + 3)[:n_rows]
    weights = rng.integers(1, 4, n_rows).astype(float)
    repeated = np.repeat(values[rows], weights.astype(int), axis=0)
    mean, scatter = kernels.weighted_scatter(values, rows, weights)
    np.testing.assert_allclose(mean, repeated.mean(axis=0), rtol=1e-14)
    expected = np.cov(repeated.T, bias=True) * len(repeated) if len(repeated) > 1 else 0.0
    np.testing.assert_allclose(scatter, np.broadcast_to(expected, scatter.shape), atol=1e-8)


@both
@pytest.mark.parametrize("n_rows", [1, 5, 129, 512, 515, 1900])
@pytest.mark.parametrize("some_without_weight", [False, True])
def test_each_class_has_the_moments_of_its_own_rows(kernels, n_rows, some_without_weight):
    rng = np.random.default_rng(n_rows)
    values = rng.normal(size=(n_rows, 5)) + 1e4
    codes = rng.choice([0, 0, 0, 2, 3], n_rows)  # none of class 1
    weights = rng.integers(0 if some_without_weight else 1, 4, n_rows).astype(float)
    mean, scatter = kernels.class_scatter(values, codes, weights, 4)
    for c in range(4):
        rows = np.flatnonzero((codes == c) & (weights > 0))
        if len(rows):
            alone = kernels.weighted_scatter(values, rows, weights[rows])
        else:
            alone = np.zeros(5), np.zeros((5, 5))
        np.testing.assert_array_equal(mean[c], alone[0])
        np.testing.assert_array_equal(scatter[c], alone[1])


@both
def test_rows_that_drift_away_from_the_first_keep_their_digits(kernels):
    values = np.repeat(np.arange(32.0) * 1e6, 128)[:, None]
    values += np.tile([-1.0, 1.0], len(values) // 2)[:, None]
    mean, scatter = kernels.weighted_scatter(values, np.arange(len(values)), np.ones(len(values)))
    exact = [Fraction(value) for value in values.ravel().tolist()]
    middle = sum(exact) / len(exact)
    assert mean[0] == float(middle)
    expected = float(sum((value - middle) ** 2 for value in exact))
    np.testing.assert_allclose(scatter, [[expected]], rtol=1e-14)


@both
@pytest.mark.parametrize(("n_rows", "n_features"), [(1, 1), (63, 2), (64, 5), (65, 4), (3000, 30)])
def test_whitened_squares_are_the_squares_of_the_products(kernels, n_rows, n_features):
    rng = np.random.default_rng(n_rows)
    values, means = rng.normal(size=(n_rows, n_features)), rng.normal(size=(3, n_features))
    whitening = np.triu(rng.normal(size=(3, n_features, n_features)))
    expected = np.einsum("ckj,ckj->ck", *[(values - means[:, None]) @ whitening] * 2)
    squares = kernels.whitened_squares(values, means, whitening)
    np.testing.assert_allclose(squares, expected, rtol=1e-12)


@both
def test_a_gap_makes_its_own_row_unknown_and_no_other(kernels):
    values = np.zeros((70, 3))
    values[5, 1] = np.nan
    squares = kernels.whitened_squares(values, np.ones((1, 3)), np.eye(3)[None])
    assert np.flatnonzero(np.isnan(squares[0])).tolist() == [5]
    assert np.delete(squares[0], 5).tolist() == [3.0] * 69
