"""How findings conflict, by enumeration of the joint table."""

from fractions import Fraction
from itertools import product
from math import log2, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.networks.queries.impossible import ImpossibleEvidence
from helpers.examples import at_most

STATES = ("yes", "no")
NAMES = ("rain", "sprinkler", "wet")


@st.composite
def networks(draw):
    """Rain and a sprinkler, which both wet the grass; all shares are sixteenths."""
    shares = [draw(st.integers(0, 16)) / 16 for _ in range(6)]
    rain, sprinkler, *wet = [[share, 1 - share] for share in shares]
    return by.BeliefNetwork(
        [("rain", "wet"), ("sprinkler", "wet")],
        {"rain": rain, "sprinkler": sprinkler, "wet": [wet[:2], wet[2:]]},
        dict.fromkeys(NAMES, STATES),
    )


def weight(net, findings):
    """P(findings), where a finding is a likelihood of each state."""
    tables = {name: net.table(name).values for name in NAMES}
    total = Fraction(0)
    for rain, sprinkler, wet in product(range(2), repeat=3):
        states = {"rain": rain, "sprinkler": sprinkler, "wet": wet}
        share = Fraction(tables["rain"][rain]) * Fraction(tables["sprinkler"][sprinkler])
        share *= Fraction(tables["wet"][rain, sprinkler, wet])
        total += share * prod(Fraction(its[states[name]]) for name, its in findings.items())
    return total


seen = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([(1, 0), (0, 1), (0.75, 0.25)]))


@at_most(100)
@given(networks(), seen)
def test_a_conflict_is_that_of_the_joint_table(net, findings):
    hard = {name: STATES[its.index(1)] for name, its in findings.items() if 1 in its}
    soft = {name: its for name, its in findings.items() if 1 not in its}
    together = weight(net, findings)
    if together == 0:
        with pytest.raises(ImpossibleEvidence):
            net.conflict(hard, soft)
        return
    apart = prod(weight(net, {name: its}) for name, its in findings.items())
    expected = log2(apart) - log2(together)
    assert net.conflict(hard, soft) == pytest.approx(expected, abs=1e-9)


def test_the_scale_of_likelihoods_tells_nothing():
    clinic = by.datasets.asia()
    small, large = (
        clinic.conflict({"xray": "yes"}, {"dysp": [scale, scale / 4]}) for scale in (1e-300, 1e300)
    )
    assert small == pytest.approx(large, abs=1e-9)


def test_one_finding_does_not_conflict():
    assert by.datasets.asia().conflict({"xray": "yes"}) == pytest.approx(0, abs=1e-12)
    assert by.datasets.asia().conflict() == pytest.approx(0, abs=1e-12)


def test_factors_that_are_no_probabilities(tmp_path):
    path = tmp_path / "pair.uai"
    path.write_text("MARKOV\n2\n2 2\n1\n2 0 1\n4\n30 10 10 30\n")
    pair = by.read_network(path)
    first, second = pair.variables
    both = {first: pair.states(first)[0], second: pair.states(second)[0]}
    assert pair.conflict(both) == pytest.approx(log2(Fraction(1, 4) / Fraction(3, 8)))
