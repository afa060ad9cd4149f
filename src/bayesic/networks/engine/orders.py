"""The search for a good elimination: several rules, ties by chance, the smallest tables win."""

from collections.abc import Mapping, Sequence
from math import prod
from random import Random

from bayesic.networks.engine.triangulation import (
    MIN_FILL,
    MIN_FILL_BY_WEIGHT,
    MIN_SIZE,
    Elimination,
    Neighbours,
    elimination_cliques,
)

RULES = (MIN_FILL, MIN_FILL_BY_WEIGHT, MIN_SIZE)

# Cells of cliques that are computed in the time that an elimination takes for one edge, 4
# microseconds, as measured on networks of 100 to 1,000 variables; the share of the time of an
# inference that may go into the search, and the edges that are half a second.
CELLS_PER_EDGE, SHARE, MOST_EDGES = 300, 0.1, 100_000
# A hundred times as many cells as 4 GB hold. Chance gains a factor of ten, rarely more.
MOST_CELLS = 5e10


def searched_elimination(neighbours: Neighbours, cardinalities: Sequence[int]) -> Elimination:
    """The best elimination that was found: the one with the fewest cells in its cliques.

    The first is by weighted min-fill. Others are tried as long as that takes a tenth of the time of
    one inference. This is told by counting: the same graph always gets the same elimination.

    >>> from bayesic.networks.engine.triangulation import neighbours_of
    >>> square = neighbours_of(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> searched_elimination(square, [2, 2, 2, 2])
    [(0, (1, 3)), (1, (2, 3)), (2, (3,)), (3, ())]
    """
    best = elimination_cliques(neighbours, cardinalities)
    fewest, number = n_cells(best, cardinalities), 0
    spent = edges = len(best) + sum(len(around) for _, around in best)
    while fewest <= MOST_CELLS and spent < min(MOST_EDGES, SHARE * fewest / CELLS_PER_EDGE):
        ties = Random(number) if number else None  # by default as the variables are numbered
        tried = elimination_cliques(neighbours, cardinalities, RULES[number % len(RULES)], ties)
        if (cells := n_cells(tried, cardinalities)) < fewest:
            best, fewest = tried, cells
        number, spent = number + 1, spent + edges
    return best


def n_cells(elimination: Elimination, cardinalities: Sequence[int]) -> int:
    """How many cells the tables of all cliques have that this elimination makes.

    >>> n_cells([(0, (1,)), (1, ())], [2, 3])
    9
    """
    return sum(
        prod((cardinalities[variable], *(cardinalities[other] for other in around)))
        for variable, around in elimination
    )


def restricted(elimination: Elimination, number: Mapping[int, int]) -> Elimination:
    """The elimination of some of the variables alone, by their new numbers.

    Each clique is what is left of a clique of the whole, so no table is larger than it was. This
    holds for every model that is the whole with some variables held and some factors left out.

    >>> restricted([(0, (1, 3)), (1, (2, 3)), (2, (3,)), (3, ())], {0: 0, 2: 1, 3: 2})
    [(0, (2,)), (1, (2,)), (2, ())]
    """
    return [
        (number[variable], tuple(sorted(number[other] for other in around if other in number)))
        for variable, around in elimination
        if variable in number
    ]
