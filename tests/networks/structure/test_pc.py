"""PC: on an oracle of d-separation, against enumeration; and on data."""

from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks import _directed_graph as directed_graph
from bayesic.networks._structure.coded_columns import coded_columns
from bayesic.networks._structure.partial_graph import extended
from bayesic.networks._structure.pc import partial_graph, pc, skeleton
from helpers.examples import at_most
from helpers.known_networks import known_network
from helpers.random_networks import graphs


def oracle(parents):
    """The independences that the edges of a network say."""

    def independent(one, other, given):
        return directed_graph.d_separated(parents, [one], [other], given)

    return independent


def edges_of(parents):
    return {(parent, child) for child, its_parents in parents.items() for parent in its_parents}


def unshielded(names, edges):
    """All one -> middle <- other without an edge between one and other."""
    return {
        (one, middle, other)
        for middle in names
        for one, other in combinations(sorted(names), 2)
        if {(one, middle), (other, middle)} <= edges and not {(one, other), (other, one)} & edges
    }


def equivalent_networks(parents):
    """The edges of all networks with the same skeleton and v-structures: one order each."""
    names, edges = list(parents), edges_of(parents)
    v_structures = unshielded(names, edges)
    found = set()
    for order in permutations(names):
        place = {name: number for number, name in enumerate(order)}
        ordered = frozenset(tuple(sorted(edge, key=place.__getitem__)) for edge in edges)
        if ordered not in found and unshielded(names, ordered) == v_structures:
            found.add(ordered)
    return found


def shared(networks):
    """Edges that all networks direct in the same way, and the others, the first name first."""
    directed = frozenset.intersection(*networks)
    skeleton = {tuple(sorted(edge)) for edge in next(iter(networks))}
    return directed, skeleton - {tuple(sorted(edge)) for edge in directed}


@at_most(100)
@given(graphs(max_variables=6))
def test_an_oracle_gives_the_equivalence_class(parents):
    result = partial_graph(parents, oracle(parents))
    directed, undirected = shared(equivalent_networks(parents))
    assert set(result.directed) == directed
    assert set(result.undirected) == undirected
    assert result.contradicted == ()


@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_an_oracle_of_a_known_network_gives_the_essential_graph_of_pyagrum(name):
    pyagrum = pytest.importorskip("pyagrum", reason="pyAgrum is an oracle of this test")
    known = known_network(name)
    parents = {child: sorted(known.parents(child)) for child in known.variables}
    theirs = pyagrum.BayesNet()
    for child in parents:
        theirs.add(pyagrum.LabelizedVariable(child, "", 2))
    for parent, child in edges_of(parents):
        theirs.addArc(parent, child)
    essential = pyagrum.EssentialGraph(theirs)
    names = list(parents)
    result = partial_graph(parents, oracle(parents))
    assert set(result.directed) == {(names[one], names[other]) for one, other in essential.arcs()}
    assert set(result.undirected) == {
        tuple(sorted((names[one], names[other]))) for one, other in essential.edges()
    }


@at_most(100)
@given(graphs(max_variables=5), st.data())
def test_what_is_known_directs_all_that_follows_from_it(parents, data):
    edges = sorted(edges_of(parents))
    required = {edge for edge in edges if data.draw(st.booleans())}
    forbidden = {edge[::-1] for edge in edges if data.draw(st.booleans())}
    known = required | {edge[::-1] for edge in forbidden}
    result = partial_graph(parents, oracle(parents), required, forbidden)
    possible = {network for network in equivalent_networks(parents) if known <= network}
    directed, undirected = shared(possible)
    assert set(result.directed) == directed
    assert set(result.undirected) == undirected
    assert frozenset(extended(result, required, forbidden).edges) in possible


@at_most(50)
@given(graphs(max_variables=6))
def test_its_extension_is_one_of_the_class(parents):
    result = extended(partial_graph(parents, oracle(parents)))
    assert result.message == ""
    assert frozenset(result.edges) in equivalent_networks(parents)


@at_most(50)
@given(graphs(max_variables=6))
def test_all_sets_that_are_returned_separate(parents):
    result = partial_graph(parents, oracle(parents))
    joined = {tuple(sorted(edge)) for edge in edges_of(parents)}
    assert set(result.separating) == set(combinations(sorted(parents), 2)) - joined
    for (one, other), sets in result.separating.items():
        assert sets
        assert len({len(members) for members in sets}) == 1
        assert all(directed_graph.d_separated(parents, [one], [other], members) for members in sets)


@at_most(50)
@given(graphs(max_variables=6), st.data())
def test_the_order_of_the_variables_does_not_matter_even_if_tests_err(parents, data):
    independent = oracle(parents)
    wrong = data.draw(st.sets(st.integers(0, 30), max_size=6))

    def erring(one, other, given):
        place = sum(3 ** int(name[1:]) for name in given) + int(one[1:]) * int(other[1:])
        return independent(one, other, given) != (place % 31 in wrong)

    first = partial_graph(parents, erring)
    names = data.draw(st.permutations(sorted(parents)))
    renamed = dict(zip(sorted(parents), names, strict=True))
    back = {new: old for old, new in renamed.items()}

    def erring_renamed(one, other, given):
        return erring(*(back[name] for name in (one, other)), [back[name] for name in given])

    second = partial_graph(names, erring_renamed)
    assert {(back[one], back[other]) for one, other in second.directed} == set(first.directed)
    assert {frozenset((back[one], back[other])) for one, other in second.undirected} == {
        frozenset(edge) for edge in first.undirected
    }


