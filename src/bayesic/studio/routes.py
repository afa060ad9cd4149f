"""The table of routes of the studio. It joins that of the server."""

from collections.abc import Collection
from functools import wraps
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from bayesic.data.csv_files import NOT_UTF_8
from bayesic.serve.refusals import RefusedError
from bayesic.serve.routes import Route
from bayesic.serve.server import ServerRequest, reply
from bayesic.store.errors import StoreError
from bayesic.studio import _pages
from bayesic.studio.lessons.routes import lessons_routes
from bayesic.studio.models.routes import model_routes
from bayesic.studio.network.routes import network_routes
from bayesic.studio.table.routes import table_routes
from bayesic.studio.text.routes import text_routes
from bayesic.studio.workspace import Answer, Studio


def studio_routes(studio: Studio) -> tuple[Route, ...]:
    """What the page asks for."""

    def route(
        method: str,
        path: str,
        right: str | None,
        answer: Answer,
        on_page: Collection[HTTPStatus] = (),
        **more: Any,
    ) -> Route:
        if method == "POST":
            more = {"takes": "Object", **more}
        return Route(method, path, right, bound(studio, answer, on_page), **more)

    return (
        route("GET", "/", None, _pages.start, gives="Text"),
        route("GET", "/entry/{ticket}", None, _pages.entry, gives="Text"),
        route("GET", "/desk/{desk}", None, _pages.desk, gives="Text"),
        route("GET", "/studio/desks", "read", _pages.desks),
        route("GET", "/studio/page/{folder}/{file}", None, _pages.part, gives="Text"),
        *network_routes(route),
        *table_routes(route),
        *text_routes(route),
        *lessons_routes(route),
        *model_routes(route),
    )


def bound(studio: Studio, answer: Answer, on_page: Collection[HTTPStatus] = ()) -> Any:
    """An answer of this studio. A refusal to a person has the status 200.

    A browser writes every other status to its console as an error of the page.

    on_page : further refusals of the server that the page shows as a sentence
    """
    as_sentences = {HTTPStatus.REQUEST_ENTITY_TOO_LARGE, *on_page}

    @wraps(answer)
    async def answered(request: ServerRequest) -> object:
        try:
            found = await answer(studio, request)
        except (ValueError, TypeError, OSError, MemoryError, StoreError) as error:
            sentence = str(error).replace(NOT_UTF_8, "Save it as UTF-8.")  # here is no command line
            found = {"refused": sentence or "There is not enough memory for this."}
        except RefusedError as error:
            if error.status not in as_sentences:
                raise
            found = {"refused": str(error)}
        return found if isinstance(found, Response) else reply(found)

    return answered
