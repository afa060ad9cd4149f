"""The routes of edges between the variables of a picture: they end at the boxes, and avoid them.

A route is a list of points (x, from, to): straight from one height to the other there, and in a
curve to the next point. The first begins at the edge of the parent, the last ends at that of the
child.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bayesic.networks._directed_graph import Parents
from bayesic.networks.positions import Position

Node = str | tuple[str, str, int]  # a variable, or where an edge passes a layer
EdgeRoute = list[tuple[float, float, float]]
Edge = tuple[str, str]
Interval = tuple[float, float]

FARTHEST = 3.0  # widths of a variable that an edge goes round; else it runs behind


@dataclass(frozen=True)
class Sizes:
    """How much room there is for what."""

    width: float  # of every variable
    heights: Mapping[str, float]  # of each variable
    beside: float  # between neighbours in a layer
    between: float  # between layers
    passing: float  # for an edge that passes a layer

    def width_of(self, node: Node) -> float:
        """How wide a node is."""
        return self.width if isinstance(node, str) else self.passing


# variables that stand anywhere --------------------------------------------------------------------


def routes_between(
    parents: Parents, middles: Mapping[str, Position], sizes: Sizes
) -> dict[Edge, EdgeRoute]:
    """The route of each edge between variables that stand anywhere, as people have moved them.

    An edge leaves its parent at the bottom and reaches its child at the top, or the other way round
    where the child stands above. Between these it passes rows of other variables through the gap
    that is nearest to the straight line, if there is one nearby. Neighbours on the same height are
    joined from side to side.

    >>> sizes = Sizes(1, {"Rain": 1, "Wet": 1}, 1, 1, 1)
    >>> routes_between({"Rain": (), "Wet": ("Rain",)}, {"Rain": (0, 0), "Wet": (3, 0)}, sizes)
    {('Rain', 'Wet'): [(0.5, 0.0, 0.0), (2.5, 0.0, 0.0)]}
    """
    boxes = {
        name: _VariableBox(x, y - sizes.heights[name] / 2, y + sizes.heights[name] / 2)
        for name, (x, y) in middles.items()
    }
    rows = _rows_of([*boxes.values()])
    edges = [(parent, child) for child, its in parents.items() for parent in its]
    routes: dict[Edge, EdgeRoute] = {}
    steep: dict[bool, dict[Edge, EdgeRoute]] = {True: {}, False: {}}
    for edge in edges:
        start, end = boxes[edge[0]], boxes[edge[1]]
        if end.top >= start.bottom or end.bottom <= start.top:
            steep[end.top >= start.bottom][edge] = _passed(start, end, rows, sizes)
        else:
            routes[edge] = _from_side_to_side(start, end, sizes)
    for is_down, passed in steep.items():
        routes |= _with_ends(passed, boxes, rows, is_down, sizes)
    return {edge: routes[edge] for edge in edges}


@dataclass(frozen=True)
class _VariableBox:
    """Where a variable is."""

    x: float
    top: float
    bottom: float


@dataclass(frozen=True)
class _Row:
    """Variables beside each other: no line across the picture passes between them."""

    top: float
    bottom: float
    boxes: list[_VariableBox]
    lanes: list[float]  # where edges pass


def _rows_of(boxes: Sequence[_VariableBox]) -> list[_Row]:
    """Boxes that overlap in height, from top to bottom.

    >>> overlapping, below = _VariableBox(5, 1, 2), _VariableBox(0, 3, 5)
    >>> [len(row.boxes) for row in _rows_of([_VariableBox(0, 0, 2), below, overlapping])]
    [2, 1]
    """
    rows: list[_Row] = []
    for box in sorted(boxes, key=lambda box: (box.top, box.x)):
        if rows and box.top < rows[-1].bottom:
            last = rows.pop()
            bottom = max(last.bottom, box.bottom)
            rows.append(_Row(last.top, bottom, [*last.boxes, box], last.lanes))
        else:
            rows.append(_Row(box.top, box.bottom, [box], []))
    return rows


def _ends(start: _VariableBox, end: _VariableBox, is_down: bool) -> Interval:
    """The heights at which an edge leaves its parent and reaches its child."""
    return (start.bottom, end.top) if is_down else (start.top, end.bottom)


def _passed(
    start: _VariableBox, end: _VariableBox, rows: Sequence[_Row], sizes: Sizes
) -> EdgeRoute:
    """The points where an edge passes rows, in its direction, each with its own lane."""
    is_down = end.top >= start.bottom
    first, last = _ends(start, end, is_down)
    upper, lower = sorted([first, last])
    between = [row for row in rows if upper <= row.top and row.bottom <= lower]
    x, y = start.x, first
    route: EdgeRoute = []
    for row in between if is_down else between[::-1]:
        middle = (row.top + row.bottom) / 2
        wanted = x + (end.x - x) * (middle - y) / (last - y)
        free = _nearest_gap(wanted, _taken(row, sizes))
        if abs(free - wanted) <= FARTHEST * sizes.width:
            row.lanes.append(free)
            x, y = free, row.bottom if is_down else row.top
            route.append((x, row.top, row.bottom) if is_down else (x, row.bottom, row.top))
    return route


def _taken(row: _Row, sizes: Sizes) -> list[Interval]:
    """Where no further edge can pass a row."""
    room = (sizes.width + min(sizes.beside, sizes.passing)) / 2
    boxes = [(box.x - room, box.x + room) for box in row.boxes]
    return boxes + [(lane - sizes.passing, lane + sizes.passing) for lane in row.lanes]


def _nearest_gap(wanted: float, taken: Sequence[Interval]) -> float:
    """The number nearest to the wanted one that lies inside none of the intervals.

    >>> _nearest_gap(1.0, [(0, 2), (1.5, 3), (5, 6)]), _nearest_gap(4.0, [(0, 2)])
    (0, 4.0)
    """
    low = high = wanted
    for start, end in sorted(taken):
        if start < high < end:
            high = end
    for start, end in sorted(taken, key=lambda interval: -interval[1]):
        if start < low < end:
            low = start
    return low if wanted - low < high - wanted else high


def _with_ends(
    passed: Mapping[Edge, EdgeRoute],
    boxes: Mapping[str, _VariableBox],
    rows: Sequence[_Row],
    is_down: bool,
    sizes: Sizes,
) -> dict[Edge, EdgeRoute]:
    """Edges that lead all down or all up, with where they leave and reach their variables.

    Beside taller neighbours they run straight.
    """
    row_of = {box: row for row in rows for box in row.boxes}
    toward = {edge: route[0][0] if route else boxes[edge[1]].x for edge, route in passed.items()}
    before = {edge: route[-1][0] if route else boxes[edge[0]].x for edge, route in passed.items()}
    leaving, reaching = _ports(toward, 0, sizes), _ports(before, 1, sizes)
    routes = {}
    for edge, route in passed.items():
        start, end = boxes[edge[0]], boxes[edge[1]]
        first, last = _ends(start, end, is_down)
        from_x, to_x = start.x + leaving[edge], end.x + reaching[edge]
        out = into = None
        if row_of[start] is not row_of[end]:
            out = _end_of_row(row_of[start], from_x, first, is_down, sizes)
            into = _end_of_row(row_of[end], to_x, last, not is_down, sizes)
        beginning = (from_x, first, first if out is None else out)
        routes[edge] = [beginning, *route, (to_x, last if into is None else into, last)]
    return routes


def _end_of_row(row: _Row, x: float, height: float, is_down: bool, sizes: Sizes) -> float | None:
    """Where a line from a box leaves its row, straight down or up; None if a box is in between."""
    end = row.bottom if is_down else row.top
    upper, lower = sorted([height, end])
    is_blocked = any(
        abs(box.x - x) < sizes.width / 2 and box.bottom > upper and box.top < lower
        for box in row.boxes
    )
    return None if is_blocked else end


def _from_side_to_side(start: _VariableBox, end: _VariableBox, sizes: Sizes) -> EdgeRoute:
    """A level line between boxes that overlap in height."""
    height = (max(start.top, end.top) + min(start.bottom, end.bottom)) / 2
    half = sizes.width / 2 if end.x >= start.x else -sizes.width / 2
    return [(start.x + half, height, height), (end.x - half, height, height)]


# layouts by layers --------------------------------------------------------------------------------


def routes_of_layers(
    routes: Mapping[tuple[str, str], Sequence[Node]],
    x: Mapping[Node, float],
    bands: Sequence[tuple[float, float]],
    number: Mapping[str, int],
    sizes: Sizes,
) -> dict[tuple[str, str], EdgeRoute]:
    """Each edge as the places that it passes in a layout by layers.

    routes : edge -> its nodes, layer by layer
    x    : the horizontal middle of each node

    Edges of the same variable leave and reach it side by side, in the order of where they go.
    """
    leaving = _ports({edge: x[route[1]] for edge, route in routes.items()}, 0, sizes)
    reaching = _ports({edge: x[route[-2]] for edge, route in routes.items()}, 1, sizes)
    drawn = {}
    for (parent, child), route in routes.items():
        edge = parent, child
        upper, lower = bands[number[parent]], bands[number[child]]
        start, end = (
            sum(band) / 2 + side * sizes.heights[name] / 2
            for name, band, side in ((parent, upper, 1), (child, lower, -1))
        )
        passed = [(x[node], *bands[node[2]]) for node in route if not isinstance(node, str)]
        first = (x[parent] + leaving[edge], start, upper[1])
        drawn[edge] = [first, *passed, (x[child] + reaching[edge], lower[0], end)]
    return drawn


def _ports(
    toward: Mapping[tuple[str, str], float], side: int, sizes: Sizes
) -> dict[tuple[str, str], float]:
    """How far from the middle of its parent (side 0) or child (side 1) each edge touches it.

    toward : edge -> the position where it comes from, or goes to
    """
    edges_of: dict[str, list[tuple[str, str]]] = {}
    for edge in sorted(toward, key=toward.__getitem__):
        edges_of.setdefault(edge[side], []).append(edge)
    offset = {}
    for edges in edges_of.values():
        step = min(sizes.passing, 0.8 * sizes.width / len(edges))
        for index, edge in enumerate(edges):
            offset[edge] = step * (index - (len(edges) - 1) / 2)
    return offset
