"""What is open in the studio: documents, each with all of its versions, which never change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any

from bayesic.networks.network import BeliefNetwork
from bayesic.studio.network._boxes import drawn
from bayesic.studio.network._question_cost import QuestionCost, cost_of

KEYS = count()
MOST_CUTS = 8  # that are kept of a version


@dataclass(frozen=True, eq=False)
class Version:
    """A network as it was after so many edits. It is never fitted in place."""

    number: int
    network: BeliefNetwork
    key: int = field(default_factory=KEYS.__next__)  # no other version of any document has it
    _cuts: dict[tuple, "Version"] = field(default_factory=dict, repr=False)

    def after(self, do: Mapping[str, object]) -> "Version":
        """The version after variables were set from outside; kept, for it is asked again."""
        if not do:
            return self
        key = tuple(do.items())
        if key not in self._cuts:
            if len(self._cuts) >= MOST_CUTS:
                self._cuts.clear()
            self._cuts[key] = Version(self.number, self.network.do(do))
        return self._cuts[key]

    @cached_property
    def boxes(self) -> dict[str, Any]:
        """Its cards and edges, with no card opened. The layout of a large network takes long."""
        return drawn(self.network)

    @cached_property
    def cost(self) -> QuestionCost:
        """What a question costs at most."""
        return cost_of(self.network)


@dataclass(frozen=True, eq=False)
class Document:
    """An open network: the versions that it has had, and the one that all see, its head."""

    name: str
    title: str
    versions: tuple[Version, ...]
    head: int = 0
    file: str | None = None

    def version(self, number: int | None = None) -> Version:
        """One of its versions; None for the head."""
        number = self.head if number is None else number
        if not 0 <= number < len(self.versions):
            raise ValueError(
                f"{self.name} has the versions 0 to {len(self.versions) - 1}, got {number}. Load "
                "the page again."
            )
        return self.versions[number]

    def with_network(self, network: BeliefNetwork) -> "Document":
        """The document after an edit: a new version, which is the head."""
        number = len(self.versions)
        return replace(self, versions=(*self.versions, Version(number, network)), head=number)

    def at(self, number: int) -> "Document":
        """The document with another of its versions as the head."""
        return replace(self, head=self.version(number).number)


@dataclass(eq=False)
class Documents:
    """All that is open, by name. Only the thread that answers requests changes it."""

    _open: dict[str, Document] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Document]:
        return iter(self._open.values())

    def __contains__(self, name: object) -> bool:
        return name in self._open

    def __getitem__(self, name: str) -> Document:
        if name not in self._open:
            shown = ", ".join(self._open) or "none"
            raise ValueError(f"There is no open document {name!r:.100}. Open: {shown:.500}.")
        return self._open[name]

    def add(
        self, name: str, network: BeliefNetwork, title: str = "", file: str | None = None
    ) -> Document:
        """Open a network under this name, or under one like it that is free."""
        free = free_name(name, self._open)
        return self.put(Document(free, title or free, (Version(0, network),), file=file))

    def put(self, document: Document) -> Document:
        """Keep a document in place of the one of its name."""
        self._open[document.name] = document
        return document

    def close(self, name: str) -> None:
        """Forget a document with all its versions."""
        del self._open[self[name].name]


def free_name(name: str, taken: Mapping[str, object]) -> str:
    """A name that can stand in an address, and that nothing else has.

    >>> free_name("asia", {"asia": ...}), free_name(" a/b ", {})
    ('asia 2', 'a-b')
    """
    plain = "".join(c if c.isprintable() and c not in "/\\" else "-" for c in name).strip()
    plain = plain.strip(".")[:80].strip() or "network"
    number, found = 2, plain
    while found in taken:
        found, number = f"{plain} {number}", number + 1
    return found
