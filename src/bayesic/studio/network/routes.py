"""The table of routes of the network desk."""

from collections.abc import Callable

from bayesic.serve.request_bodies import JSON, MODEL
from bayesic.serve.routes import Route
from bayesic.studio.network import (
    _case_learning,
    _documents_opened,
    _edits,
    _evidence_questions,
    cases,
    files,
)


def network_routes(route: Callable[..., Route]) -> tuple[Route, ...]:
    """What the network desk asks for; `route` binds an answer to the studio."""
    every, one, version = "/studio/documents", "/studio/documents/{name}", ("version",)
    return (
        route("GET", "/studio/pulse", "read", _documents_opened.pulse),
        route("GET", every, "read", _documents_opened.listed),
        route("POST", every, "learn", _documents_opened.opened, forms=(JSON, MODEL)),
        route("DELETE", one, "learn", _documents_opened.closed),
        route("GET", one, "read", _documents_opened.shown, query=version),
        route("POST", f"{one}/edit", "learn", _edits.edit),
        route("POST", f"{one}/head", "learn", _edits.head),
        route("POST", f"{one}/ask", "read", _evidence_questions.ask),
        route("POST", f"{one}/conflict", "read", _evidence_questions.conflict),
        route("POST", f"{one}/most-probable", "read", _evidence_questions.most_probable),
        route("POST", f"{one}/ask-next", "read", _evidence_questions.ask_next),
        route("POST", f"{one}/separation", "read", _evidence_questions.separation),
        route(
            "GET",
            f"{one}/table/{{variable:path}}",
            "read",
            _evidence_questions.table,
            query=version,
        ),
        route("GET", f"{one}/file", "read", files.downloaded, gives="File", query=version),
        route("POST", f"{one}/learn", "learn", _case_learning.learn),
        route("GET", "/studio/cases", "read", cases.listed),
        route("POST", "/studio/cases", "learn", cases.loaded, forms=(MODEL,)),
        route("GET", f"{one}/cases/{{cases}}/row", "read", cases.row, query=("number", "version")),
        route("POST", f"{one}/cases/{{cases}}/surprise", "read", cases.surprise),
        route("POST", f"{one}/cases/{{cases}}/test", "read", cases.tested),
    )
