"""A model file that is read, changed and written again."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click


def change(
    model: Path,
    source: Path,
    text: str | None,
    target: str | None,
    out: Path | None,
    as_json: bool,
    how: Callable[[Any, Any], Any],
    other_classes: str,
) -> None:
    """Change a model by the rows or texts of a source, and write it only if that went well.

    how : takes the source and the model
    other_classes : the way out where the source has classes that the model does not know
    """
    from bayesic.cli.learning import summary
    from bayesic.cli.progress import working
    from bayesic.cli.reading import known_classes, read_model
    from bayesic.cli.sources import source_for_model

    with alone_with(out or model):
        learned = read_model(model)
        labelled = source_for_model(learned, model, source, text, target)
        with working(f"reading {source}", unit=labelled.unit), known_classes(source, other_classes):
            how(labelled, learned)
        learned.save(out or model)
    tell(out or model, summary(learned), as_json)


def alone_with(path: Path) -> AbstractContextManager[None]:
    """While this lasts, no other command changes this file: what it reads is what it replaces."""
    from bayesic.cli.messages import note
    from bayesic.data.file_locks import locked

    return locked(path, waiting=lambda: note(f"waiting for another command that changes {path}."))


def tell(path: Path, learned: dict[str, Any], as_json: bool) -> None:
    """Say what a model file holds now."""
    from bayesic.cli.learning import summary_sentence
    from bayesic.cli.output import print_json

    if as_json:
        print_json({"model": str(path), **learned})
    else:
        click.echo(f"{path}: {summary_sentence(learned)}.")
