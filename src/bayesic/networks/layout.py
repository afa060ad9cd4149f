"""Where the variables of a network stand: in layers, parents above children, few edges crossing.

After [Sugiyama]: each variable gets a layer, each layer an order in which few edges cross, and each
place in this order a position. An edge that passes a layer takes its own place there, so that
no edge runs through a variable. Lengths are in the unit of the sizes, inches or pixels, from left
to right and from top to bottom. Equal networks have equal layouts.
"""

import math
from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bayesic.kernels import Array
from bayesic.networks._directed_graph import Parents, topological_order
from bayesic.networks.edge_routes import EdgeRoute, Node, Sizes, routes_between, routes_of_layers
from bayesic.networks.positions import Position

Layers = list[list[Node]]
Links = Mapping[Node, Sequence[Node]]

MOST_SWEEPS = 24  # over all layers, for their order
PATIENCE = 6  # sweeps without fewer crossings
ROUNDS = 12  # over all layers, for the positions
FEW_OVERLAPS, AIR, MOST_SPREAD = 0.25, 1.25, 20.0  # see `spread`
STIFFNESS = 4.0  # how much more an edge that passes holds its place than a variable


@dataclass(frozen=True)
class NetworkLayout:
    """The middle of each variable, the route of each edge, and how large all of it is."""

    middles: dict[str, Position]
    routes: dict[tuple[str, str], EdgeRoute]
    width: float
    height: float
    left: float = 0.0  # where all of it begins
    top: float = 0.0


def layout(
    parents: Parents, sizes: Sizes, positions: Mapping[str, Position] | None = None
) -> NetworkLayout:
    """A place for every variable, and a route for every edge.

    positions : the middles of variables that were placed by hand, all or some; see `routes_between`
        for the edges then

    >>> rain = layout({"Rain": (), "Wet": ("Rain",)}, Sizes(1, {"Rain": 1, "Wet": 1}, 1, 1, 1))
    >>> rain.middles, rain.routes["Rain", "Wet"]
    ({'Rain': (0.5, 0.5), 'Wet': (0.5, 2.5)}, [(0.5, 1.0, 1.0), (0.5, 2.0, 2.0)])
    """
    if positions:
        return _placed(parents, sizes, positions)
    layer_of = layer_numbers(parents)
    routes = {
        (parent, child): passed_nodes(parent, child, layer_of)
        for child, its in parents.items()
        for parent in its
    }
    above, below = links_of(parents, routes.values())
    layers = ordered_layers(first_layers(above, below, layer_of), above, below)
    x = _positions(layers, above, below, sizes)
    bands = _bands_of(layers, sizes)
    middles = {name: (x[name], sum(bands[layer_of[name]]) / 2) for name in parents}
    right = [middle + sizes.width_of(node) / 2 for node, middle in x.items()]
    return NetworkLayout(
        middles,
        routes_of_layers(routes, x, bands, layer_of, sizes),
        max(right, default=0.0),
        bands[-1][1] if bands else 0.0,
    )


def _placed(parents: Parents, sizes: Sizes, positions: Mapping[str, Position]) -> NetworkLayout:
    """The same where variables were placed by hand; the others stand where they would without."""
    middles = dict(positions)
    if len(positions) < len(parents):
        middles = {**layout(parents, sizes).middles, **positions}
    half = sizes.width / 2
    left = min(x - half for x, _ in middles.values())
    top = min(y - sizes.heights[name] / 2 for name, (_, y) in middles.items())
    width = max(x + half for x, _ in middles.values()) - left
    height = max(y + sizes.heights[name] / 2 for name, (_, y) in middles.items()) - top
    return NetworkLayout(middles, routes_between(parents, middles, sizes), width, height, left, top)


def spread(middles: Mapping[str, Position], sizes: Sizes) -> dict[str, Position] | None:
    """Places of a file, drawn apart where they are too close; None if that takes too much.

    Files of other programs have small variables close together: if more than a quarter of them
    would overlap, all are drawn apart until hardly one does. A few that overlap were placed so.

    >>> close = {"Rain": (1.0, 1.0), "Wet": (1.0, 1.5)}
    >>> spread(close, Sizes(1, {"Rain": 1, "Wet": 1}, 1, 1, 1))
    {'Rain': (2.5, 2.5), 'Wet': (2.5, 3.75)}
    """
    needed = _times_apart(middles, sizes)
    if np.mean(needed > 1.0) <= FEW_OVERLAPS:
        return dict(middles)
    scale = AIR * float(np.quantile(needed, 0.9, method="lower"))
    if not scale <= MOST_SPREAD:
        return None
    return {name: (scale * x, scale * y) for name, (x, y) in middles.items()}


