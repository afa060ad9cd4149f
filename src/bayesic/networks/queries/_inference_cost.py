"""What an exact answer costs, known before anything is computed."""

from dataclasses import dataclass, replace

from bayesic.networks._engine.cliques import CliqueTree
from bayesic.networks._engine.plan import table_size
from bayesic.networks._engine.tree import BYTES, MEMORY, MOST_FLAT_CELLS, cells_needed, narrowest
from bayesic.networks.factors import Factors
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries._relevant import relevant_part
from bayesic.networks.queries.checked_evidence import CheckedEvidence

# Measured on one core, for all marginals of networks of up to 1,041 variables: 8 to 70 nanoseconds
# for a cell of a clique, 23 for MUNIN1, the largest. Without Numba it takes four times as long.
SECONDS, SECONDS_PER_CELL = 3e-4, 25e-9
LONGEST = 10**18  # seconds; more than that is as good as never


@dataclass(frozen=True)
class InferenceCost:
    """How much work the exact posteriors of all variables are.

    cells   : of the tables of all cliques of the junction tree
    largest : of the largest of these tables
    n_bytes : of memory that the answer takes
    seconds : about, on one core of 2026, with Numba
    """

    cells: int
    largest: int
    n_bytes: int

    @property
    def seconds(self) -> float:
        """About how long it takes."""
        return SECONDS + SECONDS_PER_CELL * min(self.cells, round(LONGEST / SECONDS_PER_CELL))

    @property
    def fits(self) -> bool:
        """Whether it fits into the memory that an exact answer may take; else it is refused."""
        return self.n_bytes <= MEMORY


def cost(model: NamedModel, evidence: CheckedEvidence) -> InferenceCost:
    """The cost of P(v | evidence) of all variables v, from the graph alone.

    Observed variables cut cliques, except in a small model, where one tree answers all questions.
    Tables need not be there.

    >>> from bayesic.datasets.networks import asia
    >>> cost(asia()._named_model(), CheckedEvidence())
    InferenceCost(cells=40, largest=8, n_bytes=1208)
    """
    if model.without_table:
        model = replace(model, without_table=frozenset())
    factors = model.factors
    whole = _cost_of(narrowest([model.elimination], factors, MEMORY), factors)
    if whole.cells <= MOST_FLAT_CELLS or not evidence.states:
        return whole
    free = [variable for variable in range(len(model.states)) if variable not in evidence.states]
    part = relevant_part(model, free, evidence)
    return _cost_of(narrowest(part.eliminations(), part.factors, MEMORY), part.factors)


def _cost_of(tree: CliqueTree, factors: Factors) -> InferenceCost:
    cells = [table_size(clique, factors.cardinalities) for clique in tree.cliques]
    return InferenceCost(sum(cells), max(cells), BYTES * cells_needed(tree, factors))
