"""Belief networks: what they are made of, and what is refused."""

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given

from bayesic.datasets.networks import asia, campfire
from bayesic.networks import _directed_graph as directed_graph
from bayesic.networks.network import BeliefNetwork
from helpers.environment import run_python
from helpers.random_networks import networks

YES_NO = {"yes": 0.5, "no": 0.5}
EDGES = [("Storm", "Campfire"), ("BusTourGroup", "Campfire")]


def test_the_network_of_the_book():  # [Mitchell] figure 6.3
    net = campfire(storm=0.25, bus_tour_group=0.5)
    assert net.variables == ("Storm", "BusTourGroup", "Campfire")
    assert net.edges == EDGES
    assert net.parents("Campfire") == ("Storm", "BusTourGroup")
    assert net.children("Storm") == ("Campfire",)
    assert net.states("Storm") == (True, False)
    assert net.topological_order() == ["Storm", "BusTourGroup", "Campfire"]
    printed = {(True, True): 0.4, (True, False): 0.1, (False, True): 0.8, (False, False): 0.2}
    for given_states, share in printed.items():
        assert net.table("Campfire")[given_states][True] == share
    assert net.n_parameters == 6


def test_the_book_prints_one_table_only():
    net = campfire()
    assert net.variables_without_table == ("Storm", "BusTourGroup")
    assert "2 of the tables missing" in repr(net)
    with pytest.raises(ValueError, match="Storm has no table yet"):
        net.factors()
    complete = net.with_tables({"Storm": [0.25, 0.75], "BusTourGroup": {True: 0.5, False: 0.5}})
    assert complete == campfire(storm=0.25, bus_tour_group=0.5)
    assert net.variables_without_table  # the old one stays as it is


def test_asia_gives_the_published_probabilities():
    """By summing the joint: P(dysp), P(xray), P(either) of [LauritzenSpiegelhalter]."""
    net = asia()
    assert net.n_parameters == 18
    assert len(net.edges) == 8
    factors = net.factors()
    joint = np.ones(factors.cardinalities)
    for scope, table in zip(factors.scopes, factors.tables, strict=True):
        shape = [2 if number in scope else 1 for number in range(8)]
        joint = joint * np.transpose(table, np.argsort(scope)).reshape(shape)
    assert joint.sum() == pytest.approx(1.0)
    share = {name: joint.take(0, axis=number).sum() for number, name in enumerate(net.variables)}
    assert share["dysp"] == pytest.approx(0.4360, abs=5e-5)
    assert share["xray"] == pytest.approx(0.1103, abs=5e-5)
    assert share["either"] == pytest.approx(0.0648, abs=5e-5)


def test_parents_keep_the_order_of_the_edges():
    net = BeliefNetwork(reversed(EDGES))
    assert net.parents("Campfire") == ("BusTourGroup", "Storm")
    assert net.edges == list(reversed(EDGES))


def test_variables_have_the_order_of_states_then_tables_then_edges():
    net = BeliefNetwork(
        EDGES, tables={"BusTourGroup": YES_NO}, states={"Campfire": ["yes"], "Rain": None}
    )
    assert net.variables == ("Campfire", "Rain", "BusTourGroup", "Storm")
    assert net.topological_order() == ["Rain", "BusTourGroup", "Storm", "Campfire"]


def test_structure_alone_is_a_network():
    net = BeliefNetwork(EDGES)
    assert net.variables_without_table == net.variables
    assert net.ancestors("Campfire") == ["Storm", "BusTourGroup"]
    assert net.descendants("Storm") == ["Campfire"]
    with pytest.raises(ValueError, match="states of Storm are not known yet"):
        net.states("Storm")
    assert "Campfire" in str(net)


def test_parameters_are_counted_before_the_tables_are_there():
    assert campfire().n_parameters == 6
    with pytest.raises(ValueError, match="states of Storm are not known yet"):
        _ = BeliefNetwork(EDGES).n_parameters


def test_no_variable_at_all_is_a_network_too():
    net = BeliefNetwork()
    assert net.variables == ()
    assert net.n_parameters == 0
    assert net.factors().n_variables == 0
    assert str(net) == "BeliefNetwork: 0 variables, 0 edges, 0 free parameters"
    with pytest.raises(ValueError, match="no variable 'Rain' in the network. It has none"):
        net.parents("Rain")


