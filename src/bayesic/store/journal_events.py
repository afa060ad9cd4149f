"""The values that a store returns: events, receipts, and states of models."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bayesic.store.plain_rows import Row


@dataclass(frozen=True)
class Event:
    """One line of the journal: what happened to a model, or to one of its rows."""

    seq: int  # its number: events are in the order of these, whatever the clock says
    op: str  # "create", "learn", "forget", "correct", "leave" (its window), "adopt"
    id: str  # of the row; "" where an event is of no row
    time: float  # seconds since 1970; it never falls
    row: Row | None  # as learned or corrected; None where there is none, or it was dropped


@dataclass(frozen=True)
class Receipt:
    """The result of a call. It is on the disk."""

    ids: tuple[str, ...] = ()
    seqs: tuple[int, ...] = ()  # the number of the event of each row
    already: tuple[bool, ...] = ()  # whether it had happened before, so that nothing was done

    @property
    def seq(self) -> int:
        """The last event of the call: a state from this one on has all of it.

        >>> Receipt(("mail 1", "mail 2"), (7, 5), (False, True)).seq
        7
        """
        return max(self.seqs, default=0)


@dataclass(frozen=True, eq=False)
class State:
    """A model, and the last event that is in it. Neither ever changes."""

    seq: int
    model: Any


@dataclass(frozen=True, eq=False)
class StoredModel:
    """All that is kept in memory of a model of the store."""

    number: int  # in the journal, where names may come again
    name: str
    declared: Mapping[str, Any]  # arguments of the first `partial_fit`: classes, smoothing
    state: State
    snapshot_seq: int  # of the last snapshot
    n_since: int = 0  # events since then
    problem: str = ""  # why there is no state, if it is damaged
    window: Any = None  # how many rows it learns from, or a span of time; None for all
    inside: Any = None  # what is in the window, once it was read
