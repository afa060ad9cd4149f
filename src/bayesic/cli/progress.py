"""The progress bar of commands, which counts the rows that are read."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bayesic.progress import bar_of


@contextmanager
def working(
    what: str, total: int | None = None, unit: str = "row", by_hand: bool = False
) -> Iterator[Callable[..., None]]:
    """Show a bar while this lasts; see `bar_of`.

    Without a total, and if it is not counted by hand, the rows (or texts: the unit) that are read
    from files are counted.
    """
    with bar_of(what, total, unit if total is None else None) as advance:
        if total is not None or by_hand or not sys.stderr.isatty():
            yield advance
            return
        from bayesic.data.table_files import counting_rows

        with counting_rows(advance):
            yield advance
