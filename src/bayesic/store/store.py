"""The verbs of a store: what users call. Each is a few lines; the work is done in the files beside.

caller  --rows_of-->  request  --Writer-->  commit  -->  published states  -->  answers
"""

import os
import sqlite3
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self

from bayesic.data.arguments import check_whole_number, is_whole_number
from bayesic.data.snapshots import snapshot
from bayesic.data.spelling import spelt
from bayesic.data.typing import Label, LabelsLike, NetworkSmoothing, TableLike
from bayesic.evaluation.drift import Drift
from bayesic.files.whole_files import PathLike
from bayesic.kernels import Array
from bayesic.store import _journal, _journal_lines
from bayesic.store._checked_requests import REQUESTS
from bayesic.store._follower import Follower
from bayesic.store._model_snapshots import state_at
from bayesic.store._replay import replayed, surviving_rows
from bayesic.store._writer import OnCommit, Writer
from bayesic.store.errors import ReadOnlyError, StoreError
from bayesic.store.journal_drift import Moment, drift_between
from bayesic.store.journal_events import Event, Receipt, State
from bayesic.store.learning_curve import CurvePoint, learning_curve
from bayesic.store.plain_rows import Id, Ids
from bayesic.store.row_export import export_rows
from bayesic.store.verify import Verified, verify

SNAPSHOT_EVERY = 10_000  # events of a model
MOST_WAITING = 10_000  # calls


def open_store(
    path: PathLike,
    read_only: bool = False,
    snapshot_every: int = SNAPSHOT_EVERY,
    most_waiting: int = MOST_WAITING,
    on_commit: OnCommit | None = None,
    trust_clock: bool = False,
) -> "Store":
    """Open a durable home for models, or make one; see docs/store.md.

    path           : the file; the first to write makes it
    read_only      : read and follow a store to which another process may write
    snapshot_every : after so many events a model is kept as it is, for a fast start
    most_waiting   : calls that may wait for the disk; more are refused with a BusyError
    on_commit      : called after each commit with the number of calls in it and its seconds
    trust_clock    : the clock is right, even more than a year after the last event

    >>> import bayesic as by
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, by.open_store(f"{folder}/mail.store") as store:
    ...     _ = store.create("spam", by.TextClassifier())
    ...     _ = store.learn("spam", ["free money", "lunch today"], ["spam", "ham"], ids=[1, 2])
    ...     _ = store.forget("spam", [2])
    ...     store.predict("spam", ["money for lunch"]).tolist()
    ['spam']
    """
    for name, given in (("snapshot_every", snapshot_every), ("most_waiting", most_waiting)):
        if not is_whole_number(given) or given < 1:
            raise ValueError(f"{name} must be a whole number of 1 or more, got {given!r}.")
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise ValueError(f"A store is one file, got the folder {path}. Add the name of a file.")
    if read_only:
        return Store(target, Follower(target))
    return Store(target, Writer(target, snapshot_every, most_waiting, on_commit, trust_clock))


