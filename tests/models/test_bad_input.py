"""Bad input gets a sentence that helps, and changes nothing."""

import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.exceptions import NotFittedError

import bayesic as by
from bayesic.evidence.several import is_single_row
from helpers.comparisons import assert_unchanged, impossible_rows_allowed, state_of
from helpers.examples import at_most
from helpers.labelled_rows import FIVE, WORDS, Rows, labelled_rows

each_model = pytest.mark.parametrize("Model", FIVE)
each_model_with_a_prior = pytest.mark.parametrize(
    "Model", [Model for Model in FIVE if Model is not by.ComplementNB]
)

X = np.array([[1, 0], [0, 2], [3, 1], [2, 2]])
y = np.array(["ham", "ham", "spam", "spam"])

LEARNING = {
    "fit": lambda model, X, y, **weights: model.fit(X, y, **weights),
    "partial_fit": lambda model, X, y, **weights: model.partial_fit(
        X, y, classes=None if hasattr(model, "classes_") else ["ham", "spam"], **weights
    ),
}
TAKING_BACK = {
    "forget": lambda model, X, y, **weights: model.forget(X, y, **weights),
    "leave_one_out": lambda model, X, y, **weights: model.leave_one_out(X, y, **weights),
}
ALL_WITH_LABELS = LEARNING | TAKING_BACK
ANSWERS = ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba", "explain")


def assert_refused(model, action, match, error=(TypeError, ValueError)):
    """The action raises an error with these words and leaves the model exactly as it was."""
    before = state_of(model)
    with pytest.raises(error, match=match):
        action(model)
    assert_unchanged(model, before)


def assert_refused_everywhere(Model, match, X, y, **weights):
    """By every method that takes rows and labels, on a fitted model; by learning on a new one."""
    for action in ALL_WITH_LABELS.values():
        assert_refused(learned(Model), lambda model, do=action: do(model, X, y, **weights), match)
    for action in LEARNING.values():
        assert_refused(Model(), lambda model, do=action: do(model, X, y, **weights), match)


def learned(Model, **arguments):
    return Model(**arguments).fit(X, y)


# rows -----------------------------------------------------------------------------------------


@each_model
@pytest.mark.parametrize(
    ("rows", "match"),
    [
        (np.zeros((2, 2, 2)), "Expected 2D array, got 3D"),
        ([1, 2], "Expected 2D array, got 1D.*Reshape your data"),
        (7, "Expected 2D array, got 0D"),
        (None, "Expected 2D array, got 0D"),
        ([[1, 2], [3]], "rows of equal length"),
        (np.zeros((0, 2)), "at least one row and one column: found 0 sample"),
        (np.zeros((2, 0)), "at least one row and one column: found 0 feature"),
        (sparse.csr_array((0, 2)), "at least one row and one column: found 0 sample"),
        ([["rain", "wind"], ["sun", "wind"]], "X must hold numbers.*OrdinalEncoder"),
        (np.array([[1, "rain"], [2, 3]], dtype=object), "X must hold numbers.*OrdinalEncoder"),
        (np.array([[1, object()], [2, 3]], dtype=object), "X must hold numbers.*OrdinalEncoder"),
        (pd.DataFrame({"outlook": ["sun", "rain"], "wind": [1, 2]}), "column 'outlook' is String"),
        ([[1j, 0], [0, 1]], "Complex data not supported"),
        ([[np.inf, 0], [0, 1]], "contains infinity.*use NaN"),
        ([[0, 1], [0, -np.inf]], "contains infinity.*use NaN|Negative values"),
        (sparse.csr_array([[np.inf, 0], [0, 1]]), "contains infinity.*use NaN"),
        (np.datetime64("2026-11-15") + np.zeros((2, 2), int), "X must hold numbers"),
        ([[10**400, 0], [0, 1]], "X must hold numbers"),
    ],
    ids=[
        "three dimensions", "one dimension", "a number", "nothing", "mixed lengths",
        "no rows", "no columns", "no sparse rows", "words", "a word among numbers",
        "an object among numbers", "a table with words", "complex", "infinity", "minus infinity",
        "sparse infinity", "dates", "a number too large for a float",
    ],
)  # fmt: skip
def test_rows_that_cannot_be_learned(Model, rows, match):
    assert_refused_everywhere(Model, match, rows, ["ham", "spam"])
    for name in ANSWERS:
        if name != "explain" or not is_single_row(rows):  # which explain takes
            assert_refused(learned(Model), lambda model, do=name: getattr(model, do)(rows), match)


