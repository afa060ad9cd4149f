"""How good class probabilities are, once the truth is known: one number, or a line for each class,
bin of confidence, or badly answered row.

posterior : (n_rows, n_classes), such as predict_proba gives
codes     : (n_rows,), the number of the true class of each row
weights   : (n_rows,), above 0; None if every row counts once
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bayesic.data.typing import ArrayLike, Label, LabelsLike, LossLike
from bayesic.decisions.decide import decide, expected_cost
from bayesic.decisions.loss import REJECT, as_loss
from bayesic.decisions.names import as_names
from bayesic.kernels import Array

N_BINS = 10  # of calibration, of equal width from 0 to 1


class ClassScore(NamedTuple):
    """What is seen of one class. Shares are NaN where nothing is to be divided."""

    label: Label
    n_rows: float  # rows that are of the class; the sum of their weights, if rows have weights
    share: float  # of all rows
    mean_probability: float  # P(class), mean over all rows; near the share if calibrated
    precision: float  # share of right ones among the rows taken for the class
    recall: float  # share of the rows of the class that are taken for it
    f1: float  # harmonic mean of precision and recall


class CalibrationBin(NamedTuple):
    """The rows whose answer has a probability in (low, high]."""

    low: float
    high: float
    n_rows: float  # the sum of their weights, if rows have weights
    mean_confidence: float  # NaN without rows, as the next
    share_right: float


class DecisionCost(NamedTuple):
    """Mean costs of rows whose classes are known."""

    expected_cost: float  # of the actions of least expected loss
    zero_one_cost: float  # of the best actions if the most probable class were certain
    constant_cost: float  # of the one action for all rows that costs least
    constant_action: object  # that action
    actions: dict[Label, float]  # action of least expected loss -> how many rows get it


class WorstRow(NamedTuple):
    """A row, what it is, and what the model took it for."""

    row: int  # its number in what was given, from 0 on
    truth: Label
    answer: Label
    probability: float  # of the truth


def accuracy(posterior: Array, codes: Array, weights: Array | None = None) -> float:
    """The share of rows whose most probable class is the true one.

    >>> accuracy(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 1]))
    0.5
    """
    return float(np.average(posterior.argmax(axis=1) == codes, weights=weights))


def log_loss(posterior: Array, codes: Array, weights: Array | None = None) -> float:
    """Mean of -log P(true class); infinite if the truth of any row was taken to be impossible.

    >>> log_loss(np.array([[0.75, 0.25], [1.0, 0.0]]), np.array([0, 1]))
    inf
    """
    return float(np.average(row_losses(posterior, codes), weights=weights)) + 0.0  # no minus zero


def row_losses(posterior: Array, codes: Array) -> Array:
    """-log P(true class) of each row.

    >>> row_losses(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([0, 1])).round(4)
    array([0.6931,    inf])
    """
    with np.errstate(divide="ignore"):
        return -np.log(truth_probability(posterior, codes))


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
    posterior: Array, codes: Array, names: Sequence[object], weights: Array | None = None
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


def calibration(
    posterior: Array, codes: Array, weights: Array | None = None, n_bins: int = N_BINS
) -> tuple[CalibrationBin, ...]:
    """How often answers are right, against how confident the model was.

    The confidence of a row is the probability of its most probable class.

    >>> parts = calibration(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 0]), n_bins=2)
    >>> [part[:3] for part in parts]
    [(0.0, 0.5, 1), (0.5, 1.0, 1)]
    """
    confidence, right = posterior.max(axis=1), posterior.argmax(axis=1) == codes
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    index = np.searchsorted(edges[1:-1], confidence)
    n_rows = np.bincount(index, weights, minlength=n_bins)
    each = 1.0 if weights is None else weights
    with np.errstate(invalid="ignore"):
        mean_confidence = np.bincount(index, each * confidence, minlength=n_bins) / n_rows
        share_right = np.bincount(index, each * right, minlength=n_bins) / n_rows
    columns = edges[:-1], edges[1:], n_rows, mean_confidence, share_right
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return tuple(CalibrationBin(*row) for row in rows)


def expected_calibration_error(parts: Sequence[CalibrationBin]) -> float:
    """Mean over rows of the gap between confidence and share right in the row's bin.

        sum over bins of (n_rows / N) |share_right - mean_confidence|

    >>> expected_calibration_error([CalibrationBin(0.5, 1.0, 4, 0.75, 1.0)])
    0.25
    """
    filled = [part for part in parts if part.n_rows]
    gaps = [part.n_rows * abs(part.share_right - part.mean_confidence) for part in filled]
    return sum(gaps) / sum(part.n_rows for part in filled)


def accuracy_of_answers(
    labels: LabelsLike, answers: Array, sample_weight: ArrayLike | None = None
) -> float:
    """The share of the labels that equal the answers.

    >>> accuracy_of_answers(["rain", "sun"], np.array(["rain", "rain"]))
    0.5
    """
    from sklearn.metrics import accuracy_score  # takes long to load

    return float(accuracy_score(labels, answers, sample_weight=sample_weight))


def cost_of_answers(
    posterior: Array,
    y: Sequence[Label] | Array,
    classes: Sequence[Label],
    loss: LossLike | None = None,
    reject_loss: float | None = None,
    weights: Array | None = None,
) -> DecisionCost:
    """What the answers cost, where y is the true class of each row.

    loss, reject_loss : as in `decide`; a reject_loss alone goes with 0-1 loss

    >>> credit = {"approve": {"bad": 5, "good": 0}, "decline": {"bad": 0, "good": 1}}
    >>> posterior = np.array([[0.25, 0.75], [0.1, 0.9], [0.25, 0.75]])
    >>> cost_of_answers(posterior, ["bad", "good", "good"], ["bad", "good"], credit)
    DecisionCost(expected_cost=0.3333333333333333, zero_one_cost=1.6666666666666667,
         constant_cost=0.6666666666666666, constant_action='decline',
         actions={'approve': 1, 'decline': 2})
    """

    def cost(actions: Sequence[Label]) -> float:
        return expected_cost(y, actions, loss, reject_loss, weights, classes)

    certain = np.eye(len(classes))[posterior.argmax(axis=1)]
    best = decide(posterior, loss, reject_loss, classes).action.tolist()
    names = as_loss(loss, as_names(classes, "classes")).actions
    names = names if reject_loss is None else (*names, REJECT)
    constant = [cost([name] * len(y)) for name in names]
    cheapest = int(np.argmin(constant))
    return DecisionCost(
        cost(best),
        cost(decide(certain, loss, reject_loss, classes).action.tolist()),
        constant[cheapest],
        names[cheapest],
        _rows_of_actions(best, names, weights),
    )


def worst_rows(
    posterior: Array, codes: Array, names: Sequence[object], numbers: Array, n: int
) -> tuple[WorstRow, ...]:
    """The n rows of least P(true class), the worst first; equal ones in their order.

    numbers : the number of each row in what was given

    >>> posterior, codes = np.array([[0.75, 0.25], [0.9, 0.1], [0.2, 0.8]]), np.array([0, 1, 1])
    >>> worst_rows(posterior, codes, ["ham", "spam"], np.arange(3), n=1)
    (WorstRow(row=1, truth='spam', answer='ham', probability=0.1),)
    """
    probability = truth_probability(posterior, codes)
    indices = np.argsort(probability, stable=True)[:n]
    answers = posterior[indices].argmax(axis=1)
    columns = numbers[indices], codes[indices], answers, probability[indices]
    return tuple(
        WorstRow(row, names[truth], names[answer], share)
        for row, truth, answer, share in zip(*map(np.ndarray.tolist, columns), strict=True)
    )


def paired_difference(
    first: Array, second: Array, weights: Array | None = None
) -> tuple[float, float]:
    """Mean difference of two values of the same rows, and its standard error.

        D = sum w_i d_i / N,  s = sqrt(sum w_i (d_i - D)^2 / (N (N - 1))),  N = sum w_i

    [Mitchell] eq. 5.17 and 5.18 with rows in place of folds. NaN where the values are infinite, or
    where N is not above 1.

    >>> paired_difference(np.array([1.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0, 0.0]))
    (0.5, 0.28867513459481287)
    """
    with np.errstate(invalid="ignore"):
        differences = np.subtract(first, second, dtype=np.float64)
        mean = float(np.average(differences, weights=weights))
        each = np.ones(len(differences)) if weights is None else weights
        n_rows = float(each.sum())
        squares = float(each @ (differences - mean) ** 2)
    return mean, (squares / (n_rows * (n_rows - 1))) ** 0.5 if n_rows > 1 else float("nan")


def disputed(answers: Sequence[Sequence[object]], probability: Array) -> list[int]:
    """Rows that do not get the same answer from all, those first whose P(truth) differs most.

    answers     : for each model the answer of each row
    probability : (n_models, n_rows), P(truth)

    >>> disputed([["ham", "ham", "spam"], ["ham", "spam", "ham"]],
    ...          np.array([[0.9, 0.6, 0.8], [0.1, 0.5, 0.1]]))
    [2, 1]
    """
    rows = [row for row, each in enumerate(zip(*answers, strict=True)) if len({*each}) > 1]
    return sorted(rows, key=lambda row: -np.ptp(probability[:, row]))


def _rows_of_actions(actions: list, names: tuple, weights: Array | None) -> dict[object, float]:
    index = {name: number for number, name in enumerate(names)}
    numbers = np.array([index[action] for action in actions], dtype=np.intp)
    n_rows = np.bincount(numbers, weights, minlength=len(names)).tolist()
    return {name: count for name, count in zip(names, n_rows, strict=True) if count}
