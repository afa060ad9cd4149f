"""`bayesic fit`: learn a model from a table."""

from pathlib import Path
from typing import Any

import click

from bayesic.cli import options
from bayesic.cli.changing import tell


@click.command("fit")
@click.argument("table", type=options.FILE)
@options.target
@click.option("--out", type=options.MODEL, required=True, metavar="MODEL", help="File to write.")
@options.parameters
@options.as_json
def command(table: Path, target: str | None, out: Path, as_json: bool, **how: Any) -> None:
    """Learn a model from a table.

    TABLE is a CSV, TSV or Parquet file. It is read block by block: it may be larger than memory.
    Each column gets the event model of its kind.
    """
    from bayesic.cli.held_out import learned_table
    from bayesic.cli.learning import summary
    from bayesic.cli.reading import target_name

    model = learned_table(table, target_name(table, target), how)
    model.save(out)
    tell(out, summary(model), as_json)
