import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks._structure.coded_columns import coded_columns
from bayesic.networks._structure.edge_limits import limits_of
from bayesic.networks._structure.exact import MOST_VARIABLES, exact
from bayesic.networks._structure.family_scores import family_score, rule_of
from helpers.coded_tables import NAMES, all_structures, coded_tables, matrix_of
from helpers.environment import environment
from helpers.examples import at_most

SCORES = ("bic", "k2", "bdeu")


def scores_of_all(columns, rule, structures):
    """The score of each structure: each family is scored on its own, and looked up."""
    total = np.zeros(len(structures))
    for child in range(len(columns.variables)):
        sets = np.unique(structures[:, child])
        score = {
            members: family_score(columns, rule, child, numbers_in(members))
            for members in sets.tolist()
        }
        total += [score[members] for members in structures[:, child].tolist()]
    return total


def numbers_in(members):
    return [number for number in range(8) if members >> number & 1]


def score_of(columns, rule, parents):
    return sum(
        family_score(columns, rule, child, np.flatnonzero(row).tolist())
        for child, row in enumerate(parents)
    )


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@at_most(20)
@given(columns=coded_tables(max_variables=4), score=st.sampled_from(SCORES))
def test_nothing_is_better_of_all_structures(kernels, columns, score):
    rule = rule_of(score, columns.n_samples)
    with environment(BAYESIC_KERNELS=kernels):
        found = exact(columns, rule, limits_of(columns.variables))
    best = scores_of_all(columns, rule, all_structures(len(columns.variables))).max()
    assert found.score == pytest.approx(best, abs=1e-9)
    assert score_of(columns, rule, found.parents) == pytest.approx(best, abs=1e-9)


def test_nothing_is_better_of_the_29281_structures_of_five_variables():
    rng = np.random.default_rng(3)
    storm, bus = rng.integers(2, size=(2, 80))
    fire = np.where(rng.random(80) < 0.8, storm & bus, 1)
    thunder = np.where(rng.random(80) < 0.7, storm + fire, 0)
    table = {
        "Storm": storm, "Bus": bus, "Campfire": fire, "Thunder": thunder,
        "Lightning": rng.integers(3, size=80),
    }  # fmt: skip
    columns = coded_columns(table)
    structures = all_structures(5)
    assert len(structures) == 29281
    for score in SCORES:
        rule = rule_of(score, columns.n_samples)
        found = exact(columns, rule, limits_of(columns.variables))
        best = scores_of_all(columns, rule, structures).max()
        assert found.score == pytest.approx(best, abs=1e-9)
        assert found.parents.any()


@at_most(20)
@given(columns=coded_tables(min_variables=3), seed=st.integers(0, 2**32 - 1))
def test_nothing_is_better_within_the_limits(columns, seed):
    rng = np.random.default_rng(seed)
    names = rng.permutation(columns.variables).tolist()
    limits = limits_of(
        columns.variables,
        required=[(names[0], names[1])],
        forbidden=[(names[2], names[1])],
        tiers=[names[:2], names[2:]],
        max_parents=2,
    )
    rule = rule_of("bdeu", columns.n_samples)
    found = exact(columns, rule, limits)
    structures = all_structures(len(columns.variables))
    legal = [
        (parents & limits.fixed).sum() == 1
        and not (parents & ~limits.addable).any()
        and parents.sum(axis=1).max() <= 2
        for parents in map(matrix_of, structures.tolist())
    ]
    best = scores_of_all(columns, rule, structures[legal]).max()
    assert found.score == pytest.approx(best, abs=1e-9)
    assert found.parents[limits.fixed].all()
    assert not found.parents[~limits.addable].any()


def test_too_many_variables_are_refused():
    table = {f"coin{number}": [0, 1] for number in range(MOST_VARIABLES + 1)}
    columns = coded_columns(table)
    with pytest.raises(ValueError, match="at most 20 variables, got 21. Use method='hill-climb'"):
        exact(columns, rule_of("bic", 2), limits_of(columns.variables))


def test_the_number_of_threads_has_no_part():
    rng = np.random.default_rng(0)
    columns = coded_columns({name: rng.integers(3, size=200) for name in NAMES})
    rule, limits = rule_of("bdeu", 200), limits_of(columns.variables)
    found = []
    for threads in ("1", "3"):
        with environment(BAYESIC_THREADS=threads):
            found.append(exact(columns, rule, limits))
    assert found[0].score == found[1].score
    np.testing.assert_array_equal(found[0].parents, found[1].parents)
