"""The one thread that writes: it takes all requests that wait, and commits them together.

No timer collects them: while one group is on its way to the disk, the next one gathers. In each
group: check and compute beside, commit, make visible, answer.
"""

import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from time import perf_counter
from typing import Any

from bayesic.data.spelling import spelt
from bayesic.files.file_locks import locked, locked_as_one
from bayesic.store._fold import Call, folded
from bayesic.store._journal import Journal, sentences
from bayesic.store._model_snapshots import read_models
from bayesic.store._requests import Learn, Request, TakeSnapshot, Workspace
from bayesic.store.errors import BusyError, ClosedError, InUseError, ReadOnlyError, StoreError
from bayesic.store.journal_events import Receipt, StoredModel
from bayesic.store.model_bytes import bytes_of
from bayesic.store.published import PublishedModels

OnCommit = Callable[[int, float], None]  # gets calls and seconds of each commit
MOST_TOGETHER = 1000  # requests in one commit
RETRY_AFTER = 1.0  # seconds


@dataclass(eq=False)
class PendingRequest:
    """A request, and where its answer goes; the answer is kept until it is on the disk."""

    request: Request
    future: "Future[Receipt]"
    answer: Receipt | Exception | None = None


class Writer:
    """All writing to a store: its lock, its connection, its thread."""

    def __init__(
        self,
        path: Path,
        snapshot_every: int,
        most_waiting: int,
        on_commit: OnCommit | None,
        trust_clock: bool,
    ) -> None:
        self._snapshot_every, self._most_waiting = snapshot_every, most_waiting
        self._on_commit = on_commit
        self._process = os.getpid()
        self._open = ExitStack()
        with ExitStack() as opening:
            opening.enter_context(_lock(path))
            self._journal = Journal(path, trust_clock)
            opening.callback(self._journal.connection.close)
            with sentences(path):
                self.published = PublishedModels(read_models(self._journal.connection))
            self._open = opening.pop_all()
        self._waiting: queue.SimpleQueue[PendingRequest | None] = queue.SimpleQueue()
        self._closing, self._is_closed = threading.Lock(), False
        self._snapshots = ThreadPoolExecutor(1, "bayesic-snapshots")
        self._being_saved: set[int] = set()  # numbers of models
        self._thread = threading.Thread(target=self._work, name="bayesic-writer", daemon=True)
        self._thread.start()

    # for any thread -----------------------------------------------------------------------------

    def submit(self, request: Request) -> "Future[Receipt]":
        """Hand a request in. The future has its receipt when it is on the disk and visible."""
        if os.getpid() != self._process:
            raise InUseError(
                "This store was opened by the process from which this one was forked, which "
                "writes to it. Open it here with read_only=True, or after the fork."
            )
        if self.n_waiting >= self._most_waiting:
            raise BusyError(self.n_waiting, RETRY_AFTER)
        return self._hand_in(request)

    @property
    def by_table(self) -> bool:
        """Whether the indexes of the file are damaged, and not used."""
        return self._journal.connection.by_table

    @property
    def n_waiting(self) -> int:
        """How many calls wait for the disk."""
        return self._waiting.qsize()

    def _hand_in(self, request: Request) -> "Future[Receipt]":
        handed = PendingRequest(request, Future())
        with self._closing:  # nothing comes behind the last
            if self._is_closed:
                raise ClosedError("This store was closed. Open it again with open_store(path).")
            self._waiting.put(handed)
        return handed.future

    def close(self) -> None:
        """Finish what was handed in, and unlock the store."""
        with self._closing:
            if self._is_closed:
                return
            self._is_closed = True
            self._waiting.put(None)
        self._thread.join()
        self._snapshots.shutdown()
        self._open.close()

    # the thread ---------------------------------------------------------------------------------

    def _work(self) -> None:
        is_last = False
        while not is_last:
            group = [self._waiting.get()]
            while len(group) < MOST_TOGETHER and not self._waiting.empty():
                group.append(self._waiting.get())
            is_last = group[-1] is None
            taken = [h for h in group if h is not None and h.future.set_running_or_notify_cancel()]
            if taken:
                self._commit(taken)
        self._keep_last_states()

    def _commit(self, group: Sequence[PendingRequest]) -> None:
        """Write a group in one transaction; if that fails, each request in one of its own."""
        workspace, start = Workspace(self._journal, dict(self.published.models)), perf_counter()
        try:
            with self._journal.transaction():
                work_on(workspace, group)
        except Exception as error:  # of the disk: nothing was written
            if len(group) > 1:
                for handed in group:
                    self._commit([handed])
                return
            group[0].answer = error
        else:
            self._make_visible(workspace, len(group), perf_counter() - start)
        for handed in group:
            if isinstance(handed.answer, Receipt):
                handed.future.set_result(handed.answer)
            else:
                handed.future.set_exception(handed.answer)
        self._keep_states({handed.request.name for handed in group})

    def _make_visible(self, workspace: Workspace, n_calls: int, seconds: float) -> None:
        """Publish what was committed. Nothing here may fail: the commit has happened."""
        self.published.publish(workspace.models)
        if workspace.shrinks:
            with suppress(StoreError):  # what was dropped is dropped, also in a file of this size
                self._journal.shrink()
        if self._on_commit is not None:
            with suppress(Exception):  # of the user's function: the commit has happened
                self._on_commit(n_calls, seconds)

    # snapshots ----------------------------------------------------------------------------------

    def _keep_states(self, names: set[str]) -> None:
        """Make snapshots where many events have come, in another thread, so that no call waits."""
        for stored in filter(None, map(self.published.models.get, names)):
            if stored.n_since >= self._snapshot_every and stored.number not in self._being_saved:
                self._being_saved.add(stored.number)
                self._snapshots.submit(self._save, stored)

    def _save(self, stored: StoredModel) -> None:
        try:
            self._hand_in(_snapshot_of(stored)).result()
        except ClosedError:  # it is made when the store is closed
            pass
        finally:
            self._being_saved.discard(stored.number)

    def _keep_last_states(self) -> None:
        """Make snapshots before the store is closed, so that opening it again replays little."""
        for stored in self.published.models.values():
            if stored.n_since * 10 >= self._snapshot_every and not stored.problem:
                self._commit([PendingRequest(_snapshot_of(stored), Future())])


