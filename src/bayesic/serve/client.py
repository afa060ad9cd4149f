"""`connect`: the verbs of a store, over HTTP. Nothing but the standard library is needed."""

import json
import secrets
import shutil
from collections.abc import Mapping, Sequence
from http.client import HTTPResponse
from time import monotonic, sleep
from typing import Any, Self
from urllib.parse import urlsplit

import numpy as np

from bayesic.data.arguments import check_whole_number
from bayesic.data.typing import Label, LabelsLike, NetworkSmoothing, TableLike
from bayesic.decisions.names import name_array
from bayesic.evaluation.drift import Change, Drift
from bayesic.files.whole_files import PathLike, whole_file
from bayesic.kernels import Array
from bayesic.serve.connection import LONG, Connection, path_of
from bayesic.store.errors import UnknownNameError
from bayesic.store.journal_drift import Moment, cuts_of
from bayesic.store.journal_events import Event, Receipt, State
from bayesic.store.learning_curve import CurvePoint
from bayesic.store.model_bytes import bytes_of, model_of
from bayesic.store.plain_rows import Id, Ids, Row, plain, rows_of
from bayesic.store.published import did_not_come
from bayesic.store.row_export import format_of
from bayesic.store.text_rows import rows_and_ids
from bayesic.store.verify import Verified

MOST_EVENTS = 1000  # of a history that a server tells at once
BETWEEN_LOOKS = 0.02  # seconds


