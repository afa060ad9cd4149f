"""Normal classes where cells may be gaps: the density of what was observed, whatever that is.

    log p(x) = sum over the observed j of log N(r_j; 0, v_j)

r_j is what x_j differs from what the features before it let expect, and v_j its variance given
these. An observed feature changes both for those that come after it,

    r_k <- r_k - C_kj r_j / v_j        C_kl <- C_kl - C_kj C_lj / v_j

and a gap changes nothing. So no marginal covariance has to be factored for each pattern of gaps.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bayesic.estimation.normal_density import LOG_TWO_PI
from bayesic.export._expressions import (
    Condition,
    Conditional,
    Expression,
    Function,
    IsGap,
    NameOf,
    Number,
    Quotient,
    Sum,
    Times,
    less,
    minus,
    total,
)
from bayesic.export._naive_bayes import SMALLEST_ROOT, outside
from bayesic.export._steps import Steps
from bayesic.kernels import Array

MOST_FEATURES = 10  # with more the steps become too wide

NOTHING = Number(0.0)


@dataclass(frozen=True, eq=False)
class FeaturesToCome:
    """What is expected, in one class, of the features that are still to come."""

    cells: Sequence[NameOf]
    spread: Sequence[float]
    residuals: Sequence[Expression]
    covariance: dict[tuple[int, int], Expression]  # of two features, the first one first

    def precision(self) -> Expression:
        """1 / v_j of the next feature, 0 for a gap."""
        inverse = Quotient(Number(1.0), self.covariance[0, 0])
        return Conditional(((IsGap(self.cells[0]), NOTHING),), inverse)

    def term(self, precision: NameOf) -> Expression:
        """log N(r_j; 0, v_j) of the next feature, 0 for a gap."""
        own, near = self.residuals[0], SMALLEST_ROOT * self.spread[0]
        square = Times((Number(-0.5), own, Times((own, precision))))
        log = Times((Number(0.5), Function("ln", precision)))
        half = Conditional(((outside(own, -near, near), square),), NOTHING)
        density = Sum((Number(-0.5 * LOG_TWO_PI), log, half))
        return Conditional(((IsGap(self.cells[0]), NOTHING),), density)

    def behind(self, precision: NameOf) -> list[Expression]:
        """The residuals of the features behind the next one, then their covariances."""
        n_features = len(self.cells)
        pulls = [Times((self.covariance[0, k], precision)) for k in range(n_features)]
        residuals = [
            less(self.residuals[k], Times((pulls[k], self.residuals[0])))
            for k in range(1, n_features)
        ]
        covariances = [
            less(known, Times((pulls[k], self.covariance[0, other])))
            for (k, other), known in self.covariance.items()
            if k > 0
        ]
        return [*residuals, *covariances]

    def moved_on(self, values: Sequence[Expression]) -> "FeaturesToCome":
        """The same for the features behind the next one, with what `behind` has given."""
        n_behind = len(self.cells) - 1
        pairs = [(k - 1, other - 1) for k, other in self.covariance if k > 0]
        covariance = dict(zip(pairs, values[n_behind:], strict=True))
        return FeaturesToCome(self.cells[1:], self.spread[1:], values[:n_behind], covariance)


def observed_log_densities(
    steps: Steps, cells: Sequence[NameOf], mean: Array, covariance: Array, far: Sequence[Condition]
) -> list[Expression]:
    """log p of what was observed of a row, in each class; of rows that are far any number."""
    classes = [_ahead(cells, *of_class) for of_class in zip(mean, covariance, far, strict=True)]
    terms: list[tuple[NameOf, ...]] = []
    for _ in cells:
        precisions = steps.let(*(ahead.precision() for ahead in classes))
        pairs = [*zip(classes, precisions, strict=True)]
        behind = [ahead.behind(precision) for ahead, precision in pairs]
        named = steps.let(
            *(ahead.term(precision) for ahead, precision in pairs),
            *(value for values in behind for value in values),
        )
        terms.append(named[: len(classes)])
        values = np.split(np.array(named[len(classes) :], object), len(classes))
        classes = [ahead.moved_on([*some]) for ahead, some in zip(classes, values, strict=True)]
    return [total([*of_class]) for of_class in zip(*terms, strict=True)]


def _ahead(
    cells: Sequence[NameOf], mean: Array, covariance: Array, far: Condition
) -> FeaturesToCome:
    """Before any feature was looked at."""
    residuals = [
        Conditional(((IsGap(cell), NOTHING), (far, NOTHING)), minus(cell, middle))
        for cell, middle in zip(cells, mean.tolist(), strict=True)
    ]
    pairs: dict[tuple[int, int], Expression] = {
        (k, other): Number(covariance[k, other].item())
        for k in range(len(cells))
        for other in range(k, len(cells))
    }
    return FeaturesToCome(cells, np.sqrt(np.diagonal(covariance)).tolist(), residuals, pairs)
