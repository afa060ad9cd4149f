"""Pictures of belief networks: who stands where, and what is written."""

import io
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle
from scipy.optimize import lsq_linear

import bayesic as by
from bayesic.networks.network import BeliefNetwork
from bayesic.plots import network
from bayesic.plots.canvas import COLOURS
from bayesic.plots.network_layout import (
    Sizes,
    apart,
    crossings,
    first_layers,
    layer_numbers,
    layout,
    links_of,
    ordered_layers,
    passed_nodes,
)
from helpers.known_networks import known_network

without_font = pytest.mark.filterwarnings("ignore:No font was found", "ignore:Glyph")

LONG = "a variable whose name is much longer than any box can be"
WIDE = "W" * 60
CHINESE = "一个特别特别特别长的变量名称用来测试图形"


def alarm():
    return known_network("alarm")


def long_names():
    return BeliefNetwork(
        edges=[(LONG, WIDE), (CHINESE, WIDE), (WIDE, "$x_1$")],
        tables={
            LONG: {LONG: 0.5, "no": 0.5},
            CHINESE: {CHINESE: 0.25, "晴": 0.75},
            WIDE: np.full((2, 2, 2), 0.5),
            "$x_1$": np.full((2, 12), 1 / 12),
        },
        states={WIDE: [WIDE, "no"], "$x_1$": range(1, 13)},
    )


def patches(figure, kind):
    return [patch for patch in figure.axes[0].patches if type(patch) is kind]


def texts(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def lines_below(figure, name):
    """What stands in the box of a variable with two states: state -> number, as written."""
    words = texts(figure)
    first, number, second, other = words[words.index(name) + 1 :][:4]
    return {first: number, second: other}


# the layout ---------------------------------------------------------------------------------------


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


@settings(max_examples=40)
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


@settings(max_examples=40)
@given(graphs())
def test_edges_begin_and_end_at_their_variables_and_run_through_no_other(parents):
    plan, sizes = planned(parents)
    for (parent, child), way in plan.ways.items():
        for name, x, y, side in ((parent, *way[0][:2], 1), (child, way[-1][0], way[-1][2], -1)):
            middle_x, middle_y = plan.middles[name]
            assert abs(x - middle_x) < sizes.width / 2
            assert y == pytest.approx(middle_y + side * sizes.heights[name] / 2)
        for (_, _, bottom), (_, top, _) in pairwise(way):
            assert top == pytest.approx(bottom + sizes.between)  # curves are between layers only
        for x, top, bottom in way[1:-1]:
            for middle_x, middle_y in plan.middles.values():
                assert not top < middle_y < bottom or abs(x - middle_x) > sizes.width / 2


def crossings_by_pairs(layers, below):
    places = {node: place for layer in layers for place, node in enumerate(layer)}
    total = 0
    for layer in layers:
        edges = [(places[node], places[end]) for node in layer for end in below[node]]
        total += sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(edges, 2))
    return total


@settings(max_examples=40)
@given(graphs())
def test_crossings_are_counted_and_never_become_more(parents):
    number = layer_numbers(parents)
    ways = [passed_nodes(parent, child, number) for child in parents for parent in parents[child]]
    above, below = links_of(parents, ways)
    first = first_layers(above, below, number)
    ordered = ordered_layers(first, above, below)
    assert list(map(set, ordered)) == list(map(set, first))
    for layers in (first, ordered):
        assert crossings(layers, below) == crossings_by_pairs(layers, below)
    assert crossings(ordered, below) <= crossings(first, below)


@settings(max_examples=40)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_a_layer_is_as_near_to_the_wanted_places_as_can_be(wanted):
    room = 1.5 * np.arange(len(wanted))
    # x_i = start + gaps up to i, gaps of 0 or more: the same least squares by another way
    steps = np.tril(np.ones((len(wanted), len(wanted))))
    lower = np.array([-np.inf] + [0.0] * (len(wanted) - 1))
    theirs = lsq_linear(steps, np.array(wanted) - room, bounds=(lower, np.inf), method="bvls")
    names = [f"v{number}" for number in range(len(wanted))]
    assert apart(names, wanted, room) == pytest.approx(steps @ theirs.x + room, abs=1e-9)


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
    ways = [passed_nodes(parent, child, number) for parent, child in net.edges]
    above, below = links_of(parents, ways)
    layers = ordered_layers(first_layers(above, below, number), above, below)
    assert crossings_by_pairs(layers, below) == 0


# what is drawn ------------------------------------------------------------------------------------


def test_every_variable_state_and_probability_of_the_campfire():
    figure = network(by.datasets.campfire(storm=0.25, bus_tour_group=0.5))
    # 1/8 (0.4 + 0.1) + 3/8 (0.8 + 0.2) = 7/16
    assert texts(figure) == [
        *("Storm", "True", "0.2500", "False", "0.7500"),
        *("BusTourGroup", "True", "0.5000", "False", "0.5000"),
        *("Campfire", "True", "0.4375", "False", "0.5625"),
    ]
    bars = [bar.get_width() for bar in patches(figure, Rectangle)]
    whole, parts = bars[::2], bars[1::2]
    assert np.divide(parts, whole) == pytest.approx([0.25, 0.75, 0.5, 0.5, 7 / 16, 9 / 16])
    assert len(patches(figure, FancyArrowPatch)) == 2
    assert figure.axes[0].get_title() == ""


