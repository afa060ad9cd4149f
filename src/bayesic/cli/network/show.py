"""`bayesic network show`: the variables of a network, their states, parents and tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bayesic.cli._options import as_json
from bayesic.cli.network._network_files import belief_network_of, file, normalise

if TYPE_CHECKING:
    from bayesic.cli.network._network_files import Network


@click.command("show")
@file
@click.option("--table", "variable", metavar="VARIABLE", help="Show the table of this variable.")
@normalise
@as_json
def command(file: Path, variable: str | None, normalise: bool, as_json: bool) -> None:
    """The variables of a network, their states, parents and tables.

    FILE is a network. The states of a variable are followed by its parents and the number of free
    parameters in its table.
    """
    from bayesic.cli._output import print_json
    from bayesic.networks.network_text import table_text
    from bayesic.networks.reading import read_network

    if variable is None:
        known = _description(read_network(file, normalise))
        print_json(known) if as_json else _print_network(known)
        return
    net = belief_network_of(file, normalise, "there are no tables of single variables")
    table = net.table(variable)
    print_json(table.to_dict()) if as_json else click.echo(table_text(table, in_full=True))


def _description(model: "Network") -> dict[str, object]:
    """What there is to say of a network, or of factors, as plain values."""
    from bayesic.networks.factor_model import FactorModel

    known: dict[str, object] = {"model": type(model).__name__}
    if isinstance(model, FactorModel):
        names = model.variables
        return known | {
            "variables": [{"name": name, "states": list(model.states(name))} for name in names],
            "factors": [[names[number] for number in scope] for scope in model.factors().scopes],
        }
    without_table, variables = model.variables_without_table, []
    for name in model.variables:
        states, parents = model._states[name], list(model.parents(name))
        free = None if name in without_table else model.table(name).n_parameters
        variables.append(
            {"name": name, "states": states and list(states), "parents": parents}
            | {"parameters": free}
        )
    parameters = None if without_table else model.n_parameters
    return known | {"variables": variables, "edges": model.edges, "parameters": parameters}


def _print_network(known: dict[str, Any]) -> None:
    """A line with the size, then one for each variable."""
    from bayesic.evidence.text_table import aligned
    from bayesic.networks.network_text import shortened

    variables = known["variables"]
    size = [f"{len(variables)} variables"]
    if "factors" in known:
        size.append(f"{len(known['factors'])} factors")
    else:
        free = known["parameters"]
        missing = sum(each["parameters"] is None for each in variables)
        size.append(f"{len(known['edges'])} edges")
        size.append(f"{missing} tables missing" if missing else f"{free} free parameters")
    rows = []
    for each in variables:
        free = each.get("parameters")
        parents = ", ".join(each.get("parents", []))
        behind = [f"<- {parents}" if parents else "", "" if free is None else str(free)]
        rows.append([each["name"], shortened(each["states"] or ["?"]), *behind])
    click.echo("\n".join([f"{known['model']}: {', '.join(size)}", *aligned(rows, numbers=(3,))]))
