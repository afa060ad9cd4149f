"""`bayesic export`: a model as SQL."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import bayesic as by
from bayesic.cli.output import opened, tell
from bayesic.data.spelling import spelling_by

SPELLING = {
    "columns={{{name!r}: {kind!r}}}": "--columns {name}={kind}",
}


def export(
    model: Path,
    sql: bool,
    table: str | None,
    dialect: str,
    keep: Sequence[str],
    loss: Any,
    reject: float | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Write a model as one SELECT."""
    if not sql:
        raise click.UsageError("Say what to write: --sql.")
    if table is None:
        raise click.UsageError(
            "--sql writes a SELECT from a table of the database: give its name with --table."
        )
    learned = by.load(model)
    if loss is not None or reject is not None:
        inside = learned.model if isinstance(learned, by.BayesDecision) else learned
        learned = by.BayesDecision(inside, loss, reject)
    with spelling_by(SPELLING):
        text = by.to_sql(learned, table, dialect, keep)
    columns = [*keep, *_answers(learned)]
    if out is None:
        tell({"columns": columns, "sql": text}, text, as_json)
        return
    with opened(out) as file:
        file.write(f"{text}\n")
    told = f"{out}: {', '.join(_answers(learned))} of every row of {table}, for {dialect}."
    tell({"file": str(out), "columns": columns}, told, as_json)


def _answers(model: Any) -> list[str]:
    """The columns of the answer."""
    classes = [f"P({label})" for label in model.classes_.tolist()]
    return [*classes, *(["action", "risk"] if isinstance(model, by.BayesDecision) else [])]
