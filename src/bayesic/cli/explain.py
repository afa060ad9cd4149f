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
@click.option(
    "--answer",
    "--class",
    "answer",
    metavar="CLASS",
    help="Explain this class, also where another one is predicted.",
)
@click.option("--against", metavar="CLASS", help="Compare with this class, not with the rest.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Show this many columns or words, the strongest first, and the others added up.",
)
@click.option("--work", is_flag=True, help="Show the calculation, in exact fractions if it can be.")
@options.as_json
def command(
    model: Path,
    source: Path | None,
    text: str | None,
    stdin: str,
    row: int,
    answer: str | None,
    against: str | None,
    top: int | None,
    work: bool,
    as_json: bool,
) -> None:
    """Why a row or a text gets its answer.

    Shows the prior and the weight of evidence of each column or word, in log odds: above 0 it
    speaks for the answer. Of nearest neighbours it shows these, with their distances. SOURCE is a
    table, or what predict takes for a model of texts.
    """
    from bayesic.cli.output import print_json
    from bayesic.cli.reading import read_model

    learned = read_model(model)
    refuse_for_neighbours(learned, options.first_given(("work", "answer", "against", "top")))
    refuse_with_work(work, options.first_given(("answer", "against", "top")))
    refuse_work_without_density(learned, work)
    asked = one_asked(learned, model, source, text, stdin, row)
    reasons = learned.work(asked) if work else reasons_of(learned, asked, against, answer, top)
    if as_json:
        print_json({"row": row, **as_dict(reasons)})
    else:
        print_reasons(reasons)


def reasons_of(
    learned: Any,
    asked: Any,
    against: str | None,
    answer: str | None = None,
    top: int | None = None,
) -> Any:
    """Weights of evidence, or neighbours, of one row or text; classes are named as text."""
    from bayesic.cli.reading import label_named

    named = {"against": against, "answer": answer}
    how = {k: label_named(learned.classes_, name) for k, name in named.items() if name is not None}
    return learned.explain(asked, **how, **({} if top is None else {"top": top}))


def refuse_with_work(work: bool, option: str | None) -> None:
    """Refuse an option about weights of evidence where the calculation is asked."""
    if work and option is not None:
        raise click.UsageError(
            f"{option} is about weights of evidence, and --work shows the calculation of all "
            "classes instead. Leave out one."
        )


def refuse_for_neighbours(learned: Any, option: str | None) -> None:
    """Refuse an option about weights of evidence where the model has none."""
    from bayesic.cli.reading import NUMBER_MODELS

    if option is not None and type(learned).__name__ == NUMBER_MODELS["knn"]:
        raise click.UsageError(
            f"{option} is for models with weights of evidence, but {NUMBER_MODELS['knn']} has "
            "neighbours. explain shows these."
        )


def refuse_work_without_density(learned: Any, work: bool) -> None:
    """Refuse to write out a product where the model has none."""
    from bayesic.cli.reading import NUMBER_MODELS

    if work and type(learned).__name__ == NUMBER_MODELS["logistic"]:
        raise click.UsageError(
            f"--work writes out P(class) times P(row | class), and {NUMBER_MODELS['logistic']} has "
            "neither: it knows P(class | row) alone. Without --work explain shows what each column "
            "adds."
        )


def as_dict(reasons: Any) -> dict[str, Any]:
    """The same for JSON; neighbours are plain data."""
    from dataclasses import asdict

    return reasons.to_dict() if hasattr(reasons, "to_dict") else asdict(reasons)


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
    return read_row(learned, table, row)


def print_reasons(reasons: Any) -> None:
    """Bars in colour on a terminal that has them, otherwise plain text."""
    from bayesic.cli.output import console

    screen = console()
    if screen.is_terminal and screen.encoding.startswith("utf") and hasattr(reasons, "__rich__"):
        screen.print(reasons)
    else:
        click.echo(str(reasons))
