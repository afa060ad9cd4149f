"""SemiSupervised against EM worked out by hand, by plain loops, and by enumeration."""

import math
import warnings
from collections import Counter
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.mixtures.semi_supervised import SemiSupervised
from helpers.em_by_loops import em_by_loops
from helpers.examples import at_most

TEXTS = ["free", "rain", "free rain", "free free"]
LABELS = ["spam", "ham", None, None]


@contextmanager
def unfinished():
    """Do not mind that EM was stopped before it converged."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="EM has not converged")
        yield


def after(n_steps, model, X, y, **arguments):
    with unfinished():
        return SemiSupervised(model, max_iter=n_steps, tol=0.0, **arguments).fit(X, y)


def test_the_first_step_is_the_one_worked_out_by_hand():
    # at the start P(free | spam) = P(rain | ham) = 2/3, so "free free" is spam with 4/5
    fitted = after(1, by.TextClassifier(), TEXTS, LABELS)
    shares = [[0, 1], [1, 0], [Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 5), Fraction(4, 5)]]
    np.testing.assert_allclose(fitted.responsibility_, np.array(shares, float), rtol=1e-14)
    # spam: 1 + 1/2 + 4/5 texts, free 1 + 1/2 + 8/5 times, rain 1/2 times
    spam = Fraction(23, 40), Fraction(41, 56), Fraction(15, 56)
    ham = Fraction(17, 40), Fraction(19, 44), Fraction(25, 44)
    free = spam[0] * spam[1] / (spam[0] * spam[1] + ham[0] * ham[1])
    assert fitted.predict_proba(["free"])[0, 1] == pytest.approx(float(free), rel=1e-14)
    likelihood = (spam[0] * spam[1]) * (ham[0] * ham[2])
    likelihood *= spam[0] * spam[1] * spam[2] + ham[0] * ham[1] * ham[2]
    likelihood *= spam[0] * spam[1] ** 2 + ham[0] * ham[1] ** 2
    prior = spam[1] * spam[2] * ham[1] * ham[2]
    assert fitted.trace_ == pytest.approx([math.log(likelihood * prior)], rel=1e-14)


def words_of(texts, model):
    """Each text as a bag of words; but for the multinomial model each word once."""
    bags = [Counter(text.split()) for text in texts]
    return bags if model == "multinomial" else [Counter({*bag}) for bag in bags]


def texts_by_loops(bags, smoothing, model):
    """How to estimate p(c) and the chances of words in texts, for `em_by_loops`."""
    words = sorted(set().union(*bags))

    def estimate(amounts, classes):
        n_texts = {c: sum(amount[c] for amount in amounts) for c in classes}
        count = {
            (c, word): sum(amount[c] * bag[word] for amount, bag in zip(amounts, bags, strict=True))
            for c in classes
            for word in words
        }
        present, absent = {}, {}
        for c, word in count:
            if model == "bernoulli":
                whole = n_texts[c] + 2 * smoothing
                absent[c, word] = (n_texts[c] - count[c, word] + smoothing) / whole
            else:
                whole = sum(count[c, other] for other in words) + smoothing * len(words)
                absent[c, word] = 1
            present[c, word] = (count[c, word] + smoothing) / whole

        def joint(bag, c):
            product = n_texts[c] / sum(n_texts.values())
            for word in words:
                product *= present[c, word] ** bag[word] if bag[word] else absent[c, word]
            return product

        shares = [*present.values(), *absent.values()]
        return joint, float(smoothing) * sum(map(math.log, shares))

    return estimate


def test_three_steps_are_the_exact_fractions():
    bags = words_of(TEXTS, "multinomial")
    estimate = texts_by_loops(bags, Fraction(1), "multinomial")
    expected, trace = em_by_loops(bags, LABELS, Fraction(1, 2), 3, estimate)
    fitted = after(3, by.TextClassifier(), TEXTS, LABELS, weight=0.5)
    np.testing.assert_allclose(fitted.predict_proba(TEXTS), expected, rtol=1e-13)
    np.testing.assert_allclose(fitted.trace_, trace, rtol=1e-13)


sentences = st.lists(st.sampled_from(["free", "rain", "lunch"]), max_size=4).map(" ".join)


@at_most(25)
@given(
    st.lists(sentences, min_size=4, max_size=8),
    st.integers(1, 5),
    st.sampled_from([0.25, 1.0, 3.0]),
    st.sampled_from([0.1, 1.0]),
    st.sampled_from(["multinomial", "binary-multinomial", "bernoulli"]),
)
def test_em_of_texts_is_that_of_plain_loops(texts, n_steps, weight, smoothing, model):
    labels = ["ham", "spam", *[None] * (len(texts) - 2)]
    fitted = after(
        n_steps, by.TextClassifier(model, smoothing=smoothing), texts, labels, weight=weight
    )
    bags = words_of(texts, model)
    estimate = texts_by_loops(bags, smoothing, model)
    expected, trace = em_by_loops(bags, labels, weight, fitted.n_iter_, estimate)
    np.testing.assert_allclose(fitted.predict_proba(texts), expected, rtol=1e-9)
    np.testing.assert_allclose(fitted.trace_, trace, rtol=1e-9)


def objective(chance, rows, alpha):
    """log p(rows, chances) of one feature that is there or not, in two equally likely classes."""
    value = alpha * sum(math.log(p) + math.log(1 - p) for p in chance)
    for present, code, times in rows:
        of_classes = [(p if present else 1 - p) / 2 for p in chance]
        value += times * math.log(sum(of_classes) if code is None else of_classes[code])
    return value


def test_the_fixed_point_is_the_maximum_by_enumeration():
    # how often each came: there or not, class 0, class 1 or unknown
    rows = [(1, 1, 3), (0, 1, 1), (0, 0, 3), (1, 0, 1), (1, None, 8), (0, None, 4)]
    X = np.repeat([[present] for present, _, _ in rows], [times for *_, times in rows], axis=0)
    y = [code for _, code, times in rows for _ in range(times)]
    model = by.BernoulliNB(alpha=0.5, fit_prior=False)
    fitted = SemiSupervised(model, max_iter=10_000, tol=0.0).fit(X, y)
    chance = np.exp(fitted.model_.feature_log_prob_[:, 0])
    found = objective(chance, rows, 0.5)
    assert fitted.trace_[-1] == pytest.approx(found, rel=1e-12)
    grid = np.arange(1, 200) / 200
    best, *where = max((objective((p, q), rows, 0.5), p, q) for p in grid for q in grid)
    assert found >= best
    assert chance == pytest.approx(where, abs=0.005)
    # and it is fixed: the E-step under it gives what it was made of
    unlabelled = [label is None for label in y]
    np.testing.assert_allclose(
        fitted.predict_proba(X)[unlabelled], fitted.responsibility_[unlabelled], rtol=1e-6
    )


def test_em_of_numbers_is_that_of_plain_loops():
    X = np.array([[1.0], [2.0], [7.0], [9.0], [1.5], [8.0], [4.0], [6.5]])
    y = ["low", "low", "high", "high", None, None, None, None]
    mean, variance, prior = np.array([8.0, 1.5]), np.array([1.0, 0.25]), np.array([0.5, 0.5])
    for _ in range(3):
        density = prior * np.exp(-((X - mean) ** 2) / (2 * variance)) / np.sqrt(variance)
        share = density / density.sum(axis=1, keepdims=True)
        share[:4] = [[0, 1], [0, 1], [1, 0], [1, 0]]
        prior = share.mean(axis=0)
        mean = (share * X).sum(axis=0) / share.sum(axis=0)
        variance = (share * (X - mean) ** 2).sum(axis=0) / share.sum(axis=0)
    fitted = after(3, by.GaussianNB(var_smoothing=0), X, y)
    np.testing.assert_allclose(fitted.responsibility_, share, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(fitted.model_.theta_[:, 0], mean, rtol=1e-9)
    np.testing.assert_allclose(fitted.model_.var_[:, 0], variance, rtol=1e-9)
    np.testing.assert_allclose(fitted.model_.class_prior_, prior, rtol=1e-9)
