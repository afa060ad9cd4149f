"""Pictures of belief networks: who stands where, and what is written."""

import io
from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

import bayesic as by
from bayesic.networks.network import BeliefNetwork
from bayesic.plots import network
from bayesic.plots._canvas import COLOURS
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


# what is drawn ------------------------------------------------------------------------------------


def test_variables_stand_where_the_network_says():
    net = by.datasets.campfire(storm=0.25, bus_tour_group=0.5)
    places = {"Storm": (-960, 0), "BusTourGroup": (960, 0), "Campfire": (96, 960)}
    boxes = patches(network(net.with_positions(places)), FancyBboxPatch)
    middles = [
        (box.get_x() + box.get_width() / 2, box.get_y() + box.get_height() / 2) for box in boxes
    ]
    assert middles == [pytest.approx(place) for place in [(-10, 0), (10, 0), (1, 10)]]
    # positions of some only, or too close to tell apart: as without
    plain = [box.get_x() for box in patches(network(net), FancyBboxPatch)]
    for few in ({"Storm": (-960, 0)}, dict.fromkeys(places, (1, 1))):
        drawn = patches(network(net.with_positions(few)), FancyBboxPatch)
        assert [box.get_x() for box in drawn] == plain


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
