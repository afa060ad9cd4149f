"""The junction tree of a model: made once, then asked for any evidence."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log10

import numpy as np

from bayesic.kernels import STEPS_THAT_REPAY_COMPILING, Array
from bayesic.kernels.passes import AnswerCells, CliqueTables, Sets
from bayesic.kernels.trees import FACTORS, CliquePlan, Questions
from bayesic.networks._engine.cliques import CELLS_TOGETHER, CliqueTree, clique_tree
from bayesic.networks._engine.flat_tree import FlatTree
from bayesic.networks._engine.plan import make_plan, make_questions, separator_of, table_size
from bayesic.networks._engine.triangulation import (
    Elimination,
    n_cells,
    neighbours_of,
    searched_elimination,
)
from bayesic.networks.factors import Factors

Scopes = tuple[tuple[int, ...], ...]

MEMORY = 4 * 2**30
BYTES = 8

MOST_FLAT_CELLS, BYTES_OF_FLAT_CELL = 2**20, 100  # of a tree that `kernels/passes.py` computes

# Nanoseconds that NumPy takes for a level and for a step of a flat tree, for a step of another one;
# and those from which on it repays to load the compiled kernels, which takes up to 0.9 s, once.
# Measured on networks of 8 to 441 variables.
LEVEL_IN_NUMPY, FLAT_STEP_IN_NUMPY, STEP_IN_NUMPY = 12_000, 1.2, 40
TIME_THAT_REPAYS_COMPILING = 100_000_000


class TreeTooWideError(MemoryError):
    """The junction tree of a model needs more memory than it may take."""

    def __init__(
        self,
        tree: CliqueTree,
        factors: Factors,
        reason: str,
        advice: str = "Sample instead (likelihood weighting, Gibbs), hold observed variables "
        "first, or allow more memory.",
    ) -> None:
        super().__init__(f"{reason}. {advice}")
        self.tree = tree  # the best that was found
        self.factors = factors
        self.reason = reason
        self.advice = advice

    def __reduce__(self) -> tuple:
        return type(self), (self.tree, self.factors, self.reason, self.advice)


@dataclass(frozen=True, eq=False)
class JunctionTree:
    """A model ready for exact answers. Make one with `compile_tree`."""

    factors: Factors
    tree: CliqueTree
    plan: CliquePlan
    exponent: int  # the tables of the plan are 2 ** -exponent times those of the model
    n_bytes: int  # what one row of evidence needs at most
    steps: int  # of one row without evidence
    memory: float
    flat: FlatTree | None  # for NumPy; None if the tree is too large
    # what is made when it is first needed, and is the same whenever that is
    _questions: dict[Scopes, Questions] = field(default_factory=dict)
    _asked: dict[Scopes, AnswerCells] = field(default_factory=dict)
    _sets: dict[Scopes, Sets] = field(default_factory=dict)
    _wider: dict[tuple[int, ...], "JunctionTree"] = field(default_factory=dict)

    def work(self, n_rows: int) -> int:
        """How much work this many rows are, in the steps of `pick`: by their number alone."""
        nanoseconds = self.steps * (FLAT_STEP_IN_NUMPY if self.flat else STEP_IN_NUMPY)
        if self.flat:
            nanoseconds += len(self.flat.levels) * LEVEL_IN_NUMPY
        return int(n_rows * nanoseconds * STEPS_THAT_REPAY_COMPILING / TIME_THAT_REPAYS_COMPILING)

    def with_tables(self, tables: Sequence[Array]) -> "JunctionTree":
        """The same tree for a model that has the same scopes and other tables: see `compile_tree`.

        >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
        >>> tree = compile_tree(rain_and_wet).with_tables(([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]]))
        >>> tree.factors.tables[0]
        array([0.5, 0.5])
        """
        return self.with_factors(
            Factors(self.factors.cardinalities, self.factors.scopes, tuple(tables))
        )

    def with_factors(self, factors: Factors) -> "JunctionTree":
        """The same for the factors of such a model."""
        plan, exponent = make_plan(factors, self.tree)
        return replace(self, factors=factors, plan=plan, exponent=exponent, _wider={})

    @cached_property
    def flat_tables(self) -> CliqueTables:
        """The tables of the flat tree."""
        assert self.flat is not None
        return self.flat.tables(self.plan)

    @cached_property
    def each_variable(self) -> Scopes:
        """The question for the posterior of each variable: sets of one."""
        return tuple((variable,) for variable in range(self.factors.n_variables))

    def asked(self, scopes: Scopes) -> AnswerCells:
        """Where the flat tree has the posteriors of these sets of variables."""
        assert self.flat is not None
        if scopes not in self._asked:
            self._asked[scopes] = self.flat.asked(scopes)
        return self._asked[scopes]

    def sets(self, scopes: Scopes) -> Sets:
        """The same for the compiled kernels."""
        assert self.flat is not None
        if scopes not in self._sets:
            self._sets[scopes] = self.flat.sets(scopes)
        return self._sets[scopes]

    def questions(self, scopes: Scopes) -> Questions:
        """Where the kernels find the posteriors of these sets of variables."""
        if scopes not in self._questions:
            made = make_questions(self.tree, scopes, self.factors.cardinalities)
            self._questions[scopes] = made
        return self._questions[scopes]

    def holding(self, scope: tuple[int, ...]) -> "JunctionTree":
        """This tree if a clique holds all these variables, else another where one does."""
        homes = self.tree.homes(self.factors.n_variables)
        if self.tree.home_of(scope, homes) is not None:
            return self
        if scope not in self._wider:
            self._wider[scope] = compile_tree(self.factors, self.memory, scope)
        return self._wider[scope]


def compile_tree(
    factors: Factors,
    memory: float = MEMORY,
    together: Sequence[int] = (),
    eliminations: Sequence[Elimination] = (),
) -> JunctionTree:
    """The junction tree of a model.

    memory       : bytes that an answer may take; a wider tree is refused before anything is
                   allocated
    together     : variables that one clique must hold, so that their joint posterior can be asked
    eliminations : to take the best of; by default the one that `good_elimination` finds

    >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
    >>> compile_tree(rain_and_wet).tree.cliques
    ((0, 1),)
    """
    tree = narrowest(eliminations or [good_elimination(factors, together)], factors, memory)
    n_bytes = BYTES * cells_needed(tree, factors)
    if n_bytes > memory:
        raise TreeTooWideError(
            tree,
            factors,
            f"An exact answer may take {_in_words(memory)} of memory, and this one needs "
            f"{_in_words(n_bytes)}",
        )
    plan, exponent = make_plan(factors, tree)
    flat = _flat_tree(tree, factors.cardinalities, memory)
    return JunctionTree(factors, tree, plan, exponent, n_bytes, _steps(tree, plan), memory, flat)


def _flat_tree(tree: CliqueTree, sizes: Sequence[int], memory: float) -> FlatTree | None:
    """The flat tree, where it has few cells and fits into memory too."""
    n_cells = sum(table_size(clique, sizes) for clique in tree.cliques)
    if n_cells > min(MOST_FLAT_CELLS, memory / BYTES_OF_FLAT_CELL):
        return None
    return FlatTree(tree, sizes)


def good_elimination(factors: Factors, together: Sequence[int] = ()) -> Elimination:
    """The best elimination of this model that was found; see `searched_elimination`."""
    neighbours = neighbours_of(factors.n_variables, [*factors.scopes, together])
    return searched_elimination(neighbours, factors.cardinalities)


def narrowest(eliminations: Sequence[Elimination], factors: Factors, memory: float) -> CliqueTree:
    """The tree with the fewest cells, unless only another one fits into memory."""
    sizes = factors.cardinalities
    fewest_first = sorted(eliminations, key=lambda elimination: n_cells(elimination, sizes))
    trees = (clique_tree(elimination, sizes) for elimination in fewest_first)
    best = next(trees)
    if BYTES * cells_needed(best, factors) <= memory:
        return best
    return min([best, *trees], key=lambda tree: cells_needed(tree, factors))


def cells_needed(tree: CliqueTree, factors: Factors) -> int:
    """Messages of one row (up, down, up without evidence), the largest clique, the tables.

    NumPy has three tables of a clique at a time; the compiled kernels only a block of one.
    """
    sizes = factors.cardinalities
    messages = sum(table_size(separator_of(tree, c), sizes) for c in range(len(tree.cliques)))
    cliques = [table_size(clique, sizes) for clique in tree.cliques]
    tables = sum(table.size for table in factors.tables)
    together = sum(min(CELLS_TOGETHER, size) for size in cliques)
    return 3 * (messages + max(cliques)) + tables + together


def _steps(tree: CliqueTree, plan: CliquePlan) -> int:
    """Cells of all cliques, as often as something is multiplied into them, up and down."""
    parts = np.diff(plan.cliques[:, FACTORS]) + 1
    cells = [table_size(clique, plan.sizes.tolist()) for clique in tree.cliques]
    return sum(2 * size * int(n_parts) for size, n_parts in zip(cells, parts, strict=True))


def _in_words(n_bytes: float) -> str:
    """A size as people say it.

    >>> _in_words(2.5e6), _in_words(3e9), _in_words(10**400)
    ('2.5 MB', '3.0 GB', '10^391 GB')
    """
    if n_bytes < 1e9:
        return f"{n_bytes / 1e6:.1f} MB"
    return f"{n_bytes / 1e9:.1f} GB" if n_bytes < 1e15 else f"10^{log10(n_bytes) - 9:.0f} GB"
