"""The prior probability of each class, and the lambda of the best leave-one-out score."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.estimation.prior import class_prior, log_prior, log_prior_without

counts = st.lists(st.integers(0, 9), min_size=1, max_size=4).filter(any)
lambdas = st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1), Fraction(5)])


def prior_by_hand(class_count, amount):
    total = sum(class_count) + amount * len(class_count)
    if total == 0:
        return [Fraction(1, len(class_count))] * len(class_count)
    return [(count + amount) / total for count in class_count]


@given(class_count=counts, amount=lambdas)
def test_the_learned_prior_is_the_smoothed_share(class_count, amount):
    expected = [float(share) for share in prior_by_hand(class_count, amount)]
    ours = class_prior(np.array(class_count), smoothing=float(amount))
    assert ours.tolist() == pytest.approx(expected, rel=1e-14)
    with np.errstate(divide="ignore"):
        assert log_prior(np.array(class_count), smoothing=float(amount)).tolist() == pytest.approx(
            np.log(expected).tolist(), rel=1e-12
        )


def test_a_prior_may_be_uniform_or_given():
    assert class_prior([9, 6], "uniform").tolist() == [0.5, 0.5]
    assert class_prior([9, 6], [0.25, 0.75]).tolist() == [0.25, 0.75]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"class_count": [9, -1]}, r"class_count must be a count of 0 or more .* got \[9, -1\]"),
        ({"class_count": [9, np.nan]}, "class_count must be a count of 0 or more"),
        ({"class_count": []}, "class_count must be a count of 0 or more"),
        ({"class_count": [[9, 6]]}, "class_count must be a count of 0 or more"),
        ({"class_count": ["nine"]}, "class_count must hold numbers"),
        ({"prior": "flat"}, "prior must be one of 'learned', 'uniform', got 'flat'"),
        ({"prior": [1, 1]}, "The sum of the priors should be 1"),
        ({"smoothing": -1}, "smoothing must be a number of 0 or more, got -1"),
    ],
)
def test_what_is_no_count_or_prior_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        class_prior(**{"class_count": [9, 6], **given})


@given(class_count=counts, amount=lambdas)
def test_the_prior_without_a_row_is_that_of_all_other_rows(class_count, amount):
    codes = np.repeat(np.arange(len(class_count)), class_count)
    logs = log_prior_without(
        np.array(class_count), codes, np.ones(len(codes)), smoothing=float(amount)
    )
    for row, label in enumerate(codes):
        rest = list(class_count)
        rest[label] -= 1
        expected = [float(share) for share in prior_by_hand(rest, amount)]
        assert np.exp(logs[:, row]).tolist() == pytest.approx(expected, rel=1e-12)
