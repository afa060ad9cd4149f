"""Bayes' rule on fractions: exact, whatever comes first."""

from decimal import Decimal
from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import bayesic as by

WEATHER = ("sun", "rain", "snow")
shares = st.fractions(0, 1, max_denominator=50)


@st.composite
def beliefs(draw):
    """A prior over the weather that sums to 1 exactly."""
    weights = draw(st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any))
    return {h: Fraction(weight, sum(weights)) for h, weight in zip(WEATHER, weights, strict=True)}


likelihoods = st.fixed_dictionaries(dict.fromkeys(WEATHER, shares))


def total_probability(prior, likelihood):
    return sum(prior[h] * likelihood[h] for h in prior)


@given(beliefs(), likelihoods)
def test_posterior_times_evidence_is_prior_times_likelihood(prior, likelihood):
    evidence = total_probability(prior, likelihood)
    assume(evidence > 0)
    posterior = by.hypotheses.bayes_rule(prior, likelihood)
    for hypothesis in WEATHER:  # the multiplication rule, both ways round
        assert posterior[hypothesis] * evidence == likelihood[hypothesis] * prior[hypothesis]
        assert isinstance(posterior[hypothesis], Fraction)


@given(beliefs(), likelihoods)
def test_posteriors_sum_to_one_exactly(prior, likelihood):
    assume(total_probability(prior, likelihood) > 0)
    assert sum(by.hypotheses.bayes_rule(prior, likelihood).values()) == 1


@given(beliefs(), likelihoods)
def test_averaged_over_a_partition_of_what_can_be_seen_the_posterior_is_the_prior(
    prior, likelihood
):
    seen = total_probability(prior, likelihood)
    assume(0 < seen < 1)
    if_seen = by.hypotheses.bayes_rule(prior, likelihood)
    if_not = by.hypotheses.bayes_rule(prior, {h: 1 - likelihood[h] for h in WEATHER})
    for hypothesis in WEATHER:
        averaged = seen * if_seen[hypothesis] + (1 - seen) * if_not[hypothesis]
        assert averaged == prior[hypothesis]


@given(beliefs(), likelihoods, likelihoods)
def test_the_order_of_two_observations_does_not_matter(prior, dark_sky, wet_street):
    both = {h: dark_sky[h] * wet_street[h] for h in WEATHER}
    assume(total_probability(prior, both) > 0)
    at_once = by.hypotheses.bayes_rule(prior, both)
    assert (
        by.hypotheses.bayes_rule(by.hypotheses.bayes_rule(prior, dark_sky), wet_street) == at_once
    )
    assert (
        by.hypotheses.bayes_rule(by.hypotheses.bayes_rule(prior, wet_street), dark_sky) == at_once
    )


@given(beliefs(), st.fractions(Fraction(1, 50), 1))
def test_evidence_that_is_equally_likely_everywhere_changes_nothing(prior, share):
    assert by.hypotheses.bayes_rule(prior, dict.fromkeys(WEATHER, share)) == prior


@given(beliefs(), likelihoods, st.integers(1, 9))
def test_only_the_ratio_of_likelihoods_counts(prior, likelihood, factor):
    assume(total_probability(prior, likelihood) > 0)
    scaled = {h: factor * likelihood[h] for h in WEATHER}
    assert by.hypotheses.bayes_rule(prior, scaled) == by.hypotheses.bayes_rule(prior, likelihood)


def test_the_cancer_example_is_the_exact_fraction():  # [Mitchell] section 6.2
    prior = {"cancer": Fraction(8, 1000), "none": Fraction(992, 1000)}
    positive = {"cancer": Fraction(98, 100), "none": Fraction(3, 100)}
    first = by.hypotheses.bayes_rule(prior, positive)
    assert first["cancer"] == Fraction(784, 784 + 2976)
    second = by.hypotheses.bayes_rule(first, positive)  # a second test, independent of the first
    assert second["cancer"] == Fraction(8 * 98**2, 8 * 98**2 + 992 * 3**2)


