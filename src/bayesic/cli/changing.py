"""A model file that is read, changed and written again."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click


def change(
    model: Path,
    out: Path | None,
    as_json: bool,
    how: Callable[[Any, Any], Any],
    other_classes: str,
    **given: Any,
) -> None:
    """Change a model by the rows or texts of sources, and write it only if that went well.

    how : takes a source and the model
    other_classes : the way out where a source has classes that the model does not know
    given : what the user says of the sources, see labelled_sources
    """
    from bayesic.cli.labelled import labelled_sources, read_stdin
    from bayesic.cli.learning import summary
    from bayesic.cli.progress import working
    from bayesic.cli.reading import known_classes, read_model

    piped = read_stdin(given["sources"], given["label"], given.pop("stdin"))  # nobody waits yet
    with alone_with(out or model):
        learned = read_model(model)
        for source in labelled_sources(learned, model, piped, **given):
            path = source.path
            with working(f"reading {path}", unit=source.unit), known_classes(path, other_classes):
                how(source, learned)
        known = summary(learned)  # raises if what was learned now does not suit the parameters
        learned.save(out or model)
    tell(out or model, known, as_json)


def alone_with(path: Path) -> AbstractContextManager[None]:
    """While this lasts, no other command changes this file: what it reads is what it replaces."""
    from bayesic.cli.messages import note
    from bayesic.files.file_locks import locked

    return locked(path, waiting=lambda: note(f"waiting for another command that changes {path}."))


def tell(path: Path, learned: dict[str, Any], as_json: bool) -> None:
    """Say what a model file holds now."""
    from bayesic.cli.learning import summary_sentence
    from bayesic.cli.output import print_json

    if as_json:
        print_json({"model": str(path), **learned})
    else:
        click.echo(f"{path}: {summary_sentence(learned)}.")