def test_a_limit_of_what_is_given_keeps_edges_that_need_more():
    parents = {"Sun": [], "Rain": [], "Grass": ["Sun", "Rain"], "Hay": [], "Cow": ["Grass", "Hay"]}
    independent = oracle({**parents, "Milk": ["Cow"]})
    asked = []

    def counting(one, other, given):
        asked.append(len(given))
        return independent(one, other, given)

    neighbours, _ = skeleton([*parents, "Milk"], counting, max_condition=0)
    assert set(asked) == {0}
    assert "Milk" in neighbours["Sun"]
    neighbours, _ = skeleton([*parents, "Milk"], counting, max_condition=1)
    assert "Milk" not in neighbours["Sun"]
    assert max(asked) == 1


def test_a_forbidden_pair_has_no_edge_and_still_shows_v_structures():
    parents = {"Storm": [], "Bus": [], "Campfire": ["Storm", "Bus"]}
    both = [("Storm", "Bus"), ("Bus", "Storm")]
    result = partial_graph(parents, oracle(parents), forbidden=both)
    assert result.directed == (("Bus", "Campfire"), ("Storm", "Campfire"))
    triangle = {"Storm": [], "Bus": ["Storm"], "Campfire": ["Storm", "Bus"]}
    result = partial_graph(triangle, oracle(triangle), forbidden=both)
    assert result.directed == ()
    assert result.undirected == (("Bus", "Campfire"), ("Campfire", "Storm"))
    assert result.separating == {("Bus", "Storm"): ()}


def test_a_required_edge_is_kept_against_the_tests():
    result = partial_graph(
        ["Rain", "Dice"], lambda one, other, given: True, required=[("Rain", "Dice")]
    )
    assert result.directed == (("Rain", "Dice"),)
    assert result.separating == {}


# data ----------------------------------------------------------------------------------------


def sprinkled(n_rows=5000, seed=11):
    """Rows of Cloud -> Rain -> Wet <- Sprinkler, Wet -> Slip, and Dice on its own."""
    rng = np.random.default_rng(seed)

    def states(probability):
        return rng.random(n_rows) < probability

    cloud = states(0.5)
    rain = states(np.where(cloud, 0.8, 0.2))
    sprinkler = states(0.4)
    wet = states(0.1 + 0.6 * rain + 0.25 * sprinkler)
    slip = states(np.where(wet, 0.7, 0.1))
    dice = rng.integers(1, 7, n_rows)
    columns = [cloud, rain, sprinkler, wet, slip, dice]
    names = ["Cloud", "Rain", "Sprinkler", "Wet", "Slip", "Dice"]
    return pd.DataFrame(dict(zip(names, columns, strict=True)))


@pytest.mark.parametrize("test", ["g-squared", "chi-squared"])
def test_data_of_a_network_gives_its_class(test):
    result = pc(coded_columns(sprinkled()), test, significance=0.001)
    assert result.directed == (("Rain", "Wet"), ("Sprinkler", "Wet"), ("Wet", "Slip"))
    assert result.undirected == (("Cloud", "Rain"),)
    assert extended(result).edges == (
        ("Cloud", "Rain"),
        ("Wet", "Slip"),
        ("Rain", "Wet"),
        ("Sprinkler", "Wet"),
    )


def test_rows_and_columns_may_come_in_any_order():
    frame = sprinkled(400)
    first = pc(coded_columns(frame))
    turned = frame.sample(frac=1, random_state=1)[frame.columns[::-1]]
    assert pc(coded_columns(turned)) == first


def test_forbidden_and_required_edges_hold_on_data():
    frame = sprinkled()
    result = pc(
        coded_columns(frame),
        significance=0.001,
        required=[("Dice", "Cloud")],
        forbidden=[("Cloud", "Rain"), ("Wet", "Slip"), ("Slip", "Wet")],
    )
    assert ("Dice", "Cloud") in result.directed
    assert ("Rain", "Cloud") in result.directed
    assert not {("Wet", "Slip"), ("Slip", "Wet")} & {*result.directed, *result.undirected}


def test_a_negative_limit_is_refused():
    with pytest.raises(
        ValueError, match="max_condition must be a whole number of 0 or more, got -1"
    ):
        pc(coded_columns(sprinkled(10)), max_condition=-1)


def test_the_skeleton_is_that_of_pgmpy():
    discovery = pytest.importorskip("pgmpy.causal_discovery", reason="pgmpy is an oracle here")
    frame = sprinkled(1000).astype(str)
    # three states, so that pgmpy corrects no stratum for continuity
    rng = np.random.default_rng(2)
    frame = frame.where(rng.random(frame.shape) < 0.8, "unsure")
    search = discovery.PC(
        variant="stable",
        ci_test="g_sq",
        significance_level=0.01,
        max_cond_vars=3,
        show_progress=False,
    )
    search.fit(frame)
    result = pc(coded_columns(frame), significance=0.01)
    ours = {frozenset(edge) for edge in (*result.directed, *result.undirected)}
    assert ours == {frozenset(edge) for edge in search.skeleton_.edges()}
