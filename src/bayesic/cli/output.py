"""What goes to stdout or into a file: JSON, tables for reading, files that are complete."""

import io
import json
import math
import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from bayesic.evidence.text_table import cell_text
from bayesic.files.whole_files import whole_file

if TYPE_CHECKING:
    from rich.console import Console

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
    """Whether stdout goes to a file, where a progress bar on the terminal disturbs nobody."""
    try:
        return stat.S_ISREG(os.fstat(sys.stdout.fileno()).st_mode)
    except OSError:  # a stream in memory
        return False


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json_text(value, indent=2))


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON that every reader takes: infinities are text, NaN is null, Chinese stays Chinese.

    >>> json_text({"sky": "晴", "loss": float("inf"), "recall": float("nan")})
    '{"sky": "晴", "loss": "inf", "recall": null}'
    """
    return json.dumps(
        _plain(value), indent=indent, ensure_ascii=False, allow_nan=False, default=str
    )


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value


def console() -> "Console":
    """Where tables are printed. Names are shown as they are: [bold] in a name is no command."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else NO_LIMIT
    return Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
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
