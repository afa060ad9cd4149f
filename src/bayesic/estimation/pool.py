"""The log-linear pool: a weighted combination of several predictions of each row's class."""

from dataclasses import dataclass

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.blas import one_blas_thread
from bayesic.kernels.rounding import EPSILON

# The least log probability of an opinion that counts: one badly wrong row must not determine the
# weight of a member.
LEAST_LOG = -9.0

# The weight, in rows, of the pull towards equal weights.
PRIOR_ROWS = 10.0

# A member whose log probabilities vary less than this between rows does not depend on the rows.
SILENCE = 0.05

_MOST_STEPS, _LAST_STEPS = 200, 4
_HIDDEN = 1e-11  # a gain below this share of the value may be rounding
_LEAST_STEP = 2.0**-40
_SUFFICIENT = 1e-4  # share of the predicted gain that a step must reach [Nocedal] eq. 3.4
_NEAR_ZERO = 1e-3  # weights so close to 0 are fixed there if the gradient points below 0


def log_softmax(scores: Array) -> Array:
    """Log of the shares of exp(scores), over the last axis.

    >>> np.exp(log_softmax(np.log([1.0, 3.0])))
    array([0.25, 0.75])
    """
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


@dataclass(frozen=True, eq=False)
class Pool:
    """P(c | x)  ~  exp(b_c + sum over m of w_m log p_m(c | x)),  w_m >= 0, sum of b_c = 0.

    A weighted geometric mean of opinions, if the weights sum to 1 ([GenestZidek]).

    >>> rain, sun = np.log([[0.8, 0.2]]), np.log([[0.5, 0.5]])
    >>> pool = Pool(np.array([0.5, 0.5]), np.zeros(2))
    >>> np.exp(pool.log_proba(np.stack([rain, sun]))).round(4)  # odds of sqrt(4 * 1)
    array([[0.6667, 0.3333]])
    """

    weights: Array  # (n_members,)
    bias: Array  # (n_classes,)
    least_log: float = LEAST_LOG  # lower log p are replaced by this

    def log_proba(self, log_probabilities: Array) -> Array:
        """log P(c | x) of each row from those of the members, (n_members, n_rows, n_classes)."""
        return log_softmax(self.scores(log_probabilities))

    def scores(self, log_probabilities: Array) -> Array:
        """b_c + sum over m of w_m log p_m(c | x), which is not normalised."""
        # member by member: a row's bits do not depend on the rows around it
        scores = np.tile(self.bias, (log_probabilities.shape[1], 1))
        for weight, opinion in zip(self.weights, log_probabilities, strict=True):
            if weight > 0:  # 0 times -inf would be NaN
                scores += weight * np.maximum(opinion, self.least_log)
        return scores


def pool_weights(
    log_probabilities: Array,
    codes: Array,
    row_weights: Array | None = None,
    *,
    toward: float | Array | None = None,
    prior_rows: float = PRIOR_ROWS,
    with_bias: bool = True,
    least_log: float = LEAST_LOG,
) -> Pool:
    """The pool under which the classes of these rows are most probable.

        sum over i of s_i log P(c_i | x_i)  -  r / 2 (sum over m of (w_m - v)^2 + sum of b_c^2)

    is maximised, w_m >= 0. It is strictly concave, so there is one best pool, whatever the order of
    rows and members. v is the prior weight, and r the number of rows that the pull towards it
    counts for, if their log odds are about 1. So few rows give equal weights, and a member that is
    given twice shares its weight. This is stacking [Wolpert] in logs, by predictions of rows that
    the members have not learned.

    log_probabilities : (n_members, n_rows, n_classes), log p_m(c | x_i); they need not sum to one
    codes : (n_rows,), the class of each row
    row_weights : (n_rows,), s; one each if None
    toward : v, or v of each member; None for the mean of the members: 1 / n_members each, except
        v = 0 for members that predict the same for all rows, as the prior does: the bias does that
    prior_rows : r, above 0
    with_bias : whether the classes have a bias b; otherwise it is 0
    least_log : lower log p are replaced by this

    The weights are found by projected Newton steps ([Bertsekas]): the curvature is exact, and
    weights with a gradient towards below 0 are fixed at 0.

    >>> expert = np.log([[0.8, 0.2]] * 10 + [[0.2, 0.8]] * 10)  # and is right in 8 of 10 rows
    >>> coin = np.log([[0.6, 0.4], [0.4, 0.6]] * 10)
    >>> codes = np.array([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    >>> pool_weights(np.stack([expert, coin]), codes).weights.round(2)
    array([0.71, 0.47])
    >>> many = np.repeat(np.stack([expert, coin]), 100, axis=1)
    >>> pool_weights(many, np.repeat(codes, 100)).weights.round(2)
    array([0.99, 0.08])
    """
    opinions = np.maximum(np.asarray(log_probabilities, dtype=np.float64), least_log)
    n_members, n_rows, n_classes = opinions.shape
    each = np.ones(n_rows) if row_weights is None else np.asarray(row_weights, dtype=np.float64)
    if toward is None:
        toward = equal_weights(opinions, each)
    start = np.broadcast_to(np.asarray(toward, dtype=np.float64), n_members)
    problem = _Problem(opinions, codes, each, start, prior_rows, with_bias)
    with one_blas_thread():
        best = _best_point(problem)
    bias = best[n_members:] if with_bias else np.zeros(n_classes)
    return Pool(best[:n_members], bias - bias.mean(), least_log)


