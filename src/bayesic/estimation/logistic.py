"""The penalised likelihood of logistic regression: its value and its gradient."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from scipy import sparse

from bayesic.data.arguments import part
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.matrices import Matrix, cells_per_row, dense_rows, sparse_rows
from bayesic.kernels import Array

Result = TypeVar("Result")

_LEAST_CURVATURE = 1e-10  # of a row, as a share of its weight


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
    codes: Array  # (n_rows,)  index of the class of each row
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

        d is 1 for the class of the row and 0 for the others, h its probability. An intercept that
        is not learned has a gradient of 0.

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

        # the root first: weights whose squares overflow cost nothing where there is no penalty
        value = -0.5 * float(((np.sqrt(self.penalty) * at.coef) ** 2).sum())
        coef, intercept = -self.penalty * at.coef, np.zeros(self.n_outputs)
        for log_likelihood, of_coef, of_intercept in self._by_blocks(of_block):
            value += log_likelihood
            coef += of_coef
            intercept += of_intercept if self.fit_intercept else 0.0
        return value, Weights(coef, intercept)

    def row_curvature(self, at: Weights) -> Array:
        """What each row adds to the curvature of a class, the mean over the classes.

            s_i * sum over c of h_ic (1 - h_ic) / (K - 1),  with two classes divided by 2

        This is s_i / 4 for two equally probable classes, and s_i / K for K of them. It is never
        below s_i times 1e-10: a row of a class that is certain keeps a weight above rounding.
        """
        divisor = max(2, self.n_classes - 1)

        def of_block(rows: slice) -> Array:
            probability, _, _ = _shares(rows_of(self.X, rows), at, self.codes[rows])
            spread = (probability * (1.0 - probability)).sum(axis=0) / divisor
            return np.maximum(spread, _LEAST_CURVATURE)

        curvature = np.concatenate([*self._by_blocks(of_block)])
        return curvature if self.weights is None else curvature * self.weights

    def separated(self, at: Weights) -> bool:
        """Whether every row has its own class as the only best one."""

        def of_block(rows: slice) -> bool:
            scores = class_scores(rows_of(self.X, rows), at)
            each = self.codes[rows], np.arange(rows.stop - rows.start)
            own = scores[each].copy()
            scores[each] = -np.inf
            right = own > scores.max(axis=0)
            share = part(self.weights, rows)
            return bool((right if share is None else right | (share == 0)).all())

        return all(self._by_blocks(of_block))

    def _by_blocks(self, of_block: Callable[[slice], Result]) -> Iterator[Result]:
        return in_threads(of_block, blocks_of(self.X, self.n_classes))


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