@each_model
def test_a_word_is_taken_for_a_file_that_is_not_there(Model):
    with pytest.raises(FileNotFoundError, match="There is no file 'rain'"):
        Model().fit("rain", ["ham", "spam"])
    with pytest.raises(FileNotFoundError, match="There is no file 'rain'"):
        learned(Model).predict("rain")


@pytest.mark.parametrize("Model", [by.MultinomialNB, by.ComplementNB, by.CategoricalNB])
@pytest.mark.parametrize("kind", [np.array, sparse.csr_array], ids=["dense", "CSR"])
def test_negative_counts_are_refused_in_the_name_of_the_model(Model, kind):
    match = f"Negative values in data passed to {Model.__name__}.*got -1"
    assert_refused_everywhere(Model, match, kind([[0, -1], [1, 2]]), ["ham", "spam"])
    for name in ANSWERS:
        rows = kind([[0, -1]])
        assert_refused(learned(Model), lambda model, do=name, X=rows: getattr(model, do)(X), match)


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array], ids=["dense", "CSR"])
def test_categories_that_are_not_whole_or_huge_are_refused(kind):
    match = "CategoricalNB needs whole numbers.*0.9"
    assert_refused_everywhere(by.CategoricalNB, match, kind([[0.9, 1.0]]), ["ham"])
    huge = kind([[10**6, 1]])
    for action in LEARNING.values():
        for model in (by.CategoricalNB(), learned(by.CategoricalNB)):
            assert_refused(
                model,
                lambda model, do=action: do(model, huge, ["ham"]),
                "at most 99999, got 1000000 in column 0.*OrdinalEncoder",
            )
    # at prediction it is a value never seen, and column 1 decides: 1 occurs in spam only
    assert learned(by.CategoricalNB).predict(huge).tolist() == ["spam"]


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("value", [-0.5, 1.5])
def test_degrees_of_presence_outside_of_zero_to_one_are_refused(kind, value):
    model = by.BernoulliNB(binarize=None).fit(X > 1, y)
    for action in ALL_WITH_LABELS.values():
        assert_refused(
            model,
            lambda model, do=action: do(model, kind([[value, 0.5]]), ["ham"]),
            "between 0 and 1.*Give binarize=0.0",
        )


@each_model
def test_another_number_of_features_than_learned_is_refused(Model):
    rows, match = [[1, 2, 3]], f"X has 3 features, but {Model.__name__} is expecting 2"
    for action in (LEARNING["partial_fit"], *TAKING_BACK.values()):
        assert_refused(learned(Model), lambda model, do=action: do(model, rows, ["ham"]), match)
    for name in ANSWERS:
        assert_refused(learned(Model), lambda model, do=name: getattr(model, do)(rows), match)


# labels ---------------------------------------------------------------------------------------


@each_model
@pytest.mark.parametrize(
    ("labels", "match"),
    [
        (["ham"], r"inconsistent numbers of samples: \[2, 1\].*one label for each row"),
        (["ham", "spam", "ham"], r"inconsistent numbers of samples: \[2, 3\]"),
        ([], "at least one label, got none"),
        (None, "requires y to be passed"),
        ([np.nan, 1.0], "y contains NaN.*Leave out the rows"),
        ([None, "spam"], "y contains NaN or None, first in row 0"),
        ([0.5, 1.0], "Unknown label type: continuous"),
        ([np.inf, 1.0], "y contains infinity"),
        (np.array(["ham", 1], dtype=object), "labels of one type, got int and str"),
        ([["ham", "spam"], ["ham", "ham"]], "1d array"),
        ("ham", "names a column, but X is a .*give y as a list"),
        (np.array([1j, 2j]), "class labels|Complex"),
    ],
    ids=[
        "too few", "too many", "none at all", "nothing", "NaN", "None", "continuous", "infinite",
        "mixed kinds", "a table", "a word", "complex",
    ],
)  # fmt: skip
def test_labels_that_cannot_be_learned(Model, labels, match):
    assert_refused_everywhere(Model, match, [[1, 0], [0, 2]], labels)


