"""The columns that a model has learned, and how those of other rows are matched to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bayesic.data.arguments import tell

Kept = dict[str, object]  # attributes of a model: what it keeps of the first rows
MOST_NAMED = 20  # columns in a message


@dataclass(frozen=True)
class KnownColumns:
    """What a model knows of its columns: nothing, before it has seen the first rows."""

    model: str  # its name, for messages
    number: int = 0
    given: tuple[str, ...] | None = None  # their names, where they had any
    target: str | None = None  # the column that held the classes, which is not a feature

    @property
    def named(self) -> bool:
        """Whether they came with names."""
        return self.given is not None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """As they came, or x0, x1, ..., made when somebody asks: there may be very many."""
        return tuple(f"x{at}" for at in range(self.number)) if self.given is None else self.given

    def of_names(self, names: Sequence[str]) -> tuple[list[str], list[str]]:
        """Which of these names were never learned, and which that were learned are missing."""
        learned, here = set(self.names), set(names)
        unknown = [name for name in names if name not in learned]
        return unknown, [name for name in self.names if name not in here]

    def check_number(self, n_columns: int) -> None:
        """Refuse another number of columns than was learned, where they go by position."""
        if n_columns != self.number:
            more = ", ..." if self.number > MOST_NAMED else ""
            raise ValueError(
                f"X has {n_columns} features, but {self.model} is expecting {self.number} features "
                f"as input: {', '.join(map(repr, self.names[:MOST_NAMED]))}{more}. Give a table "
                "with these names, or all of them in order."
            )

    def tell_of_names(self, named: bool) -> None:
        """Warn where columns with names meet columns without."""
        if named and not self.named:
            tell(
                f"X has feature names, but {self.model} was fitted without feature names: its "
                "columns are taken in the order given."
            )
        elif self.named and not named:
            tell(
                f"X does not have valid feature names, but {self.model} was fitted with feature "
                "names: its columns are taken in the order learned."
            )


def known_columns(model: object) -> KnownColumns:
    """What a model knows of its columns, from the attributes that scikit-learn gives to it."""
    number = getattr(model, "n_features_in_", 0)
    names = getattr(model, "feature_names_in_", None)
    given = None if names is None else tuple(names.tolist())
    return KnownColumns(type(model).__name__, number, given, getattr(model, "target_name_", None))


def know_columns_of(model: object, other: object) -> None:
    """Let a model know the columns that another has seen."""
    for name in {"n_features_in_", "feature_names_in_"} & vars(other).keys():
        setattr(model, name, vars(other)[name])


def check_same_columns(mine: KnownColumns, theirs: KnownColumns, reader: Any) -> None:
    """Refuse to put together what was learned from other columns; by name in any order."""
    in_any_order = not reader.goes_by_position and set(mine.names) == set(theirs.names)
    if mine.names != theirs.names and not in_any_order:
        raise ValueError(
            f"Only models of the same features can be merged: this one has {list(mine.names)}, "
            f"the other {list(theirs.names)}."
        )


def columns_to_know(number: int, names: Sequence[str] | None) -> Kept:
    """The attributes by which a model will know this many columns, with these names or none."""
    known: Kept = {"n_features_in_": number}
    return known if names is None else known | {"feature_names_in_": np.array(names, dtype=object)}


def refuse_unknown_columns(columns: KnownColumns, unknown: list[str], missing: list[str]) -> None:
    """Refuse columns that were never learned."""
    if unknown:
        also = f" Learned columns that it lacks: {missing}." if missing else ""
        raise ValueError(
            "The feature names should match those that were passed during fit. "
            f"Feature names unseen at fit time: {unknown}.{also} The learned columns are "
            f"{list(columns.names)}: drop or rename the others."
        )


def refuse_missing_columns(columns: KnownColumns, missing: list[str]) -> None:
    """Refuse rows that lack learned columns, for a model that needs them all."""
    if missing:
        raise ValueError(
            "The feature names should match those that were passed during fit. "
            f"Feature names seen at fit time, yet now missing: {missing}. {columns.model} needs "
            "every feature of every row: add these columns."
        )


def tell_of_missing_columns(missing: Sequence[str]) -> None:
    """Warn of learned columns that are not there."""
    if missing:
        tell(
            f"The table has no column(s) {list(missing)}, which were learned: they count as "
            "missing in all rows."
        )