class Store:
    """Models that learn while they are used, in a file. Any number of threads may call."""

    def __init__(self, path: Path, source: Writer | Follower) -> None:
        """See `open_store`."""
        self.path = path
        self._source = source
        self._published = source.published

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    def close(self) -> None:
        """Finish what was handed in, and give the file back to others."""
        self._source.close()

    # writing ------------------------------------------------------------------------------------

    def create(
        self,
        name: str,
        model: object,
        classes: LabelsLike | None = None,
        smoothing: NetworkSmoothing | None = None,
        window: int | str | None = None,
    ) -> Receipt:
        """Take a copy of a model in, under a name: one that has learned nothing, or already fitted.

        classes   : every class that can come, for models that must know them before they learn
        smoothing : of a network that has not learned yet
        window    : how many rows the model is of, the last ones, or a span of time: "30 days". When
                    rows come, those that are older leave; None for all rows
        """
        return self.submit("create", name, model, classes, smoothing, window).result()

    def delete(self, name: str) -> Receipt:
        """Remove a model with all its rows. The name is free again."""
        return self.submit("delete", name).result()

    def learn(
        self, name: str, rows: TableLike, y: LabelsLike | None = None, ids: Ids | None = None
    ) -> Receipt:
        """Learn rows, all of them or none, and return when they are on the disk and count.

        rows : a table, array, list of rows or of texts, or the path of a CSV or Parquet file; of
               texts also that of a folder, a Maildir, a mailbox or a mail
        y    : the label of each row, or the name of the column that holds them; not for networks.
               Of a folder or mailbox, the one label of all, or None: the names of its folders
        ids  : a text or whole number for each row; without it they get new ones, which the receipt
               tells; mails have their Message-ID

        An id that has been learned with the same row is not learned again, and its first event is
        returned; with another row it is refused.
        """
        return self.submit("learn", name, rows, y, ids).result()

    def adopt(
        self, name: str, rows: TableLike, y: LabelsLike | None = None, ids: Ids | None = None
    ) -> Receipt:
        """Give ids to rows that a model had learned before it came into the store, fitted.

        Nothing is learned: the model stays as it is, and the rows can be forgotten and corrected
        from now on. Arguments as of `learn`, but that ids must be given. What the model cannot have
        learned is refused, as far as it can tell. Drift counts such rows in no span.

        >>> import bayesic as by
        >>> from tempfile import TemporaryDirectory
        >>> model = by.TextClassifier().fit(["free", "lunch", "free"], ["spam", "ham", "ham"])
        >>> with TemporaryDirectory() as folder, by.open_store(f"{folder}/mail.store") as store:
        ...     _ = store.create("spam", model)
        ...     _ = store.adopt("spam", ["free"], ["ham"], ids=[3])
        ...     _ = store.correct("spam", 3, "spam")
        ...     store.state("spam").model.class_count_.tolist()
        [1, 2]
        """
        return self.submit("adopt", name, rows, y, ids).result()

    def forget(self, name: str, ids: Id | Ids) -> Receipt:
        """Take rows back out, all of them or none. Their ids are free again."""
        return self.submit("forget", name, ids).result()

    def correct(self, name: str, id: Id, y: Label | Mapping[str, object]) -> Receipt:
        """Give a row that was learned another label; of a network, other cells: {column: cell}."""
        return self.submit("correct", name, id, y).result()

    def compact(self, name: str, keep_rows: bool = True) -> Receipt:
        """Make the file smaller: rows that were forgotten or replaced are wiped out.

        `at` and `history` then know nothing of what was before. Without keep_rows all rows are
        wiped out, and of each stays only its id and a checksum, so that it is not learned twice:
        what was learned so far can then no longer be forgotten, corrected, replayed or exported.
        """
        return self.submit("compact", name, keep_rows).result()

    def submit(self, verb: str, *given: object, **by_name: object) -> "Future[Receipt]":
        """Hand in what one of the verbs above does, without waiting: a future of its receipt.

        >>> import bayesic as by
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder, by.open_store(f"{folder}/mail.store") as store:
        ...     _ = store.create("spam", by.TextClassifier())
        ...     futures = [store.submit("learn", "spam", ["free"], ["spam"]) for _ in range(3)]
        ...     len({future.result().seq for future in futures})
        3
        """
        if verb not in REQUESTS:
            raise ValueError(f"verb must be one of {', '.join(REQUESTS)}, got {verb!r}.")
        if not isinstance(self._source, Writer):
            raise ReadOnlyError(
                f"{self.path} was opened with {spelt('read_only=True')}, and cannot {verb}. Let "
                "the process that writes do it, or open the store without that."
            )
        return self._source.submit(REQUESTS[verb](*given, **by_name))

    @property
    def is_read_only(self) -> bool:
        """Whether this store only follows what another process writes."""
        return not isinstance(self._source, Writer)

    @property
    def n_waiting(self) -> int:
        """How many calls wait for the disk."""
        return self._source.n_waiting if isinstance(self._source, Writer) else 0

    # reading ------------------------------------------------------------------------------------

    def models(self) -> list[str]:
        """The names of all models, in the order in which they came."""
        return list(self._published.models)

    @property
    def problem(self) -> StoreError | None:
        """Why nothing new comes any more; None if all is well."""
        return self._published.error

    def state(self, name: str) -> State:
        """The model as it is now, and the number of the last event in it.

        The model is shared by all who read: ask it anything, but let it learn nothing.
        """
        return self._published.get(name).state

    def wait(self, name: str, seq: int, timeout: float | None = 10.0) -> State:
        """The first state that has the event of this number in it, as soon as it is there."""
        return self._published.wait(name, seq, timeout)

    def model(self, name: str) -> Any:
        """A copy of the model, which is yours: what it learns, the store does not."""
        return snapshot(self.state(name).model)

    def predict(self, name: str, rows: TableLike, **asked: object) -> Array:
        """What the model predicts for these rows; target= names the variable of a network."""
        return self.state(name).model.predict(rows, **asked)

    def predict_proba(self, name: str, rows: TableLike, **asked: object) -> Array:
        """How probable the model takes each class of these rows to be."""
        return self.state(name).model.predict_proba(rows, **asked)

    def explain(self, name: str, rows: TableLike, **asked: object) -> Any:
        """Why these rows get their answers."""
        return self.state(name).model.explain(rows, **asked)

    # the journal --------------------------------------------------------------------------------

    def _reading(self) -> AbstractContextManager[sqlite3.Connection]:
        return _journal.reading(self.path, self._source.by_table)

    def history(self, name: str, after: int = 0, limit: int | None = None) -> list[Event]:
        """What happened to a model, in order. Damaged events are left out, with a warning.

        after : only events with a larger number
        limit : at most so many
        """
        number = self._published.known(name).number
        with self._reading() as connection:
            return _journal_lines.history(connection, number, after, limit)

    def latest(self, name: str, limit: int, before: int | None = None) -> list[Event]:
        """What happened to a model last, the latest first.

        limit  : at most so many
        before : only events with a smaller number; None for the last of all
        """
        check_whole_number("limit", limit, 1)
        number = self._published.known(name).number
        with self._reading() as connection:
            return _journal_lines.latest(connection, number, before, limit)

    def at(self, name: str, seq: int) -> Any:
        """The model as it was after the event of this number."""
        stored = self._published.get(name)
        with self._reading() as connection:
            return state_at(connection, stored, seq).state.model

    def replay(self, name: str, other: object = None) -> Any:
        """The rows that the model knows now, learned in the same order by another model.

        other : parameters by name, to be set otherwise; or a model of any kind that learns by
                partial_fit. None for the same model.
        """
        stored = self._published.get(name)
        with self._reading() as connection:
            return replayed(connection, stored, other)

    def drift(
        self, name: str, since: Moment, start: Moment | None = None, until: Moment | None = None
    ) -> Drift:
        """What has changed: the rows that came since, beside those before. See `by.drift`.

        since : the number of an event, or a moment: "2026-06-01", a datetime, seconds as a float
        start : where the earlier rows begin; None for the first of all
        until : where the later rows end; None for the last of all

        Each span has its first event, and not its end. The rows of each that the model still knows
        are learned again, by a copy of it; one that was corrected counts from its correction on.
        """
        stored = self._published.get(name)
        with self._reading() as connection:
            return drift_between(connection, stored, since, start, until)

    def learning_curve(self, name: str, points: int = 100) -> list[CurvePoint]:
        """How good the model was while it learned: each row predicted before it was learned.

        points : in so many parts of equal length the journal is scored. The rows of a part are
                 predicted by the model as it was before the part

        >>> import bayesic as by
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder, by.open_store(f"{folder}/mail.store") as store:
        ...     _ = store.create("spam", by.TextClassifier())
        ...     for text, label in [("free", "spam"), ("hi", "ham"), ("free", "spam")]:
        ...         _ = store.learn("spam", [text], [label])
        ...     store.learning_curve("spam")[-1].accuracy
        1.0
        """
        stored = self._published.get(name)
        with self._reading() as connection:
            return learning_curve(connection, stored, points)

    def export(self, name: str, path: PathLike) -> int:
        """Write the rows that the model knows to a .parquet or .csv file; return how many.

        Rows of damaged events are left out, with a warning.
        """
        stored, problems = self._published.known(name), dict[str, None]()
        with self._reading() as connection:
            rows = surviving_rows(connection, stored, problems.setdefault)
            n_rows = export_rows(_journal_lines.some_of(rows, problems), path)
        _journal_lines.warn_of(problems)
        return n_rows

    def verify(self) -> Verified:
        """Check the file, all events, snapshots and ids; replay every model bit for bit."""
        with self._reading() as connection:
            return verify(connection, self._published.models)