def _times_apart(middles: Mapping[str, Position], sizes: Sizes) -> Array:
    """For each variable, by how much places must be drawn apart until it overlaps no other."""
    x, y = np.array([*middles.values()]).T
    heights = np.array([sizes.heights[name] for name in middles])
    needed = np.empty(len(heights))
    for index in range(len(heights)):  # one after the other: all pairs would fill the memory
        across, down = np.abs(x - x[index]), np.abs(y - y[index])
        across[index] = np.inf
        with np.errstate(divide="ignore"):
            tall = (heights + heights[index]) / 2 / down
            needed[index] = np.minimum(sizes.width / across, tall).max()
    return needed


# layers -------------------------------------------------------------------------------------------


def layer_numbers(parents: Parents) -> dict[str, int]:
    """The layer of each variable: one below the lowest of its parents.

    What has no parents stands just above the first of its children. Variables without any edge come
    last, in lines about as long as the widest layer.

    >>> layer_numbers({"Rain": (), "Wet": ("Rain",), "Ice": ("Wet", "Frost"), "Frost": ()})
    {'Rain': 0, 'Wet': 1, 'Ice': 2, 'Frost': 1}
    """
    longest: dict[str, int] = {}
    for name in topological_order(parents):
        longest[name] = 1 + max((longest[parent] for parent in parents[name]), default=-1)
    highest_child: dict[str, int] = {}
    for child, its in parents.items():
        for parent in its:
            highest_child[parent] = min(longest[child], highest_child.get(parent, longest[child]))
    alone = [name for name in parents if not parents[name] and name not in highest_child]
    linked = {
        name: longest[name] if parents[name] else highest_child[name] - 1
        for name in parents
        if name not in alone
    }
    counts = np.bincount(list(linked.values())) if linked else np.zeros(0, int)
    per_line = max(math.ceil(math.sqrt(2 * len(alone))), int(counts.max(initial=1)))
    lines = {name: len(counts) + index // per_line for index, name in enumerate(alone)}
    return {name: linked[name] if name in linked else lines[name] for name in parents}


def passed_nodes(parent: str, child: str, layer_of: Mapping[str, int]) -> list[Node]:
    """The nodes along an edge: its parent, a place in every layer that it passes, its child."""
    passed = range(layer_of[parent] + 1, layer_of[child])
    return [parent, *((parent, child, layer) for layer in passed), child]


def links_of(parents: Parents, routes: Iterable[Sequence[Node]]) -> tuple[Links, Links]:
    """What every node is linked to in the layer above, and in the layer below."""
    above: dict[Node, list[Node]] = {name: [] for name in parents}
    below: dict[Node, list[Node]] = {name: [] for name in parents}
    for route in routes:
        for upper, lower in pairwise(route):
            below.setdefault(upper, []).append(lower)
            above.setdefault(lower, []).append(upper)
    return above, below


# order --------------------------------------------------------------------------------------------


def first_layers(above: Links, below: Links, layer_of: Mapping[str, int]) -> Layers:
    """All nodes by layer, each behind what was reached before it, going down from the roots."""
    layers: Layers = [[] for _ in range(1 + max(layer_of.values(), default=-1))]
    reached: set[Node] = set()
    waiting = [node for node in above if not above[node]][::-1]
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            layers[layer_of[node] if isinstance(node, str) else node[2]].append(node)
            waiting += reversed(below[node])
    return layers


def ordered_layers(layers: Layers, above: Links, below: Links) -> Layers:
    """The layers, each in an order in which few edges cross.

    Down and up in turn, each node goes to the mean place of its neighbours in the layer before;
    then neighbours change places where fewer edges cross. The best order of all sweeps is kept.
    """
    best, fewest, waited = layers, crossings(layers, below), 0
    for sweep in range(MOST_SWEEPS):
        if not fewest or waited == PATIENCE:
            break
        layers = _swept(layers[::-1], below)[::-1] if sweep % 2 else _swept(layers, above)
        layers = _exchanged(layers, above, below)
        n_crossings = crossings(layers, below)
        waited += 1
        if n_crossings < fewest:
            best, fewest, waited = layers, n_crossings, 0
    return best


def crossings(layers: Layers, below: Links) -> int:
    """How many pairs of edges cross.

    >>> crossings([["Storm", "Bus"], ["Fire", "Rain"]], {"Storm": ["Rain"], "Bus": ["Fire"]})
    1
    """
    total = 0
    for upper, lower in pairwise(layers):
        index_of = _places(lower)
        seen: list[int] = []
        for node in upper:
            ends = sorted(index_of[end] for end in below[node])
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _places(layer: Sequence[Node]) -> dict[Node, int]:
    """Node -> its place in the layer, from 0 on."""
    return {node: index for index, node in enumerate(layer)}


def _swept(layers: Layers, links: Links) -> Layers:
    """Each layer in the order of the mean places of what it is linked to in the one before it.

    Nodes without links keep their places.
    """
    result = layers[:1]
    for layer in layers[1:]:
        position_of = _places(result[-1])
        mean = {
            node: sum(position_of[other] for other in links[node]) / len(links[node])
            for node in layer
            if links[node]
        }
        moving = iter(sorted(mean, key=mean.__getitem__))
        result.append([next(moving) if node in mean else node for node in layer])
    return result


def _exchanged(layers: Layers, above: Links, below: Links) -> Layers:
    """The layers after neighbours have changed places, wherever fewer edges cross then."""
    result = [list(layer) for layer in layers]
    for number, layer in enumerate(result):
        upper = _places(result[number - 1]) if number else {}
        lower = _places(result[number + 1]) if number + 1 < len(result) else {}
        ends = {
            node: ([upper[end] for end in above[node]], [lower[end] for end in below[node]])
            for node in layer
        }
        for index in range(1, len(layer)):
            left, right = layer[index - 1 : index + 1]
            now = sum(map(_n_out_of_order, ends[left], ends[right]))
            if sum(map(_n_out_of_order, ends[right], ends[left])) < now:
                layer[index - 1 : index + 1] = right, left
    return result


def _n_out_of_order(left: Sequence[int], right: Sequence[int]) -> int:
    """Of how many pairs the first place lies behind the second one.

    >>> _n_out_of_order([0, 3], [1, 2])
    2
    """
    return sum(one > other for one in left for other in right)


# positions ----------------------------------------------------------------------------------------


def _positions(layers: Layers, above: Links, below: Links, sizes: Sizes) -> dict[Node, float]:
    """The horizontal middle of every node, near those that it is linked to; all begins at 0.

    Down and up in turn, each layer is placed with the least squared distance from where its nodes
    want to be, in its order and with room between them.
    """
    room = [_room_before(layer, sizes) for layer in layers]
    x: dict[Node, float] = {}
    for layer, least in zip(layers, room, strict=True):
        x |= zip(layer, (least - least[-1] / 2).tolist(), strict=True)
    for turn in range(ROUNDS):
        links = (above, below)[turn % 2]
        way_through = list(zip(layers, room, strict=True))[:: -1 if turn % 2 else 1]
        for layer, least in way_through:
            wanted = [_mean_position(node, links[node], x) for node in layer]
            x |= zip(layer, apart(layer, wanted, least), strict=True)
    left = min((middle - sizes.width_of(node) / 2 for node, middle in x.items()), default=0.0)
    return {node: middle - left for node, middle in x.items()}


def _room_before(layer: Sequence[Node], sizes: Sizes) -> Array:
    """Where each node of a layer is at the least, the first one at 0."""
    widths = np.array([sizes.width_of(node) for node in layer])
    return np.concatenate([[0.0], np.cumsum((widths[:-1] + widths[1:]) / 2 + sizes.beside)])


def _mean_position(node: Node, linked: Sequence[Node], x: Mapping[Node, float]) -> float:
    """Where a node wants to be: amid what it is linked to; where it is, without any."""
    return sum(x[other] for other in linked) / len(linked) if linked else x[node]


def apart(layer: Sequence[Node], wanted: Sequence[float], room: Array) -> list[float]:
    """The positions of a layer nearest to the wanted ones, by least squares.

        minimise sum of w_i (x_i - wanted_i)^2   with   x_i - room_i not falling

    which is an isotonic regression of wanted_i - room_i.

    >>> apart(["Rain", "Wet"], [1.0, 1.0], np.array([0.0, 2.0]))
    [0.0, 2.0]
    """
    weights = [1.0 if isinstance(node, str) else STIFFNESS for node in layer]
    shifted = not_falling((np.asarray(wanted) - room).tolist(), weights)
    return (np.asarray(shifted) + room).tolist()


def not_falling(wanted: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The values nearest to the wanted ones, by weighted least squares, none below the one before.

    Neighbours out of order share their weighted mean, until none are out of order: the isotonic
    regression of [Ayer]. (SciPy has it, too, in a module that takes long to import.)

    >>> not_falling([1.0, 4.0, 0.0, 5.0], [1.0, 1.0, 3.0, 1.0])
    [1.0, 1.0, 1.0, 5.0]
    """
    groups: list[tuple[float, float, int]] = []  # mean, weight, how many
    for mean, weight in zip(wanted, weights, strict=True):
        n_values = 1
        while groups and groups[-1][0] >= mean:
            before, its_weight, n_before = groups.pop()
            mean = (before * its_weight + mean * weight) / (its_weight + weight)
            weight, n_values = weight + its_weight, n_values + n_before
        groups.append((mean, weight, n_values))
    return [mean for mean, _, n_values in groups for _ in range(n_values)]


def _bands_of(layers: Layers, sizes: Sizes) -> list[tuple[float, float]]:
    """Top and bottom of every layer."""
    bands, top = [], 0.0
    for layer in layers:
        height = max(sizes.heights[node] for node in layer if isinstance(node, str))
        bands.append((top, top + height))
        top += height + sizes.between
    return bands
