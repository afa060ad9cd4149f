"""The page itself: its HTML, modules and style, with headers that let it load nothing else."""

from http import HTTPStatus
from importlib.resources import files
from typing import Any

from starlette.responses import Response

from bayesic.serve.refusals import RefusedError
from bayesic.serve.server import Asked
from bayesic.studio.studio import Studio

TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "png": "image/png",
    "json": "application/json",
}
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' blob: data:; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'none'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


async def page(studio: Studio, asked: Asked) -> Any:
    """The page."""
    return _file("index.html")


async def part(studio: Studio, asked: Asked) -> Any:
    """A module or the style of the page."""
    return _file(asked.places["file"])


def _file(name: str) -> Response:
    known = {each.name: each for each in files("bayesic.studio").joinpath("page").iterdir()}
    ending = name.rpartition(".")[2]
    if name not in known or ending not in TYPES:
        raise RefusedError(HTTPStatus.NOT_FOUND, f"The page has no file {name!r:.100}.")
    return Response(known[name].read_bytes(), headers=HEADERS, media_type=TYPES[ending])
