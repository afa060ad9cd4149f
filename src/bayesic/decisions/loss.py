"""The action of least expected loss."""

from typing import Any, NamedTuple

import numpy as np

from bayesic.data.numbers import as_numbers

Array = np.ndarray


class Decision(NamedTuple):
    """What to do for each row, and what every action would cost on average."""

    action: Array  # (n_rows,)           number of the action of least risk, the first of several
    risk: Array  # (n_rows, n_actions)  expected loss of every action


def expected_loss(posterior: Array, loss: Array) -> Array:
    """The risk of every action for every row: (n_rows, n_actions).

        R(i | x) = sum over j of loss_ij P(c_j | x)

    loss : (n_actions, n_classes), the cost of action i when the class is j

    >>> expected_loss(np.array([[0.75, 0.25]]), np.array([[0, 5], [1, 0]]))
    array([[1.25, 0.75]])
    """
    return posterior @ loss.T


def decide(posterior: Any, loss: Any = None) -> Decision:
    """For each row of class probabilities, the action of least expected loss, and all risks.

    Without a loss every mistake costs 1 (0-1 loss): the answer is the most probable class, and its
    risk is one minus its probability.

    >>> decide([[0.75, 0.25]]).action
    array([0])
    >>> decide([[0.75, 0.25]], loss=[[0, 5], [1, 0]]).action
    array([1])
    """
    probability = _checked_posterior(posterior)
    n_classes = probability.shape[1]
    risk = expected_loss(probability, _checked_loss(loss, n_classes))
    return Decision(risk.argmin(axis=1), risk)


def _checked_posterior(posterior: Any) -> Array:
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


def _checked_loss(loss: Any, n_classes: int) -> Array:
    if loss is None:
        return 1.0 - np.eye(n_classes)
    matrix = as_numbers(loss, "loss")
    if matrix.ndim != 2 or matrix.shape[1] != n_classes or len(matrix) == 0:
        raise ValueError(
            f"loss must have a row for each action and a column for each of the {n_classes} "
            f"classes, got shape {matrix.shape}. loss[i][j] is the cost of action i in class j."
        )
    if not np.isfinite(matrix).all():
        raise ValueError("loss must be finite, got NaN or infinity. Use a large number instead.")
    return matrix
