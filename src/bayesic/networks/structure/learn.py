"""A network from a table: its edges by one of several methods, then its tables by counting."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.kernels.structure import ADD, DROP, TURN
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.structure.account import SearchAccount, Step
from bayesic.networks.structure.coded_columns import in_one_array, named_states
from bayesic.networks.structure.limits import listed_edges, members_of
from bayesic.networks.structure.search import Options, Structure, check_options, search
from bayesic.statistics.families import family_counts

if TYPE_CHECKING:
    from bayesic.networks.structure.partial_graph import Edge

_CHANGES = {ADD: "add", DROP: "drop", TURN: "turn"}


def learn_structure(
    table: Any,
    method: str = "hill-climb",
    score: Any = None,
    order: Sequence[str] | None = None,
    max_parents: int | None = None,
    required: "Iterable[Edge]" = (),
    forbidden: "Iterable[Edge]" = (),
    tiers: Sequence[Sequence[str]] | None = None,
    restarts: int | None = None,
    seed: int = 0,
    test: str | None = None,
    significance: float | None = None,
    smoothing: Any = 0,
) -> BeliefNetwork:
    """A network whose edges and tables are learned from a table.

    table       : any dataframe, dict of columns or list of dicts; each column is a variable. Cells
        are texts, booleans or a few whole numbers, none of them null
    method      : "hill-climb", "k2", "exact" (up to 20 variables), "chow-liu" (a tree) or "pc"
    score       : "bic", "aic", "k2", "bdeu", or ("bdeu", equivalent sample size), which is 1
        otherwise; by default "bic", and "k2" for the method of this name
    order       : for "k2", all columns, parents before children
    max_parents : of a variable
    required, forbidden : edges (parent, child) that must be there, and that must not
    tiers       : lists of columns; no edge leads from a later list to an earlier one
    restarts    : climbs from other starts, for "hill-climb"; 20 by default
    seed        : of the restarts; the same seed gives the same network
    test, significance : for "pc", "g-squared" or "chi-squared", and the level, 0.05 by default
    smoothing   : of the tables; see `BeliefNetwork.fit`

    `search_` of the network is an account: the steps with the score after each, how much the score
    would fall without each edge, for "pc" the edges whose direction the data does not tell. The
    order of rows or columns has no part in the edges.

    >>> days = {"rain": ["yes", "no"] * 20, "wet": ["yes", "no"] * 19 + ["yes", "yes"]}
    >>> net = learn_structure(days)
    >>> net.edges
    [('wet', 'rain')]
    >>> print(net.search_)
    hill-climb: 1 edge, bic -37.2, 1 step
      wet -> rain  21.9
    """
    options = Options(
        method, score, order, max_parents, listed_edges("required", required),
        listed_edges("forbidden", forbidden), tiers, restarts, seed, test,
        significance,
    )  # fmt: skip
    columns = named_states(table)
    check_options(options, [*columns])
    account = account_of(search(in_one_array(columns), options), options, [*columns])
    net = BeliefNetwork([*account.edges], states=dict.fromkeys(columns))
    net._learn(family_counts(columns, net._parents), smoothing)
    net.search_ = account
    return net


def account_of(found: Structure, options: Options, names: Sequence[str]) -> SearchAccount:
    """What the search did; edges by child and parent, in the order of these names."""
    variables, scores = found.scores.columns.variables, found.scores
    families = [scores.changes(child, members_of(row)) for child, row in enumerate(found.parents)]
    gains = {
        (variables[parent], variables[child]): -float(families[child][1][parent])
        for child, parent in np.argwhere(found.parents).tolist()
    }
    place = {name: number for number, name in enumerate(names)}
    edges = sorted(gains, key=lambda edge: (place[edge[1]], place[edge[0]]))
    return SearchAccount(
        options.method,
        scores.rule.name,
        sum(own for own, _ in families),
        {edge: gains[edge] for edge in edges},
        _steps(found, variables),
        found.undirected,
        found.message,
    )


def _steps(found: Structure, variables: Sequence[str]) -> tuple[Step, ...]:
    steps = [
        Step(
            _CHANGES[move.kind],
            (variables[move.parent], variables[move.child]),
            move.gain,
            move.score,
        )
        for move in found.moves
    ]
    for _, score in found.restarts:
        before = steps[-1].score if steps else float(score)
        steps.append(Step("restart", None, score - before, score))
    return tuple(steps)