@each_model
def test_an_undeclared_label_is_refused_and_changes_nothing(Model):
    model = Model().partial_fit(X, y, classes=["ham", "spam"])
    for action in (LEARNING["partial_fit"], *TAKING_BACK.values()):
        assert_refused(
            model,
            lambda model, do=action: do(model, X[:2], ["ham", "news"]),
            r"\['news'\] in y do not exist in the initial classes \['ham', 'spam'\]",
        )


@each_model
@pytest.mark.parametrize(
    ("classes", "match"),
    [
        (None, "classes must be passed on the first call"),
        (["ham", "ham", "spam"], "every class once"),
        ([], "at least one label"),
        ([["ham", "spam"]], "flat list of labels"),
        (5, "flat list of labels, got 5"),
        (["ham"], r"\['spam'\] in y do not exist in the initial classes \['ham'\]"),
    ],
)
def test_classes_that_cannot_be_declared(Model, classes, match):
    assert_refused(Model(), lambda model: model.partial_fit(X, y, classes=classes), match)


@each_model
@pytest.mark.parametrize("classes", [["ham"], ["ham", "news", "spam"], [0, 1], 5])
def test_other_classes_than_at_first_are_refused(Model, classes):
    assert_refused(
        learned(Model),
        lambda model: model.partial_fit(X, y, classes=classes),
        "not the same as on last call to partial_fit.*ham.*spam|iterable",
    )


@each_model
def test_the_same_classes_again_in_another_order_are_fine(Model):
    model = learned(Model).partial_fit(X, y, classes=["spam", "ham"])
    assert model.class_count_.tolist() == [4, 4]


# weights --------------------------------------------------------------------------------------


@each_model
@pytest.mark.parametrize(
    ("weights", "match"),
    [
        ([1.0], "one weight for each of the 2 rows"),
        ([1.0, 1.0, 1.0], "one weight for each of the 2 rows"),
        ([[1.0], [1.0]], "one weight for each of the 2 rows"),
        ([1.0, -1.0], "0 or more, got -1.*forget"),
        ([0.0, 0.0], "above 0 for at least one row"),
        ([np.nan, 1.0], "must be finite"),
        ([1.0, np.inf], "must be finite"),
        (["heavy", "light"], "must hold numbers"),
        ([10**400, 1], "must hold numbers"),
        ({"ham": 1}, "must hold numbers"),
    ],
)
def test_weights_that_cannot_be_used(Model, weights, match):
    assert_refused_everywhere(
        Model, match, [[1, 0], [0, 2]], ["ham", "spam"], sample_weight=weights
    )


@each_model
@pytest.mark.parametrize("weights", [[1e308, 1e308], [1.7e308, 1.7e308]])
def test_weights_whose_sum_overflows_are_refused(Model, weights):
    def learn(model, action):
        return action(model, [[1, 0], [0, 2]], ["ham", "ham"], sample_weight=weights)

    for action in LEARNING.values():
        assert_refused(Model(), lambda model, do=action: learn(model, do), "weight|too large")


# arguments ------------------------------------------------------------------------------------

DISCRETE = [by.BernoulliNB, by.CategoricalNB, by.ComplementNB, by.MultinomialNB]


@pytest.mark.parametrize("Model", DISCRETE)
@pytest.mark.parametrize(
    "alpha",
    [-1, -1e-300, np.nan, np.inf, None, "much", [1, -1], [1, 2, 3], [[1, 1]], [], {}, 1j, 10**400],
    ids=lambda alpha: str(alpha)[:20],
)
def test_smoothing_that_makes_no_sense_is_refused(Model, alpha):
    for action in LEARNING.values():
        assert_refused(Model(alpha=alpha), lambda model, do=action: do(model, X, y), "alpha")


