"""Directions of edges: v-structures, Meek's rules, and networks of a partial graph."""

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks import _directed_graph as directed_graph
from bayesic.networks._structure.partial_graph import PartialGraph, extended, oriented, v_structures
from helpers.examples import at_most


def without_v_structures(edges):
    """A skeleton whose pairs without an edge are separated by all other variables."""
    names = sorted({name for edge in edges for name in edge})
    neighbours = {name: set() for name in names}
    for one, other in edges:
        neighbours[one].add(other)
        neighbours[other].add(one)
    separating = {
        (one, other): [tuple(name for name in names if name not in (one, other))]
        for one, other in combinations(names, 2)
        if other not in neighbours[one]
    }
    return neighbours, separating


def test_a_middle_in_less_than_half_of_the_separating_sets_is_a_child():
    neighbours = {"Bus": {"Fire"}, "Fire": {"Bus", "Storm"}, "Storm": {"Fire"}, "Ice": set()}
    pair = ("Bus", "Storm")
    found = [("Bus", "Fire", "Storm")]
    assert v_structures(neighbours, {pair: [("Ice",), ("Ice", "Fire"), ()]}) == found
    assert v_structures(neighbours, {pair: [("Ice",), ("Fire",)]}) == []
    assert v_structures(neighbours, {pair: []}) == []


def test_parents_with_an_edge_between_them_are_no_v_structure():
    neighbours = {"Bus": {"Fire", "Storm"}, "Fire": {"Bus", "Storm"}, "Storm": {"Bus", "Fire"}}
    assert v_structures(neighbours, {}) == []


# the four rules, each in the figure of the paper ---------------------------------------------


def test_rule_1_no_new_v_structure():
    edges = [("cloud", "rain"), ("rain", "wet")]
    result = oriented(*without_v_structures(edges), required=[("cloud", "rain")])
    assert result.directed == (("cloud", "rain"), ("rain", "wet"))


def test_rule_2_no_cycle():
    edges = [("cloud", "rain"), ("rain", "wet"), ("cloud", "wet")]
    known = [("cloud", "rain"), ("rain", "wet")]
    result = oriented(*without_v_structures(edges), required=known)
    assert result.directed == (("cloud", "rain"), ("cloud", "wet"), ("rain", "wet"))


def test_rule_3_two_ways_that_share_no_edge():
    edges = [("top", "left"), ("top", "right"), ("top", "low"), ("left", "low"), ("right", "low")]
    known = [("left", "low"), ("right", "low")]
    result = oriented(*without_v_structures(edges), required=known)
    assert result.directed == (("left", "low"), ("right", "low"), ("top", "low"))
    assert result.undirected == (("left", "top"), ("right", "top"))


def test_rule_4_around_the_corner():
    edges = [("top", "left"), ("top", "right"), ("top", "low"), ("left", "low"), ("right", "low")]
    known = [("left", "low"), ("low", "right")]
    result = oriented(*without_v_structures(edges), required=known)
    assert result.directed == (("left", "low"), ("low", "right"), ("top", "right"))
    assert result.undirected == (("left", "top"), ("low", "top"))


def test_the_rules_go_on_until_nothing_follows():
    chain = [(f"day {number}", f"day {number + 1}") for number in range(8)]
    assert oriented(*without_v_structures(chain), required=chain[:1]).directed == tuple(chain)
    assert oriented(*without_v_structures(chain)).undirected == tuple(chain)


# contradictions ------------------------------------------------------------------------------


def contradicting_chain():
    """Bus - Fire - Smoke - Storm; Fire and Smoke are each said to be a child of both sides."""
    neighbours = {
        "Bus": {"Fire"},
        "Fire": {"Bus", "Smoke"},
        "Smoke": {"Fire", "Storm"},
        "Storm": {"Smoke"},
    }
    return neighbours, {("Bus", "Smoke"): [()], ("Fire", "Storm"): [()], ("Bus", "Storm"): [()]}


def test_an_edge_that_v_structures_direct_both_ways_stays_undirected():
    result = oriented(*contradicting_chain())
    assert result.directed == (("Bus", "Fire"), ("Storm", "Smoke"))
    assert result.undirected == result.contradicted == (("Fire", "Smoke"),)


def test_a_known_direction_settles_it():
    result = oriented(*contradicting_chain(), required=[("Fire", "Smoke")])
    assert ("Fire", "Smoke") in result.directed
    assert ("Storm", "Smoke") in result.directed
    assert result.contradicted == ()
    # Fire is not the child of both, and nothing else tells between it and Bus
    assert result.undirected == (("Bus", "Fire"),)


def test_an_extension_says_what_the_contradiction_cost():
    result = extended(oriented(*contradicting_chain()))
    assert result.edges == (("Bus", "Fire"), ("Fire", "Smoke"), ("Storm", "Smoke"))
    assert result.message.endswith("differs: Fire -> Smoke <- Storm is new.")


