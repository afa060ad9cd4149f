"""SemiSupervised: laws, leave-one-out, what it refuses, and its manners as an estimator."""

import warnings
from contextlib import contextmanager
from copy import copy

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bayesic as by
from bayesic.mixtures._soft_classes import soft_statistics
from bayesic.mixtures.semi_supervised import SemiSupervised
from helpers.comparisons import assert_same, assert_unchanged, state_of
from helpers.environment import cells_per_block, environment
from helpers.examples import at_most

MAILS = [
    "free money now",
    "lunch at noon",
    "free gift",
    "gift gift for free",
    "noon lunch in the rain",
    "money money",
]
LABELS = ["spam", "ham", None, None, None, None]

COUNTS = np.array([[3, 0, 1], [0, 2, 1], [2, 0, 0], [1, 1, 3], [0, 3, 0], [4, 0, 2]])
TABLE = {
    "sky": ["rain", "sun", "sun", "rain", "fog", "sun"],
    "size": ["S", "M", "L", "L", "S", "M"],
}
NUMBERS = np.array([[1.0, 5.0], [8.0, 1.0], [1.5, 4.0], [7.0, 2.0], [9.0, 1.5], [2.0, 6.0]])

CASES = {
    "texts": (by.TextClassifier(), MAILS),
    "binary texts": (by.TextClassifier("binary-multinomial", min_count=2), MAILS),
    "bernoulli texts": (by.TextClassifier("bernoulli"), MAILS),
    "MultinomialNB": (by.MultinomialNB(), COUNTS),
    "BernoulliNB": (by.BernoulliNB(), COUNTS),
    "CategoricalNB": (by.CategoricalNB(), COUNTS),
    "GaussianNB": (by.GaussianNB(var_smoothing=1e-2), NUMBERS),
    "NaiveBayes": (by.NaiveBayes(), TABLE),
    "NaiveBayes of numbers": (by.NaiveBayes(numeric="gaussian"), NUMBERS),
    "JointBayes": (by.JointBayes(), TABLE),
}
every_model = pytest.mark.parametrize(("model", "X"), CASES.values(), ids=CASES)


def fitted(model, X, y=LABELS, **arguments):
    return SemiSupervised(model, **arguments).fit(X, y)


def rows_of(X, chosen):
    if isinstance(X, dict):
        return {name: [cells[row] for row in chosen] for name, cells in X.items()}
    return [X[row] for row in chosen] if isinstance(X, list) else X[chosen]


@contextmanager
def impossible_or_unfinished():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*impossible in every class")
        warnings.filterwarnings("ignore", message="EM has not converged")
        yield


# laws -----------------------------------------------------------------------------------------


@every_model
def test_without_unlabelled_rows_it_is_the_model(model, X):
    y = ["spam", "ham", "spam", "spam", "ham", "spam"]
    ours, plain = fitted(model, X, y), clone(model).fit(X, y)
    assert ours.model_.statistics_.class_count.dtype == np.int64
    assert ours.converged_
    assert ours.n_iter_ == len(ours.trace_) == 1
    np.testing.assert_array_equal(ours.predict_joint_log_proba(X), plain.predict_joint_log_proba(X))
    np.testing.assert_array_equal(ours.leave_one_out(X, y), plain.leave_one_out(X, y))


@every_model
def test_with_weight_0_it_is_the_model_of_the_labelled_rows(model, X):
    ours = fitted(model, X, weight=0)
    plain = clone(model).fit(rows_of(X, [0, 1]), LABELS[:2])
    np.testing.assert_allclose(ours.predict_proba(X), plain.predict_proba(X), rtol=1e-12)


@every_model
def test_the_statistics_are_those_of_all_rows(model, X):
    ours = fitted(model, X, weight=0.5)
    np.testing.assert_allclose(ours.responsibility_.sum(axis=1), 1)
    np.testing.assert_array_equal(ours.responsibility_[:2], [[0, 1], [1, 0]])
    assert ours.model_.statistics_.class_count.sum() == pytest.approx(2 + 0.5 * 4)
    assert ours.classes_.tolist() == ["ham", "spam"]


@every_model
def test_a_weight_of_2_is_every_unlabelled_row_twice(model, X):
    twice = [0, 1, 2, 3, 4, 5, 2, 3, 4, 5]
    ours = fitted(model, X, weight=2, tol=0.0, max_iter=1000)
    rows = fitted(model, rows_of(X, twice), [*LABELS, *[None] * 4], tol=0.0, max_iter=1000)
    np.testing.assert_allclose(ours.predict_proba(X), rows.predict_proba(X), rtol=1e-4)
    weighed = SemiSupervised(model, tol=0.0, max_iter=1000)
    weighed.fit(X, LABELS, sample_weight=[1, 1, 2, 2, 2, 2])
    np.testing.assert_allclose(ours.predict_proba(X), weighed.predict_proba(X), rtol=1e-12)


