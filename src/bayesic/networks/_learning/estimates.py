"""Family counts -> conditional tables: shares of the counts, smoothed with pseudo-counts.

    P(y_ik | u_ij) = (N_ijk + a) / (N_ij + r a),    1 / r where N_ij + r a = 0

N_ijk counts the rows in which variable i has its state k, and its parents have their states j;
N_ij sums it over the r states. The pseudo-count a is lambda for every cell, or that of BDeu. With
back-off shares lean on those with one parent less, in the order of the parents (`back_off.py`).

How sure they are: with the pseudo-counts as prior, the entries of a row of the table have, after
counts N_k, a Dirichlet distribution with the parameters N_k + a ([KF] section 17.3.2). With
A = sum of N_k + a, each entry alone has a Beta distribution, and

    mean = (N_k + a) / A        variance = mean (1 - mean) / (A + 1)
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from bayesic.data.arguments import check_number, check_one_of, check_whole_number, is_number
from bayesic.data.states import States, followed_by
from bayesic.estimation.back_off import backed_off_shares, best_strength
from bayesic.estimation.smoothing import (
    BackOff,
    BDeu,
    Lambda,
    PseudoCounts,
    TableSmoothing,
    smoothed_shares,
)
from bayesic.kernels import Array
from bayesic.networks._conditional_tables import ConditionalTable
from bayesic.networks.network_text import MOST_ROWS, aligned, probability_text
from bayesic.statistics.additive import Immutable
from bayesic.statistics.families import FamilyCounts

METHODS = ("em", "gradient")
FROM_TABLES = "tables"  # where a climb starts: the tables that the network has


class Account(NamedTuple):
    """How the counts of a network came about: counted, or expected where rows have gaps."""

    method: str | None  # None for counting
    trace: Array  # the objective after each step
    converged: bool


COUNTED = Account(None, np.empty(0), converged=True)
COUNTED.trace.flags.writeable = False


class Search(NamedTuple):
    """How to climb; see `BeliefNetwork.fit`."""

    method: str | None
    starts: int | str
    seed: int
    max_iter: int
    tol: float
    learning_rate: float | None = None

    def checked(self, rule: TableSmoothing) -> "Search":
        """This, if it makes sense, also with this smoothing."""
        check_one_of("method", self.method, [None, *METHODS])
        if not isinstance(self.starts, str):
            check_whole_number("starts", self.starts, 1)
        elif self.starts != FROM_TABLES:
            raise ValueError(
                f"starts must be a whole number of 1 or more, or {FROM_TABLES!r} for the current "
                f"tables of the network, got {self.starts!r}."
            )
        check_whole_number("seed", self.seed, 0)
        check_whole_number("max_iter", self.max_iter, 1)
        check_number("tol", self.tol)
        if self.learning_rate is not None:
            self._check_learning_rate(rule)
        return self

    def _check_learning_rate(self, rule: TableSmoothing) -> None:
        rate: Any = self.learning_rate
        if not is_number(rate) or not 0 < rate < math.inf:
            raise ValueError(
                f"learning_rate must be a number above 0, got {rate!r}. None finds one for each "
                "step."
            )
        if self.method != "gradient":
            raise ValueError(
                f"learning_rate is only for method='gradient', got {rate!r} with "
                f"method={self.method!r}. Leave it out."
            )
        if rule != Lambda(0.0):
            raise ValueError(
                "The steps of a learning_rate climb the likelihood alone, with smoothing=0, got "
                f"{rule}. Leave one of the two out."
            )


def checked_account(given: object) -> Account:
    """The account in a file, which may say anything.

    >>> checked_account((None, np.empty(0), True)).method is None
    True
    """
    if isinstance(given, tuple) and len(given) == 3:
        method, trace, converged = given
        is_known = method is None or (isinstance(method, str) and method in METHODS)
        is_trace = isinstance(trace, np.ndarray) and trace.dtype == np.float64 and trace.ndim == 1
        if is_known and is_trace and type(converged) is bool:
            return Account(method, trace, converged)
    raise ValueError("A network has learned by counting, by EM, or along the gradient.")


def checked_smoothing(smoothing: Any) -> TableSmoothing:
    """The rule behind what a user gives: a number, ("bdeu", ess), "back-off", ("back-off", s).

    >>> checked_smoothing(1), checked_smoothing(("bdeu", 10)).pseudo_count((2, 5))
    (Lambda(amount=1.0), 1.0)
    >>> checked_smoothing("back-off"), checked_smoothing(("back-off", 2))
    (BackOff(amount=None), BackOff(amount=2.0))
    """
    if isinstance(smoothing, str) and smoothing == "back-off":
        return BackOff(None)
    is_pair = isinstance(smoothing, (tuple, list)) and len(smoothing) == 2
    name, amount = smoothing if is_pair else ("lambda", smoothing)
    is_finite = is_number(amount) and math.isfinite(amount)
    rules: dict[str, Callable[[float], TableSmoothing]] = (
        {"bdeu": BDeu, "back-off": BackOff} if is_pair else {"lambda": Lambda}
    )
    if not isinstance(name, str) or name not in rules or not is_finite:
        raise ValueError(
            "smoothing must be a number of 0 or more, ('bdeu', equivalent sample size), 'back-off' "
            f"or ('back-off', strength), got {smoothing!r}. Use 1 for Laplace smoothing, 0 for "
            "plain shares."
        )
    if amount < 0 or (name == "bdeu" and amount == 0):
        raise ValueError(
            f"smoothing must be 0 or more, an equivalent sample size above 0; got {smoothing!r}. "
            "Use 1 for Laplace smoothing, 0 for plain shares."
        )
    return rules[name](float(amount))


def as_pseudo_counts(rule: TableSmoothing, what: str) -> PseudoCounts:
    """The rule, for what needs pseudo-counts that are the same whatever was counted."""
    if isinstance(rule, BackOff):
        raise ValueError(
            f"{what} needs pseudo-counts, which back-off does not have: what a share leans on "
            "changes with the counts. Give smoothing=1, or ('bdeu', 1)."
        )
    return rule


def with_strength(
    rule: TableSmoothing, counts: FamilyCounts, states: Mapping[str, States]
) -> TableSmoothing:
    """The rule; if its strength is open, with the one under which left-out rows are likeliest."""
    if isinstance(rule, BackOff) and rule.amount is None:
        return BackOff(best_strength(counts.tables(states).values()))
    return rule


def _table_shares(counts: Array, rule: TableSmoothing) -> Array:
    if isinstance(rule, BackOff):
        return backed_off_shares(counts, rule.amount)
    return smoothed_shares(counts, rule.pseudo_count(counts.shape))


def estimated_tables(
    counts: FamilyCounts, given: Mapping[str, States | None], rule: TableSmoothing
) -> tuple[dict[str, States], dict[str, ConditionalTable]]:
    """The states and the table of every variable.

    given : states that were given keep their order; those that the counts have besides follow
    """
    states = {name: its for name, its in followed_by(given, counts.states).items() if its}
    if len(states) < len(given):
        raise ValueError(
            "These are all the rows that were learned: without them the states of the "
            "variables are not known. Make a new network instead."
        )
    rule = with_strength(rule, counts, states)
    shares = {
        name: _table_shares(of_family, rule) for name, of_family in counts.tables(states).items()
    }
    tables = {
        name: ConditionalTable(
            name, states[name], parents, tuple(states[parent] for parent in parents), shares[name]
        )
        for name, parents in counts.parents.items()
    }
    return states, tables


# how sure the entries are ---------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class TableUncertainty(Immutable):
    """Mean, standard deviation and interval of each entry of P(variable | parents).

    All arrays have the shape of the table: the states of the parents, those of the variable last.
    The interval holds the entry with probability `level`, and as much is left out at either end.
    """

    variable: str
    states: States
    parents: tuple[str, ...]
    parent_states: tuple[States, ...]
    level: float
    mean: Array
    standard_deviation: Array
    lower: Array
    upper: Array

    def entries(self) -> Iterator[tuple[tuple[Any, ...], dict[str, float]]]:
        """Names of the parents' states and the state, and the numbers, entry by entry."""
        numbers = {
            name: getattr(self, name).ravel().tolist()
            for name in ("mean", "standard_deviation", "lower", "upper")
        }
        for index, names in enumerate(product(*self.parent_states, self.states)):
            yield names, {name: values[index] for name, values in numbers.items()}

    def __str__(self) -> str:
        head = [*self.parents, self.variable, "mean", "sd", f"{self.level:.0%}", "interval"]
        rows = [head]
        for names, numbers in islice(self.entries(), MOST_ROWS):
            rows.append([*map(str, names), *map(probability_text, numbers.values())])
        left = self.mean.size - MOST_ROWS
        lines = aligned(rows, numbers=range(len(head) - 4, len(head)))
        return "\n".join([*lines, *([f"  ({left} more entries)"] if left > 0 else [])])

    def __repr__(self) -> str:
        return f"TableUncertainty({self.variable}, shape={self.mean.shape}, level={self.level})"


