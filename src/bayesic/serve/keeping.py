"""The journal over HTTP: history, rows, replay, compact, verify."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.responses import Response, StreamingResponse

from bayesic.serve.learning import committed
from bayesic.serve.models import file_of, made, uploaded
from bayesic.serve.refusals import RefusedError
from bayesic.serve.request_bodies import (
    CSV,
    JSON,
    MODEL,
    PARQUET,
    check_fields,
    content_type,
    read_body,
)
from bayesic.serve.server import ServerRequest
from bayesic.store.journal_events import Event
from bayesic.store.model_bytes import bytes_of
from bayesic.store.store import Store

MOST_EVENTS = 1000  # of a history at once
BYTES_AT_ONCE = 2**18


async def history(request: ServerRequest) -> object:
    """What happened to a model, a part at a time."""
    after, limit = request.number("after", 0), _limit(request)
    events = await request.server.work(request.store.history, request.name, after, limit)
    return {"events": [_event_fields(event) for event in events]}


async def latest(request: ServerRequest) -> object:
    """What happened to a model last, the latest first, a part at a time."""
    before = request.number("before", 0) if request.has("before") else None
    events = await request.server.work(request.store.latest, request.name, _limit(request), before)
    return {"events": [_event_fields(event) for event in events]}


def _limit(request: ServerRequest) -> int:
    limit = request.number("limit", MOST_EVENTS)
    if not 1 <= limit <= MOST_EVENTS:
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f"limit must be from 1 to {MOST_EVENTS}, got {limit}. Ask on with ?after=SEQ, or "
            "?before=SEQ for the latest.",
        )
    return limit


def _event_fields(event: Event) -> dict[str, object]:
    fields = {"seq": event.seq, "op": event.op, "id": event.id, "time": event.time}
    return fields if event.row is None else {**fields, "row": event.row.x, "y": event.row.y}


async def learning_curve(request: ServerRequest) -> object:
    """How good a model was while it learned: each row predicted before it was learned."""
    points = request.number("points", 100)
    found = await request.server.work_long(request.store.learning_curve, request.name, points)
    return {"points": [vars(point) for point in found]}


async def drift(request: ServerRequest) -> object:
    """What has changed: the rows since an event or a moment, beside those before."""
    cuts = [request.cut(name) for name in ("since", "start", "until")]
    found = await request.server.work_long(request.store.drift, request.name, *cuts)
    return found.to_dict()


# rows -------------------------------------------------------------------------------------------


async def rows_as_csv(request: ServerRequest) -> Response:
    """The rows that a model knows, as CSV: id, time, label and cells."""
    return await _rows(request, "rows.csv", CSV)


async def rows_as_parquet(request: ServerRequest) -> Response:
    """The rows that a model knows, as a Parquet file: id, time, label and cells."""
    return await _rows(request, "rows.parquet", PARQUET)


async def _rows(request: ServerRequest, name: str, form: str) -> Response:
    """The rows go through a file, block by block: they need not fit into memory."""
    folder = TemporaryDirectory(prefix="bayesic-")
    path = Path(folder.name) / name
    try:
        n_rows = await request.server.work_long(request.store.export, request.name, path)
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
    """A file in parts; its folder is removed when the last was sent, or the client has gone."""
    with folder, path.open("rb") as file:
        while part := file.read(BYTES_AT_ONCE):
            yield part


# what only the owner of the store may do --------------------------------------------------------


async def replay(request: ServerRequest) -> Response:
    """The model file of another model that has learned the same rows, or of the same again."""
    if content_type(request.http, (JSON, MODEL)) == MODEL:
        limits = request.limits
        data = await read_body(request.http, limits.upload, limits.seconds)
        other = await request.server.work(uploaded, data)
    else:
        other = _other(await request.json())
    return file_of(await request.server.work_long(_replayed, request.store, request.name, other))


def _other(body: Mapping[str, object]) -> object:
    """The other model, or the parameters that are to be set otherwise."""
    check_fields(body, (), ("model", "parameters"))
    parameters = body.get("parameters", {})
    if "model" in body:
        return made(body["model"], parameters)
    if not isinstance(parameters, dict):
        raise ValueError(f'"parameters" must be an object by name, got {parameters!r:.60}.')
    return parameters


def _replayed(store: Store, name: str, other: object) -> bytes:
    return bytes_of(store.replay(name, other))


async def compact(request: ServerRequest) -> object:
    """Make the file smaller: rows that were forgotten or replaced are wiped out."""
    body = await request.json()
    check_fields(body, (), ("keep_rows",))
    keep_rows = body.get("keep_rows", True)
    if not isinstance(keep_rows, bool):
        raise ValueError(f'"keep_rows" must be true or false, got {keep_rows!r:.60}.')
    return await committed(request, "compact", request.name, keep_rows)


async def verify(request: ServerRequest) -> object:
    """Whether the file, the snapshots and the ids are whole, and each model is its journal."""
    found = await request.server.work_long(request.store.verify)
    return {
        "ok": found.ok,
        "models": found.n_models,
        "events": found.n_events,
        "problems": found.problems,
    }
