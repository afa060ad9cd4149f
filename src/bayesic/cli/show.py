"""`bayesic show`: what a model has learned."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bayesic.catalogue import is_text_model
from bayesic.cli._learned_models import read_model
from bayesic.cli._on_server import OnServer
from bayesic.cli._output import print_json, print_table
from bayesic.estimation.dependent_columns import SIGNIFICANT
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.text_table import counted
from bayesic.models.summaries.description import (
    column_description,
    column_line,
    description,
    settings_text,
)


def show(model: Path | OnServer, column: str | None, as_json: bool) -> None:
    """Print what a model has learned, or what it knows of one column."""
    learned = read_model(model)
    is_text = is_text_model(learned)
    if column is None:
        known = description(learned)
    elif is_text:
        raise click.UsageError(f"--column is for models of tables, but {model} has learned texts.")
    else:
        table = learned.table(column)
        known = column_description(table)
    if as_json:
        print_json(known)
    elif column is not None:
        _print_column(table)
    else:
        _print_settings(known)
        (_print_texts if is_text else _print_table_model)(known)


def _print_settings(known: Mapping[str, Any]) -> None:
    """The model as it is made in Python."""
    click.echo(f"{known['model']}({settings_text(known['parameters'])})")


def _print_texts(known: Mapping[str, Any]) -> None:
    """What is known of texts as tables."""
    click.echo(
        f"{counted(known['texts'], 'text')}, {counted(known['words'], 'different word')}, "
        f"smoothing {known['smoothing']:g}"
    )
    if "chosen" in known:
        click.echo(f"chosen: {settings_text(known['chosen'])}")
    names = ("class", "texts", "words", "share")
    rows = [[str(part["class"]), *(part[name] for name in names[1:])] for part in known["classes"]]
    click.echo()
    print_table("Classes", names, rows)
    words = [
        [
            str(part["class"]),
            ", ".join(f"{word} {weight:+.3g}" for word, weight in part["top_words"].items()),
        ]
        for part in known["classes"]
    ]
    click.echo()
    print_table("Words that speak for each class", ["class", "words and their weights"], words)


def _print_table_model(known: Mapping[str, Any]) -> None:
    """The overview as tables."""
    of_target = f" of {known['target']}" if known["target"] else ""
    rows = [[str(part["class"]), part["rows"], part["prior"]] for part in known["classes"]]
    click.echo()
    print_table(f"Classes{of_target}", ["class", "rows", "prior"], rows)
    columns = sorted(known["columns"], key=lambda part: -(part["bits"] or 0.0))
    cells = [[part["name"], part["kind"], column_line(part), part["bits"]] for part in columns]
    header = ["column", "kind", "what is known", "bits"]
    if all(part["bits"] is None for part in columns):
        header, cells = header[:-1], [row[:-1] for row in cells]
    click.echo()
    print_table("Columns", header, cells)
    _print_pairs(known["pairs"])


def _print_pairs(pairs: list[dict[str, Any]] | None) -> None:
    """The columns that depend on each other within the classes."""
    pairs = [pair for pair in pairs or [] if pair["p_value"] < SIGNIFICANT]
    if pairs:
        click.echo()
        header = ["column", "and", "bits", "G", "degrees", "p-value"]
        title = "Columns that depend on each other within the classes"
        print_table(title, header, [[*pair.values()] for pair in pairs])


def _print_column(table: ColumnTable) -> None:
    """One column in full, as tables."""
    shown = table.shown()
    for line in shown.head:
        click.echo(line)
    for part in shown.tables:
        print_table(part.title, part.headers, part.rows)
