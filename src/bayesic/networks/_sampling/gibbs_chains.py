"""Gibbs sampling: chains that walk through the states, one variable at a time."""

from collections.abc import Iterator
from types import ModuleType

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.kernels import Array, pick
from bayesic.kernels.network_sampling import VariableGroups
from bayesic.networks._sampling.forward import (
    DRAWS_PER_BLOCK,
    Purpose,
    drawn_rows,
    rows_per_block,
    stream,
    uniforms,
)
from bayesic.networks._sampling.sampling_plan import SamplingPlan
from bayesic.networks._sampling.weighting import Estimate

# Chains that start apart and never meet: their means are independent, so the spread of the means
# tells the error also of chains that hardly move. Like the blocks they are part of what a seed
# means.
CHAINS_PER_BLOCK, N_BLOCKS = 16, 4
N_CHAINS = CHAINS_PER_BLOCK * N_BLOCKS

LEAST_BURN_IN = 100
MOST_STARTING_ROWS = 100_000  # in which a block of chains looks for its starts


def gibbs_estimate(
    plan: SamplingPlan, groups: VariableGroups, samples: int, seed: int
) -> Estimate | None:
    """Means over 64 chains, with standard errors; None where no start agrees with the evidence.

    In a sweep each variable that was not observed is drawn given its Markov blanket ([KF] section
    12.3). Every chain starts at a row of likelihood weighting, chosen by weight. Its first
    sweeps, a tenth and at least 100, are not counted. With m_k the mean of chain k of K:

        p = mean of m_k,   error^2 = sum over k of (m_k - p)^2 / (K (K - 1))
        effective samples = sum over cells of p (1 - p) / sum over cells of error^2

    Zeros in tables can lock a chain in: if A and B must be equal, neither can change alone. Then
    each chain is worth one sample, and the error and the effective samples say so.
    """
    if plan.log_largest == -np.inf:
        return None
    n_sweeps = -(-samples // N_CHAINS)
    burn_in = max(LEAST_BURN_IN, n_sweeps // 10)
    kernels = pick("network_sampling", (burn_in + n_sweeps) * N_CHAINS * _steps_of_a_sweep(plan))

    def means_of_block(block: int) -> Array:
        states = _starts(plan, kernels, seed, block)
        generator = stream(seed, Purpose.CHAINS, block)
        for _ in _swept(plan, kernels, generator, states, burn_in):
            pass
        counts = np.zeros((states.shape[1], groups.first_cell[-1]))
        for visited in _swept(plan, kernels, generator, states, n_sweeps):
            _count(groups, kernels, visited, counts)
        return counts / n_sweeps

    means = np.concatenate(list(in_threads(means_of_block, range(N_BLOCKS))))
    return _estimate(groups, means, samples) if len(means) > 1 else None


def _steps_of_a_sweep(plan: SamplingPlan) -> int:
    """The work for one chain: each state is looked up in the tables of variable and children."""
    return int(plan.families.sizes @ (1 + np.diff(plan.families.first_child)))


def _estimate(groups: VariableGroups, means: Array, samples: int) -> Estimate:
    shares = means.mean(axis=0)
    errors = means.std(axis=0, ddof=1) / np.sqrt(len(means))
    starts = groups.first_cell[:-1]
    spread = np.add.reduceat(shares * (1.0 - shares), starts)
    square_error = np.add.reduceat(errors**2, starts)
    # Without any error (all samples are the same), and where chance would make more of the samples
    # than there are, they are worth what they are.
    is_less = spread < samples * square_error
    effective = np.divide(
        spread, square_error, out=np.full(len(starts), float(samples)), where=is_less
    )
    return Estimate(shares, errors, effective)


def _starts(plan: SamplingPlan, kernels: ModuleType, seed: int, block: int) -> Array:
    """States for the chains of a block, int64 (n_variables, n_chains).

    Each chain has rows of its own to choose from, so no two chains share a start. A chain whose
    rows all contradict the evidence is left out.
    """
    n_rows = max(1, rows_per_block(len(plan.variables)) // CHAINS_PER_BLOCK)  # for each chain
    states = np.empty((len(plan.variables), CHAINS_PER_BLOCK), np.int64)
    waiting = np.ones(CHAINS_PER_BLOCK, bool)
    for attempt in range(-(-MOST_STARTING_ROWS // (n_rows * CHAINS_PER_BLOCK))):
        generator = stream(seed, Purpose.STARTS, block, attempt)
        rows = drawn_rows(plan, kernels, generator, n_rows * CHAINS_PER_BLOCK)
        log_weight = rows.log_weight.reshape(CHAINS_PER_BLOCK, n_rows)
        # the largest of log w + Gumbel noise is at a row with probability w / sum of w
        best = (log_weight + generator.gumbel(size=log_weight.shape)).argmax(axis=1)
        chosen = np.arange(CHAINS_PER_BLOCK) * n_rows + best
        starting = waiting & (rows.log_weight[chosen] > -np.inf)
        states[:, starting] = rows.codes[:, chosen[starting]]
        waiting &= ~starting
        if not waiting.any():
            break
    return np.ascontiguousarray(states[:, ~waiting])


def _count(groups: VariableGroups, kernels: ModuleType, visited: Array, counts: Array) -> None:
    """Add the sweeps that each chain has spent in each cell to counts, (n_chains, n_cells)."""
    ones = np.ones(visited.shape[2])
    for codes, count in zip(visited, counts, strict=True):
        kernels.add_weights(groups, codes, ones, count)


def _swept(
    plan: SamplingPlan,
    kernels: ModuleType,
    generator: np.random.Generator,
    states: Array,
    n_sweeps: int,
) -> Iterator[Array]:
    """Move the chains, and give the states after each sweep, some sweeps at a time."""
    n_variables, n_chains = states.shape
    free = np.flatnonzero((plan.evidence.states < 0) & (plan.families.sizes > 1))
    step = max(1, DRAWS_PER_BLOCK // max(1, n_chains * n_variables))
    for start in range(0, n_sweeps, step):
        draws = uniforms(generator, (min(step, n_sweeps - start), len(free), n_chains))
        visited = np.empty((n_chains, n_variables, len(draws)), np.int64)
        kernels.sweep_chains(plan.families, plan.evidence, free, draws, states, visited)
        yield visited
