"""The temperature of a forest is the one under which rows are most probable."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from bayesic.estimation.forest_smoothness import best_temperatures


def problem(seed, n_classes, n_rows=200):
    """Log priors, steps away from them under three strengths, classes and weights."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(n_classes) * (0.3 if seed % 2 else 3.0), (3, n_rows))
    prior = rng.dirichlet(np.ones(n_classes), 3)[:, None]
    log_prior = np.log(np.broadcast_to(prior, shares.shape)).swapaxes(1, 2)
    steps = np.log(shares + 1e-9).swapaxes(1, 2) - log_prior
    is_right = rng.random(n_rows) < (0.0 if seed == 4 else 0.6)
    classes = np.where(is_right, shares[0].argmax(axis=1), rng.integers(0, n_classes, n_rows))
    return log_prior, steps, classes, rng.integers(0, 3, n_rows).astype(float)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("start", [1.0, 4.0])
def test_temperatures_are_the_optimum_that_scipy_finds(seed, start):
    log_prior, steps, classes, weights = problem(seed, n_classes=2 + seed % 3)
    ours, losses = best_temperatures(log_prior, steps, classes, weights, start)
    for number in range(3):

        def loss(temperature, number=number):
            scores = log_prior[number] + temperature * steps[number]
            own = scores[classes, np.arange(len(classes))]
            return -weights @ (own - np.logaddexp.reduce(scores, axis=0))

        theirs = minimize_scalar(
            lambda t, loss=loss: loss(t) + (t - 1.0) ** 2 / 2,
            bounds=(0.0, 30.0), method="bounded", options={"xatol": 1e-8},
        )  # fmt: skip
        assert ours[number] == pytest.approx(theirs.x, abs=1e-5)
        assert losses[number] == pytest.approx(loss(theirs.x), rel=1e-4)


def test_rows_without_weight_have_no_say():
    log_prior, steps, classes, weights = problem(1, n_classes=3)
    kept = weights > 0
    some = log_prior[:, :, kept], steps[:, :, kept], classes[kept], weights[kept]
    for with_them, without in zip(
        best_temperatures(log_prior, steps, classes, weights), best_temperatures(*some), strict=True
    ):
        np.testing.assert_allclose(with_them, without, rtol=1e-9)