def test_a_cycle_is_broken_by_turning_one_edge():
    cycle = PartialGraph(
        ("ash", "birch", "cedar"), (("ash", "birch"), ("birch", "cedar"), ("cedar", "ash")), ()
    )
    result = extended(cycle)
    assert result.edges == (("ash", "birch"), ("ash", "cedar"), ("birch", "cedar"))
    assert result.message.endswith("differs: cedar -> ash is turned.")


def test_required_edges_are_kept_and_forbidden_ones_do_not_come_in():
    cycle = PartialGraph(
        ("ash", "birch", "cedar"), (("ash", "birch"), ("birch", "cedar"), ("cedar", "ash")), ()
    )
    result = extended(cycle, required=[("cedar", "ash")])
    assert result.edges == (("cedar", "ash"), ("ash", "birch"), ("cedar", "birch"))
    result = extended(cycle, forbidden=[("ash", "cedar")], required=[("birch", "cedar")])
    assert ("birch", "cedar") in result.edges
    assert ("ash", "cedar") not in result.edges
    everything = [(child, parent) for parent, child in cycle.directed]
    result = extended(cycle, forbidden=everything)
    assert result.edges == (("ash", "birch"), ("birch", "cedar"))
    assert result.message.endswith("differs: cedar -> ash is dropped.")


# extensions against enumeration --------------------------------------------------------------

NAMES = ("ash", "birch", "cedar", "elm", "fir")


@st.composite
def partial_graphs(draw):
    """Any edges, directed either way or not."""
    kinds = st.sampled_from(["none", "undirected", "forwards", "backwards"])
    directed, undirected = [], []
    for one, other in combinations(NAMES[: draw(st.integers(1, 5))], 2):
        kind = draw(kinds)
        if kind == "undirected":
            undirected.append((one, other))
        elif kind != "none":
            directed.append((one, other) if kind == "forwards" else (other, one))
    names = sorted({name for edge in directed + undirected for name in edge})
    return PartialGraph(tuple(names), tuple(directed), tuple(undirected))


def parents_of(names, edges):
    return {name: [parent for parent, child in edges if child == name] for name in names}


def unshielded(names, edges):
    """All one -> middle <- other without an edge between one and other."""
    joined = {frozenset(edge) for edge in edges}
    return {
        (one, middle, other)
        for middle, parents in parents_of(names, edges).items()
        for one, other in combinations(sorted(parents), 2)
        if frozenset((one, other)) not in joined
    }


def all_extensions(partial):
    """All ways to direct the undirected edges without a cycle or a new v-structure."""
    skeleton = {frozenset(edge) for edge in (*partial.directed, *partial.undirected)}
    given = {
        triple
        for triple in unshielded(partial.variables, partial.directed)
        if frozenset(triple[::2]) not in skeleton
    }
    for turns in product([1, -1], repeat=len(partial.undirected)):
        turned = [edge[::turn] for edge, turn in zip(partial.undirected, turns, strict=True)]
        edges = {*partial.directed, *turned}
        acyclic = not directed_graph.find_cycle(parents_of(partial.variables, edges))
        if acyclic and unshielded(partial.variables, edges) == given:
            yield edges


@at_most(300)
@given(partial_graphs())
def test_an_extension_is_found_if_there_is_one(partial):
    result = extended(partial)
    possible = list(all_extensions(partial))
    if possible:
        assert result.message == ""
        assert set(result.edges) in possible
    else:
        assert result.message.startswith("The tests contradict each other")


@given(partial_graphs(), st.data())
def test_an_extension_never_has_a_cycle_and_keeps_to_what_is_known(partial, data):
    order = data.draw(st.permutations(partial.variables))
    place = {name: number for number, name in enumerate(order)}
    forwards = [edge for edge in partial.directed if place[edge[0]] < place[edge[1]]]
    required = {edge for edge in forwards if data.draw(st.booleans())}
    told = [edge for edge in partial.directed if data.draw(st.booleans())]
    forbidden = {(child, parent) for parent, child in told}
    result = extended(partial, required, forbidden)
    assert not directed_graph.find_cycle(parents_of(partial.variables, result.edges))
    assert required <= set(result.edges)
    assert not forbidden & set(result.edges)
    skeleton = {frozenset(edge) for edge in (*partial.directed, *partial.undirected)}
    assert {frozenset(edge) for edge in result.edges} <= skeleton


def test_a_graph_without_edges_extends_to_none():
    assert extended(PartialGraph(("Rain", "Sun"), (), ())).edges == ()


@pytest.mark.parametrize("n_variables", [1, 30])
def test_a_complete_graph_extends_to_an_order(n_variables):
    names = tuple(f"v{number:02}" for number in range(n_variables))
    result = extended(PartialGraph(names, (), tuple(combinations(names, 2))))
    assert len(result.edges) == n_variables * (n_variables - 1) // 2
    assert result.message == ""
