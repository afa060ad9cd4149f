"""`bayesic predict`: answers, and decisions, for the rows of a table or for texts."""

import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import click

from bayesic.cli import options

Row = dict[str, Any]
Blocks = Iterable[Iterable[Row]]  # written out one after the other


@click.command("predict")
@click.argument("model", type=options.MODEL)
@click.argument("source", type=options.FILE, required=False)
@click.option(
    "--text",
    "texts",
    multiple=True,
    metavar="TEXT",
    help="A text to answer; repeatable. With a table: the column with the texts.",
)
@options.stdin
@options.loss
@options.reject
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    metavar="CLASS=PROBABILITY",
    help="Answer this class only if it is at least so probable, and otherwise the best of the "
    "others. Repeatable.",
)
@click.option("--proba", is_flag=True, help="Probabilities of texts too, as CSV.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="Only the most probable classes, so many, each with its probability, as CSV.",
)
@click.option("--keep", is_flag=True, help="Carry the columns of the table along.")
@click.option(
    "--out", "-o", type=options.FILE, metavar="FILE", show_default="stdout", help="File to write."
)
@options.as_json
def command(
    model: Path,
    source: Path | None,
    texts: tuple[str, ...],
    stdin: str,
    loss: Path | None,
    reject: float | None,
    thresholds: tuple[str, ...],
    proba: bool,
    top: int | None,
    keep: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Answers, and decisions, for the rows of a table or for texts.

    SOURCE is a table. CSV is written: the number of the row (from 0 on), the most probable class,
    and P(class) of each class; with --loss or --reject also the action of least expected cost and
    that cost (risk).

    For a model of texts SOURCE is a table with texts, a text, a mail (.eml), a mailbox (.mbox), a
    folder of these, or - for stdin, which is read if there is neither SOURCE nor --text. Unless
    the texts are in a table, only the answer is written, one a line, after the name of the file
    if there is one.
    """
    load_little(model)
    from bayesic.cli.reading import is_text_model, read_loss, read_model

    learned, costs = read_model(model), Costs(read_loss(loss), reject)
    asked = Asked(costs, thresholds_of(learned, thresholds, costs), top)
    if is_text_model(learned):
        blocks, in_table = answers_of_texts(learned, asked, source, texts, stdin, keep)
    else:
        blocks, in_table = answers_of_table(learned, asked, model, source, texts, keep), True
    in_full = in_table or proba or top is not None
    write_out(blocks, out, write_json if as_json else write_csv if in_full else write_plain)


def load_little(model: Path) -> None:
    """Leave scikit-learn out where the process ends when it has answered texts."""
    from bayesic.files.archive import model_named

    if click.get_current_context().obj is not None and model_named(model) == "TextClassifier":
        from bayesic.models import stand_ins

        stand_ins.use()


class Costs(NamedTuple):
    """What the actions cost, and what it costs to take none."""

    loss: Any
    reject: float | None


class Asked(NamedTuple):
    """What is asked of each row or text."""

    costs: Costs
    thresholds: Mapping[Any, float]  # class -> the probability from which on it is answered
    top: int | None  # how many classes are shown; all if not told


def thresholds_of(model: Any, values: tuple[str, ...], costs: Costs) -> dict[Any, float]:
    """The thresholds for classes of the model; refused beside costs, which decide themselves."""
    from bayesic.cli.given import thresholds_given
    from bayesic.cli.reading import label_named
    from bayesic.decisions.posterior import checked_thresholds

    if values and costs != (None, None):
        raise click.UsageError(
            "--threshold says when a class is answered, --loss and --reject which action is best: "
            "give one of them."
        )
    told = thresholds_given(values)
    named = {label_named(model.classes_, name): least for name, least in told.items()}
    return checked_thresholds(named, model.classes_) if named else {}


def answers_of_table(
    model: Any,
    asked: Asked,
    path: Path,
    source: Path | None,
    texts: tuple[str, ...],
    keep: bool,
) -> Blocks:
    """The answers for all rows of a table."""
    from bayesic.cli.progress import working
    from bayesic.cli.questions import table_question

    heads, table = table_question(path, source, texts, keep)
    with working(f"reading {table}"):
        posterior = model.predict_proba(table)
    return [answer_rows(answer_columns(model, posterior, asked), heads)]


def answers_of_texts(
    model: Any,
    asked: Asked,
    source: Path | None,
    texts: tuple[str, ...],
    stdin: str,
    keep: bool,
) -> tuple[Blocks, bool]:
    """The answers for texts, block by block as they come, and whether they are in a table."""
    from bayesic.cli.questions import has_text_table, text_questions

    questions = text_questions(model, source, texts, stdin, keep)
    blocks = (
        answer_rows(answer_columns(model, model.predict_proba(block), asked), heads)
        for heads, block in questions
    )
    return blocks, has_text_table(source, texts)


def answer_columns(model: Any, posterior: Any, asked: Asked) -> dict[str, list]:
    """Prediction, probabilities and perhaps action and risk, each for all rows."""
    from bayesic.decisions.posterior import most_probable_above

    answers = most_probable_above(posterior, model.classes_, asked.thresholds)
    columns = {"prediction": answers.tolist()}
    columns |= probability_columns(model.classes_, posterior, asked.top)
    return columns | action_columns(model.classes_, posterior, asked.costs)


def probability_columns(classes: Any, posterior: Any, top: int | None) -> dict[str, list]:
    """P(class) of each class; or the most probable classes of each row, with their probability."""
    if top is None:
        named = zip(classes.tolist(), posterior.T, strict=True)
        return {f"P({label})": probability.tolist() for label, probability in named}
    columns = {}
    order = (-posterior).argsort(axis=1, kind="stable")[:, :top]
    for number, places in enumerate(order.T, start=1):
        columns[f"class {number}"] = classes[places].tolist()
        columns[f"P(class {number})"] = posterior[range(len(places)), places].tolist()
    return columns


def action_columns(classes: Any, posterior: Any, costs: Costs) -> dict[str, list]:
    """The action of least expected cost and that cost, if there are costs."""
    import bayesic as by

    if costs == (None, None):
        return {}
    action, risk = by.decide(posterior, *costs, classes)
    least = risk.min(axis=1)
    risk = least if costs.reject is None else least.clip(max=costs.reject)
    return {"action": action.tolist(), "risk": risk.tolist()}


def answer_rows(answers: dict[str, list], heads: Iterator[Row]) -> Iterator[Row]:
    """The answers row by row, each behind its head: a number, a name, or the columns of a table."""
    # answers first: no head is taken where they end, the next block goes on with it
    for row, head in zip(zip(*answers.values(), strict=True), heads, strict=False):
        both = [name for name in answers if name in head]
        if both:
            raise ValueError(
                f"The table has columns with names of answers already: {both}. Rename them, or "
                "leave out --keep."
            )
        yield head | dict(zip(answers, row, strict=True))


# writing ----------------------------------------------------------------------------------------


def write_out(blocks: Blocks, out: Path | None, write: Callable[[Blocks, TextIO], None]) -> None:
    """Write all blocks to a file or to stdout; a bar is shown where it does not disturb."""
    from bayesic.cli.output import opened, stdout_is_file
    from bayesic.cli.progress import working

    if out is None and not stdout_is_file():
        write(blocks, sys.stdout)
        return
    with (
        nullcontext(sys.stdout) if out is None else opened(out) as stream,
        working("writing answers", unit="answer", by_hand=True) as done,
    ):
        write((counted_rows(block, done) for block in blocks), stream)


def counted_rows(rows: Iterable[Row], done: Callable[[int], None]) -> Iterator[Row]:
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


def write_csv(blocks: Blocks, stream: TextIO) -> None:
    """A line of names, and a line for each row."""
    writer: Any = None
    for rows in blocks:
        for row in rows:
            if writer is None:
                writer = csv.writer(stream, lineterminator="\n")
                writer.writerow(row)
            writer.writerow(row.values())
        stream.flush()


def write_json(blocks: Blocks, stream: TextIO) -> None:
    """A list with one object a line."""
    from bayesic.cli.output import json_text

    start = "[\n "
    for rows in blocks:
        for row in rows:
            stream.write(start + json_text(row))
            start = ",\n "
        stream.flush()
    stream.write("\n]\n")
