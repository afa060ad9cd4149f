"""Scores log p(x, c) -> the posterior probability of each class."""

import numpy as np

Array = np.ndarray


def log_posterior(scores: Array, log_prior: Array) -> Array:
    """Log of the posterior probability of each class, row by row.

        log P(c | x) = log p(x, c) - log sum over k of p(x, k)

    A row that is impossible in every class gets the prior: one for all rows, or one for each.

    >>> scores = np.array([[-1.0, -1.0 + np.log(3)], [-np.inf, -np.inf]])
    >>> np.exp(log_posterior(scores, np.log([0.2, 0.8]))).round(4)
    array([[0.25, 0.75],
           [0.2 , 0.8 ]])
    """
    by_class = _shifted(scores, log_prior)
    with np.errstate(divide="ignore"):
        by_class -= np.log(np.exp(by_class).sum(axis=0))
    return by_class.T


def posterior(scores: Array, log_prior: Array) -> Array:
    """The posterior probability of each class, row by row; see log_posterior."""
    by_class = _shifted(scores, log_prior)
    np.exp(by_class, out=by_class)
    by_class /= by_class.sum(axis=0)
    return by_class.T


def best_class(scores: Array, log_prior: Array) -> Array:
    """The number of the most probable class of each row, the first where several are."""
    best = scores.argmax(axis=1)
    nowhere = impossible(scores)
    best[nowhere] = np.broadcast_to(log_prior, scores.shape)[nowhere].argmax(axis=1)
    return best


def impossible(scores: Array) -> Array:
    """Which rows no class can explain.

    >>> impossible(np.array([[-np.inf, -3.0], [-np.inf, -np.inf]]))
    array([False,  True])
    """
    return np.isneginf(scores.max(axis=1))


def _shifted(scores: Array, log_prior: Array) -> Array:
    # one row a class: reductions over a short last axis are slow
    by_class = np.array(scores.T, order="C")
    peak = by_class.max(axis=0)
    nowhere = np.isneginf(peak)
    if nowhere.any():
        by_class[:, nowhere] = np.broadcast_to(log_prior, scores.shape)[nowhere].T
        peak[nowhere] = by_class[:, nowhere].max(axis=0)
    by_class -= peak
    return by_class
