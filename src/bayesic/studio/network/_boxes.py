"""A network as boxes in pixels: where its cards stand, and how its edges run."""

from collections.abc import Collection
from typing import Any

from bayesic.networks.network import BeliefNetwork
from bayesic.studio.network._card_positions import WIDTH, card_height, laid_out


def drawn(network: BeliefNetwork, opened: Collection[str] = ()) -> dict[str, Any]:
    """Cards and edges of a network, with their places."""
    states = {name: state_texts(network, name) for name in network.variables}
    heights = {name: card_height(len(its), name in opened) for name, its in states.items()}
    found = laid_out(network, heights)
    without_table = {*network.variables_without_table}
    return {
        "left": round(found.left, 1),
        "top": round(found.top, 1),
        "width": round(found.width, 1),
        "height": round(found.height, 1),
        "variables": [
            {
                "name": name,
                "states": states[name],
                "parents": list(network.parents(name)),
                "has_table": name not in without_table,
                "x": round(x - WIDTH / 2, 1),
                "y": round(y - heights[name] / 2, 1),
                "width": WIDTH,
                "height": heights[name],
            }
            for name, (x, y) in found.middles.items()
        ],
        "edges": [
            {
                "from": parent,
                "to": child,
                "route": [[round(at, 1) for at in part] for part in route],
            }
            for (parent, child), route in found.routes.items()
        ],
    }


def state_texts(network: BeliefNetwork, variable: str) -> list[str]:
    """The states of a variable as texts, in their order; none if they are not known yet."""
    known = network._states[variable]
    return [] if known is None else [str(state) for state in known]