def table_uncertainty(
    table: ConditionalTable, counts: Array, rule: TableSmoothing, level: object
) -> TableUncertainty:
    """The uncertainty of one table; the pseudo-count of the rule must be above 0.

    table : for its names; counts : those of its family, in the same order
    """
    if not (isinstance(level, (int, float)) and 0 < level < 1):
        raise ValueError(f"level must be between 0 and 1, got {level!r}. Use 0.95 for 95 %.")
    prior = as_pseudo_counts(rule, "The uncertainty of a table")
    pseudo_count = prior.pseudo_count(counts.shape)
    if pseudo_count == 0:
        raise ValueError(
            "The uncertainty of a table needs a prior: with smoothing=0 what was never seen "
            "would be certain never to occur. Set smoothing=1, for every table equally likely a "
            "priori."
        )
    parameters = counts + pseudo_count
    return TableUncertainty(
        table.variable,
        table.states,
        table.parents,
        table.parent_states,
        float(level),
        *_dirichlet_moments(parameters),
        *_dirichlet_interval(parameters, level),
    )


def _dirichlet_moments(parameters: Array) -> tuple[Array, Array]:
    """Mean and standard deviation of the entries; parameters along the last axis.

    >>> mean, deviation = _dirichlet_moments(np.array([2.0, 1.0, 1.0]))
    >>> mean, deviation.round(4)
    (array([0.5 , 0.25, 0.25]), array([0.2236, 0.1936, 0.1936]))
    """
    total = parameters.sum(axis=-1, keepdims=True)
    mean = parameters / total
    return mean, np.sqrt(mean * (1 - mean) / (total + 1))


def _dirichlet_interval(parameters: Array, level: float) -> tuple[Array, Array]:
    """Between which two numbers each entry is with this probability, equal tails left out.

    >>> lower, upper = _dirichlet_interval(np.array([1.0, 1.0]), level=0.9)
    >>> lower.round(4), upper.round(4)
    (array([0.05, 0.05]), array([0.95, 0.95]))
    """
    from scipy.special import betaincinv

    rest = parameters.sum(axis=-1, keepdims=True) - parameters
    tail = (1 - level) / 2
    if parameters.shape[-1] == 1:  # a single state is certain
        return np.ones_like(parameters), np.ones_like(parameters)
    return betaincinv(parameters, rest, tail), betaincinv(parameters, rest, 1 - tail)
