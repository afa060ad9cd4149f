"""`summary`, `table` and `print(model)`, once for all models."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from bayesic.data.arguments import check_is_fitted, has_learned
from bayesic.data.snapshots import answering
from bayesic.data.typing import Label, LabelsLike, TableLike
from bayesic.estimation.dependent_columns import DependentPairs
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


@dataclass(frozen=True, eq=False)
class LearnedGroups:
    """The classes of a model, or the components of a mixture."""

    labels: list[Label]
    rows: Array | None  # of each, or their weight; None where that is not known

    @property
    def n_rows(self) -> float | None:
        """All rows that were learned, or their weight."""
        return None if self.rows is None else whole(self.rows.sum())


def no_pairs(X: object, y: object) -> None:
    """What is known of dependent pairs where nothing is."""
    return


@dataclass(frozen=True, eq=False)
class Described:
    """What a model tells of its columns. X and y are rows that were handed in, or None."""

    names: list[str]  # by which `table` is asked
    shares: Array | None  # prior probability of each class
    summaries: Callable[[object, object], list[ColumnSummary]]  # of X and y
    table: Callable[[int, bool], ColumnTable]  # of the index of a name; whether in fractions
    pairs: Callable[[object, object], DependentPairs | None] = no_pairs  # that depend on each other


class Summarised(ABC):
    """A model that tells what it has learned. The hooks below are what a model adds."""

    # what a model adds ----------------------------------------------------------------------

    @property
    @abstractmethod
    def n_parameters(self) -> int:
        """How many numbers are estimated, without the prior; all shares count."""

    @abstractmethod
    def _groups(self) -> LearnedGroups:
        """Of what rows were learned; known without an estimate."""

    @abstractmethod
    def _described(self) -> Described:
        """What is known of the columns."""

    def _remarks(self) -> Sequence[str]:
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
        known, groups = self._described(), self._groups()
        pairs = known.pairs(X, y)
        columns = sorted_by_bits(known.summaries(X, y))
        classes = _class_summaries(groups, known.shares)
        not_known = pairs is None and len(columns) > 1
        shares = [part.prior for part in classes]
        return Summary(
            model=repr(self),
            rows=groups.n_rows,
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
        known = self._described()
        _refuse_unknown_column(column, known.names)
        return known.table(known.names.index(column), fractions)

    @answering
    def __str__(self) -> str:
        if not has_learned(self):
            return repr(self)
        groups = self._groups()
        n_groups = len(groups.labels)
        known = [] if groups.n_rows is None else [counted(groups.n_rows, self._unit)]
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


def described_by(
    fitted: Any,
    names: list[str],
    groups: LearnedGroups,
    shares: Array | None = None,
    read: Callable[[object, object], tuple[Any, Array]] | None = None,
) -> Described:
    """What a fitted object tells; read gives the rows of X and y, and their class numbers."""

    def pairs(X: object, y: object) -> DependentPairs | None:
        rows, codes = (None, None) if X is None or read is None else read(X, y)
        return fitted.pairs(names, rows, codes)

    def table(index: int, fractions: bool) -> ColumnTable:
        return fitted.table(index, names, groups.labels, fractions)

    return Described(names, shares, lambda X, y: fitted.summaries(names), table, pairs)


def _class_summaries(groups: LearnedGroups, shares: Array | None) -> tuple[ClassSummary, ...]:
    nothing = [None] * len(groups.labels)
    rows = nothing if groups.rows is None else [*map(whole, groups.rows)]
    each = nothing if shares is None else shares.tolist()
    return tuple(map(ClassSummary, groups.labels, rows, each))


def _refuse_unknown_column(column: object, names: Sequence[str]) -> None:
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
