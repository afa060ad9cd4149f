"""Expectation maximisation: one driver for all models with hidden variables."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.rounding import ROUNDING
from bayesic.progress import bar_of

State = TypeVar("State")
Hidden = TypeVar("Hidden")


@dataclass(frozen=True, eq=False)
class Climb(Generic[State, Hidden]):
    """The result of EM, and how it was reached.

    state     : the parameters
    hidden    : the expectation of the hidden variables from which the last M-step made the state
    expected  : the expectation of the hidden variables under the state
    trace     : the objective after each M-step that was taken; it never falls
    converged : whether the last step gained no more than the tolerance
    """

    state: State
    hidden: Hidden
    expected: Hidden
    trace: Array
    converged: bool

    @property
    def n_iter(self) -> int:
        """Number of M-steps that were taken."""
        return len(self.trace)


def climb(
    hidden: Hidden,
    expect: Callable[[State], tuple[Hidden, float]],
    maximise: Callable[[Hidden], State],
    max_iter: int = 100,
    tol: float = 1e-6,
    settled: Callable[[State, State, float], bool] | None = None,
) -> Climb[State, Hidden]:
    """Climb to a (local) maximum of the objective by alternating M-steps and E-steps.

        M    state  = argmax of the expectation over hidden of log p(x, z, state)
        E    hidden = P(z | x, state)

    The objective is log p(x | state), or log p(x, state) where the M-step is that of a maximum a
    posteriori estimate; no exact step lowers it ([Dempster]). A model whose M-step is not an exact
    maximum may lower it: such a step is not taken, and the climb ends.

    hidden   : the start, from which the first M-step makes the first state
    expect   : the E-step, which also gives the objective at the state
    maximise : the M-step
    max_iter : the maximum number of M-steps, 1 or more
    tol      : converged when a step gains no more than this share of the objective
    settled  : a rule to use instead of tol, given the state before, the state after and the gain

    A chain of numbers that halves its distance to 3 with each step, from 1 on:

    >>> expect = lambda state: ((state + 3) / 2, -abs(state - 3) - 1)
    >>> result = climb(1.0, expect, lambda hidden: hidden, tol=0.1)
    >>> result.state, result.trace, result.converged
    (2.9375, array([-3.    , -2.    , -1.5   , -1.25  , -1.125 , -1.0625]), True)
    """
    state = maximise(hidden)
    expected, value = expect(state)
    trace, converged = [value], False
    with bar_of("EM", max_iter) as advance:
        while not converged and len(trace) < max_iter:
            advance()
            proposed = maximise(expected)
            then_expected, then = expect(proposed)
            gain = then - value if then != value else 0.0  # also where both are -inf
            if not gain >= 0:
                # a fall within rounding is no fall: the maximum is reached
                converged = bool(-gain <= ROUNDING * abs(value))
                converged = converged or (settled is not None and settled(state, proposed, gain))
                break
            few = gain <= tol * abs(then) if settled is None else settled(state, proposed, gain)
            converged = bool(gain == 0 or few)
            state, hidden, expected, value = proposed, expected, then_expected, then
            trace.append(value)
    return Climb(state, hidden, expected, np.array(trace), converged)
