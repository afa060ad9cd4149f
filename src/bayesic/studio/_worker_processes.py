"""Long questions in their own processes: they block nothing, and can be ended at any moment.

A worker is a process that answers one question after the other, and keeps the last network. To end
a question is to end its worker. Messages are pickles with their length in front; only this program
writes and reads them. A worker whose server is gone, however that came about, ends at once.
"""

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from queue import SimpleQueue
from typing import IO, Any

import anyio

MOST_WORKERS = 2  # that work at a time; further questions wait
LENGTH = 8  # bytes


class GoneError(ValueError):
    """The process has ended by itself."""

    def __init__(self) -> None:
        super().__init__(
            "The process that computed this has ended, perhaps for lack of memory. Observe more, "
            "or ask for samples."
        )


class CancelledError(Exception):
    """A newer question has replaced this one, or the page has gone."""


# the messages -------------------------------------------------------------------------------------


def write_message(file: IO[bytes], value: object) -> None:
    """Send a value to the other process."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    file.write(len(data).to_bytes(LENGTH, "little") + data)
    file.flush()


def read_message(file: IO[bytes]) -> Any:
    """The next value that the other process sends; EOFError if there will be none."""
    length = file.read(LENGTH)
    if len(length) < LENGTH:
        raise EOFError
    return pickle.loads(file.read(int.from_bytes(length, "little")))


# in the worker ------------------------------------------------------------------------------------


def work(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer questions until there are no more."""
    waiting: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=[questions, waiting], daemon=True).start()
    network = None
    while True:
        new, function, given = waiting.get()
        network = network if new is None else new
        write_message(answers, _answer(function, network, given))


def _listen(questions: IO[bytes], waiting: "SimpleQueue[object]") -> None:
    """Queue incoming questions. When the pipe closes, the process ends, whatever it is doing."""
    try:
        while True:
            waiting.put(read_message(questions))
    finally:
        os._exit(0)


def _answer(
    function: Callable[..., object], network: object, given: tuple
) -> tuple[object, object]:
    """What a function returns, and what it raises: one of the two."""
    from bayesic.data.arguments import without_warnings

    try:
        with without_warnings():
            return function(network, *given), None
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return None, ValueError(str(error))
        return None, error


# in the server ------------------------------------------------------------------------------------


class Worker:
    """The server's side of a worker."""

    def __init__(self) -> None:
        self.key: Hashable = None  # of the network that it has
        self.is_killed = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bayesic.studio._worker_processes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which ends its workers
        )

    def answer(
        self, key: Hashable, network: object, function: Callable[..., object], *given: object
    ) -> Any:
        """What the function returns of the network, or raises; this thread waits for it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            message = None if key == self.key else network, function, given
            write_message(self._process.stdin, message)
            self.key = key
            value, error = read_message(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            self.end()
            raise (CancelledError() if self.is_killed else GoneError()) from None
        if error is not None:
            raise error
        return value

    def kill(self) -> None:
        """End the process, whatever it is doing: the thread that waits for it gets an error."""
        self.is_killed = True
        self._process.kill()

    def end(self) -> None:
        """End a process that is not answering a question."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what it had not sent is not needed
                pipe.close()  # type: ignore[union-attr]


@dataclass(eq=False)
class WorkerProcesses:
    """The workers of a server; started when they are needed, and kept for the next question.

    A slot is what a new question replaces an old one in: a tab, and what it asks for.
    """

    _idle: list[Worker] = field(default_factory=list)
    _busy: dict[Hashable, Worker] = field(default_factory=dict)  # slot -> its worker
    _newest: dict[Hashable, int] = field(default_factory=dict)  # slot -> its newest question
    _numbers: count = field(default_factory=count)
    _room: anyio.Semaphore = field(default_factory=lambda: anyio.Semaphore(MOST_WORKERS))
    _threads: anyio.CapacityLimiter = field(
        default_factory=lambda: anyio.CapacityLimiter(4 * MOST_WORKERS)
    )

    async def answer(
        self,
        slot: Hashable,
        key: Hashable,
        network: object,
        function: Callable[..., object],
        *given: object,
    ) -> Any:
        """What the function returns of the network. An older question of the slot is ended."""
        self.cancel(slot)
        number = self._newest[slot] = next(self._numbers)
        try:
            async with self._room:
                if self._newest.get(slot) != number:
                    raise CancelledError
                return await self._answered(slot, key, network, function, given)
        finally:
            if self._newest.get(slot) == number:
                del self._newest[slot]

    async def _answered(
        self, slot: Hashable, key: Hashable, network: object, function: object, given: tuple
    ) -> Any:
        worker = self._busy[slot] = self._taken(key)
        is_whole = False
        try:
            found = await anyio.to_thread.run_sync(
                lambda: _either(worker.answer, key, network, function, *given),
                abandon_on_cancel=True,
                limiter=self._threads,
            )
            is_whole = not isinstance(found, (GoneError, CancelledError))
        finally:
            if self._busy.get(slot) is worker:
                del self._busy[slot]
            if is_whole:
                self._idle.append(worker)
            else:
                worker.kill()
        if isinstance(found, Exception):
            raise found
        return found

    def _taken(self, key: Hashable) -> Worker:
        """A worker, if possible one that has the network already."""
        self._idle.sort(key=lambda each: each.key == key)
        return self._idle.pop() if self._idle else Worker()

    def cancel(self, slot: Hashable) -> None:
        """End the question that is being answered in this slot."""
        self._newest.pop(slot, None)
        worker = self._busy.pop(slot, None)
        if worker is not None:
            worker.kill()

    def end(self) -> None:
        """End all workers."""
        for slot in list(self._busy):
            self.cancel(slot)
        self._newest.clear()
        while self._idle:
            self._idle.pop().end()


def _either(function: Callable[..., object], *given: object) -> object:
    """What a function returns or raises, as a value."""
    try:
        return function(*given)
    except Exception as error:
        return error


if __name__ == "__main__":
    # imported by name, so that what is pickled is of this module, and not of __main__
    from bayesic.studio import _worker_processes

    answers_to = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed goes to stderr
    _worker_processes.work(sys.stdin.buffer, answers_to)
