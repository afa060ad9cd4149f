"""Edits over HTTP: each is that of the library, makes a version, and can be undone."""

import threading

import pytest

from bayesic.datasets import asia
from bayesic.networks import editing
from bayesic.networks.network import BeliefNetwork
from bayesic.studio.network._card_positions import WIDTH, card_height
from bayesic.studio.network.files import bytes_of, network_of
from helpers.http_server import ask
from helpers.studio_server import Desk, open_example, studying, upload

NET = asia()
LUNG = [[0.25, 0.75], [0.5, 0.5]]


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with studying(tmp_path_factory.mktemp("studio") / "studio.store") as address:
        yield address


@pytest.fixture
def desk(studio):
    return open_example(studio)


def network(desk, version=None):
    query = "" if version is None else f"&version={version}"
    path = f"/studio/documents/{desk.name}/file?format=json{query}"
    return network_of(ask(desk.address, "GET", path).bytes, "network.json")


def cards(desk):
    return {each["name"]: each for each in desk.show()["variables"]}


EVENTS = {
    "add_variable": (
        {"name": "发烧", "states": ["高", "低"]},
        lambda: editing.with_variable(NET, "发烧", ["高", "低"]),
    ),
    "rename_variable": (
        {"variable": "xray", "name": "<img onerror=alert(1)>"},
        lambda: editing.renamed_variable(NET, "xray", "<img onerror=alert(1)>"),
    ),
    "delete_variable": ({"variable": "either"}, lambda: editing.without_variable(NET, "either")),
    "add_state": (
        {"variable": "smoke", "state": "formerly"},
        lambda: editing.with_state(NET, "smoke", "formerly"),
    ),
    "rename_state": (
        {"variable": "smoke", "state": 0, "name": "daily"},
        lambda: editing.renamed_state(NET, "smoke", "yes", "daily"),
    ),
    "delete_state": (
        {"variable": "smoke", "state": 1},
        lambda: editing.without_state(NET, "smoke", "no"),
    ),
    "add_edge": ({"from": "asia", "to": "lung"}, lambda: editing.with_edge(NET, "asia", "lung")),
    "delete_edge": (
        {"from": "either", "to": "dysp"},
        lambda: editing.without_edge(NET, "either", "dysp"),
    ),
    "set_table": (
        {"variable": "lung", "rows": [[1, 3], [2, 2]], "normalise": True},
        lambda: editing.with_rows(NET, "lung", LUNG),
    ),
    "noisy_or": (
        {"variable": "dysp", "causes": {"bronc": 0.8, "either": 0.7}, "leak": 0.1},
        lambda: editing.with_noisy_or(NET, "dysp", {"bronc": 0.8, "either": 0.7}, 0.1),
    ),
    "move": ({"positions": {"xray": [10, 20]}}, lambda: NET),
    "arrange": ({}, lambda: NET),
}


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_is_that_of_the_library_and_can_be_undone(desk, kind):
    fields, expected = EVENTS[kind]
    assert desk.edit(0, kind, **fields) == {"version": 1, "head": 1}
    assert network(desk) == expected()
    assert network(desk, version=0) == NET
    answers = desk.ask(version=1)["probabilities"]
    wanted = expected().query()
    assert answers == {name: wanted[name].probabilities.tolist() for name in wanted}
    assert desk.post("head", {"version": 0}) == {"head": 0}
    assert network(desk) == NET
    assert desk.post("head", {"version": 1}) == {"head": 1}
    assert network(desk) == expected()


def test_every_kind_of_event_is_tried():
    from bayesic.studio.network._edit_events import KINDS

    assert KINDS.keys() == EVENTS.keys()


def test_an_edit_after_undo_is_a_version_of_its_own(desk):
    desk.edit(0, "rename_variable", variable="xray", name="scan")
    desk.post("head", {"version": 0})
    assert desk.edit(0, "rename_variable", variable="xray", name="picture")["version"] == 2
    assert "scan" in network(desk, version=1).variables
    assert "picture" in network(desk).variables


