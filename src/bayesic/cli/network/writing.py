"""What is said of a network that was written."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork


def tell(path: Path, net: "BeliefNetwork", as_json: bool, n_rows: int | None = None) -> None:
    """Say what a file holds now, of how many rows it was learned, and how its edges were found."""
    from bayesic.cli.output import print_json
    from bayesic.networks.shown import network_headline

    account = getattr(net, "search_", None)
    if not as_json:
        rows = "" if n_rows is None else f"{n_rows:,} rows, "
        click.echo(f"{path}: {rows}{network_headline(net).removeprefix('BeliefNetwork: ')}.")
        if account:
            click.echo(account)
        return
    known: dict[str, Any] = {"file": str(path)} | ({} if n_rows is None else {"rows": n_rows})
    parameters = None if net.variables_without_table else net.n_parameters
    known |= {"variables": list(net.variables), "edges": net.edges, "parameters": parameters}
    if account:
        known |= {"score": {account.score_name: account.score}, "undirected": account.undirected}
    print_json(known)


def note_lost_names(path: Path) -> None:
    """Say that a format has no names."""
    from bayesic.cli.messages import note

    if path.name.lower().removesuffix(".gz").endswith(".uai"):
        note(
            f"{path} has no names: variables are numbered as x0, x1, ... and states as 0, 1, ... "
            "when it is read."
        )
