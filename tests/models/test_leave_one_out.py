"""leave_one_out(X, y) is learning all other rows and predicting each, without doing it."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse

import bayesic as by
from helpers.comparisons import impossible_rows_allowed, probabilities
from helpers.environment import environment
from helpers.labelled_rows import FIVE, WORDS, Rows, labelled_rows, quarters, quarters_or_zero

PRIOR = [0.5, 0.2, 0.3]  # of ham, news and spam
each_model = pytest.mark.parametrize("Model", FIVE)


def refits(model, rows):
    """Class probabilities of each row from a model of all the others, learned from nothing."""
    answers = []
    for row in range(len(rows.y)):
        others = rows.where(np.arange(len(rows.y)) != row)
        fresh = type(model)(**model.get_params())
        fresh.partial_fit(others.X, others.y, classes=WORDS, sample_weight=others.weights)
        answers.append(probabilities(fresh, rows.X[[row]])[0])
    return np.array(answers)


def left_out(model, rows, kind=np.asarray, kernels="reference"):
    with impossible_rows_allowed(), environment(BAYESIC_KERNELS=kernels):
        model.partial_fit(kind(rows.X), rows.y, classes=WORDS, sample_weight=rows.weights)
        return model.leave_one_out(kind(rows.X), rows.y, sample_weight=rows.weights)


def assert_equals_refits(model, rows, kind=np.asarray, kernels="reference"):
    answers = left_out(model, rows, kind, kernels)
    expected = refits(model, rows)
    np.testing.assert_allclose(answers, expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(answers.sum(axis=1), 1.0)


@st.composite
def models(draw, Model):
    """The model with arguments that change how it smooths and what it takes for the prior."""
    if Model is by.GaussianNB:
        return Model(
            var_smoothing=draw(st.sampled_from([1e-6, 1e-3, 0.5])),
            priors=draw(st.sampled_from([None, PRIOR])),
        )
    arguments = {
        "alpha": draw(st.sampled_from([0, 0.5, 1])),
        "fit_prior": draw(st.booleans()),
    }
    if Model is by.ComplementNB:
        return Model(**arguments, norm=draw(st.booleans()))
    arguments["class_prior"] = draw(st.sampled_from([None, PRIOR]))
    if Model is by.CategoricalNB:
        arguments["min_categories"] = draw(st.sampled_from([None, 1, 3, 7]))
    return Model(**arguments)


def smoothed(Model, alpha):
    return Model(var_smoothing=1e-3) if Model is by.GaussianNB else Model(alpha=alpha)


@each_model
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@given(data=st.data())
def test_leaving_one_out_is_learning_all_the_others(Model, kind, kernels, data):
    model = data.draw(models(Model))
    rows = data.draw(labelled_rows(min_rows=2, max_rows=7))
    assert_equals_refits(model, rows, kind, kernels)


@each_model
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@given(data=st.data())
def test_cells_that_were_not_observed_are_left_out_of_both(Model, kind, data):
    model = data.draw(models(Model))
    rows = data.draw(labelled_rows(min_rows=2, max_rows=6, missing=True))
    assert_equals_refits(model, rows, kind)


@each_model
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@given(data=st.data())
def test_a_row_leaves_with_its_whole_weight(Model, kind, kernels, data):
    model = data.draw(models(Model))
    rows = data.draw(labelled_rows(min_rows=2, max_rows=6, missing=True, weights=quarters))
    assert_equals_refits(model, rows, kind, kernels)


@each_model
@given(data=st.data())
def test_a_row_of_weight_zero_changes_nothing_when_it_leaves(Model, data):
    model = data.draw(models(Model))
    rows = data.draw(labelled_rows(min_rows=3, max_rows=6, weights=quarters_or_zero))
    assume((rows.weights > 0).sum() >= 2)
    assert_equals_refits(model, rows)
    unlearned = rows.weights == 0
    with impossible_rows_allowed():
        answers = model.leave_one_out(rows.X, rows.y, sample_weight=rows.weights)
    if Model is not by.GaussianNB:  # there every row tells the scale of a column
        np.testing.assert_allclose(answers[unlearned], probabilities(model, rows.X)[unlearned])


@each_model
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@given(data=st.data())
def test_weights_that_cannot_be_summed_exactly_leave_no_trace(Model, kind, data):
    # 0.1 + 0.2 - 0.2 is not 0.1 in floating point: without smoothing that must not show
    alpha = data.draw(st.sampled_from([0, 1]))
    weights = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.1])
    rows = data.draw(labelled_rows(min_rows=2, max_rows=6, weights=weights))
    assert_equals_refits(smoothed(Model, alpha), rows, kind)


@each_model
@pytest.mark.parametrize("alpha", [0, 1])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_many_features_with_weights_leave_no_trace_of_a_class_of_one_row(Model, alpha, kind):
    for seed in range(20):
        random = np.random.default_rng(seed)
        X = random.integers(0, 5, size=(4, 23))
        rows = Rows(X, np.array(["ham", "news", "spam", "spam"]), random.random(4) + 0.1)
        assert_equals_refits(smoothed(Model, alpha), rows, kind)


@each_model
@pytest.mark.parametrize("alpha", [0, 0.5, 1])
def test_a_class_of_one_row_is_empty_without_it(Model, alpha):
    X = np.array([[1, 0, 2], [0, 3, 1], [4, 1, 0], [2, 2, 2]])
    rows = Rows(X, np.array(["ham", "news", "spam", "spam"]))
    assert_equals_refits(smoothed(Model, alpha), rows)


@each_model
def test_the_prior_of_a_class_of_one_row_is_zero_without_it(Model):
    X = np.array([[1, 0], [2, 1], [1, 1], [0, 2], [1, 2]])
    y = ["ham", "spam", "spam", "spam", "spam"]
    answers = Model().fit(X, y).leave_one_out(X, y)
    if Model is not by.ComplementNB:  # it does not use priors
        assert answers[0].tolist() == [0.0, 1.0]
    assert not np.isnan(answers).any()


@each_model
def test_a_single_row_left_out_leaves_every_class_as_likely(Model):
    model = Model().partial_fit([[1, 2]], ["spam"], classes=WORDS)
    with impossible_rows_allowed():
        assert model.leave_one_out([[1, 2]], ["spam"])[0].tolist() == pytest.approx([1 / 3] * 3)


@each_model
def test_one_class_only_stays_certain(Model):
    X = [[1, 0], [0, 2], [3, 1]]
    assert Model().fit(X, ["spam"] * 3).leave_one_out(X, ["spam"] * 3).tolist() == [[1.0]] * 3


# categories -----------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0, 0.5, 1])
@pytest.mark.parametrize("min_categories", [None, 1, 4, 8, [2, 9]])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_without_the_row_that_alone_has_the_largest_code_there_are_fewer_categories(
    alpha, min_categories, kind
):
    X = np.array([[0, 1], [1, 0], [6, 1], [1, 7], [0, 0]])
    rows = Rows(X, np.array(["ham", "ham", "spam", "spam", "news"]))
    assert_equals_refits(by.CategoricalNB(alpha=alpha, min_categories=min_categories), rows, kind)


def test_the_number_of_categories_without_a_row_shows_in_exact_fractions():
    X, y = [[0], [0], [0], [3]], ["ham", "ham", "spam", "spam"]
    left = by.CategoricalNB(alpha=1).fit(X, y).leave_one_out(X, y)
    # without the row of code 3 there is one category, so each class gives it the share 1 / (N + 1)
    ham, spam = 2 / 3 * 1 / (2 + 1), 1 / 3 * 1 / (1 + 1)
    assert left[3].tolist() == pytest.approx([ham / (ham + spam), spam / (ham + spam)])
    # without a row of code 0 there stay four: (1 + 1) / (1 + 4) and (1 + 1) / (2 + 4)
    ham, spam = 1 / 3 * 2 / 5, 2 / 3 * 2 / 6
    assert left[0].tolist() == pytest.approx([ham / (ham + spam), spam / (ham + spam)])


# counts of very different size ----------------------------------------------------------------


@pytest.mark.parametrize("Model", [by.MultinomialNB, by.ComplementNB])
@pytest.mark.parametrize("alpha", [0, 1e-3, 1])
@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_a_row_with_nearly_all_of_a_count_leaves_the_exact_rest(Model, alpha, kernels, kind):
    # bytes sent: whole numbers, which floats hold exactly up to 2^53
    X = np.array([[20_000_000_000, 5], [1, 1], [3, 4], [2, 1]])
    rows = Rows(X, np.array(["ham", "ham", "spam", "spam"]))
    left = left_out(Model(alpha=alpha), rows, kind, kernels)
    # scores of 1e10 have digits down to 1e-6
    np.testing.assert_allclose(left, refits(Model(alpha=alpha), rows), atol=1e-4)


# numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("offset", [0.0, 1e4, 1e8])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("per_class", [2, 5])
def test_measurements_far_from_zero_can_be_left_out(offset, kind, per_class):
    random = np.random.default_rng(7)
    y = np.repeat(WORDS, per_class)
    X = offset + random.normal(size=(3 * per_class, 2)) + 2 * np.searchsorted(WORDS, y)[:, None]
    model = by.GaussianNB(var_smoothing=0.1).partial_fit(kind(X), y, classes=WORDS)
    np.testing.assert_allclose(
        model.leave_one_out(kind(X), y), refits(model, Rows(X, y)), rtol=1e-4, atol=1e-5
    )


def test_ordinary_measurements_left_out_one_by_one_with_the_arguments_by_default():
    random = np.random.default_rng(17)
    y = np.repeat(WORDS, 12)
    X = random.normal(loc=np.searchsorted(WORDS, y)[:, None], size=(36, 4)).round(1)
    X[random.random(X.shape) < 0.1] = np.nan
    assert_equals_refits(by.GaussianNB(), Rows(X, y))
    assert_equals_refits(by.GaussianNB(), Rows(X, y, random.random(36) + 0.1))


def test_an_outlier_left_out_leaves_the_spread_of_the_others():
    X = np.array([[0.0], [1.0], [2.0], [1e5], [1.0], [5.0]])
    rows = Rows(X, np.array(["ham", "ham", "ham", "ham", "spam", "spam"]))
    assert_equals_refits(by.GaussianNB(var_smoothing=1e-3), rows)


# what cannot be left out ----------------------------------------------------------------------

LEARNED = Rows(np.array([[1, 0], [0, 1], [0, 1], [0, 1]]), np.array(["ham", "ham", "spam", "spam"]))


@each_model
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_rows_that_were_never_learned_are_refused(Model, kind):
    model = Model().fit(LEARNED.X, LEARNED.y)
    with pytest.raises(ValueError, match="Only what was learned can be"):
        model.leave_one_out(kind(np.array([[7, 9]])), ["spam"])


@each_model
def test_a_class_that_was_never_learned_is_refused(Model):
    model = Model().partial_fit(LEARNED.X, LEARNED.y, classes=WORDS)
    with pytest.raises(ValueError, match="Only what was learned can be"):
        model.leave_one_out([[1, 1]], ["news"])
    with pytest.raises(ValueError, match="do not exist in the initial classes"):
        model.leave_one_out([[1, 1]], ["nonsense"])


@each_model
def test_more_weight_than_was_learned_is_refused(Model):
    model = Model().fit(LEARNED.X, LEARNED.y)
    with pytest.raises(ValueError, match="Only what was learned can be"):
        model.leave_one_out(LEARNED.X, LEARNED.y, sample_weight=[9.0] * 4)


@pytest.mark.parametrize("Model", [by.BernoulliNB, by.CategoricalNB, by.MultinomialNB])
def test_rows_that_are_impossible_without_themselves_get_the_prior_with_a_warning(Model):
    X, y = [[3, 0], [0, 1], [0, 2], [0, 1]], ["ham", "ham", "spam", "spam"]
    model = Model(alpha=0).fit(X, y)
    with pytest.warns(UserWarning, match="impossible in every class"):
        assert model.leave_one_out(X, y)[0].tolist() == pytest.approx([1 / 3, 2 / 3])


# cost -----------------------------------------------------------------------------------------


@each_model
def test_leaving_out_sparse_rows_does_not_make_them_dense(Model):
    n_rows, n_features = 400, 20_000
    X = sparse.random_array((n_rows, n_features), density=2e-4, rng=np.random.default_rng(1))
    X = sparse.csr_array(X)
    X.data[:] = 1
    y = np.arange(n_rows) % 2
    model = Model().fit(X, y)
    model.leave_one_out(X[:10], y[:10])
    tracemalloc.start()
    try:
        model.leave_one_out(X, y)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < n_rows * n_features * 8 / 2, f"{peak / 1e6:.0f} MB"
