"""Moments against exact arithmetic: fractions of the very numbers that came in."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

import bayesic as by
from bayesic.statistics.moments import class_moments
from helpers.environment import cells_per_block

# of the last digit that float64 has: 2^-52
EPSILON = np.finfo(np.float64).eps


def exact_moments(values, weights=None):
    """Weight, mean and sum of squares around it as fractions; NaN is left out."""
    weights = [1] * len(values) if weights is None else weights
    pairs = [
        (Fraction(float(value)), Fraction(float(weight)))
        for value, weight in zip(values, weights, strict=True)
        if not np.isnan(value)
    ]
    count = sum((weight for _, weight in pairs), Fraction(0))
    if count == 0:
        return count, Fraction(0), Fraction(0)
    mean = sum(value * weight for value, weight in pairs) / count
    return count, mean, sum(weight * (value - mean) ** 2 for value, weight in pairs)


def assert_exact(moments, X, codes, n_classes, weights=None, tolerance=1e-12, mean_tolerance=None):
    """Means to the last digits of the values, squares to a tolerance relative to themselves."""
    for c in range(n_classes):
        for feature in range(X.shape[1]):
            chosen = codes == c
            count, mean, scatter = exact_moments(
                X[chosen, feature], None if weights is None else weights[chosen]
            )
            assert moments.count[c, feature] == pytest.approx(float(count), rel=1e-15)
            assert moments.mean[c, feature] == pytest.approx(
                float(mean), rel=mean_tolerance or 16 * EPSILON, abs=1e-300
            )
            assert moments.scatter[c, feature] == pytest.approx(
                float(scatter), rel=tolerance, abs=1e-300
            )


@pytest.fixture(params=[1e8, -1e8, 1e4, 1.7e9], ids=lambda offset: f"offset {offset:.0e}")
def far_away(request):
    """Measurements far from zero with a spread of 1: column means of 1e8, say."""
    random = np.random.default_rng(8)
    X = request.param + random.normal(size=(60, 2))
    return X, np.arange(60) % 3


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
def test_a_mean_far_from_zero_leaves_the_spread_exact(far_away, kernels, monkeypatch):
    monkeypatch.setenv("BAYESIC_KERNELS", kernels)
    X, codes = far_away
    moments = class_moments(X, codes, 3)
    assert_exact(moments.per_class, X, codes, 3)
    assert_exact(moments.overall, X, np.zeros(60), 1, tolerance=1e-6)


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
def test_weights_far_from_zero_leave_the_spread_exact(far_away, kernels, monkeypatch):
    monkeypatch.setenv("BAYESIC_KERNELS", kernels)
    X, codes = far_away
    weights = np.random.default_rng(9).random(60)
    assert_exact(class_moments(X, codes, 3, weights).per_class, X, codes, 3, weights)


def test_blocks_put_together_keep_the_spread_far_from_zero(far_away):
    X, codes = far_away
    with cells_per_block(8):
        moments = class_moments(X, codes, 3)
    assert_exact(moments.per_class, X, codes, 3, tolerance=1e-6)


def test_rows_added_one_by_one_keep_the_spread_far_from_zero(far_away):
    X, codes = far_away
    moments = sum(
        (class_moments(X[[row]], codes[[row]], 3) for row in range(1, 60)),
        start=class_moments(X[[0]], codes[[0]], 3),
    )
    assert_exact(moments.per_class, X, codes, 3, tolerance=1e-5, mean_tolerance=1e-14)


def test_sparse_rows_keep_the_spread_far_from_zero(far_away):
    X, codes = far_away
    assert_exact(class_moments(sparse.csr_array(X), codes, 3).per_class, X, codes, 3)


def test_forgetting_far_from_zero_leaves_the_spread_of_the_rest(far_away):
    X, codes = far_away
    whole, half = class_moments(X, codes, 3), class_moments(X[30:], codes[30:], 3)
    assert_exact((whole - half).per_class, X[:30], codes[:30], 3, tolerance=1e-5)


def test_the_model_has_the_exact_mean_and_variance_far_from_zero():
    X = np.array([[1e8 + 1], [1e8 + 2], [1e8 + 4], [1e8 + 10], [1e8 + 12]])
    model = by.GaussianNB(var_smoothing=0).fit(X, ["low"] * 3 + ["high"] * 2)
    assert model.theta_[1, 0] == pytest.approx(float(Fraction(10**8) + Fraction(7, 3)), rel=1e-15)
    assert model.var_[:, 0].tolist() == pytest.approx([1.0, float(Fraction(14, 9))], rel=1e-14)


@given(
    hnp.arrays(np.float64, (7, 2), elements=st.floats(-1e6, 1e6) | st.just(np.nan)),
    st.sampled_from([None, [1, 0.5, 2, 3, 0.25, 1, 7]]),
)
def test_nan_is_left_out_exactly(X, weights):
    codes = np.array([0, 1, 0, 1, 1, 0, 0])
    weights = None if weights is None else np.array(weights)
    scale = max(1.0, np.nanmax(np.abs(X), initial=0.0))
    for matrix in (X, sparse.csr_array(X)):
        moments = class_moments(matrix, codes, 3, weights).per_class
        for c in range(3):
            for feature in range(2):
                chosen = codes == c
                count, mean, scatter = exact_moments(
                    X[chosen, feature], None if weights is None else weights[chosen]
                )
                assert moments.count[c, feature] == float(count)
                assert moments.mean[c, feature] == pytest.approx(float(mean), abs=1e-13 * scale)
                assert moments.scatter[c, feature] == pytest.approx(
                    float(scatter), rel=1e-11, abs=1e-13 * scale**2
                )


def test_float32_numbers_are_summed_in_float64():
    random = np.random.default_rng(32)
    X = (1e4 + random.normal(size=(2000, 3))).astype(np.float32)
    codes = np.arange(2000) % 2
    from_float32 = class_moments(X, codes, 2).per_class
    assert_exact(from_float32, X, codes, 2, mean_tolerance=1e-12)
    assert from_float32.mean.dtype == from_float32.scatter.dtype == np.float64


def test_probabilities_from_float32_far_from_zero_agree_with_those_from_float64():
    random = np.random.default_rng(33)
    codes = np.arange(2000) % 2
    X = 1e4 + codes[:, None] + random.normal(size=(2000, 3))
    double = by.GaussianNB().fit(X, codes).predict_proba(X)
    single = by.GaussianNB().fit(X.astype(np.float32), codes).predict_proba(X.astype(np.float32))
    assert np.abs(double - single).max() < 1e-3


@pytest.mark.parametrize("value", [0.0, 3.0, 0.1, 1e8 + 0.1, -1e-5])
def test_a_class_of_one_row_has_that_row_as_mean_and_no_spread(value):
    moments = class_moments(np.array([[value], [7.0], [9.0]]), np.array([0, 1, 1]), 3).per_class
    assert (moments.count[0, 0], moments.mean[0, 0], moments.scatter[0, 0]) == (1.0, value, 0.0)
    assert (moments.count[2, 0], moments.mean[2, 0], moments.scatter[2, 0]) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("value", [1.0, 0.1, 1e8 + 0.1])
@pytest.mark.parametrize("n_rows", [2, 3, 7])
def test_a_column_that_is_the_same_everywhere_leaves_the_prior(value, n_rows):
    X = np.full((n_rows + 1, 1), value)
    model = by.GaussianNB().fit(X, ["ham"] * n_rows + ["spam"])
    expected = [n_rows / (n_rows + 1), 1 / (n_rows + 1)]
    assert model.predict_proba(X[:1])[0].tolist() == pytest.approx(expected)


def test_a_column_without_any_value_leaves_the_prior():
    X = np.array([[1.0, np.nan], [2.0, np.nan], [1.0, np.nan], [2.0, np.nan]])
    model = by.GaussianNB().fit(X, ["ham", "ham", "spam", "spam"])
    assert model.predict_proba([[np.nan, 5.0]])[0].tolist() == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("values", [[1e200, -1e200], [1.3e154, -1.3e154], [1e155, 0.0]])
def test_values_whose_squares_overflow_are_refused_with_the_way_out(kind, values):
    X = kind(np.array(values)[:, None])
    for codes in (np.array([0, 0]), np.array([0, 1])):
        with pytest.raises(ValueError, match="too large: their squares overflow.*larger unit"):
            class_moments(X, codes, 2)


@pytest.mark.parametrize("value", [1e100, 1e140, 1e150, 1.3e154])
def test_batches_that_are_accepted_do_not_overflow_together(value):
    try:
        some, more = (class_moments(np.array([[x]]), np.array([0]), 1) for x in (value, -value))
        total = some + more
    except ValueError as error:
        assert "too large" in str(error)
    else:
        assert total.per_class.mean[0, 0] == 0.0
        assert total.per_class.scatter[0, 0] == pytest.approx(2 * value * value)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_infinities_are_refused(kind):
    for values in ([np.inf, 1.0], [np.inf, -np.inf], [-np.inf, np.nan]):
        with pytest.raises(ValueError, match="contains infinity"):
            class_moments(kind(np.array(values)[:, None]), np.array([0, 1]), 2)
