"""Classes with boundaries that are straight or quadratic: LDA, QDA, Gaussian Bayes, logistic."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from bayesic.estimation.normal_density import LOG_TWO_PI, Normals
from bayesic.export._class_answers import within
from bayesic.export._expressions import (
    NEVER,
    AnyOf,
    Condition,
    Conditional,
    Expression,
    Gap,
    IsGap,
    NameOf,
    Number,
    Relation,
    Sum,
    Times,
    minus,
    total,
)
from bayesic.export._naive_bayes import LARGEST_ROOT, SMALLEST_ROOT, outside
from bayesic.export._normal_gaps import MOST_FEATURES, observed_log_densities
from bayesic.export._steps import Steps
from bayesic.kernels import Array
from bayesic.models.linear.logistic import LinearScores
from bayesic.models.normal.linear_classes import LinearClasses
from bayesic.models.normal.normal_classes import NormalClasses

LARGEST_SCORE = 1e307


def discriminant_scores(fitted: LinearClasses, steps: Steps) -> list[Expression]:
    """log P(c) - 1/2 (mean_c - centre) . slope_c + (x - centre) . slope_c"""
    rule = fitted.rule
    constant = -0.5 * np.einsum("ij,ij->i", fitted.mean - rule.centre, rule.slope)
    return _linear(steps, rule.slope, rule.centre, constant + fitted.prior.log)


def logistic_scores(fitted: LinearScores, steps: Steps) -> list[Expression]:
    """w_c x + b_c"""
    coef, intercept = fitted.weights.coef, fitted.prior.log
    if len(coef) < len(intercept):  # of two classes the first has zeros
        coef = np.concatenate([0 * coef, coef])
    return _linear(steps, coef, np.zeros(len(steps.columns)), intercept)


def _linear(steps: Steps, slope: Array, centre: Array, constant: Array) -> list[Expression]:
    """constant_c + (x - centre) . slope_c, slope (n_classes, n_features); a gap makes it a gap."""
    steepest = np.maximum(np.abs(slope).max(axis=0, initial=0.0), 1.0) * len(steps.columns)
    cells = steps.let(
        *(
            minus(within(cell, largest), middle)
            for cell, largest, middle in zip(
                steps.numbers(), (LARGEST_SCORE / steepest).tolist(), centre.tolist(), strict=True
            )
        )
    )
    return [
        Sum(
            (
                Number(start),
                *(Times((Number(w), cell)) for w, cell in zip(weights, cells, strict=True)),
            )
        )
        for start, weights in zip(constant.tolist(), slope.tolist(), strict=True)
    ]


def quadratic_scores(fitted: NormalClasses, steps: Steps) -> list[Expression]:
    """log P(c) + log N(x; mean_c, Sigma_c); so far out that a square overflows it is -inf."""
    cells, normals = steps.numbers(), fitted.normals
    flags = steps.let(*map(partial(_is_far, cells), normals.mean, normals.whitening))
    far = [Relation(flag, "=", Number(1)) for flag in flags]
    cases: list[tuple[Condition, Expression]] = []
    if fitted.refuses_gaps is None and len(cells) <= MOST_FEATURES:
        logs = observed_log_densities(steps, cells, normals.mean, normals.covariance, far)
    else:
        logs = _log_densities(steps, cells, normals, far)
        cases = [(AnyOf(tuple(map(IsGap, cells))), Gap())]
    return [
        Conditional((*cases, (is_far, Number(NEVER))), Sum((Number(constant), log)))
        for constant, is_far, log in zip(fitted.prior.log.tolist(), far, logs, strict=True)
    ]


def _log_densities(
    steps: Steps, cells: Sequence[NameOf], normals: Normals, far: Sequence[Condition]
) -> list[Expression]:
    """log N(x; mean_c, Sigma_c): half the squares of what is whitened, and a constant."""
    constants = -normals.log_scale.sum(axis=1) - 0.5 * len(cells) * LOG_TWO_PI
    logs = []
    for is_far, mean, whitening, constant in zip(
        far, normals.mean, normals.whitening, constants.tolist(), strict=True
    ):
        whitened = steps.let(
            *(
                Conditional(((is_far, Number(0.0)),), _whitened(cells, mean, weights))
                for weights in whitening.T
            )
        )
        logs.append(total([Number(constant), *map(_half_square, whitened)]))
    return logs


def _is_far(cells: Sequence[NameOf], mean: Array, whitening: Array) -> Expression:
    """1 if a square would overflow, else 0."""
    far = LARGEST_ROOT / len(cells) / np.maximum(np.abs(whitening).max(axis=1), SMALLEST_ROOT)
    ends = np.clip([mean - far, mean + far], -1.7e308, 1.7e308).T.tolist()
    is_far = AnyOf(tuple(outside(cell, *end) for cell, end in zip(cells, ends, strict=True)))
    return Conditional(((is_far, Number(1)),), Number(0))


def _whitened(cells: Sequence[NameOf], mean: Array, weights: Array) -> Expression:
    return total(
        [
            Times((Number(weight), minus(cell, middle)))
            for cell, middle, weight in zip(cells, mean.tolist(), weights.tolist(), strict=True)
            if weight != 0
        ]
    )


def _half_square(value: NameOf) -> Expression:
    """-1/2 z^2; 0 where that is too small a number."""
    square = Times((Number(-0.5), value, value))
    return Conditional(((outside(value, -SMALLEST_ROOT, SMALLEST_ROOT), square),), Number(0.0))
