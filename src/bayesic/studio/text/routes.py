"""The table of routes of the text desk."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from bayesic.serve.request_bodies import MODEL
from bayesic.serve.routes import Route
from bayesic.studio.text import _text_answers, _text_learning, _text_opening


def text_routes(route: Callable[..., Route]) -> tuple[Route, ...]:
    """What the text desk asks for; `route` binds an answer to the studio."""
    every, one = "/studio/texts", "/studio/texts/{name}"
    route = partial(route, on_page=[HTTPStatus.UNPROCESSABLE_ENTITY])
    return (
        route("GET", every, "read", _text_opening.listed),
        route("POST", every, "learn", _text_opening.opened),
        route("GET", one, "read", _text_opening.shown),
        route("GET", f"{one}/file", "read", _text_opening.file, gives="File"),
        route("POST", f"{one}/ask", "read", _text_answers.ask),
        route("POST", f"{one}/teach", "learn", _text_learning.teach),
        route("POST", f"{one}/forget", "learn", _text_learning.forget),
        route("POST", f"{one}/folder", "learn", _text_learning.folder, forms=(MODEL,)),
        route("POST", "/studio/text-columns", "read", _text_learning.columns, forms=(MODEL,)),
        route("POST", f"{one}/column", "learn", _text_learning.column, forms=(MODEL,)),
    )
