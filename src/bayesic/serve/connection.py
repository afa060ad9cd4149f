"""Requests to a server, and its answers; its errors are those of a store."""

import json
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from bayesic.store import errors

SECONDS = 60.0  # to wait for an answer
LONG = 660.0  # for one that reads the whole journal
JSON, MODEL = "application/json", "application/octet-stream"
NO_HEADERS: Mapping[str, str] = {}

Request = tuple[str, str, bytes | None, Mapping[str, str]]  # method, path, body, headers
Taking = Callable[[HTTPResponse], Any]  # what is done with a good answer


def path_of(name: str, verb: str = "", **query: object) -> str:
    """The path of a model, or of a verb.

    >>> path_of("出行", "history", after=7)
    '/models/%E5%87%BA%E8%A1%8C/history?after=7'
    """
    path = f"/models/{quote(name, safe='')}" + (f"/{verb}" if verb else "")
    return path + (f"?{urlencode(query)}" if query else "")


class Connection:
    """Connections to one server. Any number of threads may use it."""

    def __init__(self, url: str, token: str | None) -> None:
        """See `connect`."""
        self.url, self._token = url, token
        self.idle: list[HTTPConnection] = []  # open, to be used again

    def close(self) -> None:
        """Close what is open; the server goes on."""
        while self.idle:
            self.idle.pop().close()

    def json(self, method: str, path: str, body: Any = None, **how: Any) -> dict[str, Any]:
        """The JSON that a server answers."""
        return json.loads(self.answer(method, path, body, **how))

    def answer(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] = NO_HEADERS,
        seconds: float = SECONDS,
        take: Taking = HTTPResponse.read,
    ) -> Any:
        """What is taken of the answer to a request: all bytes of it, or else what `take` returns.

        body : bytes of a model file, or what is sent as JSON
        """
        headers = dict(headers)
        if self._token is not None:
            headers["authorization"] = f"Bearer {self._token}"
        if body is not None:
            headers["content-type"] = MODEL if isinstance(body, bytes) else JSON
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = method, urlsplit(self.url).path + path, body, headers
        try:
            response, found = self._sent(request, seconds, take)
        except (HTTPException, ConnectionError, TimeoutError) as error:
            raise self._no_answer(error, seconds) from error
        if response.status >= 400:
            raise _error_of(response, found)
        return found

    def _sent(self, request: Request, seconds: float, take: Taking) -> tuple[HTTPResponse, Any]:
        """The answer, and what is taken of it; on a connection that was silent, tried twice."""
        try:
            return _exchanged(self.idle, self._taken(seconds), request, take)
        except (HTTPException, ConnectionError):  # a server closes what is silent for long
            self.close()
            if request[0] == "DELETE":  # alone of all verbs it may not come twice
                raise
        return _exchanged(self.idle, self._taken(seconds), request, take)

    def _taken(self, seconds: float) -> HTTPConnection:
        """A connection that is not in use."""
        try:
            connection = self.idle.pop()
        except IndexError:
            parts = urlsplit(self.url)
            kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
            return kind(parts.hostname or "", parts.port, timeout=seconds)
        if connection.sock is not None:
            connection.sock.settimeout(seconds)
        return connection

    def _no_answer(self, error: Exception, seconds: float) -> OSError:
        """Why there is no answer, as a sentence."""
        if isinstance(error, TimeoutError):
            return TimeoutError(f"{self.url} did not answer within {seconds:g} s. Try again later.")
        reason = str(error) or type(error).__name__
        return ConnectionError(
            f"No bayesic server answers at {self.url}: {reason}. Start it with bayesic serve "
            "STORE, or check the address."
        )


def _exchanged(
    idle: list[HTTPConnection], connection: HTTPConnection, request: Request, take: Taking
) -> tuple[HTTPResponse, object]:
    """Send a request, and take its answer; the connection is idle again then."""
    try:
        if connection.sock is None:
            _open(connection)
        connection.request(*request)
        response = connection.getresponse()
        found = take(response) if response.status < 400 else response.read()
    except BaseException:
        connection.close()
        raise
    idle.append(connection)
    return response, found


def _open(connection: HTTPConnection) -> None:
    try:
        connection.connect()
    except OSError as error:  # also of names that are not known, and of certificates
        raise ConnectionError(error.strerror or str(error)) from error


def _error_of(response: HTTPResponse, data: bytes) -> Exception:
    """The error that the store would have raised here."""
    try:
        refusal = json.loads(data)
        name, sentence = refusal["error"], refusal["message"]
    except (ValueError, TypeError, KeyError):
        name, sentence = "", f"The server answered {response.status} {response.reason}."
    if name == "BusyError":
        busy = errors.BusyError(0, float(response.headers.get("retry-after", 1)))
        busy.args = (sentence,)
        return busy
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, errors.StoreError):
        return kind(sentence)
    if response.status in (401, 403):
        return PermissionError(sentence)
    return ConnectionError(sentence) if response.status >= 500 else ValueError(sentence)
