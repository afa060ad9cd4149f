"""All models vote, or one of them is drawn: the Bayes optimal classifier and Gibbs."""

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import bayesic as by
from bayesic.hypotheses import (
    BayesOptimalClassifier,
    GibbsClassifier,
    RuleClassifier,
    weighted_vote,
)
from helpers.comparisons import assert_unchanged, state_of

BOTH = (BayesOptimalClassifier, GibbsClassifier)
X, Y = load_iris(return_X_y=True)
SIGNS = ["+", "-"]


def always(sign, noise=0.0):
    return RuleClassifier(Always(sign), SIGNS, noise)


class Always:
    """A function that can be pickled."""

    def __init__(self, sign):
        self.sign = sign

    def __call__(self, rows):
        return [self.sign] * len(rows)


def at_least(threshold):
    return RuleClassifier(lambda rows: rows[:, 0] >= threshold, [False, True])


# the vote -------------------------------------------------------------------------------------


def test_the_map_hypothesis_says_plus_and_the_vote_says_minus():  # [Mitchell] section 6.7
    posterior = {"h1": Fraction(4, 10), "h2": Fraction(3, 10), "h3": Fraction(3, 10)}
    votes = weighted_vote(posterior, {"h1": "+", "h2": "-", "h3": "-"})
    assert votes == {"+": Fraction(2, 5), "-": Fraction(3, 5)}
    model = BayesOptimalClassifier([always(s) for s in "+--"], prior=list(posterior.values()))
    assert model.predict([[0]]).tolist() == ["-"]
    np.testing.assert_allclose(model.predict_proba([[0]]), [[0.4, 0.6]], rtol=1e-15)


def test_hypotheses_may_answer_with_probabilities():
    posterior = {"calm": Fraction(1, 4), "storm": Fraction(3, 4)}
    rain = {"calm": {"rain": Fraction(1, 3), "sun": Fraction(2, 3)}, "storm": "rain"}
    assert weighted_vote(posterior, rain) == {"rain": Fraction(5, 6), "sun": Fraction(1, 6)}


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), min_size=1, max_size=6))
def test_votes_sum_to_one_exactly(weighted):
    total = sum(weight for weight, _ in weighted)
    if total:
        posterior = {n: Fraction(weight, total) for n, (weight, _) in enumerate(weighted)}
        votes = weighted_vote(posterior, {n: sign for n, (_, sign) in enumerate(weighted)})
        assert sum(votes.values()) == 1


def test_votes_without_an_answer_or_a_probability_are_refused():
    with pytest.raises(ValueError, match="Every hypothesis must have an answer"):
        weighted_vote({"h1": 1}, {"h2": "+"})
    with pytest.raises(ValueError, match="must sum to 1, got 0.5"):
        weighted_vote({"h1": 0.5}, {"h1": "+"})
    with pytest.raises(ValueError, match="must sum to 1, got 0.9"):
        weighted_vote({"h1": 1}, {"h1": {"+": 0.9}})


# rules: weights by Bayes' rule ----------------------------------------------------------------


def test_rules_are_weighed_by_bayes_rule():
    rows, labels = [[0]] * 3, ["+", "+", "-"]
    prior = [Fraction(3, 4), Fraction(1, 4)]
    model = BayesOptimalClassifier(
        [always("+", noise=0.25), always("-", noise=0.25)], prior=prior
    ).fit(rows, labels)
    expected = by.hypotheses.bayes_rule(
        dict(zip(SIGNS, prior, strict=True)), {"+": Fraction(9, 64), "-": Fraction(3, 64)}
    )
    np.testing.assert_allclose(model.posterior_, [float(expected[s]) for s in SIGNS], rtol=1e-14)
    np.testing.assert_allclose(np.exp(model.log_likelihood_), [9 / 64, 3 / 64], rtol=1e-14)
    plus = expected["+"] * Fraction(3, 4) + expected["-"] * Fraction(1, 4)
    np.testing.assert_allclose(model.predict_proba([[0]])[0, 0], float(plus), rtol=1e-14)