@pytest.mark.parametrize(
    ("kind", "fields", "sentence"),
    [
        ("add_edge", {"from": "dysp", "to": "smoke"}, "lead back"),
        ("add_edge", {"from": "asia", "to": "asia"}, "asia"),
        ("add_edge", {"from": "asia", "to": "tub"}, "already"),
        ("add_edge", {"from": "asia", "to": "nothing"}, "no variable"),
        ("add_edge", {"from": ["asia"], "to": "tub"}, "variable"),
        ("delete_edge", {"from": "asia", "to": "dysp"}, "no edge"),
        ("add_variable", {"name": "asia"}, "already"),
        ("add_variable", {"name": 7}, "7"),
        ("add_variable", {"name": "fever", "states": "yes"}, "list"),
        ("add_variable", {"name": "fever", "states": ["yes", "yes"]}, "yes"),
        ("add_variable", {"name": "fever", "states": [{}]}, "States"),
        ("add_variable", {"name": "fever", "x": "left", "y": 0}, "pixels"),
        ("add_variable", {"name": "fever", "x": 1}, "pixels"),
        ("rename_variable", {"variable": "asia", "name": "tub"}, "already"),
        ("rename_variable", {"variable": [], "name": "tub"}, "variable"),
        ("delete_variable", {"variable": "nothing"}, "no variable"),
        ("add_state", {"variable": "smoke", "state": "yes"}, "yes"),
        ("add_state", {"variable": "smoke", "state": 7}, "by its name"),
        ("rename_state", {"variable": "smoke", "state": 0, "name": "no"}, "no"),
        ("rename_state", {"variable": "smoke", "state": 7, "name": "no"}, "0 to 1"),
        ("delete_state", {"variable": "smoke", "state": "yes"}, "0 to 1"),
        ("set_table", {"variable": "lung", "rows": [[1, 3], [2, 2]]}, "sum"),
        ("set_table", {"variable": "lung", "rows": [[0.5, 0.5]]}, "2 rows"),
        ("set_table", {"variable": "lung", "rows": [["a", "b"], [0, 1]]}, "number"),
        ("set_table", {"variable": "lung", "rows": 7}, "rows"),
        ("set_table", {"variable": "lung", "rows": [[-1, 2], [0, 1]]}, "lung"),
        ("set_table", {"variable": "lung", "rows": LUNG, "normalise": "yes"}, "true or false"),
        ("noisy_or", {"variable": "dysp", "causes": {"bronc": 0.8}}, "parent"),
        ("noisy_or", {"variable": "dysp", "causes": {"bronc": 2, "either": 0}}, "0 to 1"),
        ("noisy_or", {"variable": "dysp", "causes": []}, "parent"),
        ("move", {"positions": {"nothing": [0, 0]}}, "no variable"),
        ("move", {"positions": {"asia": [0]}}, "[x, y]"),
        ("move", {"positions": {"asia": [0, None]}}, "pixels"),
        ("move", {"positions": []}, "object"),
        ("explode", {}, "kind"),
        ("arrange", {"how": "well"}, "arrange"),
        ("delete_edge", {"from": "asia"}, "to"),
    ],
)
def test_what_cannot_be_done_is_refused_and_makes_no_version(desk, kind, fields, sentence):
    refused = desk.edit(0, kind, **fields)["refused"]
    assert sentence in refused and refused.endswith(".")
    assert desk.show()["head"] == 0


@pytest.mark.parametrize("event", [None, [], "add_edge", {}, {"kind": None}, {"kind": []}])
def test_junk_is_no_event(desk, event):
    assert "kind" in desk.post("edit", {"base": 0, "event": event})["refused"]


def test_the_cycle_that_an_edge_would_close_is_named(desk):
    refused = desk.edit(0, "add_edge", **{"from": "dysp", "to": "smoke"})["refused"]
    assert "smoke" in refused and "dysp" in refused and "bronc" in refused


# places -------------------------------------------------------------------------------------------


def test_cards_stay_where_they_are_whatever_is_edited(desk):
    before = cards(desk)
    desk.edit(0, "add_edge", **{"from": "asia", "to": "lung"})
    desk.edit(1, "delete_variable", variable="either")
    desk.edit(2, "add_variable", name="fever", x=700, y=33)
    desk.edit(3, "add_variable", name="cough")
    after = cards(desk)
    for name, card in before.items():
        if name != "either":
            assert (after[name]["x"], after[name]["y"]) == (card["x"], card["y"])
    assert (after["fever"]["x"], after["fever"]["y"]) == (700, 33)
    assert after["cough"]["y"] >= max(card["y"] + card["height"] for card in before.values())


def test_a_moved_card_is_where_it_was_put_with_its_edges(desk):
    desk.edit(0, "move", positions={"xray": [-250.5, 640]})
    shown = desk.show()
    card = cards(desk)["xray"]
    assert (card["x"], card["y"]) == (-250.5, 640)
    assert shown["left"] == -250.5 and shown["top"] == 0
    assert shown["height"] == 640 + card_height(2)
    (edge,) = [each for each in shown["edges"] if each["to"] == "xray"]
    x, _, bottom = edge["route"][-1]
    assert -250.5 <= x <= -250.5 + WIDTH and bottom == pytest.approx(640, abs=0.2)
    desk.edit(1, "arrange")
    assert cards(desk) == cards(open_example(desk.address))


