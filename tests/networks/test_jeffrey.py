"""Jeffrey's rule: beliefs become what is told, and all else changes as little as it can."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from bayesic.networks.queries.impossible import ImpossibleEvidence
from helpers.examples import at_most

STATES = ("yes", "no")
NAMES = ("rain", "sprinkler", "wet")
some = at_most(60)
inside = st.integers(1, 15).map(lambda sixteenths: sixteenths / 16)


@st.composite
def networks(draw):
    """Rain and a sprinkler, which both wet the grass; nothing is sure."""
    rain, sprinkler, *wet = [[share, 1 - share] for share in (draw(inside) for _ in range(6))]
    return by.BeliefNetwork(
        [("rain", "wet"), ("sprinkler", "wet")],
        {"rain": rain, "sprinkler": sprinkler, "wet": [wet[:2], wet[2:]]},
        dict.fromkeys(NAMES, STATES),
    )


def joint_table(net, number=float):
    """P(rain, sprinkler, wet) as numbers of a kind."""
    tables = {name: net.table(name).values for name in NAMES}
    return {
        (rain, sprinkler, wet): number(tables["rain"][rain])
        * number(tables["sprinkler"][sprinkler])
        * number(tables["wet"][rain, sprinkler, wet])
        for rain, sprinkler, wet in product(range(2), repeat=3)
    }


@some
@given(networks(), st.integers(0, 16), st.sampled_from(NAMES))
def test_one_belief_becomes_what_is_told_by_exact_fractions(net, sixteenths, name):
    target = [Fraction(sixteenths, 16), 1 - Fraction(sixteenths, 16)]
    place, joint = NAMES.index(name), joint_table(net, Fraction)
    share = [sum(p for states, p in joint.items() if states[place] == s) for s in range(2)]
    after = {x: p * target[x[place]] / share[x[place]] for x, p in joint.items()}
    found = net.query(distributions={name: [float(p) for p in target]})
    for other, its in zip(NAMES, range(3), strict=True):
        expected = [sum(p for x, p in after.items() if x[its] == s) for s in range(2)]
        assert found[other].probabilities == pytest.approx([*map(float, expected)], abs=1e-12)


@some
@given(networks(), st.dictionaries(st.sampled_from(NAMES), inside, min_size=2))
def test_several_beliefs_are_fitted_in_turn(net, told):
    weights = np.array([*joint_table(net).values()]).reshape(2, 2, 2)
    for _ in range(3000):  # proportional fitting of the whole joint table
        for name, share in told.items():
            axis = NAMES.index(name)
            others = tuple(other for other in range(3) if other != axis)
            ratio = np.array([share, 1 - share]) / weights.sum(axis=others)
            weights = weights * np.expand_dims(ratio, others)
    found = net.query(NAMES, distributions={n: {"no": 1 - p, "yes": p} for n, p in told.items()})
    assert found.probabilities == pytest.approx(weights, abs=1e-9)


def test_what_was_observed_comes_first():
    clinic = by.datasets.asia()
    found = clinic.query(given={"xray": "yes"}, distributions={"smoke": [0.2, 0.8]})
    lung = [clinic.query("lung", given={"xray": "yes", "smoke": s})["yes"] for s in STATES]
    assert found["lung"]["yes"] == pytest.approx(0.2 * lung[0] + 0.8 * lung[1], rel=1e-12)
    assert found["smoke"].probabilities == pytest.approx([0.2, 0.8], rel=1e-12)
    assert found.log_evidence is None


def test_a_cut_network_is_asked_where_something_is_set():
    clinic = by.datasets.asia()
    found = clinic.query("bronc", do={"lung": "yes"}, distributions={"smoke": [0.2, 0.8]})
    assert found["yes"] == pytest.approx(0.2 * 0.6 + 0.8 * 0.3, rel=1e-12)


def test_what_it_is_already_changes_nothing():
    clinic = by.datasets.asia()
    found = clinic.query(distributions={"smoke": [0.5, 0.5]})
    for name, its in clinic.query().items():
        assert found[name].probabilities == pytest.approx(its.probabilities, rel=1e-12)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"smoke": [0.2, 0.9]}, "sum to 1"),
        ({"smoke": [1.2, -0.2]}, "0 or more"),
        ({"smoke": [0.2, 0.3, 0.5]}, "2 numbers"),
        ({"smoke": [float("nan"), 0.5]}, "The distribution of smoke"),
        ({"smoke": {"yes": 0.2}}, "must have a number for each"),
        ({"fever": [0.2, 0.8]}, "fever"),
        ({"xray": [0.2, 0.8]}, "xray is in distributions, and also in given"),
        ({"dysp": [0.2, 0.8]}, "dysp is in distributions, and also in given or likelihoods"),
    ],
)
def test_strange_distributions_are_refused(told, sentence):
    clinic = by.datasets.asia()
    with pytest.raises(ValueError, match=sentence):
        clinic.query(given={"xray": "yes"}, likelihoods={"dysp": [1, 0.5]}, distributions=told)


def test_distributions_are_a_mapping():
    with pytest.raises(TypeError, match="distributions must be a mapping"):
        by.datasets.asia().query(distributions=[("smoke", [0.2, 0.8])])


def test_impossible_targets_are_refused():
    clinic = by.datasets.asia()
    with pytest.raises(ImpossibleEvidence, match="either=no cannot happen"):
        clinic.query(given={"lung": "yes"}, distributions={"either": [0.2, 0.8]})
    with pytest.raises(ImpossibleEvidence, match="lung, either cannot become this at the same"):
        clinic.query(distributions={"lung": [0.5, 0.5], "either": [0.2, 0.8]})
    with pytest.raises(ImpossibleEvidence):
        clinic.query(distributions={"lung": [1, 0], "either": [0, 1]})


def test_samples_do_not_take_them():
    with pytest.raises(ValueError, match="method='exact'"):
        by.datasets.asia().query(method="gibbs", distributions={"smoke": [0.2, 0.8]})