def test_without_noise_what_is_left_is_the_version_space():
    rules = [at_least(t) for t in range(11)]
    model = BayesOptimalClassifier(rules).fit(np.array([[3], [7]]), [False, True])
    # thresholds from 4 to 7 agree
    np.testing.assert_allclose(model.posterior_, [0] * 4 + [0.25] * 4 + [0] * 3)
    np.testing.assert_allclose(model.predict_proba(np.array([[5]]))[0], [0.5, 0.5])


def test_long_data_are_weighed_in_logs():
    rows, labels = np.zeros((5000, 1)), ["+", "-"] * 2500
    model = BayesOptimalClassifier(
        [always("+", noise=0.4), always("+", noise=0.41), always("-", noise=0.01)]
    ).fit(rows, labels)
    logs = 2500 * (np.log([0.4, 0.41, 0.01]) + np.log([0.6, 0.59, 0.99]))
    np.testing.assert_allclose(model.log_likelihood_, logs, rtol=1e-12)
    assert np.isfinite(model.posterior_).all()
    assert model.posterior_.sum() == pytest.approx(1)
    ratio = (0.4 * 0.6 / (0.41 * 0.59)) ** 2500
    assert model.posterior_[0] / model.posterior_[1] == pytest.approx(ratio, rel=1e-9)


def test_data_that_are_impossible_under_every_rule_leave_the_prior_with_a_warning():
    model = BayesOptimalClassifier([always("+"), always("-")], prior=[0.75, 0.25])
    with pytest.warns(UserWarning, match="impossible under every model.*noise"):
        model.fit([[0], [0]], ["+", "-"])
    assert model.posterior_.tolist() == [0.75, 0.25]
    assert model.predict_proba([[0]]).tolist() == [[0.75, 0.25]]


# Gibbs ----------------------------------------------------------------------------------------


def test_gibbs_draws_by_the_posterior_and_keeps_to_it():
    rules = [always("+", noise=0.25), always("-", noise=0.25)]
    drawn = [
        GibbsClassifier(rules, random_state=seed).fit([[0], [0]], ["+", "+"]).drawn_
        for seed in range(400)
    ]
    expected = 1 - 0.9  # 9/16 against 1/16
    assert np.mean(drawn) == pytest.approx(expected, abs=4 * np.sqrt(0.09 / 400))
    model = GibbsClassifier(rules, random_state=3).fit([[0], [0]], ["+", "+"])
    answers = {model.predict([[0]])[0] for _ in range(20)}
    assert answers == {"+-"[model.drawn_]}


def test_gibbs_without_fit_draws_by_the_prior_for_every_call():
    model = GibbsClassifier([always("+"), always("-")], random_state=np.random.RandomState(0))
    assert {model.predict([[0]])[0] for _ in range(30)} == {"+", "-"}


def test_gibbs_errs_at_most_twice_as_often_as_the_optimum():
    """Targets drawn by the prior, a few rows of each learned, all rows asked."""
    rng = np.random.default_rng(7)
    everything = np.arange(10)[:, None]
    rules = [at_least(t) for t in range(11)]
    errors = {Model: [] for Model in BOTH}
    for seed in range(250):
        truth = everything[:, 0] >= rng.integers(0, 11)
        rows = rng.integers(0, 10, 2)
        for Model in BOTH:
            extra = {"random_state": seed} if Model is GibbsClassifier else {}
            model = Model(rules, **extra).fit(everything[rows], truth[rows])
            errors[Model].append(np.mean(model.predict(everything) != truth))
    optimal, gibbs = (np.mean(errors[Model]) for Model in BOTH)
    assert 0 < optimal < gibbs <= 2 * optimal


