"""Estimates from samples against the whole joint table, and what they say about their errors."""

import pickle
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.datasets.networks import asia
from bayesic.networks._sampling.estimate import METHODS, sampled_posterior
from bayesic.networks.network import BeliefNetwork
from helpers.enumeration import joint_table, marginal, with_evidence
from helpers.environment import environment, run_python
from helpers.examples import at_most
from helpers.random_networks import networks

N = 4_000
each_method = pytest.mark.parametrize("method", METHODS)

RAIN = BeliefNetwork(
    edges=[("Season", "Rain"), ("Season", "Sprinkler"), ("Rain", "Wet"), ("Sprinkler", "Wet")],
    tables={
        "Season": {"dry": 0.6, "mild": 0.3, "wet": 0.1},
        "Rain": np.array([[0.1, 0.9], [0.4, 0.6], [0.8, 0.2]]),
        "Sprinkler": np.array([[0.7, 0.3], [0.3, 0.7], [0.05, 0.95]]),
        "Wet": np.array([[[0.95, 0.05], [0.9, 0.1]], [[0.8, 0.2], [0.02, 0.98]]]),
    },
    states={"Rain": (True, False), "Sprinkler": (True, False), "Wet": ("yes", "no")},
)


def posterior_table(net, given_states=None, likelihoods=None):
    """P(all states | evidence), an axis for each variable: the oracle. None where impossible."""
    joint = with_evidence(net, joint_table(net), given_states or {}, likelihoods)
    return joint / joint.sum() if joint.sum() > 0 else None


def assert_near(estimate, exact):
    """Within 5 standard errors. A state that came up a few times only tells little about them."""
    slack = 5 * estimate.errors + 20 / estimate.effective_samples
    assert (np.abs(estimate.probabilities - exact) <= slack).all()
    assert not estimate.probabilities[exact == 0].any()
    assert estimate.probabilities.sum() == pytest.approx(1, abs=1e-12)


def quiet(*arguments, **options):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*samples are worth only.*")
        return sampled_posterior(*arguments, **options)


@st.composite
def questions(draw):
    """A network, and evidence that is not too rare."""
    net = draw(networks(max_variables=4))
    joint = posterior_table(net)
    states = np.unravel_index(joint.argmax(), joint.shape)
    observed = draw(st.sets(st.sampled_from(net.variables), max_size=2))
    soft = draw(st.sets(st.sampled_from(net.variables), max_size=1))
    given_states = {
        name: net.states(name)[states[axis]]
        for axis, name in enumerate(net.variables)
        if name in observed
    }
    likelihoods = {
        name: [0.5, 0.1, 0.9, 1.0][: len(net.states(name))]
        for name in net.variables
        if name in soft
    }
    return net, given_states, likelihoods


@each_method
@at_most(25)
@given(question=questions(), seed=st.integers(0, 10**6))
def test_marginals_are_those_of_the_joint_table(method, question, seed):
    net, given_states, likelihoods = question
    joint = posterior_table(net, given_states, likelihoods)
    answers = quiet(net, None, given_states, likelihoods, method, N, seed)
    assert list(answers) == list(net.variables)
    for name, answer in answers.items():
        assert answer.given == given_states
        assert_near(answer, marginal(net, joint, [name]))


@each_method
@at_most(15)
@given(question=questions(), data=st.data())
def test_joint_posteriors_are_those_of_the_joint_table(method, question, data):
    net, given_states, likelihoods = question
    targets = data.draw(
        st.lists(st.sampled_from(net.variables), min_size=1, max_size=3, unique=True)
    )
    joint = posterior_table(net, given_states, likelihoods)
    answer = quiet(net, targets, given_states, likelihoods, method, N, 11)
    assert answer.variables == tuple(targets)
    assert_near(answer, marginal(net, joint, targets))
    assert list(answer.standard_error) == list(answer)


@each_method
@pytest.mark.parametrize(
    "evidence", [{}, {"Wet": "yes"}, {"Wet": "no", "Rain": True}], ids=["none", "wet", "two"]
)
def test_the_standard_error_is_how_far_estimates_are_off(method, evidence):
    """Of 100 seeds about 95 are within two standard errors, and the ratio is about 1 in squares."""
    pytest.importorskip("numba")
    exact = marginal(RAIN, posterior_table(RAIN, evidence), ["Season"])
    ratios = []
    for seed in range(100):
        with environment(BAYESIC_KERNELS="compiled"):
            answer = sampled_posterior(RAIN, "Season", evidence, None, method, 2_000, seed)
        ratios.append((answer.probabilities - exact) / answer.errors)
    ratios = np.array(ratios)
    assert ((np.abs(ratios) < 2).mean(axis=0) >= 0.88).all()
    assert ((ratios**2).mean(axis=0) > 0.5).all()
    assert ((ratios**2).mean(axis=0) < 1.6).all()
    assert (np.abs(ratios.mean(axis=0)) < 0.5).all()  # no bias