def _snapshot_of(stored: StoredModel) -> TakeSnapshot:
    return TakeSnapshot(stored.name, stored.number, stored.state.seq, bytes_of(stored.state.model))


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """While this lasts, no other process can open the store for writing."""
    with ExitStack() as stored:
        try:
            stored.enter_context(locked(path, waiting=lambda: _refuse_second(path)))
            _refuse_names(path)
            if not path.exists():
                path.touch()
            if not stored.enter_context(locked_as_one(path)):
                _refuse_second(path)
        except FileNotFoundError:
            raise FileNotFoundError(f"There is no folder {path.parent}. Make it first.") from None
        except OSError as error:
            raise ReadOnlyError(
                f"{path} cannot be opened for writing: {error} To read it, use "
                f"{spelt('read_only=True')}."
            ) from error
        yield


def _refuse_names(path: Path) -> None:
    """Refuse a file with several names: SQLite keeps a log for each, and the lock is of one."""
    if path.exists() and path.stat().st_nlink > 1:
        raise ReadOnlyError(
            f"{path} has {path.stat().st_nlink} names (hard links), and only one program that "
            "writes, by one name, keeps it whole. Remove the other names, or make a copy "
            f"(cp {path.name} ...); to read it, use {spelt('read_only=True')}."
        )


def _refuse_second(path: Path) -> None:
    raise InUseError(
        f"{path} is open for writing elsewhere, most likely in another process (or by the name it "
        "had before it was moved), and one at a time may write. "
        f"{spelt('Open it with read_only=True to read and follow it.')}"
    )


# a group ----------------------------------------------------------------------------------------


def work_on(workspace: Workspace, group: Sequence[PendingRequest]) -> None:
    """Write what is in a group, in a transaction, and keep the answers.

    Models do not know of each other: so requests are taken model by model, in their order.
    """

    def key(handed: PendingRequest) -> tuple[str, bool]:
        return handed.request.name, isinstance(handed.request, Learn)

    for (_, are_learns), run in groupby(sorted(group, key=lambda h: h.request.name), key):
        handed = list(run)
        if not (are_learns and len(handed) > 1 and _learned_together(workspace, handed)):
            for each in handed:
                each.answer = _answered(workspace, each.request)


def _answered(workspace: Workspace, request: Request) -> Receipt | Exception:
    try:
        return request.write(workspace)
    except sqlite3.Error:  # then the whole group is in doubt
        raise
    except Exception as error:  # what the model or the store refuses is the answer of this call
        return error


def _learned_together(workspace: Workspace, group: Sequence[PendingRequest]) -> bool:
    """Learn the rows of these requests in one fold; False if any of them is refused.

    None of them depends on another, unless they have an id in common.
    """
    requests: list[Any] = [handed.request for handed in group]
    ids = [id for request in requests for id in request.ids or ()]
    if len(set(ids)) < len(ids):
        return False
    try:
        stored, now = workspace.get(requests[0].name), workspace.journal.now()
        if stored.window is not None:
            return False  # each call lets other rows go
        plans = [request.new_rows(workspace, stored) for request in requests]
        calls = [
            Call(0, request.some(new), time=now)
            for request, (_, new) in zip(requests, plans, strict=True)
        ]
        model = folded(stored.state.model, calls, stored.declared)
    except sqlite3.Error:
        raise
    except Exception:  # one by one it is seen whose rows are refused
        return False
    for handed, request, (receipt, new) in zip(group, requests, plans, strict=True):
        if new:
            receipt, seqs = request.written(workspace, stored, receipt, new, now)
            workspace.advance(workspace.get(stored.name), model, seqs)
        handed.answer = receipt
    return True
