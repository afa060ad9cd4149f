"""Models weighed by P(D | M): the posterior of models, parameters integrated out."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

import bayesic as by
from bayesic.hypotheses import BayesOptimalClassifier, GibbsClassifier, RuleClassifier
from helpers.chain_rule import chain, naive, whole_rows
from helpers.comparisons import assert_unchanged, state_of

SKY = ["rain", "rain", "sun", "sun", "sun", "rain"]
WIND = ["weak", "weak", "strong", "strong", "weak", "strong"]
LABELS = ["ham", "ham", "ham", "spam", "spam", "spam"]
TABLE = {"sky": SKY, "wind": WIND}
ROWS = [{"sky": sky, "wind": wind} for sky, wind in zip(SKY, WIND, strict=True)]


def test_the_weights_are_the_exact_posterior_of_the_models():
    one = Fraction(1)
    alone = naive({"sky": (), "wind": ()}, {"sky": 2, "wind": 2}, one)
    independent = chain(ROWS, LABELS, alone, one)
    together = chain(ROWS, LABELS, whole_rows(4, one), one)
    prior = [Fraction(1, 4), Fraction(3, 4)]
    total = prior[0] * independent + prior[1] * together
    exact = [float(prior[0] * independent / total), float(prior[1] * together / total)]
    for Model in (BayesOptimalClassifier, GibbsClassifier):
        vote = Model([by.NaiveBayes(), by.JointBayes()], prior=prior, weights="evidence")
        vote.fit(TABLE, LABELS)
        np.testing.assert_allclose(vote.posterior_, exact, rtol=1e-12)
        np.testing.assert_allclose(
            vote.log_evidence_, np.log([float(independent), float(together)]), rtol=1e-12
        )
        assert not hasattr(vote, "log_likelihood_")


def test_the_vote_is_that_of_the_weights():
    vote = BayesOptimalClassifier([by.NaiveBayes(), by.JointBayes()], weights="evidence")
    vote.fit({**TABLE, "mail": LABELS}, "mail")
    asked = {"sky": ["sun", "rain"], "wind": ["weak", "weak"]}
    each = [model.predict_proba(asked) for model in vote.models_]
    expected = vote.posterior_[0] * each[0] + vote.posterior_[1] * each[1]
    np.testing.assert_allclose(vote.predict_proba(asked), expected, rtol=1e-12)


def test_columns_that_depend_on_each_other_are_found_out():
    rng = np.random.default_rng(0)
    rain = rng.integers(0, 2, 300)
    alike, labels = {"rain": rain, "wet": rain}, rng.choice(["ham", "spam"], 300)
    apart = {"rain": rain, "wet": rng.integers(0, 2, 300)}
    models = [by.NaiveBayes(numeric="categorical"), by.JointBayes()]
    vote = BayesOptimalClassifier(models, weights="evidence")
    assert vote.fit(alike, labels).posterior_[1] > 0.999
    assert vote.fit(apart, labels).posterior_[0] > 0.5  # the simpler of two that are right


def test_learning_anew_leaves_nothing_of_the_other_weights():
    vote = BayesOptimalClassifier([by.NaiveBayes(), by.JointBayes()]).fit(TABLE, LABELS)
    held_out = vote.posterior_
    vote.set_params(weights="evidence").fit(TABLE, LABELS)
    assert not hasattr(vote, "log_likelihood_")
    vote.set_params(weights="held-out").fit(TABLE, LABELS)
    assert not hasattr(vote, "log_evidence_")
    assert vote.posterior_.tolist() == held_out.tolist()


def test_models_of_the_same_bins_can_be_compared():
    rng = np.random.default_rng(0)
    labels = np.array(["ham", "spam"] * 40)
    table = {"wind": rng.normal(3.0 * (labels == "spam")), "sky": rng.choice(["sun", "rain"], 80)}
    models = [by.NaiveBayes(numeric="binned"), by.TreeAugmentedNB(), by.KDependence(k=0)]
    vote = BayesOptimalClassifier(models, weights="evidence").fit(table, labels)
    assert vote.log_evidence_[0] == pytest.approx(vote.log_evidence_[2], rel=1e-12)


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        RuleClassifier(lambda rows: rows[:, 0] > 0, [False, True]),
        by.AveragedOneDependence(),
        by.ComplementNB(),
        by.LinearDiscriminantAnalysis(),
    ],
)
def test_a_model_without_evidence_is_refused(model):
    vote = BayesOptimalClassifier([by.GaussianNB(), model], weights="evidence")
    with pytest.raises(TypeError, match=f"and {type(model).__name__} has no closed form"):
        vote.fit([[0.0], [1.0]], ["ham", "spam"])


def test_a_frozen_model_has_the_evidence_of_other_rows():
    frozen = FrozenEstimator(by.BernoulliNB().fit([[0], [1]], ["ham", "spam"]))
    vote = BayesOptimalClassifier([frozen], weights="evidence")
    with pytest.raises(ValueError, match="a frozen model has that of the rows it had learned"):
        vote.fit([[0], [1], [1]], ["ham", "spam", "spam"])


@pytest.mark.parametrize(
    ("models", "shown"),
    [
        ([by.GaussianNB(), by.CategoricalNB()], "GaussianNB for numbers, CategoricalNB for levels"),
        ([by.BernoulliNB(), by.MultinomialNB()], "BernoulliNB for present above 0, Multinomial"),
        (
            [by.BernoulliNB(), by.BernoulliNB(binarize=1.0)],
            "for present above 0, BernoulliNB for present above 1",
        ),
        (
            [by.JointBayes(), by.JointBayes(columns={"x1": "ignore"})],
            "'x1' .* for levels, JointBayes for nothing: it is not used",
        ),
    ],
)
def test_evidences_of_different_data_are_not_compared(models, shown):
    vote = BayesOptimalClassifier(models, weights="evidence")
    before = state_of(vote)
    with pytest.raises(ValueError, match=shown):
        vote.fit(np.array([[0, 1], [1, 2], [0, 0], [2, 1]]), ["ham", "spam"] * 2)
    assert_unchanged(vote, before)


def test_a_column_without_a_prior_is_refused_by_its_model():
    vote = BayesOptimalClassifier([by.NaiveBayes(numeric="gaussian")], weights="evidence")
    with pytest.raises(ValueError, match="column 'x0' is gaussian"):
        vote.fit([[0.5], [1.5], [2.5]], ["ham", "spam", "ham"])


def test_weights_are_one_of_two_words():
    vote = BayesOptimalClassifier([by.GaussianNB()], weights="stacking")
    with pytest.raises(ValueError, match="weights must be one of 'held-out', 'evidence'"):
        vote.fit([[0.0], [1.0]], ["ham", "spam"])
