"""The table of routes of the text desk."""

from collections.abc import Callable

from bayesic.serve.bodies import MODEL
from bayesic.serve.routes import Route
from bayesic.studio.sentences import in_sentences
from bayesic.studio.text import asking, learning, opening


def text_routes(route: Callable[..., Route]) -> tuple[Route, ...]:
    """What the text desk asks for; `route` binds an answer to the studio."""
    every, one = "/studio/texts", "/studio/texts/{name}"
    told = in_sentences(route)
    return (
        told("GET", every, "read", opening.listed),
        told("POST", every, "learn", opening.opened),
        told("GET", one, "read", opening.shown),
        told("GET", f"{one}/file", "read", opening.file, gives="File"),
        told("POST", f"{one}/ask", "read", asking.ask),
        told("POST", f"{one}/teach", "learn", learning.teach),
        told("POST", f"{one}/forget", "learn", learning.forget),
        told("POST", f"{one}/folder", "learn", learning.folder, forms=(MODEL,)),
        told("POST", "/studio/text-columns", "read", learning.columns, forms=(MODEL,)),
        told("POST", f"{one}/column", "learn", learning.column, forms=(MODEL,)),
    )
