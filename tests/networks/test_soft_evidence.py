"""Likelihoods of any size: only their ratios matter, however large these are."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.networks._engine.exact_inference import posteriors
from bayesic.networks._engine.tree import compile_tree
from bayesic.networks.factors import Factors
from bayesic.networks.queries.impossible import ImpossibleEvidence
from helpers.examples import at_most

some = at_most(80)
# from the smallest float to near the largest, zeros included
sizes = st.floats(0, 1e308, allow_nan=False) | st.sampled_from(
    [0.0, 5e-324, 1e-310, 1e-300, 1e-150, 1.0, 1e150, 1e300, 1.7e308]
)
STATES = ("yes", "no")


@st.composite
def cases(draw):
    """A chain of two variables, soft evidence of both, perhaps one of them observed."""
    share = st.integers(0, 8).map(lambda eighths: eighths / 8)
    rain, wet = draw(share), [draw(share), draw(share)]
    net = by.BeliefNetwork(
        [("rain", "wet")],
        {"rain": [rain, 1 - rain], "wet": [[p, 1 - p] for p in wet]},
        {"rain": STATES, "wet": STATES},
    )
    pairs = st.lists(sizes, min_size=2, max_size=2).filter(any)
    soft = {name: draw(pairs) for name in draw(st.sets(st.sampled_from(net.variables)))}
    seen = draw(st.sampled_from([None, *product(net.variables, STATES)]))
    return net, soft, dict([seen] if seen else [])


def exact(net, soft, observed):
    """The joint posterior as fractions: (rain, wet) -> probability; None if it is impossible."""
    joint = {}
    for rain, wet in product(range(2), range(2)):
        states = {"rain": rain, "wet": wet}
        weight = Fraction(float(net.table("rain").values[rain]))
        weight *= Fraction(float(net.table("wet").values[rain, wet]))
        for name, values in soft.items():
            weight *= Fraction(values[states[name]])
        if any(STATES[states[name]] != state for name, state in observed.items()):
            weight = Fraction(0)
        joint[rain, wet] = weight
    total = sum(joint.values())
    return {key: weight / total for key, weight in joint.items()} if total else None


@given(cases())
@some
def test_posteriors_are_those_of_exact_fractions(case):
    net, soft, observed = case
    expected = exact(net, soft, observed)
    if expected is None:
        with pytest.raises(ImpossibleEvidence):
            net.query("rain", observed, soft)
        return
    rain = [float(expected[state, 0] + expected[state, 1]) for state in range(2)]
    wet = [float(expected[0, state] + expected[1, state]) for state in range(2)]
    for found in (net.query("rain", observed, soft), net.query(None, observed, soft)["rain"]):
        np.testing.assert_allclose(found.probabilities, rain, rtol=1e-12, atol=1e-300)
    np.testing.assert_allclose(net.query("wet", observed, soft).probabilities, wet, rtol=1e-12,
                               atol=1e-300)  # fmt: skip
    both = net.query(["rain", "wet"], observed, soft).probabilities
    np.testing.assert_allclose(
        both.ravel(), [float(share) for share in expected.values()], rtol=1e-12, atol=1e-300
    )


def test_a_ratio_beyond_all_floats_is_not_impossible():
    coin = by.BeliefNetwork(tables={"rain": {"yes": 0.5, "no": 0.5}})
    soft = {"rain": [1e-300, 1e300]}
    assert coin.query("rain", {"rain": "yes"}, soft)["yes"] == 1.0
    assert coin.query("rain", likelihoods=soft)["no"] == 1.0
    back = {"rain": {"yes": 1e300, "no": 1e-300}}
    assert coin.query("rain", likelihoods=back)["yes"] == 1.0
    for method in ("likelihood-weighting", "gibbs", "forward"):
        sampled = coin.query("rain", {"rain": "yes"}, soft, method=method, samples=100)
        assert sampled["yes"] == 1.0


@pytest.mark.parametrize("ratio", [1e-10, 1e-200, 1e-320])
def test_many_findings_whose_product_underflows_add_up(ratio):
    """300 findings against "yes", 300 for it, and one of 3 to 1: that one decides."""
    names = [f"report {number}" for number in range(600)]
    shares = [[0.9, 0.1], [0.1, 0.9]]
    net = by.BeliefNetwork(
        [("rain", name) for name in names],
        {"rain": [0.5, 0.5]} | dict.fromkeys(names, shares),
        {"rain": STATES} | dict.fromkeys(names, STATES),
    )
    soft = {name: [1.0, ratio] if place % 2 else [ratio, 1.0] for place, name in enumerate(names)}
    soft["rain"] = [3.0, 1.0]
    assert net.query("rain", likelihoods=soft)["yes"] == pytest.approx(0.75, rel=1e-9)


def test_the_engine_says_where_a_ratio_is_too_large_for_it():
    tree = compile_tree(Factors((2,), (), ()))
    with pytest.raises(ValueError, match="more than 1e270 times each other. Put them in"):
        posteriors(tree, [[-1]], likelihoods={0: np.array([1e-300, 1e300])})
