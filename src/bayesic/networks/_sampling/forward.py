"""Forward sampling: random rows that follow a network, drawn in blocks.

Every block of rows, and every block of chains, has a stream of random numbers of its own, made from
the seed, from what it is for, and from the number of the block. So what a seed gives does not
depend on threads.
"""

from collections.abc import Callable
from enum import IntEnum
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bayesic.data.arguments import check_whole_number
from bayesic.data.blocks import in_threads
from bayesic.data.states import States
from bayesic.kernels import Array, pick
from bayesic.networks._sampling.sampling_plan import SamplingPlan, sampling_plan
from bayesic.networks.variable_names import Given

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork

Writer = Callable[[Array, int], None]  # codes (n_variables, n_rows), and the row of the first

# Random numbers of one block: as many rows of a network as need about this many. It is part of
# what a seed means: another number gives other samples.
DRAWS_PER_BLOCK = 2**17

# With evidence: rows that are drawn at most for each row that is wanted; rows and states, a few
# seconds, after which so few kept rows end the search.
MOST_TRIES = 1_000
MOST_ROWS = 10**9
LEAST_TRIES, LEAST_STATES = 1_000_000, 150_000_000


# streams of random numbers --------------------------------------------------------------------


class Purpose(IntEnum):
    """What a stream is for; each has streams of its own."""

    ROWS = 0
    KEEPING = 1
    STARTS = 2
    CHAINS = 3


def stream(seed: int, purpose: Purpose, *block: int) -> np.random.Generator:
    """The stream of this block, independent of all others."""
    sequence = np.random.SeedSequence(seed, spawn_key=(purpose, *block))
    return np.random.Generator(np.random.PCG64DXSM(sequence))


