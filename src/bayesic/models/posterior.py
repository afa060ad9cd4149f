"""Scores log p(x, c) -> the posterior probability of each class.

Scores stand here with one row a class, (n_classes, n_rows): sums over classes are fast that way.
"""

from collections.abc import Callable

import numpy as np

from bayesic.data.arguments import tell
from bayesic.kernels import Array

Finish = Callable[[Array], Array]  # what to make of scores


def log_posterior(scores: Array) -> Array:
    """Log of the posterior probability of each class.

        log P(c | x) = log p(x, c) - log sum over k of p(x, k)

    >>> np.exp(log_posterior(np.log([[0.1], [0.3]]))).round(4)
    array([[0.25],
           [0.75]])
    """
    shifted = scores - scores.max(axis=0)
    return shifted - np.log(np.exp(shifted).sum(axis=0))


def posterior(scores: Array) -> Array:
    """The posterior probability of each class; see log_posterior."""
    probability = scores - scores.max(axis=0)
    np.exp(probability, out=probability)
    probability /= probability.sum(axis=0)
    return probability


def best_class(scores: Array) -> Array:
    """The number of the most probable class of each row, the first where several are."""
    return scores.argmax(axis=0)


def answer_prior_where_impossible(scores: Array, log_prior: Array) -> tuple[Array, int]:
    """The scores with the log prior for the rows that no class can explain, and how many those are.

    log_prior : (n_classes, 1), or (n_classes, n_rows) if it differs from row to row

    >>> scores = np.array([[-1.0, -np.inf], [-np.inf, -np.inf]])
    >>> answer_prior_where_impossible(scores, np.array([[-0.5], [-1.0]]))
    (array([[-1. , -0.5],
           [-inf, -1. ]]), 1)
    """
    impossible = scores.max(axis=0) == -np.inf
    if not impossible.any():
        return scores, 0
    return np.where(impossible, log_prior, scores), int(impossible.sum())


def tell_impossible(model: object, n_rows: int) -> None:
    """Warn of rows that no class of the model can explain."""
    if n_rows:
        tell(
            f"{n_rows} row(s) are impossible in every class under {type(model).__name__}: "
            "the answer for them is the prior. More smoothing makes nothing impossible."
        )
