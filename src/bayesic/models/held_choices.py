"""Choices that stay while rows come: for models that choose something from the data.

What a model chooses follows from its statistics, so each row that it learns would choose again.
With choices="hold" it does so only when the rows have become a tenth more or fewer, or by
`choose_again`. So what is held is a function of the verbs and rows that came, in their order, and
of nothing else: the same sequence gives the same bits, also if it is saved and loaded in between.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from bayesic.data.arguments import check_one_of, is_number
from bayesic.models.notes import Note
from bayesic.models.parameters import Parameters, are_same, parameters_of
from bayesic.statistics.additive import ClassStatistic

CHOICES = ("always", "hold")


@dataclass(frozen=True, eq=False)
class HeldChoices:
    """What was chosen, and how many rows were learned then, by their weights."""

    n_rows: float
    choices: Any  # with a method `state`: as plain values
    parameters: Parameters = ()  # of the model that chose: with others the choices are void

    def is_due(self, n_rows: float) -> bool:
        """Whether this many rows are a tenth more or fewer: time to choose again.

        >>> [HeldChoices(50, None).is_due(n_rows) for n_rows in (45, 46, 54, 55)]
        [True, False, False, True]
        """
        more, fewer = max(n_rows, self.n_rows), min(n_rows, self.n_rows)
        return more != fewer and 10 * more >= 11 * fewer


class HasState(Protocol):
    """Choices that can go into a file."""

    def state(self) -> dict[str, object]:
        """As plain values."""


class Holds(Protocol):
    """A model with the parameter `choices`, and what it holds under `held_`."""

    statistics_: Any
    held_: HeldChoices

    @property
    def choices(self) -> str:
        """One of CHOICES."""

    def _keep(self, statistics: Any) -> object:
        """Let these statistics be what was learned."""


Model = TypeVar("Model", bound=Holds)
Chosen = TypeVar("Chosen", bound=HasState)
Statistics = TypeVar("Statistics", bound=ClassStatistic)


def check_choices(choices: object) -> None:
    """Refuse what is neither "always" nor "hold"."""
    check_one_of("choices", choices, CHOICES)


def held_by(model: Holds) -> HeldChoices | None:
    """What a model holds; None if all is to be chosen."""
    held: HeldChoices | None = vars(model).get("held_")
    if (
        held is None
        or model.choices == "always"
        or not are_same(held.parameters, parameters_of(model))
    ):
        return None
    return held


def held_choices_of(model: Holds) -> Any:
    """The choices that a model holds; None if all is to be chosen."""
    held = held_by(model)
    return None if held is None else held.choices


def make_room(model: Holds, n_rows: int) -> None:
    """So many of the rows that were chosen by have made way for others: a tenth is enough."""
    held = held_by(model)
    if held is not None:
        model.held_ = replace(held, n_rows=max(held.n_rows - n_rows, 0))
        model._keep(model.statistics_)


def holding(
    choose: Callable[[Model, Statistics, Chosen | None], Chosen],
    restored: Callable[[Model, dict[str, Any]], Chosen],
) -> Note[Model]:
    """The note of a model with the parameter choices: "always" or "hold".

    choose(model, statistics, held) : what is to be held from now on, chosen from these statistics.
        held is what was held until now, to which only what it lacks is added, and which is returned
        as it is if it lacks nothing; None: choose all again, nothing is held now
    restored(model, state) : the choices that have this state; anything else is refused
    """

    def keep(model: Model, statistics: Statistics) -> None:
        if model.choices != "hold":
            vars(model).pop("held_", None)
            return
        n_rows, held = statistics.class_count.sum().item(), held_by(model)
        if held is None or held.is_due(n_rows):
            vars(model).pop("held_", None)
            model.held_ = HeldChoices(n_rows, choose(model, statistics, None), parameters_of(model))
            return
        choices = choose(model, statistics, held.choices)
        if choices is not held.choices:
            model.held_ = replace(held, choices=choices)

    def restore(model: Model, state: dict[str, Any]) -> None:
        if "held" not in state:
            return
        held = dict(state["held"]) if isinstance(state["held"], dict) else {}
        n_rows = held.pop("n_rows", None)
        if model.choices != "hold" or not is_number(n_rows) or not 0 <= n_rows < float("inf"):
            raise ValueError("Choices that are held need the rows that they were made from.")
        model.held_ = HeldChoices(n_rows, restored(model, held), parameters_of(model))

    return Note(keep=keep, fade=_fade, keys=frozenset({"held"}), state=_state, restore=restore)


def _fade(model: Holds, left: float) -> None:
    if "held_" in vars(model):
        model.held_ = replace(model.held_, n_rows=model.held_.n_rows * left)


def _state(model: Holds) -> dict[str, object]:
    held = held_by(model)
    return {} if held is None else {"held": {"n_rows": held.n_rows, **held.choices.state()}}
