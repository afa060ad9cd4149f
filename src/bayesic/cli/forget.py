"""`bayesic forget`: take rows back out of a model."""

from pathlib import Path

import click

from bayesic.cli import options
from bayesic.cli.changing import change


@click.command("forget")
@click.argument("model", type=options.MODEL)
@click.argument("table", type=options.FILE)
@options.target
@click.option(
    "--out", type=options.MODEL, metavar="MODEL", help="File to write. Default: the same."
)
@options.as_json
def command(model: Path, table: Path, target: str | None, out: Path | None, as_json: bool) -> None:
    """Take rows back out of a model.

    The same model comes out as if they had never been learned. Rows that were never learned are
    refused where the counts show it; the file stays as it is then.
    """
    change(
        model,
        table,
        target,
        out,
        as_json,
        how=lambda learned, rows, name: learned.forget(rows, y=name),
    )
