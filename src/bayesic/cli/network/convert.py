"""`bayesic network convert`: a network in another format."""

from pathlib import Path

import click

from bayesic.cli._options import FILE, as_json
from bayesic.cli.network._network_files import NETWORK, normalise, tell


@click.command("convert")
@click.argument("source", type=FILE, metavar="IN")
@click.argument("out", type=NETWORK, metavar="OUT")
@normalise
@as_json
def command(source: Path, out: Path, normalise: bool, as_json: bool) -> None:
    """Write a network in another format.

    The extension of OUT names the format: .bif, .xml, .net, .uai or .json; add .gz to compress the
    file. Numbers stay the same, bit for bit.
    """
    from bayesic.networks.reading import read_network

    model = read_network(source, normalise)
    model.write(out)
    tell(out, model, as_json)
