"""Edits over HTTP: each makes a new version; undo and redo go to another one."""

from bayesic.serve.request_bodies import check_fields
from bayesic.serve.server import ServerRequest
from bayesic.studio.network._edit_events import after
from bayesic.studio.workspace import Studio


async def edit(studio: Studio, request: ServerRequest) -> object:
    """Do an event to a network.

    It is done to the head, also where the page has seen another version: two tabs lose nothing.
    """
    body = await request.json()
    check_fields(body, ("event",), ("base",))
    async with studio.editing:
        seen = studio.version(request, body.get("base")).network
        now = studio.version(request).network
        network = await request.server.work(after, now, body["event"], seen)
        document = studio.documents.put(studio.document(request).with_network(network))
    return {"version": document.head, "head": document.head}


async def head(studio: Studio, request: ServerRequest) -> object:
    """Go to another version, back or forth."""
    body = await request.json()
    check_fields(body, ("version",))
    async with studio.editing:
        version = studio.version(request, body["version"])
        document = studio.documents.put(studio.document(request).at(version.number))
    return {"head": document.head}
