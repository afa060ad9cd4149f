"""The best tree of mutual information, against all trees and against scikit-learn."""

import math
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import mutual_info_score

from bayesic.networks import _directed_graph as directed_graph
from bayesic.networks._structure.chow_liu import chow_liu, mutual_information
from bayesic.networks._structure.coded_columns import coded_columns
from helpers.examples import at_most

NAMES = ("cloud", "dew", "fog", "rain", "snow")


@st.composite
def tables(draw):
    """A few columns of a few states, in any order."""
    names = draw(st.permutations(NAMES))[: draw(st.integers(1, 5))]
    codes = draw(
        arrays(np.int64, (draw(st.integers(1, 30)), len(names)), elements=st.integers(0, 2))
    )
    return pd.DataFrame(codes, columns=names)


def all_trees(names):
    """Every set of edges that joins all names without a cycle."""
    for edges in combinations(list(combinations(names, 2)), len(names) - 1):
        joined = {name: {name} for name in names}
        for one, other in edges:
            union = joined[one] | joined[other]
            joined |= dict.fromkeys(union, union)
        if len(joined[names[0]]) == len(names):
            yield edges


@at_most(60)
@given(tables())
def test_no_tree_has_a_larger_likelihood(frame):
    tree = chow_liu(coded_columns(frame))
    information = {
        pair: mutual_info_score(frame[pair[0]], frame[pair[1]])
        for pair in permutations(frame.columns, 2)
    }
    best = max(sum(information[edge] for edge in edges) for edges in all_trees(frame.columns))
    assert sum(tree.gains) == pytest.approx(len(frame) * best, abs=1e-9)
    for edge, gain in zip(tree.edges, tree.gains, strict=True):
        assert gain == pytest.approx(len(frame) * information[edge], abs=1e-9)


@given(tables(), st.data())
def test_all_edges_lead_away_from_the_root(frame, data):
    root = data.draw(st.sampled_from(sorted(frame.columns)))
    tree = chow_liu(coded_columns(frame), root)
    parents = {name: [one for one, other in tree.edges if other == name] for name in frame.columns}
    assert {name: len(its_parents) for name, its_parents in parents.items()} == {
        name: int(name != root) for name in frame.columns
    }
    assert sorted(directed_graph.descendants(parents, [root])) == sorted(
        set(frame.columns) - {root}
    )
    reached = [root]
    for parent, child in tree.edges:
        assert parent in reached
        reached.append(child)


@given(tables(), st.data())
def test_the_order_of_rows_and_columns_and_the_root_choose_nothing(frame, data):
    names = data.draw(st.permutations(list(frame.columns)))
    tree = chow_liu(coded_columns(frame))
    assert chow_liu(coded_columns(frame[::-1][list(names)])) == tree
    turned = chow_liu(coded_columns(frame), root=names[0])
    assert set(map(frozenset, turned.edges)) == set(map(frozenset, tree.edges))


def test_of_equal_trees_the_one_with_the_first_names_is_taken():
    same = [0, 1, 1, 0]
    tree = chow_liu(coded_columns({"fog": same, "dew": same, "rain": same, "cloud": same}))
    assert tree.edges == (("cloud", "dew"), ("cloud", "fog"), ("cloud", "rain"))
    assert tree.gains == pytest.approx([4 * math.log(2)] * 3)


def test_rows_of_a_tree_give_the_tree():
    rng = np.random.default_rng(4)
    edges = [("cloud", "rain"), ("cloud", "dew"), ("rain", "fog"), ("rain", "snow")]
    columns = {"cloud": rng.integers(0, 3, 4000)}
    for parent, child in edges:
        kept = rng.random(4000) < 0.7
        columns[child] = np.where(kept, columns[parent], rng.integers(0, 3, 4000))
    assert set(chow_liu(coded_columns(columns), root="cloud").edges) == set(edges)


def test_rows_that_are_kept_once_gain_as_often_as_they_occur():
    frame = pd.DataFrame({"rain": [0, 1, 1, 0], "wet": [0, 1, 0, 0]})
    once, often = (chow_liu(coded_columns(pd.concat([frame] * times))) for times in (1, 50))
    assert often.gains == pytest.approx([50 * gain for gain in once.gains])


def test_information_of_all_pairs_is_that_of_scikit_learn():
    frame = pd.DataFrame(np.random.default_rng(9).integers(0, 4, (100, 3)), columns=NAMES[:3])
    ours = mutual_information(coded_columns(frame))
    theirs = [[mutual_info_score(frame[one], frame[other]) for other in frame] for one in frame]
    np.testing.assert_allclose(ours + np.diag(np.diag(theirs)), theirs, rtol=1e-12)


def test_a_single_column_is_a_tree():
    tree = chow_liu(coded_columns({"rain": ["yes", "no"]}))
    assert (tree.edges, tree.gains) == ((), ())


def test_a_root_that_is_no_column_is_refused():
    with pytest.raises(ValueError, match="must be a column, got 'hail'. There are 'rain', 'wet'"):
        chow_liu(coded_columns({"rain": ["yes"], "wet": ["no"]}), root="hail")
