"""The edits of a network on the page: events, and the network after each.

An event is an object with its kind and fields. States are given by their numbers, and new ones by
their texts.
"""

from collections.abc import Callable
from math import isfinite
from typing import Any, NamedTuple

from bayesic.networks import editing
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.variable_names import state_like
from bayesic.studio.network._card_positions import placed, position_of
from bayesic.studio.network._given_evidence import state_at

Fields = dict[str, Any]


class Kind(NamedTuple):
    """One kind of event: its fields, and what it does."""

    apply: Callable[[BeliefNetwork, Fields], BeliefNetwork]
    needed: tuple[str, ...]
    allowed: tuple[str, ...] = ()
    of_table: bool = False  # it is about the table of a variable, which must be as it was seen


def after(network: BeliefNetwork, event: Any, seen: BeliefNetwork) -> BeliefNetwork:
    """The network after an event. Cards that are there stay where they are.

    seen : the network as it was on the page, which may lack changes made in other tabs
    """
    kind = event.get("kind") if isinstance(event, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"An event must have a kind of {', '.join(KINDS)}, got {event!r:.100}.")
    rule, fields = KINDS[kind], {name: its for name, its in event.items() if name != "kind"}
    if not {*rule.needed} <= {*fields} <= {*rule.needed, *rule.allowed}:
        raise ValueError(
            f"{kind} must have {', '.join(rule.needed) or 'nothing'} and may have "
            f"{', '.join(rule.allowed) or 'nothing else'}, got {', '.join(fields) or 'nothing'}."
        )
    if rule.of_table:
        _check_as_seen(network, seen, fields["variable"])
    if kind == "arrange":
        return network.with_positions({})
    return placed(rule.apply(placed(network), fields))


def _check_as_seen(network: BeliefNetwork, seen: BeliefNetwork, variable: str) -> None:
    """Refuse an edit of a table whose states or parents have changed since it was shown."""
    if network is not seen and _family(network, variable) != _family(seen, variable):
        raise ValueError(
            f"{variable} has other states or parents by now: it was changed in another tab. Look "
            "at it again."
        )


def _family(network: BeliefNetwork, variable: str) -> list[tuple[str, object]]:
    return [(name, network._states[name]) for name in (variable, *network.parents(variable))]


# variables ----------------------------------------------------------------------------------------


def _add_variable(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    name, states = fields["name"], fields.get("states", ["yes", "no"])
    if not isinstance(states, list):
        raise ValueError(f"states must be a list, got {states!r:.60}.")
    made = editing.with_variable(network, name, states)
    if "x" not in fields and "y" not in fields:
        return made
    x, y = _number(fields, "x"), _number(fields, "y")
    return made.with_positions({**made.positions, name: position_of(made, name, x, y)})


def _rename_variable(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    return editing.renamed_variable(network, fields["variable"], fields["name"])


def _delete_variable(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    return editing.without_variable(network, fields["variable"])


def _move(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    positions = fields["positions"]
    if not isinstance(positions, dict):
        raise ValueError(f"positions must be an object {{name: [x, y]}}, got {positions!r:.60}.")
    moved = network.positions
    for name, corner in positions.items():
        network.parents(name)  # raises if there is no such variable
        if not isinstance(corner, list) or len(corner) != 2:
            raise ValueError(f"The position of {name} must be [x, y], got {corner!r:.60}.")
        x, y = (_number({"x": corner[0], "y": corner[1]}, axis) for axis in ("x", "y"))
        moved[name] = position_of(network, name, x, y)
    return network.with_positions(moved)


def _number(fields: Fields, name: str) -> float:
    given = fields.get(name)
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not isfinite(given):
        raise ValueError(f"{name} must be a number of pixels, got {given!r:.60}.")
    return float(given)


# states -------------------------------------------------------------------------------------------


def _add_state(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    variable = fields["variable"]
    return editing.with_state(network, variable, _typed(network, variable, fields["state"]))


def _rename_state(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    variable = fields["variable"]
    state = state_at(network, variable, fields["state"])
    name = _typed(network, variable, fields["name"])
    return editing.renamed_state(network, variable, state, name)


def _delete_state(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    variable = fields["variable"]
    return editing.without_state(network, variable, state_at(network, variable, fields["state"]))


def _typed(network: BeliefNetwork, variable: str, text: object) -> Any:
    """A state as it was typed, of the kind of the others."""
    if not isinstance(text, str):
        raise ValueError(f"A state must be given by its name, got {text!r:.60}.")
    return state_like(text.strip(), network.states(variable))


# edges and tables ---------------------------------------------------------------------------------


def _add_edge(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    return editing.with_edge(network, fields["from"], fields["to"])


def _delete_edge(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    return editing.without_edge(network, fields["from"], fields["to"])


def _set_table(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    normalise = fields.get("normalise", False)
    if not isinstance(normalise, bool):
        raise ValueError(f"normalise must be true or false, got {normalise!r:.60}.")
    return editing.with_rows(network, fields["variable"], fields["rows"], normalise)


def _noisy_or(network: BeliefNetwork, fields: Fields) -> BeliefNetwork:
    causes, leak = fields["causes"], fields.get("leak", 0.0)
    return editing.with_noisy_or(network, fields["variable"], causes, leak)


KINDS = {
    "add_variable": Kind(_add_variable, ("name",), ("states", "x", "y")),
    "rename_variable": Kind(_rename_variable, ("variable", "name")),
    "delete_variable": Kind(_delete_variable, ("variable",)),
    "move": Kind(_move, ("positions",)),
    "arrange": Kind(lambda network, fields: network, ()),
    "add_state": Kind(_add_state, ("variable", "state")),
    "rename_state": Kind(_rename_state, ("variable", "state", "name"), of_table=True),
    "delete_state": Kind(_delete_state, ("variable", "state"), of_table=True),
    "add_edge": Kind(_add_edge, ("from", "to")),
    "delete_edge": Kind(_delete_edge, ("from", "to")),
    "set_table": Kind(_set_table, ("variable", "rows"), ("normalise",), of_table=True),
    "noisy_or": Kind(_noisy_or, ("variable", "causes"), ("leak",), of_table=True),
}
