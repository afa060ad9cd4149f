"""Coroutines are run to their end, also beside a browser."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def run(coroutine):
    """What the coroutine returns; in a thread of its own, for the browser keeps this one's loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
