"""`bayesic update`: learn more rows or texts."""

from typing import Any

import click

from bayesic.cli import options
from bayesic.cli.changing import change


@click.command("update")
@options.change
def command(**arguments: Any) -> None:
    """Learn more rows or texts.

    SOURCE is a table, or for a model of texts also a folder with one folder for each class. The
    same model comes out as from learning all at once. New values, words and classes may come;
    gaussian, qda and lda know the classes of fit only.
    """
    change(
        **arguments,
        how=lambda source, model: source.update(model),
        other_classes="This model takes no new classes: learn all rows together by fit.",
    )
