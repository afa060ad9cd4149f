"""How a model that learns tables takes them in: in memory or from files, matched by column name."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesic.data.columns import Categories, Cells, Numbers, Texts
from bayesic.data.files import file_blocks, file_columns, is_file, take_column
from bayesic.data.labels import checked_labels
from bayesic.data.notices import tell
from bayesic.data.snapshots import answering
from bayesic.data.tables import Table, as_table, known_here
from bayesic.data.weights import checked_weights
from bayesic.evidence.rows import is_single_row
from bayesic.evidence.shares import value_text
from bayesic.models.open import Block, OpenClassifier
from bayesic.models.schema import (
    KINDS,
    as_kind,
    checked_kinds,
    checked_numeric,
    matched,
    refuse_unknown_names,
)
from bayesic.models.summaries.rows import classes_of_rows

Array = np.ndarray

# From this many rows on, a column without a single known value is probably not what was learned.
ROWS_TO_WONDER = 20


class TableModel(OpenClassifier):
    """A model of named columns: tables of any library, dicts, rows, arrays, and files."""

    columns: Any  # column name -> kind, as the user tells
    numeric: Any  # kind of columns of numbers that are not told
    n_features_in_: int

    # columns --------------------------------------------------------------------------------

    def _told_kinds(self) -> dict[str, str]:
        checked_numeric(self.numeric)
        return checked_kinds(self.columns)

    def _all_names(self) -> list[str]:
        return super()._feature_names()

    def _kept_names(self) -> list[str]:
        told = self._told_kinds()
        return [name for name in self._all_names() if told.get(name) != "ignore"]

    def _feature_names(self) -> list[str]:
        return self._kept_names()

    def _remember_target(self, y: Any) -> None:
        """If y names a column, later tables may still have it: it is no feature."""
        if isinstance(y, str):
            self.target_name_ = y

    def _remember_columns(self, names: Sequence[str], named: bool) -> None:
        self._check_names(names)
        self.n_features_in_ = len(names)
        if named:
            self.feature_names_in_ = np.array(names, dtype=object)

    def _check_names(self, names: Sequence[str]) -> None:
        """Refuse to be told about columns that are not there."""
        refuse_unknown_names(self._told_kinds(), names, "columns")

    def _stored(self) -> dict[str, str]:
        """How the cells of columns are stored, as told or as learned."""
        stored = {name: KINDS[kind] for name, kind in self._told_kinds().items()}
        if hasattr(self, "statistics_"):
            stored = self._learned_as() | stored
        if hasattr(self, "target_name_"):
            stored[self.target_name_] = "ignore"
        return stored

    def _learned_as(self) -> dict[str, str]:
        """How the cells of each column were stored in which something was observed."""
        return {name: counts.holds for name, counts in self.statistics_.columns.items()}

    def _learned_levels(self, name: str) -> tuple[str, ...]:
        """The levels of a column of categories."""
        return self.statistics_.columns[name].levels

    # rows -----------------------------------------------------------------------------------

    def _checked_X(self, X: Any, first: bool) -> Any:
        block = X if isinstance(X, Block) else Block(X)
        stored = self._stored()
        if hasattr(self, "n_features_in_"):
            named = hasattr(self, "feature_names_in_")
            stored = known_here(stored, block.X, self._all_names(), named)
        table = as_table(block.X, stored, block.first_row)
        if table.n_rows == 0:
            raise ValueError(
                f"Found array with 0 sample(s) (shape={(0, len(table.names))}) while a minimum of "
                f"1 is required by {type(self).__name__}."
            )
        if not hasattr(self, "n_features_in_"):
            self._remember_columns(block.names or table.names, table.named)
        named, model = hasattr(self, "feature_names_in_"), type(self).__name__
        table = matched(table, self._all_names(), self._kept_names(), named, model)
        table = self._as_kinds(table, block.first_row)
        if block.y is None and hasattr(self, "statistics_"):  # new values may well be learned
            self._wonder(table)
        return table

    def _as_kinds(self, table: Table, first_row: int) -> Table:
        told = self._told_kinds()
        columns = {
            name: as_kind(name, cells, told.get(name, self.numeric), first_row)
            for name, cells in table.columns.items()
        }
        return Table(columns, table.n_rows, table.named, table.names)

    def _wonder(self, table: Table) -> None:
        """Warn of columns of categories without a single one that was learned."""
        learned_as = self._learned_as()
        for name, cells in table.columns.items():
            if not isinstance(cells, Categories) or learned_as.get(name) != "category":
                continue
            learned, n_observed = self._learned_levels(name), (cells.codes >= 0).sum()
            if n_observed >= ROWS_TO_WONDER and set(learned).isdisjoint(cells.levels):
                tell(
                    f"Column {name!r}: none of its values was ever learned. They are such as "
                    f"{list(cells.levels[:3])}, learned were such as {list(learned[:3])}."
                )

    def _labelled_blocks(self, X: Any, y: Any, sample_weight: Any) -> Iterator[Block]:
        """Rows with their classes and weights: all at once, or block by block from a file.

        y is the name of a column of X, or the labels.
        """
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None. Give "
                "one class label for each row, or the name of the column that holds them."
            )
        if not is_file(X):
            X, y = take_column(X, y) if isinstance(y, str) else (X, y)
            yield Block(X, 0, y, sample_weight)
            return
        yield from self._labelled_file(X, y, sample_weight)

    def _labelled_file(self, path: Any, y: Any, sample_weight: Any) -> Iterator[Block]:
        in_file = isinstance(y, str)
        names = tuple(name for name in file_columns(path) if not in_file or name != y)
        first_row = 0
        for rows in file_blocks(path, self._stored() | ({y: "label"} if in_file else {})):
            here = slice(first_row, first_row + _number_of_rows(rows))
            block, labels = take_column(rows, y) if in_file else (rows, _entries("y", y, here))
            weights = _entries("sample_weight", sample_weight, here)
            yield Block(block, first_row, labels, weights, names)
            first_row = here.stop
        if first_row == 0:
            raise ValueError(f"{str(path)!r} has no rows: there is nothing to learn or to answer.")
        _entries("sample_weight", sample_weight, slice(0, first_row), is_all=True)
        if not in_file:
            _entries("y", y, slice(0, first_row), is_all=True)

    def _by_blocks(
        self, X: Any, finish: Callable[[Array], Array] | None, dtype: Any = np.float64
    ) -> Array:
        check_is_fitted(self)
        if not is_file(X):
            return super()._by_blocks(X, finish, dtype)
        answers, first_row = [], 0
        for rows in file_blocks(X, self._stored()):
            answers.append(super()._by_blocks(Block(rows, first_row), finish, dtype))
            first_row += _number_of_rows(rows)
        if not answers:
            raise ValueError("The file has no rows: there is nothing to answer.")
        return np.concatenate(answers)

    @answering
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows whose most probable class is y; y may be the name of a column."""
        check_is_fitted(self)
        correct = np.concatenate(
            [
                self.predict(rows) == checked_labels(rows.y)
                for rows in self._labelled_blocks(X, y, sample_weight)
            ]
        )
        return float(np.average(correct, weights=checked_weights(sample_weight, len(correct))))

    def _asked_rows(self, X: Any) -> tuple[Table, bool]:
        if is_file(X):
            raise ValueError(
                f"Reasons are given for rows in memory, not for a file ({str(X)!r:.80}). Read the "
                "rows you want to know about first."
            )
        single = is_single_row(X)
        if single and hasattr(X, "to_dict"):
            X = X.to_dict()
        has_names = hasattr(self, "feature_names_in_")
        if single and has_names and not isinstance(X, Mapping) and len(X) == self.n_features_in_:
            X = dict(zip(self._all_names(), X, strict=True))
        if single:
            X = {name: [cell] for name, cell in X.items()} if isinstance(X, Mapping) else [X]
        return self._checked_X(X, first=False), single

    def _rows_in_memory(self, X: Any, y: Any) -> tuple[Table, Array]:
        """Rows that are handed to `summary`, and their classes."""
        if is_file(X):
            raise ValueError(
                f"summary looks at rows in memory, not at a file ({str(X)!r:.80}). Read some rows "
                "first."
            )
        (block,) = self._labelled_blocks(X, y, None)
        codes = classes_of_rows(block.y, self.classes_)
        return self._checked_rows(block, codes, None, first=False)[0], codes

    def _column_names(self) -> list[str]:
        return self._all_names()

    def _shown_values(self, X: Any) -> list[list[str | None]]:
        shown = [_shown(cells) for cells in X.columns.values()]
        return [[column[row] for column in shown] for row in range(X.n_rows)]

    # merging and files ----------------------------------------------------------------------

    def _check_mergeable(self, other: Any) -> None:
        if type(other) is type(self) and hasattr(other, "n_features_in_"):
            mine, theirs = set(self._all_names()), set(other._all_names())
            if mine == theirs:  # in any order
                return
        super()._check_mergeable(other)

    def _has_features_of(self, statistics: Any) -> bool:
        return set(statistics.columns) <= set(self._all_names())


def _entries(what: str, given: Any, rows: slice, is_all: bool = False) -> Any:
    """The entries of y or sample_weight for these rows of a file; None for None."""
    if given is None:
        return None
    if len(given) < rows.stop or (is_all and len(given) > rows.stop):
        raise ValueError(
            f"{what} must have one entry for each row of the file, which has "
            f"{'' if is_all else 'at least '}{rows.stop} rows, got {len(given)}."
        )
    return given[rows]


def _number_of_rows(block: Any) -> int:
    return len(next(iter(block.values()))) if isinstance(block, Mapping) else len(block)


def _shown(cells: Cells) -> list[str | None]:
    """The cells as a reader knows them, None where not observed."""
    if isinstance(cells, Numbers):
        return [value_text(value) for value in cells.values.tolist()]
    if isinstance(cells, Categories):
        names = [*cells.levels, None]
        return [names[code] for code in cells.codes.tolist()]
    return cells.texts if isinstance(cells, Texts) else [None] * len(cells)
