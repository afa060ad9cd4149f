"""Weights, shares and means of neighbours."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesic.estimation.nearest import class_shares, neighbour_means, neighbour_weights

distances = hnp.arrays(
    np.float64, (3, 4), elements=st.sampled_from([0.0, 5e-324, 1e-300, 0.5, 1.0, 3.0, 1e140])
).map(lambda array: np.sort(array, axis=1))


@given(distances, st.sampled_from(["uniform", "distance"]))
def test_weights_are_k_in_all(distance, weights):
    found = neighbour_weights(distance, weights)
    assert (found >= 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 4, rtol=1e-12)


def test_weights_fall_with_the_distance():
    distance = [1, 2, 4]
    closeness = [Fraction(1, one) for one in distance]
    expected = [float(3 * one / sum(closeness)) for one in closeness]
    found = neighbour_weights(np.array([distance], float), "distance")
    np.testing.assert_allclose(found, [expected], rtol=1e-15)


def test_rows_at_distance_zero_share_all_weight():
    found = neighbour_weights(np.array([[0.0, 0.0, 1e-300]]), "distance")
    assert found.tolist() == [[1.5, 1.5, 0.0]]


@pytest.mark.parametrize("smoothing", [0, 1, 0.5])
def test_smoothed_shares_are_the_fractions(smoothing):
    codes = np.array([[0, 1, 1, 3], [2, 2, 2, 2]])
    found = class_shares(codes, np.ones((2, 4)), n_classes=4, smoothing=smoothing)
    extra = Fraction(smoothing)
    expected = [
        [float((count + extra) / (4 + 4 * extra)) for count in counts]
        for counts in ([1, 2, 0, 1], [0, 0, 4, 0])
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-15)


def test_weights_count_in_shares_and_means():
    weights = np.array([[1.5, 1.0, 0.5]])
    shares = class_shares(np.array([[1, 0, 1]]), weights, n_classes=2, smoothing=0)
    np.testing.assert_allclose(shares, [[1 / 3, 2 / 3]], rtol=1e-15)
    means = neighbour_means(np.array([[[10.0, 0.0], [20.0, 3.0], [40.0, 0.0]]]), weights)
    np.testing.assert_allclose(means, [[55 / 3, 1.0]], rtol=1e-15)
