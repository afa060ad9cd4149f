"""Edges between variables that were placed by hand, and places that come from files."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.networks.edge_routes import Sizes, _nearest_gap, routes_between
from bayesic.networks.layout import layout, spread
from helpers.examples import at_most
from helpers.random_networks import graphs

some = at_most(80)


def sizes_of(parents):
    heights = {name: 0.5 + 0.25 * place for place, name in enumerate(parents)}
    return Sizes(1.0, heights, beside=0.2, between=0.4, passing=0.1)


@st.composite
def placed(draw):
    """A graph, a place for each of its variables, and sizes."""
    parents = draw(graphs())
    tenths = st.integers(0, 80).map(lambda number: number / 10)
    middles = {name: (draw(tenths), draw(tenths)) for name in parents}
    return parents, middles, sizes_of(parents)


def boxes_of(middles, sizes):
    """Variable -> left, right, top, bottom."""
    return {
        name: (x - 0.5, x + 0.5, y - sizes.heights[name] / 2, y + sizes.heights[name] / 2)
        for name, (x, y) in middles.items()
    }


def is_on_border(x, y, box):
    left, right, top, bottom = box
    across = min(abs(x - left), abs(x - right)) < 1e-9 and top - 1e-9 <= y <= bottom + 1e-9
    level = min(abs(y - top), abs(y - bottom)) < 1e-9 and left - 1e-9 <= x <= right + 1e-9
    return across or level


@given(placed())
@some
def test_edges_begin_and_end_at_their_boxes(case):
    parents, middles, sizes = case
    boxes = boxes_of(middles, sizes)
    routes = routes_between(parents, middles, sizes)
    assert list(routes) == [(parent, child) for child, its in parents.items() for parent in its]
    for (parent, child), route in routes.items():
        assert is_on_border(*route[0][:2], boxes[parent])
        assert is_on_border(route[-1][0], route[-1][2], boxes[child])


@given(placed())
@some
def test_straight_parts_run_through_no_box(case):
    parents, middles, sizes = case
    boxes = boxes_of(middles, sizes)
    for route in routes_between(parents, middles, sizes).values():
        for x, start, end in (part for part in route if part[1] != part[2]):
            for left, right, top, bottom in boxes.values():
                beside = x <= left + 1e-9 or x >= right - 1e-9
                assert beside or max(start, end) <= top + 1e-9 or min(start, end) >= bottom - 1e-9


@given(placed())
@some
def test_edges_run_all_down_or_all_up(case):
    parents, middles, sizes = case
    for route in routes_between(parents, middles, sizes).values():
        heights = [height for _, start, end in route for height in (start, end)]
        assert heights in (sorted(heights), sorted(heights)[::-1])


@given(graphs())
@some
def test_where_the_layout_puts_them_each_layer_is_passed_in_a_gap(parents):
    sizes = sizes_of(parents)
    plan = layout(parents, sizes)
    again = layout(parents, sizes, plan.middles)
    assert again.middles == plan.middles
    for edge, route in again.routes.items():
        assert len(route) == len(plan.routes[edge])
        # the same bands of layers; only the gap may be another one
        assert [its[1:] for its in route] == [pytest.approx(its[1:]) for its in plan.routes[edge]]
    assert again.top == pytest.approx(0, abs=1e-9)
    assert again.height == pytest.approx(plan.height)


def test_edges_that_pass_the_same_gap_have_lanes_of_their_own():
    parents = {"a": (), "b": (), "wall": (), "c": ("a", "b"), "d": ("a", "b")}
    middles = {"a": (0, 0), "b": (0.4, 0), "wall": (0.2, 3), "c": (0, 6), "d": (0.4, 6)}
    routes = routes_between(parents, middles, sizes_of(parents))
    lanes = [route[1][0] for route in routes.values()]
    for one, other in combinations(lanes, 2):
        assert abs(one - other) >= 0.1 - 1e-9
    assert all(abs(lane - 0.2) > 0.5 for lane in lanes)


def test_a_child_above_is_reached_from_below_and_a_neighbour_from_its_side():
    parents = {"rain": (), "up": ("rain",), "beside": ("rain",)}
    sizes = Sizes(1, dict.fromkeys(parents, 1), 0.2, 0.4, 0.1)
    middles = {"rain": (0, 5), "up": (0, 0), "beside": (-4, 5.5)}
    routes = routes_between(parents, middles, sizes)
    assert routes["rain", "up"] == [(0, 4.5, 4.5), (0, 0.5, 0.5)]
    assert routes["rain", "beside"] == [(-0.5, 5.25, 5.25), (-3.5, 5.25, 5.25)]


@given(st.integers(0, 20), st.lists(st.tuples(st.integers(0, 20), st.integers(1, 6)), max_size=6))
def test_the_nearest_gap_is_the_nearest_number_outside_of_all(wanted, given):
    taken = [(start, start + length) for start, length in given]
    outside = [
        number for number in range(-30, 50) if not any(low < number < high for low, high in taken)
    ]
    found = _nearest_gap(wanted, taken)
    assert found in outside
    assert abs(found - wanted) == min(abs(number - wanted) for number in outside)


# places of files ----------------------------------------------------------------------------------


def test_some_may_be_placed_and_others_stand_where_they_would():
    net = by.datasets.asia()
    parents = {name: net.parents(name) for name in net.variables}
    sizes = sizes_of(parents)
    plan = layout(parents, sizes)
    moved = layout(parents, sizes, {"asia": (-3.0, 9.0)})
    assert moved.middles == {**plan.middles, "asia": (-3.0, 9.0)}
    assert moved.left == -3.5
    assert layout(parents, sizes, {}) == plan


@given(placed())
@some
def test_places_are_kept_where_nothing_overlaps_and_keep_their_proportions(case):
    _, middles, sizes = case
    found = spread(middles, sizes)
    boxes = boxes_of(middles, sizes)
    overlapping = [
        (one, other)
        for one, other in combinations(boxes.values(), 2)
        if one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]
    ]
    if not overlapping:
        assert found == middles
    elif found is not None and found != middles:
        scales = {
            round(new / old, 9)
            for name in middles
            for new, old in zip(found[name], middles[name], strict=True)
            if old
        }
        assert len(scales) <= 1


def test_places_of_a_program_with_small_variables_are_drawn_apart():
    names = [f"v{number}" for number in range(12)]
    sizes = Sizes(1, dict.fromkeys(names, 1), 0.2, 0.4, 0.1)
    close = {name: (0.25 * (place % 4), 0.25 * (place // 4)) for place, name in enumerate(names)}
    apart = spread(close, sizes)
    for one, other in combinations(names, 2):
        (x, y), (other_x, other_y) = apart[one], apart[other]
        assert abs(x - other_x) >= 1 or abs(y - other_y) >= 1
    assert spread(dict.fromkeys(names, (1.0, 1.0)), sizes) is None
    one_pair = {**{name: (3.0 * place, 0.0) for place, name in enumerate(names)}, "v1": (0.0, 0.5)}
    assert spread(one_pair, sizes) == one_pair
