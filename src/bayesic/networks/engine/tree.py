"""The junction tree of a model: made once, then asked for any evidence."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log10
from types import ModuleType

import numpy as np

from bayesic.kernels import STEPS_THAT_REPAY_COMPILING
from bayesic.kernels.trees import FACTORS, Evidence, Plan, Questions
from bayesic.networks.engine.cliques import CliqueTree, clique_tree
from bayesic.networks.engine.factors import Factors
from bayesic.networks.engine.orders import n_cells, searched_elimination
from bayesic.networks.engine.plan import (
    make_plan,
    make_questions,
    separator_of,
    table_size,
)
from bayesic.networks.engine.potentials import CELLS_TOGETHER
from bayesic.networks.engine.triangulation import Elimination, neighbours_of

Array = np.ndarray

MEMORY = 4 * 2**30
BYTES = 8

# Nanoseconds that NumPy takes for a part of a tree; those that a step counts for, more than it
# takes, because the compiled kernels gain most where a part has many steps; and those from which on
# loading them, 0.9 s, repays. Measured on networks of 37 to 3,001 variables.
PART_IN_NUMPY, STEP_IN_NUMPY, TIME_THAT_REPAYS_COMPILING = 100_000, 100, 1_250_000_000


class TreeTooWideError(MemoryError):
    """The junction tree of a model needs more memory than it may take."""

    def __init__(
        self,
        tree: CliqueTree,
        factors: Factors,
        reason: str,
        ways: str = "Sample instead (likelihood weighting, Gibbs), hold observed variables first, "
        "or allow more memory.",
    ) -> None:
        super().__init__(f"{reason}. {ways}")
        self.tree = tree  # the best that was found
        self.factors = factors
        self.reason = reason
        self.ways = ways

    def __reduce__(self) -> tuple:
        return type(self), (self.tree, self.factors, self.reason, self.ways)


@dataclass(frozen=True, eq=False)
class JunctionTree:
    """A model ready for exact answers. Make one with `compile_tree`."""

    factors: Factors
    tree: CliqueTree
    plan: Plan
    exponent: int  # the tables of the plan are 2 ** -exponent times those of the model
    n_bytes: int  # what one row of evidence needs at most
    steps: int  # of one row without evidence
    memory: float
    _rows: list[int] = field(default_factory=lambda: [0])  # how many were asked so far
    _prior: list[tuple[Array, Array] | None] = field(default_factory=list)
    _questions: dict[tuple[tuple[int, ...], ...], Questions] = field(default_factory=dict)
    _wider: dict[tuple[int, ...], "JunctionTree"] = field(default_factory=dict)

    def work(self, n_rows: int) -> int:
        """How much work all rows so far and so many more are, in the steps of `pick`.

        Numba starts after about a second of NumPy: with one large batch, or after some hundred
        small questions to the same network. So the same question may be answered by either, and
        then differ in the last digits.
        """
        self._rows[0] += n_rows
        a_row = len(self.plan.parts) * PART_IN_NUMPY + self.steps * STEP_IN_NUMPY
        all_rows = self._rows[0] * a_row
        return int(all_rows * STEPS_THAT_REPAY_COMPILING / TIME_THAT_REPAYS_COMPILING)

    def with_tables(self, tables: Sequence[Array]) -> "JunctionTree":
        """The same tree for a model that has the same scopes and other tables: see `compile_tree`.

        >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
        >>> tree = compile_tree(rain_and_wet).with_tables(([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]]))
        >>> tree.factors.tables[0]
        array([0.5, 0.5])
        """
        factors = Factors(self.factors.cardinalities, self.factors.scopes, tuple(tables))
        plan, exponent = make_plan(factors, self.tree)
        return replace(self, factors=factors, plan=plan, exponent=exponent, _prior=[], _wider={})

    @cached_property
    def each_variable(self) -> tuple[tuple[int, ...], ...]:
        """What is asked where the posterior of each variable is: sets of one."""
        return tuple((variable,) for variable in range(self.factors.n_variables))

    def prior(self, kernels: ModuleType) -> tuple[Array, Array] | None:
        """The messages of the compiled kernels where nothing is observed; None if they fail."""
        if not self._prior:
            nothing = Evidence(
                np.full((1, self.factors.n_variables), -1),
                np.full(self.factors.n_variables, -1),
                np.empty((1, 0)),
            )
            found = np.empty(1, np.uint8)
            messages, exponents = kernels.posteriors(
                self.plan, self.questions(()), nothing, None, None, 1,
                np.zeros((1, 0)), np.empty(1), found,
            )  # fmt: skip
            made = (messages.copy(), exponents) if found[0] == kernels.POSSIBLE else None
            self._prior.append(made)
        return self._prior[0]

    def questions(self, asked: tuple[tuple[int, ...], ...]) -> Questions:
        """Where the kernels find the posteriors of these sets of variables."""
        if asked not in self._questions:
            made = make_questions(self.tree, asked, self.factors.cardinalities)
            self._questions[asked] = made
        return self._questions[asked]

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
    """The junction tree of a model, with the largest clique as its root.

    memory       : bytes that an answer may take; a wider tree is refused before anything is
                   allocated
    together     : variables that one clique must hold, so that their joint posterior can be asked
    eliminations : to take the best of; by default the one that `good_elimination` finds

    >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
    >>> compile_tree(rain_and_wet).tree.cliques
    ((0, 1),)
    """
    tree = _narrowest(eliminations or [good_elimination(factors, together)], factors, memory)
    n_bytes = BYTES * cells_needed(tree, factors)
    if n_bytes > memory:
        raise TreeTooWideError(
            tree,
            factors,
            f"An exact answer may take {_in_words(memory)} of memory, and this one needs "
            f"{_in_words(n_bytes)}",
        )
    plan, exponent = make_plan(factors, tree)
    return JunctionTree(factors, tree, plan, exponent, n_bytes, _steps(tree, plan), memory)


def good_elimination(factors: Factors, together: Sequence[int] = ()) -> Elimination:
    """The best elimination of this model that was found; see `searched_elimination`."""
    neighbours = neighbours_of(factors.n_variables, [*factors.scopes, together])
    return searched_elimination(neighbours, factors.cardinalities)


def _narrowest(eliminations: Sequence[Elimination], factors: Factors, memory: float) -> CliqueTree:
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


def _steps(tree: CliqueTree, plan: Plan) -> int:
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
