"""Graphs without cycles: orders, blankets, d-separation."""

from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks import _directed_graph as directed_graph
from helpers.random_networks import graphs

FIRE = {  # [Mitchell] figure 6.3 in part
    "Storm": (),
    "BusTourGroup": (),
    "Lightning": ("Storm",),
    "Campfire": ("Storm", "BusTourGroup"),
    "Thunder": ("Lightning",),
}


@given(graphs())
def test_parents_come_before_children(parents):
    order = directed_graph.topological_order(parents)
    assert sorted(order) == sorted(parents)
    place = {variable: number for number, variable in enumerate(order)}
    assert all(place[parent] < place[child] for child in parents for parent in parents[child])


@given(graphs())
def test_an_order_with_parents_first_is_kept(parents):
    order = directed_graph.topological_order(parents)
    assert directed_graph.topological_order({name: parents[name] for name in order}) == order


def test_the_earliest_that_is_ready_comes_first():
    parents = {"Thunder": ["Storm"], "Rain": [], "Storm": [], "Wind": []}
    assert directed_graph.topological_order(parents) == ["Rain", "Storm", "Thunder", "Wind"]


@pytest.mark.parametrize(
    ("parents", "cycle"),
    [
        ({"Rain": ["Rain"]}, "Rain -> Rain"),
        ({"Rain": ["Wet"], "Wet": ["Rain"]}, "Rain -> Wet -> Rain"),
        (
            {"Sun": [], "Rain": ["Wet", "Sun"], "Mud": ["Rain"], "Wet": ["Sun", "Mud"]},
            "Rain -> Mud -> Wet -> Rain",
        ),
    ],
    ids=["itself", "two", "three"],
)
def test_a_cycle_is_refused_by_name(parents, cycle):
    with pytest.raises(ValueError, match=f"got {cycle}. Drop or reverse"):
        directed_graph.topological_order(parents)


@given(graphs(), st.data())
def test_a_cycle_that_is_found_is_one(parents, data):
    names = list(parents)
    extra = data.draw(st.lists(st.tuples(*[st.sampled_from(names)] * 2), min_size=1, max_size=3))
    closed = {
        name: [*parents[name], *(parent for parent, child in extra if child == name)]
        for name in names
    }
    cycle = directed_graph.find_cycle(closed)
    assert all(parent in closed[child] for parent, child in pairwise(cycle))
    if cycle:
        assert cycle[0] == cycle[-1]
        assert len(set(cycle)) == len(cycle) - 1
    else:
        assert sorted(directed_graph.topological_order(closed)) == sorted(names)


def test_a_long_chain_needs_no_recursion():
    chain = {str(number): [str(number - 1)] if number else [] for number in range(5000)}
    assert directed_graph.find_cycle(chain) == []
    assert len(directed_graph.ancestors(chain, ["4999"])) == 4999
    assert len(directed_graph.descendants(chain, ["0"])) == 4999
    assert not directed_graph.d_separated(chain, ["0"], ["4999"])


def reachable_by_steps(parents, start):
    """All variables above one, one step at a time, to a fixed point."""
    above = set(parents[start])
    while True:
        more = above | {parent for variable in above for parent in parents[variable]}
        if more == above:
            return above
        above = more


@given(graphs())
def test_ancestors_and_descendants_mirror_each_other(parents):
    for variable in parents:
        above = reachable_by_steps(parents, variable)
        assert directed_graph.ancestors(parents, [variable]) == [
            name for name in parents if name in above
        ]
        below = [name for name in parents if variable in reachable_by_steps(parents, name)]
        assert directed_graph.descendants(parents, [variable]) == below


def separated_in_the_moral_graph(parents, first, second, given):
    """The other criterion: cut the moral graph of all ancestors at the given ones."""
    kept = {first, second, *given}
    kept |= {above for variable in kept for above in reachable_by_steps(parents, variable)}
    joined = {frozenset((parent, child)) for child in kept for parent in parents[child]}
    joined |= {frozenset(pair) for child in kept for pair in combinations(parents[child], 2)}
    reached = {first}
    while True:
        more = {other for pair in joined if pair & reached for other in pair - set(given)} | reached
        if more == reached:
            return second not in reached
        reached = more


