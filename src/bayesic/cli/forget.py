"""`bayesic forget`: take rows or texts back out of a model."""

from typing import Any

import click

from bayesic.cli import options
from bayesic.cli.changing import change


@click.command("forget")
@options.change
def command(**arguments: Any) -> None:
    """Take rows or texts back out of a model.

    SOURCE is what update takes. The same model comes out as if it had never been learned. What was
    never learned is refused where the counts show it; the file stays as it is then.
    """
    change(
        **arguments,
        how=lambda source, model: source.forget(model),
        other_classes="Only what was learned can be forgotten.",
    )
