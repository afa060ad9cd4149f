"""The table of routes of the studio. It joins that of the server."""

from functools import wraps
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from bayesic.serve.bodies import JSON, MODEL
from bayesic.serve.refusals import RefusedError
from bayesic.serve.routes import Route
from bayesic.serve.server import Asked, reply
from bayesic.store.errors import StoreError
from bayesic.studio import cases, edits, files, learning, opening, pages, questions
from bayesic.studio.studio import Answer, Studio

HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


def studio_routes(studio: Studio) -> tuple[Route, ...]:
    """What the page asks for."""

    def route(method: str, path: str, right: str | None, answer: Answer, **more: Any) -> Route:
        if method == "POST":
            more = {"takes": "Object", **more}
        return Route(method, path, right, bound(studio, answer), **more)

    every, one, version = "/studio/documents", "/studio/documents/{name}", ("version",)
    return (
        route("GET", "/", None, pages.page, gives="Text"),
        route("GET", "/studio/page/{file}", None, pages.part, gives="Text"),
        route("GET", "/studio/pulse", "read", opening.pulse),
        route("GET", every, "read", opening.listed),
        route("POST", every, "learn", opening.opened, forms=(JSON, MODEL)),
        route("DELETE", one, "learn", opening.closed),
        route("GET", one, "read", opening.shown, query=version),
        route("POST", f"{one}/edit", "learn", edits.edit),
        route("POST", f"{one}/head", "learn", edits.head),
        route("POST", f"{one}/ask", "read", questions.ask),
        route("POST", f"{one}/most-probable", "read", questions.most_probable),
        route("POST", f"{one}/ask-next", "read", questions.ask_next),
        route("POST", f"{one}/separation", "read", questions.separation),
        route("GET", f"{one}/table/{{variable:path}}", "read", questions.table, query=version),
        route("GET", f"{one}/file", "read", files.downloaded, gives="File", query=version),
        route("POST", f"{one}/learn", "learn", learning.learn),
        route("GET", "/studio/cases", "read", cases.listed),
        route("POST", "/studio/cases", "learn", cases.loaded, forms=(MODEL,)),
        route("GET", f"{one}/cases/{{cases}}/row", "read", cases.row, query=("number", "version")),
        route("POST", f"{one}/cases/{{cases}}/surprise", "read", cases.surprise),
        route("POST", f"{one}/cases/{{cases}}/test", "read", cases.tested),
    )


def bound(studio: Studio, answer: Answer) -> Any:
    """An answer of this studio. What a person cannot do is told with the status 200.

    A browser writes every other status to its console as an error of the page.
    """

    @wraps(answer)
    async def answered(asked: Asked) -> Any:
        try:
            found = await answer(studio, asked)
        except (ValueError, TypeError, OSError, MemoryError, StoreError) as error:
            found = {"refused": str(error) or "There is not enough memory for this."}
        except RefusedError as error:
            if error.status != HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
                raise
            found = {"refused": str(error)}
        response = found if isinstance(found, Response) else reply(found)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return answered
