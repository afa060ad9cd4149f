"""Where scikit-learn 1.9 is wrong, we are right: one test for each."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse

import bayesic as by
from helpers.labelled_rows import FIVE

RAIN, SUN = "rain", "sun"


# partial_fit is fit -----------------------------------------------------------------------------


def test_gaussian_epsilon_does_not_depend_on_the_batches():
    rng = np.random.default_rng(1)
    X = np.vstack([rng.normal(0, 1, (50, 2)), rng.normal(0, 1000, (50, 2))])
    y = np.arange(100) % 2
    at_once = by.GaussianNB(var_smoothing=0.1).fit(X, y)
    in_pieces = by.GaussianNB(var_smoothing=0.1)
    for start in range(0, 100, 10):
        in_pieces.partial_fit(X[start : start + 10], y[start : start + 10], classes=[0, 1])
    assert in_pieces.epsilon_ == pytest.approx(at_once.epsilon_, rel=1e-12)
    np.testing.assert_allclose(in_pieces.var_, at_once.var_, rtol=1e-12)


def test_gaussian_row_by_row_with_a_constant_feature_is_not_nan():
    X, y = [[5.0, 1.0], [5.0, 2.0], [7.0, 3.0], [8.0, 5.0]], [RAIN, RAIN, SUN, SUN]
    model = by.GaussianNB()
    for row, label in zip(X, y, strict=True):
        model.partial_fit([row], [label], classes=[RAIN, SUN])
    expected = by.GaussianNB().fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=1e-9)


def test_a_column_whose_scale_grows_between_batches_keeps_the_first_class_alive():
    model = by.GaussianNB()
    model.partial_fit([[1.0], [2.0], [3.0]], [RAIN, RAIN, SUN], classes=[RAIN, SUN])
    model.partial_fit([[1e13], [3e13]], [SUN, SUN])
    assert np.isfinite(model.predict_proba([[1.5], [1e13]])).all()


# an undeclared label ----------------------------------------------------------------------------


@pytest.mark.parametrize("model", FIVE)
def test_an_undeclared_label_is_refused_and_changes_nothing(model):
    fitted = model().partial_fit([[0, 1], [1, 0]], [RAIN, SUN], classes=[RAIN, SUN])
    before = dict(vars(fitted))
    with pytest.raises(ValueError, match=r"\['snow'\].*\['rain', 'sun'\]"):
        fitted.partial_fit([[1, 1], [0, 0]], ["snow", RAIN])
    assert vars(fitted) == before


# alpha = 0 --------------------------------------------------------------------------------------


@pytest.mark.parametrize("empty", [np.zeros((1, 2)), sparse.csr_array((1, 2))])
def test_an_empty_document_gets_the_prior_without_smoothing(empty):
    model = by.MultinomialNB(alpha=0).fit([[1, 0], [0, 1], [0, 2]], [RAIN, SUN, SUN])
    np.testing.assert_allclose(model.predict_proba(empty), [[1 / 3, 2 / 3]], rtol=1e-12)


def test_bernoulli_without_smoothing_gives_the_exact_fractions():
    X, y = [[1, 0], [1, 1], [0, 1], [0, 1]], [RAIN, RAIN, SUN, RAIN]
    model = by.BernoulliNB(alpha=0).fit(X, y)
    # rain: P = 3/4, p(x1) = 2/3, p(x2) = 2/3; sun: P = 1/4, p(x1) = 0, p(x2) = 1
    rain = Fraction(3, 4) * Fraction(1, 3) * Fraction(2, 3)
    sun = Fraction(1, 4)
    expected = float(rain / (rain + sun))
    assert model.predict_proba([[0, 1]])[0, 0] == pytest.approx(expected, rel=1e-12)
    np.testing.assert_array_equal(model.predict_proba([[1, 0]]), [[1.0, 0.0]])


@pytest.mark.parametrize("as_input", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("model", [by.MultinomialNB, by.BernoulliNB, by.CategoricalNB])
def test_impossible_everywhere_gives_the_prior_with_a_warning(model, as_input):
    X, y = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 0]]), [RAIN, SUN, SUN]
    fitted = model(alpha=0).fit(as_input(X), y)
    with pytest.warns(UserWarning, match="impossible in every class"):
        probability = fitted.predict_proba(as_input(np.array([[1, 1, 1]])))
    np.testing.assert_allclose(probability, [[1 / 3, 2 / 3]], rtol=1e-12)
    with pytest.warns(UserWarning, match="impossible in every class"):
        assert fitted.predict(as_input(np.array([[1, 1, 1]]))).tolist() == [SUN]


def test_complement_without_smoothing_follows_the_limit():
    X, y = [[3, 0, 1], [0, 2, 1], [0, 1, 4]], [RAIN, SUN, SUN]
    exact = by.ComplementNB(alpha=0).fit(X, y)
    nearly = by.ComplementNB(alpha=1e-200).fit(X, y)
    rows = [[1, 0, 0], [0, 1, 0], [2, 1, 0], [0, 0, 1], [1, 1, 1]]
    for row in rows:
        np.testing.assert_allclose(
            exact.predict_proba([row]), nearly.predict_proba([row]), atol=1e-12
        )


# Bernoulli log(1 - p) ---------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [1e-10, 1e-12])
def test_bernoulli_absence_comes_from_counts(alpha):
    X = np.ones((501, 1))
    X[500] = 0
    model = by.BernoulliNB(alpha=alpha).fit(X, [RAIN] * 500 + [SUN])
    # rain had the feature in all 500 rows: p(absent) = alpha / (500 + 2 alpha)
    expected = math.log(500 / 501) + math.log(alpha) - math.log(500 + 2 * alpha)
    assert model.predict_joint_log_proba([[0]])[0, 0] == pytest.approx(expected, rel=1e-14)


# priors -----------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:ComplementNB does not use priors")
@pytest.mark.parametrize("model", FIVE)
@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ([0.5, 0.3, 0.2], "must match number of classes"),
        ([-1.0, 2.0], "non-negative"),
        ([5, 3], "should be 1"),
        ([float("nan"), 1.0], "non-negative"),
        ("half and half", "numbers"),
    ],
)
def test_priors_are_validated_in_all_five(model, priors, message):
    name = "priors" if model is by.GaussianNB else "class_prior"
    with pytest.raises(ValueError, match=message):
        model(**{name: priors}).fit([[0, 1], [1, 0]], [RAIN, SUN])


def test_complement_says_that_it_does_not_use_priors():
    with pytest.warns(UserWarning, match="does not use priors"):
        given = by.ComplementNB(class_prior=[0.9, 0.1]).fit([[3, 0], [1, 2]], [RAIN, SUN])
    learned = by.ComplementNB().fit([[3, 0], [1, 2]], [RAIN, SUN])
    np.testing.assert_array_equal(given.predict_proba([[1, 1]]), learned.predict_proba([[1, 1]]))


# CategoricalNB ----------------------------------------------------------------------------------


def test_an_unseen_category_gets_the_smoothed_share():
    model = by.CategoricalNB(alpha=1).fit([[0], [1], [1], [2]], [RAIN, RAIN, SUN, SUN])
    # both classes: 1 / (2 + 3), so the posterior is the prior
    np.testing.assert_allclose(model.predict_proba([[7]]), [[0.5, 0.5]], rtol=1e-12)
    assert model.predict_joint_log_proba([[7]])[0, 0] == pytest.approx(math.log(0.5 * 1 / 5))


@pytest.mark.parametrize("value", [0.9, 1.5])
def test_a_broken_category_is_refused(value):
    with pytest.raises(ValueError, match=f"whole numbers.*{value}"):
        by.CategoricalNB().fit([[value], [1.0]], [RAIN, SUN])
    fitted = by.CategoricalNB().fit([[0.0], [1.0]], [RAIN, SUN])
    with pytest.raises(ValueError, match="whole numbers"):
        fitted.predict([[value]])


def test_the_number_of_categories_is_right_after_partial_fit():
    model = by.CategoricalNB().partial_fit([[4]], [RAIN], classes=[RAIN, SUN])
    model.partial_fit([[1]], [SUN])
    assert model.n_categories_.tolist() == [5]
    assert model.category_count_[0].tolist() == [[0, 0, 0, 0, 1], [0, 1, 0, 0, 0]]


def test_a_missing_category_is_left_out():
    X = [[0, np.nan], [1, 0], [np.nan, 1], [0, 1]]
    model = by.CategoricalNB(alpha=1).fit(X, [RAIN, RAIN, SUN, SUN])
    # rain: first column 0 and 1 once each, second column 0 once
    rain = Fraction(1, 2) * Fraction(1 + 1, 2 + 2) * Fraction(1 + 1, 1 + 2)
    sun = Fraction(1, 2) * Fraction(1 + 1, 1 + 2) * Fraction(0 + 1, 2 + 2)
    expected = float(rain / (rain + sun))
    assert model.predict_proba([[0, 0]])[0, 0] == pytest.approx(expected, rel=1e-12)
    of_first = Fraction(1, 2) / (Fraction(1, 2) + Fraction(2, 3))
    assert model.predict_proba([[0, np.nan]])[0, 0] == pytest.approx(float(of_first), rel=1e-12)


def test_one_huge_code_is_refused_and_allocates_nothing():
    with pytest.raises(ValueError, match="at most 99999, got 1000000000000 in column 1"):
        by.CategoricalNB().fit([[0, 1], [1, 10**12]], [RAIN, SUN])
    by.CategoricalNB().fit([[99_999]], [RAIN])


# GaussianNB -------------------------------------------------------------------------------------


def test_a_missing_measurement_is_left_out():
    X = [[1.0, np.nan], [3.0, 5.0], [7.0, 1.0], [9.0, 2.0], [np.nan, 3.0]]
    y = [RAIN, RAIN, SUN, SUN, SUN]
    model = by.GaussianNB(var_smoothing=0).fit(X, y)
    assert model.theta_.tolist() == [[2.0, 5.0], [8.0, 2.0]]
    only_first = by.GaussianNB(var_smoothing=0).fit([[1.0], [3.0], [7.0], [9.0]], y[:4])
    scores = only_first.predict_joint_log_proba([[4.0]]) - np.log([0.5, 0.5]) + np.log([0.4, 0.6])
    np.testing.assert_allclose(model.predict_joint_log_proba([[4.0, np.nan]]), scores, rtol=1e-12)


def test_sparse_measurements_work_without_being_made_dense():
    rng = np.random.default_rng(2)
    dense = np.where(rng.random((60, 7)) < 0.3, rng.normal(3, 2, (60, 7)), 0.0)
    dense[:, 6] = rng.normal(1e6, 1, 60)  # a column that has no zeros, far from zero
    dense[5, 0] = np.nan
    y = np.arange(60) % 3
    ours, sparse_ours = (by.GaussianNB().fit(X, y) for X in (dense, sparse.csr_array(dense)))
    np.testing.assert_allclose(sparse_ours.theta_, ours.theta_, rtol=1e-12)
    np.testing.assert_allclose(sparse_ours.var_, ours.var_, rtol=1e-9)
    np.testing.assert_allclose(
        sparse_ours.predict_joint_log_proba(sparse.csr_array(dense)),
        ours.predict_joint_log_proba(dense),
        rtol=1e-8,
    )


def test_wide_sparse_measurements_take_no_dense_copy():
    import tracemalloc

    X = sparse.random_array(
        (2_000, 50_000), density=1e-4, format="csr", rng=np.random.default_rng(0)
    )
    tracemalloc.start()
    for model in (by.GaussianNB(), by.CategoricalNB()):
        data = X if isinstance(model, by.GaussianNB) else X.ceil().astype(np.int64)
        model.fit(data, np.arange(2_000) % 2).predict_proba(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6  # the dense matrix alone would take 800 MB


def test_a_mean_of_1e8_with_a_spread_of_1_comes_out_right():
    rng = np.random.default_rng(0)
    small = rng.normal(0, 1, (2_000, 1))
    y = (small[:, 0] > 0).astype(int)
    near = by.GaussianNB(var_smoothing=0).fit(small, y)
    # adding 1e8 rounds the values to 1.5e-8: compare with what was really stored
    shifted = small + 1e8
    far = by.GaussianNB(var_smoothing=0).fit(shifted, y)
    np.testing.assert_allclose(far.theta_ - 1e8, near.theta_, atol=1e-7)
    np.testing.assert_allclose(far.var_, near.var_, rtol=1e-6)
    np.testing.assert_allclose(far.predict_proba(shifted), near.predict_proba(small), atol=1e-5)


def test_float32_with_an_offset_agrees_with_float64():
    worst = 0.0
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(1e4, 1, (2_000, 3)), rng.integers(0, 2, 2_000)
        exact = by.GaussianNB().fit(X, y).predict_proba(X)
        single = by.GaussianNB().fit(X.astype(np.float32), y).predict_proba(X.astype(np.float32))
        worst = max(worst, np.abs(single - exact).max())
    assert worst < 1e-3


def test_far_points_answer_the_nearer_class():
    model = by.GaussianNB().fit([[-0.1], [0.1], [4.9], [5.1]], [RAIN, RAIN, SUN, SUN])
    np.testing.assert_array_equal(model.predict_proba([[4.0]]), [[0.0, 1.0]])
    assert model.predict_log_proba([[4.0]])[0, 0] < -300


def test_ordinary_data_raises_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for model in FIVE:
            X, y = [[0, 1], [1, 0], [2, 1], [0, 2]], [RAIN, RAIN, SUN, SUN]
            fitted = model().fit(X, y, sample_weight=[1, 0, 2, 1])
            fitted.predict_proba(X)
            fitted.leave_one_out(X, y, sample_weight=[1, 0, 2, 1])
