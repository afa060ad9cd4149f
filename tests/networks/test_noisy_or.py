"""Noisy-OR against the mechanism it stands for: every inhibitor tossed on its own."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks import noisy_or
from bayesic.networks.network import BeliefNetwork

eighths = st.integers(0, 8).map(lambda number: Fraction(number, 8))


def effect_by_enumeration(present, inhibitors, leak):
    """P(effect): sum over all outcomes of the leak and of each inhibitor."""
    total = Fraction(0)
    for leaks, *fails in product([True, False], repeat=1 + len(inhibitors)):
        probability = leak if leaks else 1 - leak
        for fail, inhibitor in zip(fails, inhibitors, strict=True):
            probability *= inhibitor if fail else 1 - inhibitor
        works = leaks or any(there and not fail for there, fail in zip(present, fails, strict=True))
        total += probability if works else 0
    return total


@given(st.lists(eighths, min_size=1, max_size=4), eighths)
def test_the_table_is_what_the_mechanism_gives(inhibitors, leak):
    table = noisy_or([float(number) for number in inhibitors], leak=float(leak))
    assert len(table) == 2 ** len(inhibitors)
    for present, row in table.items():
        effect = effect_by_enumeration(present, inhibitors, leak)
        assert row == {True: float(effect), False: float(1 - effect)}


def test_it_is_a_table_of_a_network():
    yes_no = ("yes", "no")
    fever = noisy_or([0.2, 0.4], leak=0.1, states=("high", "normal"), parent_states=[yes_no] * 2)
    net = BeliefNetwork(
        edges=[("flu", "fever"), ("cold", "fever")],
        tables={
            "flu": {"no": 0.9, "yes": 0.1},  # the other way round: rows are found by name
            "cold": {"yes": 0.5, "no": 0.5},
            "fever": fever,
        },
    )
    assert net.table("fever")["no", "no", "high"] == pytest.approx(0.1)
    assert net.table("fever")["yes", "no", "normal"] == pytest.approx(0.9 * 0.2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"inhibitors": []}, "inhibitors must be a list of 1 to 16"),
        ({"inhibitors": [0.5] * 17}, "inhibitors must be a list of 1 to 16"),
        ({"inhibitors": [1.5]}, "inhibitors must be probabilities from 0 to 1"),
        ({"inhibitors": [float("nan")]}, "inhibitors must be probabilities from 0 to 1"),
        ({"inhibitors": [0.5], "leak": -0.1}, "leak must be probabilities from 0 to 1"),
        ({"inhibitors": [0.5], "states": ("low", "high", "higher")}, "two states"),
        ({"inhibitors": [0.5], "parent_states": []}, "for each of the 1 parents, got 0"),
    ],
    ids=["none", "many", "above one", "nan", "leak", "states", "parents"],
)
def test_what_is_no_noisy_or_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        noisy_or(**arguments)
