"""The estimators of arrays: features that are normal, counted, present or categories."""

import numpy as np

from bayesic.export._expressions import (
    NEVER,
    Conditional,
    Expression,
    IsGap,
    NameOf,
    Number,
    Relation,
    Times,
)
from bayesic.export._naive_bayes import Terms, level_table, normal_log_density, summed
from bayesic.export._steps import Steps
from bayesic.kernels import Array
from bayesic.models.arrays.bernoulli import PresentFeatures
from bayesic.models.arrays.categorical import CategoricalFeatures
from bayesic.models.arrays.multinomial import CountedFeatures
from bayesic.models.normal.gaussian import NormalColumns
from bayesic.models.normal.gaussian_bayes import UncorrelatedClasses

NOTHING = Number(0.0)


def normal_scores(fitted: NormalColumns | UncorrelatedClasses, steps: Steps) -> list[Expression]:
    """log P(c) + sum over the features of log N(x_j; mean, variance)."""
    columns = [
        [
            normal_log_density(cell, *each, len(steps.columns))
            for each in zip(mean.tolist(), variance.tolist(), strict=True)
        ]
        for cell, mean, variance in zip(
            steps.numbers(), fitted.mean.T, fitted.variance.T, strict=True
        )
    ]
    return summed(_log_prior(fitted), columns)


def counted_scores(fitted: CountedFeatures, steps: Steps) -> list[Expression]:
    """The log prior, if it counts, + sum over the features of x_t w_ct."""
    if np.isposinf(fitted.weights).any():
        raise ValueError(
            "Finite weights can be exported, but with alpha=0 ComplementNB has features of "
            "infinite weight. Set alpha above 0."
        )
    counts = steps.let(*(Conditional(((IsGap(cell), NOTHING),), cell) for cell in steps.numbers()))
    weights = fitted.weights.T.tolist()
    columns = [
        [_occurrences(count, weight) for weight in of_feature]
        for count, of_feature in zip(counts, weights, strict=True)
    ]
    return summed(_log_prior(fitted), columns)


def _occurrences(count: NameOf, weight: float) -> Expression:
    if weight == NEVER:
        return Conditional(((Relation(count, ">", NOTHING), Number(NEVER)),), NOTHING)
    return Times((Number(weight), count))


def present_scores(fitted: PresentFeatures, steps: Steps) -> list[Expression]:
    """log P(c) + log p of each feature that is present, log (1 - p) of each that is absent."""
    if fitted.binarize is None:
        raise ValueError(
            "Features that are present or absent can be exported, but binarize=None allows "
            "degrees between. Set binarize to a number, such as 0.5."
        )
    least = Number(float(fitted.binarize))
    both = (logs.T.tolist() for logs in fitted.log_probability)
    columns = [
        [
            Conditional(
                ((IsGap(cell), Number(0.0)), (Relation(cell, ">", least), Number(present))),
                Number(absent),
            )
            for present, absent in zip(*of_feature, strict=True)
        ]
        for cell, *of_feature in zip(steps.numbers(), *both, strict=True)
    ]
    return summed(_log_prior(fitted), columns)


def category_scores(fitted: CategoricalFeatures, steps: Steps) -> list[Expression]:
    """log P(c) + the log share of the category of each feature."""
    tables = np.split(fitted.log_table, fitted.first[1:-1])
    keys = [
        (cell, level_table(tuple(map(float, range(len(table) - 1))), table))
        for cell, table in zip(steps.numbers(), tables, strict=True)
    ]
    columns: list[Terms] = [*steps.entries(keys)]
    return summed(_log_prior(fitted), columns)


def _log_prior(fitted: object) -> Array:
    prior = fitted.prior  # type: ignore[attr-defined]  # of every fitted object
    return prior.in_scores(prior.log)
