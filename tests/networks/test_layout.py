"""Where the variables of a network stand, and how edges run between them."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression, lsq_linear

import bayesic as by
from bayesic.networks.layout import (
    Sizes,
    apart,
    crossings,
    first_layers,
    layer_numbers,
    layout,
    links_of,
    not_falling,
    ordered_layers,
    passed_nodes,
)
from helpers.examples import at_most


@st.composite
def graphs(draw):
    """Variable -> parents, without cycles; some variables have no edges."""
    names = [f"v{number}" for number in range(draw(st.integers(1, 9)))]
    parents = {
        name: tuple(other for other in names[:place] if draw(st.integers(0, 2)) == 0)
        for place, name in enumerate(names)
    }
    return {name: parents[name] for name in draw(st.permutations(names))}


def planned(parents):
    heights = {name: 0.5 + 0.1 * place for place, name in enumerate(parents)}
    sizes = Sizes(1.0, heights, beside=0.2, between=0.4, passing=0.1)
    return layout(parents, sizes), sizes


@at_most(40)
@given(graphs())
def test_children_stand_below_their_parents_and_nothing_overlaps(parents):
    plan, sizes = planned(parents)
    for child, its in parents.items():
        for parent in its:
            assert plan.middles[child][1] > plan.middles[parent][1]
    for one, other in combinations(parents, 2):
        (x, y), (other_x, other_y) = plan.middles[one], plan.middles[other]
        beside = abs(x - other_x) >= sizes.width + sizes.beside - 1e-9
        apart_by = (sizes.heights[one] + sizes.heights[other]) / 2
        assert beside or abs(y - other_y) >= apart_by - 1e-9
    for x, y in plan.middles.values():
        assert 0.5 - 1e-9 <= x <= plan.width - 0.5 + 1e-9
        assert 0 <= y <= plan.height


@at_most(40)
@given(graphs())
def test_edges_begin_and_end_at_their_variables_and_run_through_no_other(parents):
    plan, sizes = planned(parents)
    for (parent, child), route in plan.routes.items():
        for name, x, y, side in (
            (parent, *route[0][:2], 1),
            (child, route[-1][0], route[-1][2], -1),
        ):
            middle_x, middle_y = plan.middles[name]
            assert abs(x - middle_x) < sizes.width / 2
            assert y == pytest.approx(middle_y + side * sizes.heights[name] / 2)
        for (_, _, bottom), (_, top, _) in pairwise(route):
            assert top == pytest.approx(bottom + sizes.between)  # curves are between layers only
        for x, top, bottom in route[1:-1]:
            for middle_x, middle_y in plan.middles.values():
                assert not top < middle_y < bottom or abs(x - middle_x) > sizes.width / 2


def crossings_by_pairs(layers, below):
    places = {node: place for layer in layers for place, node in enumerate(layer)}
    total = 0
    for layer in layers:
        edges = [(places[node], places[end]) for node in layer for end in below[node]]
        total += sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(edges, 2))
    return total


@at_most(40)
@given(graphs())
def test_crossings_are_counted_and_never_become_more(parents):
    number = layer_numbers(parents)
    routes = [passed_nodes(parent, child, number) for child in parents for parent in parents[child]]
    above, below = links_of(parents, routes)
    first = first_layers(above, below, number)
    ordered = ordered_layers(first, above, below)
    assert list(map(set, ordered)) == list(map(set, first))
    for layers in (first, ordered):
        assert crossings(layers, below) == crossings_by_pairs(layers, below)
    assert crossings(ordered, below) <= crossings(first, below)


@at_most(40)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_a_layer_is_as_near_to_the_wanted_places_as_can_be(wanted):
    room = 1.5 * np.arange(len(wanted))
    # x_i = start + gaps up to i, gaps of 0 or more: the same least squares by another way
    steps = np.tril(np.ones((len(wanted), len(wanted))))
    lower = np.array([-np.inf] + [0.0] * (len(wanted) - 1))
    theirs = lsq_linear(steps, np.array(wanted) - room, bounds=(lower, np.inf), method="bvls")
    names = [f"v{number}" for number in range(len(wanted))]
    assert apart(names, wanted, room) == pytest.approx(steps @ theirs.x + room, abs=1e-9)


@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.sampled_from([1.0, 4.0])), min_size=1))
def test_values_that_do_not_fall_are_those_of_scipy(pairs):
    wanted, weights = zip(*pairs, strict=True)
    theirs = isotonic_regression(wanted, weights=weights).x
    assert not_falling(wanted, weights) == pytest.approx(theirs, abs=1e-9)


def test_layers_are_longest_paths_and_roots_stand_near_their_children():
    parents = {"Storm": (), "Rain": ("Storm",), "Wet": ("Rain", "Sprinkler"), "Sprinkler": ()}
    assert layer_numbers(parents) == {"Storm": 0, "Rain": 1, "Wet": 2, "Sprinkler": 1}


def test_variables_without_edges_stand_in_lines_below():
    parents = {"Storm": (), "Rain": ("Storm",)} | {f"alone {number}": () for number in range(9)}
    layers = layer_numbers(parents)
    assert [layers[f"alone {number}"] for number in range(9)] == [2] * 5 + [3] * 4


def test_edges_that_can_be_untangled_do_not_cross():
    net = by.datasets.asia()
    parents = {name: net.parents(name) for name in net.variables}
    number = layer_numbers(parents)
    routes = [passed_nodes(parent, child, number) for parent, child in net.edges]
    above, below = links_of(parents, routes)
    layers = ordered_layers(first_layers(above, below, number), above, below)
    assert crossings_by_pairs(layers, below) == 0
