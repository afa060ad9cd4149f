"""A race of candidates: one that is certainly behind is not asked again."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array
from bayesic.selection._honest import Judge

FIRST_ROWS, MORE_ROWS = 100, 4  # rows of the first round, and how many times as many in the next
DOUBT = 2.0  # standard errors: a candidate further behind the best of a round drops out
ENOUGH = 0.005  # nats: so does one that can hardly be better than the best by more than this
N_PARTS = 5  # of the rows, to judge the choice
MOST_BEHIND = 1.0  # on one row, in nats, where it is decided which candidates go on


@dataclass(eq=False)
class Runner:
    """A candidate in the race, and its answers so far, in the order in which rows are asked."""

    judge: Judge
    codes: Array  # the class of each row
    losses: Array = field(default_factory=lambda: np.zeros(0))  # -log P(own class)
    right: Array = field(default_factory=lambda: np.zeros(0, bool))

    def ask(self, places: slice) -> None:
        """Answer these rows as well."""
        said, own = self.judge(places), self.codes[places]
        losses = -said[np.arange(len(own)), own] + 0.0
        self.losses = np.append(self.losses, losses)
        self.right = np.append(self.right, said.argmax(axis=1) == own)


class JudgedChoice(NamedTuple):
    """What a race would have answered, had each fifth of the rows not taken part in it.

    The best of many is better at the rows that it was chosen by than at others.
    """

    losses: Array
    right: Array


def mean_and_error(values: Array, weights: Array) -> tuple[float, float]:
    """The weighted mean, and its standard error; infinite values have an infinite mean.

    >>> mean_and_error(np.array([1.0, 3.0]), np.ones(2))
    (2.0, 1.0)
    """
    total, n_rows = float(weights.sum()), max(len(values), 2)
    mean = float((weights * values).sum()) / total
    with np.errstate(invalid="ignore"):  # infinity less infinity
        squares = float(((weights * (values - mean)) ** 2).sum())
    return mean, float(np.sqrt(squares * n_rows / (n_rows - 1))) / total


def race(
    runners: list[Runner], weights: Array, advance: Callable[[], None]
) -> tuple[Runner, JudgedChoice]:
    """Ask all about the first rows, and about more those that may still be the best.

    Returns the best, and the choice as judged by rows that did not take part in it.

    weights : of the rows asked
    """
    start, stop, still = 0, FIRST_ROWS, runners
    while start < len(weights) and (start == 0 or len(still) > 1):
        if len(weights) < 2 * stop:  # no last round of a few rows
            stop = len(weights)
        for runner in still:
            runner.ask(slice(start, stop))
            advance()
        best = _leader(still, weights[:stop])
        still = [runner for runner in still if not _is_beaten(runner, best, weights[:stop])]
        start, stop = stop, stop * MORE_ROWS
    last = [runner for runner in runners if len(runner.losses) == len(best.losses)]
    return best, judged_choice(last, weights[: len(best.losses)])


def judged_choice(runners: list[Runner], weights: Array) -> JudgedChoice:
    """Each fifth of the rows is answered by the runner that is best at the others.

    weights : of the rows, which all runners have answered
    """
    losses = np.array([runner.losses for runner in runners])
    right = np.array([runner.right for runner in runners])
    chosen = np.zeros(len(weights), np.intp)
    part = np.arange(len(weights)) % N_PARTS
    for number in range(N_PARTS if len(weights) > 1 else 0):
        others = part != number
        chosen[~others] = (losses[:, others] @ weights[others]).argmin()
    rows = np.arange(len(weights))
    return JudgedChoice(losses[chosen, rows], right[chosen, rows])


def _leader(runners: list[Runner], weights: Array) -> Runner:
    """The one of least mean loss; the first of those that are equal."""
    return min(runners, key=lambda runner: mean_and_error(runner.losses, weights)[0])


def _is_beaten(runner: Runner, best: Runner, weights: Array) -> bool:
    """Whether more rows will hardly make it the best, by more than matters.

    More than MOST_BEHIND on a row counts as that: a model that is far out on one row has a large
    error, and is not the better for it.
    """
    with np.errstate(invalid="ignore"):  # both may be infinite
        behind = np.minimum(runner.losses - best.losses, MOST_BEHIND)
        mean, error = mean_and_error(behind, weights)
    return mean > DOUBT * error - ENOUGH and runner is not best
