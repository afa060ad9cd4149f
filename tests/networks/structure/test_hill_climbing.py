import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.kernels import pick
from bayesic.kernels.structure import ADD, DROP, TURN, SearchGraph, Tabu
from bayesic.networks._structure.coded_columns import coded_columns
from bayesic.networks._structure.edge_limits import limits_of
from bayesic.networks._structure.exact import exact
from bayesic.networks._structure.family_scores import FamilyScores, family_score, rule_of
from bayesic.networks._structure.hill_climbing import (
    ScoredGraph,
    climb,
    covered_edges,
    hill_climb,
    shaken,
)
from helpers.coded_tables import all_structures, coded_tables, matrix_of
from helpers.environment import environment
from helpers.examples import at_most

STRUCTURES = [matrix_of(parents) for parents in all_structures(4).tolist()]
structures = st.sampled_from(STRUCTURES)
SCORES = st.sampled_from(["bic", "aic", "k2", "bdeu"])


def scores_of(columns, score="bic"):
    return FamilyScores(columns, rule_of(score, columns.n_samples))


def has_cycle(parents):
    left = list(range(len(parents)))
    while True:
        roots = [child for child in left if not parents[child, left].any()]
        if not roots:
            return bool(left)
        left = [child for child in left if child not in roots]


@given(coded_tables(min_variables=4), structures, SCORES)
def test_a_climb_never_ends_below_its_start(columns, start, score):
    scores = scores_of(columns, score)
    begin = ScoredGraph(scores, start).score
    found = climb(ScoredGraph(scores, start), limits_of(columns.variables))
    assert found.score >= begin
    by_hand = sum(
        family_score(columns, scores.rule, child, np.flatnonzero(row).tolist())
        for child, row in enumerate(found.parents)
    )
    assert found.score == pytest.approx(by_hand, abs=1e-9)
    assert not has_cycle(found.parents)


@given(coded_tables(min_variables=4), structures, SCORES)
def test_no_change_of_one_edge_is_better_at_the_end_of_a_climb(columns, start, score):
    scores = scores_of(columns, score)
    found = climb(ScoredGraph(scores, start), limits_of(columns.variables))
    for other in STRUCTURES:
        changed = np.argwhere(other != found.parents)
        if len(changed) == 1 or (len(changed) == 2 and set(changed[0]) == set(changed[1])):
            assert ScoredGraph(scores, other).score <= found.score + 1e-8


@at_most(20)
@given(coded_tables(min_variables=2), SCORES, st.integers(0, 3))
def test_restarts_are_never_worse_and_never_above_the_best(columns, score, seed):
    scores, limits = scores_of(columns, score), limits_of(columns.variables)
    alone = hill_climb(scores, limits, restarts=0, seed=seed)
    more = hill_climb(scores, limits, restarts=5, seed=seed)
    assert more.score >= alone.score
    assert more.score <= exact(columns, scores.rule, limits).score + 1e-8
    trace = [move.score for move in alone.moves] + [score for _, score in more.restarts]
    assert trace[-1:] in ([], [pytest.approx(more.score)])


@given(coded_tables(min_variables=4), st.integers(0, 2**32 - 1))
def test_limits_hold(columns, seed):
    rng = np.random.default_rng(seed)
    names = rng.permutation(columns.variables).tolist()
    limits = limits_of(
        columns.variables,
        required=[(names[0], names[3])],
        forbidden=[(names[1], names[2])],
        tiers=[names[:2], names[2:]],
        max_parents=2,
    )
    found = hill_climb(scores_of(columns, "aic"), limits, restarts=4, seed=seed)
    assert found.parents[limits.fixed].all()
    assert not found.parents[~limits.addable].any()
    assert found.parents.sum(axis=1).max() <= 2
    assert not has_cycle(found.parents)


@given(structures)
def test_turning_a_covered_edge_changes_no_score(parents):
    rng = np.random.default_rng(0)
    columns = coded_columns({f"v{number}": rng.integers(3, size=30) for number in range(4)})
    for score in ("bic", "aic", "bdeu"):
        scores = scores_of(columns, score)
        before = ScoredGraph(scores, parents).score
        for child, parent in np.argwhere(covered_edges(parents)):
            turned = parents.copy()
            turned[child, parent], turned[parent, child] = False, True
            assert not has_cycle(turned)
            assert ScoredGraph(scores, turned).score == pytest.approx(before, rel=1e-12)


@given(structures, st.integers(0, 2**32 - 1))
def test_a_shaken_structure_has_no_cycle_and_keeps_what_is_required(parents, seed):
    names = ("Bus", "Campfire", "Storm", "Thunder")
    edges = np.argwhere(parents)[:1].tolist()
    required = [(names[parent], names[child]) for child, parent in edges]
    limits = limits_of(names, required=required)
    found = shaken(parents, limits, np.random.default_rng(seed))
    assert not has_cycle(found)
    assert found[limits.fixed].all()


@given(structures, st.integers(0, 2**32 - 1))
def test_both_kernels_choose_the_same_move_and_it_is_legal(parents, seed):
    rng = np.random.default_rng(seed)
    gains = rng.integers(-3, 4, size=(4, 4)).astype(np.float64)
    addable = ~np.eye(4, dtype=bool) & (parents | (rng.random((4, 4)) < 0.8))
    fixed = parents & (rng.random((4, 4)) < 0.2)
    closed, needed = rng.integers(3, size=(4, 4)), float(rng.integers(4))
    most = max(int(rng.integers(1, 4)), int(parents.sum(axis=1).max()))
    found = []
    for name in ("reference", "compiled"):
        with environment(BAYESIC_KERNELS=name):
            kernels = pick("structure", 0)
        reach = np.empty((4, 4), bool)
        kernels.closure(parents, reach)
        graph = SearchGraph(parents, reach, addable, fixed, most)
        found.append(kernels.best_move(gains, graph, Tabu(closed, 1, needed), 0.0))
    assert tuple(found[0]) == tuple(found[1])
    expected = best_legal_gain(gains, parents, addable, fixed, closed <= 1, most, needed)
    assert found[0][3] == expected


def best_legal_gain(gains, parents, addable, fixed, free, most, needed):
    """By trying every change and looking for cycles."""
    best = -np.inf
    for kind in (ADD, DROP, TURN):
        for child, parent in np.ndindex(4, 4):
            if child == parent or fixed[child, parent]:
                continue
            if parents[child, parent] == (kind == ADD):
                continue
            changed = parents.copy()
            changed[child, parent] ^= True
            gain, is_free = gains[child, parent], free[child, parent]
            if kind == TURN:
                changed[parent, child] = True
                gain, is_free = gain + gains[parent, child], is_free and free[parent, child]
            if not is_free and gain <= needed:
                continue
            legal = not (changed & ~parents & ~addable).any() and not has_cycle(changed)
            if legal and (changed.sum(axis=1) <= np.maximum(most, parents.sum(axis=1))).all():
                best = max(best, gain)
    return best
