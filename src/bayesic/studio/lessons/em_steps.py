"""EM for two Gaussians of one known variance, step by step."""

from collections.abc import Mapping

import numpy as np

from bayesic.kernels import Array
from bayesic.mixtures.components import Components, joint_log_density
from bayesic.mixtures.known_variance import expected_memberships, means_of_known_variance
from bayesic.serve.request_bodies import check_fields
from bayesic.studio.lessons.lesson_values import number, numbers, whole

MOST_STEPS, MOST_POINTS = 60, 60
LEAST, MOST = -1.0, 11.0  # the line on which points and means lie; also in em.js
N_CURVE = 121  # points of each curve


def em(body: Mapping[str, object]) -> dict[str, object]:
    """Means and log likelihood after each step; responsibilities after the last one.

        E[z_ij] = exp(-(x_i - mu_j)^2 / 2 sigma^2) / sum over n of the same
        mu_j    = sum over i of E[z_ij] x_i / sum over i of E[z_ij]

    >>> answer = em({"points": [0, 1, 9, 10], "means": [0, 5], "spread": 1, "steps": 9})
    >>> [round(mean, 6) for mean in answer["steps"][-1]["means"]]
    [0.5, 9.5]
    """
    check_fields(body, ("points", "means", "spread", "steps"))
    given = body["points"]
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_POINTS:
        raise ValueError(f"points must be 1 to {MOST_POINTS} numbers, got {given!r:.60}.")
    points = np.array([[number("a point", one, LEAST, MOST)] for one in given])
    means = np.array([[one] for one in numbers("means", body["means"], 2, LEAST, MOST)])
    variance = number("spread", body["spread"], 0.05, 10) ** 2
    states = [means]
    for _ in range(whole("steps", body["steps"], 0, MOST_STEPS)):
        states.append(means_of_known_variance(points, states[-1], variance, max_iter=1).state)
    curve = np.linspace(LEAST, MOST, N_CURVE)[:, None]
    return {
        "steps": [
            {
                "means": state[:, 0].tolist(),
                "log_likelihood": float(_log_densities(points, state, variance)[1].sum()),
            }
            for state in states
        ],
        "responsibilities": expected_memberships(points, states[-1], variance).tolist(),
        "curve": curve[:, 0].tolist(),
        "densities": np.exp(_log_densities(curve, states[-1], variance)[0]).tolist(),
    }


def _log_densities(points: Array, means: Array, variance: float) -> tuple[Array, Array]:
    """Of each point log 1/2 N(x; mean, variance) for both Gaussians, and for their sum."""
    halves = Components(np.array([0.5, 0.5]), means, np.full(2, variance))
    scores = joint_log_density(halves, "spherical", len(points))(points)
    return scores, np.logaddexp.reduce(scores, axis=0)
