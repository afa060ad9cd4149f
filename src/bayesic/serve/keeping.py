"""The journal over HTTP: history, rows, replay, compact, verify."""

from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.responses import Response, StreamingResponse

from bayesic.serve.bodies import CSV, JSON, MODEL, PARQUET, check_fields, content_type, read_body
from bayesic.serve.learning import committed
from bayesic.serve.models import file_of, made, uploaded
from bayesic.serve.refusals import RefusedError
from bayesic.serve.server import Asked
from bayesic.store.events import Event
from bayesic.store.model_bytes import bytes_of
from bayesic.store.store import Store

MOST_EVENTS = 1000  # of a history at once
BYTES_AT_ONCE = 2**18


async def history(asked: Asked) -> Any:
    """What happened to a model, a part at a time."""
    after, limit = asked.number("after", 0), _limit(asked)
    events = await asked.server.work(asked.server.store.history, asked.name, after, limit)
    return {"events": [_told(event) for event in events]}


async def latest(asked: Asked) -> Any:
    """What happened to a model last, the latest first, a part at a time."""
    before = asked.number("before", 0) if asked.has("before") else None
    events = await asked.server.work(asked.server.store.latest, asked.name, _limit(asked), before)
    return {"events": [_told(event) for event in events]}


def _limit(asked: Asked) -> int:
    limit = asked.number("limit", MOST_EVENTS)
    if not 1 <= limit <= MOST_EVENTS:
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f"limit must be from 1 to {MOST_EVENTS}, got {limit}. Ask on with ?after=SEQ, or "
            "?before=SEQ for the latest.",
        )
    return limit


def _told(event: Event) -> dict[str, Any]:
    told = {"seq": event.seq, "op": event.op, "id": event.id, "time": event.time}
    return told if event.row is None else {**told, "row": event.row.x, "y": event.row.y}


async def learning_curve(asked: Asked) -> Any:
    """How good a model was while it learned: each row predicted before it was learned."""
    points = asked.number("points", 100)
    found = await asked.server.work_long(asked.server.store.learning_curve, asked.name, points)
    return {"points": [vars(point) for point in found]}


async def drift(asked: Asked) -> Any:
    """What has changed: the rows since an event or a moment, beside those before."""
    cuts = [asked.cut(name) for name in ("since", "start", "until")]
    found = await asked.server.work_long(asked.server.store.drift, asked.name, *cuts)
    return found.to_dict()


# rows -------------------------------------------------------------------------------------------


async def rows_as_csv(asked: Asked) -> Response:
    """The rows that a model knows, as CSV: id, time, label and cells."""
    return await _rows(asked, "rows.csv", CSV)


async def rows_as_parquet(asked: Asked) -> Response:
    """The rows that a model knows, as a Parquet file: id, time, label and cells."""
    return await _rows(asked, "rows.parquet", PARQUET)


async def _rows(asked: Asked, name: str, form: str) -> Response:
    """The rows go through a file, block by block: they need not fit into memory."""
    folder = TemporaryDirectory(prefix="bayesic-")
    path = Path(folder.name) / name
    try:
        n_rows = await asked.server.work_long(asked.server.store.export, asked.name, path)
        headers = {
            "bayesic-rows": str(n_rows),
            "content-length": str(path.stat().st_size),
            "content-disposition": f'attachment; filename="{name}"',
        }
    except BaseException:
        folder.cleanup()
        raise
    return StreamingResponse(_parts(path, folder), headers=headers, media_type=form)


def _parts(path: Path, folder: TemporaryDirectory) -> Iterator[bytes]:
    """A file in parts; its folder is gone when all were taken, or when nobody takes them."""
    with folder, path.open("rb") as file:
        while part := file.read(BYTES_AT_ONCE):
            yield part


# what only who owns the store may do ------------------------------------------------------------


async def replay(asked: Asked) -> Response:
    """The model file of another model that has learned the same rows, or of the same again."""
    if content_type(asked.request, (JSON, MODEL)) == MODEL:
        limits = asked.server.limits
        data = await read_body(asked.request, limits.upload, limits.seconds)
        other = await asked.server.work(uploaded, data)
    else:
        other = _other(await asked.json())
    return file_of(await asked.server.work_long(_replayed, asked.server.store, asked.name, other))


def _other(body: dict[str, Any]) -> Any:
    """The other model, or the parameters that are to be set otherwise."""
    check_fields(body, (), ("model", "parameters"))
    parameters = body.get("parameters", {})
    if "model" in body:
        return made(body["model"], parameters)
    if not isinstance(parameters, dict):
        raise ValueError(f'"parameters" must be an object by name, got {parameters!r:.60}.')
    return parameters


def _replayed(store: Store, name: str, other: Any) -> bytes:
    return bytes_of(store.replay(name, other))


async def compact(asked: Asked) -> Any:
    """Make the file smaller: rows that were forgotten or replaced are wiped out."""
    body = await asked.json()
    check_fields(body, (), ("keep_rows",))
    keep_rows = body.get("keep_rows", True)
    if not isinstance(keep_rows, bool):
        raise ValueError(f'"keep_rows" must be true or false, got {keep_rows!r:.60}.')
    return await committed(asked, "compact", asked.name, keep_rows)


async def verify(asked: Asked) -> Any:
    """Whether the file, the snapshots and the ids are whole, and each model is its journal."""
    found = await asked.server.work_long(asked.server.store.verify)
    return {
        "ok": found.ok,
        "models": found.n_models,
        "events": found.n_events,
        "problems": found.problems,
    }
