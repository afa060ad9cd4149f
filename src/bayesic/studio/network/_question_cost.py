"""What a question will cost to answer."""

from typing import Any, NamedTuple

from bayesic.networks.network import BeliefNetwork


class QuestionCost(NamedTuple):
    """Cells of all tables that a question takes, about how long, and whether they fit."""

    cells: int
    seconds: float
    fits: bool


NOTHING = QuestionCost(0, 0.0, True)


def cost_of(network: BeliefNetwork, given: Any = None) -> QuestionCost:
    """What the posteriors of all variables cost.

    >>> from bayesic.datasets import asia
    >>> cost_of(asia()).cells
    40
    """
    states = network._states.values()
    if not states or None in states:  # there is nothing to ask yet
        return NOTHING
    found = network.cost(given)
    return QuestionCost(found.cells, found.seconds, found.fits)