@pytest.mark.parametrize("method", ["likelihood-weighting", "forward"])
def test_without_evidence_every_sample_counts(method):
    answers = sampled_posterior(RAIN, None, method=method, samples=3_001)
    for answer in answers.values():
        assert answer.effective_samples == answer.samples == 3_001
        shares = answer.probabilities
        assert (shares * 3_001).tolist() == pytest.approx((shares * 3_001).round().tolist())
        expected = np.sqrt(shares * (1 - shares) / 3_001)
        np.testing.assert_allclose(answer.errors, expected, rtol=1e-12)


@pytest.mark.parametrize("method", ["likelihood-weighting", "forward"])
def test_evidence_on_all_that_leads_to_it_costs_no_sample(method):
    """Then all weights are equal, however rare the evidence is."""
    answer = sampled_posterior(RAIN, "Wet", {"Season": "wet", "Sprinkler": True}, None, method, N)
    assert answer.effective_samples == pytest.approx(N, rel=1e-12)
    exact = 0.8 * 0.95 + 0.2 * 0.8
    assert abs(answer["yes"] - exact) < 5 * answer.standard_error["yes"]


def test_likelihood_weighting_of_two_rows_is_the_fraction():
    """Two kinds of rows, with weights 1/10 and 9/10: the formulas by hand."""
    net = BeliefNetwork(
        [("Coin", "Heads")], {"Coin": [0.5, 0.5], "Heads": [[0.1, 0.9], [0.9, 0.1]]},
        {"Coin": ["fair", "false"], "Heads": ["yes", "no"]},
    )  # fmt: skip
    prior = sampled_posterior(net, ["Coin", "Heads"], samples=1_000, seed=4)
    fair = round((prior["fair", "yes"] + prior["fair", "no"]) * 1_000)
    weights = [Fraction(1, 10)] * fair + [Fraction(9, 10)] * (1_000 - fair)
    answer = sampled_posterior(net, ["Coin", "Heads"], {"Heads": "yes"}, samples=1_000, seed=4)
    total, square = sum(weights), sum(weight**2 for weight in weights)
    share = Fraction(fair, 10) / total
    variance = (
        sum((weight * ((place < fair) - share)) ** 2 for place, weight in enumerate(weights))
        / total**2
    )
    assert answer["fair", "yes"] == pytest.approx(float(share), rel=1e-12)
    assert answer.standard_error["fair", "yes"] ** 2 == pytest.approx(float(variance), rel=1e-10)
    assert answer.effective_samples == pytest.approx(float(total**2 / square), rel=1e-12)


@each_method
def test_weights_far_below_the_smallest_number_are_no_trouble(method):
    """Naive Bayes with 600 observed children: P(evidence) is about 1e-1800."""
    names = [f"symptom {number}" for number in range(600)]
    rows = np.array([[1e-3, 1 - 1e-3], [1.003e-3, 1 - 1.003e-3]])
    net = BeliefNetwork(
        [("Illness", name) for name in names],
        {"Illness": [0.5, 0.5], **dict.fromkeys(names, rows)},
        {"Illness": ["flu", "cold"], **dict.fromkeys(names, ("yes", "no"))},
    )
    ratio = Fraction(1003, 1000) ** 600
    answer = sampled_posterior(net, "Illness", dict.fromkeys(names, "yes"), None, method, N)
    assert abs(answer["cold"] - float(ratio / (1 + ratio))) < 5 * answer.standard_error["cold"]


@each_method
def test_impossible_evidence_is_a_sentence_that_says_what_to_do(method):
    evidence = {"either": "yes", "lung": "no", "tub": "no"}
    with pytest.raises(ValueError, match="agrees with either=yes, lung=no, tub=no: it is impos"):
        sampled_posterior(asia(), "xray", evidence, None, method, 1_000)
    # here the tables one by one do not tell it
    net = BeliefNetwork(
        [("Coin", "Left"), ("Coin", "Right")],
        {"Coin": [0.5, 0.5], "Left": [[1, 0], [0, 1]], "Right": [[1, 0], [0, 1]]},
        {name: ["heads", "tails"] for name in ("Coin", "Left", "Right")},
    )
    with pytest.raises(ValueError, match=r"None of 1,000 samples .* Ask with method='exact'"):
        sampled_posterior(net, "Coin", {"Left": "heads", "Right": "tails"}, None, method, 1_000)


def test_chains_that_zeros_lock_in_say_so():
    """Twins are equal: no chain can change one of them alone, so each is worth one sample."""
    twins = BeliefNetwork(
        [("Left", "Right")], {"Left": [0.3, 0.7], "Right": [[1, 0], [0, 1]]},
        {"Left": ["heads", "tails"], "Right": ["heads", "tails"]},
    )  # fmt: skip
    with pytest.warns(UserWarning, match="worth only 6[0-9]: the chains hardly move"):
        answer = sampled_posterior(twins, ["Left", "Right"], method="gibbs")
    assert answer.errors.max() > 0.03
    assert abs(answer["heads", "heads"] - 0.3) < 5 * answer.standard_error["heads", "heads"]
    assert answer["heads", "tails"] == 0


