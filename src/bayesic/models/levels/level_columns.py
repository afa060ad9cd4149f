"""Columns of levels: what models that let them depend on each other know of them."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import ModuleType
from typing import Any, Self

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.columns import Categories
from bayesic.data.tables import Table
from bayesic.estimation.dependent_columns import DependentPairs, Parents, pairs_of_counts
from bayesic.estimation.families import CountTables, families, scored_rows
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.smoothing import BackOff, Smoothing, prior_smoothing
from bayesic.evidence.bins_text import bin_text, column_in_bin
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array, pick
from bayesic.kernels.combinations import LevelRows
from bayesic.models.columns.looks import uninformative_columns
from bayesic.models.events.shares import Shares, numbered, recoded
from bayesic.models.fitted import Fitted, Scorer
from bayesic.models.judged_rows import one_of_each, summed_loss
from bayesic.models.levels.dependence import Bins, CountedTogether, in_bins
from bayesic.models.levels.held_network import HeldNetwork
from bayesic.models.levels.level_settings import LevelSettings
from bayesic.models.named_prior import named_prior
from bayesic.models.readers.reader import CodedRows
from bayesic.models.summaries.dependent_pairs import dependent_levels
from bayesic.models.summaries.levels import level_summary, level_table
from bayesic.statistics.aligned import CODE
from bayesic.statistics.combinations import CombinationCounts
from bayesic.statistics.level_counts import LevelCounts

ROWS_AT_ONCE = 512  # at least: what is prepared for a block should not take the time


@dataclass(frozen=True, eq=False, kw_only=True)
class LevelColumns(Fitted[Table]):
    """Columns of levels: what models share that let them depend on each other."""

    together: CountedTogether
    bins: dict[str, Bins]
    classes: Array
    names: tuple[str, ...]  # of all columns
    settings: LevelSettings  # its smoothing is the rule that holds, given or chosen by the rows
    was_chosen: bool  # whether something of it was chosen by the rows
    held: HeldNetwork | None = None  # which columns depend on which, if it is not to be chosen

    # what a model adds ----------------------------------------------------------------------

    @abstractmethod
    def row_scores(self, rows: LevelRows, kernels: ModuleType) -> Array:
        """log p(x | c) of rows: (n_rows, n_classes)."""

    @abstractmethod
    def prepare(self) -> None:
        """Make what is needed for it: once, and not in every thread."""

    @abstractmethod
    def losses(self, rows: CodedRows, rules: Sequence[Smoothing]) -> Array:
        """The loss of each candidate on learned rows: of each rule, on the last axis."""

    @abstractmethod
    def cells_per_row(self) -> int:
        """How many numbers are at work at the same time to score a row."""

    rows_at_once = ROWS_AT_ONCE

    def chosen(self) -> HeldNetwork:
        """Which columns were chosen to depend on which: none, unless a model chooses."""
        return HeldNetwork()

    def losses_of(self, rows: CodedRows, rules: Sequence[Smoothing]) -> list[Array]:
        """The loss of each of these rules for the smoothing."""
        return [self.with_rule(rule).left_out_losses(rows) for rule in rules]

    def with_rule(self, rule: Smoothing, **others: Any) -> Self:
        """The same with another rule for the smoothing."""
        return replace(self, settings=replace(self.settings, smoothing=rule), **others)

    # columns --------------------------------------------------------------------------------

    @property
    def rule(self) -> Smoothing:
        """How shares are smoothed."""
        rule = self.settings.smoothing
        assert rule is not None  # what is chosen has been
        return rule

    @property
    def counts(self) -> CombinationCounts:
        """How often levels occur together."""
        return self.together.counts

    @property
    def tables(self) -> CountTables:
        """The counts as tables."""
        return self.together.tables

    @property
    def strength(self) -> float | None:
        """s, where shares lean on those with one parent less."""
        return self.rule.amount if isinstance(self.rule, BackOff) else None

    @cached_property
    def prior(self) -> ClassPrior:  # type: ignore[override]
        """P(c) of each class."""
        return self._plain_prior()

    def _plain_prior(self) -> ClassPrior:
        smoothing = prior_smoothing(self.rule, len(self.classes))
        return named_prior(self.settings.prior, self.classes, self.counts.class_count, smoothing)

    @property
    def kept(self) -> list[str]:
        """The columns that are not to be ignored."""
        return self.settings.kept(self.names)

    @cached_property
    def by_column(self) -> dict[str, LevelCounts]:
        """What was learned of each column by itself."""
        kept, counts = self.kept, self.counts
        return {
            name: LevelCounts(levels, counts.of(column))
            for column, (name, levels) in enumerate(counts.levels.items())
            if name in kept
        }

    @cached_property
    def uninformative(self) -> dict[str, str]:
        """The columns that say nothing about the class, and why; none that are to be ignored."""
        return uninformative_columns(self.kept, self.by_column, self.settings.kinds, self._is_uncut)

    def _is_uncut(self, name: str) -> bool:
        return name in self.bins and self.bins[name].n_bins == 1

    @cached_property
    def n_levels(self) -> list[int]:
        """S of each column: its levels, or its bins, also those that never occurred."""
        return [
            self.bins[name].n_bins if name in self.bins else len(levels)
            for name, levels in self.counts.levels.items()
        ]

    # scores ---------------------------------------------------------------------------------

    def encoded(self, table: Table) -> Array:
        """The rows by the numbers of their levels: (n_columns, n_rows)."""
        columns = [
            self.codes_of(table, name, levels) for name, levels in self.counts.levels.items()
        ]
        return np.stack(columns) if columns else np.zeros((0, table.n_rows), CODE)

    def codes_of(self, table: Table, name: str, levels: tuple[str, ...]) -> Array:
        """The numbers of the levels of a column; -1 where it is not observed, or ignored by now."""
        cells = table.columns.get(name)
        cells = None if cells is None else in_bins(cells, self.bins.get(name))
        if not isinstance(cells, Categories):
            return np.full(table.n_rows, -1, CODE)
        return recoded(cells, numbered(levels)).astype(CODE)

    def rows_of(self, levels: Array, learned: tuple[Array, Array] | None = None) -> LevelRows:
        """Rows of levels as kernels take them; those that were learned with class and weight."""
        shrinks = [name not in self.bins for name in self.counts.levels]
        return scored_rows(levels, self.tables, self.n_levels, shrinks, self.rule, learned)

    def kernels_for(self, n_rows: int) -> ModuleType:
        """The kernels to score this many rows with."""
        n_columns = len(self.counts.levels)
        kind = "back_off" if isinstance(self.rule, BackOff) else "combinations"
        return pick(kind, n_rows * n_columns * self.cells_per_row())

    def scores_given(self, parents: Parents, levels: Array) -> Array:
        """log p of each column given its parents: (n_columns, n_rows, n_classes).

        parents : of each column; levels : rows as `encoded` gives them
        """
        rows, kernels = self.rows_of(levels), self.kernels_for(levels.shape[1])
        tables = self.tables
        return kernels.family_scores(rows, tables.table, tables.margins, families(tables, parents))

    def scorer(self, rows: Table) -> Scorer:
        """log p(x | c) of each row."""
        self.prepare()
        levels, kernels = self.encoded(rows), self.kernels_for(rows.n_rows)
        return lambda block: self.row_scores(self.rows_of(levels[:, block]), kernels)

    def scorer_without(self, rows: Table, codes: Array, weights: Array) -> Scorer:
        """The same, each row less its own counts."""
        self.prepare()
        levels, kernels = self.encoded(rows), self.kernels_for(rows.n_rows)

        def scores_of(block: slice) -> Array:
            left_out = codes[block], weights[block]
            return self.row_scores(self.rows_of(levels[:, block], left_out), kernels)

        return scores_of

    def left_out_losses(
        self, rows: CodedRows, scores_of: Callable[[LevelRows, ModuleType], Array] | None = None
    ) -> Array:
        """The loss on rows that were learned, each as if it had not been.

        scores_of : log p(x | c) of several candidates, (n_candidates, n_rows, n_classes); that of
            this one if None
        """
        self.prepare()
        kernels = self.kernels_for(len(rows.codes))

        def losses_of(block: slice) -> Array:
            part = rows.part(block)
            asked = self.rows_of(np.ascontiguousarray(part.X.T), one_of_each(part))
            scores = scores_of(asked, kernels) if scores_of else [self.row_scores(asked, kernels)]
            return np.array([summed_loss(each, self.prior, part) for each in scores])

        return sum(in_threads(losses_of, self._blocks(len(rows.codes))), start=np.zeros(()))

    def blocks(self, rows: Table) -> list[slice]:
        """The rows in blocks, each of which is scored by one thread."""
        return self._blocks(rows.n_rows)

    def _blocks(self, n_rows: int) -> list[slice]:
        return row_blocks(n_rows, self.cells_per_row(), at_least=self.rows_at_once)

    # reasons --------------------------------------------------------------------------------

    def of_columns(self, table: Table, scores: Array) -> Array:
        """Scores of the learned columns (n_columns, n_rows, n_classes) for those of a table.

        Returns (n_rows, columns of the table, n_classes).
        """
        place = {name: number for number, name in enumerate(self.counts.levels)}
        nothing = np.zeros((table.n_rows, len(self.classes)))
        shown = [scores[place[name]] if name in place else nothing for name in table.columns]
        return np.stack([nothing, *shown], axis=1)[:, 1:]  # also without any column

    def level_texts(self, row: Table, shown: Sequence[str | None]) -> dict[str, str | None]:
        """The level of each column of a row: its name, or the limits of its bin."""
        texts = dict(zip(row.columns, shown, strict=True))
        for name, bins in self.bins.items():
            if texts.get(name) is not None:
                number = self.codes_of(row, name, tuple(map(str, range(bins.n_bins))))[0]
                texts[name] = column_in_bin(name, bins.cuts, int(number))
        return texts

    # what was learned -----------------------------------------------------------------------

    def value_texts(self, name: str) -> list[str]:
        """The levels of a column as a reader knows them."""
        levels = self.counts.levels[name]
        if name not in self.bins:
            return list(levels)
        return [bin_text(self.bins[name].cuts, int(number)) for number in levels]

    def _event(self, name: str) -> Shares:
        """Counts and shares of one column alone."""
        column = list(self.counts.levels).index(name)
        return Shares(self.counts.of(column), self.n_levels[column], self.rule)

    def kind_of(self, name: str) -> str:
        """The kind of a column; "ignore" where nothing is known of it."""
        if name not in self.by_column:
            return "ignore"
        return "binned" if name in self.bins else "categorical"

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with its bits."""
        prior, n_rows = self.prior.probability, float(self.counts.class_count.sum())
        kinds = {name: self.kind_of(name) for name in names}
        return [
            ColumnSummary(name, kind, note="not used")
            if kind == "ignore"
            else level_summary(name, kind, self._event(name), prior, n_rows)
            for name, kind in kinds.items()
        ]

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """Counts and shares of a column."""
        column = names[place]
        kind = self.kind_of(column)
        if kind == "ignore":
            return ColumnTable(column, kind)
        event, texts = self._event(column), self.value_texts(column)
        return level_table(column, kind, event, texts, classes, self.prior.probability, exact)

    def pairs(
        self, names: Sequence[str], rows: Table | None, codes: Array | None
    ) -> DependentPairs:
        """Columns that depend on each other, in these rows or in what was learned."""
        if rows is None or codes is None:
            return pairs_of_counts(self.counts)
        known = zip(self.counts.levels.items(), self.encoded(rows), strict=True)
        columns = {
            name: Categories(np.where(levels < len(words), levels, -1), words)
            for (name, words), levels in known
        }
        return dependent_levels(columns, codes, len(self.classes))

    # samples --------------------------------------------------------------------------------

    def as_columns(self, levels: Array, rng: np.random.Generator) -> dict[str, Array]:
        """Rows of level numbers (n_columns, n_rows) as columns of values."""
        n_rows = levels.shape[1]
        drawn = {}
        for (name, words), own in zip(self.counts.levels.items(), levels, strict=True):
            values = np.array(words, dtype=object)[own]
            if name in self.bins:
                values = self.bins[name].sample(values.astype(np.intp), rng)
            elif name in self.counts.edges:
                values = values.astype(np.float64)
            drawn[name] = values
        return {name: drawn.get(name, np.full(n_rows, None)) for name in self.kept}
