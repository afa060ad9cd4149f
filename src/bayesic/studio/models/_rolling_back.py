"""Back to a point of the journal: as a copy of the model then, or by taking back what came later.

Both add to the journal, and take nothing out of it.
"""

from bayesic.serve.learning import committed
from bayesic.serve.request_bodies import check_fields
from bayesic.serve.server import ServerRequest
from bayesic.store.plain_rows import Row
from bayesic.store.store import Store
from bayesic.studio.models._known_rows import Rows, known_rows
from bayesic.studio.workspace import Studio


async def copied(studio: Studio, request: ServerRequest) -> object:
    """Make a new model NAME@SEQ: this one as it was after an event, to the last bit."""
    seq = await _seq(request)
    model = await request.server.work_long(request.store.at, request.name, seq)
    name = f"{request.name}@{seq}"
    await committed(request, "create", name, model)
    return {"name": name}


async def taken_back(studio: Studio, request: ServerRequest) -> object:
    """Let the model know the rows that it knew after an event, and no others.

    Rows that came later are forgotten, labels that were corrected later are corrected back, and
    rows that were forgotten later are learned again, under their ids.
    """
    seq, store = await _seq(request), request.store
    then, now = await request.server.work_long(_known, store, request.name, seq)
    later = [id for id, row in now.items() if id not in then or then[id].x != row.x]
    lost = {id: row for id, row in then.items() if id not in now or now[id].x != row.x}
    changed = {id: row.y for id, row in then.items() if id not in lost and now[id].y != row.y}
    if lost:  # first: what is forgotten may leave a class without a row
        rows = list(lost.values())
        clash = [id for id in lost if id in now]
        if clash:
            await committed(request, "forget", request.name, clash)
            later = [id for id in later if id not in clash]
        labels = [row.y for row in rows] if rows[0].y is not None else None
        await committed(request, "learn", request.name, [row.x for row in rows], labels, list(lost))
    for id, label in changed.items():
        await committed(request, "correct", request.name, id, label)
    if later:
        await committed(request, "forget", request.name, later)
    return {
        "forgotten": len(later),
        "corrected": len(changed),
        "learned": len(lost),
        "seq": store.state(request.name).seq,
    }


async def _seq(request: ServerRequest) -> int:
    body = await request.json()
    check_fields(body, ("seq",))
    seq = body["seq"]
    if not isinstance(seq, int) or isinstance(seq, bool):
        raise ValueError(f"seq must be the number of an event, got {seq!r:.60}.")
    return seq


def _known(store: Store, name: str, seq: int) -> tuple[dict[str, Row], dict[str, Row]]:
    """The rows that a model knew after an event, and those that it knows now, by id."""
    store.at(name, seq)  # refused if the journal does not reach so far back
    events = store.history(name)
    then = known_rows(event for event in events if event.seq <= seq)
    return _whole(then), _whole(known_rows(events))


def _whole(rows: Rows) -> dict[str, Row]:
    found = {id: row for id, row in rows.items() if row is not None}
    if len(found) < len(rows):
        raise ValueError(
            "Some rows are no longer in the journal, so what came later cannot be taken back row "
            "by row. Make a copy of the model as it was instead."
        )
    return found
