"""EM with the models between naive Bayes and the joint table, and decisions on top of them."""

import math
import warnings
from collections import Counter
from copy import copy
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.decisions.bayes_decision import BayesDecision
from bayesic.mixtures._soft_classes import soft_statistics
from bayesic.mixtures.semi_supervised import SemiSupervised
from bayesic.models.levels.averaged_dependence import AveragedOneDependence
from bayesic.models.levels.network_classifier import KDependence, TreeAugmentedNB
from helpers.em_by_loops import em_by_loops
from helpers.examples import at_most
from helpers.fixed_dependence import FixedPair, FixedTree

MODELS = {
    "tree": TreeAugmentedNB(),
    "tree by m-estimate": TreeAugmentedNB(smoothing=("m", 2)),
    "two parents": KDependence(k=2),
    "averaged": AveragedOneDependence(),
    "averaged pairs": AveragedOneDependence(n=2),
}
ROWS = [
    ("rain", "S", "spam"),
    ("rain", "M", "spam"),
    ("sun", "M", "ham"),
    ("rain", "M", "ham"),
    ("sun", "S", None),
    ("sun", "M", None),
    ("rain", "S", None),
]


def columns_of(rows):
    return {"size": [row[1] for row in rows], "sky": [row[0] for row in rows]}


def after(n_steps, model, X, y, **arguments):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="EM has not converged")
        return SemiSupervised(model, max_iter=n_steps, tol=0.0, **arguments).fit(X, y)


def tree_by_loops(rows, smoothing):
    """How to estimate p(c) p(size | c) p(sky | size, c) of rows, for `em_by_loops`."""
    sizes, skies = ("M", "S"), ("rain", "sun")

    def estimate(amounts, classes):
        count = Counter()
        for (sky, size), amount in zip(rows, amounts, strict=True):
            for c in classes:
                for key in [(c,), (c, size), (c, size, sky)]:
                    count[key] += amount[c]
        total = sum(count[c,] for c in classes)
        prior = {c: (count[c,] + smoothing) / (total + 2 * smoothing) for c in classes}
        of_size = {
            (c, size): (count[c, size] + smoothing) / (count[c,] + 2 * smoothing)
            for c in classes
            for size in sizes
        }
        of_sky = {
            (c, size, sky): (count[c, size, sky] + smoothing) / (count[c, size] + 2 * smoothing)
            for c in classes
            for size in sizes
            for sky in skies
        }

        def joint(row, c):
            sky, size = row
            return prior[c] * of_size[c, size] * of_sky[c, size, sky]

        shares = [*prior.values(), *of_size.values(), *of_sky.values()]
        return joint, float(smoothing) * sum(map(math.log, shares))

    return estimate


@pytest.mark.parametrize("n_steps", [1, 2, 3])
@pytest.mark.parametrize("smoothing", [Fraction(1), Fraction(1, 2)], ids=["1", "half"])
def test_em_with_a_tree_gives_the_exact_fractions(n_steps, smoothing):
    X, y = columns_of(ROWS), [label for *_, label in ROWS]
    fitted = after(n_steps, FixedTree(smoothing=float(smoothing)), X, y, weight=0.5)
    rows = [row[:2] for row in ROWS]
    estimate = tree_by_loops(rows, smoothing)
    answers, trace = em_by_loops(rows, y, Fraction(1, 2), n_steps, estimate)
    np.testing.assert_allclose(fitted.predict_proba(X), answers, rtol=1e-12)
    assert fitted.trace_[-1] == pytest.approx(trace[-1], rel=1e-12)


LEVELS = st.tuples(*[st.sampled_from(words) for words in (("S", "M"), ("rain", "sun"), "xyz")])


def is_climb(fitted):
    """Whether no step was refused: a step that lowers the objective ends EM before its time."""
    return fitted.converged_ or fitted.n_iter_ == fitted.max_iter


def table_of(rows):
    return {name: [row[place] for row in rows] for place, name in enumerate(("size", "sky", "z"))}


