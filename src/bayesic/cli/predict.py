"""`bayesic predict`: answers, and decisions, for the rows of a table or for texts."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import click

from bayesic.catalogue import is_text_model
from bayesic.cli._learned_models import label_named, read_model
from bayesic.cli._on_server import OnServer
from bayesic.cli._output import Blocks, Row, working, write_csv, write_json, write_out, write_plain
from bayesic.cli._questions import has_text_table, table_question, text_questions
from bayesic.cli._spreadsheets import without_formula
from bayesic.data.typing import Classifier, Label, LossLike
from bayesic.decisions.decide import answer_columns
from bayesic.decisions.sure_answers import checked_thresholds


def predict(
    model: Path | OnServer,
    source: Path | None,
    texts: tuple[str, ...],
    stdin: str,
    loss: LossLike | None,
    reject: float | None,
    thresholds: Mapping[str, float],
    proba: bool,
    top: int | None,
    keep: bool,
    for_spreadsheets: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write the answers for rows or texts."""
    if for_spreadsheets and as_json:
        raise click.UsageError("--for-spreadsheets is about CSV, --json writes none: give one.")
    learned = read_model(model)
    answer = partial(
        answer_columns,
        classes=learned.classes_,
        thresholds=_thresholds_of(learned, thresholds, loss is not None or reject is not None),
        top=top,
        loss=loss,
        reject_loss=reject,
    )
    if is_text_model(learned):
        in_table = has_text_table(source, texts)
        blocks: Blocks = (
            _answer_rows(answer(learned.predict_proba(block)), heads)
            for heads, block in text_questions(learned, source, texts, stdin, keep)
        )
    else:
        in_table = True
        heads, table = table_question(model, source, texts, keep)
        with working(f"reading {table}"):
            posterior = learned.predict_proba(table)
        blocks = [_answer_rows(answer(posterior), heads)]
    in_full = in_table or proba or top is not None
    if for_spreadsheets:
        write: Callable[..., None] = partial(write_csv, written=without_formula)
    else:
        write = write_json if as_json else write_csv if in_full else write_plain
    write_out(blocks, out, write)


def _thresholds_of(
    model: Classifier, given: Mapping[str, float], has_costs: bool
) -> dict[Label, float]:
    """The thresholds for classes of the model; refused beside costs, which decide themselves."""
    if given and has_costs:
        raise click.UsageError(
            "--threshold says when a class is answered, --loss and --reject which action is best: "
            "give one of them."
        )
    named = {label_named(model.classes_, name): least for name, least in given.items()}
    return checked_thresholds(named, model.classes_) if named else {}


def _answer_rows(answers: dict[str, list], heads: Iterator[Row]) -> Iterator[Row]:
    """The answers row by row, each behind its head: a number, a name, or the columns of a table."""
    # answers first: no head is taken where they end, the next block goes on with it
    for row, head in zip(zip(*answers.values(), strict=True), heads, strict=False):
        both = [name for name in answers if name in head]
        if both:
            raise ValueError(
                f"The table already has columns with the names of answers: {both}. Rename them, "
                "or leave out --keep."
            )
        yield head | dict(zip(answers, row, strict=True))
