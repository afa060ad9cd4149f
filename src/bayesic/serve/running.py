"""Running a server: the socket, clients that are too slow, the end."""

import asyncio
import gc
import ipaddress
import logging
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from bayesic.serve._application import Application
from bayesic.serve._metrics import Metrics
from bayesic.serve.access_tokens import Token
from bayesic.serve.request_limits import RequestLimits
from bayesic.serve.routes import Route
from bayesic.serve.server import Server
from bayesic.store.store import open_store

LOOPBACK = ("localhost", "127.0.0.1", "::1")
ANY = ("0.0.0.0", "::", "")
BACKLOG = 2048  # connections that wait to be taken
# of every answer, also uvicorn's own: not cached, and not readable by pages of other sites
HEADERS = {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
SECONDS_TO_END = 30  # for requests that were accepted

Timer = asyncio.TimerHandle | None


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can ask.

    >>> is_loopback("127.0.0.1"), is_loopback("0.0.0.0"), is_loopback("mail.example")
    (True, False, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_address(host: str, tokens: Sequence[Token]) -> None:
    """Refuse to let others ask without a token."""
    if not is_loopback(host) and not tokens:
        raise ValueError(
            f"On {host} anybody in the network could ask, so tokens are needed. Make one with "
            "--tokens FILE --new-token learn, and start with --tokens FILE; or leave --host out."
        )


def hosts_answered(host: str, names: Sequence[str]) -> frozenset[str] | None:
    """The host names that are answered; None for any, where a token is needed.

    >>> sorted(hosts_answered("127.0.0.1", ["Mail.example"]))
    ['127.0.0.1', '::1', 'localhost', 'mail.example']
    """
    if host in ANY and not names:
        return None
    return frozenset({*LOOPBACK, host.lower(), *(name.lower() for name in names)})


def serve(
    path: Path,
    host: str,
    port: int,
    limits: RequestLimits,
    tokens: tuple[Token, ...] = (),
    names: Sequence[str] = (),
    read_only: bool = False,
    started: Callable[[str], None] = lambda address: None,
    more_routes: Sequence[Route] = (),
    ending: Callable[[], None] = lambda: None,
) -> bool:
    """Serve a store until SIGINT or SIGTERM, and finish what was accepted.

    more_routes : beside those that every server has
    ending      : called before the server waits for what was accepted

    Returns whether some answer took longer than SECONDS_TO_END: a thread still computes it, and
    Python would wait for that before it ends.
    """
    check_address(host, tokens)
    metrics = Metrics()
    how: dict[str, Any] = {"read_only": True} if read_only else {"on_commit": metrics.committed}
    with (
        listening(host, port) as socket_,
        open_store(path, most_waiting=limits.waiting, **how) as store,
        set_aside(),
    ):
        hosts = hosts_answered(host, names)
        server = Server(store, limits, metrics, tokens, hosts, more_routes)
        ListeningServer(config_of(server), started, ending).run([socket_])
    return server.is_working


@contextmanager
def set_aside() -> Iterator[None]:
    """While this lasts, the garbage collector skips the objects that exist now.

    Modules and models are hundreds of thousands of objects, which stay. To look through all of
    them, as Python does every second or so under load, holds up every answer for some 60 ms.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def listening(host: str, port: int) -> socket.socket:
    """A socket on this address, if it is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise OSError(
            f"Port {port} of {host} cannot be listened on: {error.strerror or error}. Choose "
            "another one with --port; 0 is any that is free."
        ) from error


def config_of(server: Server) -> uvicorn.Config:
    """How uvicorn runs a server."""
    seconds = server.limits.seconds
    return uvicorn.Config(
        Application(server),
        http=type("Connection", (TimeLimitedProtocol,), {"seconds": seconds}),
        ws="none",
        lifespan="on",
        log_config=None,
        log_level=logging.WARNING,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        headers=[*HEADERS.items()],
        limit_concurrency=server.limits.connections,
        timeout_graceful_shutdown=SECONDS_TO_END,
    )


class TimeLimitedProtocol(H11Protocol):
    """A connection that is closed if a request does not come in time, or an answer is not taken.

    uvicorn waits forever for both.
    """

    seconds = 30.0
    _coming: Timer = None  # runs while a request is not whole
    _going: Timer = None  # runs while the client does not take its answer

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected: its request must come within the time limit."""
        super().connection_made(transport)
        # head and body of an answer go out apart: without this the second waits 40 ms for the first
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        transport.set_write_buffer_limits(
            0
        )  # pause_writing is called for every byte that is not taken
        self._coming = self.loop.call_later(self.seconds, self._give_up)

    def data_received(self, data: bytes) -> None:
        """A part of a request has come: the rest must come within the time limit."""
        super().data_received(data)
        if not self._is_idle():
            self._coming = stopped(self._coming)
        elif self._coming is None:
            self._coming = self.loop.call_later(self.seconds, self._give_up)

    def pause_writing(self) -> None:
        """The client does not read its answer: it must begin to within the time limit."""
        super().pause_writing()
        self._going = self.loop.call_later(self.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read all that was written."""
        self._going = stopped(self._going)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed: its timers end."""
        self._coming, self._going = stopped(self._coming), stopped(self._going)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP gets the headers of every answer, which uvicorn leaves out."""
        form = (b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")
        headers = [*self.server_state.default_headers, *form]
        for event in (
            h11.Response(status_code=HTTPStatus.BAD_REQUEST, headers=headers),
            h11.Data(data=msg.encode()),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _give_up(self) -> None:
        self._coming = None
        if self._is_idle():
            self.transport.close()


def stopped(timer: Timer) -> Timer:
    """No timer, instead of this one."""
    if timer is not None:
        timer.cancel()
    return None


class ListeningServer(uvicorn.Server):
    """A server that tells where it listens, once it does, and when it begins to end."""

    def __init__(
        self,
        config: uvicorn.Config,
        started: Callable[[str], None],
        ending: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(config)
        self._tell, self._ending = started, ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and tell where."""
        await super().startup(sockets)
        if not self.should_exit:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._tell(f"http://{f'[{host}]' if ':' in host else host}:{port}")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End, when all that was accepted is done."""
        self._ending()
        await super().shutdown(sockets)
