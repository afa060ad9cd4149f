from fractions import Fraction
from itertools import product
from math import factorial, log, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.kernels import pick
from bayesic.kernels.structure import Measure, SetsOfVariables
from bayesic.networks._structure import family_scores
from bayesic.networks._structure.coded_columns import coded_columns, family_table
from bayesic.networks._structure.family_scores import FamilyScores, family_score, rule_of
from helpers.coded_tables import all_structures, coded_tables
from helpers.environment import environment

# [CooperHerskovits] table 1: ten cases of three variables
TEN_CASES = {
    "x1": [1, 1, 0, 1, 0, 0, 1, 0, 1, 0],
    "x2": [0, 1, 0, 1, 0, 1, 1, 0, 1, 0],
    "x3": [0, 1, 1, 1, 0, 1, 1, 0, 1, 0],
}
CHAIN, FORK, CHAIN_BACK = (0b000, 0b001, 0b010), (0b000, 0b001, 0b001), (0b010, 0b100, 0b000)

SCORES = ["bic", "aic", "k2", "bdeu", ("bdeu", Fraction(7, 2))]


def exact_score(columns, score, child, parents):
    """The score of a family from Python's fractions, counting row by row."""
    name, ess = score if isinstance(score, tuple) else (score, Fraction(1))
    r = columns.sizes[child]
    combinations = list(product(*(range(columns.sizes[parent]) for parent in parents)))
    counts = {combination: [0] * r for combination in combinations}
    for row in range(columns.codes.shape[1]):
        key = tuple(int(columns.codes[parent, row]) for parent in parents)
        times = 1 if columns.weights is None else int(columns.weights[row])
        counts[key][columns.codes[child, row]] += times
    if name == "k2":
        return log_of(
            prod(
                Fraction(factorial(r - 1) * prod(map(factorial, row)), factorial(sum(row) + r - 1))
                for row in counts.values()
            )
        )
    if name == "bdeu":
        above = Fraction(ess, r * len(combinations))
        below = Fraction(ess, len(combinations))
        return log_of(
            prod(
                prod(rising(above, count) for count in row) / rising(below, sum(row))
                for row in counts.values()
            )
        )
    likelihood = prod(
        Fraction(count, sum(row)) ** count for row in counts.values() for count in row if count
    )
    penalty = 1 if name == "aic" else log(columns.n_samples) / 2
    return log_of(likelihood) - penalty * (r - 1) * len(combinations)


def rising(start, times):
    """start (start + 1) ... : the gamma function of start + times over that of start."""
    return prod(start + step for step in range(times))


def log_of(fraction):
    return log(Fraction(fraction).numerator) - log(Fraction(fraction).denominator)


def rule(score, columns):
    pair = (score[0], float(score[1])) if isinstance(score, tuple) else score
    return rule_of(pair, columns.n_samples)


