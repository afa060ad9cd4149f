"""The same rows under another model."""

import sqlite3
from collections.abc import Iterator, Mapping
from inspect import signature
from itertools import groupby
from typing import Any

from bayesic.data.arguments import has_learned
from bayesic.data.snapshots import snapshot
from bayesic.networks.network import BeliefNetwork
from bayesic.store._adopting import taken_out
from bayesic.store._fold import Call, applied, folded
from bayesic.store._journal_lines import JournalLine, Problem, refuse, surviving
from bayesic.store._model_snapshots import beginning
from bayesic.store.errors import UnknownIdError
from bayesic.store.journal_events import StoredModel
from bayesic.store.plain_rows import Row


def replayed(connection: sqlite3.Connection, stored: StoredModel, other: object) -> Any:
    """The rows that a model knows, learned by another, or by itself with other parameters.

    other : parameters by name, a model, or None for the same
    """
    model, declared = beginning(connection, stored), dict(stored.declared)
    is_same = other is None or isinstance(other, Mapping)  # it begins with the rows adopted since
    extra = taken_out(connection, stored.number) if is_same else []
    if other is not None and not isinstance(other, Mapping):
        model = snapshot(other)
    elif other and isinstance(model, BeliefNetwork):
        declared |= other
    elif other:
        model.set_params(**other)
    _check(model)
    takes = signature(model.partial_fit).parameters
    if "classes" in takes and "classes" not in declared and not has_learned(model):
        labels = {row.y for _, _, row in surviving_rows(connection, stored)}
        declared["classes"] = sorted(labels)  # also for models that must know them before
    declared = {name: value for name, value in declared.items() if name in takes}
    model = applied(model, Call(0, forgotten=extra), declared)
    return folded(model, _calls(connection, stored, with_adopted=not is_same), declared)


def _check(model: object) -> None:
    """Refuse what cannot learn in pieces, and parameters that make no sense."""
    if not hasattr(model, "partial_fit"):
        raise TypeError(
            f"Rows are replayed by a model that learns by partial_fit, got a "
            f"{type(model).__name__}. Use export, and fit it on the file."
        )
    if hasattr(model, "_check_parameters"):
        model._check_parameters()


def _calls(
    connection: sqlite3.Connection, stored: StoredModel, with_adopted: bool
) -> Iterator[Call]:
    """What is left of each call."""
    which = "1" if with_adopted else "op != 'adopt'"
    found = surviving(connection, stored.number, which)
    for _, group in groupby(found, lambda line: line.call):
        learned = list(group)
        yield Call(learned[-1].seq, list(map(known_row, learned)), time=learned[-1].time)


def surviving_rows(
    connection: sqlite3.Connection, stored: StoredModel, problem: Problem = refuse
) -> Iterator[tuple[str, float, Row]]:
    """Each row that the model knows, with its id and the time at which it was learned."""
    for line in surviving(connection, stored.number, problem=problem):
        yield line.id, line.time, known_row(line)


def known_row(line: JournalLine) -> Row:
    """The row of an event that was not forgotten, if it was not dropped."""
    row = line.row
    if row is None:
        raise UnknownIdError(
            f"The rows are no longer there: compact(keep_rows=False) has dropped {line.id!r:.80} "
            "and all that was learned before. Keep the model with store.model(name)."
        )
    return row
