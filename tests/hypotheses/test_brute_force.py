"""The posterior of every conjunction, against exact fractions from the list of all of them."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.datasets.textbook import enjoy_sport
from bayesic.hypotheses import brute_force_map
from bayesic.hypotheses.version_space import candidate_elimination, find_s
from helpers.examples import at_most

DAYS = enjoy_sport()
ALL_VALUES = {
    "x0": ["Sunny", "Cloudy", "Rainy"],
    "x3": ["Strong", "Light"],
}
SHAPES = {"x0": ["red", "green", "blue"], "x1": ["round", "square"]}
EMPTY = ("∅", "∅")
CONJUNCTIONS = [*product(*([*values, "?"] for values in SHAPES.values())), EMPTY]
INSTANCES = list(product(*SHAPES.values()))
examples = st.lists(st.tuples(st.sampled_from(INSTANCES), st.booleans()), min_size=1, max_size=6)


def says_yes(hypothesis, row):
    return all(wanted in ("?", value) for wanted, value in zip(hypothesis, row, strict=True))


def n_asked(hypothesis):
    return 3 if hypothesis == EMPTY else sum(wanted != "?" for wanted in hypothesis)


def exact_joint(data, noise, prior):
    total = sum(Fraction(prior(n_asked(each))) for each in CONJUNCTIONS)
    joint = {}
    for each in CONJUNCTIONS:
        errors = sum(says_yes(each, row) != label for row, label in data)
        likelihood = noise**errors * (1 - noise) ** (len(data) - errors)
        joint[each] = prior(n_asked(each)) / total * likelihood
    return joint


def uniform(_):
    return 1


def specific_first(n_constraints):
    return 2**n_constraints


def learn(data, noise, prior):
    rows, labels = zip(*data, strict=True)
    chosen = None if prior is uniform else prior
    return brute_force_map(rows, labels, positive=True, values=SHAPES, noise=noise, prior=chosen)


def test_every_consistent_hypothesis_has_one_over_the_size_of_the_version_space():  # case 13
    posterior = brute_force_map(DAYS.rows, DAYS.target, values=ALL_VALUES)
    space = candidate_elimination(DAYS.rows, DAYS.target, values=ALL_VALUES)
    assert posterior.n_hypotheses == 973
    assert posterior.evidence == Fraction(space.size, 973) == Fraction(6, 973)
    assert set(posterior.map_hypotheses) == set(space.hypotheses)
    for hypothesis in space.hypotheses:
        assert posterior.probability(hypothesis) == Fraction(1, 6)
    assert posterior.probability(("?",) * 6) == 0
    assert posterior.probability(("∅",) * 6) == 0
    assert posterior.posterior.sum() == pytest.approx(1)
    assert np.count_nonzero(posterior.posterior) == 6


def test_a_consistent_learner_gives_a_map_hypothesis():
    posterior = brute_force_map(DAYS.rows, DAYS.target, values=ALL_VALUES)
    space = candidate_elimination(DAYS.rows, DAYS.target, values=ALL_VALUES)
    assert find_s(DAYS.rows, DAYS.target) in posterior.map_hypotheses
    assert set(space.general) < set(posterior.map_hypotheses)


def test_find_s_is_the_map_learner_of_a_prior_that_prefers_specific_hypotheses():
    posterior = brute_force_map(DAYS.rows, DAYS.target, values=ALL_VALUES, prior=specific_first)
    assert posterior.map_hypotheses == (find_s(DAYS.rows, DAYS.target),)
    # six hypotheses with 3, 2, 2, 2, 1, 1 constraints
    assert posterior.probability(find_s(DAYS.rows, DAYS.target)) == Fraction(8, 8 + 3 * 4 + 2 * 2)


@given(examples)
def test_find_s_is_map_whenever_a_conjunction_agrees(data):
    rows, labels = zip(*data, strict=True)
    if not any(all(says_yes(h, row) == label for row, label in data) for h in CONJUNCTIONS):
        return
    found = find_s(rows, labels, positive=True, values=SHAPES)
    assert learn(data, 0, specific_first).map_hypotheses == (found,)
    assert found in learn(data, 0, uniform).map_hypotheses


@at_most(40)
@given(
    examples,
    st.sampled_from([0, Fraction(1, 10), Fraction(1, 3), Fraction(1, 2)]),
    st.sampled_from([uniform, specific_first, lambda n: Fraction(1, n + 1)]),
)
def test_posterior_evidence_and_votes_are_the_exact_fractions(data, noise, prior):
    joint = exact_joint(data, noise, prior)
    evidence = sum(joint.values())
    if evidence == 0:
        with pytest.raises(ValueError, match="No conjunction of attributes agrees"):
            learn(data, noise, prior)
        return
    posterior = learn(data, noise, prior)
    assert posterior.evidence == evidence
    assert posterior.log_evidence == pytest.approx(math.log(evidence), abs=1e-12)
    assert [posterior.probability(each) for each in CONJUNCTIONS] == [
        joint[each] / evidence for each in CONJUNCTIONS
    ]
    largest = max(joint.values())
    assert set(posterior.map_hypotheses) == {h for h in joint if joint[h] == largest}
    assert posterior.map_hypothesis == posterior.map_hypotheses[0]
    votes = [
        float(sum(joint[each] for each in CONJUNCTIONS if says_yes(each, row)) / evidence)
        for row in INSTANCES
    ]
    np.testing.assert_allclose(posterior.vote(INSTANCES), votes, rtol=1e-12, atol=1e-15)


@at_most(30)
@given(examples, st.sampled_from([0.0, 0.05, 0.25, 0.5]))
def test_floats_give_the_same_to_rounding(data, noise):
    exact = exact_joint(data, Fraction(noise), specific_first)
    evidence = sum(exact.values())
    if evidence == 0:
        return
    posterior = learn(data, noise, lambda n: 2.0**n)
    assert posterior.evidence == pytest.approx(float(evidence), rel=1e-12)
    for each in CONJUNCTIONS:
        assert posterior.probability(each) == pytest.approx(
            float(exact[each] / evidence), rel=1e-12, abs=1e-300
        )


def test_contradictory_days_are_refused_without_noise_and_learned_with_it():
    rows, labels = [*DAYS.rows, DAYS.rows[0]], [*DAYS.target, "No"]
    with pytest.raises(ValueError, match="rows 0 and 4 are the same"):
        brute_force_map(rows, labels, values=ALL_VALUES)
    posterior = brute_force_map(rows, labels, values=ALL_VALUES, noise=Fraction(1, 10))
    # one label is wrong in any case; which hypotheses get just one wrong?
    assert ("Sunny", "Warm", "?", "Strong", "?", "?") in posterior.map_hypotheses
    assert ("Sunny", "Warm", "High", "Strong", "?", "?") in posterior.map_hypotheses
    likeliest = posterior.probability(posterior.map_hypothesis)
    assert posterior.probability(("?",) * 6) == likeliest / 9  # two wrong
    assert sum(posterior.posterior) == pytest.approx(1)


def test_labels_that_are_wrong_at_times_do_not_hide_the_concept():
    rng = np.random.default_rng(1)
    rows = rng.choice(["red", "green", "blue"], (400, 6))
    truth = (rows[:, 1] == "green") & (rows[:, 4] == "red")
    labels = truth ^ (rng.random(400) < 0.1)
    posterior = brute_force_map(rows, labels, noise=0.1)
    assert posterior.map_hypothesis == ("?", "green", "?", "?", "red", "?")
    assert ((posterior.vote(rows) > 0.5) == truth).all()


def test_many_rows_do_not_underflow():
    rows, labels = [["red"], ["blue"]] * 5000, [True, False] * 5000
    posterior = brute_force_map(rows, labels, noise=0.25)
    assert posterior.evidence == 0.0
    assert posterior.log_evidence == pytest.approx(10_000 * math.log(0.75) - math.log(4))
    assert posterior.map_hypotheses == (("red",),)
    assert posterior.probability(("red",)) == 1.0
    exact = brute_force_map(rows, labels, noise=Fraction(1, 4))
    assert exact.log_evidence == pytest.approx(posterior.log_evidence)


def test_the_empty_hypothesis_can_be_the_answer():
    posterior = brute_force_map([["red"], ["blue"]], ["no", "no"], positive="yes")
    assert posterior.map_hypotheses == (("∅",),)
    assert posterior.evidence == Fraction(1, 4)
    assert posterior.vote([["red"]]).tolist() == [0.0]


# what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", [-0.1, 0.6, math.nan, "some"])
def test_noise_that_makes_no_sense_is_refused(noise):
    with pytest.raises(ValueError, match="noise must be"):
        brute_force_map(DAYS.rows, DAYS.target, noise=noise)


def test_a_prior_of_nothing_is_refused():
    with pytest.raises(ValueError, match="above 0 for some hypothesis"):
        brute_force_map(DAYS.rows, DAYS.target, prior=lambda n: 0)
    with pytest.raises(ValueError, match="prior of 0 constraints must be a finite number"):
        brute_force_map(DAYS.rows, DAYS.target, prior=lambda n: -1)
    with pytest.raises(ValueError, match="agrees with the examples has a prior of 0"):
        brute_force_map(DAYS.rows, DAYS.target, prior=lambda n: int(n == 0))
    with pytest.raises(ValueError, match="agrees with the examples has a prior of 0"):
        brute_force_map(DAYS.rows, DAYS.target, prior=lambda n: float(n == 0))


def test_hypotheses_of_unknown_values_are_refused():
    posterior = brute_force_map(DAYS.rows, DAYS.target)
    with pytest.raises(ValueError, match="'Foggy' is not a value of 'x0'"):
        posterior.probability(("Foggy", "?", "?", "?", "?", "?"))


def test_too_many_hypotheses_are_refused_with_their_number():
    with pytest.raises(ValueError, match="3,486,784,401 conjunctions"):
        brute_force_map([["a"] * 20, ["b"] * 20], [0, 1])