@pytest.mark.parametrize(
    "smoothing",
    [-1e-9, np.nan, np.inf, None, "little", [1e-9], 1j, 10**400],
    ids=lambda smoothing: str(smoothing)[:20],
)
def test_variance_smoothing_that_makes_no_sense_is_refused(smoothing):
    for action in LEARNING.values():
        model = by.GaussianNB(var_smoothing=smoothing)
        assert_refused(model, lambda model, do=action: do(model, X, y), "var_smoothing")


@pytest.mark.parametrize("smoothing", [0, 1, True, np.float32(0.5), np.int64(1), Fraction(1, 2)])
def test_variance_smoothing_may_be_any_number_of_zero_or_more(smoothing):
    model = by.GaussianNB(var_smoothing=smoothing).fit(X, y)
    expected = by.GaussianNB(var_smoothing=float(smoothing)).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize("threshold", [-1, np.nan, "high", [0.0], 1j])
def test_a_threshold_that_makes_no_sense_is_refused(threshold):
    for action in LEARNING.values():
        model = by.BernoulliNB(binarize=threshold)
        assert_refused(model, lambda model, do=action: do(model, X, y), "binarize must be")


@pytest.mark.parametrize(
    "least", [0, -3, 2.5, "two", [1, 2, 3], [[2, 2]], [], [2, 0], np.nan, 10**15, 10**30]
)
def test_a_least_number_of_categories_that_makes_no_sense_is_refused(least):
    for action in LEARNING.values():
        model = by.CategoricalNB(min_categories=least)
        assert_refused(model, lambda model, do=action: do(model, X, y), "min_categories")


@each_model
@pytest.mark.parametrize(
    ("prior", "match"),
    [
        ([1.0], "Number of priors must match number of classes.*in the order of classes_"),
        ([0.2, 0.3, 0.5], "Number of priors must match number of classes"),
        ([[0.5, 0.5]], "Number of priors must match number of classes"),
        ([-0.5, 1.5], "Priors must be non-negative"),
        ([0.5, np.nan], "Priors must be non-negative"),
        ([5, 3], "sum of the priors should be 1, got 8"),
        ([0, 0], "sum of the priors should be 1"),
        ([np.inf, 0], "sum of the priors should be 1"),
        (["likely", "not"], "Priors must hold numbers"),
        ([10**400, 1], "Priors must hold numbers"),
        (0.5, "Number of priors must match"),
    ],
)
@pytest.mark.filterwarnings("ignore:ComplementNB does not use priors")
def test_priors_that_make_no_sense_are_refused(Model, prior, match):
    argument = "priors" if Model is by.GaussianNB else "class_prior"
    for action in LEARNING.values():
        model = Model(**{argument: prior})
        assert_refused(model, lambda model, do=action: do(model, X, y), match)


# merging --------------------------------------------------------------------------------------


@each_model
@pytest.mark.parametrize("other", [None, 5, "model", [[1]], object, FIVE])
def test_only_a_model_can_be_merged(Model, other):
    assert_refused(learned(Model), lambda model: model.merge(other), "same kind", TypeError)


@each_model
def test_only_a_model_of_the_same_kind_can_be_merged(Model):
    for Other in set(FIVE) - {Model}:
        match = f"this is a {Model.__name__}, the other a {Other.__name__}"
        assert_refused(
            learned(Model), lambda model, kind=Other: model.merge(learned(kind)), match, TypeError
        )
    assert_refused(learned(Model), lambda model: model.merge(Model), "same kind", TypeError)


@each_model
def test_only_models_of_the_same_features_can_be_merged(Model):
    wider = Model().fit([[1, 2, 3]], ["ham"])
    named = Model().fit(pd.DataFrame({"rain": [1], "wind": [2]}), ["ham"])
    for other in (wider, named):
        assert_refused(learned(Model), lambda model, o=other: model.merge(o), "same features")
        before = state_of(other)
        with pytest.raises(ValueError, match="same features"):
            other.merge(learned(Model))
        assert_unchanged(other, before)