@pytest.mark.parametrize("score", SCORES, ids=str)
@given(columns=coded_tables(), choice=st.integers(0, 2**32 - 1))
def test_scores_are_those_of_exact_fractions(score, columns, choice):
    rng = np.random.default_rng(choice)
    child, *others = rng.permutation(len(columns.variables)).tolist()
    parents = sorted(others[: rng.integers(len(others) + 1)])
    expected = exact_score(columns, score, child, parents)
    ours = family_score(columns, rule(score, columns), child, parents)
    assert ours == pytest.approx(expected, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@pytest.mark.parametrize("score", ["bic", "k2", ("bdeu", Fraction(7, 2))], ids=str)
@given(columns=coded_tables(), members=st.integers(0, 15))
def test_gains_are_differences_of_scores(kernels, score, columns, members):
    child, n_variables = 0, len(columns.variables)
    parents = {number for number in range(1, n_variables) if members >> number & 1}
    with environment(BAYESIC_KERNELS=kernels):
        scores = FamilyScores(columns, rule(score, columns))
    own, gains = scores.changes(child, sum(1 << parent for parent in parents))
    assert own == pytest.approx(exact_score(columns, score, child, sorted(parents)), abs=1e-9)
    for other in range(1, n_variables):
        changed = exact_score(columns, score, child, sorted(parents ^ {other}))
        assert own + gains[other] == pytest.approx(changed, abs=1e-9)


@given(columns=coded_tables(), members=st.integers(0, 7))
def test_families_too_large_for_a_table_have_the_same_scores(columns, members):
    members &= 2 ** len(columns.variables) - 2
    for score in ("k2", "bdeu"):
        whole = FamilyScores(columns, rule(score, columns)).changes(0, members)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(family_scores, "MOST_CELLS", 0)
            parts = FamilyScores(columns, rule(score, columns)).changes(0, members)
        assert parts[0] == pytest.approx(whole[0], abs=1e-10)
        np.testing.assert_allclose(parts[1], whole[1], atol=1e-10)


def test_a_family_whose_penalty_alone_is_too_much_is_not_counted(monkeypatch):
    rng = np.random.default_rng(0)
    table = {"coin": rng.integers(2, size=60), "name": rng.permutation(60).astype(str)}
    monkeypatch.setattr(family_scores, "MOST_CELLS", 0)
    columns = coded_columns(table)
    _, gains = FamilyScores(columns, rule("bic", columns)).changes(0, 0)
    assert gains[1] == -np.inf


def test_the_ten_cases_of_the_k2_paper():
    columns = coded_columns(TEN_CASES)
    scores = FamilyScores(columns, rule("k2", columns))

    def probability(structure):
        return np.exp(sum(scores.of(child, parents) for child, parents in enumerate(structure)))

    # the numbers that the paper prints: 2.23e-9, 2.23e-10, 2.29e-9, and 8.21e-10 over 25 structures
    assert probability(CHAIN) == pytest.approx(2.2268540787e-09, rel=1e-9)
    assert probability(FORK) == pytest.approx(2.23e-10, rel=5e-3)
    assert probability(CHAIN_BACK) == pytest.approx(2.2904784810e-09, rel=1e-9)
    each = [probability(structure) for structure in all_structures(3).tolist()]
    assert len(each) == 25
    assert sum(each) / 25 == pytest.approx(8.2072196272e-10, rel=1e-9)


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@given(columns=coded_tables(), members=st.lists(st.integers(0, 3), unique=True))
def test_tables_count_every_row(kernels, columns, members):
    members = [number for number in members if number < len(columns.variables)]
    expected = np.zeros([columns.sizes[number] for number in members], np.int64)
    for row in range(columns.codes.shape[1]):
        times = 1 if columns.weights is None else columns.weights[row]
        expected[tuple(columns.codes[members, row])] += times
    with environment(BAYESIC_KERNELS=kernels):
        np.testing.assert_array_equal(family_table(columns, members), expected)


def test_tables_with_too_many_cells_are_refused():
    columns = coded_columns({f"name{j}": [str(i) for i in range(600)] for j in range(4)})
    with pytest.raises(ValueError, match="combinations, too many to count"):
        family_table(columns, range(4))


@pytest.mark.parametrize("measure", [0, 1, 2])
@given(columns=coded_tables(max_variables=5, min_variables=2), most=st.integers(1, 5))
def test_terms_of_sets_are_the_same_in_both_kernels(measure, columns, most):
    sizes = np.array(columns.sizes, np.int64)
    child_sizes, n_sets = np.unique(sizes), 2 ** len(sizes)
    found = []
    for name in ("reference", "compiled"):
        cells, rows = np.full(n_sets, np.nan), np.full((n_sets, len(child_sizes)), np.nan)
        with environment(BAYESIC_KERNELS=name):
            kernels = pick("structure", 0)
        for begun in range(4):
            if begun.bit_count() <= most:
                sets = SetsOfVariables(begun, 2, most)
                kernels.subset_terms(
                    columns.state_rows, sets, Measure(measure, 1.5), child_sizes, cells, rows
                )
        found.append((cells, rows))
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    counted = np.bitwise_count(np.arange(n_sets)) <= most
    np.testing.assert_array_equal(~np.isnan(found[0][0]), counted)


def test_what_is_no_score_is_refused():
    with pytest.raises(ValueError, match="score must be one of 'bic'"):
        rule_of("likelihood", 10)
    with pytest.raises(ValueError, match="Only 'bdeu' has an equivalent sample size"):
        rule_of(("bic", 3), 10)
    with pytest.raises(ValueError, match="Only 'bdeu' has an equivalent sample size"):
        rule_of(("bdeu", 0), 10)
