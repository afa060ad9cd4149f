"""A network from a table: its edges by one of several methods, then its tables by counting.

The account of a search says what it did, and what each edge is worth.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bayesic.data.coded import Coded
from bayesic.data.typing import NetworkSmoothing, StructureMethod, StructureScore, TableLike
from bayesic.html import MOST_ROWS, html_table, left_out
from bayesic.kernels.structure import ADD, DROP, TURN
from bayesic.networks._structure.coded_columns import (
    in_one_array,
    named_states,
    with_equal_rows_once,
)
from bayesic.networks._structure.edge_limits import listed_edges, members_of
from bayesic.networks._structure.partial_graph import Edge
from bayesic.networks._structure.search import Options, Structure, check_options, search
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.network_text import counted
from bayesic.statistics.families import family_counts

_CHANGES = {ADD: "add", DROP: "drop", TURN: "turn"}


@dataclass(frozen=True)
class SearchStep:
    """One step of a search: what it gained, and the score of the structure after it."""

    change: str  # "add", "drop", "turn": of the edge; "restart": a climb from elsewhere was better
    edge: Edge | None  # (parent, child); before it was turned, if it was
    gain: float
    score: float


@dataclass(frozen=True, repr=False)
class SearchAccount:
    """How a structure was found. Scores are logarithms.

    >>> steps = (SearchStep("add", ("rain", "wet"), 12.5, -80.0),)
    >>> account = SearchAccount("hill-climb", "bic", -80.0, {("rain", "wet"): 12.5}, steps)
    >>> print(account)
    hill-climb: 1 edge, bic -80.0, 1 step
      rain -> wet  12.5
    >>> account.trace
    (-80.0,)
    """

    method: str
    score_name: str
    score: float  # of the structure
    edges: Mapping[Edge, float]  # how much the score would fall without the edge
    steps: tuple[SearchStep, ...] = ()
    undirected: tuple[Edge, ...] = ()  # of "pc": edges whose direction the data does not tell
    message: str = ""  # of "pc": where the tests contradict each other

    @property
    def trace(self) -> tuple[float, ...]:
        """The score after each step."""
        return tuple(step.score for step in self.steps)

    def __repr__(self) -> str:
        return f"<SearchAccount {self._headline()}>"

    def _headline(self) -> str:
        edges, steps = counted(len(self.edges), "edge"), counted(len(self.steps), "step")
        return f"{self.method}: {edges}, {self.score_name} {self.score:.1f}, {steps}"

    def _names(self) -> list[str]:
        """The edges as text; those whose direction the data does not tell without an arrow."""
        either_way = {*self.undirected, *(edge[::-1] for edge in self.undirected)}
        return [
            f"{parent} {'--' if (parent, child) in either_way else '->'} {child}"
            for parent, child in self.edges
        ]

    def _repr_html_(self) -> str:
        gains = [f"{gain:.1f}" for gain in self.edges.values()]
        rows = [*zip(self._names(), gains, strict=True)][:MOST_ROWS]
        notes = [*left_out(len(gains), "edges"), *filter(None, [self.message])]
        headers = ("edge", "the score falls without it by")
        return html_table(headers, rows, self._headline(), "lr", notes=notes)

    def __str__(self) -> str:
        names = self._names()
        width = max(map(len, names), default=0)
        lines = [
            f"  {name:{width}}  {gain:.1f}"
            for name, gain in zip(names, self.edges.values(), strict=True)
        ]
        return "\n".join([self._headline(), *lines, *filter(None, [self.message])])


def learn_structure(
    table: TableLike,
    method: StructureMethod = "hill-climb",
    score: StructureScore | None = None,
    order: Sequence[str] | None = None,
    max_parents: int | None = None,
    required: Iterable[Edge] = (),
    forbidden: Iterable[Edge] = (),
    tiers: Sequence[Sequence[str]] | None = None,
    restarts: int | None = None,
    seed: int = 0,
    test: Literal["g-squared", "chi-squared"] | None = None,
    significance: float | None = None,
    smoothing: NetworkSmoothing = 0,
) -> BeliefNetwork:
    """A network whose edges and tables are learned from a table.

    table       : any dataframe, dict of columns or list of dicts, a file or a lazy table; each
        column is a variable. Cells are texts, booleans or a few whole numbers, none of them null
    method      : "hill-climb", "k2", "exact" (up to 20 variables), "chow-liu" (a tree) or "pc"
    score       : "bic", "aic", "k2", "bdeu", or ("bdeu", equivalent sample size), which is 1
        otherwise; by default "bic", and "k2" for the method of this name
    order       : for "k2", all columns, parents before children
    max_parents : of a variable
    required, forbidden : edges (parent, child) that must, and must not, be in the network
    tiers       : lists of columns; no edge leads from a later list to an earlier one
    restarts    : climbs from other starts, for "hill-climb"; 20 by default
    seed        : of the restarts; the same seed gives the same network
    test, significance : for "pc", "g-squared" or "chi-squared", and the level, 0.05 by default
    smoothing   : of the tables; see `BeliefNetwork.fit`

    `search_` of the network records the search: the steps with the score after each, how much the
    score would fall without each edge, for "pc" the edges whose direction the data do not
    determine. The edges do not depend on the order of rows or columns.

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
    named = named_states(table)
    names = [*named.columns]
    check_options(options, names)
    columns = with_equal_rows_once(in_one_array(named))
    account = _account_of(search(columns, options), options, names)
    net = BeliefNetwork([*account.edges], states=dict.fromkeys(names))
    coded = {
        name: Coded(codes, states)
        for name, states, codes in zip(
            columns.variables, columns.states, columns.codes, strict=True
        )
    }
    net._learn(family_counts(coded, net._parents, columns.weights), smoothing)
    net.search_ = account
    return net


def _account_of(structure: Structure, options: Options, names: Sequence[str]) -> SearchAccount:
    """What the search did; edges by child and parent, in the order of these names."""
    variables, scores = structure.scores.columns.variables, structure.scores
    families = [
        scores.changes(child, members_of(row)) for child, row in enumerate(structure.parents)
    ]
    gains = {
        (variables[parent], variables[child]): -float(families[child][1][parent])
        for child, parent in np.argwhere(structure.parents).tolist()
    }
    index_of = {name: number for number, name in enumerate(names)}
    edges = sorted(gains, key=lambda edge: (index_of[edge[1]], index_of[edge[0]]))
    return SearchAccount(
        options.method,
        scores.rule.name,
        sum(own for own, _ in families),
        {edge: gains[edge] for edge in edges},
        _steps(structure, variables),
        structure.undirected,
        structure.message,
    )


def _steps(structure: Structure, variables: Sequence[str]) -> tuple[SearchStep, ...]:
    steps = [
        SearchStep(
            _CHANGES[move.kind],
            (variables[move.parent], variables[move.child]),
            move.gain,
            move.score,
        )
        for move in structure.moves
    ]
    for _, score in structure.restarts:
        before = steps[-1].score if steps else float(score)
        steps.append(SearchStep("restart", None, score - before, score))
    return tuple(steps)