@each_model
@pytest.mark.parametrize("labels", [[0, 1, 1, 0], [True, False, True, True], [0.0, 1.0, 2.0, 2.0]])
def test_only_models_with_labels_of_the_same_kind_can_be_merged(Model, labels):
    other = Model().fit(X, labels)
    assert_refused(learned(Model), lambda model: model.merge(other), "type")


@each_model
def test_an_unfitted_model_can_neither_merge_nor_be_merged(Model):
    assert_refused(Model(), lambda model: model.merge(learned(Model)), "not fitted", NotFittedError)
    assert_refused(learned(Model), lambda model: model.merge(Model()), "not fitted", NotFittedError)


@each_model_with_a_prior
def test_given_priors_that_do_not_fit_the_classes_of_both_refuse_the_merge(Model):
    argument = "priors" if Model is by.GaussianNB else "class_prior"
    model = learned(Model, **{argument: [0.5, 0.5]})
    other = Model().fit(X, ["news", "news", "spam", "spam"])
    assert_refused(model, lambda model: model.merge(other), "Number of priors must match")


# unlearned and unfitted -----------------------------------------------------------------------


@each_model
def test_rows_that_were_never_learned_cannot_be_forgotten(Model):
    for rows, labels in (([[9, 9]] * 2, ["ham"] * 2), (np.vstack([X, X]), np.concatenate([y, y]))):
        assert_refused(
            learned(Model),
            lambda model, X=rows, y=labels: model.forget(X, y),
            "Only what was learned can be .*Check rows, labels and weights",
        )
    assert_refused(
        learned(Model),
        lambda model: model.forget(X, y, sample_weight=[2, 2, 2, 2]),
        "Only what was learned can be",
    )


@each_model
def test_as_many_other_rows_as_were_learned_cannot_be_forgotten(Model):
    model = Model().fit([[1, 0], [0, 2]], ["ham", "ham"])
    assert_refused(
        model,
        lambda model: model.forget([[0, 0], [0, 1]], ["ham", "ham"]),
        "Only what was learned can be",
    )


@each_model
def test_an_unfitted_model_says_so(Model):
    for name in ANSWERS:
        assert_refused(
            Model(), lambda model, do=name: getattr(model, do)(X), "not fitted yet", NotFittedError
        )
    for action in TAKING_BACK.values():
        assert_refused(
            Model(), lambda model, do=action: do(model, X, y), "not fitted yet", NotFittedError
        )


@each_model
def test_a_model_whose_first_fit_failed_is_still_unfitted(Model):
    model = Model()
    with pytest.raises(ValueError, match="infinity"):
        model.fit([[np.inf, 1]], ["ham"])
    with pytest.raises(NotFittedError):
        model.predict(X)
    assert model.partial_fit(X, y, classes=["ham", "spam"]).class_count_.tolist() == [2, 2]


@each_model
def test_names_of_features_must_name_them_all(Model):
    for names in (["rain"], ["rain", "wind", "sun"]):
        assert_refused(
            learned(Model),
            lambda model, names=names: model.explain(X, feature_names=names),
            "feature_names must name all 2 features",
        )


# what looks bad and is not --------------------------------------------------------------------


@each_model
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_one_class_only_is_learned_and_predicted(Model, kind):
    model = Model().fit(kind(X), ["ham"] * 4)
    assert model.classes_.tolist() == ["ham"]
    assert model.predict(kind(X)).tolist() == ["ham"] * 4
    assert model.predict_proba(kind(X)).tolist() == [[1.0]] * 4
    assert model.predict_log_proba(kind(X)).tolist() == [[0.0]] * 4


@each_model
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_one_row_only_is_learned_and_predicted(Model, kind):
    model = Model().fit(kind(X[:1]), ["ham"])
    assert model.predict(kind(X[:1])).tolist() == ["ham"]


@each_model_with_a_prior
def test_a_declared_class_without_rows_is_never_predicted(Model):
    model = Model().partial_fit(X, y, classes=WORDS)
    assert (model.predict_proba(X)[:, 1] == 0).all()
    assert np.isneginf(model.predict_log_proba(X)[:, 1]).all()


