"""The probability of counts with their shares integrated out."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.estimation.dirichlet_evidence import (
    class_log_evidence,
    dirichlet_log_evidence,
    log_rising,
    pseudo_counts_before,
)
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.smoothing import GivenEstimate


@given(st.floats(1e-12, 1e300), st.integers(0, 60))
def test_a_rising_product_is_that_of_its_factors(start, count):
    expected = math.fsum(math.log(start + step) for step in range(count))
    size = math.fsum(abs(math.log(start + step)) for step in range(count))
    assert log_rising(start, count) == pytest.approx(expected, rel=0, abs=1e-14 * size + 1e-13)


@given(st.floats(1e-6, 1e12), st.floats(0, 1e6), st.floats(0, 1e6))
def test_one_step_after_the_other_is_both_at_once(start, first, second):
    both = log_rising(start, first) + log_rising(start + first, second)
    assert log_rising(start, first + second) == pytest.approx(both, rel=1e-11, abs=1e-9)


def test_the_two_ways_meet():
    just_above = np.nextafter(32.0, 33.0)
    for count in (0.25, 1.0, 17.0, 1e6):
        assert log_rising(just_above, count) == pytest.approx(log_rising(32.0, count), rel=1e-14)


def test_nothing_to_begin_with_is_impossible_unless_nothing_comes():
    assert log_rising([0.0, 0.0, 1e300], [0.0, 2.0, 0.0]).tolist() == [0.0, -math.inf, 0.0]


@given(st.lists(st.integers(0, 6), min_size=1, max_size=5), st.floats(0.01, 50))
def test_counts_have_the_probability_of_an_urn(counts, pseudo):
    logs, seen = [], [0] * len(counts)
    for level, count in enumerate(counts):
        for _ in range(count):
            logs.append(math.log((seen[level] + pseudo) / (sum(seen) + pseudo * len(counts))))
            seen[level] += 1
    ours = dirichlet_log_evidence(counts, pseudo, sum(counts), pseudo * len(counts))
    assert ours == pytest.approx(math.fsum(logs), rel=1e-12, abs=1e-12)


def test_a_class_that_cannot_come_makes_its_rows_impossible():
    given_prior = ClassPrior(np.array([2, 1]), np.array([1.0, 0.0]))
    assert class_log_evidence(given_prior) == -math.inf
    assert class_log_evidence(ClassPrior(np.array([2, 0]), np.array([1.0, 0.0]))) == 0
    assert class_log_evidence(ClassPrior(np.array([2, 1]), "uniform")) == pytest.approx(
        -3 * math.log(2)
    )


def test_given_shares_are_a_prior_of_the_levels_they_name():
    rule = GivenEstimate(2.0, {"sun": 0.5}).of_levels(("rain", "snow", "sun"))
    pseudo, all_pseudo = pseudo_counts_before(rule, 3, 3, "column 'sky'")
    assert (pseudo.tolist(), all_pseudo) == ([0.5, 0.5, 1.0], 2.0)


def test_other_rules_are_refused_by_a_sentence():
    with pytest.raises(ValueError, match="column 'sky' is smoothed by 'something else'.*Use"):
        pseudo_counts_before("something else", 1, 1, "column 'sky'")
