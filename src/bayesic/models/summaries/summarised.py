"""`summary`, `table` and `print(model)`, once for all models."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from bayesic.data.arguments import check_is_fitted, has_learned
from bayesic.data.snapshots import answering
from bayesic.data.typing import LabelsLike, TableLike
from bayesic.estimation.dependence import DependentPairs
from bayesic.estimation.information import entropy
from bayesic.evidence.column_table import ColumnTable, whole
from bayesic.evidence.summary import (
    PAIRS_OF_ROWS,
    ClassSummary,
    ColumnSummary,
    Summary,
    sorted_by_bits,
)
from bayesic.evidence.text_table import counted
from bayesic.kernels import Array

NAMES_TO_SHOW = 10


class Summarised(ABC):
    """A model that tells what it has learned. The hooks below are what a model adds."""

    # what a model adds ----------------------------------------------------------------------

    @property
    @abstractmethod
    def n_parameters(self) -> int:
        """How many numbers are estimated, without the prior; all shares count."""

    @abstractmethod
    def _column_names(self) -> list[str]:
        """The names by which `table` is asked."""

    @abstractmethod
    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        """Each column; X and y are rows that were handed in, or None."""

    @abstractmethod
    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        """All that is known of a column of this name, which is there."""

    @abstractmethod
    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs | None:
        """Columns that depend on each other, from these rows, or from what was learned."""

    @abstractmethod
    def _class_rows(self) -> Array | None:
        """Rows of each class, or their weight."""

    @abstractmethod
    def _class_shares(self) -> Array | None:
        """Prior probability of each class."""

    def _n_rows(self) -> float | None:
        """All rows that were learned, or their weight."""
        rows = self._class_rows()
        return None if rows is None else whole(rows.sum())

    @abstractmethod
    def _group_labels(self) -> list[Any]:
        """The classes, or the components of a mixture."""

    def _remarks(self) -> Sequence[Any]:
        """What else a reader of the summary must know."""
        return getattr(getattr(self, "_fitted", None), "remarks", ())

    _unit = "row"  # what is learned
    _noun = "column"  # what tells
    _group = "class"  # what columns tell of
    _hint = PAIRS_OF_ROWS  # where pairs of columns are not known

    # answers --------------------------------------------------------------------------------

    @answering
    def summary(self, X: TableLike | None = None, y: LabelsLike | None = None) -> Summary:
        """What the model has learned: rows, classes, and how much each column says about the class.

            bits = I(X_j; C) = sum over c of P(c) E[ log2 (p(X_j | c) / p(X_j)) ]

        is the mutual information of column and class under the model, from 0 to the entropy of the
        class: what the column says on its own (feature importance). The most informative columns
        come first. `left out` is what it says about the learned rows, each predicted from all
        others: the mean of log2 P(c | x_j) / P(c) without the row. A column with many bits but none
        left out, such as an identifier, says nothing about new rows.

        Pairs of columns that depend on each other within the classes are named if the statistics
        show them, or if rows are passed: there naive Bayes counts the same evidence twice, and
        TreeAugmentedNB or AveragedOneDependence help.

        X, y : the learned rows, or others like them, for the pairs of columns
        """
        check_is_fitted(self)
        pairs = self._dependent_pairs(X, y)
        columns = sorted_by_bits(self._column_summaries(X, y))
        classes = self._class_summaries()
        not_known = pairs is None and len(columns) > 1
        shares = [part.prior for part in classes]
        return Summary(
            model=repr(self),
            rows=self._n_rows(),
            target=getattr(self, "target_name_", None),
            classes=classes,
            columns=columns,
            entropy=None if not shares or None in shares else entropy(np.array(shares, float)),
            pairs=pairs,
            n_parameters=self.n_parameters,
            unit=self._unit,
            noun=self._noun,
            of_what=self._group,
            notes=(*self._remarks(), *([self._hint] if self._hint and not_known else [])),
        )

    @answering
    def table(self, column: str, fractions: bool = False) -> ColumnTable:
        """Everything known about one column: counts and P(value | class), or its density.

        column    : its name; x0, x1, ... where columns had none
        fractions : shares as exact Fractions, as in `work`, where rows were counted
        """
        check_is_fitted(self)
        _refuse_unknown_column(column, self._column_names())
        return self._column_table(column, fractions)

    def _class_summaries(self) -> tuple[ClassSummary, ...]:
        labels, rows, shares = self._group_labels(), self._class_rows(), self._class_shares()
        nothing = [None] * len(labels)
        return tuple(
            map(
                ClassSummary,
                labels,
                nothing if rows is None else [*map(whole, rows)],
                nothing if shares is None else shares.tolist(),
            )
        )

    @answering
    def __str__(self) -> str:
        if not has_learned(self):
            return repr(self)
        n_rows, n_groups = self._n_rows(), len(self._group_labels())
        known = [] if n_rows is None else [counted(n_rows, self._unit)]
        if n_groups:
            plural = "classes" if self._group == "class" else None
            known.append(counted(n_groups, self._group, plural))
        return f"{self!r} that has learned {' of '.join(known)}" if known else repr(self)


class FittedSummary(Summarised):
    """A model whose fitted object describes the columns."""

    _fitted: Any

    @property
    @answering
    def n_parameters(self) -> int:
        """How many numbers are estimated, without the prior; all shares count."""
        check_is_fitted(self)
        return self._fitted.n_parameters

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        return self._fitted.summaries(self._column_names())

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        names = self._column_names()
        return self._fitted.table(names.index(column), names, self._group_labels(), fractions)

    def _group_labels(self) -> list[Any]:
        return self.classes_.tolist() if hasattr(self, "classes_") else []


def _refuse_unknown_column(column: Any, names: Sequence[str]) -> None:
    """Refuse the name of a column that is not there, and name those that are like it.

    >>> _refuse_unknown_column("outlook", ["Outlook", "Wind"])
    Traceback (most recent call last):
        ...
    ValueError: There is no column 'outlook'. Did you mean 'Outlook'?
    """
    if isinstance(column, str) and column in set(names):
        return
    known = {name.casefold(): name for name in names}
    near = get_close_matches(str(column).casefold(), list(known), n=3)
    if near:
        way_out = f"Did you mean {' or '.join(repr(known[name]) for name in near)}?"
    else:
        more = ", ..." if len(names) > NAMES_TO_SHOW else ""
        way_out = f"The model knows {', '.join(map(repr, names[:NAMES_TO_SHOW])) or 'none'}{more}."
    raise ValueError(f"There is no column {column!r}. {way_out}")
