"""`bayesic explain`: why a row or a text gets its answer."""

from pathlib import Path
from typing import Any

import click

from bayesic.cli import options


@click.command("explain")
@click.argument("model", type=options.MODEL)
@click.argument("source", type=options.FILE, required=False)
@click.option(
    "--text", metavar="TEXT", help="The text to explain. With a table: the column with the texts."
)
@options.stdin
@click.option(
    "--row",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="Number of the row or text, from 0 on.",
)
@click.option("--against", metavar="CLASS", help="Compare with this class, not with the rest.")
@click.option("--work", is_flag=True, help="Show the calculation, in exact fractions if it can be.")
@options.as_json
def command(
    model: Path,
    source: Path | None,
    text: str | None,
    stdin: str,
    row: int,
    against: str | None,
    work: bool,
    as_json: bool,
) -> None:
    """Why a row or a text gets its answer.

    Shows the prior and the weight of evidence of each column or word, in log odds: above 0 it
    speaks for the answer. SOURCE is a table, or what predict takes for a model of texts.
    """
    from bayesic.cli.output import print_json
    from bayesic.cli.reading import label_named, read_model

    learned = read_model(model)
    asked = one_asked(learned, model, source, text, stdin, row)
    if work:
        reasons = learned.work(asked)
    else:
        rival = None if against is None else label_named(learned.classes_, against)
        reasons = learned.explain(asked, against=rival)
    if as_json:
        print_json({"row": row, **reasons.to_dict()})
    else:
        print_reasons(reasons)


def one_asked(
    learned: Any, model: Path, source: Path | None, text: str | None, stdin: str, row: int
) -> Any:
    """The row or text of this number."""
    from bayesic.cli.questions import table_question, text_at, text_questions
    from bayesic.cli.reading import is_text_model, read_row

    texts = () if text is None else (text,)
    if is_text_model(learned):
        return text_at(text_questions(learned, source, texts, stdin), row)
    _, table = table_question(model, source, texts, keep=False)
    return read_row(table, row)


def print_reasons(reasons: Any) -> None:
    """Bars in colour on a terminal that has them, otherwise plain text."""
    from bayesic.cli.output import console

    screen = console()
    if screen.is_terminal and screen.encoding.startswith("utf") and hasattr(reasons, "__rich__"):
        screen.print(reasons)
    else:
        click.echo(str(reasons))
