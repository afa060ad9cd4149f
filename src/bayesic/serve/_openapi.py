"""The description of the server, OpenAPI 3.1: made from the table of routes and from the models."""

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import bayesic as by
from bayesic.catalogue import is_text_model
from bayesic.data.arguments import has_learned
from bayesic.networks.network import BeliefNetwork
from bayesic.serve._schemas import SCHEMAS, answers_schema, learn_schema, predict_schema
from bayesic.serve.keeping import MOST_EVENTS
from bayesic.serve.request_bodies import CSV, JSON, LINES, MODEL, PARQUET
from bayesic.serve.request_limits import RequestLimits
from bayesic.serve.server import LARGEST, Server, ServerRequest
from bayesic.serve.shapes import Schema
from bayesic.store.errors import StoreError

if TYPE_CHECKING:
    from bayesic.serve.routes import Route

OF_A_MODEL = {"Learn": learn_schema, "Predict": predict_schema, "Answers": answers_schema}
FILES = {"File": MODEL, "Text": "text/plain", "Csv": CSV, "Parquet": PARQUET}  # no JSON
PLACES = re.compile(r"{(\w+)")  # what the path of a route has places for
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Stands for ids where there are none.",
    "schema": {"type": "string"},
}
SEQ = {"type": "integer", "minimum": 0, "maximum": LARGEST}
CUT = {
    "type": "string",
    "minLength": 1,
    "description": "the number of an event, or a moment such as 2026-05-01T12:30",
}
ASKED = {
    "at_least": SEQ,
    "after": SEQ,
    "seq": SEQ,
    "since": CUT,
    "start": CUT,
    "until": CUT,
    "limit": {"type": "integer", "minimum": 1, "maximum": MOST_EVENTS},
}


async def document(request: ServerRequest) -> object:
    """This description."""
    from bayesic.serve.routes import ROUTES  # which has this function in it

    paths: Schema = {}
    routes = (*ROUTES, *request.server.more_routes)
    for route in routes:
        path = paths.setdefault(route.path.replace(":path}", "}"), {})
        path[route.method.lower()] = _operation(route, None, request.server)
    for name in request.store.models():
        try:
            model = request.store.state(name).model
        except StoreError:  # it is damaged, or was deleted in this moment
            continue
        for route in routes:
            if _is_for(route, model):
                path = paths.setdefault(route.path.replace("{name}", quote(name, safe="")), {})
                path[route.method.lower()] = _operation(route, (name, model), request.server)
    return {
        "openapi": "3.1.0",
        "info": {"title": "bayesic", "version": by.__version__},
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _is_for(route: "Route", model: object) -> bool:
    """Whether a route is described again for this model, with its columns."""
    if not route.path.startswith("/models/{name}/") or not {route.takes, route.gives} & {
        *OF_A_MODEL
    }:
        return False
    verb = route.path.rpartition("/")[2]
    if verb == "evaluate":
        return hasattr(type(model), "predict_proba") and not isinstance(model, BeliefNetwork)
    return verb != "predict" or has_learned(model)


def _forms(route: "Route", model: object) -> tuple[str, ...]:
    """The content types in which this model takes rows; None for any model."""
    is_network = isinstance(model, BeliefNetwork)
    refused = {CSV, LINES} if is_network else {CSV} if is_text_model(model) else set()
    return tuple(form for form in route.forms if form not in refused)


def _operation(route: "Route", of: tuple[str, object] | None, server: Server) -> Schema:
    """The description of a route; for one model, with its columns and classes."""
    operation: Schema = {
        "operationId": f"{route.method} {route.path}" + (f" {of[0]}" if of else ""),
        "summary": route.summary + (f" Of {of[0]!r}." if of else ""),
        "parameters": _parameters(route, of is None),
        "responses": {
            "200": {"description": "The answer.", "content": _answer(route, of)},
            "default": _refusal("Why not."),
        },
    }
    if route.takes:
        forms = _forms(route, of and of[1])
        content = {form: {"schema": _body(route, form, of)} for form in forms}
        operation["requestBody"] = {"required": True, "content": content}
        operation["responses"]["413"] = _refusal(_sizes(server.limits))
    if server.tokens and route.right is not None:
        operation["security"] = [{"token": []}]
        operation["description"] = f"Needs the right {route.right}."
    return operation


def _refusal(why: str) -> Schema:
    return {"description": why, "content": {JSON: {"schema": _named("Error")}}}


def _sizes(limits: RequestLimits) -> str:
    return (
        f"The body has more than {limits.body:,} bytes ({limits.upload:,} of a model file), "
        f"{limits.rows:,} rows, or {limits.cells:,} cells in a row; or the answer would have more "
        f"than {limits.probabilities:,} probabilities (rows times classes) and is not in parts, as "
        "CSV and JSON lines are."
    )


def _parameters(route: "Route", is_general: bool) -> list[Schema]:
    found: list[Schema] = []
    for name in PLACES.findall(route.path) if is_general else ():
        text = {"type": "string", "minLength": 1}
        found.append({"name": name, "in": "path", "required": True, "schema": text})
    for name in route.query:
        needed = {"required": True} if name == "since" else {}
        found.append({"name": name, "in": "query", "schema": ASKED.get(name, SEQ), **needed})
    return [*found, KEY] if route.takes == "Learn" else found


def _body(route: "Route", form: str, of: tuple[str, object] | None) -> Schema:
    if form != JSON:
        return {"type": "string"} | ({"format": "binary"} if form == MODEL else {})
    return (
        OF_A_MODEL[route.takes](of[1]) if of and route.takes in OF_A_MODEL else _named(route.takes)
    )


def _answer(route: "Route", of: tuple[str, object] | None) -> Schema:
    if route.gives in FILES:
        is_text = route.gives in ("Text", "Csv")
        binary = {} if is_text else {"format": "binary"}
        return {FILES[route.gives]: {"schema": {"type": "string"} | binary}}
    is_own = of is not None and route.gives in OF_A_MODEL
    schema = OF_A_MODEL[route.gives](of[1]) if of and is_own else _named(route.gives)
    others = {
        form: {"schema": {"type": "string"}} for form in route.forms if route.gives == "Answers"
    }
    return others | {JSON: {"schema": schema}}


def _named(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
