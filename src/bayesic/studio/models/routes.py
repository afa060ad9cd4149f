"""The table of routes of the models desk. Most are verbs of the server."""

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from http import HTTPStatus

from bayesic.serve import keeping, learning, models
from bayesic.serve.request_bodies import JSON, MODEL
from bayesic.serve.routes import SPANS, Route
from bayesic.serve.server import ServerRequest
from bayesic.studio.models import _listing, _model_comparison, _rolling_back
from bayesic.studio.workspace import Answer, Studio


def model_routes(route: Callable[..., Route]) -> tuple[Route, ...]:
    """What the models desk asks for; `route` binds an answer to the studio."""
    every, one = "/studio/models", "/studio/models/{name}"
    before = ("before", "limit")
    route = partial(route, on_page=[HTTPStatus.UNPROCESSABLE_ENTITY])
    return (
        route("GET", every, "read", _listing.listed),
        route("POST", every, "admin", _listing.uploaded, forms=(MODEL,)),
        route("GET", one, "read", _listing.shown),
        route("DELETE", one, "admin", of_server(models.deleted)),
        route("GET", f"{one}/file", "read", of_server(models.downloaded), query=("seq",)),
        route("GET", f"{one}/latest", "read", of_server(keeping.latest), query=before),
        route("GET", f"{one}/curve", "read", of_server(keeping.learning_curve), query=("points",)),
        route("GET", f"{one}/drift", "read", of_server(keeping.drift), query=SPANS),
        route("POST", f"{one}/forget", "learn", of_server(learning.forget)),
        route("POST", f"{one}/correct", "learn", of_server(learning.correct)),
        route("POST", f"{one}/copy", "admin", _rolling_back.copied),
        route("POST", f"{one}/take-back", "admin", _rolling_back.taken_back),
        route("POST", f"{one}/compare", "read", _model_comparison.compare, forms=(JSON, MODEL)),
    )


def of_server(answer: Callable[[ServerRequest], Awaitable[object]]) -> Answer:
    """What the server answers."""

    @wraps(answer)
    async def answered(studio: Studio, request: ServerRequest) -> object:
        return await answer(request)

    return answered
