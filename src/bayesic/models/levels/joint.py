"""The general generative classifier: the whole joint table of the columns in each class."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bayesic.data.blocks import row_blocks
from bayesic.data.columns import Categories
from bayesic.data.source import Stored
from bayesic.data.tables import Table
from bayesic.data.typing import Decay, Kind, Prior
from bayesic.estimation.dependent_columns import DependentPairs
from bayesic.estimation.dirichlet_evidence import check_proper, class_log_evidence
from bayesic.estimation.joint import (
    joint_log_evidence,
    joint_log_shares,
    joint_log_shares_without,
)
from bayesic.estimation.normal_evidence import NormalPrior
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.smoothing import Lambda
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.fractions import Share, class_shares, exact, is_whole_number
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.models.columns.looks import say_fractions, table_notices, uninformative_columns
from bayesic.models.columns.table_classifier import TableClassifier
from bayesic.models.columns.table_settings import TableSettings, declared_kinds
from bayesic.models.counting import NORMAL_PRIOR
from bayesic.models.events.make import checked_amount
from bayesic.models.events.shares import Shares, numbered, recoded
from bayesic.models.fading import FADING, checked_half_life
from bayesic.models.fitted import LEAVE_ONE_OUT, Fitted, Scorer
from bayesic.models.log_evidence import LEVELS, LogEvidence
from bayesic.models.named_prior import check_named_prior, named_prior
from bayesic.models.notes import Note
from bayesic.models.readers.counted_tables import counted_at_source, counted_together
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.reader import Counted
from bayesic.models.readers.table_reader import TableReader
from bayesic.models.summaries.dependent_pairs import dependent_levels
from bayesic.models.summaries.levels import level_summary, level_table
from bayesic.statistics.joint import JointCounts, joint_counts, summed_at
from bayesic.statistics.level_counts import LevelCounts

KINDS_OF_COLUMNS = ("categorical", "ignore")


@dataclass(frozen=True, eq=False)
class JointTable(Fitted[Table]):
    """The smoothed share of each combination of levels."""

    counts: JointCounts
    classes: Array
    names: tuple[str, ...]  # of all columns
    settings: TableSettings  # smoothing: the pseudo-count of every combination

    judged_by = LEAVE_ONE_OUT

    @cached_property
    def prior(self) -> ClassPrior:  # type: ignore[override]
        """P(c) of each class."""
        return named_prior(
            self.settings.prior, self.classes, self.counts.class_count, self.settings.smoothing
        )

    @property
    def kept(self) -> list[str]:
        """The columns that are not to be ignored."""
        return self.settings.kept(self.names)

    @cached_property
    def by_column(self) -> dict[str, LevelCounts]:
        """What was learned of each column by itself."""
        kept = self.kept
        return {
            name: LevelCounts(levels, self._sums_by_level(name))
            for name, levels in self.counts.levels.items()
            if name in kept
        }

    def _sums_by_level(self, name: str) -> Array:
        """How often each level of one column occurs in each class, in complete rows."""
        column = list(self.counts.levels).index(name)
        n_levels = len(self.counts.levels[name])
        return summed_at(self.counts.rows[:, column], self.counts.table, n_levels)

    @cached_property
    def uninformative(self) -> dict[str, str]:
        """The columns that say nothing about the class, and why; none that are to be ignored."""
        unseen, kinds = "no row has a value in every column", self.settings.kinds
        return uninformative_columns(self.kept, self.by_column, kinds, unseen=unseen)

    @property
    def n_parameters(self) -> int:
        """K S_1 ... S_J, a share for each combination; only those that occur are kept."""
        levels = self.counts.n_levels.tolist()
        return len(self.counts.class_count) * math.prod(levels) if levels else 0

    # scores ---------------------------------------------------------------------------------

    def _encoded(self, rows: Table) -> Array:
        """The rows by the numbers of their levels, as `joint_log_shares` takes them."""
        columns = [_codes(rows, name, levels) for name, levels in self.counts.levels.items()]
        return np.column_stack(columns) if columns else np.zeros((rows.n_rows, 0), np.intp)

    def scorer(self, rows: Table) -> Scorer:
        """log P(x | c) of each row."""
        asked = self._encoded(rows)
        return lambda block: joint_log_shares(self.counts, asked[block], self.settings.smoothing)

    def scorer_without(self, rows: Table, codes: Array, weights: Array) -> Scorer:
        """The same, each row less its own count."""
        asked = self._encoded(rows)
        return lambda block: joint_log_shares_without(
            self.counts, asked[block], codes[block], weights[block], self.settings.smoothing
        )

    def blocks(self, rows: Table) -> list[slice]:
        """Every block is looked up in the whole table: it should be as long as that."""
        cells_per_row = max(rows.shape[1], len(self.counts.class_count))
        return row_blocks(rows.n_rows, cells_per_row, at_least=len(self.counts.rows))

    # what was learned -----------------------------------------------------------------------

    def evidence(self, names: Sequence[str], prior: NormalPrior) -> LogEvidence:
        """log P of classes and rows; those with gaps are in no cell of the table."""
        check_proper(self.settings.smoothing, "smoothing", "the model")
        with_gaps = float(self.counts.class_count.sum() - self.counts.n_complete.sum())
        if with_gaps > 0:
            raise ValueError(
                "The evidence of a joint table has a closed form only for rows without gaps, and "
                f"{with_gaps:g} of those learned have some. Leave them out, or use NaiveBayes."
            )
        asked = [at for at, name in enumerate(self.counts.levels) if name in self.by_column]
        log = joint_log_evidence(self.counts, asked, self.settings.smoothing)
        return LogEvidence(
            class_log_evidence(self.prior) + log, dict.fromkeys(self.by_column, LEVELS)
        )

    def _event(self, name: str) -> Shares:
        """Counts and shares of one column, summed over all others."""
        n_levels = len(self.counts.levels[name])
        others = math.prod(map(len, self.counts.levels.values())) // n_levels
        amount = min(self.settings.smoothing * min(others, 10**200), 1e200)
        return Shares(self._sums_by_level(name), n_levels, Lambda(amount))

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with its bits."""
        prior, n_rows = self.prior.probability, float(self.counts.n_complete.sum())
        return [
            level_summary(name, "categorical", self._event(name), prior, n_rows)
            if name in self.by_column
            else ColumnSummary(name, "ignore", note="not used")
            for name in names
        ]

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """Counts and shares of a column."""
        column = names[place]
        if column not in self.by_column:
            return ColumnTable(column, "ignore")
        facts = self._event(column), self.counts.levels[column], classes, self.prior.probability
        # the smoothing of a combination; a value has that of many
        return level_table(column, "categorical", *facts, exact, smoothing=self.settings.smoothing)

    def pairs(
        self, names: Sequence[str], rows: Table | None, codes: Array | None
    ) -> DependentPairs:
        """Columns that depend on each other, in these rows or in the table."""
        counts, weights = self.counts, None
        if rows is None or codes is None:
            # the rows of the table, each in every class as often as it occurs there
            at, codes = np.nonzero(counts.table)
            asked, weights = counts.rows[at], counts.table[at, codes].astype(np.float64)
        else:
            asked = self._encoded(rows)
        columns = {
            name: Categories(np.where(own < len(words), own, -1), words)
            for (name, words), own in zip(counts.levels.items(), asked.T, strict=True)
        }
        return dependent_levels(columns, codes, len(counts.class_count), weights)

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Table) -> Array:
        """log p(x_j | x_1 .. x_j-1, c): how the score changes as the columns enter one by one."""
        asked = self._encoded(rows)
        place = {name: column for column, name in enumerate(self.counts.levels)}
        known = np.full_like(asked, -1)
        before = np.zeros((rows.n_rows, len(self.counts.class_count)))
        added = []
        for name in rows.columns:
            if name in place:
                known[:, place[name]] = asked[:, place[name]]
            after = joint_log_shares(self.counts, known, self.settings.smoothing)
            # what is impossible already does not become less possible
            step = np.zeros_like(before)
            added.append(np.subtract(after, before, where=before > -np.inf, out=step))
            before = after
        return np.stack(added, axis=1)

    def factors(
        self, row: Table, names: Sequence[str], shown: Sequence[str | None]
    ) -> list[Factor]:
        """The share of all columns together."""
        texts = zip(row.columns, shown, strict=True)
        seen = [text for name, text in texts if text is not None and name in self.counts.levels]
        return [Factor(",".join(seen), self._shares(row))] if seen else []

    def _shares(self, row: Table) -> tuple[Share, ...]:
        """P(x | c) of one row in each class, exact where the counts are whole."""
        statistics, smoothing = self.counts, exact(self.settings.smoothing)
        asked = self._encoded(row)
        counts, totals = statistics.counts_of(asked)[0], statistics.n_complete
        if not all(map(is_whole_number, [*counts.tolist(), *totals.tolist()])):
            return tuple(joint_log_shares(statistics, asked, float(smoothing))[0].tolist())
        n_levels = statistics.n_levels.tolist()
        n_cells = math.prod(n_levels)
        n_observed = math.prod(
            size for size, code in zip(n_levels, asked[0], strict=True) if code >= 0
        )
        n_missing = n_cells // n_observed
        return class_shares(counts, totals, smoothing * n_missing, smoothing * n_cells, n_observed)

    # samples --------------------------------------------------------------------------------

    def sampled(self, codes: Array, rng: np.random.Generator) -> dict[str, Array]:
        """One row for each of these classes, as columns."""
        rows = self._sampled_rows(codes, rng)
        drawn = {
            name: np.array(words, dtype=object)[rows[:, column]]
            for column, (name, words) in enumerate(self.counts.levels.items())
        }
        return {name: drawn.get(name, np.full(len(codes), None)) for name in self.kept}

    def _sampled_rows(self, codes: Array, rng: np.random.Generator) -> Array:
        """A row of level numbers for each of these classes.

        The smoothed share is a mixture: with N_c parts a row that was learned, with lambda S parts
        any row, all alike.
        """
        statistics = self.counts
        rows = rng.integers(statistics.n_levels, size=(len(codes), len(statistics.levels)))
        for code in np.unique(codes):
            counts = np.cumsum(statistics.table[:, code])
            of_class = np.flatnonzero(codes == code)
            learned = of_class[rng.random(len(of_class)) < self._share_learned(code)]
            drawn = rng.random(len(learned)) * counts[-1:]
            rows[learned] = statistics.rows[np.searchsorted(counts[:-1], drawn, side="right")]
        return rows

    def _share_learned(self, code: int) -> float:
        """N_c / (N_c + lambda S), 0 if nothing was learned."""
        statistics = self.counts
        with np.errstate(divide="ignore"):
            log_count = np.log(statistics.n_complete[code])
            log_smoothing = np.log(self.settings.smoothing)
        if np.isneginf(log_count):
            return 0.0
        log_pseudo_count = log_smoothing + np.log(statistics.n_levels).sum()
        return float(np.exp(log_count - np.logaddexp(log_count, log_pseudo_count)))


