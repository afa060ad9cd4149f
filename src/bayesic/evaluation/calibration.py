"""Calibration: how often answers are right, next to how sure the model was of them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

Array = np.ndarray

# Bins of equal width from 0 to 1.
N_BINS = 10


class CalibrationBin(NamedTuple):
    """The rows whose answer has a probability in (low, high]."""

    low: float
    high: float
    n_rows: float  # the sum of their weights, if rows have weights
    mean_confidence: float  # NaN without rows, as the next
    share_right: float


def calibration(
    posterior: Array, codes: Array, weights: Array | None = None, n_bins: int = N_BINS
) -> tuple[CalibrationBin, ...]:
    """How often answers are right, next to how sure the model was of them.

    The confidence of a row is the probability of its most probable class.

    >>> parts = calibration(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 0]), n_bins=2)
    >>> [part[:3] for part in parts]
    [(0.0, 0.5, 1), (0.5, 1.0, 1)]
    """
    confidence, right = posterior.max(axis=1), posterior.argmax(axis=1) == codes
    edges = np.linspace(0.0, 1.0, n_bins + 1)
    place = np.searchsorted(edges[1:-1], confidence)
    n_rows = np.bincount(place, weights, minlength=n_bins)
    each = 1.0 if weights is None else weights
    with np.errstate(invalid="ignore"):
        mean_confidence = np.bincount(place, each * confidence, minlength=n_bins) / n_rows
        share_right = np.bincount(place, each * right, minlength=n_bins) / n_rows
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
