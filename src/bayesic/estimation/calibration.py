"""Calibrated probabilities: one temperature, and a bias for each class."""

from dataclasses import dataclass

import numpy as np

from bayesic.estimation.pool import Pool, pool_weights
from bayesic.kernels import Array
from bayesic.statistics.additive import class_counts, placed

# The weight, in rows, of the pull towards the uncalibrated probabilities. Only one number is
# learned, or one for each class, not the many weights of a pool.
PRIOR_ROWS = 1.0

# Each class needs this many rows before the classes get their own bias.
ROWS_FOR_BIAS = 10


@dataclass(frozen=True, eq=False)
class Calibration:
    """P'(c | x)  ~  exp(log P(c | x) / T + b_c),  T > 0, sum of b_c = 0.

    A temperature T above 1 makes probabilities less extreme, below 1 more extreme, and leaves the
    order of the classes as it is ([Guo]). A bias moves all answers towards a class.

    >>> calibration = Calibration(2.0, np.zeros(2))
    >>> np.exp(calibration.log_proba(np.log([[0.9, 0.1]])))  # the root of odds of 9
    array([[0.75, 0.25]])
    """

    temperature: float  # inf: the output of the model is ignored
    bias: Array  # (n_classes,)
    least_log: float = -np.inf  # lower log P are replaced by this

    def log_proba(self, log_probability: Array) -> Array:
        """log P'(c | x) from log P(c | x), (n_rows, n_classes) both."""
        pool = Pool(np.array([1.0 / self.temperature]), self.bias, self.least_log)
        return pool.log_proba(log_probability[None])

    def scaled(self, scores: Array) -> Array:
        """Log odds, or their summands, divided by T."""
        return np.zeros_like(scores) if np.isinf(self.temperature) else scores / self.temperature

    def with_classes_at(self, positions: Array, n_classes: int) -> "Calibration":
        """The same for more classes: its own get these indices, new ones have no bias."""
        return Calibration(
            self.temperature, placed(self.bias, positions, n_classes), self.least_log
        )


def uncalibrated(n_classes: int) -> Calibration:
    """The calibration that leaves probabilities unchanged."""
    return Calibration(1.0, np.zeros(n_classes))


def calibration_of(
    probability: Array, codes: Array, row_weights: Array | None = None
) -> Calibration:
    """The calibration under which the classes of rows are most probable.

    It is a pool of one member, pulled to T = 1 and no bias (see pool_weights): on these rows the
    log loss is never above that of the uncalibrated probabilities. Classes have a bias if each has
    ROWS_FOR_BIAS rows. A probability of 0 may stand for any small number: it is replaced by the
    least probability above 0 that the model gave to any class of any of these rows.

    probability : (n_rows, n_classes), of rows that the model has not learned
    codes : (n_rows,), the class of each row
    row_weights : (n_rows,), one each if None

    >>> sure, codes = np.array([[0.99, 0.01]] * 100), np.array([0] * 90 + [1] * 10)
    >>> both = np.vstack([sure, sure[:, ::-1]]), np.append(codes, 1 - codes)
    >>> calibration = calibration_of(*both)
    >>> round(calibration.temperature, 2), np.exp(calibration.log_proba(np.log(sure[:1]))).round(2)
    (2.09, array([[0.9, 0.1]]))
    """
    n_classes = probability.shape[1]
    is_zero = probability == 0
    with np.errstate(divide="ignore"):
        logs = np.log(probability)
    least_log = float(logs[~is_zero].min()) if is_zero.any() else -np.inf
    rows_of_class = class_counts(codes, row_weights, n_classes)
    pool = pool_weights(
        logs[None],
        codes,
        row_weights,
        toward=1.0,
        prior_rows=PRIOR_ROWS,
        with_bias=bool(rows_of_class.min() >= ROWS_FOR_BIAS),
        least_log=least_log,
    )
    weight = float(pool.weights[0])
    return Calibration(1.0 / weight if weight > 0 else np.inf, pool.bias, least_log)
