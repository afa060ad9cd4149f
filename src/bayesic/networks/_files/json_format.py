"""JSON of our own: the one format that keeps all a network is.

    {"format": "bayesic network", "version": 1, "variables": [
      {"name": "Campfire", "states": [true, false], "parents": ["Storm"],
       "table": [[0.4, 0.6], [0.1, 0.9]]}, ...]}

States keep their kind: texts, booleans, numbers. A table has one row for each combination of states
of the parents, the last parent fastest. States that are not known yet, and tables that are missing,
are null. A variable may tell where it stands in a picture: "position": [73, 165].
"""

import json
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesic.networks._files.file_content import (
    MOST_VARIABLES,
    MOST_WORDS,
    Network,
    RefusedNetworkError,
    check_at_most,
)
from bayesic.networks.variable_names import NetworkError

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork

FORMAT = "bayesic network"
VERSION = 1
KEYS = {"name", "states", "parents", "table"}
OPTIONAL = {"position"}


# reading ----------------------------------------------------------------------------------------


def network_from_json(text: str, make: Callable[..., Network]) -> Network:
    """The network that `json_text` has written; `make` makes one of edges, tables and states."""
    content = _parsed(text)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise RefusedNetworkError(f'expected a JSON object with "format": "{FORMAT}"')
    if content.get("version") != VERSION:
        raise RefusedNetworkError(
            f"it has version {content.get('version')!r}, this bayesic reads {VERSION}: update it"
        )
    variables = content.get("variables")
    if not isinstance(variables, list):
        raise RefusedNetworkError('"variables" should be a list')
    check_at_most(MOST_VARIABLES, len(variables), "variables")
    states: dict[str, list[Any] | None] = {}
    edges: list[tuple[str, str]] = []
    for number, entry in enumerate(variables):
        name = _checked_entry(entry, f"variables[{number}]", states)
        states[name] = entry["states"]
        edges += [(parent, name) for parent in entry["parents"]]
    unknown = [parent for parent, _ in edges if parent not in states]
    if unknown:
        raise RefusedNetworkError(f"the parent {unknown[0]!r} is no variable of the file")
    tables = {
        entry["name"]: _table(entry, states) for entry in variables if entry["table"] is not None
    }
    positions = {entry["name"]: entry["position"] for entry in variables if "position" in entry}
    try:
        return make(edges, tables, states, positions=positions)
    except NetworkError as error:
        raise RefusedNetworkError(str(error).rstrip(".")) from None


def _parsed(text: str) -> Any:
    check_at_most(MOST_WORDS, sum(map(text.count, ",[{")), "values")
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise RefusedNetworkError(f"it is no JSON: {error.msg}", error.lineno) from None
    except RecursionError:
        raise RefusedNetworkError("it is nested too deep") from None
    except ValueError as error:  # a whole number of thousands of digits
        raise RefusedNetworkError(f"it is no JSON that can be read: {error}") from None


def _refuse_constant(name: str) -> None:
    raise RefusedNetworkError(f"it holds {name}, which is no number in JSON")


def _checked_entry(entry: object, where: str, declared: Mapping[str, object]) -> str:
    if not isinstance(entry, dict) or set(entry) - OPTIONAL != KEYS:
        raise RefusedNetworkError(f"{where} should have the keys {', '.join(sorted(KEYS))}")
    name, states, parents = entry["name"], entry["states"], entry["parents"]
    if not isinstance(name, str):
        raise RefusedNetworkError(f"the name of {where} should be a text")
    if name in declared:
        raise RefusedNetworkError(f"the variable {name} is declared a second time")
    if not (states is None or isinstance(states, list)):
        raise RefusedNetworkError(f"the states of {where} should be a list or null")
    if not isinstance(parents, list) or not all(isinstance(parent, str) for parent in parents):
        raise RefusedNetworkError(f"the parents of {where} should be a list of names")
    return name


def _table(entry: Mapping[str, Any], states: Mapping[str, list[Any] | None]) -> np.ndarray:
    """The rows of a table as an array with an axis for each parent."""
    name, rows = entry["name"], entry["table"]
    family = [*entry["parents"], name]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise RefusedNetworkError(f"the table of {name} should be a list of rows")
    if any(type(number) not in (int, float) for row in rows for number in row):
        raise RefusedNetworkError(f"the table of {name} should hold numbers only")
    state_lists = [its for variable in family if (its := states[variable]) is not None]
    if len(state_lists) < len(family):
        raise RefusedNetworkError(f"the table of {name} needs the states of {', '.join(family)}")
    shape = [len(its) for its in state_lists]
    entries = [number for row in rows for number in row]
    n_rows = math.prod(shape[:-1])
    if len(rows) != n_rows or any(len(row) != shape[-1] for row in rows):
        raise RefusedNetworkError(
            f"the table of {name} should have {n_rows} rows of {shape[-1]} numbers"
        )
    try:
        return np.array(entries, dtype=np.float64).reshape(shape)
    except OverflowError:
        raise RefusedNetworkError(f"the table of {name} has a number that is too large") from None


# writing ----------------------------------------------------------------------------------------


def json_text(network: "BeliefNetwork") -> str:
    """A network as JSON, one line for each variable; floats come back bit for bit."""
    missing, positions = network.variables_without_table, network.positions
    entries = []
    for name in network.variables:
        table = None
        if name not in missing:
            table = [shares.tolist() for _, shares in network.table(name).rows()]
        entry = {
            "name": name,
            "states": network._states[name],
            "parents": network.parents(name),
            "table": table,
        }
        if name in positions:
            entry["position"] = positions[name]
        entries.append(json.dumps(entry, ensure_ascii=False, allow_nan=False))
    head = f'{{"format": "{FORMAT}", "version": {VERSION}, "variables": ['
    return head + "\n" + ",\n".join(entries) + "\n]}\n"