def connect(url: str, token: str | None = None) -> "RemoteStore":
    """The store that `bayesic serve` serves, with the same verbs; see docs/server.md.

    url   : such as "http://127.0.0.1:8000"
    token : if the server requires one

    The server is not contacted before the first verb.

    >>> import bayesic as by
    >>> store = by.connect("http://127.0.0.1:8000")
    >>> store
    RemoteStore('http://127.0.0.1:8000')
    >>> store.predict("spam", ["free money"]).tolist()  # doctest: +SKIP
    ['spam']
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
        self._connection = Connection(url, token)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"RemoteStore({self.url!r})"

    def close(self) -> None:
        """Close the connections; the server goes on."""
        self._connection.close()

    # writing ------------------------------------------------------------------------------------

    def create(
        self,
        name: str,
        model: object,
        classes: LabelsLike | None = None,
        smoothing: NetworkSmoothing | None = None,
        window: int | str | None = None,
    ) -> Receipt:
        """Take a copy of a model in, under a name.

        window : how many rows the model is of, the last ones, or a span of time: "30 days"
        """
        given = {"classes": _plain(classes), "smoothing": _plain(smoothing), "window": window}
        declared = json.dumps({key: value for key, value in given.items() if value is not None})
        headers = {"bayesic-told": declared}
        return _receipt(self._answer("PUT", path_of(name), bytes_of(model), headers=headers))

    def delete(self, name: str) -> Receipt:
        """Remove a model with all its rows. The name is free again."""
        self._answer("DELETE", path_of(name))
        return Receipt()

    def learn(
        self, name: str, rows: TableLike, y: LabelsLike | None = None, ids: Ids | None = None
    ) -> Receipt:
        """Learn rows, all of them or none, and return when they are on the disk and count.

        Rows without ids get new ones here: should the connection break, they are sent again, and
        still learned once.
        """
        given, ids = rows_and_ids(rows, y, ids)
        ids = [secrets.token_hex(12) for _ in given] if ids is None else ids
        return self._send_rows("learn", name, given, ids)

    def _send_rows(self, verb: str, name: str, rows: Sequence[Row], ids: Ids | None) -> Receipt:
        body: dict[str, Any] = {"rows": [row.x for row in rows]}
        if ids is not None:
            body["ids"] = _plain(ids)
        if rows[0].y is not None:
            body["y"] = [row.y for row in rows]
        return _receipt(self._answer("POST", path_of(name, verb), body))

    def adopt(
        self, name: str, rows: TableLike, y: LabelsLike | None = None, ids: Ids | None = None
    ) -> Receipt:
        """Give ids to rows that a model had learned before it came into the store."""
        return self._send_rows("adopt", name, *rows_and_ids(rows, y, ids))

    def forget(self, name: str, ids: Id | Ids) -> Receipt:
        """Take rows back out, all of them or none. Their ids are free again."""
        given = [ids] if isinstance(ids, (str, int)) else _plain(ids)
        return _receipt(self._answer("POST", path_of(name, "forget"), {"ids": given}))

    def correct(self, name: str, id: Id, y: Label | Mapping[str, object]) -> Receipt:
        """Give a row that was learned another label; of a network, other cells."""
        label = (
            {key: plain(cell) for key, cell in y.items()} if isinstance(y, Mapping) else plain(y)
        )
        return _receipt(
            self._answer("POST", path_of(name, "correct"), {"id": plain(id), "y": label})
        )

    def compact(self, name: str, keep_rows: bool = True) -> Receipt:
        """Make the file smaller: rows that were forgotten or replaced are wiped out."""
        body = {"keep_rows": bool(keep_rows)}
        return _receipt(self._answer("POST", path_of(name, "compact"), body, seconds=LONG))

    # reading ------------------------------------------------------------------------------------

    def models(self) -> list[str]:
        """The names of all models, in the order in which they came."""
        return [answer["name"] for answer in self._answer("GET", "/models")["models"]]

    def state(self, name: str) -> State:
        """The model as it is now, and the number of the last event in it."""
        return self._connection.answer("GET", path_of(name, "file"), take=_state)

    def wait(self, name: str, seq: int, timeout: float | None = 10.0) -> State:
        """The first state that has the event of this number in it, as soon as it is there."""
        until = None if timeout is None else monotonic() + timeout
        while self._seq(name) < seq:
            if until is not None and monotonic() > until:
                raise did_not_come(name, seq, timeout)
            sleep(BETWEEN_LOOKS)
        return self.state(name)

    def _seq(self, name: str) -> int:
        """The number of the last event in a model; -1 if there is none."""
        try:
            return self._answer("GET", path_of(name))["seq"]
        except UnknownNameError:
            return -1

    def model(self, name: str) -> Any:
        """A copy of the model, which is yours: what it learns, the store does not."""
        return self.state(name).model

    def predict(self, name: str, rows: TableLike, **asked: object) -> Array:
        """What the model predicts for these rows; target= names the variable of a network."""
        answer = self._predicted(name, rows, asked)
        return (
            name_array(answer["predictions"])
            if "classes" in answer
            else _numbers(answer["predictions"])
        )

    def predict_proba(self, name: str, rows: TableLike, **asked: object) -> Array:
        """How probable the model takes each class of these rows to be."""
        answer = self._predicted(name, rows, asked)
        if "classes" not in answer:
            raise TypeError(f"{name!r} predicts numbers, and has no classes. Use predict.")
        return _numbers(answer["probabilities"])

    def _predicted(self, name: str, rows: TableLike, asked: Mapping[str, Any]) -> dict[str, Any]:
        body = {"rows": [row.x for row in rows_of(rows)], **asked}
        return self._answer("POST", path_of(name, "predict"), body)

    def explain(self, name: str, row: Any, **asked: object) -> dict[str, object]:
        """Why a row gets its answer, as plain values."""
        (one,) = rows_of([row] if isinstance(row, (str, Mapping)) else row)
        return self._answer("POST", path_of(name, "explain"), {"row": one.x, **asked})

    # the journal --------------------------------------------------------------------------------

    def history(self, name: str, after: int = 0, limit: int | None = None) -> list[Event]:
        """What happened to a model, in order."""
        found: list[Event] = []
        while limit is None or len(found) < limit:
            most = MOST_EVENTS if limit is None else min(MOST_EVENTS, limit - len(found))
            answer = self._answer("GET", path_of(name, "history", after=after, limit=most))[
                "events"
            ]
            found += [_event(event) for event in answer]
            if len(answer) < most:
                break
            after = found[-1].seq
        return found

    def latest(self, name: str, limit: int, before: int | None = None) -> list[Event]:
        """What happened to a model last, the latest first: at most so many, before an event."""
        check_whole_number("limit", limit, 1)
        found: list[Event] = []
        while len(found) < limit:
            most = min(MOST_EVENTS, limit - len(found))
            cut = {} if before is None else {"before": before}
            answer = self._answer("GET", path_of(name, "latest", limit=most, **cut))["events"]
            found += [_event(event) for event in answer]
            if len(answer) < most:
                break
            before = found[-1].seq
        return found

    def at(self, name: str, seq: int) -> Any:
        """The model as it was after the event of this number."""
        path = path_of(name, "file", seq=seq)
        return model_of(self._connection.answer("GET", path, seconds=LONG))

    def replay(self, name: str, other: Any = None) -> Any:
        """The rows that the model knows now, learned in the same order by another model.

        other : parameters by name, to be set otherwise; or a model of any kind that learns by
                partial_fit. None for the same model.
        """
        is_model = other is not None and not isinstance(other, Mapping)
        body = bytes_of(other) if is_model else {"parameters": dict(other or {})}
        path = path_of(name, "replay")
        return model_of(self._connection.answer("POST", path, body, seconds=LONG))

    def drift(
        self, name: str, since: Moment, start: Moment | None = None, until: Moment | None = None
    ) -> Drift:
        """What has changed: the rows that came since, beside those before. See `by.drift`.

        since : the number of an event, or a moment: "2026-06-01", a datetime, seconds as a float
        start : where the earlier rows begin; None for the first of all
        until : where the later rows end; None for the last of all
        """
        path = path_of(name, "drift", **cuts_of(since, start, until))
        return _drift(self._answer("GET", path, seconds=LONG))

    def learning_curve(self, name: str, points: int = 100) -> list[CurvePoint]:
        """How good the model was while it learned, in so many parts of its journal."""
        path = path_of(name, "learning-curve", points=points)
        answer = self._answer("GET", path, seconds=LONG)["points"]
        return [CurvePoint(**{key: _number(part) for key, part in each.items()}) for each in answer]

    def export(self, name: str, path: PathLike) -> int:
        """Write the rows that the model knows to a .parquet or .csv file; return how many."""
        asked = path_of(name, f"rows.{format_of(path)}")

        def taken(response: HTTPResponse) -> int:
            shutil.copyfileobj(response, file)
            return int(response.headers["bayesic-rows"])

        with whole_file(path, "The rows") as file:
            return self._connection.answer("GET", asked, seconds=LONG, take=taken)

    def verify(self) -> Verified:
        """Check the file, the snapshots and the ids, and replay every model bit for bit."""
        answer = self._answer("GET", "/verify", seconds=LONG)
        return Verified(answer["models"], answer["events"], tuple(answer["problems"]))

    def _answer(self, method: str, path: str, body: object = None, **how: object) -> dict[str, Any]:
        return self._connection.json(method, path, body, **how)


def _plain(values: object) -> object:
    if isinstance(values, (list, tuple, range, np.ndarray)):
        return [plain(value) for value in values]
    return values


def _numbers(values: object) -> Array:
    return np.array(values, dtype=np.float64)


def _receipt(answer: Mapping[str, Any]) -> Receipt:
    return Receipt(tuple(answer["ids"]), tuple(answer["seqs"]), tuple(answer["already"]))


def _event(answer: Mapping[str, Any]) -> Event:
    row = Row(answer["row"], answer.get("y")) if "row" in answer else None
    return Event(answer["seq"], answer["op"], answer["id"], answer["time"], row)


def _drift(answer: Mapping[str, Any]) -> Drift:
    changes = tuple(
        Change(
            each["column"],
            None if each["change"] is None else float(each["change"]),  # "inf" is a text
            tuple(each["values"]),
        )
        for each in answer["changes"]
    )
    return Drift(changes, answer["n_earlier"], answer["n_later"])


def _state(response: HTTPResponse) -> State:
    return State(int(response.headers["bayesic-seq"]), model_of(response.read()))


def _number(answer: object) -> Any:
    """A number that JSON may have as a text, since it has no infinity."""
    return float(answer) if isinstance(answer, str) else answer
