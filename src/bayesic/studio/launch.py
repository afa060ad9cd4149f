"""Running the studio: a server on this machine, with the files that were named open."""

from collections.abc import Callable
from pathlib import Path

from bayesic.serve import running
from bayesic.serve.access_tokens import Token
from bayesic.serve.request_limits import RequestLimits
from bayesic.studio.routes import studio_routes
from bayesic.studio.workspace import Studio

HOST = "127.0.0.1"
LIMITS = RequestLimits(
    body=16_000_000, upload=2**29
)  # for large tables; only this machine is served


def run(
    store: Path,
    port: int,
    studio: Studio,
    started: Callable[[str], None],
    tokens: tuple[Token, ...] = (),
) -> bool:
    """Serve the studio and a store until it is ended; see `bayesic.serve.running.serve`."""
    routes = studio_routes(studio)
    try:
        return running.serve(
            *(store, HOST, port, LIMITS, tokens),
            started=started,
            more_routes=routes,
            ending=studio.end,
        )
    finally:
        studio.close()
