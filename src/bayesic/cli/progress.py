"""A progress bar on stderr for work that takes its time."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer

PATIENCE = 1.0  # seconds before a bar is shown


@contextmanager
def working(
    what: str, total: int | None = None, unit: str = "row", by_hand: bool = False
) -> Iterator[Callable[[int], None]]:
    """Show a bar while this lasts, if it lasts longer than PATIENCE and stderr is a terminal.

    Gives a function that takes how many more are done. Without a total, and if it is not counted by
    hand, the rows (or texts: the unit) that are read from files are counted.
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from bayesic.data.files import counting_rows

    text = TextColumn("{task.description}", markup=False)
    rows = [TextColumn(f"{{task.completed:,.0f}} {unit}s")] if total is None else []
    columns = text, BarColumn(), *rows, TimeElapsedColumn()
    console = Console(file=sys.stderr)
    progress = Progress(*columns, console=console, transient=True, redirect_stdout=False)
    task = progress.add_task(what, total=total)
    timer = Timer(PATIENCE, progress.start)
    timer.daemon = True
    timer.start()
    try:
        counts_reading = total is None and not by_hand
        with counting_rows(lambda n_rows: progress.advance(task, n_rows * counts_reading)):
            yield lambda done: progress.advance(task, done)
    finally:
        timer.cancel()
        timer.join()  # it may be about to start the bar
        progress.stop()
