"""`bayesic predict`: class probabilities, and decisions, for the rows of a table."""

import csv
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

import click

from bayesic.cli import options

Row = dict[str, Any]


@click.command("predict")
@click.argument("model", type=options.MODEL)
@click.argument("table", type=options.FILE)
@options.loss
@options.reject
@click.option("--keep", is_flag=True, help="Carry the columns of the table along.")
@click.option("--out", type=options.FILE, metavar="FILE", help="Write here, not to stdout.")
@options.as_json
def command(
    model: Path,
    table: Path,
    loss: Path | None,
    reject: float | None,
    keep: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Class probabilities, and decisions, for the rows of a table.

    Writes CSV: the number of the row (from 0 on), the most probable class, and P(class) of each
    class; with --loss or --reject also the action of least expected cost and that cost (risk).
    """
    from bayesic.cli.output import opened
    from bayesic.cli.progress import working
    from bayesic.cli.reading import read_loss, read_model

    learned, costs = read_model(model), read_loss(loss)
    with working(f"reading {table}"):
        answers = answer_columns(learned, table, costs, reject)
    rows, write = (
        answer_rows(answers, table if keep else None),
        write_json if as_json else write_csv,
    )
    if out is None:
        write(rows, sys.stdout)
        return
    with opened(out) as stream, working(f"writing {out}", len(answers["prediction"])) as done:
        write(counted_rows(rows, done), stream)


def answer_columns(model: Any, table: Path, loss: Any, reject: float | None) -> dict[str, list]:
    """Prediction, probabilities and perhaps action and risk, each for all rows."""
    import bayesic as by

    posterior = model.predict_proba(table)
    columns = {"prediction": model.classes_[posterior.argmax(axis=1)].tolist()}
    for label, probability in zip(model.classes_.tolist(), posterior.T, strict=True):
        columns[f"P({label})"] = probability.tolist()
    if loss is not None or reject is not None:
        action, risk = by.decide(posterior, loss, reject, model.classes_)
        least = risk.min(axis=1)
        columns["action"] = action.tolist()
        columns["risk"] = (least if reject is None else least.clip(max=reject)).tolist()
    return columns


def answer_rows(answers: dict[str, list], table: Path | None) -> Iterator[Row]:
    """The answers row by row, behind the columns of the table or behind the number of the row."""
    from bayesic.cli.reading import read_rows

    rows = zip(*answers.values(), strict=True)
    if table is None:
        for number, row in enumerate(rows):
            yield {"row": number, **dict(zip(answers, row, strict=True))}
        return
    for given, row in zip(read_rows(table), rows, strict=True):
        both = [name for name in answers if name in given]
        if both:
            raise ValueError(
                f"{table} has columns with names of answers already: {both}. Rename them, or leave "
                "out --keep."
            )
        yield given | dict(zip(answers, row, strict=True))


def counted_rows(rows: Iterator[Row], done: Callable[[int], None]) -> Iterator[Row]:
    """The rows, telling the progress bar of every thousand."""
    for number, row in enumerate(rows, start=1):
        yield row
        if number % 1000 == 0:
            done(1000)


def write_csv(rows: Iterator[Row], stream: TextIO) -> None:
    """A line of names, and a line for each row."""
    writer: Any = None
    for row in rows:
        if writer is None:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(row)
        writer.writerow(row.values())


def write_json(rows: Iterator[Row], stream: TextIO) -> None:
    """A list with one object a line."""
    from bayesic.cli.output import json_text

    stream.write("[")
    for number, row in enumerate(rows):
        stream.write((",\n " if number else "\n ") + json_text(row))
    stream.write("\n]\n")