def _codes(X: Table, name: str, levels: tuple[str, ...]) -> Array:
    """The numbers of the levels of a column; -1 where it is not observed, or ignored by now."""
    cells = X.columns.get(name)
    return (
        recoded(cells, numbered(levels)) if isinstance(cells, Categories) else np.full(X.n_rows, -1)
    )


def _looks(model: "JointBayes", seen: None) -> Iterable[str]:
    fitted, kinds = model._fitted, model._settings.kinds
    facts = fitted.uninformative, model.classes_, model.statistics_.class_count
    others = {name: counts for name, counts in fitted.by_column.items() if name not in kinds}
    return [*say_fractions(others), *table_notices(fitted.by_column, kinds, *facts)]


LOOKS = Note(notices=_looks)


class JointBayes(TableClassifier[JointCounts, JointTable, TableSettings]):
    """Bayes' rule with the whole joint table: nothing is assumed independent.

        P(c | x)  ~  P(c) * P(x | c)
        P(x | c) = (N_c(x) + lambda) / (N_c + lambda * S_1 * ... * S_J)

    N_c(x) counts the rows of class c that equal x in all columns, N_c all rows of class c, S_j is
    the number of levels of column j. Naive Bayes needs a handful of numbers for each column, this
    one for each combination of levels: use it for few columns and many rows ([Mitchell] section
    6.9). All columns are categorical, including numbers, by their values; `fit` warns of fractions.
    Only the combinations that occur are kept.

    A row with a missing value counts for the prior, but not in the table: N_c counts complete rows,
    and levels are those of complete rows. When predicting, missing values are summed over. A level
    never seen has N_c(x) = 0.

    `partial_fit`, `forget`, `merge` and `leave_one_out` are exact, new values and new classes may
    appear at any time, and parameters set with `set_params` take effect at once, without a new fit.

    `explain` takes the columns one after the other: the weight of column j comes from
    log p(x_j | x_1 .. x_j-1, c). The weights depend on the order of the columns, but their sum does
    not.

    Parameters
    ----------
    columns : dict of column name and "categorical" or "ignore"
    smoothing : lambda, the pseudo-count of every combination of levels
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability
    decay : None, or a half-life in rows or time, as in NaiveBayes

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis()
    >>> model = by.JointBayes(smoothing=0).fit(tennis.to_dict(), y="PlayTennis")
    >>> print(model.work(("Overcast", "Hot", "High", "Weak")))
    P(No)·P(Overcast,Hot,High,Weak|No) = 5/14·0/5 = 0
    P(Yes)·P(Overcast,Hot,High,Weak|Yes) = 9/14·1/9 = 1/14
    P(No|x) = 0
    P(Yes|x) = 1
    """

    statistics_: JointCounts
    notes = (FADING, LOOKS)
    fitted_class = JointTable
    unused = ("text", *NORMAL_PRIOR)

    def __init__(
        self,
        columns: Mapping[str, Kind] | None = None,
        smoothing: float = 1.0,
        prior: Prior = "learned",
        decay: Decay = None,
    ) -> None:
        self.columns = columns
        self.smoothing = smoothing
        self.prior = prior
        self.decay = decay

    def _parse(self) -> TableSettings:
        kinds = declared_kinds(self.columns, KINDS_OF_COLUMNS, type(self).__name__)
        smoothing = checked_amount(self.smoothing, "smoothing")
        check_named_prior(self.prior)
        checked_half_life(self.decay)
        return TableSettings(kinds, "categorical", smoothing, self.prior)

    def _reader(self) -> TableReader:
        levels = self.statistics_.levels if hasattr(self, "statistics_") else {}
        stored = dict.fromkeys(levels, "category")
        settings = self._settings
        return TableReader(known_columns(self), settings.kinds, settings.numeric, stored, levels)

    def _count(self, X: Table, codes: Array, n_classes: int, weights: Array | None) -> JointCounts:
        return joint_counts(X, codes, n_classes, weights)

    def _counted_at_source(self, source: Stored, target: str) -> Counted | None:
        return counted_at_source(self, source, target, counted_together)

    def _fit(self, statistics: JointCounts) -> JointTable:
        return JointTable(statistics, self.classes_, known_columns(self).names, self._settings)
