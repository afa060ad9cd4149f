"""Tables of numbers, for the models that take these: all rows in memory, columns by name.

The models take arrays. Which column of a file is which column of the array is found here, by the
names that `fit` has given to the model.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import click
import numpy as np

from bayesic.cli.learning import Learn, NewModel, learned_number_model
from bayesic.cli.reading import is_number_model, refuse_row
from bayesic.data.columns import Numbers
from bayesic.data.files import file_blocks, file_columns, take_column
from bayesic.data.tables import as_table

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

    def fit(self, new_model: NewModel) -> Any:
        """A model that has learned all rows, and the names of their columns."""
        X, labels = self.in_memory()
        model = learned_numbers(new_model, X, labels)
        model.feature_names_in_ = np.array(self.names(), dtype=object)
        model.target_name_ = self.target
        return model

    def update(self, model: Any) -> Any:
        """Learn all rows beside what was learned before."""
        refuse_without(model, "partial_fit")
        with columns_in_order():
            return model.partial_fit(*self.for_model(model))

    def forget(self, model: Any) -> Any:
        """Take all rows back out."""
        refuse_without(model, "forget")
        with columns_in_order():
            return model.forget(*self.for_model(model))

    def names(self) -> list[str]:
        """All columns but the target, which must be numbers."""
        kinds = file_columns(self.path)
        refuse_unknown_target(self.path, self.target, list(kinds))
        del kinds[self.target]
        refuse_other_kinds(self.path, kinds)
        return list(kinds)

    def in_memory(self, how: Options | None = None) -> tuple[Array, Array]:
        """All columns but the target, and the classes."""
        return labelled_numbers(self.path, self.names(), self.target)

    def for_model(self, model: Any) -> tuple[Array, Array]:
        """The columns that a model has learned, in its order, and the classes."""
        names = learned_names(model, self.path)
        refuse_unknown_target(self.path, self.target, list(file_columns(self.path)))
        if self.target in names:
            raise click.UsageError(
                f"--target must name the column of {self.path} with the classes, got "
                f"{self.target!r}, which the model has learned as numbers."
            )
        return labelled_numbers(self.path, names, self.target)


def learned_numbers(new_model: NewModel, X: Array, labels: Array) -> Any:
    """A model that has learned these rows."""
    with singular_refused():
        return new_model(labels).fit(X, labels)


@contextmanager
def singular_refused() -> Iterator[None]:
    """Within this, a singular covariance is refused with a way out."""
    try:
        yield
    except np.linalg.LinAlgError as error:
        of_class, _, _ = str(error).partition(". ")
        what = of_class if "class " in of_class else "The covariance within the classes is singular"
        raise ValueError(
            f"{what}: columns depend on each other, or there are few rows. Give --shrinkage 0.1, "
            "or use --model gaussian, which shrinks where it must."
        ) from None


@dataclass(frozen=True)
class ByName:
    """A model of numbers that answers a dict of columns, as pictures with named axes need it."""

    model: Any

    @property
    def classes_(self) -> Array:
        """The classes of the model."""
        return self.model.classes_

    def predict_proba(self, columns: Mapping[str, Array]) -> Array:
        """Probability of each class for each row."""
        X = np.column_stack([columns[name] for name in self.model.feature_names_in_])
        with columns_in_order():
            return self.model.predict_proba(X)


@contextmanager
def columns_in_order() -> Iterator[None]:
    """Within this, arrays whose columns were put in the order of the model need no names."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        yield


def posterior_of_table(model: Any, path: Path) -> Array:
    """What a model of tables says of the rows of a file: P(class), (n_rows, n_classes)."""
    if not is_number_model(model):
        return model.predict_proba(path)
    X = learned_columns(model, path)
    with columns_in_order():
        return model.predict_proba(X)


def row_of_numbers(model: Any, path: Path, number: int) -> dict[str, float]:
    """One row of the columns that a model has learned; NaN for a gap."""
    X = learned_columns(model, path)
    if number >= len(X):
        refuse_row(path, len(X), number)
    return dict(zip(model.feature_names_in_.tolist(), X[number].tolist(), strict=True))


# files ------------------------------------------------------------------------------------------


def learned_columns(model: Any, path: Path) -> Array:
    """The columns of a file that a model has learned, in its order; others are not read."""
    names = learned_names(model, path)
    return np.concatenate([numbers_of(block, names) for block in number_blocks(path, names)])


def labelled_numbers(path: Path, names: Sequence[str], target: str) -> tuple[Array, Array]:
    """These columns of a file, and the classes."""
    parts = []
    for block in number_blocks(path, names, target):
        X, labels = take_column(block, target)
        parts.append((numbers_of(X, names), labels))
    return np.concatenate([X for X, _ in parts]), np.concatenate([labels for _, labels in parts])


def number_blocks(path: Path, names: Sequence[str], target: str | None = None) -> list[Any]:
    """These columns of a file, and the classes if they are named, in blocks of rows."""
    told = dict.fromkeys(file_columns(path), "ignore") | dict.fromkeys(names, "number")
    blocks = list(file_blocks(path, told if target is None else told | {target: "label"}))
    if not blocks:
        raise ValueError(f"{path} has no rows.")
    return blocks


def numbers_of(table: Any, names: Sequence[str]) -> Array:
    """These columns of a table side by side, NaN for a gap: (n_rows, n_columns).

    >>> numbers_of({"sugar": [0.5, None], "seeds": [3, 4]}, ["seeds", "sugar"])
    array([[3. , 0.5],
           [4. , nan]])
    """
    cells = as_table(table, dict.fromkeys(names, "number")).columns
    columns = (cells[name] for name in names)
    return np.column_stack(
        [
            column.values if isinstance(column, Numbers) else np.full(len(column), np.nan)
            for column in columns  # without a single number it is nothing but gaps
        ]
    )


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


# refusals ---------------------------------------------------------------------------------------


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
