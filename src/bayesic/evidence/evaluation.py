"""How good class probabilities are, once the truth is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bayesic.evidence.explanation import json_number

Array = np.ndarray

# Bins of equal width from 0 to 1 for the table of calibration.
N_BINS = 10


class ClassScore(NamedTuple):
    """What is seen of one class. Precision and recall are NaN where nothing is to be divided."""

    label: Any
    n_rows: int  # rows that are of the class
    share: float  # of all rows
    mean_probability: float  # P(class), mean over all rows; near the share if calibrated
    precision: float  # share of right ones among the rows taken for the class
    recall: float  # share of the rows of the class that are taken for it


class CalibrationBin(NamedTuple):
    """The rows whose answer has a probability in (low, high]."""

    low: float
    high: float
    n_rows: int
    mean_confidence: float  # NaN without rows, as the next
    share_right: float


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Scores of the class probabilities of rows whose classes are known. Natural logarithms."""

    classes: tuple
    n_rows: int
    accuracy: float
    log_loss: float
    brier_score: float
    expected_calibration_error: float
    class_scores: tuple[ClassScore, ...]
    calibration: tuple[CalibrationBin, ...]
    confusion: Array  # (n_classes, n_classes)  rows: the truth, columns: the answer

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers, lists and dicts only, for JSON: NaN is None, infinity is text."""
        return {
            "rows": self.n_rows,
            "accuracy": self.accuracy,
            "log_loss": json_number(self.log_loss),
            "brier_score": self.brier_score,
            "expected_calibration_error": self.expected_calibration_error,
            "classes": [_for_json(score._asdict()) for score in self.class_scores],
            "calibration": [_for_json(part._asdict()) for part in self.calibration],
            "confusion": {
                str(label): dict(zip(map(str, self.classes), row, strict=True))
                for label, row in zip(self.classes, self.confusion.tolist(), strict=True)
            },
        }


_NAMES = {"label": "class", "n_rows": "rows"}  # in Python class is a keyword


def _for_json(values: dict[str, Any]) -> dict[str, Any]:
    return {
        _NAMES.get(name, name): None if value != value else value for name, value in values.items()
    }


def evaluate(posterior: Array, y: Any, classes: Any) -> Evaluation:
    """All scores of the class probabilities of some rows.

    posterior : (n_rows, n_classes), such as predict_proba gives
    y         : the true class of each row; one that is not among the classes had probability 0
    classes   : names of the columns of posterior, such as model.classes_

    >>> posterior, classes = np.array([[0.75, 0.25], [0.5, 0.5]]), ["ham", "spam"]
    >>> evaluation = evaluate(posterior, ["ham", "spam"], classes)
    >>> evaluation.accuracy, round(evaluation.log_loss, 4), evaluation.confusion.tolist()
    (0.5, 0.4904, [[1, 0], [1, 0]])
    """
    posterior, codes, names = with_all_labels(np.asarray(posterior, np.float64), y, classes)
    if len(codes) == 0:
        raise ValueError("There must be at least one row to evaluate, got none.")
    parts = calibration(posterior, codes)
    return Evaluation(
        classes=names,
        n_rows=len(codes),
        accuracy=accuracy(posterior, codes),
        log_loss=log_loss(posterior, codes),
        brier_score=brier_score(posterior, codes),
        expected_calibration_error=expected_calibration_error(parts),
        class_scores=class_scores(posterior, codes, names),
        calibration=parts,
        confusion=confusion_matrix(posterior, codes),
    )


def with_all_labels(posterior: Array, y: Any, classes: Any) -> tuple[Array, Array, tuple]:
    """The posterior with a column of zeros for each label that is no class, codes and names.

    >>> with_all_labels(np.array([[0.75, 0.25]]), ["news"], ["ham", "spam"])
    (array([[0.75, 0.25, 0.  ]]), array([2]), ('ham', 'spam', 'news'))
    """
    names, labels = np.asarray(classes).tolist(), np.asarray(y).tolist()
    if posterior.shape != (len(labels), len(names)):
        raise ValueError(
            f"posterior must have a row for each of the {len(labels)} labels and a column for each "
            f"of the {len(names)} classes, got shape {posterior.shape}."
        )
    names += sorted(set(labels) - set(names))
    position = {name: number for number, name in enumerate(names)}
    codes = np.array([position[label] for label in labels], dtype=np.intp)
    unknown = np.zeros((len(labels), len(names) - posterior.shape[1]))
    return np.hstack([posterior, unknown]), codes, tuple(names)


def accuracy(posterior: Array, codes: Array) -> float:
    """The share of rows whose most probable class is the true one.

    >>> accuracy(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 1]))
    0.5
    """
    return float((posterior.argmax(axis=1) == codes).mean())


def log_loss(posterior: Array, codes: Array) -> float:
    """Mean of -log P(true class); infinite if the truth was held for impossible.

    >>> log_loss(np.array([[0.75, 0.25], [1.0, 0.0]]), np.array([0, 1]))
    inf
    """
    with np.errstate(divide="ignore"):
        loss = -np.log(posterior[np.arange(len(codes)), codes]).mean()
    return float(loss) + 0.0  # no minus zero


def brier_score(posterior: Array, codes: Array) -> float:
    """Mean over rows of the sum over classes of (P(c) - [c is true])^2: from 0, the best, to 2.

    >>> brier_score(np.array([[0.75, 0.25]]), np.array([0]))
    0.125
    """
    truth = np.eye(posterior.shape[1])[codes]
    return float(((posterior - truth) ** 2).sum(axis=1).mean())


def confusion_matrix(posterior: Array, codes: Array) -> Array:
    """How often a row of each class (rows) is taken for each class (columns).

    >>> confusion_matrix(np.array([[0.75, 0.25], [0.6, 0.4]]), np.array([0, 1])).tolist()
    [[1, 0], [1, 0]]
    """
    n_classes = posterior.shape[1]
    cells = codes * n_classes + posterior.argmax(axis=1)
    return np.bincount(cells, minlength=n_classes**2).reshape(n_classes, n_classes)


def class_scores(posterior: Array, codes: Array, names: Sequence[Any]) -> tuple[ClassScore, ...]:
    """Rows, share, mean probability, precision and recall of each class."""
    confusion = confusion_matrix(posterior, codes)
    n_rows, n_answers = confusion.sum(axis=1), confusion.sum(axis=0)
    with np.errstate(invalid="ignore"):
        precision, recall = np.diag(confusion) / n_answers, np.diag(confusion) / n_rows
    columns = n_rows, n_rows / len(codes), posterior.mean(axis=0), precision, recall
    rows = zip(names, *(column.tolist() for column in columns), strict=True)
    return tuple(ClassScore(*row) for row in rows)


def calibration(posterior: Array, codes: Array, n_bins: int = N_BINS) -> tuple[CalibrationBin, ...]:
    """How often answers are right, next to how sure the model was of them.

    The confidence of a row is the probability of its most probable class.

    >>> parts = calibration(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 0]), n_bins=2)
    >>> [part[:3] for part in parts]
    [(0.0, 0.5, 1), (0.5, 1.0, 1)]
    """
    confidence, right = posterior.max(axis=1), posterior.argmax(axis=1) == codes
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    place = np.searchsorted(edges[1:-1], confidence)
    n_rows = np.bincount(place, minlength=n_bins)
    with np.errstate(invalid="ignore"):
        mean_confidence = np.bincount(place, confidence, minlength=n_bins) / n_rows
        share_right = np.bincount(place, right, minlength=n_bins) / n_rows
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
