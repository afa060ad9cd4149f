"""`bayesic explain`: why a row gets its answer."""

from pathlib import Path
from typing import Any

import click

from bayesic.cli import options


@click.command("explain")
@click.argument("model", type=options.MODEL)
@click.argument("table", type=options.FILE)
@click.option(
    "--row",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="Number of the row, from 0 on.",
)
@click.option("--against", metavar="CLASS", help="Compare with this class, not with the rest.")
@click.option("--work", is_flag=True, help="Show the calculation, in exact fractions if it can be.")
@options.as_json
def command(
    model: Path, table: Path, row: int, against: str | None, work: bool, as_json: bool
) -> None:
    """Why a row gets its answer.

    Shows the prior and the weight of evidence of each column, in log odds: above 0 it speaks for
    the answer.
    """
    from bayesic.cli.output import print_json
    from bayesic.cli.reading import label_named, read_model, read_row

    learned = read_model(model)
    cells = read_row(table, row)
    if work:
        reasons = learned.work(cells)
    else:
        rival = None if against is None else label_named(learned.classes_, against)
        reasons = learned.explain(cells, against=rival)
    if as_json:
        print_json({"row": row, **reasons.to_dict()})
    else:
        print_reasons(reasons)


def print_reasons(reasons: Any) -> None:
    """Bars in colour on a terminal that has them, otherwise plain text."""
    from bayesic.cli.output import console

    screen = console()
    if screen.is_terminal and screen.encoding.startswith("utf") and hasattr(reasons, "__rich__"):
        screen.print(reasons)
    else:
        click.echo(str(reasons))
