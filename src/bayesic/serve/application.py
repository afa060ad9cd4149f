"""The application: from the table of routes to answers; errors as sentences; the access log."""

import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from time import perf_counter, time
from typing import Any

import anyio
from starlette import routing
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bayesic.serve.refusals import RefusedError, body_of, headers_of, status_of
from bayesic.serve.routes import ROUTES, Route
from bayesic.serve.server import Asked, Server, reply
from bayesic.serve.tokens import allowed

LOG = logging.getLogger("bayesic.access")
FAILURES = logging.getLogger("bayesic.failures")
NOTES = "bayesic.notes"  # in the scope: what is to be told of a request


def application(server: Server) -> ASGIApp:
    """The server as an ASGI application. When it ends, the store is closed."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> Any:
        yield
        await anyio.to_thread.run_sync(server.store.close)

    inner = Starlette(
        routes=[_served(route, server) for route in ROUTES],
        exception_handlers={HTTPException: _unknown},
        lifespan=lifespan,
    )
    inner.router.redirect_slashes = False
    inner.state.needs_token = bool(server.tokens)
    return Watched(inner, server)


def _served(route: Route, server: Server) -> routing.Route:
    async def endpoint(request: Request) -> Response:
        notes = request.scope[NOTES]
        notes["route"] = route.path
        try:
            if route.right is not None:
                given = request.headers.get("authorization", "")
                notes["token"] = allowed(server.tokens, given, route.right)
            answer = await route.answer(Asked(server, request))
            return answer if isinstance(answer, Response) else reply(answer)
        except Exception as error:  # each has its status and its sentence
            return refused(error)

    return routing.Route(route.path, endpoint, methods=[route.method])


def refused(error: Exception) -> Response:
    """Why a request is refused. What nobody expected goes to the log, and not to the client."""
    if status_of(error) == HTTPStatus.INTERNAL_SERVER_ERROR:
        FAILURES.error("a request failed", exc_info=error)
    return reply(body_of(error), status_of(error), headers_of(error))


async def _unknown(request: Request, error: Exception) -> Response:
    """No such path, or no such method."""
    status = HTTPStatus(error.status_code if isinstance(error, HTTPException) else 500)
    sentence = (
        f"There is no {request.method} {request.url.path:.200}. GET /openapi.json lists what there "
        "is; the name of a model has no slash in it."
    )
    headers = dict(getattr(error, "headers", None) or {})
    return refused(RefusedError(status, sentence, headers))


class Watched:
    """Around the application: who may ask, how long it takes, and a line in the log."""

    def __init__(self, app: ASGIApp, server: Server) -> None:
        self.app, self.server = app, server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, and note it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = perf_counter()
        notes: dict[str, Any] = {"status": 0, "bytes": 0}
        scope[NOTES] = notes
        try:
            await self._answered(scope, receive, _in_time(send, self.server.limits.seconds, notes))
        except (ClientDisconnect, TimeoutError):  # it did not take its answer
            notes["gone"] = True
        finally:
            self._note(scope, notes, perf_counter() - start)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = Request(scope).headers.get("host", "")
        if self.server.hosts is None or host_name(host) in self.server.hosts:
            await self.app(scope, receive, send)
            return
        error = RefusedError(
            HTTPStatus.BAD_REQUEST,
            f"This server answers to {', '.join(sorted(self.server.hosts))}, got the header Host "
            f"{host!r:.100}. Start it with --name to add a name.",
        )
        await refused(error)(scope, receive, send)

    def _note(self, scope: Scope, notes: dict[str, Any], seconds: float) -> None:
        route, status = notes.get("route", "other"), str(notes["status"])
        self.server.metrics.count(
            "bayesic_requests_total", route=route, method=_method(scope), status=status
        )
        if LOG.isEnabledFor(logging.INFO):
            client = (scope.get("client") or ("",))[0]
            line = {"time": round(time(), 3), "client": client, "method": scope["method"]}
            line |= {"path": scope["path"], "ms": round(seconds * 1000, 3), **notes}
            LOG.info(json.dumps(line, ensure_ascii=True))


def _method(scope: Scope) -> str:
    """The method; what a client made up is none, or it could fill the memory with counters."""
    known = {"GET", "HEAD", "POST", "PUT", "DELETE"}
    return scope["method"] if scope["method"] in known else "other"


def host_name(host: str) -> str:
    """The name in a header, without its port.

    >>> host_name("localhost:8000"), host_name("[::1]:8000"), host_name("Mail.example")
    ('localhost', '::1', 'mail.example')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _in_time(send: Send, seconds: float, notes: dict[str, Any]) -> Callable[..., Awaitable[None]]:
    """Send, but not forever: a client that does not read is let go."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            notes["status"] = message["status"]
        else:
            notes["bytes"] += len(message.get("body", b""))
        with anyio.fail_after(seconds):
            await send(message)

    return sending
