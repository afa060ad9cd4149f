"""Class probabilities: checked, and asked of a model."""

from typing import Any

import numpy as np

from bayesic.data.numbers import as_numbers

Array = np.ndarray


def checked_posterior(posterior: Any) -> Array:
    """Probabilities of the classes as float64, (n_rows, n_classes); every row sums to 1.

    >>> checked_posterior([[0.75, 0.25]])
    array([[0.75, 0.25]])
    """
    probability = as_numbers(posterior, "posterior")
    if probability.ndim != 2 or 0 in probability.shape:
        raise ValueError(
            "posterior must have a row for each case and a column for each class, got shape "
            f"{probability.shape}. For a single case write [[0.7, 0.3]]."
        )
    if not (probability >= 0).all() or not np.allclose(probability.sum(axis=1), 1.0):
        raise ValueError(
            "Every row of posterior must hold probabilities that sum to 1. "
            "Take them from predict_proba, or divide each row by its sum."
        )
    return probability


def refuse_without_probabilities(model: Any) -> None:
    """Refuse a model that has no predict_proba."""
    if not hasattr(model, "predict_proba"):
        raise TypeError(
            f"The model must have predict_proba, got {type(model).__name__}. Wrap a classifier "
            "without it in sklearn's CalibratedClassifierCV."
        )