@each_model
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_a_row_without_any_observation_gets_the_prior(Model, kind):
    model = Model().fit(kind(X), ["ham", "spam", "spam", "spam"])
    answer = model.predict_proba(kind(np.full((1, 2), np.nan)))[0].tolist()
    assert answer == pytest.approx([0.5, 0.5] if Model is by.ComplementNB else [0.25, 0.75])


@each_model
def test_columns_without_any_observation_are_no_evidence(Model):
    gaps = np.column_stack([X.astype(float), np.full(4, np.nan)])
    model, without = Model().fit(gaps, y), Model().fit(X, y)
    probe = np.column_stack([X.astype(float), np.full(4, np.nan)])
    if Model not in (by.MultinomialNB, by.ComplementNB):  # the column is one more word there
        np.testing.assert_allclose(model.predict_proba(probe), without.predict_proba(X))
    with impossible_rows_allowed():
        assert not np.isnan(model.predict_proba(np.column_stack([X, [0, 1, 2, 3]]))).any()
        assert not np.isnan(model.leave_one_out(gaps, y)).any()


@each_model
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@at_most(30)
@given(
    rows=labelled_rows(missing=True),
    probe=hnp.arrays(np.int64, (3, 3), elements=st.integers(0, 9)),
    smoothing=st.sampled_from([0, 1e-12, 0.5, 1, 1e6]),
)
def test_sparse_and_dense_rows_get_the_same_answers(Model, kind, rows, probe, smoothing):
    probe = np.vstack([rows.X, probe[:, : rows.X.shape[1]]])
    argument = "var_smoothing" if Model is by.GaussianNB else "alpha"
    model = Model(**{argument: smoothing}).fit(rows.X, rows.y)
    with impossible_rows_allowed():
        dense, given_kind = model.predict_proba(probe), model.predict_proba(kind(probe))
        scores = model.predict_joint_log_proba(probe)
    assert not np.isnan(dense).any()
    np.testing.assert_allclose(dense.sum(axis=1), 1.0)
    # a variance of 1e-12 makes scores of 1e13, whose last digits are some thousandths of a log
    rounding = 16 * np.finfo(float).eps * np.abs(scores[np.isfinite(scores)]).max(initial=0.0)
    np.testing.assert_allclose(given_kind, dense, rtol=1e-6 + rounding, atol=1e-9)


# finite numbers of any size -------------------------------------------------------------------

any_size = st.sampled_from([0.0, 1.0, 5e-324, 1e-200, 1e100, 1e154, 1e200, 1e300, 1e308, 1.7e308])


@each_model
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@given(data=st.data())
def test_finite_numbers_of_any_size_give_answers_or_a_clear_error_and_no_numpy_warning(
    Model, kind, data
):
    # warnings are errors in these tests: "overflow encountered" and the like would show
    numbers = (
        any_size if Model is not by.GaussianNB else st.one_of(any_size, any_size.map(np.negative))
    )
    rows, probe = (data.draw(hnp.arrays(np.float64, (4, 2), elements=numbers)) for _ in range(2))
    if Model is by.CategoricalNB:
        rows = np.floor(np.minimum(rows, 5.0))
        probe = np.floor(probe)

    def answers(model):
        for given_rows in (kind(rows), kind(probe)):
            yield model.predict_proba(given_rows)
            for explanation in model.explain(given_rows):
                yield [*explanation.probability.values(), explanation.log_odds]
        yield model.leave_one_out(kind(rows), y)

    try:
        model = Model().fit(kind(rows), y)
        with impossible_rows_allowed():
            for answer in answers(model):
                assert not np.isnan(answer).any()
    except ValueError as error:
        assert "too large" in str(error)


