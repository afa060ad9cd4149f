"""The pages: their HTML, modules and style, with headers that let them load nothing else."""

import secrets
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.responses import RedirectResponse, Response

from bayesic.serve.refusals import RefusedError
from bayesic.serve.server import ServerRequest
from bayesic.studio.workspace import Studio

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
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


async def start(studio: Studio, request: ServerRequest) -> object:
    """The start page."""
    return _page("start")


async def entry(studio: Studio, request: ServerRequest) -> object:
    """The page where the browser begins that the command has opened. This works once."""
    made = studio.entry
    given = request.path_parameters["ticket"].encode()
    if made is None or not secrets.compare_digest(made.ticket.encode(), given):
        raise RefusedError(
            HTTPStatus.NOT_FOUND,
            "This address opened the studio once, and does not again. Use the address that "
            "`bayesic studio` has printed.",
        )
    studio.entry = None
    return RedirectResponse(f"/{made.page}", HTTPStatus.SEE_OTHER)


async def desk(studio: Studio, request: ServerRequest) -> object:
    """The page of a desk."""
    return _page(request.path_parameters["desk"])


async def desks(studio: Studio, request: ServerRequest) -> object:
    """The desks that there are: folders of the page with a page of their own."""
    folders = (name.split("/")[0] for name in page_files() if name.endswith("/main.html"))
    return {"desks": sorted(set(folders) - {"start"})}


async def part(studio: Studio, request: ServerRequest) -> object:
    """A module, the style or the words of a page."""
    return _file(f"{request.path_parameters['folder']}/{request.path_parameters['file']}")


@cache
def page_files() -> dict[str, Traversable]:
    """All files of the pages, as `folder/file`: nothing else is handed out."""
    page = files("bayesic.studio").joinpath("page")
    return {
        f"{folder.name}/{each.name}": each
        for folder in page.iterdir()
        if folder.is_dir()
        for each in folder.iterdir()
        if each.name.rpartition(".")[2] in TYPES
    }


def _page(name: str) -> Response:
    """A whole page: the HTML that all pages share, around that of this one."""
    main = _known_file(f"{name}/main.html").read_text("utf-8")
    shell = _known_file("frame/page.html").read_text("utf-8")
    html = shell.replace("{page}", name).replace("{main}", main)
    return Response(html, headers=HEADERS, media_type=TYPES["html"])


def _file(name: str) -> Response:
    ending = name.rpartition(".")[2]
    return Response(_known_file(name).read_bytes(), headers=HEADERS, media_type=TYPES[ending])


def _known_file(name: str) -> Traversable:
    known = page_files()
    if name not in known:
        raise RefusedError(HTTPStatus.NOT_FOUND, f"The page has no file {name!r:.100}.")
    return known[name]
