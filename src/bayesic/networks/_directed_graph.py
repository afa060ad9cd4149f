"""Directed graphs without cycles: pure functions on a mapping variable -> its parents.

Every variable is a key of the mapping. Results follow the order of its keys, so they are the same
in every run.
"""

import heapq
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

from bayesic.networks.variable_names import NetworkError

Parents = Mapping[str, Sequence[str]]
Ball = tuple[str, bool]  # a variable, and whether it is reached from a child


def _children_of(parents: Parents) -> dict[str, list[str]]:
    """The same graph, as a mapping variable -> its children.

    >>> _children_of({"Storm": [], "Bus": [], "Campfire": ["Storm", "Bus"]})
    {'Storm': ['Campfire'], 'Bus': ['Campfire'], 'Campfire': []}
    """
    children: dict[str, list[str]] = {variable: [] for variable in parents}
    for variable, its_parents in parents.items():
        for parent in its_parents:
            children[parent].append(variable)
    return children


def parents_of(
    edges: Iterable[tuple[str, str]], variables: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """Edges (parent, child) as a mapping variable -> its parents: these variables, then others.

    >>> parents_of([("Storm", "Campfire"), ("Bus", "Campfire")], ["Campfire"])
    {'Campfire': ('Storm', 'Bus'), 'Storm': (), 'Bus': ()}
    """
    edges = list(edges)
    ends = [variable for edge in edges for variable in edge]
    parents: dict[str, list[str]] = {variable: [] for variable in [*variables, *ends]}
    for parent, child in edges:
        parents[child].append(parent)
    return {variable: tuple(its) for variable, its in parents.items()}


def families_of(parents: Parents) -> tuple[tuple[int, ...], ...]:
    """The family of each variable by numbers: its parents, then itself.

    >>> families_of({"Campfire": ["Storm", "Bus"], "Storm": [], "Bus": []})
    ((1, 2, 0), (1,), (2,))
    """
    index_of = {variable: index for index, variable in enumerate(parents)}
    return tuple(
        (*(index_of[parent] for parent in its_parents), index_of[variable])
        for variable, its_parents in parents.items()
    )


def topological_order(parents: Parents) -> list[str]:
    """All variables, parents before children; otherwise as early in the given order as can be.

    A given order that has parents first already is kept. Cycles are refused.

    >>> topological_order({"Campfire": ["Storm", "Bus"], "Storm": [], "Bus": []})
    ['Storm', 'Bus', 'Campfire']
    """
    variables = list(parents)
    index_of = {variable: number for number, variable in enumerate(variables)}
    children = _children_of(parents)
    waiting = {variable: len(its_parents) for variable, its_parents in parents.items()}
    ready = [index_of[variable] for variable in variables if not waiting[variable]]
    order = []
    while ready:
        variable = variables[heapq.heappop(ready)]
        order.append(variable)
        for child in children[variable]:
            waiting[child] -= 1
            if not waiting[child]:
                heapq.heappush(ready, index_of[child])
    if len(order) < len(variables):
        cycle = find_cycle(parents)
        raise NetworkError(
            f"Edges must not lead back to where they started, got {' -> '.join(cycle)}. "
            "Drop or reverse one of them.",
            variable=cycle[0],
        )
    return order


def find_cycle(parents: Parents) -> list[str]:
    """The variables along one cycle, the first of them again at the end; empty without a cycle.

    >>> find_cycle({"Rain": ["Wet"], "Wet": ["Rain"], "Sun": []})
    ['Rain', 'Wet', 'Rain']
    """
    finished: set[str] = set()
    for start in parents:
        path: dict[str, None] = {}  # from the start upwards, parent by parent
        open_parents = [iter([start])]
        while open_parents:
            variable = next(open_parents[-1], None)
            if variable is None:
                open_parents.pop()
                if path:
                    finished.add(path.popitem()[0])
            elif variable in path:
                upwards = list(path)
                return [variable, *reversed(upwards[upwards.index(variable) + 1 :]), variable]
            elif variable not in finished:
                path[variable] = None
                open_parents.append(iter(parents[variable]))
    return []


def ancestors(parents: Parents, variables: Iterable[str]) -> list[str]:
    """All variables from which a path leads to one of these: parents, their parents and so on.

    >>> ancestors({"Storm": [], "Lightning": ["Storm"], "Thunder": ["Lightning"]}, ["Thunder"])
    ['Storm', 'Lightning']
    """
    reached = _reached(parents, variables)
    return [variable for variable in parents if variable in reached]


def descendants(parents: Parents, variables: Iterable[str]) -> list[str]:
    """All variables to which a path leads from one of these.

    >>> descendants({"Storm": [], "Lightning": ["Storm"], "Thunder": ["Lightning"]}, ["Storm"])
    ['Lightning', 'Thunder']
    """
    reached = _reached(_children_of(parents), variables)
    return [variable for variable in parents if variable in reached]


def _reached(neighbours: Parents, variables: Iterable[str]) -> set[str]:
    reached: set[str] = set()
    to_visit = list(variables)
    while to_visit:
        for neighbour in neighbours[to_visit.pop()]:
            if neighbour not in reached:
                reached.add(neighbour)
                to_visit.append(neighbour)
    return reached


def markov_blanket(parents: Parents, variable: str) -> list[str]:
    """Parents, children, and other parents of the children.

    Given these, the variable is independent of all others ([Pearl], section 3.3).

    >>> markov_blanket({"Storm": [], "Bus": [], "Campfire": ["Storm", "Bus"]}, "Storm")
    ['Bus', 'Campfire']
    """
    children = _children_of(parents)[variable]
    blanket = {
        *parents[variable],
        *children,
        *(other for child in children for other in parents[child]),
    }
    return [other for other in parents if other in blanket and other != variable]


def d_separated(
    parents: Parents, first: Iterable[str], second: Collection[str], given: Iterable[str] = ()
) -> bool:
    """Whether the graph alone says that first and second are independent, given the third.

    They are if no trail between them is open. A trail is open if each of its colliders
    (-> middle <-) is given or has a descendant that is, and no other variable on it is given
    ([KF], definition 3.7 and algorithm 3.1).

    >>> fire = {"Storm": [], "Bus": [], "Campfire": ["Storm", "Bus"]}
    >>> d_separated(fire, ["Storm"], ["Bus"]), d_separated(fire, ["Storm"], ["Bus"], ["Campfire"])
    (True, False)
    """
    return not set(second) & reachable(parents, first, given)


def reachable(
    parents: Parents, start: Iterable[str], given: Iterable[str] = (), soft: Iterable[str] = ()
) -> set[str]:
    """All variables with an open trail from one of the start, as a ball would roll.

    soft : variables with soft evidence. It opens colliders as an observed child would, and stops
        no ball

    >>> sorted(reachable({"Storm": [], "Bus": [], "Campfire": ["Storm", "Bus"]}, ["Storm"]))
    ['Campfire', 'Storm']
    """
    observed = set(given)
    return {variable for variable, _ in _rolled(parents, start, observed, soft)} - observed


def open_path(
    parents: Parents, first: str, second: str, given: Iterable[str] = (), soft: Iterable[str] = ()
) -> list[str]:
    """The variables along a shortest open trail between two; empty if they are d-separated.

    A shortest trail visits no variable twice: where a ball comes back to a variable, it has been
    below it at a collider that is open, so that the variable itself can turn the ball.

    >>> fire = {"Storm": [], "Bus": [], "Campfire": ["Storm", "Bus"], "Ash": ["Campfire"]}
    >>> open_path(fire, "Storm", "Bus"), open_path(fire, "Storm", "Bus", given=["Ash"])
    ([], ['Storm', 'Campfire', 'Bus'])
    """
    observed = set(given)
    came_from = _rolled(parents, [first], observed, soft)
    ends = (ball for ball in came_from if ball[0] == second and second not in observed)
    ball: Ball | None = next(ends, None)
    path = []
    while ball is not None:
        path.append(ball[0])
        ball = came_from[ball]
    return path[::-1]


def _rolled(
    parents: Parents, start: Iterable[str], observed: Collection[str], soft: Iterable[str]
) -> dict[Ball, Ball | None]:
    """Wherever a ball comes to -> where it came from, the nearest first, in linear time.

    A ball is a variable, and whether it comes from a child. One that comes from a child rolls on to
    all neighbours, one from a parent to the children; it does neither at an observed variable. One
    that comes from a parent turns back to the parents where evidence is here or below ([KF],
    algorithm 3.1).
    """
    seen = {*observed, *soft}
    opened_colliders = seen | _reached(parents, seen)
    children = _children_of(parents)
    came_from: dict[Ball, Ball | None] = {(variable, True): None for variable in start}
    to_visit = deque(came_from)
    while to_visit:
        ball = to_visit.popleft()
        variable, from_child = ball
        rolls_on: list[Ball] = []
        if variable not in observed if from_child else variable in opened_colliders:
            rolls_on += [(parent, True) for parent in parents[variable]]
        if variable not in observed:
            rolls_on += [(child, False) for child in children[variable]]
        for other in rolls_on:
            if other not in came_from:
                came_from[other] = ball
                to_visit.append(other)
    return came_from