@pytest.mark.parametrize("form", ["bif", "xmlbif", "net", "json"])
def test_positions_are_kept_in_the_file(desk, form):
    desk.edit(0, "move", positions={"xray": [600, 640]})
    data = ask(desk.address, "GET", f"/studio/documents/{desk.name}/file?format={form}").bytes
    again = Desk(desk.address, upload(desk.address, data, f"moved.{form}")["name"])
    assert cards(again) == cards(desk)


def test_an_opened_card_grows_downwards(desk):
    states = [str(day) for day in range(12)]
    desk.edit(0, "add_variable", name="day", states=states, x=5, y=7)
    opened = {each["name"]: each for each in desk.show("?open=day")["variables"]}["day"]
    assert (opened["x"], opened["y"], opened["height"]) == (5, 7, card_height(12, True))
    assert cards(desk)["day"]["height"] == card_height(12)


def opened_at(studio, positions):
    data = bytes_of(NET.with_positions(positions), "bif")
    return cards(Desk(studio, upload(studio, data, "placed.bif")["name"]))


def overlap(one, other):
    apart = [
        one[side] + one[length] <= other[side] or other[side] + other[length] <= one[side]
        for side, length in (("x", "width"), ("y", "height"))
    ]
    return not any(apart)


def test_positions_of_other_programs_are_kept_or_drawn_apart(studio):
    far = {name: (80.0 * place, 100.0 * place) for place, name in enumerate(NET.variables)}
    for name, card in opened_at(studio, far).items():
        assert (card["x"] + WIDTH / 2, card["y"] + 30) == far[name]
    near = {name: (x / 10, y / 10) for name, (x, y) in far.items()}
    spread = list(opened_at(studio, near).values())
    assert not any(overlap(one, other) for one in spread for other in spread if one is not other)
    same = dict.fromkeys(NET.variables, (3.0, 3.0))
    assert opened_at(studio, same) == cards(open_example(studio))


# two tabs -----------------------------------------------------------------------------------------


def test_two_tabs_lose_nothing(desk):
    other = Desk(desk.address, desk.name, tab="other")
    desk.edit(0, "rename_variable", variable="xray", name="scan")
    assert other.edit(0, "add_edge", **{"from": "asia", "to": "lung"})["version"] == 2
    both = network(desk)
    assert "scan" in both.variables and ("asia", "lung") in both.edges
    pulse = desk.get("pulse", of="/studio/")["documents"]
    assert pulse[desk.name] == {"head": 2}


def test_what_makes_no_sense_any_more_is_refused(desk):
    other = Desk(desk.address, desk.name, tab="other")
    desk.edit(0, "delete_state", variable="smoke", state=0)
    refused = other.edit(0, "rename_state", variable="smoke", state=0, name="daily")["refused"]
    assert "another tab" in refused
    refused = other.edit(0, "set_table", variable="lung", rows=LUNG)["refused"]
    assert "another tab" in refused
    desk.edit(1, "delete_variable", variable="tub")
    assert "no variable" in other.edit(0, "rename_variable", variable="tub", name="x")["refused"]


def test_many_edits_at_the_same_time_are_all_done(desk):
    def add(number):
        Desk(desk.address, desk.name, f"tab {number}").edit(0, "add_variable", name=f"new {number}")

    threads = [threading.Thread(target=add, args=[number]) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {f"new {number}" for number in range(12)} <= {*network(desk).variables}
    assert desk.show()["head"] == 12


# from nothing -------------------------------------------------------------------------------------


def test_a_network_is_drawn_from_nothing(studio):
    name = ask(studio, "POST", "/studio/documents", {"new": "weather"}).json["name"]
    desk = Desk(studio, name)
    desk.edit(0, "add_variable", name="rain", x=0, y=0)
    desk.edit(1, "add_variable", name="wet", x=0, y=200)
    desk.edit(2, "add_edge", **{"from": "rain", "to": "wet"})
    desk.edit(3, "set_table", variable="rain", rows=[[0.25, 0.75]])
    desk.edit(4, "set_table", variable="wet", rows=[[1, 0], [0.5, 0.5]])
    answer = desk.ask(evidence={"given": {"wet": 0}})
    assert answer["probabilities"]["rain"][0] == pytest.approx(0.25 / 0.625)
    tables = {
        "rain": {"yes": 0.25, "no": 0.75},
        "wet": {"yes": {"yes": 1.0, "no": 0.0}, "no": {"yes": 0.5, "no": 0.5}},
    }
    assert network(desk) == BeliefNetwork([("rain", "wet")], tables)


def test_states_that_are_typed_have_the_kind_of_the_others(studio):
    net = BeliefNetwork(tables={"level": {1: 0.5, 2: 0.5}})
    desk = Desk(studio, upload(studio, bytes_of(net, "json"), "level.json")["name"])
    desk.edit(0, "add_state", variable="level", state="3")
    assert network(desk).states("level") == (1, 2, 3)
