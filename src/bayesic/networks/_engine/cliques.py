"""The cliques of a junction tree, numbered from the root on, and the tables that they hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import frexp, prod

import numpy as np

from bayesic.kernels import Array
from bayesic.networks.factors import Factors

WIDEST = 900  # powers of two between the largest and the smallest entry of one table
MOST_CELLS_OF_SMALL_TREE = 100_000
CELLS_TOGETHER = 4096  # tables of a clique are multiplied as long as the product has no more cells


@dataclass(frozen=True)
class CliqueTree:
    """Cliques of variables, so numbered that each comes after its parent; clique 0 is the root.

    The cliques that hold a variable are connected (running intersection). The variables of a clique
    begin with those that its parent holds too, the separator, in the order of the parent.
    """

    cliques: tuple[tuple[int, ...], ...]
    parents: tuple[int, ...]  # -1 for the root
    n_separator: tuple[int, ...]  # how many variables of each clique are in its parent

    def home_of(self, scope: Sequence[int], homes: Sequence[int]) -> int | None:
        """The clique nearest to the root that holds the whole scope, None if no clique does."""
        home = max((homes[variable] for variable in scope), default=0)
        return home if set(scope) <= set(self.cliques[home]) else None

    def homes(self, n_variables: int) -> list[int]:
        """For each variable the clique nearest to the root that holds it."""
        homes = [-1] * n_variables
        for number, clique in enumerate(self.cliques):
            for variable in clique[self.n_separator[number] :]:
                homes[variable] = number
        return homes


def clique_tree(
    elimination: Iterable[tuple[int, tuple[int, ...]]], cardinalities: Sequence[int]
) -> CliqueTree:
    """The junction tree of the cliques that summing out in this order makes.

    The largest clique is the root: it is the one whose table is computed once and not twice. In a
    small tree it is the middle one: there calls count, which are as many as the tree is deep. Parts
    that are not connected hang together by empty separators.

    >>> clique_tree([(0, (1, 3)), (1, (2, 3)), (2, (3,)), (3, ())], [2, 2, 2, 2])
    CliqueTree(cliques=((1, 2, 3), (1, 3, 0)), parents=(-1, 0), n_separator=(0, 2))
    """
    members, links = _maximal_cliques(list(elimination))
    if not members:
        return CliqueTree(((),), (-1,), (0,))
    sizes = [prod(cardinalities[variable] for variable in clique) for clique in members]
    is_small = sum(sizes) <= MOST_CELLS_OF_SMALL_TREE
    root = _middle(links) if is_small else sizes.index(max(sizes))
    return _rooted(members, links, cardinalities, root)


def _middle(links: list[list[int]]) -> int:
    """The clique from which no other is far: the middle of a longest path.

    >>> _middle([[1], [0, 2], [1, 3], [2, 4], [3]])
    2
    """
    one_end = _path_to_the_furthest(links, 0)[-1]
    path = _path_to_the_furthest(links, one_end)
    return path[len(path) // 2]


def _path_to_the_furthest(links: list[list[int]], start: int) -> list[int]:
    reached_from = {start: start}
    reached = [start]
    for clique in reached:
        for other in links[clique]:
            if other not in reached_from:
                reached_from[other] = clique
                reached.append(other)
    path = [reached[-1]]
    while path[-1] != start:
        path.append(reached_from[path[-1]])
    return path[::-1]


def _maximal_cliques(
    elimination: list[tuple[int, tuple[int, ...]]],
) -> tuple[list[set[int]], list[list[int]]]:
    """Maximal cliques, and for each its neighbours in the tree. From the last variable back."""
    index = {variable: number for number, (variable, _) in enumerate(elimination)}
    members: list[set[int]] = []
    links: list[list[int]] = []
    holder: dict[int, int] = {}  # the clique that holds the variable with its neighbours
    for variable, around in reversed(elimination):
        above = holder[min(around, key=index.__getitem__)] if around else 0
        if around and len(around) == len(members[above]):
            members[above].add(variable)
            holder[variable] = above
            continue
        holder[variable] = len(members)
        links.append([])
        if members:
            links[above].append(len(members))
            links[-1].append(above)
        members.append({variable, *around})
    return members, links


def _rooted(
    members: list[set[int]], links: list[list[int]], cardinalities: Sequence[int], root: int
) -> CliqueTree:
    cliques: list[tuple[int, ...]] = []
    parents: list[int] = []
    n_separator: list[int] = []
    waiting = [(root, -1, -1)]  # a clique, the clique it was reached from, the number of that one
    while waiting:
        clique, reached_from, parent = waiting.pop()
        above = cliques[parent] if parent >= 0 else ()
        separator = [variable for variable in above if variable in members[clique]]
        # long axes last: they are the inner loops
        rest = sorted(members[clique].difference(above), key=lambda v: (cardinalities[v], v))
        onward = [other for other in reversed(links[clique]) if other != reached_from]
        waiting += [(other, clique, len(cliques)) for other in onward]
        cliques.append((*separator, *rest))
        parents.append(parent)
        n_separator.append(len(separator))
    return CliqueTree(tuple(cliques), tuple(parents), tuple(n_separator))


# potentials -----------------------------------------------------------------------------------


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

    >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
    >>> tree = clique_tree([(0, (1,)), (1, ())], rain_and_wet.cardinalities)
    >>> ((both,),), exponent = clique_potentials(rain_and_wet, tree)
    >>> both.scope, both.table * 2.0**exponent
    ((0, 1), array([[0.72, 0.08], [0.04, 0.16]]))
    """
    homes = tree.homes(factors.n_variables)
    potentials_of: list[list[Potential]] = [[] for _ in tree.cliques]
    exponent = 0
    for scope, table in zip(factors.scopes, factors.tables, strict=True):
        home = max((homes[variable] for variable in scope), default=0)
        order = [variable for variable in tree.cliques[home] if variable in scope]
        tables, taken = within_range(table.transpose([scope.index(v) for v in order]))
        potentials_of[home] += [Potential(tuple(order), part, _lowest(part)) for part in tables]
        exponent += taken
    for clique, potentials in zip(tree.cliques, potentials_of, strict=True):
        potentials[:], taken = _multiplied(clique, potentials, factors.cardinalities)
        exponent += taken
    return potentials_of, exponent


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
    if (least := table.min()) > 0:  # most tables have no zeros, and numbers of about one size
        low, high = frexp(least)[1], frexp(table.max())[1]
        if high - low <= WIDEST:
            return [np.ldexp(table, -high)], high
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


