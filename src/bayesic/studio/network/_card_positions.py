"""Where cards stand: by hand, as a file has it, or by the layout. In pixels.

The position of a variable is the middle of its card, with no more rows than it shows at first. So a
card that is opened grows downwards.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bayesic.networks.edge_routes import Sizes
from bayesic.networks.layout import NetworkLayout, layout, spread
from bayesic.networks.network import BeliefNetwork

if TYPE_CHECKING:
    from bayesic.networks.positions import Position

WIDTH = 168  # of a card
HEADER = 24
ROW = 18
MOST_ROWS = 6  # a card with more states shows so many, and a row that counts the others
BESIDE, BETWEEN, PASSING = 24, 44, 14


def card_height(n_states: int, is_open: bool = False) -> int:
    """How high a card is.

    >>> card_height(2), card_height(20), card_height(20, True)
    (60, 150, 384)
    """
    rows = n_states if is_open or n_states <= MOST_ROWS else MOST_ROWS + 1
    return HEADER + ROW * rows


def closed_heights(network: BeliefNetwork) -> dict[str, int]:
    """How high each card is at first."""
    return {name: card_height(len(its or ())) for name, its in network._states.items()}


def laid_out(network: BeliefNetwork, heights: Mapping[str, float]) -> NetworkLayout:
    """Where cards of these heights stand, by hand or by the layout, and how edges run."""
    parents = {name: network.parents(name) for name in network.variables}
    if not is_placed(network):
        return layout(parents, sizes_of(heights))
    closed = closed_heights(network)  # a card that is opened keeps its upper side
    middles = {
        name: (x, y + (heights[name] - closed[name]) / 2)
        for name, (x, y) in network._positions.items()
    }
    return layout(parents, sizes_of(heights), middles)


def sizes_of(heights: Mapping[str, float]) -> Sizes:
    """How much room there is for what, with cards of these heights."""
    return Sizes(WIDTH, heights, BESIDE, BETWEEN, PASSING)


def is_placed(network: BeliefNetwork) -> bool:
    """Whether every variable has its position."""
    return len(network._positions) == len(network.variables)


def placed(network: BeliefNetwork) -> BeliefNetwork:
    """The network with a position for every variable.

    Where none has any, the layout gives them; where only some lack one, they come below the others.
    """
    if is_placed(network):
        return network
    if not network._positions:
        return network.with_positions(laid_out(network, closed_heights(network)).middles)
    known, heights = network.positions, closed_heights(network)
    left = min(x for x, _ in known.values())
    below = max(y + heights[name] / 2 for name, (_, y) in known.items()) + BETWEEN
    for name in network.variables:
        if name not in known:
            known[name] = left, below + heights[name] / 2
            left += WIDTH + BESIDE
    return network.with_positions(known)


def position_of(network: BeliefNetwork, name: str, x: float, y: float) -> "Position":
    """The position of a card with its upper left corner there."""
    return x + WIDTH / 2, y + closed_heights(network)[name] / 2


# positions of files -------------------------------------------------------------------------------


def opened(network: BeliefNetwork) -> BeliefNetwork:
    """A network of a file with its cards in their places, drawn apart where they would overlap.

    Other programs draw smaller things, in other units. Where only some positions are there, or they
    are too close, the layout gives places.
    """
    found = None
    if is_placed(network) and network.variables:
        found = spread(network.positions, sizes_of(closed_heights(network)))
    return network.with_positions({} if found is None else found)
