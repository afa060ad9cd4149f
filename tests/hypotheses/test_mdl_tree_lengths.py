"""Code lengths of decision trees, growing and pruning, against exact arithmetic and enumeration."""

from fractions import Fraction
from itertools import product
from math import ceil, comb, lgamma, log, log2, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.hypotheses.mdl_tree._decision_tree import leaf_bits, pruned, tree_length
from bayesic.hypotheses.mdl_tree._tree_growth import (
    GAP,
    NONE,
    SAME_BITS,
    GrowingRows,
    exception_bits,
    grow,
)
from helpers.examples import at_most


def number_of_messages(counts):
    """How many messages of equal length the code has room for: 2 ** bits, exactly.

    L(n, k, b) has (b + 1) (n over k) of them; each further class is one of those that are left.
    """
    ordered = sorted((count for count in counts if count), reverse=True)
    rest, messages = sum(ordered), Fraction(1)
    for place, count in enumerate(ordered):
        classes_left = len(counts) - place
        most_exceptions = rest - ceil(Fraction(rest, classes_left))
        messages *= (most_exceptions + 1) * comb(rest, rest - count)
        if place:
            messages *= classes_left
        rest -= count
    return messages


@pytest.mark.parametrize(
    ("counts", "messages"),
    [
        ([4, 0], 3),  # 0, 1 or 2 exceptions
        ([3, 1], 3 * 4),
        ([5, 9], 8 * 2002),  # PlayTennis: 14 days, 5 of them No
        ([2, 3], 3 * 10),
        ([1], 1),
        ([0, 0], 1),
        ([2, 1, 1], 3 * 6 * 2 * 2 * 2),  # 2 of 4; then one of 2 classes, 1 of 2; the last is sure
    ],
    ids=str,
)
def test_exceptions_have_the_length_of_the_formula(counts, messages):
    assert exception_bits(np.array(counts, dtype=float)) == pytest.approx(log2(messages), abs=1e-12)
    assert number_of_messages(counts) == messages


@given(st.lists(st.integers(0, 30), min_size=1, max_size=6))
def test_exceptions_are_exact_for_any_counts(counts):
    expected = log2(number_of_messages(counts))
    assert exception_bits(np.array(counts, dtype=float)) == pytest.approx(expected, abs=1e-9)


def length_of_exceptions(counts):
    """The same length for any weights: factorials of fractions are values of the gamma function."""
    ordered = sorted((Fraction(count) for count in counts if count), reverse=True)
    rest, bits = sum(ordered), 0.0
    for place, count in enumerate(ordered):
        classes_left = len(counts) - place
        most_exceptions = max(rest - ceil(rest / classes_left), 0)
        which = lgamma(rest + 1) - lgamma(count + 1) - lgamma(rest - count + 1)
        bits += log2(most_exceptions + 1) + which / log(2) + (log2(classes_left) if place else 0)
        rest -= count
    return bits


@given(st.lists(st.integers(0, 30), min_size=1, max_size=6), st.sampled_from([1, 4]))
def test_exceptions_of_rows_with_weights(counts, divisor):
    weighted = [count / divisor for count in counts]
    expected = length_of_exceptions(weighted)
    assert exception_bits(np.array(weighted)) == pytest.approx(expected, abs=1e-9)
    if divisor == 1:
        assert log2(number_of_messages(counts)) == pytest.approx(expected, abs=1e-9)


@given(st.integers(1, 4), st.integers(1, 5))
@at_most(15)
def test_the_code_of_a_leaf_has_a_word_for_every_string_of_classes(n_classes, n_rows):
    """Kraft: the words of all strings, the most frequent class first, fit into one code."""
    strings = product(range(n_classes), repeat=n_rows)
    counts = [np.bincount(string, minlength=n_classes) for string in strings]
    # with the class of the leaf itself, which is one of K
    total = sum(Fraction(1, n_classes) / number_of_messages(count.tolist()) for count in counts)
    assert total <= 1


