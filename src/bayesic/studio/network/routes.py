"""The table of routes of the network desk."""

from collections.abc import Callable

from bayesic.serve.bodies import JSON, MODEL
from bayesic.serve.routes import Route
from bayesic.studio.network import cases, edits, files, learning, opening, questions


def network_routes(route: Callable[..., Route]) -> tuple[Route, ...]:
    """What the network desk asks for; `route` binds an answer to the studio."""
    every, one, version = "/studio/documents", "/studio/documents/{name}", ("version",)
    return (
        route("GET", "/studio/pulse", "read", opening.pulse),
        route("GET", every, "read", opening.listed),
        route("POST", every, "learn", opening.opened, forms=(JSON, MODEL)),
        route("DELETE", one, "learn", opening.closed),
        route("GET", one, "read", opening.shown, query=version),
        route("POST", f"{one}/edit", "learn", edits.edit),
        route("POST", f"{one}/head", "learn", edits.head),
        route("POST", f"{one}/ask", "read", questions.ask),
        route("POST", f"{one}/conflict", "read", questions.conflict),
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
