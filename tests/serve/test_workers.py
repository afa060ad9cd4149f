"""Threads that compute: few, each taken until its work has ended, even if nobody waits for it."""

import asyncio
import threading

import pytest

from bayesic.serve._worker_threads import WorkerThreads
from helpers.coroutines import run
from helpers.http_server import wait_until


def test_a_thread_is_taken_until_its_work_has_ended():
    workers, goes_on, asked = WorkerThreads(1), threading.Event(), []

    async def ask():
        with pytest.raises(TimeoutError):
            await workers.result(goes_on.wait, 0.01)
        assert workers.is_working
        with pytest.raises(TimeoutError):  # no thread is free
            await workers.result(lambda: asked.append("never"), 0.01)
        goes_on.set()
        return await workers.result(lambda: asked.append("later"), 20)

    run(ask())
    assert asked == ["later"]
    wait_until(lambda: not workers.is_working)


def test_what_fails_fails_where_it_is_awaited():
    async def ask():
        with pytest.raises(ZeroDivisionError):
            await WorkerThreads(1).result(lambda: 1 / 0, 20)

    run(ask())


def test_workers_that_are_closed_begin_nothing_more():
    workers, goes_on, asked = WorkerThreads(1), threading.Event(), []

    async def ask():
        first = asyncio.create_task(workers.result(goes_on.wait, 20))
        second = asyncio.create_task(workers.result(lambda: asked.append("never"), 20))
        await asyncio.sleep(0)
        workers.close()
        goes_on.set()
        assert await first
        with pytest.raises(asyncio.CancelledError):
            await second
        with pytest.raises(asyncio.CancelledError):  # the next part of a long answer
            await workers.result(lambda: asked.append("never"), 20)

    run(ask())
    assert asked == []
