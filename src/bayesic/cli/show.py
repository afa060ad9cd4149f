"""`bayesic show`: what a model has learned."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bayesic.cli import options

if TYPE_CHECKING:
    from bayesic.evidence.column_table import ColumnTable

MOST_CLASSES = 4  # in a cell of the overview


@click.command("show")
@click.argument("model", type=options.MODEL)
@click.option("--column", metavar="NAME", help="Show all that is known of one column.")
@options.as_json
def command(model: Path, column: str | None, as_json: bool) -> None:
    """What a model has learned.

    Classes with their rows and prior, columns with their kind, and what is known of each: the most
    telling values with the class that they speak for and the factor by which they change its
    probability, or mean and standard deviation by class, or the weights of a logistic regression.
    Of texts, the words that speak for each class.
    """
    from bayesic.cli.description import column_description, model_description, text_description
    from bayesic.cli.output import print_json
    from bayesic.cli.reading import is_text_model, read_model

    learned = read_model(model)
    known: dict[str, Any]
    if is_text_model(learned):
        refuse_column(model, column)
        known, print_known = text_description(learned), print_text_model
    elif column is None:
        known, print_known = model_description(learned), print_model
    else:
        table = learned.table(column)
        if not as_json:
            print_column(table)
            return
        known, print_known = column_description(table), print_model
    if as_json:
        print_json(known)
    else:
        print_known(known)


def refuse_column(model: Path, column: str | None) -> None:
    """Refuse the name of a column where texts were learned."""
    if column is not None:
        raise click.UsageError(f"--column is for models of tables, but {model} has learned texts.")


def print_settings(known: Mapping[str, Any]) -> None:
    """The model as it is made in Python."""
    settings = ", ".join(f"{name}={value!r}" for name, value in known["parameters"].items())
    click.echo(f"{known['model']}({settings})")


def print_text_model(known: Mapping[str, Any]) -> None:
    """What is known of texts as tables."""
    from bayesic.cli.learning import counted
    from bayesic.cli.output import print_table

    print_settings(known)
    click.echo(
        f"{counted(known['texts'], 'text')}, {counted(known['words'], 'different word')}, "
        f"smoothing {known['smoothing']:g}"
    )
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


def print_model(known: Mapping[str, Any]) -> None:
    """The overview as tables."""
    from bayesic.cli.output import print_table

    print_settings(known)
    of_target = f" of {known['target']}" if known["target"] else ""
    rows = [[str(part["class"]), part["rows"], part["prior"]] for part in known["classes"]]
    click.echo()
    print_table(f"Classes{of_target}", ["class", "rows", "prior"], rows)
    columns = sorted(known["columns"], key=lambda part: -(part["bits"] or 0.0))
    cells = [[part["name"], part["kind"], in_short(part), part["bits"]] for part in columns]
    header = ["column", "kind", "what is known", "bits"]
    if all(part["bits"] is None for part in columns):
        header, cells = header[:-1], [row[:-1] for row in cells]
    click.echo()
    print_table("Columns", header, cells)
    print_pairs(known["pairs"])


def print_pairs(pairs: list[dict[str, Any]] | None) -> None:
    """The columns that depend on each other within the classes."""
    from bayesic.cli.output import print_table
    from bayesic.estimation.dependence import SIGNIFICANT

    pairs = [pair for pair in pairs or [] if pair["p_value"] < SIGNIFICANT]
    if pairs:
        click.echo()
        header = ["column", "and", "bits", "G", "degrees", "p-value"]
        title = "Columns that depend on each other within the classes"
        print_table(title, header, [[*pair.values()] for pair in pairs])


def in_short(column: Mapping[str, Any]) -> str:
    """What is known of a column, in one line."""
    from bayesic.cli.learning import counted

    if "number_of_values" in column:
        n_values = column["number_of_values"]
        noun = {"binned": "bin", "text": "word"}.get(column["kind"], "value")
        number = counted(n_values, noun)
        if "most_telling" not in column:
            return f"{number}{dependence(column)}"
        texts = [
            f"{part['value']} → {part['speaks_for']} ×{part['factor']:.3g}"
            for part in column["most_telling"]
        ]
        return f"{number}: {', '.join(texts)}" if n_values > 1 else f"{number}, which tells nothing"
    texts = [f"{label} {weight:+.4g}" for label, weight in column.get("weights", {}).items()] + [
        f"{part['class']} {part['mean']:.4g} ± {part['standard_deviation']:.3g}"
        for part in column.get("classes", [])
    ]
    more = ["..."] if len(texts) > MOST_CLASSES else []
    return ", ".join(texts[:MOST_CLASSES] + more)


def dependence(column: Mapping[str, Any]) -> str:
    """The columns that a column depends on, beside the class.

    >>> dependence({"depends_on": ["Wind"]}), dependence({"depends_on": []})
    (', depends on Wind', '')
    """
    given = ", ".join(column.get("depends_on", []))
    return f", depends on {given}" if given else ""


def print_column(table: "ColumnTable") -> None:
    """One column in full, as tables."""
    from bayesic.cli.output import print_table

    tables = table.tables()
    if not tables:
        click.echo(table.headline())
    for number, (header, rows) in enumerate(tables):
        print_table("" if number else table.headline(), header, rows)
