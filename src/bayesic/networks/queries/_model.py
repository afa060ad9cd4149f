"""A model as questions see it: factors for the engine, and the names of all that is in them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from bayesic.data.spelling import spelt
from bayesic.data.states import States
from bayesic.kernels import Array
from bayesic.networks._directed_graph import families_of
from bayesic.networks._engine.cliques import CliqueTree
from bayesic.networks._engine.exact_inference import log_partition
from bayesic.networks._engine.plan import table_size
from bayesic.networks._engine.tree import (
    JunctionTree,
    TreeTooWideError,
    compile_tree,
    good_elimination,
)
from bayesic.networks._engine.triangulation import MOST_CELLS, Elimination, largest_table
from bayesic.networks.factors import Factors
from bayesic.networks.variable_names import listed


@dataclass(frozen=True, eq=False)
class NamedModel:
    """Factors with names. Variables are numbered in the order of `states`."""

    states: Mapping[str, States]
    factors: Factors
    directed: bool  # factor i is P(variable i | the others of its scope): a belief network
    without_table: frozenset[int] = frozenset()  # variables whose factor is only a place holder
    shape: JunctionTree | None = None  # a tree of the same scopes, made for other tables

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The names, by number."""
        return tuple(self.states)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each variable."""
        return {name: number for number, name in enumerate(self.states)}

    @cached_property
    def elimination(self) -> Elimination:
        """The order in which the variables are summed out, with the cliques that this makes.

        What evidence leaves of it is never worse than the whole, so no question is harder than that
        for all marginals without evidence.
        """
        return good_elimination(self.factors)

    @cached_property
    def largest_table(self) -> int:
        """How many cells the largest clique of this elimination has."""
        return largest_table(self.elimination, self.factors.cardinalities)

    @cached_property
    def tree(self) -> JunctionTree:
        """The junction tree of the whole model: made once, for all questions."""
        self.check_tables(range(len(self.states)))
        if self.shape is not None:
            return self.shape.with_factors(self.factors)
        try:
            return compile_tree(self.factors, eliminations=[self.elimination])
        except TreeTooWideError as error:
            raise named(error, self.variables, self.directed) from None

    @property
    def known_shape(self) -> JunctionTree | None:
        """The tree, if it was made, or one of the same scopes."""
        return vars(self).get("tree", self.shape)

    @cached_property
    def is_narrow(self) -> bool:
        """Whether the tree of the whole model fits into memory."""
        if self.shape is None and self.largest_table > MOST_CELLS:
            return False
        try:
            return self.tree is not None
        except TreeTooWideError:
            return False

    @cached_property
    def is_quick(self) -> bool:
        """Whether one question to the tree of the whole model is quicker than making a smaller one.

        It depends on the model alone.
        """
        return not self.without_table and self.is_narrow and self.tree.flat is not None

    @cached_property
    def log_partition(self) -> float:
        """The log of what the product of all factors sums up to; 0 for a belief network."""
        return 0.0 if self.directed else log_partition(self.tree)

    @property
    def has_all_tables(self) -> bool:
        """Whether it is a belief network without a table missing: all factors multiply to P."""
        return self.directed and not self.without_table

    def number(self, variable: str) -> int:
        """The number of a variable; anything else is refused."""
        number = self.numbers.get(variable) if isinstance(variable, str) else None
        if number is None:
            raise ValueError(
                f"There is no variable {variable!r}. The model has "
                f"{listed(self.variables) or 'none'}."
            )
        return number

    def check_tables(self, variables: Iterable[int]) -> None:
        """Refuse to compute with a table that is not there."""
        for number in variables:
            if number in self.without_table:
                raise ValueError(
                    f"This question needs the table of {self.variables[number]}, which is missing. "
                    + spelt("Give it with with_tables, or learn it from data.")
                )


def _with_sums_of_one(table: Array) -> Array:
    """A table of a belief network, each row divided by its sum.

    Files round, so rows may sum to 0.9999999. The sum over a variable that is not a target
    must be 1 exactly, or answers would depend on whether it was summed out or left out.

    >>> _with_sums_of_one(np.array([0.3333333, 0.3333333, 0.3333333])).sum()
    np.float64(1.0)
    """
    return table / table.sum(axis=-1, keepdims=True)


def factors_of(
    parents: Mapping[str, tuple[str, ...]], sizes: Iterable[int], tables: Sequence[Array]
) -> Factors:
    """The tables of a belief network as factors, the variable of each last in its scope.

    sizes, tables : the number of states, and the table of each variable, in the order of `parents`
    """
    return Factors(tuple(sizes), families_of(parents), tuple(tables))


def named_model(
    parents: Mapping[str, tuple[str, ...]],
    states: Mapping[str, States],
    tables: Mapping[str, Array],
    shape: JunctionTree | None = None,
) -> NamedModel:
    """A belief network as questions see it; a table that is missing has a place holder.

    shape : a tree that was made for other tables, which may be of the same scopes
    """
    sizes = {name: len(its) for name, its in states.items()}
    values = [
        tables[name] if name in tables else np.ones([sizes[each] for each in (*its, name)])
        for name, its in parents.items()
    ]
    factors = factors_of(parents, sizes.values(), [*map(_with_sums_of_one, values)])
    is_same = shape is not None and _scopes(shape.factors) == _scopes(factors)
    return NamedModel(
        states,
        factors,
        directed=True,
        shape=shape if is_same else None,
        without_table=frozenset(
            number for number, name in enumerate(parents) if name not in tables
        ),
    )


def _scopes(factors: Factors) -> tuple:
    """What a tree is made for, whatever is in the tables."""
    return factors.cardinalities, factors.scopes


# models that are too wide for an exact answer -------------------------------------------------

MOST_HELPERS = 5  # variables that are named to be observed


def named(error: TreeTooWideError, names: Sequence[str], can_sample: bool) -> TreeTooWideError:
    """The same refusal, in the names of the variables and with what would help."""
    sizes = error.factors.cardinalities
    largest = max(error.tree.cliques, key=lambda clique: table_size(clique, sizes))
    shown = listed(sorted(names[variable] for variable in largest))
    helpers = [names[variable] for variable in _best_to_observe(error.tree, sizes)]
    advice = f"Observe more: {', '.join(helpers)} would help most."
    if can_sample:
        weighting, gibbs = by_method("likelihood-weighting"), by_method("gibbs")
        advice += f" Sample instead: query with {weighting} or {gibbs}."
    return TreeTooWideError(
        error.tree,
        error.factors,
        f"{error.reason}: its largest table is over {len(largest)} variables, {shown}",
        advice,
    )


def by_method(name: str) -> str:
    """How a method of `query` is asked for."""
    return spelt("method={method!r}", method=name)


def _best_to_observe(tree: CliqueTree, cardinalities: Sequence[int]) -> list[int]:
    """Variables whose observation would save most cells, each given those before it.

    >>> square = CliqueTree(((0, 1, 2), (0, 2, 3)), (-1, 0), (0, 2))
    >>> _best_to_observe(square, [2, 2, 3, 2])
    [2, 0, 1, 3]
    """
    chosen: list[int] = []
    while len(chosen) < MOST_HELPERS:
        saved = np.zeros(len(cardinalities))
        for clique in tree.cliques:
            left = [variable for variable in clique if variable not in chosen]
            cells = prod(float(cardinalities[variable]) for variable in left)
            for variable in left:
                saved[variable] += cells - cells / cardinalities[variable]
        if saved.max(initial=0.0) <= 0:
            break
        chosen.append(int(saved.argmax()))
    return chosen
