"""rank: rows by the probability of one class."""

from fractions import Fraction
from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import LinearSVC

import bayesic as by


class Reader:
    """A model that is told P(liked | article): the only column of X."""

    classes_ = np.array(["dull", "liked"])

    def predict_proba(self, X):
        liked = np.asarray(X, dtype=float)[:, 0]
        return np.column_stack([1 - liked, liked])


@given(st.lists(st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0]), min_size=1, max_size=20))
def test_rows_come_by_probability_and_equal_ones_in_their_order(liked):
    ranking = by.decisions.rank(Reader(), [[p] for p in liked], "liked")
    expected = sorted(range(len(liked)), key=lambda row: (-liked[row], row))
    assert ranking.index.tolist() == expected
    assert ranking.probability.tolist() == [liked[row] for row in expected]


def test_the_other_class_ranks_the_other_way_round():
    articles = [[0.25], [0.75], [0.5]]
    assert by.decisions.rank(Reader(), articles, "liked").index.tolist() == [1, 2, 0]
    assert by.decisions.rank(Reader(), articles, "dull").index.tolist() == [0, 2, 1]


def test_the_first_n_are_the_beginning_of_all():
    articles = [[0.25], [0.75], [0.5]]
    assert by.decisions.rank(Reader(), articles, "liked", n=2).index.tolist() == [1, 2]
    assert by.decisions.rank(Reader(), articles, "liked", n=2).probability.tolist() == [0.75, 0.5]
    assert by.decisions.rank(Reader(), articles, "liked", n=9).index.tolist() == [1, 2, 0]


# NewsWeeder: look at the top tenth only ([Mitchell] section 6.10) ------------------------------


def test_the_top_tenth_holds_the_share_that_the_posterior_promises():
    # ten kinds of article, ten of each: as many of a kind are liked as its probability says
    liked_of_ten = [1, 0, 6, 1, 2, 1, 0, 3, 1, 1]
    articles = [[tens / 10] for tens in liked_of_ten for _ in range(10)]
    truth = [article < tens for tens in liked_of_ten for article in range(10)]
    top = by.decisions.rank(Reader(), articles, "liked", n=10)
    share = Fraction(sum(truth[row] for row in top.index), 10)
    base_rate = Fraction(sum(truth), len(truth))
    assert share == Fraction(6, 10)
    assert share / base_rate == Fraction(15, 4)  # 3 to 4 times the base rate, as in the book


WORDS = [(0.6, 0.2), (0.5, 0.1), (0.7, 0.4), (0.3, 0.05)]  # P(word | liked), P(word | dull)
P_LIKED = 0.15


def share_liked_in_the_top(tenth):
    """The exact share: kinds of article in order of their posterior, until the tenth is full."""
    kinds = []
    for present in product([0, 1], repeat=len(WORDS)):
        liked, dull = P_LIKED, 1 - P_LIKED
        for word, (if_liked, if_dull) in zip(present, WORDS, strict=True):
            liked *= if_liked if word else 1 - if_liked
            dull *= if_dull if word else 1 - if_dull
        kinds.append((liked / (liked + dull), liked + dull))
    share, room = 0.0, tenth
    for posterior, probability in sorted(kinds, reverse=True):
        taken = min(probability, room)
        share, room = share + taken * posterior, room - taken
    return share / tenth


def test_a_model_that_learned_puts_liked_articles_into_the_top_tenth():
    random = np.random.default_rng(6)
    n_articles = 40_000
    liked = random.random(n_articles) < P_LIKED
    word_probability = np.where(liked[:, None], *np.array(WORDS).T[:, None, :])
    X = (random.random((n_articles, len(WORDS))) < word_probability).astype(int)
    y = np.where(liked, "liked", "dull")
    train, new = slice(0, n_articles // 2), slice(n_articles // 2, None)
    model = by.BernoulliNB().fit(X[train], y[train])
    n_top = n_articles // 2 // 10
    top = by.decisions.rank(model, X[new], "liked", n=n_top)

    share = (y[new][top.index] == "liked").mean()
    expected = share_liked_in_the_top(0.1)
    assert expected > 3 * P_LIKED
    assert share == pytest.approx(expected, abs=4 * sqrt(expected * (1 - expected) / n_top))


# what is refused ------------------------------------------------------------------------------


def test_a_target_that_is_no_class_is_refused():
    with pytest.raises(ValueError, match=r"one of the classes \['dull', 'liked'\], got 'like'"):
        by.decisions.rank(Reader(), [[0.5]], "like")


@pytest.mark.parametrize("n", [0, -1, 1.5, "ten"])
def test_a_number_of_rows_that_is_none_is_refused(n):
    with pytest.raises(ValueError, match="n must be a whole number of 1 or more"):
        by.decisions.rank(Reader(), [[0.5]], "liked", n=n)


def test_a_model_without_probabilities_is_refused():
    with pytest.raises(TypeError, match="predict_proba.*LinearSVC.*CalibratedClassifierCV"):
        by.decisions.rank(LinearSVC().fit([[0], [1]], ["dull", "liked"]), [[0.5]], "liked")
