"""Elimination orders: searched the same way each time, and never worse when something is held."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks._engine.tree import compile_tree, good_elimination
from bayesic.networks._engine.triangulation import (
    MIN_FILL,
    MIN_FILL_BY_WEIGHT,
    MIN_SIZE,
    elimination_cliques,
    n_cells,
    neighbours_of,
    restricted,
    searched_elimination,
)
from bayesic.networks.factors import Factors
from helpers.examples import at_most

some = at_most(80)


@st.composite
def models(draw):
    n_variables = draw(st.integers(1, 14))
    scope = st.lists(st.integers(0, n_variables - 1), max_size=4, unique=True)
    scopes = [tuple(its) for its in draw(st.lists(scope, max_size=20))]
    sizes = draw(st.lists(st.integers(1, 4), min_size=n_variables, max_size=n_variables))
    tables = tuple(np.ones([sizes[variable] for variable in scope]) for scope in scopes)
    return Factors(tuple(sizes), tuple(scopes), tables)


def fill_of(neighbours, weights, variable):
    """The weight of the edges that summing a variable out adds, by the definition."""
    around = sorted(neighbours[variable])
    return sum(
        weights[one] * weights[other]
        for place, one in enumerate(around)
        for other in around[place + 1 :]
        if other not in neighbours[one]
    )


@given(models(), st.sampled_from([MIN_FILL_BY_WEIGHT, MIN_FILL, MIN_SIZE]))
@some
def test_each_variable_is_the_cheapest_of_those_that_are_left(model, rule):
    neighbours = neighbours_of(model.n_variables, model.scopes)
    weights = model.cardinalities if rule.weighted else [1] * model.n_variables
    left = set(range(model.n_variables))
    for variable, around in elimination_cliques(neighbours, model.cardinalities, rule):
        costs = {}
        for other in left:
            size = np.prod([weights[v] for v in (other, *neighbours[other])])
            cost = (fill_of(neighbours, weights, other), size)
            costs[other] = cost[::-1] if rule.size_first else cost
        assert costs[variable] == min(costs.values())
        assert set(around) == neighbours[variable]
        left.remove(variable)
        for other in around:
            neighbours[other] |= set(around) - {other}
            neighbours[other].discard(variable)


@given(models(), st.data())
@some
def test_what_evidence_leaves_is_never_harder_than_the_whole(model, data):
    """With just the memory that the whole takes, no evidence makes a question too wide."""
    elimination = good_elimination(model)
    whole = compile_tree(model, eliminations=[elimination])
    held = data.draw(st.sets(st.integers(0, model.n_variables - 1)))
    left = [variable for variable in range(model.n_variables) if variable not in held]
    number = {variable: place for place, variable in enumerate(left)}
    kept = data.draw(st.lists(st.booleans(), min_size=len(model.scopes), max_size=20))
    scopes = [s for s, keep in zip(model.scopes, kept, strict=False) if keep]  # or barren
    scopes = [tuple(number[v] for v in scope if v in number) for scope in scopes]
    sizes = [model.cardinalities[variable] for variable in left]
    tables = [np.ones([sizes[variable] for variable in scope]) for scope in scopes]
    smaller = Factors(tuple(sizes), tuple(scopes), tuple(tables))
    of_whole = restricted(elimination, number)
    assert n_cells(of_whole, sizes) <= n_cells(elimination, model.cardinalities)
    eliminations = [good_elimination(smaller), of_whole]
    with_evidence = compile_tree(smaller, memory=whole.n_bytes, eliminations=eliminations)
    assert with_evidence.n_bytes <= whole.n_bytes


def test_the_search_finds_what_min_fill_alone_does_not_and_finds_it_again():
    width = 12  # a square of 144 variables, as from a picture
    pairs = [(at, at + 1) for at in range(width**2 - 1) if (at + 1) % width]
    pairs += [(at, at + width) for at in range(width * (width - 1))]
    neighbours, sizes = neighbours_of(width**2, pairs), [4] * width**2
    first = elimination_cliques(neighbours, sizes)
    best = searched_elimination(neighbours, sizes)
    assert n_cells(best, sizes) < n_cells(first, sizes)
    assert best == searched_elimination(neighbours, sizes)


def test_a_model_without_variables_has_nothing_to_search():
    assert searched_elimination([], []) == []
