"""A bar on stderr for work that takes its time, or the same reported to a program."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Lock, Timer
from time import monotonic
from typing import Any

PATIENCE = 1.0  # seconds before a bar is shown

_SHOWN: list[Any] = []  # the bar that is shown, if there is one
_LOCK = Lock()

Tell = Callable[[str, int, int | None], None]  # is told the work, steps done, steps in all
_TELL: ContextVar[Tell | None] = ContextVar("tell", default=None)


@contextmanager
def telling(tell: Tell) -> Iterator[None]:
    """While this lasts, progress is reported to a function, and no bar is shown.

    >>> with telling(print), bar_of("learning members", 2) as advance:
    ...     advance()
    learning members 0 2
    learning members 1 2
    """
    token = _TELL.set(tell)
    try:
        yield
    finally:
        _TELL.reset(token)


@contextmanager
def bar_of(
    what: str, total: int | None = None, unit: str | None = None, waited: float = 0.0
) -> Iterator[Callable[..., None]]:
    """Show a bar while this lasts, if it lasts longer than PATIENCE and stderr is a terminal.

    what   : names the work
    total  : steps of the work, if they are known
    unit   : of the steps, if they are to be written beside the bar
    waited : seconds that others have waited before, which count for PATIENCE

    There is one bar at a time: work within work that has a bar shows none.

    Gives a function that takes how many more steps are done, one unless said.
    """
    tell = _TELL.get()
    if tell is not None:
        with _told(tell, what, total) as tell_more:
            yield tell_more
        return
    if not can_be_shown():
        yield lambda done=1: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    words = TextColumn("{task.description}", markup=False)
    count = [TextColumn(f"{{task.completed:,.0f}} {unit}s")] if unit else []
    console = Console(file=sys.stderr)
    bar = Progress(
        words, BarColumn(), *count, TimeElapsedColumn(),
        console=console, transient=True, redirect_stdout=False,
    )  # fmt: skip
    task, began = bar.add_task(what, total=total), monotonic() - waited

    def show() -> None:
        with _LOCK:  # the timer and the work may come at once
            if not _SHOWN:
                bar.start()
                _SHOWN.append(bar)

    def advance(done: int = 1) -> None:
        bar.advance(task, done)
        if monotonic() - began > PATIENCE:
            show()

    timer = Timer(max(0.0, PATIENCE - waited), show)  # a single step may take long
    timer.daemon = True
    timer.start()
    try:
        yield advance
    finally:
        timer.cancel()
        timer.join()  # it may be about to show the bar
        with _LOCK:
            if bar in _SHOWN:
                _SHOWN.remove(bar)
                bar.stop()


@contextmanager
def _told(tell: Tell, what: str, total: int | None) -> Iterator[Callable[..., None]]:
    """Report the steps of one computation; those inside it report nothing."""
    steps = 0

    def advance(done: int = 1) -> None:
        nonlocal steps
        steps += done
        tell(what, steps, total)

    tell(what, 0, total)
    with telling(lambda *_: None):
        yield advance


def can_be_shown() -> bool:
    """Whether stderr is a terminal that has no bar at the moment."""
    return sys.stderr is not None and sys.stderr.isatty() and not _SHOWN


def say(line: str) -> None:
    """Write a line to stderr, if there is one; above the bar, if there is one."""
    with suppress(OSError, ValueError):  # nobody reads it
        if _SHOWN:
            _SHOWN[0].console.print(line, markup=False, highlight=False)
        elif sys.stderr is not None:
            print(line, file=sys.stderr, flush=True)