def test_the_bound_is_2p_times_1_minus_p_for_every_row():
    """The expected error of both, exactly: the truth is drawn by the posterior as well."""
    rules = [at_least(t) for t in range(11)]
    model = BayesOptimalClassifier(rules).fit(np.array([[2], [8]]), [False, True])
    yes = np.array([rule.predict(np.arange(10)[:, None]) for rule in rules], dtype=float)
    p = model.posterior_ @ yes
    differ = (yes[:, None, :] != yes[None, :, :]).astype(float)
    gibbs = np.einsum("t,g,tgx->x", model.posterior_, model.posterior_, differ)
    np.testing.assert_allclose(gibbs, 2 * p * (1 - p), atol=1e-12)
    assert (gibbs <= 2 * np.minimum(p, 1 - p) + 1e-12).all()


# models that learn ----------------------------------------------------------------------------


def refitted_log_likelihood(model, rows, labels):
    """log P(y | x) of each row under a model of all others, added up."""
    total = 0.0
    for row in range(len(rows)):
        others = np.arange(len(rows)) != row
        learned = clone(model).fit(rows[others], labels[others])
        column = learned.classes_.tolist().index(labels[row])
        total += np.log(learned.predict_proba(rows[[row]])[0, column])
    return total


def test_models_with_leave_one_out_are_weighed_by_it():
    some = slice(None, None, 5)
    models = [by.GaussianNB(), by.BernoulliNB(binarize=2.0)]
    vote = BayesOptimalClassifier(models, prior=[0.25, 0.75]).fit(X[some], Y[some])
    expected = [refitted_log_likelihood(model, X[some], Y[some]) for model in models]
    np.testing.assert_allclose(vote.log_likelihood_, expected, rtol=1e-9)
    weights = np.array([0.25, 0.75]) * np.exp(expected - np.max(expected))
    np.testing.assert_allclose(vote.posterior_, weights / weights.sum(), rtol=1e-6, atol=1e-300)


def test_other_models_are_weighed_by_parts_that_are_held_out():
    model = LogisticRegression(C=0.1)
    rows, labels = X[:100:5], Y[:100:5]  # two classes with 10 rows each, in order
    vote = BayesOptimalClassifier([model], cv=2).fit(rows, labels)
    part, total = np.arange(20) % 2, 0.0
    for here in (0, 1):
        learned = clone(model).fit(rows[part != here], labels[part != here])
        own = learned.predict_proba(rows[part == here])[np.arange(10), labels[part == here]]
        total += np.log(own).sum()
    assert vote.log_likelihood_[0] == pytest.approx(total, rel=1e-12)


def test_the_vote_is_the_weighted_mean_and_its_logarithm():
    models = [by.GaussianNB(), LogisticRegression(C=0.01), DecisionTreeClassifier(max_depth=1)]
    vote = BayesOptimalClassifier(models, prior=[0.2, 0.5, 0.3])
    vote.models = [model.fit(X, Y) for model in models]  # learned already: the prior is used
    mean = sum(w * model.predict_proba(X) for w, model in zip([0.2, 0.5, 0.3], models, strict=True))
    np.testing.assert_allclose(vote.predict_proba(X), mean, rtol=1e-12)
    np.testing.assert_allclose(vote.predict_log_proba(X), np.log(mean), rtol=1e-9)
    assert vote.predict(X).tolist() == vote.classes_[mean.argmax(axis=1)].tolist()


def test_logarithms_stay_finite_where_probabilities_are_too_small():
    far = np.array([[1e4, 1e4, 1e4, 1e4]])
    vote = BayesOptimalClassifier([by.GaussianNB()]).fit(X, Y)
    assert vote.predict_proba(far).min() == 0
    np.testing.assert_array_equal(
        vote.predict_log_proba(far), by.GaussianNB().fit(X, Y).predict_log_proba(far)
    )


