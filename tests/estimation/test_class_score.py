"""How well one column tells the class, each row judged by all others."""

from fractions import Fraction
from math import log

import numpy as np
import pytest

from bayesic.models.events.automatic import class_log_score


def test_the_score_is_the_sum_of_log_posteriors_without_the_row():
    # 3 ham with p = 1/2 and 1/4, 2 ham and 1 spam with p = 1/5 and 4/5; N = 5 ham, 1 spam
    likelihood = [[Fraction(1, 2), Fraction(1, 4)], [Fraction(1, 5), Fraction(4, 5)]]
    codes, count = [0, 0, 1], [3, 2, 1]
    rows = [likelihood[0], likelihood[1], likelihood[1]]
    total = 0.0
    for (ham, spam), label, times in zip(rows, codes, count, strict=True):
        weight = [5 - (label == 0) + 1, 1 - (label == 1) + 1]
        joint = [ham * weight[0], spam * weight[1]]
        total += times * log(joint[label] / sum(joint))
    ours = class_log_score(
        np.log(np.array(rows, dtype=float)), np.array(codes), np.array(count), np.array([5, 1])
    )
    assert ours == pytest.approx(total, rel=1e-12)


def test_what_was_impossible_scores_minus_infinity_and_never_nan():
    impossible = np.log(np.array([[1e-300, 1.0]])) * np.array([[np.inf, 1.0]])
    args = np.array([0]), np.array([1]), np.array([1, 1])
    assert class_log_score(impossible, *args) == -np.inf
    assert not np.isnan(class_log_score(np.full((1, 2), -np.inf), *args))
