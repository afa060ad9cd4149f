"""The table of routes of the text desk."""

from collections.abc import Callable

from bayesic.serve.bodies import MODEL
from bayesic.serve.routes import Route
from bayesic.studio.sentences import in_sentences
from bayesic.studio.text import asking, learning, opening


def text_routes(route: Callable[..., Route]) -> tuple[Route, ...]:
    """What the text desk asks for; `route` binds an answer to the studio."""
    every, one = "/studio/texts", "/studio/texts/{name}"
    route = in_sentences(route)
    return (
        route("GET", every, "read", opening.listed),
        route("POST", every, "learn", opening.opened),
        route("GET", one, "read", opening.shown),
        route("GET", f"{one}/file", "read", opening.file, gives="File"),
        route("POST", f"{one}/ask", "read", asking.ask),
        route("POST", f"{one}/teach", "learn", learning.teach),
        route("POST", f"{one}/forget", "learn", learning.forget),
        route("POST", f"{one}/folder", "learn", learning.folder, forms=(MODEL,)),
        route("POST", "/studio/text-columns", "read", learning.columns, forms=(MODEL,)),
        route("POST", f"{one}/column", "learn", learning.column, forms=(MODEL,)),
    )
