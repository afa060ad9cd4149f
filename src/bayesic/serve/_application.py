"""The application: from the table of routes to answers; errors as sentences; the access log."""

import asyncio
import json
import logging
from http import HTTPStatus
from time import perf_counter, time
from typing import NotRequired, TypedDict

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from bayesic.serve._origins import check_origin
from bayesic.serve.access_tokens import allowed
from bayesic.serve.refusals import RefusedError, body_of, headers_of, status_of
from bayesic.serve.request_bodies import IncomingRequest
from bayesic.serve.routes import RouteTable
from bayesic.serve.server import Server, ServerRequest, later, reply

LOG = logging.getLogger("bayesic.access")
ENDS = "The server ends, and this answer took too long. Ask again when it is back."
FAILURES = logging.getLogger("bayesic.failures")


class Notes(TypedDict):
    """What the log tells of a request."""

    status: int
    bytes: int
    route: NotRequired[str]
    token: NotRequired[str | None]


class Application:
    """A server as an ASGI application. When it ends, the store is closed."""

    def __init__(self, server: Server) -> None:
        self.server, self.table = server, RouteTable(server.more_routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, and note it."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        start = perf_counter()
        notes: Notes = {"status": 0, "bytes": 0}

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                notes["status"] = message["status"]
            else:
                notes["bytes"] += len(message.get("body", b""))
            await send(message)

        try:
            answer = await self._answer(IncomingRequest(scope, receive), notes)
            await answer(scope, receive, noting)
        except asyncio.CancelledError:  # the server ends, and has waited for as long as it may
            if not notes["status"]:
                await refused(later(ENDS))(scope, receive, noting)
        finally:
            self._note(scope, notes, perf_counter() - start)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await asyncio.to_thread(self.server.close)
        await send({"type": "lifespan.shutdown.complete"})

    async def _answer(self, request: Request, notes: Notes) -> Response:
        try:
            self._check_host(request)
            route, parameters = self.table.found(request.method, request.scope["path"])
            notes["route"] = route.path
            if route.right is not None:
                check_origin(request)
                given = request.headers.get("authorization", "")
                notes["token"] = allowed(self.server.tokens, given, route.right)
            answer = await route.answer(
                ServerRequest(self.server, request, parameters.get("name", ""), parameters)
            )
            return answer if isinstance(answer, Response) else reply(answer)
        except Exception as error:  # each has its status and its sentence
            return refused(error, request.scope["path"].startswith("/v2"))

    def _check_host(self, request: Request) -> None:
        """Refuse other host names: another site could let its own name lead to this server."""
        host = request.headers.get("host", "")
        if self.server.hosts is not None and host_name(host) not in self.server.hosts:
            raise RefusedError(
                HTTPStatus.BAD_REQUEST,
                f"This server answers to {', '.join(sorted(self.server.hosts))}, got the header "
                f"Host {host!r:.100}. Start it with --name to add a name.",
            )

    def _note(self, scope: Scope, notes: Notes, seconds: float) -> None:
        route, status = notes.get("route", "other"), str(notes["status"])
        self.server.metrics.count(
            "bayesic_requests_total", route=route, method=_method(scope), status=status
        )
        if LOG.isEnabledFor(logging.INFO):
            client = (scope.get("client") or ("",))[0]
            line = {"time": round(time(), 3), "client": client, "method": scope["method"]}
            line |= {"path": scope["path"], "ms": round(seconds * 1000, 3), **notes}
            LOG.info(json.dumps(line, ensure_ascii=True))


def refused(error: Exception, by_protocol: bool = False) -> Response:
    """Why a request is refused. Unexpected errors go to the log, and not to the client.

    by_protocol : as the Open Inference Protocol has it: the sentence is the error
    """
    if status_of(error) == HTTPStatus.INTERNAL_SERVER_ERROR:
        FAILURES.error("a request failed", exc_info=error)
    body = body_of(error)
    if by_protocol:
        body["error"] = body["message"]
    return reply(body, status_of(error), headers_of(error))


def _method(scope: Scope) -> str:
    """The method as a label of metrics; unknown ones share one, or their number had no limit."""
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
