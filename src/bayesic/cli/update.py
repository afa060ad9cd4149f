"""`bayesic update`: learn more rows."""

from pathlib import Path

import click

from bayesic.cli import options
from bayesic.cli.changing import change


@click.command("update")
@click.argument("model", type=options.MODEL)
@click.argument("table", type=options.FILE)
@options.target
@click.option(
    "--out", type=options.MODEL, metavar="MODEL", help="File to write. Default: the same."
)
@options.as_json
def command(model: Path, table: Path, target: str | None, out: Path | None, as_json: bool) -> None:
    """Learn more rows.

    The same model comes out as from learning all rows at once. New values and new classes may come.
    """
    change(
        model,
        table,
        target,
        out,
        as_json,
        how=lambda learned, rows, name: learned.partial_fit(rows, y=name),
    )
