"""What a search for a structure did, and what each edge is worth."""

from collections.abc import Mapping, Sized
from dataclasses import dataclass

from bayesic.html import MOST_ROWS, html_table, left_out
from bayesic.networks.structure.partial_graph import Edge


@dataclass(frozen=True)
class Step:
    """One step of a search: what it gained, and the score of the structure after it."""

    change: str  # "add", "drop", "turn": of the edge; "restart": a climb from elsewhere was better
    edge: Edge | None  # (parent, child); before it was turned, if it was
    gain: float
    score: float


@dataclass(frozen=True, repr=False)
class SearchAccount:
    """How a structure was found. Scores are logarithms.

    >>> steps = (Step("add", ("rain", "wet"), 12.5, -80.0),)
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
    steps: tuple[Step, ...] = ()
    undirected: tuple[Edge, ...] = ()  # of "pc": edges whose direction the data does not tell
    message: str = ""  # of "pc": where the tests contradict each other

    @property
    def trace(self) -> tuple[float, ...]:
        """The score after each step."""
        return tuple(step.score for step in self.steps)

    def __repr__(self) -> str:
        return f"<SearchAccount {self._headline()}>"

    def _headline(self) -> str:
        edges, steps = _counted(self.edges, "edge"), _counted(self.steps, "step")
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


def _counted(some: Sized, name: str) -> str:
    return f"{len(some)} {name}" if len(some) == 1 else f"{len(some)} {name}s"
