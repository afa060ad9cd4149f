"""Likelihood weighting and rejection: estimates from rows that are drawn one by one."""

from functools import reduce
from typing import NamedTuple

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.kernels import Array, pick
from bayesic.kernels.network_sampling import VariableGroups
from bayesic.networks._sampling.forward import (
    Purpose,
    SampleBlock,
    blocks_of,
    drawn_rows,
    kept_rows,
    stream,
)
from bayesic.networks._sampling.sampling_plan import SamplingPlan


class Estimate(NamedTuple):
    """Probabilities of the cells of all groups, and how good they are."""

    probabilities: Array  # float64 (n_cells,)
    errors: Array  # float64 (n_cells,)
    effective_samples: Array  # float64 (n_groups,)


class WeightSums(NamedTuple):
    """Sums of weights and of their squares, divided by exp(log_scale) and its square."""

    log_scale: float
    total: float
    total_square: float
    weights: Array  # (n_cells,)  of the rows in each cell
    squares: Array  # (n_cells,)

    def scaled(self, log_scale: float) -> "WeightSums":
        """The same sums on a larger scale."""
        ratio = float(np.exp(self.log_scale - log_scale))
        return WeightSums(
            log_scale,
            self.total * ratio,
            self.total_square * ratio**2,
            self.weights * ratio,
            self.squares * ratio**2,
        )


def _added(one: WeightSums, other: WeightSums) -> WeightSums:
    """The sums over the rows of both."""
    log_scale = max(one.log_scale, other.log_scale)
    if log_scale == -np.inf:
        return one  # both are 0
    one, other = one.scaled(log_scale), other.scaled(log_scale)
    return WeightSums(
        log_scale,
        one.total + other.total,
        one.total_square + other.total_square,
        one.weights + other.weights,
        one.squares + other.squares,
    )


def _weight_sums(
    plan: SamplingPlan, groups: VariableGroups, samples: int, seed: int, keep: bool
) -> WeightSums:
    """Sums over rows with their weights, or (keep) with weight 1 over those that are kept."""
    kernels = pick("network_sampling", samples * plan.n_steps)

    def of_block(block: SampleBlock) -> WeightSums:
        rows = drawn_rows(plan, kernels, stream(seed, Purpose.ROWS, block.number), block.n_rows)
        if keep:
            kept = kept_rows(plan, rows, stream(seed, Purpose.KEEPING, block.number))
            log_scale, weights = 0.0, kept.astype(np.float64)
        else:
            log_scale = float(rows.log_weight.max())
            # log weights of -inf throughout: not one row agrees with the evidence
            shift = log_scale if log_scale > -np.inf else 0.0
            weights = np.exp(rows.log_weight - shift)
        sums = np.zeros((2, groups.first_cell[-1]))
        kernels.add_weights(groups, rows.codes, weights, sums[0])
        kernels.add_weights(groups, rows.codes, weights**2, sums[1])
        return WeightSums(log_scale, float(weights.sum()), float((weights**2).sum()), *sums)

    return reduce(_added, in_threads(of_block, blocks_of(plan, samples)))


def weighted_estimate(
    plan: SamplingPlan, groups: VariableGroups, samples: int, seed: int, keep: bool = False
) -> Estimate | None:
    """Shares of the weight, with standard errors; None where no row agrees with the evidence.

    p = sum over rows in the cell of w / sum of w             [KF] section 12.3.2
    error^2 = sum of w^2 ([row in the cell] - p)^2 / (sum of w)^2
    effective samples = (sum of w)^2 / sum of w^2             [Liu] section 2.5.3
    """
    if plan.log_largest == -np.inf:
        return None
    sums = _weight_sums(plan, groups, samples, seed, keep)
    if sums.total == 0:
        return None
    shares = sums.weights / sums.total
    # two terms of which none is negative: nothing cancels
    outside = np.maximum(sums.total_square - sums.squares, 0.0)
    square_error = sums.squares * (1.0 - shares) ** 2 + outside * shares**2
    effective = sums.total**2 / sums.total_square
    return Estimate(
        shares,
        np.sqrt(square_error) / sums.total,
        np.full(len(groups.first_cell) - 1, effective),
    )
