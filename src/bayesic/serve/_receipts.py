"""Receipts that the writing thread hands to the event loop: those of a commit all at once.

A commit answers many requests in the same moment. To wake the loop for each of them would cost more
than to write it.
"""

import asyncio
import threading
from concurrent.futures import Future

from bayesic.store.journal_events import Receipt

Pair = tuple["asyncio.Future[Receipt]", "Future[Receipt]"]


class Receipts:
    """Receipts that are ready and not handed out yet. Any thread may add one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._done: list[Pair] = []  # if there are any, the loop has been woken

    async def of(self, future: "Future[Receipt]") -> Receipt:
        """The receipt of a future of another thread, as soon as it is there."""
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[Receipt] = loop.create_future()

        def arrived(done: "Future[Receipt]") -> None:
            with self._lock:
                self._done.append((mine, done))
                is_first = len(self._done) == 1
            if is_first:
                loop.call_soon_threadsafe(self._hand_out)

        future.add_done_callback(arrived)
        return await mine

    def _hand_out(self) -> None:
        with self._lock:
            arrived, self._done = self._done, []
        for mine, done in arrived:
            if mine.done():  # the client has given up
                continue
            error = done.exception()
            if error is None:
                mine.set_result(done.result())
            else:
                mine.set_exception(error)