def _lowest(table: Array) -> int:
    """The exponent of a power of two that no entry but 0 is below; none of them is above 1.

    >>> _lowest(np.array([0.0, 0.3, 1.0]))
    -2
    """
    least = table.min()
    if least == 0:
        least = table.min(where=table > 0, initial=1.0)
    return frexp(least)[1] - 1


def _multiplied(
    clique: Sequence[int], potentials: list[Potential], sizes: Sequence[int]
) -> tuple[list[Potential], int]:
    """Fewer potentials with the same product, up to a power of two."""
    index = {variable: number for number, variable in enumerate(clique)}
    together: list[Potential] = []
    exponent = 0
    # neighbours in the clique first: then the axes of a product follow each other
    for one in sorted(potentials, key=lambda p: [index[v] for v in reversed(p.scope)]):
        for number, other in enumerate(together):
            scope = tuple(sorted({*one.scope, *other.scope}, key=index.__getitem__))
            limit = max(CELLS_TOGETHER, one.table.size, other.table.size)
            if prod(sizes[v] for v in scope) <= limit and one.low + other.low >= -WIDEST:
                product = _over(one, scope, sizes) * _over(other, scope, sizes)
                taken = frexp(product.max())[1]
                table = np.ldexp(product, -taken)
                together[number] = Potential(scope, table, _lowest(table))
                exponent += taken
                break
        else:
            together.append(one)
    return together, exponent


def _over(potential: Potential, scope: Sequence[int], sizes: Sequence[int]) -> Array:
    """The table with an axis for each variable of the scope."""
    return potential.table.reshape([sizes[v] if v in potential.scope else 1 for v in scope])
