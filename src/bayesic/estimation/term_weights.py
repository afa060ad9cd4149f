"""Weights of terms that add up to a score, learned so that the scores separate classes."""

import numpy as np

from bayesic.estimation.pool import LEAST_LOG, pool_weights
from bayesic.kernels import Array

# With more terms than this all columns share one weight.
MOST_TERMS = 300


def term_weights(terms: Array, codes: Array, row_weights: Array | None = None) -> Array:
    """The weights of log P(c) and of each log p(x_j | c), 0 or more: (n_terms,).

        P(c | x)  ~  P(c)^w_0 * product over j of p(x_j | c)^w_j

    that maximise sum over i of s_i log P(c_i | x_i), the conditional likelihood. Weights of 1 are
    the generative model, which is right if its columns are independent. They are
    learned in two steps, each a convex problem (see pool_weights): one weight for all columns and
    one for the prior, pulled to 1; then one for each column, pulled to the first.

    terms : (n_terms, n_rows, n_classes), the prior first; each row left out of its own estimate
    codes : (n_rows,), the class of each row
    row_weights : (n_rows,), s; one each if None

    >>> sky = np.log([[0.75, 0.25]] * 4 + [[0.25, 0.75]] * 4)
    >>> terms, codes = np.stack([0 * sky, sky, sky]), np.array([0, 0, 0, 1, 1, 1, 1, 0])
    >>> many = np.repeat(terms, 500, axis=1), np.repeat(codes, 500)
    >>> term_weights(*many).round(2)  # twice the same column: half of each
    array([1. , 0.5, 0.5])
    """
    with np.errstate(invalid="ignore"):  # an x_j that is impossible in every class counts 0
        among_classes = np.nan_to_num(terms - terms.max(axis=2, keepdims=True), nan=0.0)
    cut = np.maximum(among_classes, LEAST_LOG)
    of_prior, of_columns = cut[:1], cut[1:].sum(axis=0, keepdims=True)
    together = _weights(np.concatenate([of_prior, of_columns]), codes, row_weights, 1.0)
    toward = np.append(together[0], np.full(len(terms) - 1, together[1]))
    if len(terms) > MOST_TERMS:
        return toward
    return _weights(cut, codes, row_weights, toward)


def _weights(terms: Array, codes: Array, row_weights: Array | None, toward: float | Array) -> Array:
    return pool_weights(
        terms, codes, row_weights, toward=toward, with_bias=False, least_log=-np.inf
    ).weights


def weighted(weight: float, logs: Array) -> Array:
    """Logs times a weight, where 0 times -inf is 0.

    >>> weighted(0.0, np.array([-np.inf, -1.0])), weighted(0.5, np.array([-np.inf, -1.0]))
    (array([0., 0.]), array([-inf, -0.5]))
    """
    return weight * logs if weight > 0 else np.zeros_like(logs)
