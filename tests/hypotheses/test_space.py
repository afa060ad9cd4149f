"""A finite set of hypotheses: posterior, MAP, ML, evidence; and their lengths in bits."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from bayesic.estimation.bins import bits_of
from bayesic.hypotheses import HypothesisSpace, code_length, description_length, mdl_hypothesis

PATIENT = HypothesisSpace(
    prior={"cancer": Fraction(8, 1000), "none": Fraction(992, 1000)},
    likelihood={
        "cancer": {"+": Fraction(98, 100), "-": Fraction(2, 100)},
        "none": {"+": Fraction(3, 100), "-": Fraction(97, 100)},
    },
)


def test_the_medical_test():  # [Mitchell] section 6.2.1
    joint = {"cancer": Fraction(784, 100_000), "none": Fraction(2976, 100_000)}
    assert PATIENT.evidence(["+"]) == sum(joint.values()) == Fraction(376, 10_000)
    assert PATIENT.posterior(["+"])["cancer"] == joint["cancer"] / sum(joint.values())
    assert PATIENT.map_hypothesis(["+"]) == "none"
    assert PATIENT.ml_hypothesis(["+"]) == "cancer"


def test_the_medical_test_done_twice():
    both = Fraction(8 * 98**2, 8 * 98**2 + 992 * 3**2)
    assert PATIENT.posterior("++") == {"cancer": both, "none": 1 - both}
    assert PATIENT.map_hypothesis("++") == "cancer"
    differ = Fraction(8 * 98 * 2, 8 * 98 * 2 + 992 * 3 * 97)
    assert PATIENT.posterior("+-")["cancer"] == differ


def test_without_data_the_posterior_is_the_prior():
    assert PATIENT.posterior([]) == {"cancer": Fraction(8, 1000), "none": Fraction(992, 1000)}
    assert PATIENT.evidence([]) == 1
    assert PATIENT.map_hypothesis([]) == "none"


@given(st.lists(st.sampled_from("+-"), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_the_data_does_not_matter(data, random):
    shuffled = random.sample(data, len(data))
    assert PATIENT.posterior(shuffled) == PATIENT.posterior(data)
    assert PATIENT.evidence(shuffled) == PATIENT.evidence(data)
    assert PATIENT.ml_hypothesis(shuffled) == PATIENT.ml_hypothesis(data)


@given(st.lists(st.sampled_from("+-"), max_size=12), st.integers(0, 12))
def test_the_posterior_of_the_first_part_is_the_prior_of_the_second(data, cut):
    later = HypothesisSpace(PATIENT.posterior(data[:cut]), {h.name: h.likelihood for h in PATIENT})
    assert later.posterior(data[cut:]) == PATIENT.posterior(data)


@given(st.lists(st.floats(-50, 50), max_size=40), st.randoms(use_true_random=False))
def test_the_order_of_measurements_does_not_matter(data, random):
    space = HypothesisSpace({"low": 0.5, "high": 0.5}, {"low": norm(0, 1).pdf, "high": norm(5).pdf})
    if not all(norm(mean, 1).pdf(x) > 0 for x in data for mean in (0, 5)):
        return
    there = space.posterior(data)
    back = space.posterior(random.sample(data, len(data)))
    assert back == pytest.approx(there, rel=1e-12)


def test_the_evidence_of_all_possible_data_sums_to_one():
    pairs = [first + second for first in "+-" for second in "+-"]
    assert sum(PATIENT.evidence(pair) for pair in pairs) == 1


def test_long_data_neither_underflow_nor_lose_the_answer():
    space = HypothesisSpace(
        {"fair": 0.5, "bent": 0.5},
        {"fair": {"head": 0.5, "tail": 0.5}, "bent": {"head": 0.75, "tail": 0.25}},
    )
    data = ["head"] * 3000 + ["tail"] * 3000
    assert space.evidence(data) == 0.0  # too small for a float, but:
    assert space.log_evidence(data) == pytest.approx(math.log(0.5) + 6000 * math.log(0.5))
    assert space.posterior(data)["fair"] == 1.0
    back = ["tail"] * 3000 + ["head"] * 3000
    assert space.posterior(back) == space.posterior(data)  # nothing was lost on the way


def test_densities_far_above_one_give_infinite_evidence_and_a_finite_logarithm():
    spike = HypothesisSpace({"spike": 1.0}, {"spike": lambda x: 1e200})
    assert spike.evidence([0, 0]) == math.inf
    assert spike.log_evidence([0, 0]) == pytest.approx(400 * math.log(10))


def test_decimals_stay_decimals():
    half = Decimal("0.5")
    coin = HypothesisSpace({"a": half, "b": half}, {"a": {1: half}, "b": {1: Decimal("0.25")}})
    assert coin.evidence([1]) == Decimal("0.375")
    assert isinstance(coin.posterior([1])["a"], Decimal)
    assert coin.log_evidence([1]) == pytest.approx(math.log(0.375))


def test_hypotheses_are_looked_up_by_name():
    assert PATIENT["cancer"].prior == Fraction(8, 1000)
    assert [each.name for each in PATIENT] == ["cancer", "none"]
    assert len(PATIENT) == 2


# what is refused ------------------------------------------------------------------------------


def test_data_that_are_impossible_are_refused():
    sure = HypothesisSpace({"yes": 1, "no": 0}, {"yes": {"+": 1, "-": 0}, "no": {"+": 0, "-": 1}})
    with pytest.raises(ValueError, match="impossible under every hypothesis"):
        sure.posterior(["-"])
    assert sure.evidence(["-"]) == 0
    assert sure.log_evidence(["-"]) == -math.inf
    assert sure.ml_hypothesis(["-"]) == "no"


def test_an_observation_that_a_hypothesis_does_not_know_is_refused():
    with pytest.raises(ValueError, match=r"'cancer' gives no probability to '\?'.*\['\+', '-'\]"):
        PATIENT.posterior(["?"])


@pytest.mark.parametrize("number", [-1, math.nan, math.inf, "much"])
def test_likelihoods_that_are_no_weights_are_refused(number):
    space = HypothesisSpace({"rain": 1}, {"rain": lambda _: number})
    with pytest.raises(ValueError, match="likelihood of 'rain' for 'wet' must be a finite number"):
        space.posterior(["wet"])


def test_prior_and_likelihood_must_name_the_same_hypotheses():
    with pytest.raises(ValueError, match=r"only the prior has \['sun'\]"):
        HypothesisSpace({"rain": 0.5, "sun": 0.5}, {"rain": {}})
    with pytest.raises(ValueError, match="prior must sum to 1, got 0.5"):
        HypothesisSpace({"rain": 0.5}, {"rain": {}})


# description length ---------------------------------------------------------------------------


def test_code_lengths_are_bits():
    assert [code_length(p) for p in (1, Fraction(1, 2), 0.25, Decimal("0.125"))] == [0, 1, 2, 3]
    assert code_length(Fraction(1, 2**5000)) == 5000
    assert code_length(0) == math.inf


@given(st.lists(st.sampled_from("+-"), max_size=12))
def test_the_shortest_description_is_the_map_hypothesis(data):  # [Mitchell] eq. 6.16
    assert mdl_hypothesis(PATIENT, data) == PATIENT.map_hypothesis(data)
    for each in PATIENT:
        exact = math.prod([each.prior, *(each.likelihood[d] for d in data)])
        assert description_length(each, data) == pytest.approx(-math.log2(exact))
    # bits below those of all hypotheses together: the posterior as a code
    longest = -PATIENT.log_evidence(data) / math.log(2)
    for each in PATIENT:
        share = float(PATIENT.posterior(data)[each.name])
        assert description_length(each, data) - longest == pytest.approx(-math.log2(share))


def test_the_medical_test_in_bits():
    lengths = {each.name: description_length(each, ["+"]) for each in PATIENT}
    assert lengths["cancer"] == pytest.approx(-math.log2(0.00784))
    assert lengths["none"] == pytest.approx(-math.log2(0.02976))


def test_what_is_impossible_is_infinitely_long():
    fake = HypothesisSpace({"fake": 1}, {"fake": {"head": 1, "tail": 0}})["fake"]
    assert description_length(fake, ["head", "head"]) == 0
    assert description_length(fake, ["head", "tail"]) == math.inf


@given(st.lists(st.integers(0, 9), min_size=2, max_size=4).filter(any))
def test_bits_of_the_discretiser_are_the_length_of_the_classes_under_their_shares(counts):
    shares = [Fraction(count, sum(counts)) for count in counts]
    expected = sum(
        count * code_length(share) for count, share in zip(counts, shares, strict=True) if count
    )
    assert bits_of(np.array(counts, dtype=float)) == pytest.approx(expected, abs=1e-12)


def test_the_public_module_has_its_names():
    from bayesic import hypotheses

    for name in hypotheses.__all__:
        assert getattr(hypotheses, name).__doc__
        assert name in dir(hypotheses)
    with pytest.raises(AttributeError, match="no name 'find_g'.*find_s"):
        _ = hypotheses.find_g


def test_without_a_prior_all_hypotheses_are_as_probable():
    coins = {"fair": {"head": Fraction(1, 2)}, "fake": {"head": 1}, "edge": {"head": 0}}
    space = HypothesisSpace(likelihood=coins)
    assert [each.prior for each in space] == [Fraction(1, 3)] * 3
    assert space.posterior(["head"]) == {"fair": Fraction(1, 3), "fake": Fraction(2, 3), "edge": 0}


def test_a_space_shows_its_hypotheses():
    assert repr(PATIENT) == "HypothesisSpace of 2: 'cancer' (1/125), 'none' (124/125)"
    many = HypothesisSpace(likelihood={number: {"head": 1} for number in range(12)})
    assert repr(many).endswith("9 (1/12) and 2 more")


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: HypothesisSpace(), "likelihood must be a dict"),
        (lambda: HypothesisSpace([1], [{"head": 1}]), "likelihood must be a dict"),
        (lambda: HypothesisSpace({"fair": 1}, {"fair": 0.5}), "a function of one observation"),
        (lambda: HypothesisSpace({}, {}), "at least one hypothesis"),
        (lambda: PATIENT.posterior(3), "data must be a list of observations"),
        (lambda: PATIENT.posterior([["+"]]), "gives no probability to"),
        (lambda: PATIENT["flu"], "no hypothesis 'flu'"),
        (lambda: code_length(-1), "finite number of 0 or more"),
        (lambda: code_length("half"), "finite number of 0 or more"),
        (lambda: description_length("fair", ["head"]), "must be a Hypothesis"),
        (lambda: mdl_hypothesis([], ["head"]), "at least one hypothesis"),
    ],
)
def test_junk_is_refused_by_a_sentence(make, match):
    with pytest.raises((TypeError, ValueError), match=match):
        make()
