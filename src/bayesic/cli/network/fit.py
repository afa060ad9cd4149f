"""`bayesic network fit`: the tables of a network from data, and perhaps its edges."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bayesic.cli._options import FILE, as_json
from bayesic.cli.network._network_files import NETWORK, belief_network_of, tell

if TYPE_CHECKING:
    from bayesic.data.typing import NetworkSmoothing
    from bayesic.networks.network import BeliefNetwork

SEARCHES = ("hill-climb", "chow-liu", "exact", "pc")
METHODS = ("em", "gradient")


@click.command("fit")
@click.argument("data", type=FILE)
@click.option(
    "--edges",
    multiple=True,
    metavar="EDGES",
    help="The edges: 'Storm->Fire,Bus->Fire', or 'Storm->Rain->Wet'. A single name is a variable "
    "without edges. Repeatable.",
)
@click.option(
    "--structure", type=FILE, metavar="NETWORK", help="A network whose edges and states to use."
)
@click.option(
    "--learn",
    type=click.Choice(SEARCHES),
    help="Find the edges between all columns, in memory: by hill climbing, as a tree, by "
    "exhaustive search (up to 20 columns), or by independence tests.",
)
@click.option(
    "--smoothing",
    default="0",
    show_default=True,
    metavar="AMOUNT",
    help="Pseudo-count of every cell of the tables: a number, or bdeu:10, which spreads 10 rows "
    "over each table; or back-off, where rare states lean on the shares with one parent fewer.",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    help="For data with missing values, and for variables without a column whose states "
    "--structure lists: by EM, or by gradient ascent.",
)
@click.option(
    "--starts",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="How many times --method starts; the best result is kept.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the starts of --method.")
@click.option("--out", "-o", type=NETWORK, required=True, metavar="NETWORK", help="File to write.")
@as_json
def command(
    data: Path,
    edges: tuple[str, ...],
    structure: Path | None,
    learn: str | None,
    smoothing: str,
    method: str | None,
    starts: int,
    seed: int,
    out: Path,
    as_json: bool,
) -> None:
    """Learn the tables of a network from data, and perhaps its edges.

    DATA is a CSV, TSV or Parquet file with a column for each variable. With --edges and
    --structure it is read block by block: it may be larger than memory. Other columns are ignored.
    Cells may be empty with --method.
    """
    from bayesic.cli._learned_models import alone_with

    if sum(map(bool, (edges, structure, learn))) != 1:
        raise click.UsageError(
            "Give the edges with --edges, take them from another network with --structure, or "
            "find them with --learn: use one of the three."
        )
    amount = _smoothing_given(smoothing)
    if learn and method:
        raise click.UsageError("--learn needs data without empty cells, and takes no --method.")
    with alone_with(out):  # which may be the structure too
        if learn:
            net = _searched_network(data, learn, amount)
        else:
            how = {"method": method, "starts": starts, "seed": seed} if method else {}
            net = _fitted_network(_network_given(edges, structure), data, amount, how)
        net.write(out)
    first = net.variables[0]
    tell(out, net, as_json, n_rows=int(net.statistics_.tables()[first].sum()))


def _network_given(edges: Iterable[str], structure: Path | None) -> "BeliefNetwork":
    """A network without tables, or one whose tables will be replaced."""
    from bayesic.networks.network import BeliefNetwork

    if structure:
        return belief_network_of(structure, True, "it is no structure to learn")
    pairs, variables = _edges_given(edges)
    return BeliefNetwork(pairs, states=dict.fromkeys(variables))


def _fitted_network(
    net: "BeliefNetwork", data: Path, smoothing: "NetworkSmoothing", how: dict[str, Any]
) -> "BeliefNetwork":
    """The network with the tables of the rows of a file.

    how : where rows have gaps, the method by which to climb, and what it takes
    """
    from bayesic.cli._output import working
    from bayesic.data.source import opened_file

    file = opened_file(data)
    columns = file.names
    missing = [name for name in net.variables if name not in columns]
    if missing and not how:
        raise ValueError(
            f"{data} must have a column for each variable, but there is none for "
            f"{', '.join(map(repr, missing))}. The columns are {', '.join(columns)}."
        )
    with working(f"{'learning' if how else 'reading'} {data}"):
        return net.fit(file, smoothing=smoothing, **how)


def _searched_network(data: Path, method: Any, smoothing: "NetworkSmoothing") -> "BeliefNetwork":
    """A network over all columns of a file, its edges found by this method."""
    from bayesic.cli._output import working
    from bayesic.networks.structure_learning import learn_structure

    with working(f"looking for edges in {data}"):
        return learn_structure(data, method=method, smoothing=smoothing)


# options ------------------------------------------------------------------------------------------


def _edges_given(texts: Iterable[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Pairs (parent, child) and all names, from texts such as Storm->Fire,Bus->Fire.

    >>> _edges_given(["Storm->Rain->Wet, Ice"])
    ([('Storm', 'Rain'), ('Rain', 'Wet')], ['Storm', 'Rain', 'Wet', 'Ice'])
    """
    pairs: list[tuple[str, str]] = []
    variables: dict[str, None] = {}
    for text in texts:
        for chain in text.split(","):
            names = [name.strip() for name in chain.split("->")]
            if not all(names):
                raise click.UsageError(
                    f"--edges must look like 'Storm->Fire,Bus->Fire', got {text!r}."
                )
            variables |= dict.fromkeys(names)
            pairs += pairwise(names)
    return pairs, list(variables)


def _smoothing_given(text: str) -> Any:
    """Smoothing as networks take it.

    >>> _smoothing_given("1"), _smoothing_given("bdeu:10")
    (1.0, ('bdeu', 10.0))
    """
    if text == "back-off":
        return text
    is_prior = text.startswith("bdeu:")
    try:
        amount = float(text.removeprefix("bdeu:"))
    except ValueError:
        amount = -1.0
    if not 0 <= amount < float("inf") or (is_prior and amount == 0):
        raise click.UsageError(
            "--smoothing must be a number of 0 or more, such as 1, back-off, or bdeu:10 with a "
            f"number above 0, got {text!r}."
        )
    return ("bdeu", amount) if is_prior else amount
