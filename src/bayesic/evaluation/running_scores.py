"""How good predictions are while rows come: sums that add up, part by part."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bayesic.data.typing import Classifier
from bayesic.evaluation import scores
from bayesic.evaluation.scores import N_BINS
from bayesic.kernels import Array


@dataclass(frozen=True, eq=False)
class Sums:
    """What is kept of rows that were predicted before they were learned."""

    rows: int = 0
    right: float = 0.0
    log_loss: float = 0.0  # added up
    brier: float = 0.0
    bins: Array | None = None  # (3, n_bins): rows, confidence added up, right
    not_scored: int = 0  # rows whose class was not known yet, or no longer

    def __add__(self, other: "Sums") -> "Sums":
        bins = [part for part in (self.bins, other.bins) if part is not None]
        return Sums(
            self.rows + other.rows,
            self.right + other.right,
            self.log_loss + other.log_loss,
            self.brier + other.brier,
            sum(bins[1:], bins[0]) if bins else None,
            self.not_scored + other.not_scored,
        )

    def to_dict(self) -> dict[str, object]:
        """The means, for JSON."""
        known: dict[str, object] = {"rows": self.rows, "not_scored": self.not_scored}
        if not self.rows or self.bins is None:
            return known
        known |= {
            "accuracy": self.right / self.rows,
            "log_loss": self.log_loss / self.rows,
            "brier_score": self.brier / self.rows,
        }
        return known | {"calibration": _calibration(self.bins)}


def _calibration(bins: Array) -> list[dict[str, float]]:
    edges = np.linspace(0.0, 1.0, bins.shape[1] + 1).tolist()
    rows = zip(edges[:-1], edges[1:], *bins.tolist(), strict=True)
    return [
        {"from": low, "to": high, "rows": n, "confidence": sure / n, "right": right / n}
        for low, high, n, sure, right in rows
        if n
    ]


def sums_of(posterior: Array, model: Classifier, labels: Sequence[object]) -> Sums:
    """The sums of rows, from P(class) as the model had it before they were learned.

    A class that is impossible because all its rows were forgotten is new again.

    >>> from types import SimpleNamespace
    >>> model = SimpleNamespace(classes_=np.array(["ham", "spam"]))
    >>> sums = sums_of(np.array([[0.75, 0.25], [0.5, 0.5]]), model, ["ham", "news"])
    >>> sums.rows, sums.right, sums.brier, sums.not_scored
    (1, 1.0, 0.125, 1)
    """
    codes_by_label = {label: code for code, label in enumerate(model.classes_.tolist())}
    codes = np.array([codes_by_label.get(label, -1) for label in labels], dtype=np.int64)
    known = codes >= 0
    if hasattr(model, "class_count_"):
        impossible = posterior[np.arange(len(codes)), codes] == 0
        known &= ~(impossible & (model.class_count_[codes] == 0))
    n_rows = int(known.sum())
    if not n_rows:
        return Sums(not_scored=len(labels))
    seen, truth = posterior[known], codes[known]
    bins = np.zeros((3, N_BINS))
    for index, part in enumerate(scores.calibration(seen, truth)):
        if part.n_rows:
            bins[:, index] = part.n_rows, *(part.n_rows * np.array(part[3:]))
    return Sums(
        n_rows,
        scores.accuracy(seen, truth) * n_rows,
        scores.log_loss(seen, truth) * n_rows,
        scores.brier_score(seen, truth) * n_rows,
        bins,
        len(labels) - n_rows,
    )
