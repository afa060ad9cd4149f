"""The junction tree of a triangulated graph: maximal cliques, numbered from the root on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod


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

    The largest clique is the root: it is the one whose table is computed once and not twice. Parts
    that are not connected hang together by empty separators.

    >>> clique_tree([(0, (1, 3)), (1, (2, 3)), (2, (3,)), (3, ())], [2, 2, 2, 2])
    CliqueTree(cliques=((1, 2, 3), (1, 3, 0)), parents=(-1, 0), n_separator=(0, 2))
    """
    members, links = _maximal_cliques(list(elimination))
    if not members:
        return CliqueTree(((),), (-1,), (0,))
    sizes = [prod(cardinalities[variable] for variable in clique) for clique in members]
    return _rooted(members, links, cardinalities, root=sizes.index(max(sizes)))


def _maximal_cliques(
    elimination: list[tuple[int, tuple[int, ...]]],
) -> tuple[list[set[int]], list[list[int]]]:
    """Maximal cliques, and for each its neighbours in the tree. From the last variable back."""
    place = {variable: number for number, (variable, _) in enumerate(elimination)}
    members: list[set[int]] = []
    links: list[list[int]] = []
    holder: dict[int, int] = {}  # the clique that holds the variable with its neighbours
    for variable, around in reversed(elimination):
        above = holder[min(around, key=place.__getitem__)] if around else 0
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
