"""The description of the server, OpenAPI 3.1: made from the table of routes and from the models."""

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import bayesic as by
from bayesic.serve.bodies import JSON, MODEL
from bayesic.serve.schemas import SCHEMAS, answers_schema, learn_schema, predict_schema
from bayesic.serve.server import Asked
from bayesic.store.errors import StoreError

if TYPE_CHECKING:
    from bayesic.serve.routes import Route

OF_A_MODEL = {"Learn": learn_schema, "Predict": predict_schema, "Answers": answers_schema}
KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Stands for ids where there are none.",
    "schema": {"type": "string"},
}


async def document(asked: Asked) -> Any:
    """This description."""
    from bayesic.serve.routes import ROUTES  # which has this function in it

    paths: dict[str, Any] = {}
    for route in ROUTES:
        path = paths.setdefault(route.path, {})
        path[route.method.lower()] = _operation(route, None, asked.request.app.state.needs_token)
    for name in asked.server.store.models():
        try:
            model = asked.server.store.state(name).model
        except StoreError:  # it is damaged, or was deleted in this moment
            continue
        for route in ROUTES:
            if route.path.startswith("/models/{name}/") and {route.takes, route.gives} & {
                *OF_A_MODEL
            }:
                path = paths.setdefault(route.path.replace("{name}", quote(name, safe="")), {})
                needs_token = asked.request.app.state.needs_token
                path[route.method.lower()] = _operation(route, (name, model), needs_token)
    return {
        "openapi": "3.1.0",
        "info": {"title": "bayesic", "version": by.__version__},
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(route: "Route", of: tuple[str, Any] | None, needs_token: bool) -> dict[str, Any]:
    """What is told of a route; of one model, with its columns and classes."""
    told: dict[str, Any] = {
        "operationId": f"{route.method} {route.path}" + (f" {of[0]}" if of else ""),
        "summary": route.summary + (f" Of {of[0]!r}." if of else ""),
        "parameters": _parameters(route, of is None),
        "responses": {
            "200": {"description": "The answer.", "content": _answer(route, of)},
            "default": {
                "description": "Why not.",
                "content": {JSON: {"schema": _named("Error")}},
            },
        },
    }
    if route.takes:
        content = {form: {"schema": _body(route, form, of)} for form in route.forms}
        told["requestBody"] = {"required": True, "content": content}
    if needs_token and route.right is not None:
        told["security"] = [{"token": []}]
        told["description"] = f"Needs the right {route.right}."
    return told


def _parameters(route: "Route", is_general: bool) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if "{name}" in route.path and is_general:
        text = {"type": "string", "minLength": 1}
        found.append({"name": "name", "in": "path", "required": True, "schema": text})
    number = {"type": "integer", "minimum": 0}
    found += [{"name": name, "in": "query", "schema": number} for name in route.query]
    return [*found, KEY] if route.takes == "Learn" else found


def _body(route: "Route", form: str, of: tuple[str, Any] | None) -> dict[str, Any]:
    if form != JSON:
        return {"type": "string"} | ({"format": "binary"} if form == MODEL else {})
    return (
        OF_A_MODEL[route.takes](of[1]) if of and route.takes in OF_A_MODEL else _named(route.takes)
    )


def _answer(route: "Route", of: tuple[str, Any] | None) -> dict[str, Any]:
    if route.gives == "File":
        return {MODEL: {"schema": {"type": "string", "format": "binary"}}}
    if route.gives == "Text":
        return {"text/plain": {"schema": {"type": "string"}}}
    is_own = of is not None and route.gives in OF_A_MODEL
    schema = OF_A_MODEL[route.gives](of[1]) if of and is_own else _named(route.gives)
    others = {
        form: {"schema": {"type": "string"}} for form in route.forms if route.gives == "Answers"
    }
    return others | {JSON: {"schema": schema}}


def _named(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}