@given(graphs(), st.data())
def test_d_separation_is_separation_in_the_moral_graph_of_the_ancestors(parents, data):
    names = list(parents)
    for first, second in combinations(names, 2):
        others = [name for name in names if name not in (first, second)]
        given = [name for name in others if data.draw(st.booleans())]
        ours = directed_graph.d_separated(parents, [first], [second], given)
        assert ours == separated_in_the_moral_graph(parents, first, second, given)
        assert ours == directed_graph.d_separated(parents, [second], [first], given)


def trails(parents, first, second):
    """All ways along edges, in any direction, that visit no variable twice."""
    joined = {name: {*its} for name, its in parents.items()}
    for name, its in parents.items():
        for parent in its:
            joined[parent].add(name)
    found, begun = [], [(first,)]
    while begun:
        trail = begun.pop()
        if trail[-1] == second:
            found.append(trail)
        else:
            begun += [(*trail, other) for other in joined[trail[-1]] - {*trail}]
    return found


def is_open(parents, trail, given, soft):
    """[KF] definition 3.6, word by word; soft evidence is that of an observed child."""
    for before, middle, after in zip(trail, trail[1:], trail[2:], strict=False):
        if before in parents[middle] and after in parents[middle]:
            below = {name for name in parents if middle in reachable_by_steps(parents, name)}
            if not {middle, *below} & {*given, *soft}:
                return False
        elif middle in given:
            return False
    return True


@given(graphs(max_variables=6), st.data())
def test_an_open_path_is_a_shortest_open_trail_of_all(parents, data):
    names = list(parents)
    for first, second in permutations(names, 2):
        others = [name for name in names if name not in (first, second)]
        seen = [name for name in others if data.draw(st.booleans())]
        soft = [name for name in names if data.draw(st.integers(0, 3)) == 0]
        path = directed_graph.open_path(parents, first, second, seen, soft)
        lengths = [
            len(trail)
            for trail in trails(parents, first, second)
            if is_open(parents, trail, seen, soft)
        ]
        assert len(path) == min(lengths, default=0)
        if path:
            assert tuple(path) in trails(parents, first, second)
            assert is_open(parents, path, seen, soft)
        assert bool(path) == (second in directed_graph.reachable(parents, [first], seen, soft))
        with_children = parents | {f"seen at {name}": (name,) for name in soft}
        given = [*seen, *(f"seen at {name}" for name in soft)]
        assert bool(path) != directed_graph.d_separated(with_children, [first], [second], given)


def test_no_path_leads_to_or_from_what_is_given():
    for first, second in (("Storm", "Thunder"), ("Thunder", "Storm")):
        assert directed_graph.open_path(FIRE, first, second) == [first, "Lightning", second]
        assert not directed_graph.open_path(FIRE, first, second, given=["Storm"])
    assert directed_graph.open_path(FIRE, "Storm", "Storm") == ["Storm"]


def test_the_book_says_that_campfire_is_independent_of_its_nondescendants():
    given = ["Storm", "BusTourGroup"]  # [Mitchell] section 6.11.2
    assert directed_graph.d_separated(FIRE, ["Campfire"], ["Lightning", "Thunder"], given)
    assert directed_graph.d_separated(FIRE, ["Thunder"], ["Storm", "Campfire"], ["Lightning"])
    assert not directed_graph.d_separated(FIRE, ["Storm"], ["BusTourGroup"], ["Campfire"])


@given(graphs())
def test_the_markov_blanket_separates_from_all_others(parents):
    for variable in parents:
        blanket = directed_graph.markov_blanket(parents, variable)
        assert variable not in blanket
        others = [name for name in parents if name != variable and name not in blanket]
        assert directed_graph.d_separated(parents, [variable], others, blanket)
        for member in blanket:  # and nothing in it can be spared
            rest = [name for name in parents if name not in (variable, member)]
            assert not directed_graph.d_separated(parents, [variable], [member], rest)
