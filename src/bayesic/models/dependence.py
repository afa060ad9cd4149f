"""What the models between naive Bayes and the joint table share: counts of levels together."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from bayesic.data.blocks import row_blocks
from bayesic.data.columns import Categories, Cells, Numbers
from bayesic.data.files import is_file
from bayesic.data.labels import encode_labels
from bayesic.data.snapshots import learning
from bayesic.data.tables import Table
from bayesic.estimation.families import CountTables, count_tables, scored_rows
from bayesic.estimation.given_shares import GivenEstimate
from bayesic.estimation.pairs import DependentPairs, pairs_of_counts
from bayesic.estimation.shares import Lambda, Smoothing
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import pick
from bayesic.kernels.combinations import Rows
from bayesic.models.base import Scorer, united
from bayesic.models.events.make import checked_rule
from bayesic.models.events.shares import Shares, numbered, recoded
from bayesic.models.generative import GenerativeTableModel
from bayesic.models.number_bins import Bins, bins_of
from bayesic.models.open import Block, sum_of_pairs
from bayesic.models.schema import refuse_other_cells, refuse_other_kinds
from bayesic.models.summaries.levels import level_summary, level_table
from bayesic.models.summaries.rows import dependent_levels
from bayesic.statistics.combinations import CODE, CombinationCounts, combination_counts
from bayesic.statistics.levels import LevelCounts
from bayesic.statistics.numbers import NumberCounts, counts_of_columns
from bayesic.statistics.tables import ColumnCounts, TableCounts
from bayesic.statistics.values import class_counts

Array = np.ndarray
Made = TypeVar("Made")

KINDS_OF_COLUMNS = ("categorical", "binned", "ignore")

ROWS_AT_ONCE = 512  # at least: what is prepared for a block should not take the time

# What follows from statistics, as long as these are in use. It is kept beside the models: asking
# one does not change it.
_MADE: "WeakKeyDictionary[CombinationCounts, dict[Any, Any]]" = WeakKeyDictionary()


class DependenceClassifier(GenerativeTableModel):
    """Columns of levels that may depend on each other within a class.

    Numbers are put into bins, by the rule of NaiveBayes, when a column has numbers for the first
    time: in `fit`, with all rows in sight. From then on the bins stay as they are.
    """

    statistics_: CombinationCounts
    bins_: dict[str, Bins]
    _numbers_seen: dict[str, NumberCounts]  # while `fit` is at work: what bins were made of

    smoothing: Any
    numeric = "binned"  # what TableModel makes of columns of numbers

    # what a model adds ----------------------------------------------------------------------

    @abstractmethod
    def _order(self) -> int:
        """How many columns must be counted together."""

    @abstractmethod
    def _scores(self, rows: Rows, kernels: Any) -> Array:
        """log p(x | c) of rows: (n_rows, n_classes)."""

    @abstractmethod
    def _prepare(self) -> None:
        """Make what follows from the statistics: once, and not in every thread."""

    @abstractmethod
    def _cells_per_row(self) -> int:
        """How many numbers are at work at the same time to score a row."""

    # parameters -----------------------------------------------------------------------------

    def _check_parameters(self, first: bool) -> None:
        self._told_kinds()
        self._rule()
        self._order()
        self._check_prior()

    def _told_kinds(self) -> dict[str, str]:
        told = super()._told_kinds()
        refuse_other_kinds(told, KINDS_OF_COLUMNS, type(self).__name__)
        return told

    def _rule(self) -> Smoothing:
        rule = checked_rule(self.smoothing)
        if rule is None or isinstance(rule, GivenEstimate):
            raise ValueError(
                f"{type(self).__name__} cannot choose its smoothing, and takes no p of single "
                f"values, got {self.smoothing!r}. Give a number, 1 for the Laplace correction, or "
                "('m', m) or ('m', m, 'uniform') for the m-estimate."
            )
        return rule

    def _prior_smoothing(self) -> float:
        rule = self._rule()
        return float(rule.amount) if isinstance(rule, Lambda) else 1.0

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table X with classes y; whatever was learned before is gone.

        X : pandas, polars or pyarrow table, dict of columns, list of rows, array; or the path of a
            CSV, TSV or Parquet file, or a DuckDB relation, which are read block by block, and twice
            if there are columns of numbers
        y : class labels, or the name of the column of X that holds them
        sample_weight : weights of the rows; a row of weight 2 counts twice
        """
        self._check_parameters(first=True)
        self._start_anew()
        self._remember_target(y)
        self._numbers_seen = {}
        if is_file(X):
            self._learn_bins(self._labelled_blocks(X, y, sample_weight))
        self._learn_more(self._labelled_blocks(X, y, sample_weight))
        self._tell_what_it_looks_like()
        del self._numbers_seen
        return self

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Array:
        """Probability of each class for each learned row, as if that row had not been learned.

        What the model has chosen by itself (bins, and which columns depend on which) stays as it
        is; given this it is what learning all other rows gives. Give the weights that were learned.
        """
        return super().leave_one_out(X, y, sample_weight)

    def _learn_bins(self, blocks: Iterable[Block]) -> None:
        """Put the columns of numbers into bins with all rows in sight, before they are counted."""
        counted = sum_of_pairs(united, self._number_counts(blocks))
        if counted is not None:
            self._set_bins(counted[1].columns)  # type: ignore[arg-type]  # all are numbers

    def _number_counts(self, blocks: Iterable[Block]) -> Iterator[tuple[Array, TableCounts]]:
        for rows in blocks:
            classes, codes = encode_labels(rows.y)
            table, weights = self._checked_rows(rows, codes, rows.weights, first=False)
            numbers = _numbers(table)
            if not numbers:
                return
            counts = counts_of_columns(numbers, codes, len(classes), weights)
            observed: dict[str, ColumnCounts] = {
                name: column for name, column in counts.items() if len(column.table)
            }
            yield classes, TableCounts(class_counts(codes, weights, len(classes)), observed)

    def _set_bins(self, counts: dict[str, NumberCounts]) -> None:
        if hasattr(self, "_numbers_seen"):
            self._numbers_seen |= counts
        self.bins_ = self._bins() | {name: bins_of(column) for name, column in counts.items()}

    def _bins(self) -> dict[str, Bins]:
        return getattr(self, "bins_", {})

    def _summarise(
        self, X: Table, codes: Array, n_classes: int, weights: Array | None
    ) -> CombinationCounts:
        new = {name: values for name, values in _numbers(X).items() if name not in self._bins()}
        if new:
            counts = counts_of_columns(new, codes, n_classes, weights)
            self._set_bins({name: column for name, column in counts.items() if len(column.table)})
        edges = {name: bins.edges for name, bins in self._bins().items()}
        return combination_counts(self._in_bins(X), codes, n_classes, self._order(), weights, edges)

    def _in_bins(self, X: Table) -> Table:
        """The table with all columns of numbers as columns of bins."""
        columns = {name: self._cells_in_bins(name, cells) for name, cells in X.columns.items()}
        return Table(columns, X.n_rows, X.named, X.names)

    def _cells_in_bins(self, name: str, cells: Cells) -> Cells:
        if not isinstance(cells, Numbers):
            return cells
        bins = self._bins().get(name)
        return bins.categories(cells) if bins else Categories(np.full(len(cells), -1), ())

    def _estimate(self, statistics: CombinationCounts) -> Self:
        self.bins_ = {name: Bins(edges) for name, edges in statistics.edges.items()}
        return super()._estimate(statistics)

    def _stored(self) -> dict[str, str]:
        told = self._told_kinds()
        if hasattr(self, "statistics_"):
            for name, stored in self._learned_as().items():
                if told.get(name, "ignore") != "ignore":
                    refuse_other_cells(name, told[name], stored)
        return super()._stored()

    def _learned_as(self) -> dict[str, str]:
        return {
            name: "number" if name in self.bins_ else "category" for name in self.statistics_.levels
        }

    def _learned_levels(self, name: str) -> tuple[str, ...]:
        return self.statistics_.levels[name]

    def _column_counts(self) -> dict[str, ColumnCounts]:
        kept, statistics = self._kept_names(), self.statistics_
        counts: dict[str, ColumnCounts] = {
            name: LevelCounts(levels, statistics.of(column))
            for column, (name, levels) in enumerate(statistics.levels.items())
            if name in kept
        }
        return counts | getattr(self, "_numbers_seen", {})

    def _tells_nothing(self, name: str, counts: ColumnCounts) -> bool:
        return name in self.bins_ and self.bins_[name].n_bins == 1

    def _has_features_of(self, statistics: CombinationCounts) -> bool:
        return set(statistics.levels) <= set(self._all_names())

    # what follows from the statistics ---------------------------------------------------------

    def _made(self, what: Any, make: Callable[[], Made]) -> Made:
        """What follows from the statistics, made once."""
        if self.statistics_.levels and self.statistics_.order < self._order():
            raise ValueError(
                f"{self!r} needs counts of {self._order()} columns together; it was learned with "
                f"{self.statistics_.order}. Fit it anew."
            )
        known = _MADE.setdefault(self.statistics_, {})
        if what not in known:
            known[what] = make()
        return known[what]

    @property
    def _tables(self) -> CountTables:
        return self._made("tables", lambda: count_tables(self.statistics_))

    def _n_levels(self) -> list[int]:
        """S of each column: its levels, or its bins, also those that never occurred."""
        return [
            self.bins_[name].n_bins if name in self.bins_ else len(levels)
            for name, levels in self.statistics_.levels.items()
        ]

    # what was learned -------------------------------------------------------------------------

    def _value_texts(self, name: str) -> list[str]:
        """The levels of a column as a reader knows them."""
        levels = self.statistics_.levels[name]
        if name not in self.bins_:
            return list(levels)
        return [self.bins_[name].text(int(number)).strip() for number in levels]

    def _column_event(self, name: str) -> Shares:
        """Counts and shares of one column alone."""
        column = list(self.statistics_.levels).index(name)
        return Shares(self.statistics_.of(column), self._n_levels()[column], self._rule())

    def _kind_of(self, name: str) -> str:
        if name not in self._kept_names() or name not in self.statistics_.levels:
            return "ignore"
        return "binned" if name in self.bins_ else "categorical"

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        prior, n_rows = self.class_prior_, float(self.statistics_.class_count.sum())
        kinds = {name: self._kind_of(name) for name in self._all_names()}
        return [
            ColumnSummary(name, kind, note="not used")
            if kind == "ignore"
            else level_summary(name, kind, self._column_event(name), prior, n_rows)
            for name, kind in kinds.items()
        ]

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        kind = self._kind_of(column)
        if kind == "ignore":
            return ColumnTable(column, kind)
        event, texts = self._column_event(column), self._value_texts(column)
        classes, prior = self.classes_.tolist(), self.class_prior_
        return level_table(column, kind, event, texts, classes, prior, fractions)

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs:
        if X is None:
            return pairs_of_counts(self.statistics_)
        table, codes = self._rows_in_memory(X, y)
        known = zip(self.statistics_.levels.items(), self._encoded(table), strict=True)
        columns = {
            name: Categories(np.where(levels < len(words), levels, -1), words)
            for (name, words), levels in known
        }
        return dependent_levels(columns, codes, len(self.classes_))

    # scores -----------------------------------------------------------------------------------

    def _encoded(self, X: Table) -> Array:
        """The rows by the numbers of their levels: (n_columns, n_rows)."""
        columns = [self._codes(X, name, levels) for name, levels in self.statistics_.levels.items()]
        return np.stack(columns) if columns else np.zeros((0, X.n_rows), CODE)

    def _codes(self, X: Table, name: str, levels: tuple[str, ...]) -> Array:
        cells = self._cells_in_bins(name, X.columns[name]) if name in X.columns else None
        if not isinstance(cells, Categories):  # not observed, or ignored by now
            return np.full(X.n_rows, -1, CODE)
        return recoded(cells, numbered(levels)).astype(CODE)

    def _rows(self, levels: Array, learned: tuple[Array, Array] | None = None) -> Rows:
        shrinks = [name not in self.bins_ for name in self.statistics_.levels]
        return scored_rows(levels, self._tables, self._n_levels(), shrinks, self._rule(), learned)

    def _scorer(self, X: Table) -> Scorer:
        levels, kernels = self._prepared(X)
        return lambda rows: self._scores(self._rows(levels[:, rows]), kernels)

    def _prepared(self, X: Table) -> tuple[Array, Any]:
        """The levels of the rows, and the kernels to score them with."""
        self._prepare()
        return self._encoded(X), self._kernels(X)

    def _leave_one_out_scorer(self, X: Table, codes: Array, weights: Array) -> Scorer:
        levels, kernels = self._prepared(X)

        def scores_of(rows: slice) -> Array:
            learned = codes[rows], weights[rows]
            return self._scores(self._rows(levels[:, rows], learned), kernels)

        return scores_of

    def _kernels(self, X: Table) -> Any:
        n_columns = len(self.statistics_.levels)
        return pick("combinations", X.n_rows * n_columns * self._cells_per_row())

    def _blocks(self, X: Table) -> list[slice]:
        return row_blocks(X.n_rows, self._cells_per_row(), at_least=self._rows_at_once())

    def _rows_at_once(self) -> int:
        return ROWS_AT_ONCE

    # reasons ----------------------------------------------------------------------------------

    def _of_columns(self, X: Table, scores: Array) -> Array:
        """Scores of the learned columns (n_columns, n_rows, n_classes) for those of a table.

        Returns (n_rows, columns of the table, n_classes).
        """
        place = {name: number for number, name in enumerate(self.statistics_.levels)}
        nothing = np.zeros((X.n_rows, len(self.classes_)))
        shown = [scores[place[name]] if name in place else nothing for name in X.columns]
        return np.stack([nothing, *shown], axis=1)[:, 1:]  # also without any column

    def _level_texts(self, X: Table) -> dict[str, str | None]:
        """The level of each column in the one row of X: its name, or the limits of its bin."""
        shown = dict(zip(X.columns, self._shown_values(X)[0], strict=True))
        for name, bins in self.bins_.items():
            if shown.get(name) is not None:
                number = self._codes(X, name, tuple(map(str, range(bins.n_bins))))[0]
                shown[name] = f"{name}{bins.text(int(number))}"
        return shown

    # samples ----------------------------------------------------------------------------------

    def _as_columns(self, levels: Array, rng: np.random.Generator) -> dict[str, Array]:
        """Rows of level numbers (n_columns, n_rows) as columns of values."""
        n_rows = levels.shape[1]
        drawn = {}
        for (name, words), own in zip(self.statistics_.levels.items(), levels, strict=True):
            values = np.array(words, dtype=object)[own]
            if name in self.bins_:
                values = self.bins_[name].sample(values.astype(np.intp), rng)
            drawn[name] = values
        return {name: drawn.get(name, np.full(n_rows, None)) for name in self._kept_names()}


def _numbers(table: Table) -> dict[str, Array]:
    return {
        name: cells.values for name, cells in table.columns.items() if isinstance(cells, Numbers)
    }
