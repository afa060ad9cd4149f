"""Rows with gaps -> expected family counts: the best of several climbs, by EM or the gradient."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from bayesic.data.arguments import tell
from bayesic.data.typing import ArrayLike, TableLike
from bayesic.estimation.smoothing import PseudoCounts, smoothed_shares
from bayesic.mixtures.em import climb
from bayesic.networks._learning.estimates import Account, Search
from bayesic.networks._learning.gradient import gradient_ascent
from bayesic.networks._learning.incomplete import (
    Ascent,
    IncompleteRows,
    Objective,
    Tables,
    incomplete_rows,
    objective_of,
)
from bayesic.networks.variable_names import listed
from bayesic.statistics.families import FamilyCounts

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork


def expected_from(
    network: "BeliefNetwork",
    table: TableLike,
    sample_weight: ArrayLike | None,
    rule: PseudoCounts,
    search: Search,
) -> tuple[FamilyCounts, Account]:
    """The family counts expected of the rows of a table by a network; see `expected_families`."""
    if not isinstance(search.starts, str):
        rows = incomplete_rows(table, network._parents, network._given_states, sample_weight)
        return expected_families(rows, rule, search)
    given = [network.table(name).values for name in network.variables]
    known = {name: network.states(name) for name in network.variables}
    rows = incomplete_rows(table, network._parents, known, sample_weight)
    for name, states in rows.states.items():
        if len(states) > len(known[name]):
            raise ValueError(
                f"starts='tables' needs a place in the tables for every state, but {name} has "
                f"{states[-1]!r}, which is none of {listed(known[name])}. Name the state when the "
                "network is made, or leave out starts."
            )
    return expected_families(rows, rule, search, given)


def expected_families(
    rows: IncompleteRows, rule: PseudoCounts, search: Search, given: Tables | None = None
) -> tuple[FamilyCounts, Account]:
    """The family counts expected at the best end of all climbs, and how that one went.

    given : the tables to start from, for starts="tables"

    >>> from bayesic.networks._learning.estimates import checked_smoothing
    >>> from bayesic.networks._learning.incomplete import incomplete_rows
    >>> rows = incomplete_rows({"Rain": ["yes", None, "yes", "no"]}, {"Rain": ()}, {"Rain": None})
    >>> search = Search("em", starts=1, seed=0, max_iter=100, tol=1e-12)
    >>> counts, account = expected_families(rows, checked_smoothing(0), search)
    >>> counts.table.round(4), account.converged
    (array([1.3333, 2.6667]), True)
    """
    objective = objective_of(rows, rule)
    best: Ascent | None = None
    for start in _starts(rows, search, given):
        if search.method == "em":
            ascent = em_ascent(objective, start, search.max_iter, search.tol)
        else:
            how = search.max_iter, search.tol, search.learning_rate
            ascent = gradient_ascent(objective, start, *how)
        if best is None or ascent.trace[-1] > best.trace[-1]:
            best = ascent
    assert best is not None  # there is a start or more
    # max_iter=1 is for looking at single steps, so it gets no warning
    if not best.converged and len(best.trace) == search.max_iter > 1:
        tell(
            f"The tables have not converged within max_iter={search.max_iter} steps. Raise "
            "max_iter, or tol if the last digits do not matter."
        )
    return _families(rows, best.counts), Account(search.method, best.trace, best.converged)


def _starts(rows: IncompleteRows, search: Search, given: Tables | None) -> Iterable[Tables]:
    if isinstance(search.starts, str):
        assert given is not None
        return [given]
    return (start_tables(rows, search.seed, number) for number in range(search.starts))


def _families(rows: IncompleteRows, counts: Tables) -> FamilyCounts:
    parents = dict(rows.parents)
    table = np.concatenate([of_family.ravel() for of_family in counts])
    return FamilyCounts(parents, rows.states, table).trimmed()


def start_tables(rows: IncompleteRows, seed: int, number: int) -> Tables:
    """The tables of one of several starts, without a 0: nothing is impossible.

    The first start, number 0, has the shares of the rows in which a whole family was observed, with
    pseudo-counts by chance (exponential, of mean 1). Where no row is, such as around a variable
    that is never observed, this is a row of a table drawn uniformly. Equal shares would never do
    there: the states of the variable would stay the same for ever. All other starts are drawn
    uniformly everywhere.

    A start depends on the seed and its number alone, not on how many there are.

    >>> from bayesic.networks._learning.incomplete import incomplete_rows
    >>> days = {"Rain": ["yes"] * 6000 + ["no"] * 3000 + [None] * 1000}
    >>> rows = incomplete_rows(days, {"Rain": ()}, {"Rain": None})
    >>> start_tables(rows, seed=0, number=0)[0].round(2)
    array([0.33, 0.67])
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    return [
        smoothed_shares((number == 0) * counts + rng.exponential(size=counts.shape), 0.0)
        for counts in rows.observed_counts()
    ]


def em_ascent(objective: Objective, start: Tables, max_iter: int, tol: float) -> Ascent:
    """Climb from these tables by EM ([Dempster], [Lauritzen1995]).

        E    N_ijk = sum over rows d of P(Y_i = j, parents of Y_i = k | d, w)
        M    w_ijk = (N_ijk + a_ijk) / sum over j of (N_ijk + a_ijk)

    A row fills its gaps with every state, each with the probability that the tables give it there;
    then all is counted as if it had been observed. No step lowers the objective.

    tol : stop when a step gains no more than this share of the objective

    The counts are those of which the last M-step made its tables.

    >>> from bayesic.networks._learning.estimates import checked_smoothing
    >>> from bayesic.networks._learning.incomplete import incomplete_rows
    >>> days = {"Rain": ["yes", "yes", "no", None]}
    >>> rows = incomplete_rows(days, {"Rain": ()}, {"Rain": None})
    >>> objective = objective_of(rows, checked_smoothing(0))
    >>> done = em_ascent(objective, [np.array([0.5, 0.5])], max_iter=100, tol=1e-12)
    >>> objective.estimate(done.counts)[0].round(4), done.converged
    (array([0.3333, 0.6667]), True)
    """
    expected, value = objective.expect(start)
    if value == -np.inf:
        raise ValueError(
            "Some row is impossible under the tables to start from, so it has no expected "
            "counts. Use tables without a 0 where rows have something, or starts=1."
        )
    ascent = climb(expected, objective.expect, objective.estimate, max_iter, tol)
    return Ascent(ascent.hidden, ascent.trace, ascent.converged)
