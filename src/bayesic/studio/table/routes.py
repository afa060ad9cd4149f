"""The table of routes of the table questions."""

from collections.abc import Callable

from bayesic.serve.routes import Route
from bayesic.studio.table import learning, opening, questions


def table_routes(route: Callable[..., Route]) -> tuple[Route, ...]:
    """What the table desk asks for; `route` binds an answer to the studio."""
    every, one = "/studio/tables", "/studio/tables/{name}"
    return (
        route("GET", every, "read", opening.listed),
        route("POST", every, "learn", opening.opened),
        route("POST", f"{one}/profile", "read", opening.profiled),
        route("POST", f"{one}/rows", "read", opening.rows),
        route("POST", f"{one}/learn", "learn", learning.learn),
        route("GET", "/studio/progress", "read", learning.progress, query=("tab",)),
        route("GET", f"{one}/model", "read", learning.model, query=("learned",)),
        route("POST", f"{one}/correct", "learn", learning.correct),
        route("POST", f"{one}/forget", "learn", learning.forget),
        route("POST", f"{one}/teach", "learn", learning.teach),
        route("POST", f"{one}/explain", "read", questions.explain),
        route("POST", f"{one}/work", "read", questions.work),
        route("POST", f"{one}/nomogram", "read", questions.nomogram),
        route("POST", f"{one}/evaluate", "read", questions.evaluate),
        route("GET", f"{one}/file", "read", questions.downloaded, gives="File", query=("learned",)),
    )