@given(beliefs(), st.lists(likelihoods, max_size=5), st.randoms(use_true_random=False))
def test_several_observations_are_one_after_the_other_in_any_order(prior, seen, random):
    assume(all(prior[h] * prod(each[h] for each in seen) > 0 for h in ("sun", "rain")))
    one_by_one = prior
    for each in seen:
        one_by_one = by.hypotheses.bayes_rule(one_by_one, each)
    shuffled = random.sample(seen, len(seen))
    assert (
        by.hypotheses.bayes_rule(prior, seen)
        == by.hypotheses.bayes_rule(prior, shuffled)
        == one_by_one
    )


def test_two_positive_tests_at_once_are_the_exact_fraction():
    prior = {"cancer": Fraction(8, 1000), "none": Fraction(992, 1000)}
    positive = {"cancer": Fraction(98, 100), "none": Fraction(3, 100)}
    expected = Fraction(8 * 98**2, 8 * 98**2 + 992 * 3**2)
    assert by.hypotheses.bayes_rule(prior, [positive, positive])["cancer"] == expected


def test_ten_thousand_floats_do_not_underflow():
    prior = {"fair": 0.5, "bent": 0.5}
    heads, tails = {"fair": 0.5, "bent": 0.51}, {"fair": 0.5, "bent": 0.49}
    posterior = by.hypotheses.bayes_rule(prior, [heads] * 5100 + [tails] * 4900)
    ratio = Fraction(51, 50) ** 5100 * Fraction(49, 50) ** 4900
    assert posterior["bent"] == pytest.approx(float(ratio / (1 + ratio)), rel=1e-9)


def test_floats_too_small_to_be_multiplied_keep_their_ratio():
    tiny = {"rain": 5e-324, "sun": 1.5e-323}
    assert by.hypotheses.bayes_rule({"rain": 0.5, "sun": 0.5}, tiny) == {"rain": 0.25, "sun": 0.75}


def test_a_bad_observation_is_named():
    prior, fine = {"rain": 0.5, "sun": 0.5}, {"rain": 1, "sun": 1}
    with pytest.raises(ValueError, match="likelihood of 'sun' in observation 1 must be"):
        by.hypotheses.bayes_rule(prior, [fine, {"rain": 1, "sun": -1}])
    with pytest.raises(ValueError, match="same hypotheses in observation 1: only the prior"):
        by.hypotheses.bayes_rule(prior, [fine, {"rain": 1}])
    with pytest.raises(TypeError, match="must be a dict of hypothesis and number in observation 1"):
        by.hypotheses.bayes_rule(prior, [fine, 0.5])


def test_numbers_keep_their_kind_and_hypotheses_their_order():
    decimals = by.hypotheses.bayes_rule(
        {"rain": Decimal("0.25"), "sun": Decimal("0.75")},
        {"sun": Decimal("0.1"), "rain": Decimal("0.3")},
    )
    assert decimals == {"rain": Decimal("0.5"), "sun": Decimal("0.5")}
    assert list(decimals) == ["rain", "sun"]
    assert {type(p) for p in decimals.values()} == {Decimal}
    floats = by.hypotheses.bayes_rule({"雨": 0.25, "晴": 0.75}, {"雨": 0.5, "晴": 0.5})
    assert floats == {"雨": 0.25, "晴": 0.75}


def test_densities_above_one_are_likelihoods_too():
    posterior = by.hypotheses.bayes_rule({"low": 0.5, "high": 0.5}, {"low": 30.0, "high": 10.0})
    assert posterior == {"low": 0.75, "high": 0.25}


def test_what_is_given_stays_as_it_is():
    prior, likelihood = {"rain": Fraction(1, 2), "sun": Fraction(1, 2)}, {"rain": 1, "sun": 0}
    assert by.hypotheses.bayes_rule(prior, likelihood) == {"rain": 1, "sun": 0}
    assert prior == {"rain": Fraction(1, 2), "sun": Fraction(1, 2)}
    assert likelihood == {"rain": 1, "sun": 0}


# what is refused ------------------------------------------------------------------------------


def test_evidence_that_is_impossible_is_refused_not_nan():
    with pytest.raises(ValueError, match="impossible under every hypothesis.*add the hypothesis"):
        by.hypotheses.bayes_rule({"rain": Fraction(1), "sun": Fraction(0)}, {"rain": 0, "sun": 1})


def test_no_hypotheses_are_refused():
    with pytest.raises(ValueError, match="at least one hypothesis"):
        by.hypotheses.bayes_rule({}, {})


