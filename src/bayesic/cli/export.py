"""`bayesic export`: a model as SQL, or for ONNX runtimes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import bayesic as by
from bayesic.cli._options import first_given
from bayesic.cli._output import opened, tell
from bayesic.data.spelling import spelling_by
from bayesic.data.typing import Classifier, LossLike
from bayesic.files.whole_files import whole_file

SPELLING = {
    "columns={{{name!r}: {kind!r}}}": "--columns {name}={kind}",
    "missing={text!r}": "--missing '{text}'",
}


OF_SQL, OF_ONNX = ("table", "dialect", "keep", "out"), ("dtype", "missing")


def export(
    model: Path,
    sql: bool,
    onnx: Path | None,
    loss: LossLike | None,
    reject: float | None,
    as_json: bool,
    dtype: str,
    missing: str,
    **for_sql: Any,
) -> None:
    """Write a model as one SELECT, or as an ONNX graph."""
    if sql == (onnx is not None):
        raise click.UsageError("Say what to write: --sql, or --onnx FILE.")
    other = first_given(OF_ONNX if sql else OF_SQL)
    if other:
        kind, here = ("--onnx", "--sql") if sql else ("--sql", "--onnx")
        raise click.UsageError(f"{other} is for {kind}, not for {here}. Leave it out.")
    if sql and for_sql["table"] is None:
        raise click.UsageError(
            "--sql writes a SELECT from a table of the database: give its name with --table."
        )
    learned = by.load(model)
    if loss is not None or reject is not None:
        inside = learned.model if isinstance(learned, by.BayesDecision) else learned
        learned = by.BayesDecision(inside, loss, reject)
    with spelling_by(SPELLING):
        if onnx is None:
            _write_sql(learned, as_json=as_json, **for_sql)
        else:
            _write_onnx(learned, onnx, dtype, missing, as_json)


def _write_onnx(learned: Classifier, out: Path, dtype: Any, missing: str, as_json: bool) -> None:
    written = by.to_onnx(learned, dtype, missing)
    with whole_file(out, "The output") as file:
        file.write(written.SerializeToString())
    inputs = [each.name for each in written.graph.input]
    outputs = [each.name for each in written.graph.output]
    sentence = f"{out}: {', '.join(outputs)} from {', '.join(inputs)}."
    tell({"file": str(out), "inputs": inputs, "outputs": outputs}, sentence, as_json)


def _write_sql(
    learned: Classifier,
    table: str,
    dialect: Any,
    keep: Sequence[str],
    out: Path | None,
    as_json: bool,
) -> None:
    text = by.to_sql(learned, table, dialect, keep)
    columns = [*keep, *_answers(learned)]
    if out is None:
        tell({"columns": columns, "sql": text}, text, as_json)
        return
    with opened(out) as file:
        file.write(f"{text}\n")
    sentence = f"{out}: {', '.join(_answers(learned))} of every row of {table}, for {dialect}."
    tell({"file": str(out), "columns": columns}, sentence, as_json)


def _answers(model: Classifier) -> list[str]:
    """The columns of the answer."""
    classes = [f"P({label})" for label in model.classes_.tolist()]
    return [*classes, *(["action", "risk"] if isinstance(model, by.BayesDecision) else [])]
