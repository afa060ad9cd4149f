"""How good class probabilities are, once the truth is known: one number, or one line per class.

posterior : (n_rows, n_classes), such as predict_proba gives
codes     : (n_rows,), the number of the true class of each row
weights   : (n_rows,), above 0; None if every row counts once
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray


class ClassScore(NamedTuple):
    """What is seen of one class. Shares are NaN where nothing is to be divided."""

    label: Any
    n_rows: float  # rows that are of the class; the sum of their weights, if rows have weights
    share: float  # of all rows
    mean_probability: float  # P(class), mean over all rows; near the share if calibrated
    precision: float  # share of right ones among the rows taken for the class
    recall: float  # share of the rows of the class that are taken for it
    f1: float  # harmonic mean of precision and recall


def accuracy(posterior: Array, codes: Array, weights: Array | None = None) -> float:
    """The share of rows whose most probable class is the true one.

    >>> accuracy(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 1]))
    0.5
    """
    return float(np.average(posterior.argmax(axis=1) == codes, weights=weights))


def log_loss(posterior: Array, codes: Array, weights: Array | None = None) -> float:
    """Mean of -log P(true class); infinite if the truth of any row was held for impossible.

    >>> log_loss(np.array([[0.75, 0.25], [1.0, 0.0]]), np.array([0, 1]))
    inf
    """
    with np.errstate(divide="ignore"):
        losses = -np.log(truth_probability(posterior, codes))
    return float(np.average(losses, weights=weights)) + 0.0  # no minus zero


def truth_probability(posterior: Array, codes: Array) -> Array:
    """P(true class) of each row.

    >>> truth_probability(np.array([[0.75, 0.25], [1.0, 0.0]]), np.array([0, 1]))
    array([0.75, 0.  ])
    """
    return posterior[np.arange(len(codes)), codes]


def brier_score(posterior: Array, codes: Array, weights: Array | None = None) -> float:
    """Mean over rows of the sum over classes of (P(c) - [c is true])^2: from 0, the best, to 2.

    >>> brier_score(np.array([[0.75, 0.25]]), np.array([0]))
    0.125
    """
    truth = np.eye(posterior.shape[1])[codes]
    return float(np.average(((posterior - truth) ** 2).sum(axis=1), weights=weights))


def confusion_counts(
    codes: Array, answers: Array, n_classes: int, weights: Array | None = None
) -> Array:
    """How many rows of each class (rows) get each answer (columns); with weights, their sums.

    >>> confusion_counts(np.array([0, 1]), np.array([0, 0]), n_classes=2).tolist()
    [[1, 0], [1, 0]]
    """
    cells = codes * n_classes + answers
    return np.bincount(cells, weights, minlength=n_classes**2).reshape(n_classes, n_classes)


def class_scores(
    posterior: Array, codes: Array, names: Sequence[Any], weights: Array | None = None
) -> tuple[ClassScore, ...]:
    """Rows, share, mean probability, precision, recall and F1 of each class.

        precision = right / answers,  recall = right / rows,  F1 = 2 right / (rows + answers)

    >>> posterior = np.array([[0.75, 0.25], [0.6, 0.4], [0.5, 0.5]])
    >>> [score.f1 for score in class_scores(posterior, np.array([0, 1, 0]), ["ham", "spam"])]
    [0.8, 0.0]
    """
    confusion = confusion_counts(codes, posterior.argmax(axis=1), len(names), weights)
    n_rows, n_answers, right = confusion.sum(axis=1), confusion.sum(axis=0), np.diag(confusion)
    with np.errstate(invalid="ignore"):
        shares = right / n_answers, right / n_rows, 2 * right / (n_rows + n_answers)
    mean_probability = np.average(posterior, axis=0, weights=weights)
    columns = n_rows, n_rows / n_rows.sum(), mean_probability, *shares
    rows = zip(names, *(column.tolist() for column in columns), strict=True)
    return tuple(ClassScore(*row) for row in rows)