def test_states_are_texts_booleans_and_numbers_of_any_number():
    net = BeliefNetwork(
        edges=[("天气", "出门")],
        tables={
            "天气": {"晴": 0.5, "多云": 0.25, "雨": 0.25},
            "出门": {"晴": {True: 1.0, False: 0.0}, "多云": {True: 0.5, False: 0.5},
                    "雨": {True: 0.0, False: 1.0}},
            "Always": {"so": 1},
            "Dice": dict.fromkeys(range(1, 7), 1 / 6),
        },
    )  # fmt: skip
    assert net.states("天气") == ("晴", "多云", "雨")
    assert net.table("出门")["多云", True] == 0.5
    assert net.states("Always") == ("so",)
    assert net.states("Dice") == (1, 2, 3, 4, 5, 6)
    assert net.n_parameters == 2 + 3 + 0 + 5
    assert net.d_separated("天气", ["Dice", "Always"])


def test_numpy_values_are_states():
    states = np.array(["yes", "no"])
    net = BeliefNetwork(states={"Rain": states, "Level": np.arange(2), "Wet": np.array([True])})
    assert [type(net.states(name)[0]) for name in net.variables] == [str, int, bool]


@given(networks())
def test_every_network_is_a_distribution(net):
    factors = net.factors()
    total = 0.0
    for states in itertools.product(*map(range, factors.cardinalities)):
        product = 1.0
        for scope, table in zip(factors.scopes, factors.tables, strict=True):
            product *= table[tuple(states[number] for number in scope)]
        total += product
    assert total == pytest.approx(1.0)
    assert [scope[-1] for scope in factors.scopes] == list(range(len(net.variables)))


@given(networks())
def test_a_network_equals_its_copies(net):
    assert pickle.loads(pickle.dumps(net)) == net
    tables = {name: net.table(name).values for name in net.variables}
    states = {name: net.states(name) for name in net.variables}
    again = BeliefNetwork(net.edges, tables, states)
    assert again == net
    assert hash(again) == hash(net)
    named = {
        name: {key: dict(zip(net.states(name), row.tolist(), strict=True))
               for key, row in net.table(name).rows()}
        for name in net.variables
    }  # fmt: skip
    named = {name: rows if net.parents(name) else rows[()] for name, rows in named.items()}
    assert BeliefNetwork(net.edges, named, states) == net


def test_other_networks_are_not_equal():
    net = campfire(storm=0.25, bus_tour_group=0.5)
    assert net != campfire(storm=0.25, bus_tour_group=0.25)
    assert net != campfire()
    assert BeliefNetwork(EDGES) != BeliefNetwork(reversed(EDGES))
    assert BeliefNetwork(states={"Rain": [True]}) != BeliefNetwork(states={"Rain": [1]})
    assert net != "Campfire"


def test_the_graph_is_asked_by_name():
    net = asia()
    assert net.ancestors("either") == ["asia", "tub", "smoke", "lung"]
    assert net.markov_blanket("lung") == ["tub", "smoke", "either"]
    assert net.d_separated("asia", "smoke")
    assert not net.d_separated("asia", ["smoke"], given="dysp")
    parents = {name: net.parents(name) for name in net.variables}
    assert net.markov_blanket("bronc") == directed_graph.markov_blanket(parents, "bronc")


