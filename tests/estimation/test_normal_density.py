"""Log densities through Cholesky factors, against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from bayesic.estimation.normal_density import log_densities, normals, sequential_terms
from helpers.examples import at_most


def some_normals(seed, n_classes=2, n_features=3):
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(n_classes, n_features, n_features))
    covariance = factors @ factors.swapaxes(1, 2) + 0.1 * np.eye(n_features)
    return normals(rng.normal(size=(n_classes, n_features)), covariance)


@at_most(20)
@given(seed=st.integers(0, 10_000), share=st.sampled_from([0.0, 0.3, 1.0]))
def test_densities_of_rows_with_and_without_gaps_are_those_of_scipy(seed, share):
    classes = some_normals(seed)
    rng = np.random.default_rng(seed + 1)
    values = 3 * rng.normal(size=(6, 3))
    values[rng.random(values.shape) < share] = np.nan
    ours = log_densities(values, classes)
    terms = sequential_terms(values, classes)
    np.testing.assert_allclose(terms.sum(axis=1), ours, rtol=1e-10, atol=1e-10)
    assert not terms[np.isnan(values)].any()
    for row, x in enumerate(values):
        seen = ~np.isnan(x)
        for c in range(2):
            if not seen.any():
                assert ours[row, c] == 0
                continue
            covariance = classes.covariance[c][np.ix_(seen, seen)]
            expected = multivariate_normal(classes.mean[c][seen], covariance).logpdf(x[seen])
            assert ours[row, c] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("size", [1e155, 1e300])
def test_far_out_the_density_is_zero_and_never_nan(size):
    far = size * np.array([[1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [0.0, 0.0, -1.0]])
    scores = log_densities(far, some_normals(0))
    assert np.isneginf(scores).all()


def test_one_feature_is_the_usual_bell():
    classes = normals(np.array([[2.0]]), np.array([[[9.0]]]))
    expected = -0.5 * (np.log(2 * np.pi * 9) + (5 - 2) ** 2 / 9)
    assert log_densities(np.array([[5.0]]), classes)[0, 0] == pytest.approx(expected)
