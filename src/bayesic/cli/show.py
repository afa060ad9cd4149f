"""`bayesic show`: what a model has learned."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bayesic.cli import options

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
        known, print_known = column_description(learned, column), print_column
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
    columns = [[part["name"], part["kind"], in_short(part)] for part in known["columns"]]
    click.echo()
    print_table("Columns", ["column", "kind", "what is known"], columns)


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


def print_column(known: Mapping[str, Any]) -> None:
    """One column in full, as a table."""
    from bayesic.cli.output import print_table

    title = f"{known['name']}: {known['kind']}{dependence(known)}"
    if "weights" in known:
        weights = [[str(label), weight] for label, weight in known["weights"].items()]
        print_table(title, ["class", "weight"], weights)
        return
    if "values" not in known:
        header = ["class", "observed", "mean", "standard deviation"]
        rows = [[str(label), *rest] for label, *rest in map(dict.values, known.get("classes", []))]
        if not rows:
            click.echo(title)
        print_table(title, header, rows)
        return
    classes = list(known["values"][0]["counts"])
    unit = "words" if known["kind"] == "text" else "rows"
    header = ["value", *(f"{unit} {label}" for label in classes)]
    if "smoothing" not in known:
        rows = [[part["value"], *part["counts"].values()] for part in known["values"]]
        print_table(title, header, rows)
        return
    header += [*(f"P(value|{label})" for label in classes), "speaks for", "factor", "bits"]
    print_table(f"{title}, smoothing {known['smoothing']:g}", header, value_rows(known["values"]))


def value_rows(values: list[dict[str, Any]]) -> list[list[Any]]:
    """A row for each value of a column."""
    return [
        [
            part["value"],
            *part["counts"].values(),
            *part["shares"].values(),
            str(part["speaks_for"]),
            part["factor"],
            part["information"],
        ]
        for part in values
    ]
