"""`connect`: the verbs of a store, over HTTP. Nothing but the standard library is needed."""

import json
import secrets
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, Self
from urllib.parse import quote, urlencode, urlsplit

import numpy as np

from bayesic.decisions.names import name_array
from bayesic.kernels import Array
from bayesic.store import errors
from bayesic.store.bodies import Row, plain, rows_of
from bayesic.store.events import Event, Receipt, State
from bayesic.store.model_bytes import bytes_of, model_of

SECONDS = 60.0  # to wait for an answer
JSON, MODEL = "application/json", "application/octet-stream"
NO_HEADERS: Mapping[str, str] = {}


def connect(url: str, token: str | None = None) -> "RemoteStore":
    """The store that `bayesic serve` serves, with the same verbs; see docs/server.md.

    url   : such as "http://127.0.0.1:8000"
    token : if the server wants one
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"url must be such as http://127.0.0.1:8000, got {url!r:.100}.")
    return RemoteStore(url.rstrip("/"), token)


class RemoteStore:
    """Models that learn in another process. Any number of threads may call."""

    def __init__(self, url: str, token: str | None) -> None:
        """See `connect`."""
        self.url = url
        self._token = token
        self._idle: list[HTTPConnection] = []  # open, to be used again

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"RemoteStore({self.url!r})"

    def close(self) -> None:
        """Close the connections; the server goes on."""
        while self._idle:
            self._idle.pop().close()

    # writing ------------------------------------------------------------------------------------

    def create(self, name: str, model: Any, classes: Any = None, smoothing: Any = None) -> Receipt:
        """Take a copy of a model in, under a name."""
        given = {"classes": _plain(classes), "smoothing": _plain(smoothing)}
        told = json.dumps({key: value for key, value in given.items() if value is not None})
        return _receipt(self._asked("PUT", _path(name), bytes_of(model), {"bayesic-told": told}))

    def delete(self, name: str) -> Receipt:
        """Remove a model with all its rows. The name is free again."""
        self._asked("DELETE", _path(name))
        return Receipt()

    def learn(self, name: str, rows: Any, y: Any = None, ids: Any = None) -> Receipt:
        """Learn rows, all of them or none, and return when they are on the disk and count.

        Rows without ids get new ones here: should the connection break, they are sent again, and
        still learned once.
        """
        given = rows_of(rows, y)
        ids = [secrets.token_hex(12) for _ in given] if ids is None else _plain(ids)
        body = {"rows": [row.x for row in given], "ids": ids}
        if given[0].y is not None:
            body["y"] = [row.y for row in given]
        return _receipt(self._asked("POST", _path(name, "learn"), body))

    def forget(self, name: str, ids: Any) -> Receipt:
        """Take rows back out, all of them or none. Their ids are free again."""
        ids = [ids] if isinstance(ids, (str, int)) else _plain(ids)
        return _receipt(self._asked("POST", _path(name, "forget"), {"ids": ids}))

    def correct(self, name: str, id: Any, y: Any) -> Receipt:
        """Give a row that was learned another label; of a network, other cells."""
        label = (
            {key: plain(cell) for key, cell in y.items()} if isinstance(y, Mapping) else plain(y)
        )
        return _receipt(self._asked("POST", _path(name, "correct"), {"id": plain(id), "y": label}))

    # reading ------------------------------------------------------------------------------------

    def models(self) -> list[str]:
        """The names of all models, in the order in which they came."""
        return [told["name"] for told in self._asked("GET", "/models")["models"]]

    def state(self, name: str) -> State:
        """The model as it is now, and the number of the last event in it."""
        return self._state(_path(name, "file"))

    def wait(self, name: str, seq: int) -> State:
        """The first state that has the event of this number in it, as soon as it is there."""
        return self._state(_path(name, "file", at_least=seq))

    def _state(self, path: str) -> State:
        response, data = self._answered("GET", path)
        return State(int(response.headers["bayesic-seq"]), model_of(data))

    def model(self, name: str) -> Any:
        """A copy of the model, which is yours: what it learns, the store does not."""
        return self.state(name).model

    def predict(self, name: str, rows: Any, **asked: Any) -> Array:
        """What the model predicts for these rows; target= names the variable of a network."""
        told = self._predicted(name, rows, asked)
        return (
            name_array(told["predictions"]) if "classes" in told else _numbers(told["predictions"])
        )

    def predict_proba(self, name: str, rows: Any, **asked: Any) -> Array:
        """How probable the model takes each class of these rows to be."""
        told = self._predicted(name, rows, asked)
        if "classes" not in told:
            raise TypeError(f"{name!r} predicts numbers, and has no classes. Use predict.")
        return _numbers(told["probabilities"])

    def _predicted(self, name: str, rows: Any, asked: Mapping[str, Any]) -> dict[str, Any]:
        body = {"rows": [row.x for row in rows_of(rows)], **asked}
        return self._asked("POST", _path(name, "predict"), body)

    def explain(self, name: str, row: Any, **asked: Any) -> dict[str, Any]:
        """Why a row gets its answer, as plain values."""
        (one,) = rows_of([row] if isinstance(row, (str, Mapping)) else row)
        return self._asked("POST", _path(name, "explain"), {"row": one.x, **asked})

    def history(self, name: str, after: int = 0, limit: int | None = None) -> list[Event]:
        """What happened to a model, in order."""
        found: list[Event] = []
        while limit is None or len(found) < limit:
            told = self._asked("GET", _path(name, "history", after=after))["events"]
            if not told:
                break
            found += [_event(event) for event in told]
            after = found[-1].seq
        return found[:limit]

    # the connection -----------------------------------------------------------------------------

    def _asked(
        self, method: str, path: str, body: Any = None, more: Mapping[str, str] = NO_HEADERS
    ) -> dict[str, Any]:
        return json.loads(self._answered(method, path, body, more)[1])

    def _answered(
        self, method: str, path: str, body: Any = None, more: Mapping[str, str] = NO_HEADERS
    ) -> tuple[HTTPResponse, bytes]:
        headers = dict(more)
        if self._token is not None:
            headers["authorization"] = f"Bearer {self._token}"
        if body is not None:
            headers["content-type"] = MODEL if isinstance(body, bytes) else JSON
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            response, data = self._sent(method, path, body, headers)
        except (HTTPException, ConnectionError):  # a server closes what is silent for long
            self.close()
            if method == "DELETE":  # alone of all verbs it may not come twice
                raise
            response, data = self._sent(method, path, body, headers)
        if response.status >= 400:
            raise _error_of(response, data)
        return response, data

    def _sent(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[HTTPResponse, bytes]:
        connection = self._taken()
        try:
            connection.request(method, urlsplit(self.url).path + path, body, headers)
            response = connection.getresponse()
            data = response.read()
        except BaseException:
            connection.close()
            raise
        self._idle.append(connection)
        return response, data

    def _taken(self) -> HTTPConnection:
        """A connection that nobody else uses now."""
        try:
            return self._idle.pop()
        except IndexError:
            parts = urlsplit(self.url)
            kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
            return kind(parts.hostname or "", parts.port, timeout=SECONDS)


def _path(name: str, verb: str = "", **query: int) -> str:
    """The path of a model, or of a verb.

    >>> _path("出行", "history", after=7)
    '/models/%E5%87%BA%E8%A1%8C/history?after=7'
    """
    path = f"/models/{quote(name, safe='')}" + (f"/{verb}" if verb else "")
    return path + (f"?{urlencode(query)}" if query else "")


def _plain(values: Any) -> Any:
    if isinstance(values, (list, tuple, np.ndarray)):
        return [plain(value) for value in values]
    return values


def _numbers(values: Any) -> Array:
    return np.array(values, dtype=np.float64)


def _receipt(told: Mapping[str, Any]) -> Receipt:
    return Receipt(tuple(told["ids"]), tuple(told["seqs"]), tuple(told["already"]))


def _event(told: Mapping[str, Any]) -> Event:
    row = Row(told["row"], told.get("y")) if "row" in told else None
    return Event(told["seq"], told["op"], told["id"], told["time"], row)


def _error_of(response: HTTPResponse, data: bytes) -> Exception:
    """The error that the store would have raised here."""
    try:
        told = json.loads(data)
        name, sentence = told["error"], told["message"]
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