def tree_of_the_textbook():
    """Outlook; Humidity below Sunny, Wind below Rain ([Mitchell] figure 3.1)."""
    counts = [(5, 9), (0, 4), (2, 3), (3, 2), (2, 0), (0, 3), (3, 0), (0, 2)]
    is_leaf = np.array([False, True, False, False, True, True, True, True])
    tests = np.where(is_leaf, 0.0, [log2(4)] + [log2(3)] * 7)
    return is_leaf, tests, np.array(counts, dtype=float)


def test_the_tree_of_the_textbook_by_hand():
    # 3 tests among 4, 3 and 3 columns; 8 nodes with one bit each; 5 leaves of two classes
    tree = log2(4) + 2 * log2(3) + 8 + 5
    # leaves of 4, 2, 3, 3 and 2 days without exceptions: of 2, 1, 1, 1 and 1 at most
    exceptions = log2(3 * 2 * 2 * 2 * 2)
    length = tree_length(*tree_of_the_textbook())
    assert length.tree == pytest.approx(tree, abs=1e-12)
    assert length.exceptions == pytest.approx(exceptions, abs=1e-12)
    # fourteen days do not pay for it: one leaf is shorter
    alone = leaf_bits(2) + exception_bits(np.array([5.0, 9.0]))
    assert alone == pytest.approx(2 + log2(8 * 2002)) and alone < length.total


# growing ------------------------------------------------------------------------------------------


@st.composite
def some_rows(draw, max_rows=30, fractions=False):
    rng = np.random.default_rng(draw(st.integers(0, 100_000)))
    n_rows, n_columns = draw(st.integers(1, max_rows)), draw(st.integers(0, 4))
    n_classes = draw(st.integers(1, 4))
    codes = rng.integers(GAP, draw(st.integers(1, 5)), (n_columns, n_rows)).astype(np.int32)
    weights = rng.integers(1, 4, n_rows) / (4 if fractions else 1)
    classes = rng.integers(0, n_classes, n_rows)
    return GrowingRows(
        codes, rng.random(n_columns) < 0.5, classes, weights.astype(float), n_classes
    )


def all_tests(rows, here, column):
    """Every test of a column for these rows: `below`, its bits, and the rows of each child."""
    codes = np.where(here, rows.codes[column], NONE)
    values = sorted(set(codes[here].tolist()))
    if not rows.is_number[column]:
        kind_bits = 0 if len(values) == 2 else 1
        if len(values) > 1:
            yield NONE, kind_bits, [codes == value for value in values]
        if len(values) > 2:
            for value in values:
                sides = [codes == value, here & (codes != value)]
                yield value, kind_bits + log2(len(values)), sides
        return
    observed = [value for value in values if value != GAP]
    for value in observed[:-1]:
        gaps, above = codes == GAP, codes > value
        below = here & ~gaps & ~above
        goes_below = rows.weights[below].sum() >= rows.weights[above].sum()
        sides = [below | gaps, above] if goes_below else [below, above | gaps]
        yield value, log2(len(observed) - 1), sides


