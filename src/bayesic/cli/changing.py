"""A model file that is read, changed and written again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click


def change(
    model: Path,
    table: Path,
    target: str | None,
    out: Path | None,
    as_json: bool,
    how: Callable[[Any, Path, str], Any],
) -> None:
    """Change a model by the rows of a table, and write it only if that went well."""
    from bayesic.cli.learning import summary
    from bayesic.cli.progress import working
    from bayesic.cli.reading import read_model, target_name

    learned = read_model(model)
    with working(f"reading {table}"):
        how(learned, table, target_name(table, target, learned))
    learned.save(out or model)
    tell(out or model, summary(learned), as_json)


def tell(path: Path, learned: dict[str, Any], as_json: bool) -> None:
    """Say what a model file holds now."""
    from bayesic.cli.learning import summary_sentence
    from bayesic.cli.output import print_json

    if as_json:
        print_json({"model": str(path), **learned})
    else:
        click.echo(f"{path}: {summary_sentence(learned)}.")
