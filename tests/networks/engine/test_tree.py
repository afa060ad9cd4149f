"""The junction tree: it is one, it is made the same way each time, and it is not made too wide."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks._engine import triangulation
from bayesic.networks._engine.cliques import clique_tree
from bayesic.networks._engine.tree import TreeTooWideError, compile_tree
from bayesic.networks._engine.triangulation import elimination_cliques, neighbours_of
from bayesic.networks.factors import Factors, conditioned
from helpers.examples import at_most

some = at_most(80)


@st.composite
def scopes_and_sizes(draw):
    n_variables = draw(st.integers(1, 12))
    scope = st.lists(st.integers(0, n_variables - 1), min_size=0, max_size=4, unique=True)
    scopes = draw(st.lists(scope, max_size=14))
    sizes = draw(st.lists(st.integers(1, 5), min_size=n_variables, max_size=n_variables))
    return [tuple(scope) for scope in scopes], sizes


def tree_of(scopes, sizes):
    return clique_tree(elimination_cliques(neighbours_of(len(sizes), scopes), sizes), sizes)


@given(scopes_and_sizes())
@some
def test_every_scope_is_in_a_clique_and_cliques_of_a_variable_are_connected(model):
    scopes, sizes = model
    tree = tree_of(scopes, sizes)
    homes = tree.homes(len(sizes))
    for scope in scopes:
        home = tree.home_of(scope, homes)
        assert home is not None
        assert set(scope) <= set(tree.cliques[home])
    for variable in range(len(sizes)):
        holding = [n for n, clique in enumerate(tree.cliques) if variable in clique]
        tops = [n for n in holding if n == 0 or variable not in tree.cliques[tree.parents[n]]]
        assert len(tops) == 1
        assert tops[0] == homes[variable]


@given(scopes_and_sizes())
@some
def test_cliques_are_maximal_and_begin_with_their_separator(model):
    tree = tree_of(*model)
    for number, clique in enumerate(tree.cliques):
        assert not any(
            set(clique) <= set(other) for n, other in enumerate(tree.cliques) if n != number
        )
        if number:
            parent = tree.cliques[tree.parents[number]]
            shared = tuple(variable for variable in parent if variable in clique)
            assert tree.parents[number] < number
            assert clique[: tree.n_separator[number]] == shared


def test_a_cycle_gets_one_chord_less_than_it_has_corners_above_three():
    cycle = [(number, (number + 1) % 6) for number in range(6)]
    tree = tree_of(cycle, [2] * 6)
    assert len(tree.cliques) == 4
    assert all(len(clique) == 3 for clique in tree.cliques)


def test_the_weight_of_fill_counts_and_not_the_number_of_edges():
    # a square: joining the two small variables is cheaper than joining the two large ones
    square = [(0, 1), (1, 2), (2, 3), (3, 0)]
    assert {1, 3} <= set(tree_of(square, [9, 2, 9, 2]).cliques[0])
    assert {0, 2} <= set(tree_of(square, [2, 9, 2, 9]).cliques[0])


def grid(width):
    scopes = [(row * width + column, row * width + column + 1)
              for row in range(width) for column in range(width - 1)]  # fmt: skip
    scopes += [(at, at + width) for at in range(width * (width - 1))]
    tables = tuple(np.ones((2, 2)) for _ in scopes)
    return Factors((2,) * width**2, tuple(scopes), tables)


def test_a_tree_that_is_too_wide_is_refused_with_its_size_and_a_way_out():
    with pytest.raises(TreeTooWideError, match=r"needs .* GB\. Sample instead"):
        compile_tree(grid(50))
    with pytest.raises(MemoryError, match=r"may take 0\.0 MB of memory"):
        compile_tree(grid(4), memory=100)


def test_from_a_clique_that_is_too_large_on_fill_is_not_counted(monkeypatch):
    wide, counted = grid(8), []
    whole = triangulation._Shrinking.sum_out
    neighbours = triangulation.neighbours_of(64, wide.scopes)
    exact = triangulation.elimination_cliques(neighbours, wide.cardinalities)
    assert max(len(around) for _, around in exact) > 5
    monkeypatch.setattr(triangulation, "MOST_CELLS", 2**5)
    monkeypatch.setattr(
        triangulation._Shrinking,
        "sum_out",
        lambda graph, variable: counted.append(variable) or whole(graph, variable),
    )
    fast = triangulation.elimination_cliques(neighbours, wide.cardinalities)
    assert fast[: len(counted)] == exact[: len(counted)]
    assert 0 < len(counted) < 64
    assert sorted(variable for variable, _ in fast) == list(range(64))
    place = {variable: number for number, (variable, _) in enumerate(fast)}
    for (
        variable,
        around,
    ) in fast:  # what is left of its neighbours, which are joined with each other
        assert all(place[variable] < place[other] for other in around)
        first = min(around, key=place.__getitem__, default=None)
        assert first is None or {*around} - {first} <= {*fast[place[first]][1]}
    for scope in wide.scopes:
        first = min(scope, key=place.__getitem__)
        assert {*scope} - {first} <= {*fast[place[first]][1]}


def test_holding_variables_makes_a_wide_tree_narrow():  # 25 x 25 falls into three strips
    row = {20 * 25 + column: 0 for column in range(0, 25)}
    wide = grid(25)
    half = conditioned(wide, {**row, **{12 * 25 + column: 1 for column in range(25)}})
    assert compile_tree(half, memory=2**30).n_bytes < compile_tree(grid(14)).n_bytes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((2, 0), (), ()), "every variable needs a state"),
        (((2,), ((0,),), ()), "every scope needs one table"),
        (((2,), ((1,),), ([1.0, 1.0],)), "from 0 to 0, each once"),
        (((2, 2), ((0, 0),), (np.ones((2, 2)),)), "each once"),
        (((2,), ((0,),), ([1.0, 1.0, 1.0],)), r"shape of its scope, \(2,\)"),
        (((2,), ((0,),), ([1.0, -1.0],)), "finite numbers of 0 or more"),
        (((2,), ((0,),), ([1.0, np.nan],)), "finite numbers of 0 or more"),
        (((2,), ((0,),), ([1.0, np.inf],)), "finite numbers of 0 or more"),
    ],
)
def test_factors_that_do_not_fit_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Factors(*arguments)


@pytest.mark.parametrize("observed", [{2: 0}, {0: 2}, {0: -1}])
def test_only_states_that_exist_can_be_held(observed):
    with pytest.raises(ValueError, match="go from 0 to"):
        conditioned(Factors((2, 2), (), ()), observed)