def test_a_few_rows_with_all_the_weight_are_told():
    net = BeliefNetwork(
        [("Illness", "Test")],
        {"Illness": [1e-4, 1 - 1e-4], "Test": [[1.0, 0.0], [1e-7, 1 - 1e-7]]},
        {"Illness": ["yes", "no"], "Test": ["yes", "no"]},
    )  # fmt: skip
    with pytest.warns(UserWarning, match="worth only .* a few rows have all the weight"):
        sampled_posterior(net, "Illness", {"Test": "yes"}, samples=20_000)
    with pytest.warns(UserWarning, match="worth only .* few rows agree"):
        sampled_posterior(net, "Illness", {"Test": "yes"}, method="forward", samples=20_000)


@each_method
def test_neither_threads_nor_kernels_change_an_estimate(method):
    pytest.importorskip("numba")
    question = (asia(), None, {"xray": "yes", "smoke": "no"}, {"dysp": [0.7, 0.3]})
    answers = []
    for threads, kernels in (("1", "reference"), ("1", "compiled"), ("3", "compiled")):
        with environment(BAYESIC_THREADS=threads, BAYESIC_KERNELS=kernels):
            answers.append(quiet(*question, method, 40_000, 5))
    for other in answers[1:]:
        for name, answer in answers[0].items():
            np.testing.assert_array_equal(answer.probabilities, other[name].probabilities)
            np.testing.assert_array_equal(answer.errors, other[name].errors)
            assert answer.effective_samples == other[name].effective_samples


def test_estimates_do_not_depend_on_hash_seeds():
    program = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "from bayesic.datasets.networks import asia\n"
        "from bayesic.networks._sampling.estimate import METHODS, sampled_posterior\n"
        "for method in METHODS:\n"
        "    evidence = {'xray': 'yes'}, {'dysp': [0.7, 0.3], 'bronc': [0.1, 0.2]}\n"
        "    answer = sampled_posterior(asia(), ['lung', 'tub'], *evidence, method, 500)\n"
        "    print(answer.to_dict(), answer.standard_error)"
    )
    outputs = {run_python(program, PYTHONHASHSEED=seed).stdout for seed in ("0", "1", "2")}
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == 3


@each_method
def test_variables_that_lead_nowhere_need_no_table(method):
    net = BeliefNetwork(
        [("Sky", "Mood")], {"Sky": [0.5, 0.5]}, {"Sky": ["sun", "rain"], "Mood": ["good", "bad"]}
    )
    assert abs(sampled_posterior(net, "Sky", method=method, samples=N)["sun"] - 0.5) < 0.05
    with pytest.raises(ValueError, match="Mood has no table yet"):
        sampled_posterior(net, "Sky", {"Mood": "good"}, None, method)


@each_method
def test_an_observed_target_is_sure(method):
    answer = sampled_posterior(RAIN, "Rain", {"Rain": True}, None, method, 500)
    assert answer.to_dict() == {True: 1.0, False: 0.0}
    assert answer.standard_error == {True: 0.0, False: 0.0}


@each_method
def test_a_network_without_variables_has_no_marginals(method):
    assert sampled_posterior(BeliefNetwork(), method=method) == {}


def test_it_reads_like_a_distribution_and_survives_pickling():
    answer = sampled_posterior(RAIN, ["Rain", "Wet"], {"Season": "wet"}, samples=500)
    again = pickle.loads(pickle.dumps(answer))
    assert again.to_dict() == answer.to_dict() == dict(answer.items())
    assert again.standard_error == answer.standard_error
    assert answer.max() == (True, "yes")
    text = str(answer)
    assert text.startswith("P(Rain, Wet | Season=wet)\n")
    assert "from 500 samples, worth 500; standard errors\n" in text
    assert "<div>from 500 samples, worth 500; largest standard error 0.0" in answer._repr_html_()
    with pytest.raises(ValueError, match="read-only"):
        again.errors[0] = 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "guessing"}, "method must be one of 'likelihood-weighting', 'gibbs', 'forw"),
        ({"samples": 0}, "samples must be a whole number of 1 or more, got 0"),
        ({"seed": 1.5}, "seed must be a whole number of 0 or more, got 1.5"),
        ({"targets": "Snow"}, "no variable 'Snow'"),
        ({"targets": []}, "Ask about one or more different variables, got \\[\\]"),
        ({"targets": ["Rain", "Rain"]}, "different variables, got \\['Rain', 'Rain'\\]"),
        ({"given": {"Rain": "often"}}, "Rain has the states True, False, got 'often'"),
        ({"likelihoods": {"Rain": [1, 2, 3]}}, "likelihoods of Rain"),
    ],
    ids=["method", "samples", "seed", "target", "no target", "twice", "state", "likelihoods"],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        sampled_posterior(RAIN, **arguments)


def test_a_joint_distribution_that_is_too_large_is_refused():
    names = [f"coin {number}" for number in range(21)]
    coins = BeliefNetwork(
        tables=dict.fromkeys(names, np.array([0.5, 0.5])),
        states=dict.fromkeys(names, ("heads", "tails")),
    )
    with pytest.raises(
        ValueError, match="may have 1,048,576 combinations of states, got 2,097,152"
    ):
        sampled_posterior(coins, names)