@pytest.mark.parametrize(
    "Model", [by.BernoulliNB, by.ComplementNB, by.GaussianNB, by.MultinomialNB]
)
@pytest.mark.parametrize("largest", [1e100, 1e140, 1.3e154, 1.2e308])
def test_batches_that_are_learned_do_not_overflow_together(Model, largest):
    rows = np.array([[largest, 0.0], [0.0, 1.0]])
    opposite = -rows if Model is by.GaussianNB else rows
    labels = ["ham", "spam"]
    try:
        model, other = Model().fit(rows, labels), Model().fit(opposite, labels)
    except ValueError as error:
        assert "too large" in str(error)
        return
    for learn in (lambda: model.partial_fit(opposite, labels), lambda: model.merge(other)):
        before = state_of(model)
        try:
            learn()
        except ValueError as error:
            assert "too large" in str(error)
            assert_unchanged(model, before)
        with impossible_rows_allowed():
            assert not np.isnan(model.predict_proba(rows)).any()


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_a_far_point_beside_a_column_far_from_zero_is_no_nan(kind):
    rows = np.array([[1e6, 1.0], [1e6 + 1, 2.0], [1e6 + 5, 8.0], [1e6 + 6, 9.0]])
    model = by.GaussianNB().fit(kind(rows), y)
    with impossible_rows_allowed():
        answer = model.predict_proba(kind(np.array([[1e200, 1.0], [1.0, 1e200], [1e6, 1.5]])))
    assert answer[:2].tolist() == [[0.5, 0.5]] * 2
    assert answer[2].tolist() == pytest.approx([1.0, 0.0])


# junk -----------------------------------------------------------------------------------------

odd_numbers = st.sampled_from(
    [0, 1, 2, 3, -1, 0.5, -0.0, np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, 10**6, 2**63 - 1]
    + [2**63, 2**64, 10**30, 10**400, -(10**400), True, None]
)
odd_things = st.sampled_from(
    ["", "rain", "1", b"rain", 1j, (), [], {}, {1}, object, Fraction(1, 3), np.float32(2)]
    + [np.datetime64("2026-11-15"), np.array([1, 2]), pd.NA, pd.NaT, slice(1), range(2)]
)
anything = odd_numbers | odd_things
nested = st.recursive(anything, lambda inner: st.lists(inner, max_size=4), max_leaves=12)
tables_of_lists = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(st.one_of(odd_numbers, odd_numbers, anything), min_size=width, max_size=width),
        min_size=1,
        max_size=4,
    )
)
DTYPES = [
    "b1",
    "i1",
    "u1",
    "i8",
    "u8",
    "f2",
    "f4",
    "f8",
    "g",
    "c8",
    "U3",
    "S3",
    "M8[D]",
    "m8[s]",
    ">f4",
]
odd_shapes = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
odd_arrays = st.sampled_from(DTYPES).flatmap(lambda dtype: hnp.arrays(np.dtype(dtype), odd_shapes))
odd_floats = st.sampled_from(
    [0.0, 1.0, 2.0, -1.0, 0.5, 1e6, 1e30, 1e154, 1e308, -1e308, 5e-324, np.nan, np.inf, -np.inf]
)
plain_arrays = st.tuples(st.integers(1, 5), st.just(2)).flatmap(
    lambda shape: hnp.arrays(np.float64, shape, elements=odd_floats)
)
counts = st.tuples(st.integers(1, 5), st.just(2)).flatmap(
    lambda shape: hnp.arrays(np.int64, shape, elements=st.integers(0, 4))
)
tables = counts.map(lambda array: pd.DataFrame(array, columns=["rain", "wind"]))
sparse_matrices = (plain_arrays | counts).map(sparse.csr_array)
junk_rows = st.one_of(
    nested, tables_of_lists, odd_arrays, plain_arrays, counts, tables, sparse_matrices
)
junk_labels = st.one_of(
    nested,
    odd_arrays,
    st.lists(st.sampled_from(["ham", "spam"]), max_size=5),
    st.lists(st.integers(0, 2), max_size=5),
    st.lists(odd_numbers, max_size=5),
)
junk_weights = st.one_of(
    st.none(),
    st.none(),
    nested,
    odd_arrays,
    st.lists(st.floats(0, 3), min_size=1, max_size=5),
    st.lists(odd_numbers, max_size=5),
)


