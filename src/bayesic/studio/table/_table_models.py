"""Learning over HTTP: learn a table, see how far it has come, correct a label, forget a row."""

import json
from collections.abc import Mapping
from typing import Any

from bayesic.serve.learning import committed
from bayesic.serve.request_bodies import check_fields
from bayesic.serve.server import ServerRequest
from bayesic.store.errors import UnknownIdError
from bayesic.store.model_bytes import model_of
from bayesic.studio.network.documents import free_name
from bayesic.studio.table import _fitting, _profile
from bayesic.studio.table._open_tables import OpenTable, TableModel
from bayesic.studio.table._table_requests import class_named, learned_of, model_of_table, table_of
from bayesic.studio.workspace import TAB, Studio, Subject


async def learn(studio: Studio, request: ServerRequest) -> object:
    """Learn the target of a table; the same choices give the same model again."""
    body = await request.json()
    check_fields(body, ("target", "model"), ("kinds",))
    table = await table_of(studio, request)
    target, kind, kinds = body["target"], body["model"], body.get("kinds") or {}
    await request.server.work(_profile.labelled, table, target)
    takes = _fitting.kinds_of(kind)
    columns = await request.server.work(_profile.declared_kinds, table, target, kinds, takes)
    choices = request.name, target, kind, tuple(sorted(columns.items()))
    async with studio.tables.turn(*choices):
        for known in studio.tables.learned.values():
            same = (known.table, known.target, known.kind) == (request.name, target, kind)
            if same and known.columns == columns and known.name in request.store.models():
                return description_of(known, request)
        how = _row_by_row if _fitting.is_short(table) else _at_once
        learned = await how(studio, request, table, target, kind, columns)
    if learned is None:
        return {"cancelled": True}
    studio.tables.learned[learned.name] = learned
    return description_of(learned, request)


async def _row_by_row(
    studio: Studio,
    request: ServerRequest,
    table: OpenTable,
    target: str,
    kind: str,
    columns: Mapping[str, str],
) -> TableModel:
    """A short table: all rows are in the journal of the store, by their numbers."""
    indices, labels = _profile.labelled(table, target)
    name, _ = await _created(studio, request, _fitting.made(kind, columns))
    ids = [int(table.numbers[index]) for index in indices]
    given = name, table.without(target, indices), labels, ids
    try:
        receipt = await request.server.work_long(request.store.learn, *given)
    except Exception:
        await committed(request, "delete", name)
        raise
    return TableModel(name, request.name, target, kind, columns, len(ids), receipt.seq)


async def _at_once(
    studio: Studio,
    request: ServerRequest,
    table: OpenTable,
    target: str,
    kind: str,
    columns: Mapping[str, str],
) -> TableModel | None:
    """A long table: a worker learns the file, and the store takes the model; None if cancelled."""
    data = await _fitted(studio, request, table, target, kind, columns)
    if isinstance(data, dict):
        return None
    name, seq = await _created(studio, request, await request.server.work(model_of, data))
    n_rows = table.cases.n_rows - table.missing[target]
    return TableModel(name, request.name, target, kind, columns, n_rows, seq)


async def _created(studio: Studio, request: ServerRequest, model: object) -> tuple[str, int]:
    """The model in the store, under the name of the table or one like it; two tabs get two."""
    async with studio.editing:
        name = free_name(request.name, dict.fromkeys(request.store.models()))
        return name, (await committed(request, "create", name, model))["seq"]


async def _fitted(
    studio: Studio,
    request: ServerRequest,
    table: OpenTable,
    target: str,
    kind: str,
    columns: Mapping[str, str],
) -> object:
    """The bytes of the model, from a worker; {"cancelled": True} if the page has gone."""
    tab, progress = request.http.headers.get(TAB, ""), studio.new_path(".progress")
    studio.tables.progress[tab] = progress
    fit = _fitting.fitted_without_gaps if table.missing[target] else _fitting.fitted
    given = table.cases.path, target, kind, columns, table.cases.n_rows, progress
    try:
        return await studio.long(request, Subject(("table", str(progress)), ()), fit, *given)
    finally:
        studio.tables.progress.pop(tab, None)
        progress.unlink(missing_ok=True)


async def progress(studio: Studio, request: ServerRequest) -> object:
    """How far the learning of a tab has come."""
    path = studio.tables.progress.get(request.http.query_params.get("tab", ""))
    try:
        return {} if path is None else json.loads(path.read_text())
    except FileNotFoundError:  # it has not begun, or just ended
        return {}


def description_of(learned: TableModel, request: ServerRequest) -> dict[str, Any]:
    """What the page needs to know about a model."""
    state = request.store.state(learned.name)
    model = state.model
    members = getattr(model, "members_", None)
    return {
        "learned": learned.name,
        "model": learned.kind,
        "target": learned.target,
        "columns": dict(learned.columns),
        "n_rows": learned.n_rows,
        "seq": state.seq,
        "is_changed": state.seq != learned.seq,
        "classes": model.classes_.tolist(),
        "members": []
        if members is None
        else [
            {
                "member": repr(each.model),
                "weight": each.weight,
                "log_loss": each.log_loss,
                "judged": each.judged,
            }
            for each in members
        ],
    }


async def model(studio: Studio, request: ServerRequest) -> object:
    """A model that has learned the table."""
    learned = learned_of(studio, request, request.http.query_params.get("learned"))
    return description_of(learned, request)


async def correct(studio: Studio, request: ServerRequest) -> object:
    """Give a row another label: `store.correct`."""
    table, learned, row, label = await _labelled_row(studio, request)
    return await _written(request, table, learned, row, "correct", label)


async def forget(studio: Studio, request: ServerRequest) -> object:
    """Take a row back out: `store.forget`."""
    body = await request.json()
    check_fields(body, ("learned", "row"))
    table = await table_of(studio, request)
    learned = learned_of(studio, request, body["learned"])
    return await _written(request, table, learned, body["row"], "forget")


async def teach(studio: Studio, request: ServerRequest) -> object:
    """Learn a row that was forgotten, or had no label: `store.learn`."""
    table, learned, number, label = await _labelled_row(studio, request)
    row = table.row(table.index(number))
    del row[learned.target]
    return await committed(request, "learn", learned.name, [row], [label], [number])


async def _labelled_row(
    studio: Studio, request: ServerRequest
) -> tuple[OpenTable, TableModel, object, object]:
    """The table, the model, the number of a row and its new label, as the body names them."""
    body = await request.json()
    check_fields(body, ("learned", "row", "label"))
    table = await table_of(studio, request)
    learned, state = await model_of_table(studio, request, body["learned"])
    return table, learned, body["row"], class_named(state.model, body["label"])


async def _written(
    request: ServerRequest,
    table: OpenTable,
    learned: TableModel,
    number: object,
    verb: str,
    *label: object,
) -> object:
    index = table.index(number)
    given = [number] if verb == "correct" else [[number]]
    try:
        return await committed(request, verb, learned.name, *given, *label)
    except UnknownIdError:
        row = table.row(index)
        old = row.pop(learned.target)
        if _fitting.is_short(table) or old is None:
            raise
        await committed(request, "adopt", learned.name, [row], [old], [number])
        return await committed(request, verb, learned.name, *given, *label)
