"""What was observed, as it is typed: VARIABLE=STATE, VARIABLE=STATE:NUMBER,STATE:NUMBER."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from bayesic.cli._options import together

if TYPE_CHECKING:
    from bayesic.cli.network._network_files import Network
    from bayesic.data.states import State

_PART = re.compile(r"(?P<state>.+?):(?P<number>[-+.\w]+)(?:,\s*|$)")

evidence = together(
    click.option(
        "--given",
        "-g",
        multiple=True,
        metavar="VARIABLE=STATE",
        help="What was observed. Repeatable.",
    ),
    click.option(
        "--likelihood",
        multiple=True,
        metavar="VARIABLE=STATE:NUMBER,...",
        help="Uncertain evidence: how probable the observation is under each state, such as "
        "Storm=yes:0.9,no:0.2. Repeatable.",
    ),
)
seed = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="Seed of the random numbers: the same seed gives the same result.",
)


def states_given(model: "Network", option: str, texts: Iterable[str]) -> dict[str, "State"]:
    """Variable -> its state, from VARIABLE=STATE; each variable once.

    >>> from bayesic.datasets.networks import campfire
    >>> states_given(campfire(), "--given", ["Storm=True", "Campfire=0"])
    {'Storm': True, 'Campfire': False}
    """
    pairs = _pairs_given(model, option, texts, "STATE")
    return {name: _state_named(model, option, name, text) for name, text in pairs.items()}


def likelihoods_given(model: "Network", texts: Iterable[str]) -> dict[str, dict["State", float]]:
    """Variable -> state -> likelihood, from VARIABLE=STATE:NUMBER,STATE:NUMBER.

    >>> from bayesic.datasets.networks import asia
    >>> likelihoods_given(asia(), ["smoke=yes:0.9,no:0.2"])
    {'smoke': {'yes': 0.9, 'no': 0.2}}
    """
    option, example = "--likelihood", "STATE:NUMBER,STATE:NUMBER"
    pairs = _pairs_given(model, option, texts, example)
    return {name: _parts_given(model, option, name, text) for name, text in pairs.items()}


def _pairs_given(model: "Network", option: str, texts: Iterable[str], value: str) -> dict[str, str]:
    """Variable -> what stands behind its =. Names may contain = themselves."""
    from bayesic.networks.variable_names import listed

    pairs: dict[str, str] = {}
    for text in texts:
        places = [position for position, character in enumerate(text) if character == "="]
        names = [text[:position] for position in places]
        if not names:
            raise click.UsageError(f"{option} must be VARIABLE={value}, got {text!r}.")
        name = next((name for name in names if name in model.variables), None)
        if name is None:
            raise click.UsageError(
                f"{option} must name a variable of the network, got {names[0]!r}. It has "
                f"{listed(model.variables)}."
            )
        if name in pairs:
            raise click.UsageError(f"{option} must name each variable once, got {name!r} twice.")
        pairs[name] = text[len(name) + 1 :]
    return pairs


def _state_named(model: "Network", option: str, name: str, text: str) -> "State":
    """The state that a text means: True and 2 are typed as text."""
    from bayesic.networks.variable_names import listed, numbers_by_name

    states = model.states(name)
    number = numbers_by_name(states, name).get(text)
    if number is None:
        raise click.UsageError(
            f"{option} must give {name!r} one of its states, {listed(states)}, got {text!r}."
        )
    return states[number]


def _parts_given(model: "Network", option: str, name: str, text: str) -> dict["State", float]:
    """State -> number, for every state of a variable."""
    parts, end = {}, 0
    for part in _PART.finditer(text):
        if part.start() == end:
            parts[part["state"]] = part["number"]
            end = part.end()
    if end < len(text) or not parts:
        raise click.UsageError(
            f"{option} must be such as {name}=yes:0.9,no:0.2 with a number for each state, got "
            f"{text!r}."
        )
    return {
        _state_named(model, option, name, state): _likelihood_given(option, name, number)
        for state, number in parts.items()
    }


def _likelihood_given(option: str, name: str, text: str) -> float:
    """One of the numbers of a likelihood."""
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(
            f"{option} must give {name!r} numbers such as 0.9, got {text!r}."
        ) from None
