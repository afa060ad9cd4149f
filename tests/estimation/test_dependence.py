"""Which columns depend on which: against plain loops, and against all trees that there are."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import mutual_info_score

from bayesic.estimation.dependent_columns import ordered_parents, parents_first, tree_parents
from bayesic.estimation.information import class_information, conditional_information
from helpers.examples import at_most

counts = hnp.arrays(np.int64, (3, 2, 2), elements=st.integers(0, 5))


@given(counts)
def test_conditional_information_is_the_mean_of_the_information_within_each_class(table):
    n_rows = table.sum()
    expected = 0.0
    for c in range(table.shape[2]):
        if table[:, :, c].any():
            within = mutual_info_score(None, None, contingency=table[:, :, c])
            expected += table[:, :, c].sum() / n_rows * within
    assert conditional_information(table) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(hnp.arrays(np.int64, (4, 3), elements=st.integers(0, 5)))
def test_class_information_is_that_of_scikit_learn(table):
    expected = mutual_info_score(None, None, contingency=table) if table.any() else 0.0
    assert class_information(table) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@st.composite
def informations(draw, max_columns=5):
    n_columns = draw(st.integers(1, max_columns))
    of_class = draw(hnp.arrays(np.float64, n_columns, elements=st.integers(0, 4)))
    of_pairs = np.zeros((n_columns, n_columns))
    for pair in combinations(range(n_columns), 2):
        of_pairs[pair] = of_pairs[pair[::-1]] = draw(st.integers(0, 4))
    return of_class, of_pairs


def is_tree(edges, n_columns):
    reached = {0}
    for _ in edges:
        reached |= {b for a, b in edges if a in reached} | {a for a, b in edges if b in reached}
    return len(reached) == n_columns


@at_most(50)
@given(informations())
def test_the_tree_is_the_best_of_all_trees(given_informations):
    of_class, of_pairs = given_informations
    n_columns = len(of_class)
    pairs = list(combinations(range(n_columns), 2))
    best = max(
        sum(of_pairs[edge] for edge in edges)
        for edges in combinations(pairs, n_columns - 1)
        if is_tree(edges, n_columns)
    )
    parents = tree_parents(of_class, of_pairs)
    edges = [(column, *given) for column, given in enumerate(parents) if given]
    assert is_tree(edges, n_columns) and len(edges) == n_columns - 1
    assert sum(of_pairs[edge] for edge in edges) == best


@given(informations())
def test_the_root_tells_most_about_the_class_and_all_depend_on_it(given_informations):
    of_class, of_pairs = given_informations
    parents = tree_parents(of_class, of_pairs)
    roots = [column for column, given in enumerate(parents) if not given]
    assert roots == [int(of_class.argmax())]
    assert parents_first(parents)[0] == roots[0]


@given(informations(), st.integers(0, 3))
def test_parents_in_order_are_the_k_best_of_those_that_tell_more(given_informations, k):
    of_class, of_pairs = given_informations
    parents = ordered_parents(of_class, of_pairs, k)
    for column, own in enumerate(parents):
        rank = (-of_class[column], column)
        before = [j for j in range(len(of_class)) if (-of_class[j], j) < rank]
        assert set(own) <= set(before) and len(own) == min(k, len(before))
        rest = [of_pairs[column, j] for j in before if j not in own]
        assert min((of_pairs[column, j] for j in own), default=math.inf) >= max(rest, default=-1)


@given(informations(), st.integers(0, 3))
def test_each_column_comes_after_its_parents(given_informations, k):
    parents = ordered_parents(*given_informations, k)
    order = parents_first(parents)
    assert sorted(order) == list(range(len(parents)))
    for column, own in enumerate(parents):
        assert all(order.index(parent) < order.index(column) for parent in own)


def test_no_columns_have_no_tree():
    assert tree_parents(np.zeros(0), np.zeros((0, 0))) == []
    assert ordered_parents(np.zeros(0), np.zeros((0, 0)), 2) == []


def test_columns_that_are_the_same_tell_all_about_each_other():
    table = np.zeros((2, 2, 2), np.int64)
    for level, code in product(range(2), range(2)):
        table[level, level, code] = 5
    assert conditional_information(table) == pytest.approx(math.log(2), rel=1e-12)


def test_tiny_soft_counts_tell_as_much_as_large_ones():
    counts = np.array([[[2.0, 1.0], [0.0, 1.0]], [[0.0, 1.0], [2.0, 1.0]]])
    for size in (1e-200, 1e200):
        found = conditional_information(counts * size)
        assert found == pytest.approx(conditional_information(counts))
