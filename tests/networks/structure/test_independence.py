"""Tests of conditional independence, against SciPy, pgmpy and pyAgrum."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import chi2, chi2_contingency

from bayesic.estimation.dependent_columns import STATISTICS, degrees_of_freedom, independence_test
from bayesic.networks._structure.coded_columns import coded_columns
from bayesic.networks._structure.pc import counts_in_strata, independence_in
from helpers.examples import at_most

LAMBDA = {"g-squared": "log-likelihood", "chi-squared": "pearson"}


@st.composite
def tables(draw):
    """Counts of two variables in some strata, many of them zero."""
    shape = draw(st.tuples(*[st.integers(1, 4)] * 3))
    return draw(arrays(np.int64, shape, elements=st.sampled_from([0, 0, 1, 2, 7, 300])))


@st.composite
def rows(draw):
    """A table of four columns; the third and fourth are given in tests."""
    n_rows = draw(st.integers(2, 40))
    codes = draw(arrays(np.int64, (n_rows, 4), elements=st.integers(0, 3)))
    return pd.DataFrame(codes, columns=["rain", "wet", "wind", "month"])


def sums_over_strata(counts, test):
    """Statistic and degrees of freedom by SciPy, one stratum after the other."""
    statistic, freedom = 0.0, 0
    for stratum in np.moveaxis(counts, 2, 0):
        occurs = stratum[stratum.any(axis=1)][:, stratum.any(axis=0)]
        if occurs.size:
            result = chi2_contingency(occurs, correction=False, lambda_=LAMBDA[test])
            statistic, freedom = statistic + result.statistic, freedom + result.dof
    return statistic, freedom


@pytest.mark.parametrize("test", STATISTICS)
@given(counts=tables())
def test_statistic_and_freedom_are_the_sums_of_scipy_over_strata(test, counts):
    ours = independence_test(counts, test)
    statistic, freedom = sums_over_strata(counts, test)
    assert ours.statistic == pytest.approx(statistic, rel=1e-9, abs=1e-9)
    assert ours.degrees_of_freedom == freedom
    expected = chi2.sf(statistic, freedom) if freedom else 1.0
    assert ours.p_value == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_chi_squared_is_the_exact_fraction():
    counts = np.array([[[3, 1], [2, 5]], [[4, 2], [1, 1]]])
    exact = Fraction(0)
    for stratum in range(2):
        table = counts[:, :, stratum].tolist()
        total = sum(map(sum, table))
        for x in range(2):
            for y in range(2):
                expected = Fraction(sum(table[x]) * (table[0][y] + table[1][y]), total)
                exact += (table[x][y] - expected) ** 2 / expected
    assert independence_test(counts, "chi-squared").statistic == pytest.approx(float(exact))


def test_p_value_with_two_degrees_of_freedom_is_an_exponential():
    counts = np.array([[[5], [1], [3]], [[2], [6], [3]]])
    result = independence_test(counts)
    assert result.degrees_of_freedom == 2
    assert result.p_value == pytest.approx(math.exp(-result.statistic / 2), rel=1e-12)


@pytest.mark.parametrize("test", STATISTICS)
@given(counts=tables())
def test_the_order_of_variables_states_and_strata_does_not_matter(test, counts):
    result = independence_test(counts, test)
    turned = independence_test(counts.transpose(1, 0, 2)[::-1, :, ::-1], test)
    assert turned.statistic == pytest.approx(result.statistic, rel=1e-9, abs=1e-9)
    assert turned.degrees_of_freedom == result.degrees_of_freedom


@given(tables())
def test_an_empty_stratum_changes_nothing(counts):
    empty = np.zeros((*counts.shape[:2], 1), np.int64)
    wider = np.concatenate([counts, empty], axis=2)
    assert degrees_of_freedom(wider) == degrees_of_freedom(counts)
    assert independence_test(wider).statistic == pytest.approx(
        independence_test(counts).statistic, abs=1e-9
    )


def test_far_from_independent_is_finite():
    result = independence_test(np.array([[[10**9], [0]], [[0], [10**9]]]))
    assert (result.statistic, result.p_value) == (pytest.approx(4e9 * math.log(2)), 0.0)


@pytest.mark.parametrize(("ours", "theirs"), [("g-squared", "GSq"), ("chi-squared", "ChiSquare")])
def test_pgmpy_agrees_where_no_stratum_is_two_by_two(ours, theirs):
    # pgmpy corrects such strata for continuity
    ci_tests = pytest.importorskip("pgmpy.ci_tests", reason="pgmpy is an oracle of this test")
    frame = three_states()
    peer = getattr(ci_tests, theirs)(frame)
    peer("rain", "wet", ["wind"], significance_level=0.05)
    columns = coded_columns(frame)
    result = independence_test(counts_in_strata(columns, 0, 1, [2]), ours)
    assert result.degrees_of_freedom == peer.dof_ == 12
    assert result.statistic == pytest.approx(peer.statistic_, rel=1e-10)
    assert result.p_value == pytest.approx(peer.p_value_, rel=1e-8)


@pytest.mark.parametrize(("ours", "theirs"), [("g-squared", "G2"), ("chi-squared", "chi2")])
def test_pyagrum_agrees_where_all_states_occur(ours, theirs):
    pyagrum = pytest.importorskip("pyagrum", reason="pyAgrum is an oracle of this test")
    frame = three_states()
    learner = pyagrum.BNLearner(frame.astype(str))
    statistic, p_value = getattr(learner, theirs)("rain", "wet", ["wind"])
    result = independence_test(counts_in_strata(coded_columns(frame), 0, 1, [2]), ours)
    assert result.statistic == pytest.approx(statistic, rel=1e-10)
    assert result.p_value == pytest.approx(p_value, rel=1e-6)  # theirs has about 8 digits


def three_states():
    rng = np.random.default_rng(7)
    return pd.DataFrame(rng.integers(0, 3, (500, 3)), columns=["rain", "wet", "wind"])


@given(rows(), st.sampled_from([[], ["wind"], ["month", "wind"]]))
def test_counts_in_strata_are_those_of_a_crosstab(frame, conditions):
    columns = coded_columns(frame)
    number = {name: place for place, name in enumerate(columns.variables)}
    counts = counts_in_strata(
        columns, number["rain"], number["wet"], [number[name] for name in conditions]
    )
    strata = [part for _, part in frame.groupby(conditions)] if conditions else [frame]
    theirs = [
        pd.crosstab(part["rain"], part["wet"])
        .reindex(index=sorted(set(frame["rain"])), columns=sorted(set(frame["wet"])), fill_value=0)
        .to_numpy()
        for part in strata
    ]
    ours = [stratum for stratum in np.moveaxis(counts, 2, 0) if stratum.any()]
    assert sorted(map(np.ndarray.tolist, ours)) == sorted(map(np.ndarray.tolist, theirs))


def test_more_strata_than_could_be_counted_are_no_problem():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.integers(0, 20, (200, 12)), columns=[f"day {n:02}" for n in range(12)])
    frame = pd.concat([frame] * 3)  # so that equal rows are kept once, or not: both ways
    counts = counts_in_strata(coded_columns(frame), 0, 1, range(2, 12))
    assert counts.sum() == 600
    assert counts.shape[2] <= 200


@at_most(20)
@given(rows())
def test_rows_that_are_kept_once_count_as_often_as_they_occur(frame):
    often = coded_columns(pd.concat([frame] * 5))
    once = coded_columns(frame)
    for conditions in ([2], [2, 3]):
        assert (
            counts_in_strata(often, 0, 1, conditions).sum()
            == 5 * counts_in_strata(once, 0, 1, conditions).sum()
        )


@at_most(20)
@given(rows(), st.permutations(["rain", "wet", "wind", "month"]), st.integers(0, 2))
def test_what_is_said_of_columns_follows_from_their_counts(frame, names, n_given):
    columns = coded_columns(frame)
    number = {name: place for place, name in enumerate(columns.variables)}
    independent = independence_in(columns, significance=0.3)
    for one, other, *given_names in (names, names[::-1], sorted(names)):
        conditions = given_names[:n_given]
        counts = counts_in_strata(
            columns, number[one], number[other], [number[name] for name in conditions]
        )
        result = independence_test(counts)
        varies = result.degrees_of_freedom > 0 or not conditions
        assert independent(one, other, conditions) == (result.p_value > 0.3 and varies)


def test_columns_with_too_many_states_are_refused():
    rng = np.random.default_rng(0)
    frame = {name: rng.permutation(2**12) % 3000 for name in ("street", "person")}
    frame = {name: codes.astype(str) for name, codes in frame.items()}
    frame |= {f"day {n}": rng.integers(0, 100, 2**12).astype(str) for n in range(2)}
    with pytest.raises(ValueError, match="person and street have too many states to test them"):
        independence_in(coded_columns(frame))("person", "street", ["day 0", "day 1"])


def test_a_constant_is_independent_of_all_and_a_copy_hides_nothing():
    rng = np.random.default_rng(5)
    rain = rng.integers(0, 2, 400)
    wet = np.where(rng.random(400) < 0.9, rain, 1 - rain)
    frame = {"rain": rain, "rain again": rain, "wet": wet, "planet": ["Earth"] * 400}
    independent = independence_in(coded_columns(frame))
    assert independent("rain", "planet", [])
    assert not independent("rain", "wet", ["rain again"])
    assert not independent("rain again", "wet", ["rain"])


@pytest.mark.parametrize("significance", [0, 1, -0.1, float("nan"), "5 %", True])
def test_a_significance_that_is_none_is_refused(significance):
    columns = coded_columns({"rain": ["yes", "no"], "wet": ["yes", "no"]})
    with pytest.raises(ValueError, match=f"significance must be .*, got {significance!r}"):
        independence_in(columns, significance=significance)


def test_an_unknown_test_is_refused_by_name():
    columns = coded_columns({"rain": ["yes", "no"], "wet": ["yes", "no"]})
    with pytest.raises(ValueError, match="one of g-squared, chi-squared, got 'fisher'"):
        independence_in(columns, "fisher")
