"""What goes to stdout or into a file: JSON, tables for reading, rows as they come; and the bar."""

import csv
import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from bayesic.data.json_text import json_text
from bayesic.data.rows_read import counting_rows
from bayesic.evidence.text_table import cell_text
from bayesic.files.whole_files import whole_file
from bayesic.progress import bar_of

if TYPE_CHECKING:
    from rich.console import Console

Row = dict[str, object]
Blocks = Iterable[Iterable[Row]]  # written out one after the other

# Wide enough for any table: where no terminal sets the width, lines are as long as they need be.
NO_LIMIT = 10_000


@contextmanager
def opened(path: Path) -> Iterator[TextIO]:
    """A file to write to, which takes its name only when it is complete."""
    with whole_file(path, "The output") as file:
        stream = io.TextIOWrapper(file, encoding="utf-8", newline="")
        yield stream
        stream.flush()
        stream.detach()


def stdout_is_file() -> bool:
    """Whether stdout goes to a file, so that a progress bar on the terminal does not disturb."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except OSError:  # a stream in memory
        return False


def tell(value: object, text: str, as_json: bool) -> None:
    """Say the same to programs or to people."""
    if as_json:
        print_json(value)
    else:
        click.echo(text)


def print_json(value: object) -> None:
    """Print a value as JSON."""
    click.echo(json_text(value, indent=2))


def console() -> "Console":
    """Where tables are printed. Names are shown as they are: [bold] in a name is not a command."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else NO_LIMIT
    return Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table: texts to the left, numbers to the right; nothing if it has no rows."""
    from rich import box
    from rich.table import Table

    if not rows:
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name, first in zip(header, rows[0], strict=True):
        table.add_column(name, justify="left" if isinstance(first, str) else "right")
    for row in rows:
        table.add_row(*map(cell_text, row))
    screen = console()
    with screen.capture() as printed:
        screen.print(title, style="bold")
        screen.print(table)
    for line in printed.get().rstrip().split("\n"):
        click.echo(line.rstrip())


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
        with counting_rows(advance):
            yield advance


# rows, in blocks as they come ---------------------------------------------------------------------


def write_out(blocks: Blocks, out: Path | None, write: Callable[[Blocks, TextIO], None]) -> None:
    """Write all blocks to a file or to stdout; a bar is shown where it does not disturb."""
    if out is None and not stdout_is_file():
        write(blocks, sys.stdout)
        return
    with (
        nullcontext(sys.stdout) if out is None else opened(out) as stream,
        working("writing answers", unit="answer", by_hand=True) as done,
    ):
        write((_counted_rows(block, done) for block in blocks), stream)


def _counted_rows(rows: Iterable[Row], done: Callable[[int], None]) -> Iterator[Row]:
    """The rows, telling the progress bar of every hundred."""
    for number, row in enumerate(rows, start=1):
        yield row
        if number % 100 == 0:
            done(100)


def write_plain(blocks: Blocks, stream: TextIO) -> None:
    """The action or the class of each text on a line, behind its name if it has one."""
    for rows in blocks:
        for row in rows:
            name = f"{row['name']}\t" if "name" in row else ""
            stream.write(f"{name}{row.get('action', row['prediction'])}\n")
        stream.flush()


def as_it_is(cell: object) -> object:
    """The cell itself."""
    return cell


def write_csv(
    blocks: Blocks, stream: TextIO, written: Callable[[object], object] = as_it_is
) -> None:
    """A line of names, and a line for each row; written : how a name or a cell is written."""
    writer: Any = None
    for rows in blocks:
        for row in rows:
            if writer is None:
                writer = csv.writer(stream, lineterminator="\n")
                writer.writerow(map(written, row))
            writer.writerow(map(written, row.values()))
        stream.flush()


def write_json(blocks: Blocks, stream: TextIO) -> None:
    """A list with one object a line."""
    start = "[\n "
    for rows in blocks:
        for row in rows:
            stream.write(start + json_text(row))
            start = ",\n "
        stream.flush()
    stream.write("\n]\n")
