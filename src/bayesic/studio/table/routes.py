"""The table of routes of the table desk."""

from collections.abc import Callable

from bayesic.serve.routes import Route
from bayesic.studio.table import _row_questions, _table_models, _table_opening


def table_routes(route: Callable[..., Route]) -> tuple[Route, ...]:
    """What the table desk asks for; `route` binds an answer to the studio."""
    every, one = "/studio/tables", "/studio/tables/{name}"
    return (
        route("GET", every, "read", _table_opening.listed),
        route("POST", every, "learn", _table_opening.opened),
        route("POST", f"{one}/profile", "read", _table_opening.profiled),
        route("POST", f"{one}/rows", "read", _table_opening.rows),
        route("POST", f"{one}/learn", "learn", _table_models.learn),
        route("GET", "/studio/progress", "read", _table_models.progress, query=("tab",)),
        route("GET", f"{one}/model", "read", _table_models.model, query=("learned",)),
        route("POST", f"{one}/correct", "learn", _table_models.correct),
        route("POST", f"{one}/forget", "learn", _table_models.forget),
        route("POST", f"{one}/teach", "learn", _table_models.teach),
        route("POST", f"{one}/explain", "read", _row_questions.explain),
        route("POST", f"{one}/work", "read", _row_questions.work),
        route("POST", f"{one}/nomogram", "read", _row_questions.nomogram),
        route("POST", f"{one}/evaluate", "read", _row_questions.evaluate),
        route(
            "GET",
            f"{one}/file",
            "read",
            _row_questions.downloaded,
            gives="File",
            query=("learned",),
        ),
    )
