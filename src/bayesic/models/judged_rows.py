"""Candidates are judged by learned rows, each answered as if it had not been learned.

    loss = - sum over rows of w log P(class of the row | row, all other rows)

A row of weight w counts as w rows that are alike: one of them is left out at a time.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from bayesic.estimation.prior import ClassPrior
from bayesic.kernels import Array
from bayesic.models.posterior import answer_prior_where_impossible, log_posterior
from bayesic.models.readers.reader import CodedRows

MOST_ROWS = 1000

# What is less probable counts as this: no row decides alone.
LEAST_PROBABILITY = 1e-15


class JudgedRows(NamedTuple):
    """Rows by the numbers of their levels, their classes and their weights."""

    levels: Array  # (n_columns, n_rows)
    codes: Array  # (n_rows,)
    weights: Array  # (n_rows,)

    def part(self, some: slice | Array) -> "JudgedRows":
        """Some of the rows."""
        return JudgedRows(self.levels[:, some], self.codes[some], self.weights[some])

    @property
    def left_out(self) -> tuple[Array, Array]:
        """The class of each row, and the weight that is left out: that of one row."""
        return self.codes, np.minimum(self.weights, 1.0)


def drawn_rows(
    rows: Iterable[CodedRows], encoded: Callable[[object], Array], most: int = MOST_ROWS
) -> JudgedRows:
    """So many of the rows at most, drawn at random, always the same: it takes one pass.

    encoded : the numbers of the levels of rows, (n_columns, n_rows)
    """
    rng = np.random.default_rng(0)
    keys, drawn = np.zeros(0), None
    for block in rows:
        keys = np.append(keys, rng.random(len(block.codes)))
        new = JudgedRows(encoded(block.X), block.codes, block.all_weights)
        if drawn is not None:
            pairs = zip(drawn, new, strict=True)
            new = JudgedRows(*(np.concatenate(pair, axis=-1) for pair in pairs))
        some = np.sort(np.argsort(keys, kind="stable")[:most])
        keys, drawn = keys[some], new.part(some)
    assert drawn is not None  # a model learns at least one block
    return drawn


def summed_loss(scores: Array, prior: ClassPrior, rows: JudgedRows) -> float:
    """The loss of a candidate; scores are log p(x | c) without the row: (n_rows, n_classes).

    >>> prior, codes = ClassPrior(np.array([2, 2])), np.array([0])
    >>> rows = JudgedRows(np.zeros((1, 1)), codes, np.array([3.0]))
    >>> loss = summed_loss(np.log([[0.75, 0.125]]), prior, rows)  # 1/3 * 3/4 against 2/3 * 1/8
    >>> bool(np.isclose(loss, 3 * np.log(4 / 3)))
    True
    """
    log_prior = prior.log_without(*rows.left_out)
    joint, _ = answer_prior_where_impossible(scores.T + log_prior, log_prior)
    own = log_posterior(joint)[rows.codes, np.arange(len(rows.codes))]
    return float(-(rows.weights * np.maximum(own, np.log(LEAST_PROBABILITY))).sum())
