import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks import edge_strengths
from bayesic.networks._structure.bootstrap import equivalent_graph, resampled
from bayesic.networks._structure.edge_limits import parents_by_name
from helpers.coded_tables import all_structures, coded_tables, matrix_of
from helpers.environment import environment

NAMES = ("bus", "fire", "storm", "thunder")


def storm_rows(n_rows):
    rng = np.random.default_rng(0)
    storm, bus, wind = rng.integers(2, size=(3, n_rows))
    fire = np.where(rng.random(n_rows) < 0.9, storm & bus, 1 - (storm & bus))
    return {"storm": storm, "bus": bus, "fire": fire, "wind": wind}


def test_sure_edges_are_in_every_sample_and_chance_is_in_few():
    strengths = {frozenset(edge[:2]): edge for edge in edge_strengths(storm_rows(500), samples=40)}
    for cause in ("storm", "bus"):
        edge = strengths.pop(frozenset([cause, "fire"]))
        assert edge[:3] == (cause, "fire", 1.0)
        assert edge.direction > 0.7  # a v-structure
    assert all(edge.strength < 0.5 for edge in strengths.values())


def test_an_edge_without_direction_counts_half_for_each():
    coin = np.arange(100) % 2
    assert edge_strengths({"rain": coin, "wet": coin}, samples=5) == [("rain", "wet", 1.0, 0.5)]


@pytest.mark.parametrize("threads", ["1", "3"])
def test_the_same_seed_gives_the_same_strengths(threads):
    with environment(BAYESIC_THREADS=threads):
        first = edge_strengths(storm_rows(60), samples=10, seed=4)
    assert first == edge_strengths(storm_rows(60), samples=10, seed=4)
    assert first != edge_strengths(storm_rows(60), samples=10, seed=5)


def test_other_methods_and_limits_can_be_asked():
    strengths = edge_strengths(
        storm_rows(200), samples=5, method="exact", forbidden=[("storm", "fire"), ("fire", "storm")]
    )
    assert {"storm", "fire"} not in [set(edge[:2]) for edge in strengths]
    assert len(edge_strengths(storm_rows(200), samples=1, method="chow-liu")) == 3


@given(coded_tables(), st.integers(0, 2**32 - 1))
def test_samples_have_as_many_rows_as_there_are_and_only_those(columns, seed):
    drawn = resampled(columns, np.random.default_rng(seed))
    assert drawn.n_samples == columns.n_samples
    assert drawn.states == columns.states
    assert set(map(tuple, drawn.codes.T)) <= set(map(tuple, columns.codes.T))


def test_the_equivalent_graph_is_that_of_all_structures_with_the_same_independences():
    # two structures are equivalent if they have the same skeleton and v-structures [Pearl]
    classes = {}
    for parents in map(matrix_of, all_structures(4).tolist()):
        classes.setdefault(skeleton_and_colliders(parents), []).append(parents)
    assert len(classes) == 185
    for members in classes.values():
        always, sometimes = np.all(members, axis=0), np.any(members, axis=0)
        graph = equivalent_graph(parents_by_name(NAMES, members[0]))
        directed = {(NAMES[parent], NAMES[child]) for child, parent in np.argwhere(always)}
        either = {
            tuple(sorted((NAMES[parent], NAMES[child])))
            for child, parent in np.argwhere(sometimes & ~always)
        }
        assert set(graph.directed) == directed
        assert set(graph.undirected) == either


def skeleton_and_colliders(parents):
    joined = parents | parents.T
    colliders = [
        (child, one, other)
        for child, one, other in np.ndindex(4, 4, 4)
        if one < other and parents[child, one] and parents[child, other] and not joined[one, other]
    ]
    return joined.tobytes(), tuple(colliders)


def test_no_samples_are_refused():
    with pytest.raises(ValueError, match="samples must be a whole number of 1 or more"):
        edge_strengths(storm_rows(10), samples=0)