@given(st.booleans().flatmap(lambda fractions: some_rows(fractions=fractions)), st.data())
@at_most(80)
def test_every_node_asks_for_what_makes_the_description_shortest(rows, data):
    weight = data.draw(st.sampled_from([0.5, 1.0, 2.0]))
    nodes = grow(rows, weight)

    def count(here):
        return np.bincount(rows.classes[here], rows.weights[here], rows.n_classes)

    def length(sides):
        exceptions = sum(length_of_exceptions(count(side)) for side in sides)
        return len(sides) * (1 + log2(rows.n_classes)) + weight * exceptions

    rows_of_nodes = [np.ones(len(rows.classes), dtype=bool)]
    for node, here in enumerate(rows_of_nodes):  # which grows meanwhile
        assert nodes.class_count[node].tolist() == count(here).tolist()
        columns = [list(all_tests(rows, here, column)) for column in range(len(rows.codes))]
        column_bits = log2(max(1, sum(map(bool, columns))))
        found = [
            (bits + column_bits + length(sides), column, below, bits + column_bits, sides)
            for column, tests in enumerate(columns)
            for below, bits, sides in tests
        ]
        if np.count_nonzero(count(here)) < 2 or not found:
            assert (nodes.column[node], nodes.n_children[node]) == (NONE, 0)
            continue
        shortest = min(found)[0] + SAME_BITS
        _, column, below, bits, sides = next(test for test in found if test[0] <= shortest)
        assert (nodes.column[node], nodes.below[node]) == (column, below)
        assert nodes.test_bits[node] == pytest.approx(bits, abs=1e-9)
        assert (nodes.first_child[node], nodes.n_children[node]) == (
            len(rows_of_nodes),
            len(sides),
        )
        rows_of_nodes += sides
    assert len(nodes.column) == len(rows_of_nodes)


def test_gaps_go_to_the_larger_side_also_with_fractions():
    # 3 times 1/10 is more than 3/10 in float64: both sides are as large all the same
    codes = np.array([[GAP, 0, 1, 1, 1]], dtype=np.int32)
    classes = np.array([0, 0, 1, 1, 1])
    weights = np.array([1.0, 0.3, 0.1, 0.1, 0.1])
    nodes = grow(GrowingRows(codes, np.array([True]), classes, weights, 2), 1.0)
    np.testing.assert_allclose(nodes.class_count[1:], [[1.3, 0.0], [0.0, 0.3]], rtol=1e-15)


# pruning ------------------------------------------------------------------------------------------


def prunings(nodes, node=0):
    """All ways to cut branches off: for each the nodes that are leaves then."""
    yield [node]
    if nodes.n_children[node]:
        first = nodes.first_child[node]
        children = range(first, first + nodes.n_children[node])
        for parts in product(*(list(prunings(nodes, child)) for child in children)):
            yield [leaf for part in parts for leaf in part]


def length_of(nodes, leaves, weight):
    """Bits of the tree with these leaves, and weight times those of its exceptions."""
    inner = [
        node for node in np.flatnonzero(nodes.n_children).tolist() if above(nodes, node, leaves)
    ]
    tree = sum(1 + nodes.test_bits[node] for node in inner)
    for leaf in leaves:
        counts = [int(count) for count in nodes.class_count[leaf]]
        tree += 1 + log2(len(counts)) + weight * log2(number_of_messages(counts))
    return tree


def above(nodes, node, leaves):
    """Whether one of the leaves is below this node."""
    if node in leaves:
        return False
    first = nodes.first_child[node]
    children = range(first, first + nodes.n_children[node])
    return any(child in leaves or above(nodes, child, leaves) for child in children)


@given(some_rows(max_rows=10), st.sampled_from([0.5, 1.0, 2.0, 4.0]))
@at_most(80)
def test_pruning_finds_the_shortest_of_all_prunings(rows, weight):
    grown = grow(rows, weight)
    n_prunings = prod(2 for _ in np.flatnonzero(grown.n_children))
    assert n_prunings <= 2**9
    shortest = min(length_of(grown, leaves, weight) for leaves in prunings(grown))
    part = pruned(grown, weight)
    length = tree_length(part.n_children == 0, part.test_bits, part.class_count)
    assert length.tree + weight * length.exceptions == pytest.approx(shortest, abs=1e-9)


@given(some_rows())
@at_most(30)
def test_what_is_left_is_a_tree(rows):
    part = pruned(grow(rows, 3.0), 3.0)
    inner = np.flatnonzero(part.n_children)
    children = [
        range(part.first_child[node], part.first_child[node] + part.n_children[node])
        for node in inner
    ]
    assert sorted(child for each in children for child in each) == [*range(1, len(part.column))]
    for node, each in zip(inner, children, strict=True):
        np.testing.assert_array_equal(part.class_count[each].sum(axis=0), part.class_count[node])
