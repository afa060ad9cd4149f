"""`bayesic network convert`: a network in another format."""

from pathlib import Path

import click

from bayesic.cli.network import options
from bayesic.cli.options import FILE, as_json


@click.command("convert")
@click.argument("source", type=FILE, metavar="IN")
@click.argument("out", type=options.NETWORK, metavar="OUT")
@options.normalise
@as_json
def command(source: Path, out: Path, normalise: bool, as_json: bool) -> None:
    """Write a network in another format.

    The ending of OUT names the format: .bif, .xml, .net, .uai or .json, and .gz behind it packs
    the file. Numbers stay as they are, bit for bit.
    """
    from bayesic.cli.network.reading import network_of
    from bayesic.cli.network.writing import note_lost_names, tell
    from bayesic.cli.output import print_json
    from bayesic.networks.factor_model import FactorModel

    model = network_of(source, normalise)
    model.write(out)
    note_lost_names(out)
    if not isinstance(model, FactorModel):
        tell(out, model, as_json)
        return
    sizes = {"variables": len(model.variables), "factors": len(model.factors().scopes)}
    if as_json:
        print_json({"file": str(out), **sizes})
    else:
        click.echo(f"{out}: {sizes['variables']} variables, {sizes['factors']} factors.")
