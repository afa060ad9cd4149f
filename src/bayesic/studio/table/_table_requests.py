"""What the requests of the table desk share: the table, the model, what happened to its rows."""

from collections.abc import Mapping
from typing import Any

from bayesic.serve.server import ServerRequest
from bayesic.store.journal_events import State
from bayesic.store.store import Store
from bayesic.studio.network.cases import cases_of
from bayesic.studio.table._open_tables import OpenTable, TableModel, read_table
from bayesic.studio.table._row_answers import loss_of
from bayesic.studio.workspace import Studio


async def table_of(studio: Studio, request: ServerRequest) -> OpenTable:
    """The table that a request is about, read when it is first asked for."""
    cases, tables = cases_of(studio, request.name), studio.tables.open
    if request.name not in tables or tables[request.name].cases is not cases:
        tables[request.name] = await request.server.work_long(read_table, cases)
    return tables[request.name]


def learned_of(studio: Studio, request: ServerRequest, name: object) -> TableModel:
    """The model of this name that has learned the table."""
    found = studio.tables.learned.get(name) if isinstance(name, str) else None
    if found is None or found.table != request.name:
        raise ValueError(f"No model {name!r:.80} has learned {request.name}. Learn it first.")
    return found


async def model_of_table(
    studio: Studio, request: ServerRequest, name: object
) -> tuple[TableModel, State]:
    """A model that has learned the table, and the state that it is in."""
    learned = learned_of(studio, request, name)
    return learned, request.store.state(learned.name)


def costs_of(model: Any, body: Mapping[str, Any]) -> tuple[Any, Any]:
    """The costs of actions and of taking none that a request tells."""
    return loss_of(body.get("costs"), model.classes_.tolist()), body.get("reject")


def changes(store: Store, learned: TableModel) -> dict[str, object]:
    """What happened since to the rows: id -> the label it was given, None if it was forgotten."""
    found: dict[str, Any] = {}
    for event in store.history(learned.name, after=learned.seq):
        if event.op == "forget":
            found[event.id] = None
        elif event.op in ("correct", "learn") and event.row is not None:
            found[event.id] = event.row.y
    return found


def class_named(model: Any, text: Any) -> object:
    """The class that a text names."""
    found = [label for label in model.classes_.tolist() if str(label) == str(text)]
    if not found:
        raise ValueError(f"The label must be one of {model.classes_.tolist()}, got {text!r:.60}.")
    return found[0]
