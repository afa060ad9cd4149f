"""Tempered probabilities: what is learned of texts left out, and the edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.estimation.tempering import Tempering, best_tempering, log_opinions

EVEN = np.log(0.5)
logs = st.floats(-1e6, 0.0) | st.just(-np.inf)


def test_a_witness_who_is_right_four_times_in_five_is_believed_so_far():
    right = np.repeat([1, 1, 1, 1, 0], 200)
    claimed = np.tile([0, 1], 500)
    codes = np.where(right, claimed, 1 - claimed)
    for lengths in (1.0, 100.0):  # however long its texts are
        sure = np.where(claimed[:, None] == np.arange(2), 0.0, -300.0)
        opinions = log_opinions(sure, np.full((1000, 2), EVEN), np.full(1000, lengths))
        _, log_proba = best_tempering(opinions, codes, np.ones(1000))
        believed = np.exp(log_proba[np.arange(1000), claimed])
        np.testing.assert_allclose(believed, 0.8, atol=0.01)


def test_nothing_is_believed_of_who_guesses():
    rng = np.random.default_rng(0)
    opinions = log_opinions(
        np.log(rng.dirichlet([1, 1], 2000)) * 30, np.full((2000, 2), EVEN), np.full(2000, 9.0)
    )
    tempering, log_proba = best_tempering(opinions, rng.integers(0, 2, 2000), np.ones(2000))
    assert tempering.words < 0.01
    np.testing.assert_allclose(np.exp(log_proba), 0.5, atol=0.05)


@given(
    st.lists(st.tuples(logs, logs, st.integers(0, 9), st.integers(0, 1)), min_size=1, max_size=8)
)
def test_probabilities_are_finite_whatever_words_say(rows):
    *likelihood, lengths, codes = (np.array(column) for column in zip(*rows, strict=True))
    opinions = log_opinions(
        np.stack(likelihood, axis=1), np.full((len(rows), 2), EVEN), lengths.astype(float)
    )
    tempering, log_proba = best_tempering(opinions, codes, np.ones(len(rows)))
    assert tempering.words > 0
    assert np.isfinite([tempering.words, tempering.prior, *tempering.bias]).all()
    np.testing.assert_allclose(np.exp(log_proba).sum(axis=1), 1.0)


def test_classes_that_are_impossible_stay_so():
    tempering = Tempering(0.5, 2.0, np.array([0.25, -0.25]))
    scores = tempering.prior_in_scores(np.array([[-np.inf, 0.0], [EVEN, EVEN]]).T)
    np.testing.assert_array_equal(scores, [[-np.inf, 2 * EVEN + 0.25], [-0.25, 2 * EVEN - 0.25]])


def test_four_times_the_words_say_twice_as_much():
    powers = Tempering(3.0, 1.0, np.zeros(2)).power_of_words(np.array([25.0, 100.0]))
    assert 100 * powers[1] == pytest.approx(2 * 25 * powers[0])
