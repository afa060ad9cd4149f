"""Receipts: what threads are done with reaches who waits for it, each its own, none is lost."""

import asyncio
import threading
from concurrent.futures import Future

import pytest

from bayesic.serve._receipts import Receipts
from helpers.coroutines import run


def settled(futures, n_threads=4):
    """Threads that finish these futures, every seventh with an error."""

    def finish(part):
        for number in part:
            if number % 7:
                futures[number].set_result(number)
            else:
                futures[number].set_exception(ValueError(f"refused {number}"))

    parts = [range(first, len(futures), n_threads) for first in range(n_threads)]
    return [threading.Thread(target=finish, args=(part,)) for part in parts]


def test_each_gets_its_own_receipt_whatever_thread_it_comes_from():
    futures = [Future() for _ in range(2_000)]

    async def all_of_them():
        receipts = Receipts()
        waiting = [asyncio.ensure_future(receipts.of(future)) for future in futures]
        await asyncio.sleep(0)
        threads = settled(futures)
        for thread in threads:
            thread.start()
        async with asyncio.timeout(30):
            found = await asyncio.gather(*waiting, return_exceptions=True)
        for thread in threads:
            thread.join()
        return found

    for number, found in enumerate(run(all_of_them())):
        if number % 7:
            assert found == number
        else:
            assert str(found) == f"refused {number}"


def test_what_is_done_already_is_handed_out_as_well():
    future = Future()
    future.set_result("receipt")

    async def one():
        async with asyncio.timeout(30):
            return await Receipts().of(future)

    assert run(one()) == "receipt"


def test_who_gives_up_takes_nothing_from_others():
    gone, patient = Future(), Future()

    async def both():
        receipts = Receipts()
        first = asyncio.ensure_future(receipts.of(gone))
        second = asyncio.ensure_future(receipts.of(patient))
        await asyncio.sleep(0)
        first.cancel()
        for future in (gone, patient):
            future.set_result("receipt")
        with pytest.raises(asyncio.CancelledError):
            await first
        async with asyncio.timeout(30):
            return await second

    assert run(both()) == "receipt"
