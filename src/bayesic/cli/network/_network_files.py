"""The files of networks: how a command takes them, and what it says of one that it wrote."""

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bayesic.cli._options import FILE

if TYPE_CHECKING:
    from bayesic.networks.factor_model import FactorModel
    from bayesic.networks.network import BeliefNetwork

    Network = BeliefNetwork | FactorModel


class NetworkFile(click.Path):
    """The path of a network to write; its extension names the format."""

    name = "network file"

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """The path, if it has a known extension: better now than after the work."""
        from bayesic.networks.writing import WRITERS

        path = Path(str(super().convert(value, param, ctx)))
        if Path(path.name.lower().removesuffix(".gz")).suffix not in WRITERS:
            endings = ", ".join(WRITERS)
            self.fail(
                f"a network file ends in {endings} (or these and .gz), got {str(path)!r}.",
                param,
                ctx,
            )
        return path


NETWORK = NetworkFile()

file = click.argument("file", type=FILE)
normalise = click.option(
    "--normalise",
    is_flag=True,
    help="Divide the rows of tables by their sums, if these are not 1.",
)


def belief_network_of(path: Path, normalise: bool, what: str) -> "BeliefNetwork":
    """The network that a file holds; factors are refused, which have nothing to do this with."""
    from bayesic.networks.factor_model import FactorModel
    from bayesic.networks.reading import read_network

    model = read_network(path, normalise)
    if isinstance(model, FactorModel):
        raise ValueError(
            f"{path} holds factors (UAI of type MARKOV), which have no edges: {what}. Only "
            "query, show and convert accept such files."
        )
    return model


def tell(path: Path, model: "Network", as_json: bool, n_rows: int | None = None) -> None:
    """Say what a file holds now, of how many rows it was learned, and how its edges were found."""
    from bayesic.cli._output import print_json
    from bayesic.networks.factor_model import FactorModel

    _note_lost_names(path)
    if isinstance(model, FactorModel):
        line, known = _factors_told(model)
    else:
        line, known = _network_told(model)
    if as_json:
        rows = {} if n_rows is None else {"rows": n_rows}
        print_json({"file": str(path)} | rows | known)
    else:
        click.echo(f"{path}: {'' if n_rows is None else f'{n_rows:,} rows, '}{line}")


def _factors_told(model: "FactorModel") -> tuple[str, dict[str, Any]]:
    """A description of factors, as a line and as JSON."""
    sizes = {"variables": len(model.variables), "factors": len(model.factors().scopes)}
    return f"{sizes['variables']} variables, {sizes['factors']} factors.", sizes


def _network_told(net: "BeliefNetwork") -> tuple[str, dict[str, Any]]:
    """A description of a network, as lines and as JSON."""
    from bayesic.networks.network_text import network_headline

    account = getattr(net, "search_", None)
    line = network_headline(net).removeprefix("BeliefNetwork: ") + "."
    parameters = None if net.variables_without_table else net.n_parameters
    known = {"variables": list(net.variables), "edges": net.edges, "parameters": parameters}
    if account is None:
        return line, known
    known |= {"score": {account.score_name: account.score}, "undirected": account.undirected}
    return f"{line}\n{account}", known


def _note_lost_names(path: Path) -> None:
    """Say that a format has no names."""
    from bayesic.cli._messages import note

    if path.name.lower().removesuffix(".gz").endswith(".uai"):
        note(
            f"{path} has no names: variables are numbered as x0, x1, ... and states as 0, 1, ... "
            "when it is read."
        )
