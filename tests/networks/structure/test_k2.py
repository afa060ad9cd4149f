import numpy as np
import pytest

from bayesic.networks.network import BeliefNetwork
from bayesic.networks.structure_learning import learn_structure
from helpers.coded_tables import sampled_rows

# [CooperHerskovits] table 1: ten cases of three variables
TEN_CASES = {
    "x1": [1, 1, 0, 1, 0, 0, 1, 0, 1, 0],
    "x2": [0, 1, 0, 1, 0, 1, 1, 0, 1, 0],
    "x3": [0, 1, 1, 1, 0, 1, 1, 0, 1, 0],
}


def campfire_in_a_storm():
    """Storm and Bus -> Campfire; Storm -> Lightning -> Thunder; a known network."""
    return BeliefNetwork(
        edges=[
            ("Storm", "Lightning"),
            ("Storm", "Campfire"),
            ("Bus", "Campfire"),
            ("Lightning", "Thunder"),
        ],
        tables={
            "Storm": {"yes": 0.4, "no": 0.6},
            "Bus": {"yes": 0.5, "no": 0.5},
            "Lightning": {"yes": {"yes": 0.8, "no": 0.2}, "no": {"yes": 0.1, "no": 0.9}},
            "Campfire": {
                ("yes", "yes"): {"yes": 0.4, "no": 0.6},
                ("yes", "no"): {"yes": 0.1, "no": 0.9},
                ("no", "yes"): {"yes": 0.8, "no": 0.2},
                ("no", "no"): {"yes": 0.2, "no": 0.8},
            },
            "Thunder": {"yes": {"yes": 0.9, "no": 0.1}, "no": {"yes": 0.2, "no": 0.8}},
        },
    )


def test_k2_finds_the_chain_of_the_paper():  # [CooperHerskovits] section 3.2
    net = learn_structure(TEN_CASES, method="k2", order=["x1", "x2", "x3"])
    assert net.edges == [("x1", "x2"), ("x2", "x3")]
    assert np.exp(net.search_.score) == pytest.approx(2.2268540787e-09, rel=1e-9)


def test_k2_recovers_the_parents_as_the_sample_grows():  # textbook case 23
    truth = campfire_in_a_storm()
    order = truth.topological_order()
    wrong = []
    for n_rows in (10, 100, 1000, 10_000):
        rows = sampled_rows(truth, n_rows, seed=1)
        found = learn_structure(rows, method="k2", order=order, max_parents=3)
        wrong.append(len(set(found.edges) ^ set(truth.edges)))
    assert wrong[0] > 0
    assert wrong == sorted(wrong, reverse=True)
    assert wrong[-1] == 0


def test_a_parent_that_only_stands_in_for_others_is_dropped_again():
    rng = np.random.default_rng(0)
    storm, bus = rng.integers(2, size=(2, 500))
    sum_of_both = np.where(rng.random(500) < 0.9, storm + bus, rng.integers(3, size=500))
    rows = {"storm": storm, "bus": bus, "hint": sum_of_both, "fire": storm + bus}
    net = learn_structure(rows, method="k2", order=["storm", "bus", "hint", "fire"])
    assert net.parents("fire") == ("storm", "bus")
    changes = [(step.change, step.edge) for step in net.search_.steps]
    assert ("add", ("hint", "fire")) in changes
    assert ("drop", ("hint", "fire")) in changes


def test_the_order_and_the_limits_hold():
    rows = sampled_rows(campfire_in_a_storm(), 500, seed=2)
    order = ["Thunder", "Campfire", "Lightning", "Bus", "Storm"]
    net = learn_structure(
        rows,
        method="k2",
        order=order,
        max_parents=1,
        required=[("Campfire", "Bus")],
        forbidden=[("Thunder", "Lightning")],
    )
    for parent, child in net.edges:
        assert order.index(parent) < order.index(child)
    assert max(len(net.parents(name)) for name in net.variables) == 1
    assert ("Campfire", "Bus") in net.edges
    assert ("Thunder", "Lightning") not in net.edges


@pytest.mark.parametrize("order", [None, ["x1", "x2"], ["x1", "x2", "x2"], "x1"], ids=str)
def test_an_order_of_all_columns_is_needed(order):
    with pytest.raises(ValueError, match="needs order: all columns, parents before children"):
        learn_structure(TEN_CASES, method="k2", order=order)


def test_a_required_edge_against_the_order_is_refused():
    with pytest.raises(ValueError, match="against the order"):
        learn_structure(TEN_CASES, method="k2", order=["x1", "x2", "x3"], required=[("x3", "x1")])
