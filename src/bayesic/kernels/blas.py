"""BLAS with one thread, for blocks of rows that have threads of their own."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from threading import Lock
from typing import Any, Protocol

from threadpoolctl import ThreadpoolController


@cache
def _blas() -> Any:
    return ThreadpoolController().select(user_api="blas")


class _Limit:
    """The one limit for the whole process, and how many are within it at the moment."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.n_inside = 0
        self.limiter: Any = None

    def enter(self) -> None:
        with self.lock:
            if self.n_inside == 0:
                self.limiter = _blas().limit(limits=1)
            self.n_inside += 1

    def leave(self) -> None:
        with self.lock:
            self.n_inside -= 1
            if self.n_inside == 0:
                self.limiter.restore_original_limits()


_LIMIT = _Limit()


class AtWork(Protocol):
    """What is held while a model computes: nothing, or one_blas_thread for small matrices."""

    def __call__(self) -> AbstractContextManager[None]: ...


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """A time in which every product of matrices runs in the thread that asks for it.

    Threads of BLAS below our own wait for each other, and what they add up may depend on their
    number. To be entered outside of our own threads. The number is one for the whole process: where
    several threads of the user are inside, the last to leave sets it back.

    >>> with one_blas_thread():
    ...     print(2 + 2)
    4
    """
    _LIMIT.enter()
    try:
        yield
    finally:
        _LIMIT.leave()