BAD = {
    "cycle": ({"edges": [("Rain", "Wet"), ("Wet", "Rain")]}, "got Rain -> Wet -> Rain"),
    "itself": ({"edges": [("Rain", "Rain")]}, "got Rain -> Rain"),
    "edge twice": ({"edges": EDGES + EDGES[:1]}, "got Storm -> Campfire twice"),
    "triple": ({"edges": [("Rain", "Wet", "Cold")]}, "a pair .parent, child., got"),
    "text": ({"edges": ["AB"]}, "a pair .parent, child., got 'AB'"),
    "set": ({"edges": set(EDGES)}, "edges must be a list of pairs .parent, child., got a set"),
    "number": ({"edges": [(1, 2)]}, "named by a text, got 1"),
    "blank": ({"states": {" ": ["yes"]}}, "named by a text, got ' '"),
    "no states": ({"states": {"Rain": []}}, "Rain must have at least one state"),
    "state twice": ({"states": {"Rain": ["yes", "yes"]}}, "got 'yes' more than once"),
    "one and true": ({"states": {"Rain": [1, True]}}, "got 1 more than once"),
    "states as text": ({"states": {"Rain": "yes"}}, "must be a list, got 'yes'"),
    "states as set": ({"states": {"Rain": {"yes", "no"}}}, "must be a list, got {"),
    "none": ({"states": {"Rain": ["yes", None]}}, "texts, booleans or finite numbers, got None"),
    "nan": ({"states": {"Rain": [float("nan")]}}, "texts, booleans or finite numbers, got nan"),
    "parent without states": (
        {"edges": EDGES, "tables": {"Campfire": {(True, True): YES_NO}}},
        "needs the states of its parent Storm",
    ),
    "edges missing": ({"tables": {"Wet": {"rain": YES_NO, "sun": YES_NO}}}, "it has no parents"),
    "other states": (
        {"tables": {"Rain": {"yes": 1.0}}, "states": {"Rain": ["yes", "no"]}},
        "missing .'no'., unknown",
    ),
    "not one": ({"tables": {"Rain": {"yes": 0.5, "no": 0.4}}}, r"P\(Rain\) must sum to 1, got 0.9"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_network_is_refused(name):
    arguments, message = BAD[name]
    with pytest.raises(ValueError, match=message):
        BeliefNetwork(**arguments)


@pytest.mark.parametrize("argument", ["tables", "states"])
def test_tables_and_states_are_mappings(argument):
    with pytest.raises(TypeError, match=f"{argument} must be a mapping from variables, got list"):
        BeliefNetwork(**{argument: [("Rain", ["yes"])]})


@pytest.mark.parametrize(
    "question",
    [
        lambda net: net.states("Strom"),
        lambda net: net.parents("Strom"),
        lambda net: net.children("Strom"),
        lambda net: net.table("Strom"),
        lambda net: net.ancestors("Strom"),
        lambda net: net.markov_blanket("Strom"),
        lambda net: net.d_separated("Storm", "Strom"),
        lambda net: net.d_connected("Storm", soft="Strom"),
        lambda net: net.open_path("Storm", "Campfire", ["Strom"]),
        lambda net: net.with_tables({"Strom": YES_NO}),
    ],
    ids=[
        "states",
        "parents",
        "children",
        "table",
        "ancestors",
        "blanket",
        "d_separated",
        "d_connected",
        "open_path",
        "with",
    ],
)
def test_an_unknown_variable_is_refused_with_the_known_ones(question):
    with pytest.raises(ValueError, match="no variable 'Strom' in the network. It has 'Storm', "):
        question(campfire())


def test_d_separation_is_of_different_variables():
    with pytest.raises(ValueError, match="Ask about different variables"):
        campfire().d_separated("Storm", "Campfire", given="Storm")


def test_normalise_divides_all_tables():
    counts = {"Storm": {"yes": 1, "no": 3}, "Rain": {"yes": 2, "no": 2}}
    net = BeliefNetwork(tables=counts, normalise=True)
    assert (net.table("Storm")["yes"], net.table("Rain")["yes"]) == (0.25, 0.5)


def test_nothing_depends_on_the_hash_seed():
    program = """
from bayesic.datasets.networks import asia
from bayesic.networks._files.bif import bif_text
net = asia()
print(net.topological_order(), net.markov_blanket("either"))
print(net.ancestors("dysp"), net.descendants("smoke"), bif_text(net))
"""
    runs = [run_python(program, PYTHONHASHSEED=seed) for seed in ("1", "2")]
    assert runs[0].returncode == 0, runs[0].stderr
    assert runs[0].stdout == runs[1].stdout


def test_large_networks_are_printed_in_part():
    net = BeliefNetwork(states={f"变量{number}": ["<5", "5+"] for number in range(25)})
    lines = str(net).splitlines()
    assert lines[0] == "BeliefNetwork: 25 variables, 0 edges, 25 of the tables missing"
    assert lines[-1] == "  ... and 5 more variables"
    assert len(lines) == 22
    html = net._repr_html_()
    assert "变量0" in html
    assert "&lt;5, 5+" in html
    assert "5 more variables" in html
    assert repr(net) == f"<{lines[0]}>"
