"""Potentials: the tables that the cliques of a junction tree hold, at most 1, as few as can be."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from bayesic.networks.engine.cliques import CliqueTree
from bayesic.networks.engine.factors import Factors

Array = np.ndarray

WIDEST = 900  # powers of two between the largest and the smallest entry of one table
CELLS_TOGETHER = 4096  # tables of a clique are multiplied as long as the product has no more cells


@dataclass(frozen=True, eq=False)
class Potential:
    """A table of some variables; no entry but 0 is below two to the power `low`, none above 1."""

    scope: tuple[int, ...]
    table: Array
    low: int


def clique_potentials(factors: Factors, tree: CliqueTree) -> tuple[list[list[Potential]], int]:
    """The potentials of each clique, and the exponent of the power of two taken out of them.

    Each factor goes to the clique nearest to the root that holds it. Small tables of a clique are
    multiplied once, here, and not for every row of evidence.

    >>> from bayesic.networks.engine.cliques import clique_tree
    >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
    >>> tree = clique_tree([(0, (1,)), (1, ())], rain_and_wet.cardinalities)
    >>> ((both,),), exponent = clique_potentials(rain_and_wet, tree)
    >>> both.scope, both.table * 2.0**exponent
    ((0, 1), array([[0.72, 0.08], [0.04, 0.16]]))
    """
    homes = tree.homes(factors.n_variables)
    held: list[list[Potential]] = [[] for _ in tree.cliques]
    exponent = 0
    for scope, table in zip(factors.scopes, factors.tables, strict=True):
        home = max((homes[variable] for variable in scope), default=0)
        order = [variable for variable in tree.cliques[home] if variable in scope]
        tables, taken = within_range(table.transpose([scope.index(v) for v in order]))
        held[home] += [Potential(tuple(order), part, lowest(part)) for part in tables]
        exponent += taken
    for clique, potentials in zip(tree.cliques, held, strict=True):
        potentials[:], taken = _multiplied(clique, potentials, factors.cardinalities)
        exponent += taken
    return held, exponent


def within_range(table: Array) -> tuple[list[Array], int]:
    """Tables whose product is this one, up to a power of two, and its exponent: exactly.

    Each of them is at most 1, and no entry but 0 is further below 1 than floats can tell. So a
    table with entries from 1e-300 to 1e300 becomes several, and nothing of it is lost.

    >>> within_range(np.array([3.0, 5.0, 0.0]))
    ([array([0.375, 0.625, 0. ])], 3)
    >>> (first, second), exponent = within_range(np.array([2.0**600, 2.0**-400]))
    >>> np.log2(first) + np.log2(second) + exponent
    array([ 600., -400.])
    """
    mantissa, exponents = np.frexp(table)
    positive = table > 0
    if not positive.any():
        return [mantissa], 0
    largest = int(exponents[positive].max())
    left = np.where(positive, exponents - largest, 0)
    tables: list[Array] = []
    while not tables or left.any():
        step = np.maximum(left, -WIDEST)
        tables.append(np.ldexp(1.0 if tables else mantissa, step))
        left = left - step
    return tables, largest


def lowest(table: Array) -> int:
    """The exponent of a power of two that no entry but 0 is below.

    >>> lowest(np.array([0.0, 0.3, 1.0]))
    -2
    """
    return int(np.frexp(table.min(where=table > 0, initial=1.0))[1]) - 1


def _multiplied(
    clique: Sequence[int], potentials: list[Potential], sizes: Sequence[int]
) -> tuple[list[Potential], int]:
    """Fewer potentials with the same product, up to a power of two."""
    place = {variable: number for number, variable in enumerate(clique)}
    together: list[Potential] = []
    exponent = 0
    # neighbours in the clique first: then the axes of a product follow each other
    for one in sorted(potentials, key=lambda p: [place[v] for v in reversed(p.scope)]):
        for number, other in enumerate(together):
            scope = tuple(sorted({*one.scope, *other.scope}, key=place.__getitem__))
            limit = max(CELLS_TOGETHER, one.table.size, other.table.size)
            if prod(sizes[v] for v in scope) <= limit and one.low + other.low >= -WIDEST:
                product = _over(one, scope, sizes) * _over(other, scope, sizes)
                taken = int(np.frexp(product.max())[1])
                table = np.ldexp(product, -taken)
                together[number] = Potential(scope, table, lowest(table))
                exponent += taken
                break
        else:
            together.append(one)
    return together, exponent


def _over(potential: Potential, scope: Sequence[int], sizes: Sequence[int]) -> Array:
    """The table with an axis for each variable of the scope."""
    return potential.table.reshape([sizes[v] if v in potential.scope else 1 for v in scope])
