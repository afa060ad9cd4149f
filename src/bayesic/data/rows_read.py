"""How many rows, or texts, were read from files: for progress bars."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_tell: ContextVar[Callable[[int], None]] = ContextVar("rows", default=lambda n_rows: None)


def tell_rows_read(n_rows: int) -> None:
    """Say that this many more rows, or texts, were read from a file."""
    _tell.get()(n_rows)


@contextmanager
def counting_rows(tell: Callable[[int], None]) -> Iterator[None]:
    """While this lasts, tell(n) is called for every n rows that are read from a file."""
    token = _tell.set(tell)
    try:
        yield
    finally:
        _tell.reset(token)
