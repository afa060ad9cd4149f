"""`bayesic merge`: add up models that were learned apart."""

from pathlib import Path

import click

from bayesic.cli import options
from bayesic.cli.changing import alone_with, tell


@click.command("merge")
@click.argument("models", type=options.MODEL, nargs=-1, required=True)
@options.out
@options.as_json
def command(models: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Add up models that were learned apart.

    The same model comes out as from learning all rows or texts at once. Options such as smoothing
    are those of the first model.
    """
    from bayesic.cli.learning import summary
    from bayesic.cli.reading import read_model, refuse_without

    first, *others = models
    with alone_with(out):
        merged = read_model(first)
        refuse_without(merged, "merge")
        for other in others:
            merged.merge(read_model(other))
        merged.save(out)
    tell(out, summary(merged), as_json)
