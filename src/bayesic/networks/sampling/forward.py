"""Tables of random rows that follow a network."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.data.arguments import check_whole_number
from bayesic.data.blocks import in_threads
from bayesic.data.states import States
from bayesic.kernels import pick
from bayesic.networks.sampling.drawn_rows import Block, blocks_of, drawn_rows, kept_rows
from bayesic.networks.sampling.sampling_plan import Plan, sampling_plan
from bayesic.networks.sampling.streams import Purpose, rows_per_block, stream

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork

Array = np.ndarray
Writer = Callable[[Array, int], None]  # codes (n_variables, n_rows), and the row of the first

# With evidence: rows that are drawn at most for each row that is wanted; rows and states, a few
# seconds, after which so few kept rows end the search.
MOST_TRIES = 1_000
MOST_ROWS = 10**9
LEAST_TRIES, LEAST_STATES = 1_000_000, 150_000_000


def forward_samples(
    net: "BeliefNetwork",
    n: int,
    seed: int = 0,
    given: Mapping[str, Any] | None = None,
    likelihoods: Mapping[str, Any] | None = None,
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
    """Refuse to draw more rows than anybody waits for."""
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


def _write_rows(plan: Plan, n: int, seed: int, write: Writer) -> None:
    kernels = pick("sampling", n * plan.n_steps)

    def fill(block: Block) -> None:
        generator = stream(seed, Purpose.ROWS, block.number)
        write(drawn_rows(plan, kernels, generator, block.n_rows).codes, block.rows.start)

    for _ in in_threads(fill, blocks_of(plan, n)):
        pass


def _write_kept_rows(plan: Plan, n: int, seed: int, write: Writer) -> tuple[int, int]:
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
        kernels = pick("sampling", end * step * plan.n_steps)
        for codes in in_threads(kept_codes, range(begin, end)):
            write(codes[:, : n - kept], kept)
            kept = min(n, kept + codes.shape[1])
        begin, end = end, 2 * end
        if begin * step >= least and 2 * MOST_TRIES * kept < begin * step:
            break
    return begin * step, kept
