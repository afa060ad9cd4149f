"""Documents over HTTP: what is open, open one, close one; and one as cards and edges."""

from collections.abc import Mapping
from typing import Any

from bayesic.networks.network import BeliefNetwork
from bayesic.serve.request_bodies import JSON, MODEL, content_type, read_body
from bayesic.serve.server import ServerRequest
from bayesic.store.errors import StoreError
from bayesic.studio.network._boxes import drawn
from bayesic.studio.network._network_examples import EXAMPLES
from bayesic.studio.network.files import OtherModelError, name_of, network_of
from bayesic.studio.workspace import Studio


async def pulse(studio: Studio, request: ServerRequest) -> object:
    """The head of each document and model: so tabs agree, and notice a server that is gone."""
    return {
        "documents": {each.name: {"head": each.head} for each in studio.documents},
        "models": {name: _last_event(request, name) for name in request.store.models()},
    }


def _last_event(request: ServerRequest, name: str) -> int | None:
    try:
        return request.store.state(name).seq
    except StoreError:  # it is damaged, or was deleted in this moment
        return None


async def listed(studio: Studio, request: ServerRequest) -> object:
    """What is open, and the examples that can be."""
    return {
        "documents": [
            {
                "name": each.name,
                "kind": "network",
                "title": each.title,
                "head": each.head,
                "n_variables": len(each.version().network.variables),
                "file": each.file,
            }
            for each in studio.documents
        ],
        "examples": [
            {"name": name, "kind": "network", "title": title}
            for name, (title, _) in EXAMPLES.items()
        ],
    }


async def opened(studio: Studio, request: ServerRequest) -> object:
    """Open the bytes of a file, an example, or a new network."""
    form = content_type(request.http, (JSON, MODEL))
    if form == MODEL:
        limits = request.limits
        data = await read_body(request.http, limits.upload, limits.seconds)
        file = request.http.query_params.get("name", "network")
        try:
            network = await request.server.work(network_of, data, file)
        except OtherModelError as error:
            return {"refused": str(error), "is_model": True}
        document = studio.documents.add(name_of(file), network, file, file)
    else:
        document = _made(studio, await request.json())
    return {"name": document.name, "head": document.head}


def _made(studio: Studio, body: Mapping[str, object]) -> Any:
    example, new = body.get("example"), body.get("new")
    if isinstance(example, str) and example in EXAMPLES:
        title, make = EXAMPLES[example]
        return studio.documents.add(example, make(), title)
    if isinstance(new, str) and new.strip():
        return studio.documents.add(new, BeliefNetwork())
    raise ValueError(
        f'Give "example", one of {", ".join(EXAMPLES)}, or "new", a name; got {body!r:.100}.'
    )


async def closed(studio: Studio, request: ServerRequest) -> object:
    """Close a document."""
    studio.documents.close(request.name)
    return {"closed": request.name}


async def shown(studio: Studio, request: ServerRequest) -> object:
    """A network: its cards and edges, with their places."""
    document, query = studio.document(request), request.http.query_params
    version = document.version(request.number("version", document.head))
    opened = query.getlist("open")
    if opened:
        boxes = await request.server.work(drawn, version.network, opened)
    else:
        boxes = await request.server.work(getattr, version, "boxes")
    is_known = all(each["states"] for each in boxes["variables"])
    return {
        "name": document.name,
        "title": document.title,
        "version": version.number,
        "head": document.head,
        "cost": (await studio.cost(request, version))._asdict(),
        "n_parameters": version.network.n_parameters if is_known else None,
        **boxes,
    }
