"""A reader that follows the journal of another process, some milliseconds behind it."""

import threading
from pathlib import Path

from bayesic.store import _journal, _model_snapshots
from bayesic.store._seals import UNSEALED
from bayesic.store.errors import DamagedError, StoreError
from bayesic.store.journal_events import StoredModel
from bayesic.store.published import PublishedModels

BETWEEN_LOOKS = 0.01  # seconds


class Follower:
    """The states of a store that this process only reads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = _journal.log_of(path)
        self._seals: list[tuple[int, object]] = []
        self._models: list[StoredModel] = []
        self._is_alone = (
            not self._log.exists()
        )  # no process writes: SQLite need not read a log beside it
        self._connection, self.by_table = _journal.open_to_check(path)
        try:
            with _journal.sentences(path):
                self._seen = self._version()
                self.published = PublishedModels(_model_snapshots.read_models(self._connection))
        except BaseException:
            self._connection.close()
            raise
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="bayesic-reader", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop following."""
        self._stop.set()
        self._thread.join()
        self._connection.close()

    def _version(self) -> int:
        """A number that changes with every commit of the writing process."""
        return self._connection.execute("pragma data_version").fetchone()[0]

    def _work(self) -> None:
        while not self._stop.wait(BETWEEN_LOOKS):
            try:
                with _journal.sentences(self._path):
                    self._look()
            except StoreError as error:
                self.published.fail(error)
                return
            except Exception as error:  # readers get this error instead of old answers
                self.published.fail(DamagedError(f"{self._path} cannot be followed: {error}"))
                return

    def _look(self) -> None:
        if self._is_alone and self._log.exists():
            self._connection.close()
            self._connection, self._seen = _journal.open_to_read(self._path, self.by_table), -1
            self._is_alone = False
        version = self._version()
        if version != self._seen:
            before = self.published.models
            self._connection.execute("begin")  # all that is read below is of one moment
            try:
                heads = dict(self._connection.execute("select model, seq from head"))
                models = self._listed()
                followed = {now.name: self._followed(now, before, heads) for now in models}
            finally:
                self._connection.execute("rollback")
            self.published.publish(followed)
            self._seen = version  # what came meanwhile changes it again

    def _listed(self) -> list[StoredModel]:
        """The models without their states, which are read again only if one of them has changed."""
        seals = self._connection.execute("select number, seal from model").fetchall()
        if seals != self._seals or any(seal == UNSEALED for _, seal in seals):
            self._seals, self._models = seals, _model_snapshots.listed(self._connection)
        return self._models

    def _followed(
        self, now: StoredModel, before: dict[str, StoredModel], heads: dict[int, int]
    ) -> StoredModel:
        known = before.get(now.name)
        is_same = known is not None and known.number == now.number and not known.problem
        if known is None or not is_same or known.state.seq < now.snapshot_seq:  # or was compacted
            return _model_snapshots.read_model(self._connection, now)
        if known.state.seq == heads.get(now.number):
            return known
        return _model_snapshots.followed(self._connection, known)
