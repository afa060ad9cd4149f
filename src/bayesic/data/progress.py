"""A bar that counts the steps of long work."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic

PATIENCE = 1.0  # seconds before the bar is shown


@contextmanager
def bar_of(what: str, total: int) -> Iterator[Callable[[], None]]:
    """Give a function that counts one more step of the total; `what` names the work.

    The bar is on stderr, if that is a terminal, and only once the steps take longer than PATIENCE.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    began = monotonic()
    bar = Progress(console=Console(file=sys.stderr), transient=True, redirect_stdout=False)
    task = bar.add_task(what, total=total)
    with ExitStack() as shown:

        def advance() -> None:
            bar.advance(task)
            if monotonic() - began > PATIENCE and not bar.live.is_started:
                shown.enter_context(bar)

        yield advance