def test_with_evidence_bars_are_posteriors_and_what_was_seen_is_marked():
    figure = network(by.datasets.asia(), given={"smoke": "yes", "asia": None})
    assert figure.axes[0].get_title() == "given smoke=yes"
    assert lines_below(figure, "lung") == {"yes": "0.1000", "no": "0.9000"}
    assert lines_below(figure, "smoke") == {"yes": "1.0000", "no": "0.0000"}
    thick = [box for box in patches(figure, FancyBboxPatch) if box.get_linewidth() > 1]
    assert len(thick) == 1
    marked = [text for text in figure.axes[0].texts if text.get_color() == COLOURS[1]]
    assert [text.get_text() for text in marked] == ["smoke"]


def test_without_tables_there_are_only_names():
    figure = network(by.datasets.campfire())
    assert texts(figure) == ["Storm", "BusTourGroup", "Campfire"]
    assert patches(figure, Rectangle) == []
    assert texts(network(BeliefNetwork([("Rain", "Wet")]))) == ["Rain", "Wet"]


def test_evidence_needs_tables():
    with pytest.raises(ValueError, match="needs the table of"):
        network(by.datasets.campfire(), given={"Storm": True})


def test_of_many_states_the_most_probable_are_shown():
    shares = dict.fromkeys(range(1, 9), 0.05) | {9: 0.35, 10: 0.25}
    words = texts(network(BeliefNetwork(tables={"Score": shares})))
    assert words[1::2] == ["1", "2", "3", "9", "10", "… 5 more"]
    assert words[2::2] == ["0.0500"] * 3 + ["0.3500", "0.2500", "0.2500"]


@without_font
@pytest.mark.parametrize("make", [alarm, long_names, by.datasets.asia])
@pytest.mark.parametrize("size", [None, (5, 4), (20, 30)], ids=["usual", "small", "large"])
def test_texts_stay_in_their_boxes_and_do_not_overlap(make, size):
    figure = network(make(), size=size)
    figure.draw_without_rendering()
    boxes = [box.get_window_extent() for box in patches(figure, FancyBboxPatch)]
    words = [text.get_window_extent() for text in figure.axes[0].texts]
    for word in words:
        inside = [
            box
            for box in boxes
            if box.x0 <= word.x0 and word.x1 <= box.x1 and box.y0 - 1 <= word.y0
            and word.y1 <= box.y1 + 1
        ]  # fmt: skip
        assert len(inside) == 1
    for one, other in combinations(words, 2):
        assert min(one.x1, other.x1) <= max(one.x0, other.x0) or (
            min(one.y1, other.y1) <= max(one.y0, other.y0) + 1  # hinting rounds to whole pixels
        )
    for box in boxes:
        assert box.x0 >= 0 and box.x1 <= figure.bbox.width
        assert box.y0 >= 0 and box.y1 <= figure.bbox.height


@without_font
def test_names_stand_as_they_are_and_long_ones_end_with_dots():
    figure = network(long_names(), given={CHINESE: "晴"})
    names = [word for word in texts(figure) if word.endswith("…")]
    for name in (LONG, WIDE, CHINESE):
        assert any(name.startswith(word.removesuffix("…")) for word in names)
    assert {"$x_1$", "晴", "… 7 more"} <= set(texts(figure))
    assert not any(text.get_parse_math() for text in figure.axes[0].texts)
    figure.savefig(io.BytesIO())


def test_the_picture_is_the_same_every_time():
    def bytes_of(figure):
        stream = io.BytesIO()
        figure.savefig(stream, format="png")
        return stream.getvalue()

    assert bytes_of(network(alarm())) == bytes_of(network(alarm()))


def test_large_networks_shrink_into_the_largest_picture():
    star = BeliefNetwork([("Storm", f"Light {number}") for number in range(150)])
    assert network(star).get_size_inches()[0] == pytest.approx(100)


def test_axes_and_size():
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert network(by.datasets.asia(), ax=right) is figure
    assert (len(left.texts), len(right.texts)) == (0, 8 * 5)
    assert network(by.datasets.asia(), size=(3, 2)).get_size_inches().tolist() == [3, 2]


def test_something_else_is_refused():
    with pytest.raises(TypeError, match="shows a BeliefNetwork, got str"):
        network("asia.bif")
    with pytest.raises(ValueError, match="this one has none"):
        network(BeliefNetwork())
    with pytest.raises(ValueError, match="cannot happen"):
        network(by.datasets.asia(), given={"either": "yes", "lung": "no", "tub": "no"})
