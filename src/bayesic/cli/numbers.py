"""Tables of numbers, for the models that take these: all rows in memory, columns by name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import click
import numpy as np

from bayesic.cli.learning import Learn, learned_number_model
from bayesic.cli.reading import is_number_model, refuse_row, table_in_memory
from bayesic.data.files import file_columns, take_column

Array = np.ndarray
Options = Mapping[str, Any]

# What cannot be done with a model that lacks the method, and what can.
INSTEAD = {
    "partial_fit": "learn more rows: its weights come from all rows together. Use fit with all",
    "forget": "forget rows: its weights come from all rows together. Use fit with the others",
    "merge": "be merged: its weights come from all rows together. Use fit with all",
    "leave_one_out": "leave single rows out: it would have to learn anew for each. Use --cv",
}


@dataclass(frozen=True)
class NumberRows:
    """The rows of a table of numbers, one more column of which holds the classes."""

    path: Path
    target: str
    unit: ClassVar = "row"

    def elsewhere(self, path: Path) -> "NumberRows":
        """The rows of another table of the same kind."""
        return NumberRows(path, self.target)

    def learned(self, learn: Learn, how: Options) -> Any:
        """A model for such rows that has learned."""
        return learned_number_model(learn, how)

    def fit(self, model: Any) -> Any:
        """Learn all rows."""
        return model.fit(*self.in_memory())

    def update(self, model: Any) -> Any:
        """Learn all rows beside what was learned before."""
        refuse_without(model, "partial_fit")
        return model.partial_fit(*self.for_model(model))

    def forget(self, model: Any) -> Any:
        """Take all rows back out."""
        refuse_without(model, "forget")
        return model.forget(*self.for_model(model))

    def answers(self, model: Any) -> tuple[Array, Array]:
        """What a model that was learned from other rows says of these, and their classes."""
        X, labels = self.for_model(model)
        return model.predict_proba(X), labels

    def left_one_out(self, model: Any) -> tuple[Array, Array]:
        """What a model that has learned these rows would say without each."""
        refuse_without(model, "leave_one_out")
        X, labels = self.for_model(model)
        return model.leave_one_out(X, labels), labels

    def in_memory(self, how: Options | None = None) -> tuple[Any, Array]:
        """All columns but the target, which must be numbers, and the classes."""
        kinds = file_columns(self.path)
        refuse_unknown_target(self.path, self.target, list(kinds))
        del kinds[self.target]
        refuse_other_kinds(self.path, kinds)
        return self._columns(list(kinds))

    def for_model(self, model: Any) -> tuple[Any, Array]:
        """The columns that a model has learned, in its order, and the classes."""
        names = learned_names(model, self.path)
        refuse_unknown_target(self.path, self.target, list(file_columns(self.path)))
        if self.target in names:
            raise click.UsageError(
                f"--target must name the column of {self.path} with the classes, got "
                f"{self.target!r}, which the model has learned as numbers."
            )
        return self._columns(names)

    def _columns(self, names: list[str]) -> tuple[Any, Array]:
        table = number_table(self.path, names, self.target)
        X, labels = take_column(table, self.target)
        return X.select(names), labels


def rows_for(model: Any, path: Path) -> Any:
    """What a model of tables answers: the path, or the columns of numbers that it has learned."""
    return learned_columns(model, path) if is_number_model(model) else path


def row_of_numbers(model: Any, path: Path, number: int) -> dict[str, float | None]:
    """One row of the columns that a model has learned; None for a gap."""
    X = learned_columns(model, path)
    if number >= X.num_rows:
        refuse_row(path, X.num_rows, number)
    return X.slice(number, 1).to_pylist()[0]


def learned_columns(model: Any, path: Path) -> Any:
    """The columns of a file that a model has learned, in its order; others are not read."""
    names = learned_names(model, path)
    return number_table(path, names).select(names)


def learned_names(model: Any, path: Path) -> list[str]:
    """The columns that a model has learned; each must be in the file."""
    names, given = model.feature_names_in_.tolist(), list(file_columns(path))
    missing = [name for name in names if name not in given]
    if missing:
        raise ValueError(
            f"{path} must have the columns {names} that {type(model).__name__} has learned: it "
            f"lacks {missing} and has {given}."
        )
    return names


def number_table(path: Path, names: Sequence[str], target: str | None = None) -> Any:
    """These columns of a file as numbers, and the classes if they are named: a pyarrow table."""
    told = dict.fromkeys(file_columns(path), "ignore") | dict.fromkeys(names, "number")
    table = table_in_memory(path, told if target is None else told | {target: "label"})
    if isinstance(table, Mapping):
        raise ValueError(
            "Models of tables of numbers need pyarrow, which is not installed. Run pip install "
            "pyarrow, or use --model naive."
        )
    return table


def refuse_unknown_target(path: Path, target: str, names: Sequence[str]) -> None:
    """Refuse a target that is no column of the file."""
    if target not in names:
        raise ValueError(
            f"--target must name a column of {path}, got {target!r}. The columns are "
            f"{', '.join(names)}."
        )


def refuse_other_kinds(path: Path, kinds: Mapping[str, str]) -> None:
    """Refuse columns that hold no numbers, and tables without any."""
    if not kinds:
        raise ValueError(f"{path} must have a column of numbers beside the classes, got none.")
    other = next((name for name, kind in kinds.items() if kind != "number"), None)
    if other is not None:
        raise ValueError(
            f"{path}: this model takes numbers, but column {other!r} holds other values. Leave it "
            "out, or use --model naive, which takes columns of every kind."
        )


def refuse_without(model: Any, method: str) -> None:
    """Refuse what a model cannot do, with what can be done instead."""
    if not hasattr(model, method):
        raise click.UsageError(f"{type(model).__name__} cannot {INSTEAD[method]}.")
