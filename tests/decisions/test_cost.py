"""expected_cost: what the actions taken cost, given the truth."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import zero_one_loss

import bayesic as by

CREDIT = {"approve": {"good": 0, "bad": 5}, "decline": {"good": 1, "bad": 0}}
TABLE = pl.DataFrame({"action": ["approve", "decline"], "good": [0, 1], "bad": [5, 0]})
TRUTH = ["good", "bad", "bad", "good"]
TAKEN = ["approve", "approve", "decline", "decline"]  # costs 0, 5, 0, 1


@pytest.mark.parametrize("loss", [CREDIT, TABLE], ids=["dict", "table"])
@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series])
def test_the_cost_is_the_mean_over_rows(loss, kind):
    assert by.decisions.expected_cost(kind(TRUTH), kind(TAKEN), loss) == 6 / 4


def test_rows_count_by_their_weight():
    expected = Fraction(1 * 0 + 2 * 5 + 3 * 0 + 4 * 1, 1 + 2 + 3 + 4)
    cost = by.decisions.expected_cost(TRUTH, TAKEN, CREDIT, sample_weight=[1, 2, 3, 4])
    assert cost == pytest.approx(float(expected), rel=1e-15)


@given(st.lists(st.tuples(*[st.sampled_from(["ham", "news", "spam"])] * 2), min_size=1))
def test_without_a_loss_the_cost_is_the_share_of_mistakes(pairs):
    y, actions = map(list, zip(*pairs, strict=True))
    cost = by.decisions.expected_cost(y, actions, None, classes=["ham", "news", "spam"])
    assert cost == pytest.approx(zero_one_loss(y, actions), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1))
def test_an_array_is_looked_up_by_numbers(pairs):
    loss = [[0, 7], [3, 0], [1, 1]]
    y, actions = map(list, zip(*pairs, strict=True))
    total = sum(Fraction(loss[action][truth]) for truth, action in pairs)
    assert by.decisions.expected_cost(y, actions, loss) == pytest.approx(float(total / len(pairs)))


def test_an_array_is_looked_up_by_names_if_the_classes_are_given():
    cost = by.decisions.expected_cost(
        ["spam", "ham"], ["ham", "ham"], [[0, 7], [3, 0]], classes=["ham", "spam"]
    )
    assert cost == 7 / 2


def test_reject_costs_what_it_is_said_to_cost():
    actions = ["approve", "reject", "reject", "decline"]
    assert (
        by.decisions.expected_cost(TRUTH, actions, CREDIT, reject_loss=0.5)
        == (0 + 0.5 + 0.5 + 1) / 4
    )
    assert (
        by.decisions.expected_cost([0, 1], [0, "reject"], [[0, 1], [1, 0]], reject_loss=0.25)
        == 0.125
    )


def test_an_action_called_reject_has_the_costs_of_the_loss():
    loss = {"accept": {"ham": 0, "spam": 9}, "reject": {"ham": 1, "spam": 0}}
    assert by.decisions.expected_cost(["ham", "spam"], ["reject", "reject"], loss) == 0.5


def test_labels_that_are_numbers_are_found_under_names_that_are_text():
    loss = pl.DataFrame({"action": ["keep", "drop"], "0": [0, 1], "1": [8, 0]})
    assert by.decisions.expected_cost([0, 1], ["keep", "keep"], loss) == 4.0


@given(st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=1, max_size=8))
def test_deciding_costs_least_if_classes_come_as_often_as_the_posterior_says(weights):
    # every case occurs with every class, weighted by its posterior: no fixed action is cheaper
    posterior = np.array(weights) / np.sum(weights, axis=1, keepdims=True)
    loss = {"keep": {0: 0, 1: 2, 2: 9}, "ask": {0: 3, 1: 1, 2: 3}, "drop": {0: 8, 1: 4, 2: 0}}
    n_cases = len(posterior)
    y = np.tile([0, 1, 2], n_cases)
    taken = np.repeat(by.decide(posterior, loss, classes=[0, 1, 2]).action, 3)
    cost = by.decisions.expected_cost(y, taken, loss, sample_weight=posterior.ravel())
    for action in loss:
        fixed = by.decisions.expected_cost(
            y, [action] * len(y), loss, sample_weight=posterior.ravel()
        )
        assert cost <= fixed + 1e-12


# what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "actions", "match"),
    [
        (["good"], ["approve", "decline"], "got 1 labels in y and 2 actions"),
        (["godo"], ["approve"], r"y must be among \['good', 'bad'\], got \['godo'\]"),
        (["good"], ["aprove"], r"actions must be among \['approve', 'decline'\], got \['aprove'\]"),
        (["good"], ["reject"], r"got \['reject'\].*'reject' needs reject_loss"),
        ([None], ["approve"], r"y must be among .*, got \[None\]"),
        ([float("nan")], ["approve"], r"y must be among .*, got \[nan\]"),
        ([], [], "y must be a list of names"),
        ([["good"]], ["approve"], "y must be a list of names"),
        ("good", ["approve"], "y must be a list of names"),
    ],
)
def test_labels_and_actions_that_are_not_in_the_loss_are_refused(y, actions, match):
    with pytest.raises(ValueError, match=match):
        by.decisions.expected_cost(y, actions, CREDIT)


def test_names_with_an_array_and_no_classes_are_told_to_give_them():
    with pytest.raises(ValueError, match=r"among \[0, 1\], got \['ham'\].*classes are given"):
        by.decisions.expected_cost(["ham"], ["ham"], [[0, 1], [1, 0]])


def test_weights_are_checked():
    with pytest.raises(ValueError, match="one weight for each of the 4 rows"):
        by.decisions.expected_cost(TRUTH, TAKEN, CREDIT, sample_weight=[1, 2])
