"""The likelihood of logistic regression: its value, its gradient, its curvature."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from bayesic.data.arguments import part
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, cells_per_row, dense_rows, sparse_rows
from bayesic.kernels import Array


class Weights(NamedTuple):
    """A linear score of each class: one row a class; with two classes, of the second alone."""

    coef: Array  # (n_outputs, n_features)
    intercept: Array  # (n_outputs,)


@dataclass(frozen=True, eq=False)
class LogisticProblem:
    """Rows, their classes and what large weights cost: all that the best weights depend on.

        log P(c | x) = w_c x + b_c - log sum over k of exp(w_k x + b_k)

    With two classes the first has the score 0, which makes P(second | x) the sigmoid of the other
    score. What is to be as large as possible is the log likelihood minus a penalty,

        sum over i of s_i log P(c_i | x_i)  -  |w|^2 / (2 C)

    which is the log posterior of the weights under a normal prior of variance C. The intercept b
    is free.
    """

    X: Matrix
    codes: Array  # (n_rows,)  number of the class of each row
    n_classes: int
    weights: Array | None  # (n_rows,)  s, one each if None
    penalty: float  # 1 / C
    fit_intercept: bool

    @property
    def n_outputs(self) -> int:
        """How many scores are learned."""
        return 1 if self.n_classes == 2 else self.n_classes

    @property
    def total_weight(self) -> float:
        """The weight of all rows."""
        return float(len(self.codes) if self.weights is None else self.weights.sum())

    def value_and_gradient(self, at: Weights) -> tuple[float, Weights]:
        """The penalised log likelihood and its gradient.

            d/dw_c = sum over i of s_i (d_ic - h_ic) x_i - w_c / C          [Mitchell] section 6.5

        d is 1 for the class of the row and 0 for the others, h its probability.

        >>> rows = np.array([[1.0], [3.0]]), np.array([0, 1])
        >>> problem = LogisticProblem(*rows, 2, None, penalty=0.0, fit_intercept=True)
        >>> value, gradient = problem.value_and_gradient(Weights(np.zeros((1, 1)), np.zeros(1)))
        >>> np.exp(value).round(4), gradient.coef  # d - h is -1/2 and 1/2
        (np.float64(0.25), array([[1.]]))
        """

        def of_block(rows: slice) -> tuple[float, Array, Array]:
            values, share = rows_of(self.X, rows), part(self.weights, rows)
            codes, each = self.codes[rows], np.arange(rows.stop - rows.start)
            probability, log_total, own = _shares(values, at, codes)
            residual = np.negative(probability, out=probability)
            residual[codes, each] += 1.0
            log_probability = own - log_total
            if share is not None:
                residual *= share
                log_probability *= share
            residual = residual[-self.n_outputs :]
            return float(log_probability.sum()), residual @ values, residual.sum(axis=1)

        value, coef, intercept = self._summed(of_block)
        # the root first: weights whose squares overflow cost nothing where there is no penalty
        value -= 0.5 * float(((np.sqrt(self.penalty) * at.coef) ** 2).sum())
        return value, self._free(Weights(coef - self.penalty * at.coef, intercept))

    def curvature(self, at: Weights, along: Weights) -> Weights:
        """How fast the gradient changes at these weights along a direction, with a minus sign.

            sum over i of s_i h_ic (t_ic - sum over k of h_ik t_ik) x_i + v_c / C

        where t_ic = v_c x_i + u_c is the change of the score of class c.
        """

        def of_block(rows: slice) -> tuple[float, Array, Array]:
            values, share = rows_of(self.X, rows), part(self.weights, rows)
            probability, _, _ = _shares(values, at, self.codes[rows])
            change = class_scores(values, along)
            change -= (probability * change).sum(axis=0)
            change *= probability
            if share is not None:
                change *= share
            change = change[-self.n_outputs :]
            return 0.0, change @ values, change.sum(axis=1)

        _, coef, intercept = self._summed(of_block)
        return self._free(Weights(coef + self.penalty * along.coef, intercept))

    def spread_of_classes(self, at: Weights, least: float) -> Array:
        """What each row gives to the curvature of a class, the mean over the classes.

            s_i * sum over c of h_ic (1 - h_ic) / (K - 1),  with two classes divided by 2

        This is s_i / 4 for two classes of the same probability, and s_i / K for K of them. It is
        never below s_i times `least`.
        """
        divisor = max(2, self.n_classes - 1)

        def of_block(rows: slice) -> Array:
            probability, _, _ = _shares(rows_of(self.X, rows), at, self.codes[rows])
            spread = (probability * (1.0 - probability)).sum(axis=0) / divisor
            return np.maximum(spread, least)

        spread = np.concatenate([*in_threads(of_block, blocks_of(self.X, self.n_classes))])
        return spread if self.weights is None else spread * self.weights

    def right_answers(self, at: Weights) -> bool:
        """Whether every row has its own class as the only best one."""

        def of_block(rows: slice) -> bool:
            scores = class_scores(rows_of(self.X, rows), at)
            each = self.codes[rows], np.arange(rows.stop - rows.start)
            own = scores[each].copy()
            scores[each] = -np.inf
            right = own > scores.max(axis=0)
            share = part(self.weights, rows)
            return bool((right if share is None else right | (share == 0)).all())

        return all(in_threads(of_block, blocks_of(self.X, self.n_classes)))

    def _free(self, gradient: Weights) -> Weights:
        """The gradient, with none for an intercept that is not learned."""
        return gradient if self.fit_intercept else Weights(gradient.coef, np.zeros(self.n_outputs))

    def _summed(
        self, of_block: Callable[[slice], tuple[float, Array, Array]]
    ) -> tuple[float, Array, Array]:
        """Value and gradient of all blocks, added in their order."""
        value, n_features = 0.0, self.X.shape[1]
        coef, intercept = np.zeros((self.n_outputs, n_features)), np.zeros(self.n_outputs)
        for block_value, block_coef, block_intercept in in_threads(
            of_block, blocks_of(self.X, self.n_classes)
        ):
            value += block_value
            coef += block_coef
            intercept += block_intercept
        return value, coef, intercept


def rows_of(X: Matrix, rows: slice) -> Matrix:
    """These rows as float64, sparse if X is."""
    return sparse_rows(X, rows) if sparse.issparse(X) else dense_rows(X, rows)


def blocks_of(X: Matrix, n_classes: int) -> list[slice]:
    """Blocks of rows to work on side by side."""
    return row_blocks(X.shape[0], max(cells_per_row(X), n_classes))


def class_scores(values: Matrix, at: Weights) -> Array:
    """The score of each class, (n_classes, n_rows); of two classes the first has 0.

    >>> class_scores(np.array([[1.0, 3.0]]), Weights(np.array([[2.0, 1.0]]), np.array([-1.0])))
    array([[0.],
           [4.]])
    """
    scores = np.add((values @ at.coef.T).T, at.intercept[:, None], order="C")
    return np.vstack([np.zeros_like(scores), scores]) if len(scores) == 1 else scores


def _shares(values: Matrix, at: Weights, codes: Array) -> tuple[Array, Array, Array]:
    """Probability of each class; the log of their sum before it was made 1; own scores."""
    scores = class_scores(values, at)
    scores -= scores.max(axis=0)
    own = scores[codes, np.arange(len(codes))]
    probability = np.exp(scores, out=scores)
    total = probability.sum(axis=0)
    probability /= total
    return probability, np.log(total), own