def equal_weights(log_probabilities: Array, row_weights: Array) -> Array:
    """The same weight for each member whose predictions vary between rows; they sum to 1.

    If those of no member vary, as with a single row, all members have the same weight.

    >>> prior, expert = np.log([[0.5, 0.5], [0.5, 0.5]]), np.log([[0.9, 0.1], [0.2, 0.8]])
    >>> equal_weights(np.stack([prior, expert, expert]), np.ones(2))
    array([0. , 0.5, 0.5])
    """
    total = row_weights.sum()
    among_classes = log_probabilities - log_probabilities.mean(axis=2, keepdims=True)
    share = row_weights[:, None] / (total if total > 0 else 1.0)
    mean = (share * among_classes).sum(axis=1, keepdims=True)
    spread = (share * (among_classes - mean) ** 2).sum(axis=1).mean(axis=1)
    varies = spread > SILENCE**2
    return (varies if varies.any() else np.ones_like(varies)) / (varies.sum() or len(varies))


@dataclass(frozen=True, eq=False)
class _Problem:
    """The function to minimise; a point is the weights, followed by the biases if there are any."""

    opinions: Array  # (n_members, n_rows, n_classes)
    codes: Array
    row_weights: Array
    toward: Array  # (n_members,)
    prior_rows: float
    with_bias: bool

    @property
    def start(self) -> Array:
        return np.append(self.toward, np.zeros(self.with_bias * self.opinions.shape[2]))

    def log_proba(self, point: Array) -> Array:
        n_members, n_rows, n_classes = self.opinions.shape
        scores = point[:n_members] @ self.opinions.reshape(n_members, -1)
        scores = scores.reshape(n_rows, n_classes)
        if self.with_bias:
            scores += point[n_members:]
        return log_softmax(scores)

    def value(self, point: Array) -> float:
        own = self.log_proba(point)[np.arange(len(self.codes)), self.codes]
        away = point - self.start
        return float(0.5 * self.prior_rows * (away @ away) - self.row_weights @ own)

    def gradient_and_curvature(self, point: Array) -> tuple[Array, Array]:
        """Both, with h_ic = P(c | x_i) and the opinions centred by it, l_mic - E_i l_m.

        d/dw_m = sum over i, c of s_i (h_ic - d_ic) l_mic + r (w_m - v)
        d2/dw_m dw_n = sum over i, c of s_i h_ic (l_mic - E_i l_m) (l_nic - E_i l_n) + r [m = n]
        """
        n_members = len(self.opinions)
        probability = np.exp(self.log_proba(point))
        share = probability * self.row_weights[:, None]
        residual = share.copy()
        residual[np.arange(len(self.codes)), self.codes] -= self.row_weights
        gradient = self.opinions.reshape(n_members, -1) @ residual.ravel()
        mean = np.einsum("mic,ic->mi", self.opinions, probability)
        centred = self.opinions - mean[:, :, None]
        shared = centred * share
        curvature = centred.reshape(n_members, -1) @ shared.reshape(n_members, -1).T
        if self.with_bias:
            across = shared.sum(axis=1)
            of_bias = np.diag(share.sum(axis=0)) - share.T @ probability
            gradient = np.append(gradient, residual.sum(axis=0))
            curvature = np.block([[curvature, across], [across.T, of_bias]])
        gradient += self.prior_rows * (point - self.start)
        return gradient, curvature + self.prior_rows * np.eye(len(point))


def _best_point(problem: _Problem) -> Array:
    """The point of least value with weights of 0 or more and any biases."""
    point = problem.start
    least = np.where(np.arange(len(point)) < len(problem.toward), 0.0, -np.inf)
    value = problem.value(point)
    n_last = 0
    for _ in range(_MOST_STEPS):
        gradient, curvature = problem.gradient_and_curvature(point)
        moved = np.abs(point - np.maximum(point - gradient, least)).max()
        fixed = (point <= least + min(_NEAR_ZERO, moved)) & (gradient > 0)
        step = _newton_step(gradient, curvature, fixed, least - point)
        if -float(gradient @ step) > _HIDDEN * (1.0 + abs(value)):
            point, value = _downhill(problem, point, value, step, gradient, least)
            continue
        # rounding may hide the remaining gain, but not its direction: a few last steps are taken
        # without comparing values
        after, n_last = np.maximum(point + step, least), n_last + 1
        if n_last == _LAST_STEPS or np.abs(after - point).max() <= 4 * EPSILON:
            return after
        point, value = after, problem.value(after)
    return point


def _newton_step(gradient: Array, curvature: Array, fixed: Array, to_bound: Array) -> Array:
    """The step to the minimum of the parabola in the free coordinates; the others go to 0."""
    step = np.where(fixed, to_bound, 0.0)
    free = np.flatnonzero(~fixed)
    step[free] = np.linalg.solve(curvature[np.ix_(free, free)], -gradient[free])
    return step


def _downhill(
    problem: _Problem, point: Array, value: float, step: Array, gradient: Array, least: Array
) -> tuple[Array, float]:
    """Backtracking: all, half, a quarter, ... of the step, cut off at weights of 0."""
    length = 1.0
    while length > _LEAST_STEP:
        after = np.maximum(point + length * step, least)
        now = problem.value(after)
        if now <= value + _SUFFICIENT * float(gradient @ (after - point)):
            return after, now
        length /= 2
    return point, value
