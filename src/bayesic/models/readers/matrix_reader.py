"""Rows of numbers: arrays, sparse matrices, and tables of any kind, matched by column name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from bayesic.data.columns import Categories, Cells, Numbers
from bayesic.data.frames import as_any_frame, is_table
from bayesic.data.labels import take_column
from bayesic.data.matrices import Matrix, as_matrix, dense_rows, refuse_infinities, sums_to_a_number
from bayesic.data.source import RowBlock, Source, Stored
from bayesic.data.tables import NOTHING_TOLD, as_table, has_column_names
from bayesic.evidence.fractions import value_text
from bayesic.evidence.several import is_single_row, row_by_name
from bayesic.kernels import Array
from bayesic.models.readers.known_columns import (
    Kept,
    KnownColumns,
    columns_to_know,
    known_columns,
    refuse_missing_columns,
    refuse_unknown_columns,
    tell_of_missing_columns,
)
from bayesic.models.readers.labelled_rows import asked_blocks


class NotNumbersError(ValueError):
    """A column that should hold numbers holds something else."""

    def __init__(self, column: str, what: str) -> None:
        super().__init__(
            f"X must hold numbers, but column {column!r} {what}. Leave it out, turn its values "
            "into codes, for example with sklearn's OrdinalEncoder, or use NaiveBayes, which "
            "takes columns of every type."
        )
        self.column = column


@dataclass(frozen=True)
class MatrixReader:
    """How a model of numbers takes rows in; a gap is NaN.

    complete : whether gaps, infinities and missing columns are refused
    all_columns : whether missing columns are
    """

    columns: KnownColumns
    complete: bool = False
    all_columns: bool = False
    goes_by_position: ClassVar[bool] = True

    @property
    def features(self) -> list[str]:
        """The columns that take part: all of them."""
        return list(self.columns.names)

    def blocks(self, source: Source, y: object, sample_weight: object) -> Iterator[RowBlock]:
        """Rows to learn, with their classes and weights."""
        target = y if isinstance(y, str) else None
        stored = self.stored_in(source, target) if isinstance(source, Stored) else NOTHING_TOLD
        return source.labelled(y, sample_weight, stored, self.columns.model)

    def asked(self, source: Source) -> Iterator[RowBlock]:
        """Rows to answer."""
        target = self.columns.target
        stored = self.stored_in(source, target) if isinstance(source, Stored) else NOTHING_TOLD
        return asked_blocks(source, stored)

    def read(self, block: RowBlock) -> tuple[Matrix, Kept]:
        """The rows as a matrix, and what is to be kept of their columns."""
        known = self.columns
        X = block.X if known.target is None else self._without(known.target, block.X)
        names = column_names(X)
        if known.number and known.named and names is not None:
            return self._checked(self._matched(X, names)), {}
        matrix = matrix_of(X, names)
        if not known.number:
            return self._checked(matrix), columns_to_know(matrix.shape[1], names)
        known.tell_of_names(names is not None)
        known.check_number(matrix.shape[1])
        return self._checked(matrix), {}

    def one(self, X: Any) -> tuple[Matrix, bool]:
        """Rows to explain, and whether it was one row alone: a tuple, list, array, or dict."""
        single = is_single_row(X)
        if single and self.columns.named and hasattr(X, "to_dict"):
            X = X.to_dict()
        if single and isinstance(X, Mapping):  # the names are checked here
            return self._checked(as_matrix([row_by_name(X, self.columns.names)])), True
        return self.read(RowBlock([X] if single else X))[0], single

    def shown(self, rows: Matrix) -> list[list[str | None]]:
        """The numbers as a reader knows them, None where missing: (n_rows, n_features)."""
        return [
            [*map(value_text, row)] for row in dense_rows(rows, slice(0, rows.shape[0])).tolist()
        ]

    def _checked(self, matrix: Matrix) -> Matrix:
        if self.complete:
            _refuse_gaps(matrix, self.columns.model)
        return matrix

    def stored_in(self, source: Stored, target: str | None) -> dict[str, str]:
        """How the columns of a file are read: as numbers, if it can be."""
        kinds = source.kinds
        learned = self.columns.names if self.columns.named else kinds
        stored = {name: "number" if name in learned else "ignore" for name in kinds}
        if target is not None:
            stored[target] = "ignore"
        if self.columns.number:
            return stored
        if "number" not in stored.values():
            raise ValueError(
                f"{source} must have a column of numbers beside the classes, got none."
            )
        words = [
            name
            for name, how in stored.items()
            if how == "number" and kinds[name] not in ("number", "boolean")
        ]
        if words:
            raise NotNumbersError(words[0], "holds other values")
        return stored

    def _without(self, target: str, X: object) -> object:
        return take_column(X, target)[0] if target in (column_names(X) or ()) else X

    def _matched(self, X: object, names: list[str]) -> Matrix:
        """The learned columns in their order; those that are missing are all NaN."""
        if names == list(self.columns.names):
            return matrix_of(X, names)
        unknown, missing = self.columns.of_names(names)
        refuse_unknown_columns(self.columns, unknown, missing)
        if self.complete or self.all_columns:
            refuse_missing_columns(self.columns, missing)
        tell_of_missing_columns(missing)
        matrix = matrix_of(X, names)
        place = {name: at for at, name in enumerate(names)}
        if not missing:
            return matrix[:, [place[name] for name in self.columns.names]]
        out = np.full((matrix.shape[0], len(self.columns.names)), np.nan)
        for at, name in enumerate(self.columns.names):
            if name in place:
                out[:, at] = matrix[:, place[name]]
        return out


def read_matrix(model: object) -> MatrixReader:
    """How a model of numbers reads rows."""
    return MatrixReader(known_columns(model))


def read_all_columns(model: object) -> MatrixReader:
    """The same, where rows that lack a column are refused."""
    return MatrixReader(known_columns(model), all_columns=True)


def column_names(X: object) -> list[str] | None:
    """The names of the columns, if they have any: texts, as in scikit-learn.

    >>> column_names({"rain": [1, 0]}), column_names([[1], [0]])
    (['rain'], None)
    """
    if isinstance(X, np.ndarray):
        return None
    if isinstance(X, Mapping):
        names = list(X)
    elif is_table(X):
        names = list(as_any_frame(X).collect_schema().names())
    elif isinstance(X, (list, tuple)) and has_column_names(X):
        names = list(dict.fromkeys(name for row in X for name in row))
    else:
        return None
    kinds = sorted({type(name).__name__ for name in names})
    if len(kinds) > 1 and "str" in kinds:
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. Make all of them texts."
        )
    return names if kinds == ["str"] else None


def matrix_of(X: object, names: Sequence[str] | None) -> Matrix:
    """All columns of X side by side."""
    if not isinstance(X, Mapping) and (names is None or not isinstance(X, (list, tuple))):
        return as_matrix(X)
    return as_matrix(np.column_stack([*map(_numbers, as_table(X).columns.items())]))


def _refuse_gaps(matrix: Matrix, model: str) -> None:
    """Refuse NaN and infinities, for a model of this name."""
    values = matrix.data if sparse.issparse(matrix) else matrix
    if sums_to_a_number(values):
        return
    refuse_infinities(values)
    if np.isnan(values).any():
        raise ValueError(
            f"Input X contains NaN, and {model} needs every feature of every row: there is no "
            "product from which one could be left out. Impute missing values, leave these rows "
            "out, or use a naive Bayes model."
        )


def _numbers(column: tuple[str, Cells]) -> Array:
    """A column of a table, NaN where missing."""
    name, cells = column
    if isinstance(cells, Numbers):
        return cells.values
    if isinstance(cells, Categories):
        if set(cells.levels) <= {"True", "False"}:
            return np.array([*(level == "True" for level in cells.levels), np.nan])[cells.codes]
        raise NotNumbersError(name, f"holds words such as {cells.levels[0]!r}")
    return np.full(len(cells), np.nan)
