"""LeastSquares: the most probable line under Gaussian noise."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from scipy.stats import norm
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression

from bayesic.models.linear.least_squares import LeastSquares
from helpers.comparisons import assert_unchanged, state_of
from helpers.environment import cells_per_block
from helpers.examples import at_most

X, Y = [[0], [1], [2], [4]], [1, 2, 6, 7]


def tables(max_rows=8):
    """Features and target as small whole numbers; some columns depend on others."""
    return st.tuples(st.integers(2, max_rows), st.integers(1, 3)).flatmap(
        lambda shape: hnp.arrays(
            np.float64, (shape[0], shape[1] + 1), elements=st.integers(-4, 4).map(float)
        )
    )


def numpys_line(table, weights, fit_intercept):
    """Weights of least squares and least size from NumPy, by centring where there is b."""
    share = weights / weights.sum()
    mean = share @ table if fit_intercept else np.zeros(table.shape[1])
    centred = table - mean
    centred[np.abs(centred) < 1e-12 * np.abs(table).max()] = 0.0  # a column that does not change
    scaled = centred * np.sqrt(weights)[:, None]
    coef = np.linalg.lstsq(scaled[:, :-1], scaled[:, -1], rcond=1e-9)[0]
    return coef, mean[-1] - coef @ mean[:-1]


# the line ---------------------------------------------------------------------------------------


def test_the_line_is_that_of_exact_fractions():  # textbook case 15
    x, y = [Fraction(row[0]) for row in X], [*map(Fraction, Y)]
    mean_x, mean_y = sum(x) / 4, sum(y) / 4
    slope = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / sum(
        (a - mean_x) ** 2 for a in x
    )
    intercept = mean_y - slope * mean_x
    variance = sum((b - slope * a - intercept) ** 2 for a, b in zip(x, y, strict=True)) / 4
    model = LeastSquares().fit(X, Y)
    assert model.coef_[0] == pytest.approx(float(slope), rel=1e-14)
    assert model.intercept_ == pytest.approx(float(intercept), rel=1e-13)
    assert model.sigma2_ == pytest.approx(float(variance), rel=1e-13)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.2, 3))
@at_most(30)
def test_no_other_line_and_no_other_noise_is_more_probable(slope, intercept, spread):  # case 15
    model = LeastSquares().fit(X, Y)
    best = model.log_likelihood(X, Y)
    other = (np.ravel(X) * (model.coef_[0] + slope)) + model.intercept_ + intercept
    sigma = spread * np.sqrt(model.sigma2_)
    assert norm.logpdf(Y, other, sigma).sum() <= best + 1e-12


def test_the_predictive_density_is_the_normal_one():
    model = LeastSquares().fit(X, Y)
    mean, deviation = model.predict([[3], [9]], return_std=True)
    np.testing.assert_allclose(mean, model.predict([[3], [9]]))
    np.testing.assert_allclose(deviation, np.sqrt(model.sigma2_))
    ours = model.log_density([[3], [9]], [5, 20])
    np.testing.assert_allclose(ours, norm.logpdf([5, 20], mean, deviation), rtol=1e-12)
    whole = model.log_likelihood([[3], [9]], [5, 20])
    assert whole == pytest.approx(ours.sum())
    assert model.log_likelihood([[3], [9]], [5, 20], [2.0, 0.0]) == pytest.approx(2 * ours[0])


def test_a_line_without_noise_is_certain():
    model = LeastSquares().fit([[0.0], [1.0], [2.0]], [3.0, 3.0, 3.0])
    assert model.sigma2_ == 0
    np.testing.assert_array_equal(model.log_density([[5.0], [5.0]], [3.0, 4.0]), [np.inf, -np.inf])
    assert model.log_likelihood([[5.0], [5.0]], [3.0, 4.0], [1.0, 0.0]) == np.inf


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_weights_are_those_of_scikit_learn(fit_intercept):
    features, target = load_diabetes(return_X_y=True)
    weights = np.arange(len(target)) % 3 + 0.5
    for form in (features, sparse.csr_array(features), np.asfortranarray(features)):
        ours = LeastSquares(fit_intercept=fit_intercept).fit(form, target, sample_weight=weights)
        theirs = LinearRegression(fit_intercept=fit_intercept).fit(
            features, target, sample_weight=weights
        )
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-8)
        assert ours.intercept_ == pytest.approx(theirs.intercept_, rel=1e-9)
        np.testing.assert_allclose(ours.predict(form), theirs.predict(features), rtol=1e-9)
        squares = (target - theirs.predict(features)) ** 2
        assert ours.sigma2_ == pytest.approx(weights @ squares / weights.sum(), rel=1e-9)
        assert ours.score(form, target) == pytest.approx(theirs.score(features, target))


def test_units_and_far_origins_cost_no_weights():
    features, target = load_diabetes(return_X_y=True)
    odd = features * 10.0 ** np.arange(-5, 5) + 1e3 * 10.0 ** np.arange(-5, 5)
    model = LeastSquares().fit(odd, target)
    theirs = LinearRegression().fit(features, target)
    assert model.rank_ == 10
    np.testing.assert_allclose(model.predict(odd), theirs.predict(features), rtol=1e-6)


@given(tables(), st.booleans())
@at_most(40)
@pytest.mark.filterwarnings("ignore:.*linearly dependent")
def test_features_that_depend_get_the_weights_of_least_size(table, fit_intercept):
    model = LeastSquares(fit_intercept=fit_intercept).fit(table[:, :-1], table[:, -1])
    coef, intercept = numpys_line(table, np.ones(len(table)), fit_intercept)
    np.testing.assert_allclose(model.coef_, coef, atol=1e-9)
    assert model.intercept_ == pytest.approx(intercept, abs=1e-9)


def test_features_that_depend_are_told():
    with pytest.warns(UserWarning, match="The 2 features are linearly dependent.* 1 of them"):
        model = LeastSquares().fit([[1, 2], [2, 4], [3, 6]], [5.0, 10.0, 15.0])
    np.testing.assert_allclose(model.coef_, [1.0, 2.0])  # 5 (1, 2) / |(1, 2)|^2


# laws -------------------------------------------------------------------------------------------


@given(tables(), st.booleans(), st.booleans())
@at_most(40)
@pytest.mark.filterwarnings("ignore:.*linearly dependent")
def test_leave_one_out_is_as_many_refits(table, fit_intercept, weighted):
    weights = np.arange(len(table)) % 3 + 0.5 if weighted else None
    model = LeastSquares(fit_intercept=fit_intercept).fit(
        table[:, :-1], table[:, -1], sample_weight=weights
    )
    ours = model.leave_one_out(table[:, :-1], table[:, -1], sample_weight=weights)
    weights = np.ones(len(table)) if weights is None else weights
    for row in range(len(table)):
        others = np.delete(np.arange(len(table)), row)
        coef, intercept = numpys_line(table[others], weights[others], fit_intercept)
        assert ours[row] == pytest.approx(table[row, :-1] @ coef + intercept, abs=1e-7)


def test_leave_one_out_of_many_rows_is_that_of_scikit_learn():
    from sklearn.model_selection import LeaveOneOut, cross_val_predict

    features, target = (part[:60] for part in load_diabetes(return_X_y=True))
    with cells_per_block(100):
        ours = LeastSquares().fit(features, target).leave_one_out(features, target)
    theirs = cross_val_predict(LinearRegression(), features, target, cv=LeaveOneOut())
    np.testing.assert_allclose(ours, theirs, rtol=1e-8)


# bad input --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["fit", "partial_fit", "forget", "leave_one_out"])
@pytest.mark.parametrize(
    ("rows", "target", "weights", "message"),
    [
        ([[np.nan]], [1.0], None, "NaN, and LeastSquares needs every feature"),
        ([[np.inf]], [1.0], None, "infinity"),
        ([[1.0]], [np.nan], None, "Input y contains NaN or infinity, first in row 0"),
        ([[1.0]], None, None, "requires y to be passed"),
        ([[1.0]], ["much"], None, "y must hold numbers"),
        ([[1.0]], [1.0, 2.0], None, "inconsistent numbers of samples"),
        ([[1.0]], [1.0], [-1.0], "sample_weight must be 0 or more"),
        ([[1e200]], [1.0], None, "too large"),
    ],
)
def test_bad_rows_are_refused_and_change_nothing(method, rows, target, weights, message):
    model = LeastSquares().fit(X, Y)
    before = state_of(model)
    with pytest.raises(ValueError, match=message):
        getattr(model, method)(rows, target, sample_weight=weights)
    assert_unchanged(model, before)


def test_what_was_never_learned_cannot_be_forgotten_or_left_out():
    model = LeastSquares().fit(X, Y)
    before = state_of(model)
    for method in (model.forget, model.leave_one_out):
        with pytest.raises(ValueError, match="Only what was learned can be taken away"):
            method([[100.0]], [5.0])
        with pytest.raises(ValueError, match="Only what was learned can be taken away"):
            method(X * 2, Y * 2)
    assert_unchanged(model, before)


def test_other_models_and_other_features_cannot_be_merged():
    model = LeastSquares().fit(X, Y)
    with pytest.raises(TypeError, match="same kind"):
        model.merge(LinearRegression().fit(X, Y))
    wide = LeastSquares().fit([[1, 0], [0, 1], [0, 0]], [1, 2, 3])
    with pytest.raises(ValueError, match="same features"):
        model.merge(wide)


def test_fit_intercept_is_true_or_false():
    with pytest.raises(ValueError, match="fit_intercept must be True or False, got 'yes'"):
        LeastSquares(fit_intercept="yes").fit(X, Y)


def test_sums_that_overflow_are_refused():
    model = LeastSquares().fit([[0, 0], [0, 1], [1, 0]], [0, -100, 100])
    with pytest.raises(ValueError, match="weighted sum overflows"):
        model.predict([[1e308, 1e308]])
