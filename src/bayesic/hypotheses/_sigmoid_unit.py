"""A sigmoid unit trained by gradient ascent: the most probable weights, step by step."""

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from bayesic.data.arguments import as_numbers, check_whole_number, is_number, tell
from bayesic.data.typing import ArrayLike
from bayesic.kernels import Array


class SigmoidUnit(NamedTuple):
    """The weights after the last step, and the log likelihood on the way there.

    weights : w, one for each input
    trace   : the log likelihood of the targets at the start and after each step

    >>> unit = train_sigmoid_unit([[1.0], [3.0]], [0, 1], n_steps=2)
    >>> np.exp(unit.trace).round(4)  # at the start 1/2 for each target
    array([0.25  , 0.3084, 0.3091])
    """

    weights: Array
    trace: Array


def train_sigmoid_unit(
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    learning_rate: float | None = None,
    n_steps: int = 100,
) -> SigmoidUnit:
    """Train h(x) = 1 / (1 + exp(-w x)) to be P(d = 1 | x), by gradient ascent ([Mitchell] 6.5).

        w <- w + eta * sum over i of (d_i - h(x_i)) x_i,  from w = 0

    Each step goes along the gradient of the log likelihood, the sum of d ln h + (1 - d) ln(1 - h).
    `LogisticRegression(C=np.inf)` finds the same weights in fewer steps.

    inputs        : (n_rows, n_inputs); give a column of ones if the unit is to have a threshold
    targets       : (n_rows,), 0 or 1
    learning_rate : eta; None takes 4 / (sum of |x_i|^2), with which the likelihood never falls,
        since h (1 - h) is at most 1/4
    n_steps       : how many steps to take

    From weights of zero h is 1/2, so the first step is 0.1 ((0 - 1/2) 1 + (1 - 1/2) 3):

    >>> train_sigmoid_unit([[1.0], [3.0]], [0, 1], learning_rate=0.1, n_steps=1).weights
    array([0.1])
    """
    x, d = _checked_rows(inputs, targets)
    check_whole_number("n_steps", n_steps, 1)
    rate = _safe_learning_rate(x) if learning_rate is None else learning_rate
    if not is_number(rate) or not 0 < rate < np.inf:
        raise ValueError(
            f"learning_rate must be a number above 0, got {learning_rate!r:.80}. "
            "None chooses one with which the likelihood never falls."
        )
    weights = np.zeros(x.shape[1])
    trace = [_log_likelihood(x, d, weights)]
    for _ in range(n_steps):
        with np.errstate(over="ignore", invalid="ignore"):
            after = weights + rate * ((d - expit(x @ weights)) @ x)
            value = _log_likelihood(x, d, after)
        if not np.isfinite(value):  # the next weights are too large for float64
            break
        weights = after
        trace.append(value)
    log_likelihood = np.array(trace)
    if (np.diff(log_likelihood) < -1e-9 * np.abs(log_likelihood[1:])).any():
        tell(
            f"The log likelihood fell on the way: learning_rate={learning_rate!r} is too large. "
            "Use a smaller one, or None."
        )
    return SigmoidUnit(weights, log_likelihood)


def _log_likelihood(x: Array, d: Array, weights: Array) -> float:
    """Sum of d ln h + (1 - d) ln(1 - h), where ln h = -ln(1 + exp(-w x))."""
    sums = x @ weights
    return float(-np.logaddexp(0.0, np.where(d == 1, -sums, sums)).sum())


def _safe_learning_rate(x: Array) -> float:
    squares = float((x**2).sum())
    return 4.0 / squares if squares > 0 else 1.0


def _checked_rows(inputs: ArrayLike, targets: ArrayLike) -> tuple[Array, Array]:
    x, d = as_numbers(inputs, "inputs"), as_numbers(targets, "targets")
    if x.ndim != 2 or d.shape != x.shape[:1] or not x.size:
        raise ValueError(
            "inputs must be an array (n_rows, n_inputs) and targets one number for each row, got "
            f"shapes {x.shape} and {d.shape}."
        )
    with np.errstate(over="ignore"):
        squares_are_finite = np.isfinite((x**2).sum())
    if not squares_are_finite:
        raise ValueError("inputs must be finite, and small enough that their squares are.")
    if not np.isin(d, (0, 1)).all():
        raise ValueError("targets must be 0 or 1: the probability of 1 is what the unit learns.")
    return x, d