def test_different_hypotheses_are_refused_with_the_difference():
    with pytest.raises(ValueError, match=r"the prior has \['sun'\].*likelihood has \['snow'\]"):
        by.hypotheses.bayes_rule({"rain": 0.5, "sun": 0.5}, {"rain": 0.1, "snow": 0.2})


@pytest.mark.parametrize("number", [-0.5, Fraction(-1, 2), np.nan, np.inf])
def test_priors_and_likelihoods_below_zero_or_not_finite_are_refused_by_name(number):
    with pytest.raises(ValueError, match="prior of 'rain' must be a finite number of 0 or more"):
        by.hypotheses.bayes_rule({"rain": number, "sun": 1.5}, {"rain": 1, "sun": 1})
    with pytest.raises(ValueError, match="likelihood of 'sun' must be a finite number of 0"):
        by.hypotheses.bayes_rule({"rain": 0.5, "sun": 0.5}, {"rain": 1, "sun": number})


@pytest.mark.parametrize("word", ["likely", None, [0.5]])
def test_what_is_no_number_is_refused_in_words(word):
    with pytest.raises((TypeError, ValueError), match="prior of 'rain' must be"):
        by.hypotheses.bayes_rule({"rain": word, "sun": 0.5}, {"rain": 1, "sun": 1})


def test_a_prior_that_does_not_sum_to_one_is_refused_with_its_sum():
    with pytest.raises(ValueError, match="prior must sum to 1, got 3/4.*Divide each by the sum"):
        by.hypotheses.bayes_rule(
            {"rain": Fraction(1, 2), "sun": Fraction(1, 4)}, {"rain": 1, "sun": 1}
        )


# lists ----------------------------------------------------------------------------------------


@given(beliefs(), likelihoods)
def test_lists_give_the_numbers_of_dicts(prior, likelihood):
    assume(total_probability(prior, likelihood) > 0)
    expected = list(by.hypotheses.bayes_rule(prior, likelihood).values())
    lists = list(prior.values()), [likelihood[h] for h in prior]
    assert (
        by.hypotheses.bayes_rule(*lists) == by.hypotheses.bayes_rule(*map(tuple, lists)) == expected
    )
    twice = by.hypotheses.bayes_rule(prior, [likelihood, likelihood])
    assert by.hypotheses.bayes_rule(lists[0], [lists[1], lists[1]]) == list(twice.values())


def test_an_array_gives_an_array_and_a_series_a_dict():
    found = by.hypotheses.bayes_rule(np.array([0.5, 0.5]), [0.25, 0.75])
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [0.25, 0.75]
    prior, likelihood = pd.Series({"rain": 0.5, "sun": 0.5}), {"rain": 0.25, "sun": 0.75}
    assert by.hypotheses.bayes_rule(prior, likelihood) == {"rain": 0.25, "sun": 0.75}


@pytest.mark.parametrize(
    ("prior", "likelihood", "match"),
    [
        ([0.5, 0.5], {"rain": 1}, "If the prior is a list, the likelihood must be a list"),
        ([0.5, 0.5], [0.1], "a number for each hypothesis, got 2"),
        ([0.5, 0.5], [[0.1, 0.2], [0.3]], "a number for each hypothesis, got 2"),
        ([0.5, "half"], [0.1, 0.2], "prior of 1 must be a finite number"),
        ([], [], "at least one hypothesis"),
        (3, {"rain": 1}, "prior must be a dict"),
        ("ab", "ab", "prior must be a dict"),
        ({"rain": 1}, 3, "A likelihood must be a dict"),
        ({"rain": Decimal("NaN")}, {"rain": 1}, "finite number of 0 or more"),
        ({"rain": 1}, {"rain": 1 + 2j}, "finite number of 0 or more"),
    ],
)
def test_junk_is_refused_by_a_sentence(prior, likelihood, match):
    with pytest.raises((TypeError, ValueError), match=match):
        by.hypotheses.bayes_rule(prior, likelihood)


def test_numbers_too_large_for_floats_and_of_mixed_kinds_are_no_problem():
    assert by.hypotheses.bayes_rule([0.5, 0.5], [10**400, 3 * 10**400]) == [0.25, 0.75]
    assert by.hypotheses.bayes_rule([Decimal("0.5"), 0.5], [1, 3]) == [0.25, 0.75]
