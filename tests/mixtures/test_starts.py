"""Rows to begin with: far from each other, of some weight, and by the seed alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.mixtures._lloyd import generator, random_rows, spread_rows
from helpers.examples import at_most

CORNERS = np.repeat([[0.0, 0.0], [100.0, 0.0], [0.0, 100.0], [100.0, 100.0]], 5, axis=0)
CLOUDS = CORNERS + np.random.default_rng(0).normal(size=CORNERS.shape)


@at_most(30)
@given(st.integers(0, 10_000))
def test_rows_are_spread_over_all_clouds(seed):
    chosen = spread_rows(CLOUDS, np.ones(20), 4, generator(seed))
    assert sorted((chosen // 5).tolist()) == [0, 1, 2, 3]


@pytest.mark.parametrize("choose", [random_rows, spread_rows])
def test_rows_without_weight_are_never_chosen(choose):
    weights = np.tile([0.0, 0.0, 2.0, 0.0, 1.0], 4)
    for seed in range(20):
        assert weights[choose(CLOUDS, weights, 3, generator(seed))].all()


@pytest.mark.parametrize("choose", [random_rows, spread_rows])
def test_all_rows_are_different_where_there_are_enough(choose):
    for seed in range(20):
        assert len(set(choose(CLOUDS, np.ones(20), 20, generator(seed)).tolist())) == 20


def test_rows_that_are_all_the_same_may_be_chosen_again():
    assert len(spread_rows(np.ones((3, 2)), np.ones(3), 3, generator(0))) == 3
    assert len(random_rows(CLOUDS[:2], np.array([1.0, 0.0]), 2, generator(0))) == 2


def test_the_first_row_is_drawn_by_weight():
    rng, weights = np.random.default_rng(0), np.array([1.0, 0.0, 3.0])
    first = [spread_rows(np.eye(3), weights, 1, rng)[0] for _ in range(4000)]
    shares = np.bincount(first, minlength=3) / 4000
    np.testing.assert_allclose(shares, weights / 4, atol=0.03)


def test_of_the_rows_that_are_tried_the_best_is_kept():
    # two are tried, and there are no more: 50 leaves 2500 / 10^9 behind, 100 leaves 2500
    X, weights = np.array([[0.0], [50.0], [100.0]]), np.array([1e9, 1.0, 1e-9])
    for seed in range(20):
        assert spread_rows(X, weights, 2, generator(seed)).tolist() == [0, 1]


def test_the_seed_decides():
    same = [spread_rows(CLOUDS, np.ones(20), 5, generator(3)).tolist() for _ in range(2)]
    assert same[0] == same[1]
    state = np.random.RandomState(0)
    assert generator(state).random() != generator(state).random()