@pytest.mark.parametrize(
    "model",
    [
        FixedTree(),
        FixedTree(smoothing=0.25),
        FixedTree(smoothing=("m", 2)),
        FixedPair(k=2),
        FixedPair(k=2, smoothing=("m", 1), prior="uniform"),
    ],
    ids=str,
)
@at_most(12)
@given(st.lists(LEVELS, min_size=6, max_size=14), st.sampled_from([0.5, 1.0]))
def test_no_step_lowers_the_likelihood_with_its_prior(model, rows, weight):
    y = ["spam", "ham", "spam", "ham", *[None] * (len(rows) - 4)]
    assert is_climb(after(30, model, table_of(rows), y, weight=weight))


@pytest.mark.parametrize("seed", range(10))
def test_without_smoothing_a_tree_that_is_chosen_anew_lowers_nothing(seed):
    # the tree of each step is the one under which the rows, with their shares, are most probable
    rng = np.random.default_rng(seed)
    rows = [tuple(rng.choice(["low", "high"], 3).tolist()) for _ in range(14)]
    y = ["spam", "ham"] * 3 + [None] * 8
    assert is_climb(after(4, TreeAugmentedNB(smoothing=0), table_of(rows), y))


@pytest.mark.parametrize("name", MODELS)
@at_most(8)
@given(st.lists(LEVELS, min_size=6, max_size=10))
def test_whatever_is_chosen_anew_the_trace_never_falls(name, rows):
    y = ["spam", "ham", "spam", "ham", *[None] * (len(rows) - 4)]
    fitted = after(20, MODELS[name], table_of(rows), y)
    assert (np.diff(fitted.trace_) >= 0).all()
    np.testing.assert_allclose(fitted.responsibility_.sum(axis=1), 1, rtol=1e-12)
    # the model is that of the last step: its statistics are those of all rows
    assert fitted.model_.class_count_.sum() == pytest.approx(len(rows), rel=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_with_all_labels_it_is_the_model_itself(name):
    X, y = columns_of(ROWS[:4]), [label for *_, label in ROWS[:4]]
    ours = SemiSupervised(MODELS[name]).fit(X, y).predict_proba(columns_of(ROWS))
    np.testing.assert_array_equal(ours, MODELS[name].fit(X, y).predict_proba(columns_of(ROWS)))


@pytest.mark.parametrize("name", MODELS)
def test_numbers_gaps_and_new_levels_may_be_in_unlabelled_rows(name):
    X = {
        "length": [1.0, 1.5, 8.0, 9.0, 1.2, 8.5, None, 30.0] * 3,
        "sky": ["rain", "rain", "sun", "sun", None, "sun", "snow", "sun"] * 3,
    }
    y = (["spam", "spam", "ham", "ham"] + [None] * 4) * 3
    fitted = SemiSupervised(MODELS[name]).fit(X, y)
    assert fitted.model_.bins_["length"].cuts == (4.75,)  # halfway, by the labelled rows
    assert fitted.predict({"length": [1.1, 8.8], "sky": ["rain", None]}).tolist() == ["spam", "ham"]
    assert np.isfinite(fitted.responsibility_).all()


@pytest.mark.parametrize("name", MODELS)
def test_leaving_a_row_out_takes_its_shares_out_of_the_counts(name):
    X, y = columns_of(ROWS), [label for *_, label in ROWS]
    fitted = SemiSupervised(MODELS[name]).fit(X, y)
    answers = fitted.leave_one_out(X, y)
    learned, row = fitted.model_, 5
    one = {column: [cells[row]] for column, cells in X.items()}
    shares = fitted.responsibility_[row : row + 1]
    its_own = soft_statistics(learned, learned._rows(one), shares)
    others = copy(learned)._keep(learned.statistics_ - its_own)
    np.testing.assert_allclose(answers[row], others.predict_proba(one)[0], rtol=1e-12)


@pytest.mark.parametrize("name", MODELS)
def test_a_decision_is_the_one_of_least_expected_loss(name):
    X, y = columns_of(ROWS[:4]), [label for *_, label in ROWS[:4]]
    loss = {"ham": {"ham": 0, "spam": 10}, "spam": {"ham": 1, "spam": 0}}
    asked = columns_of(ROWS)
    for model in (MODELS[name], SemiSupervised(MODELS[name])):
        decision = BayesDecision(model, loss=loss).fit(X, y)
        ham, spam = decision.predict_proba(asked).T
        expected = np.where(ham < 10 * spam, "spam", "ham")
        assert decision.predict(asked).tolist() == expected.tolist()