@every_model
def test_the_order_of_the_rows_does_not_matter(model, X):
    order = [4, 1, 5, 0, 3, 2]
    ours = fitted(model, X)
    other = fitted(model, rows_of(X, order), [LABELS[row] for row in order])
    np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), rtol=1e-8)


@every_model
def test_nothing_depends_on_the_number_of_threads(model, X):
    with cells_per_block(2), environment(BAYESIC_THREADS="1"):
        one = fitted(model, X)
    with cells_per_block(2), environment(BAYESIC_THREADS="3"):
        three = fitted(model, X)
    np.testing.assert_array_equal(one.responsibility_, three.responsibility_)
    np.testing.assert_array_equal(one.trace_, three.trace_)


words = st.lists(st.sampled_from(["free", "rain", "lunch", "gift"]), max_size=5).map(" ".join)


@at_most(25)
@given(
    st.lists(words, min_size=3, max_size=9),
    st.sampled_from(["multinomial", "binary-multinomial", "bernoulli"]),
    st.sampled_from([0.01, 1.0, "auto"]),
    st.integers(1, 3),
    st.sampled_from([0.3, 1.0]),
)
def test_the_trace_of_texts_never_falls(texts, model, smoothing, min_count, weight):
    labels = ["spam", "ham", *[None] * (len(texts) - 2)]
    classifier = by.TextClassifier(model, smoothing=smoothing, min_count=min_count)
    with impossible_or_unfinished():
        ours = fitted(classifier, texts, labels, weight=weight, tol=0.0)
    assert np.isfinite(ours.trace_).all()
    assert (np.diff(ours.trace_) >= 0).all()
    if smoothing != "auto":  # an exact maximum at every step: nothing but the end stops it
        assert ours.converged_ or ours.n_iter_ == 100


tables = st.lists(
    st.tuples(
        st.sampled_from(["rain", "sun", None]),
        st.integers(0, 3),
        st.floats(-4, 4).map(lambda number: round(number, 1)),
    ),
    min_size=4,
    max_size=10,
)


@at_most(25)
@given(tables, st.sampled_from(["auto", "gaussian", "kernel", "binned"]))
def test_the_trace_of_tables_never_falls(rows, numeric):
    X = dict(zip(["sky", "wind", "degrees"], map(list, zip(*rows, strict=True)), strict=True))
    labels = ["good", "bad", *[None] * (len(rows) - 2)]
    with impossible_or_unfinished():
        ours = fitted(by.NaiveBayes({"wind": "poisson"}, numeric), X, labels)
    assert (np.diff(ours.trace_) >= 0).all()
    assert not np.isnan(ours.trace_).any()
    assert np.isfinite(ours.predict_proba(X)).all()


@at_most(25)
@given(
    st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=3, max_size=8),
    st.sampled_from(
        [
            by.MultinomialNB(alpha=0.1),
            by.BernoulliNB(),
            by.CategoricalNB(alpha=0.5),
            by.MultinomialNB(alpha=0),
            by.CategoricalNB(alpha=0, fit_prior=False),
        ]
    ),
)
def test_the_trace_of_counts_never_falls_and_every_step_is_exact(rows, model):
    with impossible_or_unfinished():
        ours = fitted(model, np.array(rows), [1, 0, *[None] * (len(rows) - 2)], tol=0.0)
    assert (np.diff(ours.trace_) >= 0).all()
    assert np.isfinite(ours.trace_).all()
    assert ours.converged_ or ours.n_iter_ == 100


# what is learned from unlabelled rows ---------------------------------------------------------


def test_words_of_unlabelled_texts_are_learned():
    ours = fitted(by.TextClassifier(), MAILS)
    assert "gift" in ours.model_.vocabulary_
    assert ours.predict(["gift"]).tolist() == ["spam"]
    assert ours.predict(["rain"]).tolist() == ["ham"]


def test_levels_of_unlabelled_rows_are_known():
    ours = fitted(by.NaiveBayes(), TABLE)
    assert ours.model_.events_["sky"].levels == ("fog", "rain", "sun")


def test_two_groups_are_found_with_one_label_each():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (100, 2)), rng.normal(4, 1, (100, 2))])
    truth = np.repeat(["low", "high"], 100)
    y = np.where(np.isin(np.arange(200), [0, 1, 100, 101]), truth, None)
    assert SemiSupervised(by.GaussianNB()).fit(X, y).score(X, truth) > 0.97


