"""Counting and scoring combinations of levels: the compiled kernels say what the reference says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bayesic.estimation.dependent_columns import informations, ordered_parents
from bayesic.estimation.families import (
    as_columns_enter,
    averages,
    count_tables,
    families,
    leaning_averages,
    scored_rows,
)
from bayesic.estimation.smoothing import BackOff, Lambda, MEstimate
from bayesic.kernels import back_off
from bayesic.kernels import combinations as reference
from bayesic.statistics.combinations import CombinationCounts, Layout
from helpers.examples import at_most

compiled = pytest.importorskip("bayesic.kernels._compiled_combinations")
compiled_back_off = pytest.importorskip("bayesic.kernels._compiled_back_off")

SIZES = (3, 2, 4, 1)
N_CLASSES = 2
RULES = st.sampled_from(
    [
        *(Lambda(1.0), Lambda(0.0), Lambda(0.25), MEstimate(2.0)),
        *(BackOff(0.0), BackOff(0.25), BackOff(8.0)),
    ]
)


@st.composite
def rows(draw):
    """Levels, classes and weights (or None) of some rows."""
    n_rows = draw(st.integers(1, 12))
    levels = [
        draw(hnp.arrays(np.int32, n_rows, elements=st.integers(-1, size - 1))) for size in SIZES
    ]
    codes = draw(hnp.arrays(np.intp, n_rows, elements=st.integers(0, N_CLASSES - 1)))
    weights = hnp.arrays(np.float64, n_rows, elements=st.integers(1, 8).map(lambda w: w / 4))
    return np.stack(levels), codes, draw(st.none() | weights)


def counted(kernels, levels, codes, weights, order=3):
    layout = Layout(SIZES, order)
    kind = np.int64 if weights is None else np.float64
    counts = np.zeros((layout.n_cells, N_CLASSES), kind)
    for together in range(1, order + 1):
        columns, first = layout.columns(together), layout.first(together)
        kernels.count_combinations(levels, codes, weights, columns, first, np.array(SIZES), counts)
    return counts


@at_most(40)
@given(rows())
def test_counts_are_the_same(rows):
    np.testing.assert_array_equal(counted(compiled, *rows), counted(reference, *rows))


@given(rows())
def test_counts_are_those_of_a_plain_loop(rows):
    levels, codes, weights = rows
    counts = counted(reference, *rows)
    for columns, shape, cells in Layout(SIZES, 3).shapes():
        expected = np.zeros((*shape, N_CLASSES))
        for row, code in enumerate(codes):
            own = levels[list(columns), row]
            if (own >= 0).all():
                expected[(*own, code)] += 1 if weights is None else weights[row]
        np.testing.assert_array_equal(counts[cells].reshape(*shape, -1), expected)


def prepared(rows, rule, leave_out):
    """Counts, tables and rows to be scored; levels never seen among them."""
    levels, codes, weights = rows
    names = {f"x{j}": tuple(f"{v}" for v in range(size)) for j, size in enumerate(SIZES)}
    table = counted(reference, levels, codes, weights)
    of_class = np.bincount(codes, weights, minlength=N_CLASSES)
    counts = CombinationCounts(of_class, names, {}, 3, table)
    tables = count_tables(counts)
    learned = None
    if leave_out:
        learned = codes, np.ones(len(codes)) if weights is None else weights
    else:
        levels = levels + (levels == np.array(SIZES)[:, None] - 1)
    asked = scored_rows(levels, tables, SIZES, [True] * len(SIZES), rule, learned)
    return counts, tables, asked


def twins(rule):
    """The two modules that score by this rule."""
    is_back_off = isinstance(rule, BackOff)
    return (compiled_back_off, back_off) if is_back_off else (compiled, reference)


@at_most(60)
@given(rows=rows(), rule=RULES, leave_out=st.booleans(), k=st.integers(0, 2))
def test_scores_of_networks_are_the_same(rows, rule, leave_out, k):
    counts, tables, asked = prepared(rows, rule, leave_out)
    network = families(tables, ordered_parents(*informations(counts), k))
    ours, theirs = (
        kernels.family_scores(asked, tables.table, tables.margins, network)
        for kernels in twins(rule)
    )
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@at_most(60)
@given(rows=rows(), rule=RULES, leave_out=st.booleans(), n=st.integers(1, 2), m=st.integers(0, 3))
def test_averaged_scores_are_the_same(rows, rule, leave_out, n, m):
    counts, tables, asked = prepared(rows, rule, leave_out)
    of_sets = averages(counts, tables, n)
    if isinstance(rule, BackOff):
        of_sets = leaning_averages(counts, tables, n, informations(counts)[1])
    (ours, ours_number), (theirs, theirs_number) = (
        kernels.averaged_scores(asked, tables.table, tables.margins, of_sets, m)
        for kernels in twins(rule)
    )
    np.testing.assert_array_equal(ours_number, theirs_number)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@at_most(60)
@given(
    rows=rows(),
    rule=RULES,
    n=st.integers(1, 2),
    m=st.integers(0, 3),
    order=st.permutations(range(len(SIZES))),
)
def test_scores_as_columns_enter_are_those_of_rows_without_the_later_columns(
    rows, rule, n, m, order
):
    counts, tables, asked = prepared(rows, rule, leave_out=False)
    of_sets = averages(counts, tables, n)
    if isinstance(rule, BackOff):
        of_sets = leaning_averages(counts, tables, n, informations(counts)[1])
    entering = as_columns_enter(of_sets, np.array(order))
    for kernels in twins(rule):
        along, numbers = kernels.averaged_scores(asked, tables.table, tables.margins, entering, m)
        assert along.shape == (len(SIZES) + 1, asked.levels.shape[1], N_CLASSES)
        for n_known in range(len(SIZES) + 1):
            known = asked.levels.copy()
            known[order[n_known:]] = -1
            part = scored_rows(known, tables, SIZES, [True] * len(SIZES), rule)
            (scores,), (number,) = kernels.averaged_scores(
                part, tables.table, tables.margins, of_sets, m
            )
            np.testing.assert_array_equal(numbers[n_known], number)
            np.testing.assert_allclose(along[n_known], scores, rtol=1e-12, atol=1e-12)
