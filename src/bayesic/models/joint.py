"""The general generative classifier: the whole joint table of the columns in each class."""

import math
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesic.data.blocks import row_blocks
from bayesic.data.columns import Categories
from bayesic.data.tables import Table
from bayesic.estimation.joint import joint_log_shares, joint_log_shares_without
from bayesic.estimation.pairs import DependentPairs
from bayesic.estimation.shares import Lambda
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.shares import Share, class_shares, exact, is_whole_number
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.models.base import Scorer
from bayesic.models.events.make import checked_amount
from bayesic.models.events.shares import Shares, numbered, recoded
from bayesic.models.generative import GenerativeTableModel
from bayesic.models.schema import refuse_other_kinds
from bayesic.models.summaries.levels import level_summary, level_table
from bayesic.models.summaries.rows import dependent_levels
from bayesic.statistics.joint import JointCounts, joint_counts, summed_at
from bayesic.statistics.levels import LevelCounts
from bayesic.statistics.tables import ColumnCounts

Array = np.ndarray

KINDS_OF_COLUMNS = ("categorical", "ignore")


class JointBayes(GenerativeTableModel):
    """Bayes' rule with the whole joint table: nothing is assumed independent.

        P(c | x)  ~  P(c) * P(x | c)
        P(x | c) = (N_c(x) + lambda) / (N_c + lambda * S_1 * ... * S_J)

    N_c(x) counts the rows of class c that equal x in all columns, N_c all rows of class c, S_j is
    the number of levels of column j. Naive Bayes needs a handful of numbers for each column, this
    one for each combination of levels: it is right for few columns and many rows ([Mitchell]
    section 6.9). All columns are categories, numbers too, by their values. Only the combinations
    that occur are kept.

    A row with a null cell is learned for the prior, and not in the table: N_c counts complete rows,
    and levels are those of complete rows. When asked for, a null cell is summed over. A level never
    seen has N_c(x) = 0.

    `partial_fit`, `forget`, `merge` and `leave_one_out` are exact, new values and new classes may
    come at any time, and parameters set with `set_params` hold at once, without a new fit.

    `explain` takes the columns one after the other: the weight of column j comes from
    log p(x_j | x_1 .. x_j-1, c). Their sum does not depend on the order of the columns, each weight
    does.

    Parameters
    ----------
    columns : dict of column name and "categorical" or "ignore"
    smoothing : lambda, the pseudo-count of every combination of levels
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability

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

    numeric = "categorical"  # what TableModel makes of columns of numbers

    _unseen = "no row has a value in every column"

    def __init__(self, columns: Any = None, smoothing: Any = 1.0, prior: Any = "learned") -> None:
        self.columns = columns
        self.smoothing = smoothing
        self.prior = prior

    def _check_parameters(self, first: bool) -> None:
        self._told_kinds()
        self._prior_smoothing()
        self._check_prior()

    def _told_kinds(self) -> dict[str, str]:
        told = super()._told_kinds()
        refuse_other_kinds(told, KINDS_OF_COLUMNS, type(self).__name__)
        return told

    def _prior_smoothing(self) -> float:
        return checked_amount(self.smoothing, "smoothing")

    # statistics -----------------------------------------------------------------------------

    def _summarise(
        self, X: Table, codes: Array, n_classes: int, weights: Array | None
    ) -> JointCounts:
        return joint_counts(X, codes, n_classes, weights)

    def _learned_as(self) -> dict[str, str]:
        return dict.fromkeys(self.statistics_.levels, "category")

    def _learned_levels(self, name: str) -> tuple[str, ...]:
        return self.statistics_.levels[name]

    def _has_features_of(self, statistics: JointCounts) -> bool:
        return set(statistics.levels) <= set(self._all_names())

    def _column_counts(self) -> dict[str, ColumnCounts]:
        statistics, kept = self.statistics_, self._kept_names()
        return {
            name: LevelCounts(levels, sums_by_level(statistics, column))
            for column, (name, levels) in enumerate(statistics.levels.items())
            if name in kept
        }

    def _tells_nothing(self, name: str, counts: ColumnCounts) -> bool:
        return False

    # scores ---------------------------------------------------------------------------------

    def _encoded(self, X: Table) -> Array:
        """The rows by the numbers of their levels, as `joint_log_shares` takes them."""
        columns = [_codes(X, name, levels) for name, levels in self.statistics_.levels.items()]
        return np.column_stack(columns) if columns else np.zeros((X.n_rows, 0), np.intp)

    def _scorer(self, X: Table) -> Scorer:
        asked, smoothing = self._encoded(X), self._prior_smoothing()

        def scores_of(rows: slice) -> Array:
            return joint_log_shares(self.statistics_, asked[rows], smoothing)

        return scores_of

    def _leave_one_out_scorer(self, X: Table, codes: Array, weights: Array) -> Scorer:
        asked, smoothing = self._encoded(X), self._prior_smoothing()

        def scores_of(rows: slice) -> Array:
            return joint_log_shares_without(
                self.statistics_, asked[rows], codes[rows], weights[rows], smoothing
            )

        return scores_of

    def _blocks(self, X: Table) -> list[slice]:
        # every block is looked up in the whole table: it should be as long as that
        cells_per_row = max(X.shape[1], len(self.classes_))
        return row_blocks(X.n_rows, cells_per_row, at_least=len(self.statistics_.rows))

    # what was learned -----------------------------------------------------------------------

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside: K S_1 ... S_J, a share for each combination.

        That shares sum to 1 takes none away. Only the combinations that occur are kept.
        """
        check_is_fitted(self)
        levels = self.statistics_.n_levels.tolist()
        return len(self.classes_) * math.prod(levels) if levels else 0

    def _column_event(self, name: str) -> Shares:
        """Counts and shares of one column, summed over all others."""
        statistics = self.statistics_
        column, n_levels = list(statistics.levels).index(name), len(statistics.levels[name])
        counts = summed_at(statistics.rows[:, column], statistics.table, n_levels)
        others = math.prod(
            size for at, size in enumerate(statistics.n_levels.tolist()) if at != column
        )
        amount = min(self._prior_smoothing() * min(others, 10**200), 1e200)
        return Shares(counts, n_levels, Lambda(amount))

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        prior, n_rows = self.class_prior_, float(self.statistics_.n_complete.sum())
        known = set(self.statistics_.levels) & set(self._kept_names())
        return [
            level_summary(name, "categorical", self._column_event(name), prior, n_rows)
            if name in known
            else ColumnSummary(name, "ignore", note="not used")
            for name in self._all_names()
        ]

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        if column not in self.statistics_.levels or column not in self._kept_names():
            return ColumnTable(column, "ignore")
        event, texts = self._column_event(column), self.statistics_.levels[column]
        classes, prior = self.classes_.tolist(), self.class_prior_
        smoothing = self._prior_smoothing()  # of a combination; a value has that of many
        return level_table(
            column, "categorical", event, texts, classes, prior, fractions, smoothing=smoothing
        )

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs:
        statistics, weights = self.statistics_, None
        if X is None:  # the rows of the table, each in every class as often as it occurs there
            at, codes = np.nonzero(statistics.table)
            rows, weights = statistics.rows[at], statistics.table[at, codes].astype(np.float64)
        else:
            table, codes = self._rows_in_memory(X, y)
            rows = self._encoded(table)
        columns = {
            name: Categories(np.where(own < len(words), own, -1), words)
            for (name, words), own in zip(statistics.levels.items(), rows.T, strict=True)
        }
        return dependent_levels(columns, codes, len(self.classes_), weights)

    # reasons --------------------------------------------------------------------------------

    def _feature_scores(self, X: Table) -> Array:
        """log p(x_j | x_1 .. x_j-1, c): how the score changes as the columns come in one by one."""
        asked, smoothing = self._encoded(X), self._prior_smoothing()
        place = {name: column for column, name in enumerate(self.statistics_.levels)}
        known = np.full_like(asked, -1)
        before = np.zeros((X.n_rows, len(self.classes_)))
        added = []
        for name in X.columns:
            if name in place:
                known[:, place[name]] = asked[:, place[name]]
            after = joint_log_shares(self.statistics_, known, smoothing)
            # what is impossible already does not become less possible
            step = np.zeros_like(before)
            added.append(np.subtract(after, before, where=before > -np.inf, out=step))
            before = after
        return np.stack(added, axis=1)

    def _factors(self, X: Table, names: list[str]) -> list[Factor]:
        texts = zip(X.columns, self._shown_values(X)[0], strict=True)
        observed = [(name, text) for name, text in texts if text is not None]
        shown = [text for name, text in observed if name in self.statistics_.levels]
        return [Factor(",".join(shown), self._shares(X))] if shown else []

    def _shares(self, X: Table) -> tuple[Share, ...]:
        """P(x | c) of one row in each class, exact where the counts are whole."""
        statistics, smoothing = self.statistics_, exact(self._prior_smoothing())
        asked = self._encoded(X)
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

    def _sampled_columns(self, codes: Array, rng: np.random.Generator) -> dict[str, Array]:
        levels, rows = self.statistics_.levels, self._sampled_rows(codes, rng)
        drawn = {
            name: np.array(words, dtype=object)[rows[:, column]]
            for column, (name, words) in enumerate(levels.items())
        }
        return {name: drawn.get(name, np.full(len(codes), None)) for name in self._kept_names()}

    def _sampled_rows(self, codes: Array, rng: np.random.Generator) -> Array:
        """A row of level numbers for each of these classes.

        The smoothed share is a mixture: with N_c parts a row that was learned, with lambda S parts
        any row, all alike.
        """
        statistics = self.statistics_
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
        statistics = self.statistics_
        with np.errstate(divide="ignore"):
            log_count = np.log(statistics.n_complete[code])
            log_smoothing = np.log(self._prior_smoothing())
        if np.isneginf(log_count):
            return 0.0
        log_pseudo_count = log_smoothing + np.log(statistics.n_levels).sum()
        return float(np.exp(log_count - np.logaddexp(log_count, log_pseudo_count)))


def sums_by_level(statistics: JointCounts, column: int) -> Array:
    """How often each level of one column occurs in each class, in complete rows."""
    table = np.zeros((statistics.n_levels[column], statistics.table.shape[1]))
    np.add.at(table, statistics.rows[:, column], statistics.table)
    return table


def _codes(X: Table, name: str, levels: tuple[str, ...]) -> Array:
    """The numbers of the levels of a column; -1 where it is not observed, or ignored by now."""
    cells = X.columns.get(name)
    return (
        recoded(cells, numbered(levels)) if isinstance(cells, Categories) else np.full(X.n_rows, -1)
    )
