"""Rows with gaps -> expected family counts: the best of several climbs."""

from typing import NamedTuple

import numpy as np

from bayesic.data.arguments import check_number, check_one_of, check_whole_number
from bayesic.data.notices import tell
from bayesic.estimation.shares import TableSmoothing
from bayesic.networks.learning.account import METHODS, Account
from bayesic.networks.learning.em import em_ascent
from bayesic.networks.learning.gradient import gradient_ascent
from bayesic.networks.learning.incomplete import IncompleteRows
from bayesic.networks.learning.objective import Ascent, Tables, objective_of
from bayesic.networks.learning.starts import start_tables
from bayesic.statistics.families import FamilyCounts

ASCENTS = {"em": em_ascent, "gradient": gradient_ascent}


class Search(NamedTuple):
    """How to climb; see `Learnable.fit`."""

    method: str
    starts: int
    seed: int
    max_iter: int
    tol: float

    def checked(self) -> "Search":
        """This, if it makes sense."""
        check_one_of("method", self.method, [None, *METHODS])
        check_whole_number("starts", self.starts, 1)
        check_whole_number("seed", self.seed, 0)
        check_whole_number("max_iter", self.max_iter, 1)
        check_number("tol", self.tol)
        return self


def expected_families(
    rows: IncompleteRows, rule: TableSmoothing, search: Search
) -> tuple[FamilyCounts, Account]:
    """The family counts expected at the best end of all climbs, and how that one went.

    >>> from bayesic.networks.learning.estimates import checked_smoothing
    >>> from bayesic.networks.learning.incomplete import incomplete_rows
    >>> rows = incomplete_rows({"Rain": ["yes", None, "yes", "no"]}, {"Rain": ()}, {"Rain": None})
    >>> search = Search("em", starts=1, seed=0, max_iter=100, tol=1e-12)
    >>> counts, account = expected_families(rows, checked_smoothing(0), search)
    >>> counts.table.round(4), account.converged
    (array([1.3333, 2.6667]), True)
    """
    objective = objective_of(rows, rule)
    ascend = ASCENTS[search.method]
    best: Ascent | None = None
    for number in range(search.starts):
        start = start_tables(rows, search.seed, number)
        ascent = ascend(objective, start, search.max_iter, search.tol)
        if best is None or ascent.trace[-1] > best.trace[-1]:
            best = ascent
    assert best is not None  # there is a start or more
    if not best.converged and len(best.trace) == search.max_iter:
        tell(
            f"The tables have not converged within max_iter={search.max_iter} steps. Raise "
            "max_iter, or tol if the last digits do not matter."
        )
    return _families(rows, best.counts), Account(search.method, best.trace, best.converged)


def _families(rows: IncompleteRows, counts: Tables) -> FamilyCounts:
    parents = dict(rows.parents)
    table = np.concatenate([of_family.ravel() for of_family in counts])
    return FamilyCounts(parents, rows.states, table).trimmed()
