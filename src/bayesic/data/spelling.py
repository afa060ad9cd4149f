"""Advice in the words that the user types: method='gibbs' in Python, --method gibbs in a shell.

Sentences are written for Python. Another door to the library has a catalogue: what stands in
Python -> what is typed there.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

_catalogue: ContextVar[Mapping[str, str]] = ContextVar("catalogue", default=MappingProxyType({}))


@contextmanager
def spelling_by(catalogue: Mapping[str, str]) -> Iterator[None]:
    """While this lasts, advice is spelt by this catalogue."""
    token = _catalogue.set(catalogue)
    try:
        yield
    finally:
        _catalogue.reset(token)


def spelt(in_python: str, **values: object) -> str:
    """Advice as the user types it.

    in_python : as it stands in Python, with a {place} for each value

    >>> spelt("method={method!r}", method="gibbs")
    "method='gibbs'"
    >>> with spelling_by({"method={method!r}": "--method {method}"}):
    ...     spelt("method={method!r}", method="gibbs")
    '--method gibbs'
    """
    return _catalogue.get().get(in_python, in_python).format(**values)
