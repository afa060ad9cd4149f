"""Trees that cut columns in two: both kernels do the same, and a tree is what its rules say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.kernels import forest
from bayesic.kernels.forest import CHILD, COLUMN, CUT, FOR_MISSING, LEAF, MISSING, UNKNOWN, Trees

compiled = pytest.importorskip("bayesic.kernels._compiled_forest")

N_RANKS = 6


@st.composite
def samples(draw):
    """Rows to grow a tree from: ranks with gaps, classes, whole weights."""
    n_rows, n_columns = draw(st.integers(2, 25)), draw(st.integers(1, 4))
    rank = st.integers(0, N_RANKS - 1) | st.just(MISSING)
    ranks = draw(st.lists(rank, min_size=n_rows * n_columns, max_size=n_rows * n_columns))
    classes = draw(st.lists(st.integers(0, 2), min_size=n_rows, max_size=n_rows))
    weights = draw(st.lists(st.integers(1, 3), min_size=n_rows, max_size=n_rows))
    return (
        np.array(ranks, np.uint8).reshape(n_columns, n_rows),
        np.array(classes, np.int64),
        np.array(weights, np.float64),
    )


def as_trees(nodes, parents, n_columns):
    """A tree whose columns have codes that are ranks, then one for gaps, one for other levels."""
    ranks = np.tile(np.append(np.arange(N_RANKS), [MISSING, UNKNOWN]).astype(np.uint8), n_columns)
    first_code = np.arange(n_columns + 1) * (N_RANKS + 2)
    return Trees(np.array([0, len(nodes)]), nodes, parents, ranks[None], first_code)


@given(samples(), st.integers(1, 3), st.booleans(), st.integers(0, 2**63))
def test_both_kernels_grow_the_same_tree(sample, n_tried, at_random, seed):
    how = 3, n_tried, at_random, seed
    for ours, theirs in zip(
        forest.grown(*sample, *how), compiled.grown(*sample, *how), strict=True
    ):
        assert ours.dtype == theirs.dtype == np.int32
        np.testing.assert_array_equal(ours, theirs)


def gini_parts(counts):
    """sum_c N_c^2 / N of a list of class counts."""
    return sum(n * n for n in counts) / sum(counts) if sum(counts) else 0.0


def grown_by_hand(ranks, classes, weights, rows, nodes, number, path):
    """Check a node that tries all columns against all of its splits, then its children."""

    def counts(some):
        return [sum(weights[row] for row in some if classes[row] == c) for c in range(3)]

    def parts(column, cut):
        low = [row for row in rows if ranks[column][row] <= cut]
        gaps = [row for row in rows if ranks[column][row] == MISSING]
        return low, [row for row in rows if row not in low and row not in gaps], gaps

    splits = []
    for column in range(len(ranks)):
        seen = sorted({int(ranks[column][row]) for row in rows} - {MISSING})
        has_gaps = any(ranks[column][row] == MISSING for row in rows)
        for cut in range(seen[0], seen[-1] + has_gaps) if seen else ():
            splits += [sum(gini_parts(counts(part)) for part in parts(column, cut))]
    column = nodes[number, COLUMN]
    if column == LEAF:
        assert len([n for n in counts(rows) if n]) == 1 or not splits
        return
    chosen = parts(column, nodes[number, CUT])
    gain = sum(gini_parts(counts(part)) for part in chosen)
    assert gain == pytest.approx(max(splits))
    children = [nodes[number, CHILD], nodes[number, CHILD] + 1, nodes[number, FOR_MISSING]]
    assert (children[2] == LEAF) == (not chosen[2])
    for part, child in zip(chosen, children, strict=True):
        if part:
            grown_by_hand(ranks, classes, weights, part, nodes, child, (*path, number))


@given(samples(), st.integers(0, 2**63))
def test_every_node_takes_the_best_split_of_all_and_leaves_are_pure(sample, seed):
    ranks, classes, weights = sample
    nodes, parents = forest.grown(*sample, 3, len(ranks), False, seed)
    every = list(range(len(classes)))
    grown_by_hand(ranks.tolist(), classes.tolist(), weights.tolist(), every, nodes, 0, ())
    children = [
        (child, number)
        for number, node in enumerate(nodes)
        if node[COLUMN] != LEAF
        for child in (node[CHILD], node[CHILD] + 1, node[FOR_MISSING])
        if child != LEAF
    ]
    assert dict(children) == dict(enumerate(parents[1:].tolist(), start=1))


def stopped_by_hand(row, nodes):
    number = 0
    while nodes[number, COLUMN] != LEAF:
        rank = row[nodes[number, COLUMN]]
        if rank == N_RANKS:
            child = nodes[number, FOR_MISSING]
        else:
            child = LEAF if rank > N_RANKS else nodes[number, CHILD] + (rank > nodes[number, CUT])
        if child == LEAF:
            return number
        number = child
    return number


@given(samples(), st.booleans(), st.data())
def test_rows_go_down_to_a_leaf_or_to_what_a_tree_does_not_know(sample, at_random, data):
    ranks, _, _ = sample
    nodes, parents = forest.grown(*sample, 3, 2, at_random, 7)
    n_columns = len(ranks)
    cells = st.lists(st.integers(0, N_RANKS + 1), min_size=n_columns, max_size=n_columns)
    rows = np.array(data.draw(st.lists(cells, min_size=1, max_size=9)), np.uint8)
    trees = as_trees(nodes, parents, n_columns)
    expected = [[stopped_by_hand(row, nodes)] for row in rows.tolist()]
    shares = np.random.default_rng(0).random((len(nodes), 2))
    for kernels in (forest, compiled):
        assert kernels.stops(rows, trees, slice(None)).tolist() == expected
        np.testing.assert_allclose(
            kernels.answers(rows, trees, shares), shares[np.array(expected)[:, 0]]
        )


def three_trees(samples_of_trees, n_columns):
    """Trees one after the other: as grown from two samples, and between them one that is a leaf."""
    leaf = np.full((1, 4), LEAF, np.int32), np.full(1, LEAF, np.int32)
    first, last = (forest.grown(*sample, 3, 2, False, 7) for sample in samples_of_trees)
    nodes, parents, begins = [], [], [0]
    for tree_nodes, tree_parents in (first, leaf, last):
        inner = tree_nodes != LEAF
        inner[:, [COLUMN, CUT]] = False
        nodes.append(tree_nodes + begins[-1] * inner)
        parents.append(tree_parents + begins[-1] * (tree_parents != LEAF))
        begins.append(begins[-1] + len(tree_nodes))
    one = as_trees(first[0], first[1], n_columns)
    ranks = np.tile(one.ranks, (3, 1))
    ranks[2, :N_RANKS] = ranks[2, :N_RANKS][::-1]  # each tree has an order of its own
    whole = (np.concatenate(part).astype(np.int32) for part in (nodes, parents))
    return Trees(np.array(begins), *whole, ranks, one.first_code)


@pytest.mark.parametrize("seed", range(5))
def test_both_kernels_send_many_rows_through_many_trees_to_the_same_nodes(seed):
    rng = np.random.default_rng(seed)

    def sample():
        ranks = rng.integers(0, N_RANKS + (seed > 1), (3, 400))
        ranks = np.where(ranks == N_RANKS, MISSING, ranks).astype(np.uint8)
        return ranks, rng.integers(0, 3, 400), np.ones(400)

    trees = three_trees((sample(), sample()), 3)
    rows = rng.integers(0, N_RANKS + 2 * (seed > 0), (1000, 3)).astype(np.uint8)
    every = forest.stops(rows, trees, slice(None))
    assert len(np.unique(every[:, 2])) > 100
    for some in (slice(None), slice(1, 3), slice(0, 1)):
        np.testing.assert_array_equal(compiled.stops(rows, trees, some), every[:, some])
    shares = rng.random((len(trees.nodes), 2))
    np.testing.assert_allclose(
        compiled.answers(rows, trees, shares), forest.answers(rows, trees, shares), rtol=1e-12
    )


def test_more_columns_than_a_step_has_room_for_are_refused(monkeypatch):
    monkeypatch.setattr(compiled, "COLUMN_MASK", 2)
    leaf = np.full((1, 4), LEAF, np.int32)
    trees = as_trees(leaf, leaf[:, 0], n_columns=3)
    with pytest.raises(ValueError, match="at most 2 columns, got 3"):
        compiled.stops(np.zeros((1, 3), np.uint8), trees, slice(None))


@given(samples(), st.lists(st.integers(1, 3), min_size=25, max_size=25), st.data())
def test_answers_without_a_row_are_those_of_counts_without_it(sample, extra, data):
    ranks, classes, weights = sample
    nodes, parents = forest.grown(*sample, 3, 2, False, 7)
    trees = as_trees(nodes, parents, len(ranks))
    codes = np.where(ranks.T == MISSING, N_RANKS, ranks.T).astype(np.uint8)
    stopped = forest.stops(codes, trees, slice(None))
    counts = np.zeros((len(nodes), 3))
    for row, stop in enumerate(stopped[:, 0].tolist()):
        while stop != LEAF:
            counts[stop, classes[row]] += weights[row]
            stop = int(parents[stop])
    strengths = np.array([0.25, 3.0])
    asked = np.ones(stopped.shape, bool)
    arguments = stopped, parents, counts, classes, weights, asked, strengths
    found = forest.answers_without(*arguments)
    np.testing.assert_allclose(found, compiled.answers_without(*arguments), rtol=1e-12)
    row = data.draw(st.integers(0, len(classes) - 1))
    path = [int(stopped[row, 0])]
    while parents[path[-1]] != LEAF:
        path.append(int(parents[path[-1]]))
    for place, strength in enumerate(strengths):
        p = np.full(3, 1 / 3)
        for node in reversed(path):
            rest = counts[node] - weights[row] * (np.arange(3) == classes[row])
            p = (rest + strength * p) / (rest.sum() + strength)
        np.testing.assert_allclose(found[place, row], p, rtol=1e-12)
