"""The driver of EM: E-steps and M-steps in turns, and never down."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic import progress
from bayesic.mixtures.em import climb
from helpers.command_line import Terminal

numbers = st.one_of(
    st.floats(-1e6, 1e6), st.just(-np.inf), st.integers(-3, 3).map(lambda n: -5.0 + n * 1e-15)
)


def walk(values, **arguments):
    """Climb where the state is a place in a list of objectives, and each step goes one on."""
    values = [*values, values[-1]]  # to stay there

    def expect(place):
        return min(place + 1, len(values) - 1), values[place]

    return climb(0, expect, lambda place: place, **arguments)


@given(st.lists(numbers, min_size=1, max_size=12), st.integers(1, 15), st.sampled_from([0.0, 1e-3]))
def test_the_objective_never_falls(values, max_iter, tol):
    found = walk(values, max_iter=max_iter, tol=tol)
    assert (found.trace[1:] >= found.trace[:-1]).all()
    assert found.trace.tolist() == values[: found.n_iter] + values[-1:] * (
        found.n_iter - len(values)
    )
    assert 1 <= found.n_iter <= max_iter
    assert [*values, values[-1]][found.state] == found.trace[-1]


def test_a_step_that_lowers_the_objective_is_not_taken():
    found = walk([-3.0, -2.0, -2.5, -1.0])
    assert found.state == 1
    assert found.trace.tolist() == [-3.0, -2.0]
    assert not found.converged


def test_a_fall_of_rounding_is_no_fall():
    found = walk([-3.0, -2.0, -2.0 * (1 + 1e-14), -1.0], tol=0.0)
    assert found.state == 1
    assert found.converged


def test_it_is_done_when_a_step_gains_no_more_than_the_tolerance():
    found = walk([-100.0, -60.0, -59.9, -1.0], tol=0.01)
    assert found.trace.tolist() == [-100.0, -60.0, -59.9]
    assert found.converged


def test_another_rule_may_say_when_it_is_done():
    seen = []

    def settled(before, after, gain):
        seen.append((before, after, gain))
        return gain < 0.5

    found = walk([-4.0, -2.0, -1.75, -1.0], tol=1e9, settled=settled)
    assert found.trace.tolist() == [-4.0, -2.0, -1.75]
    assert found.converged
    assert seen == [(0, 1, 2.0), (1, 2, 0.25)]


@pytest.mark.parametrize(("allowed", "converged"), [(0.01, False), (0.5, True)])
def test_a_fall_is_never_taken_but_another_rule_may_call_it_small(allowed, converged):
    found = walk([-3.0, -2.0, -2.1, -1.0], settled=lambda _, __, gain: abs(gain) < allowed)
    assert found.trace.tolist() == [-3.0, -2.0]
    assert found.converged == converged


def test_the_number_of_steps_is_limited():
    found = walk([-4.0, -3.0, -2.0, -1.0], max_iter=3)
    assert found.n_iter == 3
    assert not found.converged


def test_what_is_impossible_at_first_may_become_possible():
    found = walk([-np.inf, -np.inf, -1.0])
    assert found.trace.tolist() == [-np.inf, -np.inf]  # nothing gained
    found = walk([-np.inf, -2.0, -1.0])
    assert found.trace.tolist() == [-np.inf, -2.0, -1.0, -1.0]


def test_hidden_is_what_the_state_was_made_of():
    found = climb(8.0, lambda state: (state / 2, -state), lambda hidden: hidden + 1, max_iter=3)
    assert found.state == found.hidden + 1


def test_the_maximum_of_two_coins_is_found():
    # heads of 10 throws; which of two coins was thrown is hidden, both are equally likely
    heads = np.array([5, 9, 8, 4, 7])

    def expect(chance):
        log = heads[:, None] * np.log(chance) + (10 - heads[:, None]) * np.log(1 - chance)
        total = np.logaddexp.reduce(log, axis=1)
        return np.exp(log - total[:, None]), float(total.sum())

    def maximise(share):
        return (share * heads[:, None]).sum(axis=0) / (10 * share.sum(axis=0))

    found = climb(expect(np.array([0.6, 0.5]))[0], expect, maximise, tol=0.0, max_iter=1000)
    assert found.converged
    grid = np.linspace(0.001, 0.999, 999)
    best = max(
        (expect(np.array([one, two]))[1], one, two) for one in grid[::4] for two in grid[::4]
    )
    assert found.trace[-1] >= best[0]
    assert sorted(found.state) == pytest.approx(sorted(best[1:]), abs=0.004)


@pytest.mark.parametrize(("patience", "shown"), [(-1.0, True), (60.0, False)])
def test_a_bar_is_shown_on_a_terminal_when_it_takes_long(monkeypatch, patience, shown):
    monkeypatch.setattr(progress, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    walk([-4.0, -3.0, -2.0])
    assert ("EM" in terminal.getvalue()) == shown


def test_no_bar_is_shown_elsewhere(monkeypatch, capfd):
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    walk([-4.0, -3.0, -2.0])
    assert capfd.readouterr() == ("", "")