def test_input_of_any_library_will_do():
    ours = fitted(by.NaiveBayes(), TABLE)
    frame = fitted(by.NaiveBayes(), pd.DataFrame(TABLE), pd.Series(LABELS))
    np.testing.assert_array_equal(ours.predict_proba(TABLE), frame.predict_proba(TABLE))
    assert frame.feature_names_in_.tolist() == ["sky", "size"]
    dense = fitted(by.MultinomialNB(), COUNTS)
    thin = fitted(by.MultinomialNB(), sparse.csr_array(COUNTS))
    np.testing.assert_allclose(dense.predict_proba(COUNTS), thin.predict_proba(COUNTS), rtol=1e-12)


def test_answers_are_those_of_the_model():
    ours = fitted(by.TextClassifier(), MAILS)
    for method in ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba"):
        np.testing.assert_array_equal(
            getattr(ours, method)(MAILS), getattr(ours.model_, method)(MAILS)
        )
    assert ours.score(MAILS[:2], ["spam", "ham"]) == 1
    assert str(ours.explain("free gift")) == str(ours.model_.explain("free gift"))


@every_model
def test_the_fitted_model_can_be_saved_and_learn_on(model, X, tmp_path):
    ours = fitted(model, X, weight=0.3)
    ours.model_.save(tmp_path / "model.bayes")
    loaded = by.load(tmp_path / "model.bayes")
    np.testing.assert_array_equal(loaded.predict_proba(X), ours.predict_proba(X))
    before = ours.predict_proba(X)
    learned = loaded.partial_fit(rows_of(X, [2]), ["ham"]).forget(rows_of(X, [2]), ["ham"])
    np.testing.assert_allclose(learned.predict_proba(X), before, rtol=1e-9)


# leave-one-out --------------------------------------------------------------------------------


def model_without(ours, X, row, weights):
    """The model of all other rows, with the shares that EM found."""
    others = [other for other in range(len(weights)) if other != row]
    rest = copy(ours.model_)
    shares = (weights[:, None] * ours.responsibility_)[others]
    matrix = rest._rows(rows_of(X, others))
    return rest._keep(soft_statistics(rest, matrix, shares))


@every_model
@pytest.mark.parametrize("weight", [1.0, 0.25])
def test_leave_one_out_is_the_model_of_all_other_rows(model, X, weight):
    y = ["spam", "ham", "spam", "ham", None, None]
    ours = fitted(model, X, y, weight=weight)
    weights = np.array([1, 1, 1, 1, weight, weight])
    with impossible_or_unfinished():
        answers = ours.leave_one_out(X, y)
        for row in range(6):
            rest = model_without(ours, X, row, weights)
            expected = rest.predict_proba(rows_of(X, [row]))[0]
            np.testing.assert_allclose(answers[row], expected, rtol=1e-7, atol=1e-12)


def test_leave_one_out_of_labelled_rows_alone_is_the_same():
    y = ["spam", "ham", "spam", "ham", None, None]
    ours = fitted(by.TextClassifier(), MAILS, y)
    np.testing.assert_allclose(
        ours.leave_one_out(MAILS[:3], y[:3]), ours.leave_one_out(MAILS, y)[:3], rtol=1e-12
    )


def test_leave_one_out_with_weights():
    y, given_weights = ["spam", "ham", "spam", "ham", None, None], [2, 1, 3, 1, 2, 0.5]
    ours = SemiSupervised(by.MultinomialNB(), weight=0.5).fit(
        COUNTS, y, sample_weight=given_weights
    )
    answers = ours.leave_one_out(COUNTS, y, sample_weight=given_weights)
    weights = np.array([2, 1, 3, 1, 1, 0.25])
    for row in range(6):
        expected = model_without(ours, COUNTS, row, weights).predict_proba(COUNTS[[row]])[0]
        np.testing.assert_allclose(answers[row], expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("X", "y"),
    [(MAILS[1:], LABELS[1:]), (MAILS, LABELS[::-1]), (MAILS[2:3], [None])],
    ids=["one less", "another order", "no label"],
)
def test_leave_one_out_of_other_unlabelled_rows_is_refused(X, y):
    with pytest.raises(ValueError, match=r"label"):
        fitted(by.TextClassifier(), MAILS).leave_one_out(X, y)


def test_leave_one_out_of_an_unknown_class_is_refused():
    with pytest.raises(ValueError, match=r"\['news'\] in y do not exist"):
        fitted(by.TextClassifier(), MAILS).leave_one_out(MAILS[:1], ["news"])


