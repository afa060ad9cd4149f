"""What was chosen for the event model of one column, so that it can be held while rows come."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from bayesic.data.arguments import is_number
from bayesic.estimation.smoothing import Lambda
from bayesic.models.columns.schema import KINDS
from bayesic.models.events.densities import Kernel
from bayesic.models.events.event import EventModel
from bayesic.models.events.shares import Binned, Shares


@dataclass(frozen=True)
class ColumnChoice:
    """The kind of a column, and what else its event model had to choose."""

    kind: str | None = None
    amount: float | None = None  # lambda, where it was chosen
    cuts: tuple[float, ...] | None = None  # of bins
    bandwidth: float | None = None  # of a kernel density


NOTHING_CHOSEN = ColumnChoice()


def choice_of(event: EventModel, chose_smoothing: bool) -> ColumnChoice:
    """What was chosen when this event model was made."""
    rule = event.rule if chose_smoothing and isinstance(event, Shares) else None
    return ColumnChoice(
        event.kind,
        rule.amount if isinstance(rule, Lambda) else None,
        tuple(event.cuts.tolist()) if isinstance(event, Binned) else None,
        event.sums.bandwidth if isinstance(event, Kernel) else None,
    )


@dataclass(frozen=True, eq=False)
class HeldColumns:
    """What was chosen for each column."""

    columns: Mapping[str, ColumnChoice]

    def state(self) -> dict[str, object]:
        """The choices as plain values."""
        columns = {name: asdict(choice) for name, choice in self.columns.items()}
        return {"columns": columns}


def restored_columns(state: dict[str, object], names: Collection[str]) -> HeldColumns:
    """The choices that have this state, for columns of these names; others are refused."""
    columns: Any = state.get("columns")
    is_table = isinstance(columns, dict) and set(columns) <= set(names)
    others = set(state) - {"columns", "prior_smoothing"}  # older files have that one, too
    if others or not is_table:
        raise ValueError("Held choices must be one of each column.")
    return HeldColumns({name: _restored_choice(part) for name, part in columns.items()})


def _restored_choice(state: object) -> ColumnChoice:
    """The choice of this state; what cannot be one is refused.

    >>> _restored_choice({"kind": "binned", "amount": None, "cuts": (2, 1), "bandwidth": None})
    Traceback (most recent call last):
    ValueError: A held choice must have a kind, increasing cuts, a bandwidth above 0, as it needs.
    """
    if isinstance(state, Mapping) and set(state) == set(ColumnChoice.__dataclass_fields__):
        choice = ColumnChoice(**state)
        if choice.kind in KINDS and _is_possible(choice):
            return choice
    raise ValueError(
        "A held choice must have a kind, increasing cuts, a bandwidth above 0, as it needs."
    )


def _is_possible(choice: ColumnChoice) -> bool:
    numbers = [choice.cuts or (), [choice.amount or 0.0], [choice.bandwidth or 0.0]]
    if not all(isinstance(some, (list, tuple)) and all(map(_is_finite, some)) for some in numbers):
        return False
    rises = all(low < high for low, high in pairwise(choice.cuts or ()))
    is_cut = (choice.cuts is not None) == (choice.kind == "binned")
    has_width = (choice.bandwidth is not None) == (choice.kind == "kernel")
    is_wide = choice.bandwidth is None or choice.bandwidth > 0
    return rises and is_cut and has_width and is_wide and (choice.amount or 0.0) >= 0


def _is_finite(number: Any) -> bool:
    return is_number(number) and abs(number) < float("inf")
