"""Candidates are judged by learned rows, each answered as if it had not been learned.

    loss = - sum over rows of w log P(class of the row | row, all other rows)

A row of weight w counts as w rows that are alike: one of them is left out at a time.
"""

from collections.abc import Callable, Iterable

import numpy as np

from bayesic.data.tables import Table
from bayesic.estimation.prior import ClassPrior
from bayesic.kernels import Array
from bayesic.models.posterior import answer_prior_where_impossible, log_posterior
from bayesic.models.readers.reader import CodedRows

MOST_ROWS = 1000

# What is less probable counts as this: no row decides alone.
LEAST_PROBABILITY = 1e-15


def drawn_rows(
    rows: Iterable[CodedRows], encoded: Callable[[Table], Array], most: int = MOST_ROWS
) -> CodedRows:
    """So many of the rows at most, drawn at random, always the same: it takes one pass.

    encoded : the numbers of the levels of rows, (n_columns, n_rows); those of the rows that are
        drawn are their X, (n_rows, n_columns)
    """
    rng = np.random.default_rng(0)
    keys, drawn = np.zeros(0), list[Array]()
    for block in rows:
        keys = np.append(keys, rng.random(len(block.codes)))
        new = [encoded(block.X), block.codes, block.all_weights]
        if drawn:
            new = [np.concatenate(pair, axis=-1) for pair in zip(drawn, new, strict=True)]
        some = np.sort(np.argsort(keys, kind="stable")[:most])
        keys, drawn = keys[some], [array[..., some] for array in new]
    levels, codes, weights = drawn  # a model learns at least one block
    return CodedRows(levels.T, None, codes, weights)


def one_of_each(rows: CodedRows) -> tuple[Array, Array]:
    """The class of each row, and the weight that is left out: that of one row."""
    return rows.codes, np.minimum(rows.all_weights, 1.0)


def summed_loss(scores: Array, prior: ClassPrior, rows: CodedRows) -> float:
    """The loss of a candidate; scores are log p(x | c) without the row: (n_rows, n_classes).

    >>> prior, codes = ClassPrior(np.array([2, 2])), np.array([0])
    >>> rows = CodedRows(np.zeros((1, 1)), None, codes, np.array([3.0]))
    >>> loss = summed_loss(np.log([[0.75, 0.125]]), prior, rows)  # 1/3 * 3/4 against 2/3 * 1/8
    >>> bool(np.isclose(loss, 3 * np.log(4 / 3)))
    True
    """
    log_prior = prior.log_without(*one_of_each(rows))
    joint, _ = answer_prior_where_impossible(scores.T + log_prior, log_prior)
    own = log_posterior(joint)[rows.codes, np.arange(len(rows.codes))]
    return float(-(rows.all_weights * np.maximum(own, np.log(LEAST_PROBABILITY))).sum())
