"""What an exact answer costs, before it is computed."""

import math

import pytest
from hypothesis import given

from bayesic.datasets.networks import asia, campfire
from bayesic.networks._engine import exact_inference
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.queries import _inference_cost as cost_module
from bayesic.networks.queries.impossible import ImpossibleEvidence
from helpers.enumeration import random_given, sparse_networks
from helpers.examples import at_most
from helpers.network_examples import grid


def test_the_cliques_of_asia_are_those_of_the_paper():
    # (asia tub) (tub lung either) (lung either bronc) (smoke lung bronc) (either bronc dysp)
    # (either xray): Lauritzen and Spiegelhalter 1988, figure 8
    cost = asia().cost()
    assert (cost.cells, cost.largest) == (4 + 8 + 8 + 8 + 8 + 4, 8)
    assert cost.fits
    assert 0 < cost.seconds < 0.01


def cells_of(tree):
    """How many cells the table of each clique has."""
    sizes = tree.factors.cardinalities
    return [math.prod(sizes[variable] for variable in clique) for clique in tree.tree.cliques]


@given(sparse_networks())
@at_most(40)
def test_a_tree_has_the_cells_that_were_told(case):
    net, _ = case
    tree = net._named_model().tree
    sizes = [
        math.prod(tree.factors.cardinalities[v] for v in clique) for clique in tree.tree.cliques
    ]
    cost = net.cost()
    assert (cost.cells, cost.largest, cost.n_bytes) == (sum(sizes), max(sizes), tree.n_bytes)


@given(sparse_networks())
@at_most(40)
def test_the_tree_of_a_question_has_the_cells_that_were_told(case):
    """Of a large network every question has a tree of its own."""
    net, rng = case
    observed, trees = random_given(net, rng), []
    engine = exact_inference.posteriors

    def answers(tree, *others):
        trees.append(tree)
        return engine(tree, *others)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bayesic.networks._engine.tree.MOST_FLAT_CELLS", 0)
        patch.setattr(cost_module, "MOST_FLAT_CELLS", 0)
        patch.setattr(exact_inference, "posteriors", answers)
        cost = net.cost(observed)
        assert not trees
        try:
            net.query(None, observed)
        except ImpossibleEvidence:
            return
    cells = cells_of(trees[0])
    assert (cost.cells, cost.largest) == (sum(cells), max(cells))


def test_what_was_observed_makes_a_wide_network_narrow():
    wide = grid(20)
    cost = wide.cost()
    assert not cost.fits
    assert cost.seconds > 1  # and this was told at once
    assert wide.cost(dict.fromkeys(wide.variables, "black")).cells == 1
    across = {name: "black" for name in wide.variables if int(name.split()[1]) % 2}
    assert wide.cost(across).cells < cost.cells
    assert wide.cost(across).fits


def test_tables_and_variables_may_be_missing():
    assert campfire().cost().cells == 8
    assert BeliefNetwork().cost().cells == 1
