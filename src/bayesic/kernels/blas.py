"""BLAS with one thread, for blocks of rows that have threads of their own."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _blas() -> Any:
    return ThreadpoolController().select(user_api="blas")


def one_blas_thread() -> AbstractContextManager[Any]:
    """A time in which every product of matrices runs in the thread that asks for it.

    Threads of BLAS below our own wait for each other, and what they add up may depend on their
    number. To be entered outside of our own threads.

    >>> with one_blas_thread():
    ...     print(2 + 2)
    4
    """
    return _blas().limit(limits=1)
