"""Models that are too wide for an exact answer: what makes them so, and what would help."""

from collections.abc import Sequence
from math import prod

import numpy as np

from bayesic.data.spelling import spelt
from bayesic.networks.engine.cliques import CliqueTree
from bayesic.networks.engine.plan import table_size
from bayesic.networks.engine.tree import TreeTooWideError
from bayesic.networks.variable_names import listed

MOST_HELPERS = 5  # variables that are named to be observed


def named(error: TreeTooWideError, names: Sequence[str], can_sample: bool) -> TreeTooWideError:
    """The same refusal, in the names of the variables and with what would help."""
    sizes = error.factors.cardinalities
    largest = max(error.tree.cliques, key=lambda clique: table_size(clique, sizes))
    shown = listed(sorted(names[variable] for variable in largest))
    helpers = [names[variable] for variable in best_to_observe(error.tree, sizes)]
    ways = f"Observe more: {', '.join(helpers)} would help most."
    if can_sample:
        weighting, gibbs = by_method("likelihood-weighting"), by_method("gibbs")
        ways += f" Sample instead: query with {weighting} or {gibbs}."
    return TreeTooWideError(
        error.tree,
        error.factors,
        f"{error.reason}: its largest table is over {len(largest)} variables, {shown}",
        ways,
    )


def by_method(name: str) -> str:
    """How a method of `query` is asked for."""
    return spelt("method={method!r}", method=name)


def best_to_observe(tree: CliqueTree, cardinalities: Sequence[int]) -> list[int]:
    """Variables whose observation would save most cells, each given those before it.

    >>> square = CliqueTree(((0, 1, 2), (0, 2, 3)), (-1, 0), (0, 2))
    >>> best_to_observe(square, [2, 2, 3, 2])
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