# what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (by.ComplementNB(), "needs a model with a likelihood, got ComplementNB"),
        (by.TextClassifier("complement"), "needs a model with a likelihood"),
        (by.TextClassifier(weighting="tf-idf"), "needs a model with a likelihood"),
        (LogisticRegression(), "needs a model of bayesic that learns by counting"),
        (by.TextClassifier, "needs a model of bayesic"),
        (None, "needs a model of bayesic"),
    ],
    ids=["ComplementNB", "complement texts", "tf-idf", "scikit-learn", "class", "None"],
)
def test_models_without_a_likelihood_are_refused(model, message):
    with pytest.raises((TypeError, ValueError), match=message):
        SemiSupervised(model).fit(MAILS, LABELS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weight": -1}, "weight must be a number of 0 or more, got -1"),
        ({"weight": "half"}, "weight must be a number"),
        ({"weight": np.nan}, "weight must be a number"),
        ({"tol": np.inf}, "tol must be a number"),
        ({"max_iter": 0}, "max_iter must be a whole number of 1 or more, got 0"),
    ],
    ids=str,
)
def test_arguments_are_checked(arguments, message):
    with pytest.raises(ValueError, match=message):
        fitted(by.TextClassifier(), MAILS, **arguments)


@pytest.mark.parametrize(
    ("X", "y", "weights", "message"),
    [
        (MAILS, [None] * 6, None, "At least one row must have a label"),
        (MAILS, LABELS[:3], None, "inconsistent numbers of samples"),
        (MAILS, LABELS, [1, 2], "one weight for each of the 6 rows"),
        ([], LABELS, None, "at least one text"),
        (MAILS, None, None, "y"),
    ],
    ids=["no label", "too few labels", "too few weights", "no texts", "no y"],
)
def test_bad_input_is_refused_and_changes_nothing(X, y, weights, message):
    ours = fitted(by.TextClassifier(), MAILS)
    before = state_of(ours)
    with pytest.raises(ValueError, match=message):
        ours.fit(X, y, sample_weight=weights)
    assert_unchanged(ours, before)


def test_bad_values_are_refused_as_the_model_does():
    with pytest.raises(ValueError, match="[Nn]egative"):
        fitted(by.MultinomialNB(), -COUNTS)


def test_who_has_not_learned_cannot_answer():
    ours = SemiSupervised(by.TextClassifier())
    for call in (ours.predict, ours.predict_proba, ours.explain):
        with pytest.raises(NotFittedError):
            call(MAILS)
    with pytest.raises(NotFittedError):
        ours.leave_one_out(MAILS, LABELS)


def test_a_warning_tells_when_it_has_not_converged():
    with pytest.warns(UserWarning, match="not converged within max_iter=1 steps. Raise max_iter"):
        ours = fitted(by.TextClassifier(), MAILS, max_iter=1)
    assert not ours.converged_
    assert ours.n_iter_ == 1


# the contract of scikit-learn -----------------------------------------------------------------


def test_parameters_of_the_model_are_reached_by_name():
    ours = SemiSupervised(by.TextClassifier(), weight=0.5)
    ours.set_params(model__smoothing=0.1)
    copied = clone(ours)
    assert copied.get_params()["model__smoothing"] == 0.1
    assert copied.weight == 0.5
    assert copied.model is not ours.model
    assert not hasattr(copied, "model_")


def test_fit_leaves_the_model_that_was_given_as_it_was():
    model = by.TextClassifier()
    fitted(model, MAILS)
    assert not hasattr(model, "classes_")


def test_it_works_at_the_end_of_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), SemiSupervised(by.GaussianNB()))
    pipeline.fit(NUMBERS, LABELS)
    assert pipeline.predict(NUMBERS).tolist() == ["spam", "ham", "spam", "ham", "ham", "spam"]


def test_cross_validation_and_grid_search_take_it():
    y = ["spam", "ham", "spam", "spam", "ham", "spam"]
    model = SemiSupervised(by.TextClassifier())
    assert len(cross_val_score(model, MAILS, y, cv=2)) == 2
    search = GridSearchCV(model, {"weight": [0.1, 1.0], "model__smoothing": [0.1, 1.0]}, cv=2)
    assert set(search.fit(MAILS, y).best_params_) == {"weight", "model__smoothing"}


def test_decisions_can_be_made_with_it():
    loss = {"read": {"ham": 0, "spam": 1}, "delete": {"ham": 9, "spam": 0}}
    careful = by.BayesDecision(SemiSupervised(by.TextClassifier()), loss)
    assert set(careful.fit(MAILS, LABELS).predict(MAILS)) <= {"read", "delete"}


def test_statistics_of_soft_classes_are_sums_over_the_classes():
    # the shortcut of texts is what the other models do: class by class with weights
    model = by.TextClassifier().fit(MAILS[:2], LABELS[:2])
    matrix = model._rows(MAILS)
    shares = np.random.default_rng(0).integers(0, 5, (6, 2)) / 4
    codes = [np.full(6, code) for code in range(2)]
    by_class = sum(
        (model._count(matrix, codes[code], 2, shares[:, code]) for code in range(2)),
        start=model._count(matrix, codes[0], 2, np.zeros(6)),
    )
    ours = soft_statistics(model, matrix, shares)
    assert_same(ours, by_class)
