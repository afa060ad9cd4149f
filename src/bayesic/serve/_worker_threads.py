"""Threads that compute for the loop, a few at a time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

Result = TypeVar("Result")


class WorkerThreads:
    """At most so many threads. Each is free again when its work has ended, awaited or not.

    So abandoned work never piles up: new work waits until a thread is free.
    """

    def __init__(self, most: int) -> None:
        self._pool = ThreadPoolExecutor(most, "bayesic-worker")
        self._begun: set[Future[Any]] = set()
        self._is_closed = False

    async def result(self, working: Callable[[], Result], seconds: float) -> Result:
        """What a function returns; TimeoutError if it takes longer. If it has not begun by then,
        it never will. CancelledError if they are closed, as for what waited when they were.
        """
        if self._is_closed:
            raise asyncio.CancelledError
        future = self._pool.submit(copy_context().run, working)
        self._begun.add(future)
        future.add_done_callback(self._begun.discard)
        async with asyncio.timeout(seconds):
            return await asyncio.wrap_future(future)

    def close(self) -> None:
        """Begin nothing more."""
        self._is_closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def is_working(self) -> bool:
        """Whether something is being computed."""
        return bool(self._begun)