@pytest.mark.parametrize("model", [GaussianNB(), FrozenEstimator(GaussianNB().fit(X, Y))])
def test_a_row_that_is_as_good_as_impossible_does_not_rule_a_model_out(model):
    rows, labels = np.vstack([X, [[60.0, 60.0, 60.0, 60.0]]]), np.append(Y, 0)
    vote = BayesOptimalClassifier([model]).fit(rows, labels)
    assert GaussianNB().fit(X, Y).predict_proba(rows[-1:])[0, 0] == 0
    assert np.isfinite(vote.log_likelihood_).all()
    assert vote.log_likelihood_[0] < -700


def test_gibbs_has_logarithms_too():
    model = GibbsClassifier([by.GaussianNB()]).fit(X, Y)
    np.testing.assert_array_equal(
        model.predict_log_proba(X), by.GaussianNB().fit(X, Y).predict_log_proba(X)
    )


def test_the_better_model_gets_the_weight_of_many_rows():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (400, 2))
    labels = rows[:, 0] ^ rows[:, 1]  # naive Bayes sees nothing here
    table = [tuple(map(str, row)) for row in rows.tolist()]
    vote = BayesOptimalClassifier([by.NaiveBayes(), by.JointBayes()]).fit(table, labels)
    assert vote.posterior_[1] > 0.999
    assert vote.score(table, labels) == 1.0


def test_a_class_with_one_row_does_not_make_everything_impossible():
    labels = np.array(["rain"] * 6 + ["sun"] * 6 + ["snow"])
    rows = np.arange(13.0)[:, None]
    vote = BayesOptimalClassifier([LogisticRegression(), by.GaussianNB()]).fit(rows, labels)
    assert np.isfinite(vote.log_likelihood_).all()
    assert vote.classes_.tolist() == ["rain", "snow", "sun"]


@pytest.mark.parametrize("Model", BOTH)
def test_texts_and_pipelines_are_models_as_well(Model):
    mails = ["free money", "free gift", "money gift free", "lunch today", "see you", "at lunch"]
    labels = ["spam"] * 3 + ["ham"] * 3
    models = [by.TextClassifier(), by.TextClassifier(ngrams=(1, 2))]
    vote = Model(models).fit(mails, labels)
    assert vote.predict(["free lunch money", "see you at lunch"]).tolist() == ["spam", "ham"]
    scaled = Model([make_pipeline(StandardScaler(), LogisticRegression())]).fit(X, Y)
    assert scaled.score(X, Y) > 0.9


def test_models_that_have_learned_different_classes_are_brought_together():
    rain = by.GaussianNB().fit([[0.0], [1.0]], ["rain", "sun"])
    snow = by.GaussianNB().fit([[0.0], [1.0]], ["snow", "sun"])
    vote = BayesOptimalClassifier([rain, snow])
    assert vote.classes_.tolist() == ["rain", "snow", "sun"]
    np.testing.assert_allclose(vote.predict_proba([[0.5]]), [[0.25, 0.25, 0.5]])
    np.testing.assert_allclose(np.exp(vote.predict_log_proba([[0.5]])), [[0.25, 0.25, 0.5]])


def test_frozen_models_are_weighed_as_they_are():
    good = FrozenEstimator(by.GaussianNB().fit(X, Y))
    bad = FrozenEstimator(by.GaussianNB().fit(X, np.roll(Y, 7)))
    rows, labels = X[:100:3], Y[:100:3]
    vote = BayesOptimalClassifier([good, bad]).fit(rows, labels)
    logs = [
        model.predict_log_proba(rows)[np.arange(len(rows)), labels].sum() for model in (good, bad)
    ]
    np.testing.assert_allclose(vote.log_likelihood_, logs, rtol=1e-12)
    assert vote.posterior_[0] == pytest.approx(1 / (1 + np.exp(logs[1] - logs[0])))


# the contract of scikit-learn -----------------------------------------------------------------


@pytest.mark.parametrize("Model", BOTH)
def test_clone_pickle_grids_and_cross_validation(Model):
    model = Model([by.GaussianNB(), by.GaussianNB(var_smoothing=0.1)], prior=[0.5, 0.5])
    fitted = clone(model).fit(X, Y)
    assert not hasattr(clone(fitted), "posterior_")
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    assert cross_val_score(model, X, Y, cv=3).mean() > 0.9
    search = GridSearchCV(model, {"prior": [[0.5, 0.5], [1.0, 0.0]]}, cv=3).fit(X, Y)
    assert search.best_score_ > 0.9