def uniforms(generator: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Numbers in (0, 1]: without 0, so that a state of probability 0 never comes up."""
    draws = generator.random(shape)
    return np.subtract(1.0, draws, out=draws)


def rows_per_block(n_variables: int) -> int:
    """Rows that share a stream.

    >>> rows_per_block(37), rows_per_block(1_000_000)
    (3542, 1)
    """
    return max(1, DRAWS_PER_BLOCK // max(1, n_variables))


# rows -----------------------------------------------------------------------------------------


class SampledRows(NamedTuple):
    """States of all variables of a plan, and how well each row agrees with the evidence."""

    codes: Array  # int64 (n_variables, n_rows)
    log_weight: Array  # float64 (n_rows,)


class SampleBlock(NamedTuple):
    """Some of the rows, and the number of their stream."""

    number: int
    rows: slice

    @property
    def n_rows(self) -> int:
        """How many rows it has."""
        return self.rows.stop - self.rows.start


def blocks_of(plan: SamplingPlan, n_rows: int) -> list[SampleBlock]:
    """Blocks that cover n_rows rows: they depend on the plan alone, the last one may be short."""
    step = rows_per_block(len(plan.variables))
    return [
        SampleBlock(number, slice(start, min(n_rows, start + step)))
        for number, start in enumerate(range(0, n_rows, step))
    ]


def drawn_rows(
    plan: SamplingPlan, kernels: ModuleType, generator: np.random.Generator, n_rows: int
) -> SampledRows:
    """Rows in which observed variables have their states, and all others follow their parents.

    The weight of a row is P(evidence | its other states). Fewer rows are the first of more.
    """
    n_variables = len(plan.variables)
    rows = SampledRows(np.empty((n_variables, n_rows), np.int64), np.empty(n_rows))
    draws = uniforms(generator, (n_rows, n_variables))
    kernels.draw_rows(plan.families, plan.evidence, draws, *rows)
    return rows


def kept_rows(plan: SamplingPlan, rows: SampledRows, generator: np.random.Generator) -> Array:
    """Which rows to keep, so that those are samples of the posterior: bool (n_rows,).

    A row is kept with the probability w / (largest weight that a row can have): rejection
    sampling. Where all that leads to the evidence was observed, every row is kept.
    """
    draws = uniforms(generator, rows.log_weight.shape)
    return np.log(draws) <= rows.log_weight - plan.log_largest


# tables of rows -------------------------------------------------------------------------------


def forward_samples(
    net: "BeliefNetwork",
    n: int,
    seed: int = 0,
    given: Given = None,
    likelihoods: Given = None,
) -> dict[str, Array]:
    """Random rows of all variables: variable -> a column of its states, for pandas and polars.

    Each variable is drawn given its parents, parents first ([KF] section 12.1). With evidence the
    rows are samples of the posterior: rows are drawn, and kept as often as the evidence is
    probable there. The same seed gives the same rows, for any number of threads; a shorter sample
    is the beginning of a longer one.

    Columns of booleans, whole numbers and floats have their own type; texts are objects.

    >>> from bayesic.networks.network import BeliefNetwork
    >>> sky = BeliefNetwork(tables={"Sky": {"晴": 0.25, "雨": 0.75}, "Storm": {True: 0, False: 1}})
    >>> rows = forward_samples(sky, 1_000)
    >>> rows["Sky"][:3], (rows["Sky"] == "雨").mean(), rows["Storm"].any()
    (array(['雨', '雨', '雨'], dtype=object), np.float64(0.742), np.False_)
    """
    check_whole_number("n", n, least=0)
    check_not_endless("n", n)
    check_whole_number("seed", seed, least=0)
    plan = sampling_plan(net, given, likelihoods)
    values = {variable: state_values(net.states(variable)) for variable in net.variables}
    columns = {variable: np.empty(n, its.dtype) for variable, its in values.items()}

    def write(codes: Array, start: int) -> None:
        rows = slice(start, start + codes.shape[1])
        for variable, its_codes in zip(plan.variables, codes, strict=True):
            # no code is out of range: "clip" only spares the copy that "raise" makes
            values[variable].take(its_codes, out=columns[variable][rows], mode="clip")

    if not (plan.given or plan.soft):
        _write_rows(plan, n, seed, write)
    else:
        drawn, kept = _write_kept_rows(plan, n, seed, write)
        if kept < n:
            raise ValueError(
                f"{n:,} rows must agree with {plan.evidence_text()}, got {kept:,} of {drawn:,} "
                "that were drawn: the evidence is too rare. Ask for fewer rows, observe less, or "
                "ask for probabilities instead, with query(..., method='gibbs')."
            )
    return columns


def check_not_endless(name: str, given: int) -> None:
    """Refuse to draw more rows than can be drawn in a reasonable time."""
    if given > MOST_ROWS:
        raise ValueError(f"{name} must be at most {MOST_ROWS:,}, got {given:,}. Draw fewer rows.")


def state_values(states: States) -> Array:
    """The states as an array that pandas and polars take: objects unless all are of one kind.

    >>> state_values((True, False)), state_values(("yes", "no")), state_values((1, 2)).dtype.kind
    (array([ True, False]), array(['yes', 'no'], dtype=object), 'i')
    """
    kinds = {type(state) for state in states}
    for kind, letter in ((bool, "b"), (int, "i"), (float, "f")):
        # whole numbers beyond 64 bits become something else
        if kinds == {kind} and (values := np.array(states)).dtype.kind == letter:
            return values
    objects = np.empty(len(states), object)
    objects[:] = states
    return objects


def _write_rows(plan: SamplingPlan, n: int, seed: int, write: Writer) -> None:
    kernels = pick("network_sampling", n * plan.n_steps)

    def fill(block: SampleBlock) -> None:
        generator = stream(seed, Purpose.ROWS, block.number)
        write(drawn_rows(plan, kernels, generator, block.n_rows).codes, block.rows.start)

    for _ in in_threads(fill, blocks_of(plan, n)):
        pass


def _write_kept_rows(plan: SamplingPlan, n: int, seed: int, write: Writer) -> tuple[int, int]:
    """Draw until n rows are kept, in rounds as large as all before; how many were drawn, kept.

    It ends early where rows are kept so rarely that the most tries will not do.
    """
    step = rows_per_block(len(plan.variables))
    possible = plan.log_largest > -np.inf
    least = min(LEAST_TRIES, LEAST_STATES // max(1, len(plan.variables)))
    n_blocks = -(-max(MOST_TRIES * n, least) // step) if possible else 0

    def kept_codes(number: int) -> Array:
        rows = drawn_rows(plan, kernels, stream(seed, Purpose.ROWS, number), step)
        return rows.codes[:, kept_rows(plan, rows, stream(seed, Purpose.KEEPING, number))]

    kept, begin, end = 0, 0, -(-n // step)
    while kept < n and begin < n_blocks:
        end = min(end, n_blocks)
        kernels = pick("network_sampling", end * step * plan.n_steps)
        for codes in in_threads(kept_codes, range(begin, end)):
            write(codes[:, : n - kept], kept)
            kept = min(n, kept + codes.shape[1])
        begin, end = end, 2 * end
        if begin * step >= least and 2 * MOST_TRIES * kept < begin * step:
            break
    return begin * step, kept