@st.composite
def junk_data(draw):
    """Rows, labels and weights, of matching lengths more often than not."""
    rows = draw(junk_rows)
    try:
        n_rows = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    except (TypeError, IndexError):
        n_rows = 2

    def one_each(elements):
        return st.lists(elements, min_size=n_rows, max_size=n_rows)

    words, numbers = one_each(st.sampled_from(["ham", "spam"])), one_each(odd_numbers)
    labels = draw(st.one_of(words, words, one_each(st.integers(0, 2)), numbers, junk_labels))
    plain = one_each(st.floats(0, 3))
    weights = draw(st.one_of(st.none(), plain, one_each(odd_floats), numbers, junk_weights))
    return rows, labels, weights


@st.composite
def junk_models(draw):
    """A model with some arguments replaced by junk, often none."""
    Model = draw(st.sampled_from(FIVE))
    model = Model()
    names = st.lists(st.sampled_from(sorted(model.get_params())), max_size=2, unique=True)
    for name in draw(names):
        model.set_params(**{name: draw(anything | st.lists(st.floats(0, 1), max_size=3))})
    return model


def attempt(model, action):
    """The result of the action; None if it was refused, in words and without a trace."""
    before = state_of(model)
    try:
        return action(model)
    except (TypeError, ValueError, FileNotFoundError) as error:  # a text is the name of a file
        assert str(error).strip(), f"{type(error).__name__} without a message"
        assert_unchanged(model, before)
        return None


def assert_answers_without_nan(model, rows):
    for name in ("predict_proba", "predict_log_proba", "predict_joint_log_proba"):
        answer = attempt(model, lambda model, do=name: getattr(model, do)(rows))
        assert answer is None or not np.isnan(answer).any(), name
    explained = attempt(model, lambda model: model.explain(rows)) or []
    for explanation in explained if isinstance(explained, list) else [explained]:
        assert not any(map(np.isnan, explanation.probability.values()))
        assert str(explanation)


@at_most(400)
@given(model=junk_models(), data=junk_data())
def test_junk_is_learned_without_nan_or_refused_in_words(model, data):
    X, y, weights = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if attempt(model, lambda model: model.fit(X, y, sample_weight=weights)) is None:
            return
        assert_answers_without_nan(model, X)
        left = attempt(model, lambda model: model.leave_one_out(X, y, sample_weight=weights))
        assert left is None or not np.isnan(left).any()


@at_most(400)
@given(
    Model=st.sampled_from(FIVE),
    method=st.sampled_from(["partial_fit", "forget", "leave_one_out", "fit"]),
    data=junk_data(),
)
def test_junk_does_no_harm_to_a_model_that_has_learned(Model, method, data):
    rows, labels, weights = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Model().partial_fit(X, y, classes=["ham", "spam"])
        answer = attempt(
            model, lambda model: getattr(model, method)(rows, labels, sample_weight=weights)
        )
        if method == "leave_one_out" and answer is not None:
            assert not np.isnan(answer).any()
        if model.n_features_in_ == 2:
            assert_answers_without_nan(model, X)


@at_most(300)
@given(Model=st.sampled_from(FIVE), rows=junk_rows)
def test_junk_is_predicted_without_nan_or_refused_in_words(Model, rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_answers_without_nan(Model().fit(X, y), rows)


@given(Model=st.sampled_from(FIVE), classes=junk_labels, labels=junk_labels)
def test_junk_classes_are_declared_or_refused_in_words(Model, classes, labels):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Model()
        if attempt(model, lambda model: model.partial_fit(X, labels, classes=classes)) is not None:
            assert_answers_without_nan(model, X)


@given(Model=st.sampled_from(FIVE), other=anything, names=nested)
def test_junk_in_place_of_a_model_or_of_names_is_refused_in_words(Model, other, names):
    model = Model().fit(X, y)
    assert attempt(model, lambda model: model.merge(other)) is None
    answer = attempt(model, lambda model: model.explain(X, feature_names=names))
    assert answer is None or names is None or len(list(names)) == 2


def test_the_rows_that_all_tests_here_start_from_are_learned_by_all_five():
    for Model in FIVE:
        rows = Rows(X, y)
        assert Model().fit(rows.X, rows.y).predict_proba(X).shape == (4, 2)