@pytest.mark.parametrize("Model", BOTH)
def test_names_of_columns_are_passed_through(Model):
    vote = Model([by.GaussianNB()]).fit(pd.DataFrame(X, columns=list("abcd")), Y)
    assert vote.feature_names_in_.tolist() == list("abcd")
    assert vote.n_features_in_ == 4
    assert not hasattr(Model([by.GaussianNB()]), "n_features_in_")


def test_tags_are_those_that_all_models_have():
    tags = BayesOptimalClassifier([by.GaussianNB(), LogisticRegression()]).__sklearn_tags__()
    assert tags.input_tags.sparse
    assert not tags.input_tags.allow_nan
    assert by.GaussianNB().__sklearn_tags__().input_tags.allow_nan


def test_a_rule_is_a_classifier_that_learns_nothing():
    rule = always("+", noise=0.1)
    assert rule.fit([[0]], ["-"]) is rule
    assert rule.predict([[0], [1]]).tolist() == ["+", "+"]
    np.testing.assert_allclose(rule.predict_proba([[0]]), [[0.9, 0.1]])
    assert rule.score([[0], [0]], ["+", "-"]) == 0.5
    assert clone(rule).get_params()["noise"] == 0.1
    three = RuleClassifier(Always("b"), ["a", "b", "c"], noise=0.2)
    np.testing.assert_allclose(three.predict_proba([[0]]), [[0.1, 0.8, 0.1]])


# what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("Model", BOTH)
def test_models_that_have_not_learned_cannot_answer(Model):
    with pytest.raises(NotFittedError):
        Model([by.GaussianNB()]).predict(X)


@pytest.mark.parametrize("Model", BOTH)
@pytest.mark.parametrize(
    ("parameters", "error", "match"),
    [
        ({"models": []}, TypeError, "at least one classifier"),
        ({"models": by.GaussianNB()}, TypeError, "models must be a list"),
        ({"models": [LinearSVC()]}, TypeError, "predict_proba"),
        ({"prior": [0.5]}, ValueError, "one probability for each of the 2 models, got 1"),
        ({"prior": [0.5, 0.6]}, ValueError, "sum of the priors should be 1"),
        ({"prior": [1.5, -0.5]}, ValueError, "non-negative"),
        ({"cv": 1}, ValueError, "cv must be a whole number of 2 or more"),
    ],
    ids=["none", "no list", "no probabilities", "too few", "sum", "negative", "parts"],
)
def test_bad_arguments_are_refused_and_change_nothing(Model, parameters, error, match):
    model = Model([by.GaussianNB(), by.BernoulliNB()]).fit(X, Y)
    model.set_params(**parameters)
    before = state_of(model)
    with pytest.raises(error, match=match):
        model.fit(X, Y)
    assert_unchanged(model, before)


@pytest.mark.parametrize("Model", BOTH)
def test_bad_rows_are_refused_and_change_nothing(Model):
    model = Model([by.GaussianNB(), LogisticRegression(max_iter=500)]).fit(X, Y)
    before = model.posterior_
    for rows, labels in ((X, Y[:9]), (X, None), (X * np.inf, Y), (X[:, 0], Y)):
        with pytest.raises(ValueError):
            model.fit(rows, labels)
        assert model.posterior_ is before


def test_rules_that_break_their_word_are_refused():
    with pytest.raises(ValueError, match=r"\['\?'\] in y do not exist in the initial classes"):
        RuleClassifier(Always("?"), SIGNS).predict([[0]])
    for noise in (1.0, -0.1, np.nan):
        with pytest.raises(ValueError, match="noise must be"):
            always("+", noise).predict_proba([[0]])
