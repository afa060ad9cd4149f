"""Parameters of a mixture that are given to begin with, checked."""

from typing import Any

import numpy as np

from bayesic.data.numbers import as_numbers
from bayesic.kernels import Array
from bayesic.mixtures.components import covariance_shape, has_correlations


def checked_weights_init(given: Any, n_components: int) -> Array:
    """One weight for each component, 0 or more, that sum to 1.

    >>> checked_weights_init([0.25, 0.75], 2)
    array([0.25, 0.75])
    """
    weights = _of_shape("weights_init", given, (n_components,))
    if not ((weights >= 0).all() and np.isclose(weights.sum(), 1.0)):
        raise ValueError(
            f"weights_init must be probabilities that sum to 1, got {weights.tolist()} with the "
            f"sum {weights.sum():g}. Divide them by their sum."
        )
    return weights / weights.sum()


def checked_means(given: Any, n_components: int, n_features: int) -> Array:
    """One mean for each component."""
    return _of_shape("means_init", given, (n_components, n_features))


def checked_precisions(
    given: Any, covariance_type: str, n_components: int, n_features: int
) -> Array:
    """The covariances whose inverse is given.

    >>> checked_precisions([4.0, 0.5], "spherical", 2, 3)
    array([0.25, 2.  ])
    """
    shape = covariance_shape(covariance_type, n_components, n_features)
    precisions = _of_shape("precisions_init", given, shape)
    if not has_correlations(covariance_type):
        if not (precisions > 0).all():
            raise ValueError(
                f"precisions_init must be above 0, got {precisions.min():g}. Precisions are 1 "
                "divided by variances."
            )
        return 1 / precisions
    if not np.allclose(precisions, precisions.swapaxes(-2, -1)):
        raise ValueError("precisions_init must hold symmetric matrices, these are not.")
    if not (np.linalg.eigvalsh(precisions) > 0).all():
        raise ValueError(
            "precisions_init must hold matrices with eigenvalues above 0, these have others. "
            "Precisions are the inverse of covariance matrices."
        )
    covariances = np.linalg.inv(precisions)
    return (covariances + covariances.swapaxes(-2, -1)) / 2


def _of_shape(name: str, given: Any, shape: tuple[int, ...]) -> Array:
    values = as_numbers(given, name)
    if values.shape != shape or not np.isfinite(values).all():
        raise ValueError(
            f"{name} must hold finite numbers in the shape {shape}, got shape {values.shape}."
        )
    return values
