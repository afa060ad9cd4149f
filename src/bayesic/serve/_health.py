"""Whether the server lives, and whether it can work; and what it has counted."""

import shutil
from http import HTTPStatus

from starlette.responses import Response

from bayesic.serve.refusals import RefusedError
from bayesic.serve.server import Server, ServerRequest

LEAST_FREE = 16_000_000  # bytes on the disk
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


async def live(request: ServerRequest) -> object:
    """The process runs."""
    return {"live": True}


async def ready(request: ServerRequest) -> object:
    """The store is open, and its disk has room."""
    check_ready(request.server)
    return {"ready": True}


def check_ready(server: Server) -> None:
    """Refuse if the store is not followed any more, or its disk is full."""
    failed = server.store.problem
    free = shutil.disk_usage(server.store.path.parent).free
    if failed is None and free >= LEAST_FREE:
        return
    sentence = str(failed) if failed else f"The disk of the store has {free:,} bytes left."
    raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, sentence, {"retry-after": "10"})


async def metrics(request: ServerRequest) -> Response:
    """What was counted, for Prometheus."""
    text = request.server.metrics.text(request.store)
    return Response(text.encode("utf-8", "backslashreplace"), media_type=PROMETHEUS)
