"""`bayesic explain`: why a row or a text gets its answer."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from bayesic.catalogue import entry_of, is_text_model
from bayesic.cli._learned_models import label_named, read_model
from bayesic.cli._on_server import OnServer
from bayesic.cli._options import first_given
from bayesic.cli._output import console, print_json
from bayesic.cli._questions import row_at, table_question, text_at, text_questions


def explain(
    model: Path | OnServer,
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
    """Print weights of evidence, neighbours, or the calculation, of one row or text."""
    learned = read_model(model)
    refuse_for_neighbours(learned, first_given(("work", "answer", "against", "top")))
    if work:
        _refuse_work(learned, first_given(("answer", "against", "top")))
    question = one_asked(learned, model, source, text, stdin, row)
    reasons = (
        learned.work(question) if work else reasons_of(learned, question, against, answer, top)
    )
    if as_json:
        record = reasons.to_dict() if hasattr(reasons, "to_dict") else asdict(reasons)
        print_json({"row": row, **record})
    else:
        print_reasons(reasons)


def one_asked(
    learned: Any,
    model: Path | OnServer,
    source: Path | None,
    text: str | None,
    stdin: str,
    row: int,
) -> object:
    """The row or text of this number."""
    texts = () if text is None else (text,)
    if is_text_model(learned):
        return text_at(text_questions(learned, source, texts, stdin), row)
    _, table = table_question(model, source, texts, keep=False)
    return row_at(learned, table, row)


def reasons_of(
    learned: Any,
    question: object,
    against: str | None,
    answer: str | None = None,
    top: int | None = None,
) -> Any:
    """Weights of evidence, or neighbours, of one row or text; classes are named as text."""
    named = {"against": against, "answer": answer}
    how = {k: label_named(learned.classes_, name) for k, name in named.items() if name is not None}
    return learned.explain(question, **how, **({} if top is None else {"top": top}))


def print_reasons(reasons: object) -> None:
    """Bars in colour on a terminal that has them, otherwise plain text."""
    screen = console()
    if screen.is_terminal and screen.encoding.startswith("utf") and hasattr(reasons, "__rich__"):
        screen.print(reasons)
    else:
        click.echo(str(reasons))


def refuse_for_neighbours(learned: object, option: str | None) -> None:
    """Refuse an option about weights of evidence where the model has none."""
    if option is not None and entry_of(learned).typed == "knn":
        raise click.UsageError(
            f"{option} is for models with weights of evidence, but {type(learned).__name__} has "
            "neighbours. explain shows the neighbours."
        )


def _refuse_work(learned: object, option: str | None) -> None:
    """Refuse to write out a product beside weights of evidence, or where the model has none."""
    if option is not None:
        raise click.UsageError(
            f"{option} is about weights of evidence, and --work shows the calculation of all "
            "classes instead. Leave out one."
        )
    if entry_of(learned).typed == "logistic":
        raise click.UsageError(
            f"--work writes out P(class) times P(row | class), and {type(learned).__name__} has "
            "neither: it only knows P(class | row). Without --work, explain shows what each column "
            "adds."
        )
