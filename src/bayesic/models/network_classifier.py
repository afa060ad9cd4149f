"""Columns each of which depends on the class and on some others: one (a tree), or up to k."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

import numpy as np

from bayesic.data.arguments import check_whole_number
from bayesic.data.tables import Table
from bayesic.estimation.dependence import Parents, ordered_parents, parents_first, tree_parents
from bayesic.estimation.dirichlet_evidence import (
    class_log_evidence,
    dirichlet_log_evidence,
    pseudo_counts_before,
)
from bayesic.estimation.families import drawn, families, shares_given
from bayesic.evidence.column_table import ColumnTable, Record, shares_by_class, whole
from bayesic.evidence.fractions import Share, class_shares, exact
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.kernels.combinations import Families, Rows
from bayesic.models.classifier import CountingClassifier
from bayesic.models.dependence import LearnsLevels
from bayesic.models.fitted import learned
from bayesic.models.level_columns import LevelColumns
from bayesic.models.log_evidence import LEVELS, Evidence, HasEvidence, bins_at
from bayesic.statistics.combinations import CombinationCounts


@dataclass(frozen=True, eq=False)
class ColumnNetwork(LevelColumns):
    """A network of columns below the class.

        P(c | x)  ~  P(c) * product over the observed columns j of p(x_j | parents of j, c)

    Which columns depend on which is chosen from the statistics. A parent that is not observed, or
    whose level was never seen, is left out of the condition.

    In SemiSupervised the parents are chosen anew with each M-step. For a tree without smoothing
    this is the best tree for the soft counts, so that no step lowers the likelihood. With
    smoothing, with several parents or with null cells the choice is no exact maximum: a step that
    would lower the objective is not taken, and EM ends there.
    """

    k: int | None  # most parents of a column, None for a tree

    @property
    def parents(self) -> Parents:
        """The parents of each column, from what columns tell about the class and each other."""
        return self.together.once(("parents", self.k), self._chosen_parents)

    def _chosen_parents(self) -> Parents:
        of_class, of_pairs = self.together.informations
        if self.k is None:
            return tree_parents(of_class, of_pairs)
        return ordered_parents(of_class, of_pairs, self.k)

    @property
    def named_parents(self) -> dict[str, tuple[str, ...]]:
        """The columns that each column depends on, besides the class."""
        names = list(self.counts.levels)
        return {
            name: tuple(names[parent] for parent in given)
            for name, given in zip(names, self.parents, strict=True)
        }

    @property
    def n_parameters(self) -> int:
        """K sum over the columns j of S_j times the S of its parents, for K classes, S levels."""
        of_columns = (
            self.n_levels[column] * prod(self.n_levels[parent] for parent in given)
            for column, given in enumerate(self.parents)
        )
        return len(self.classes) * sum(of_columns)

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with its bits, and what it depends on."""
        parents = {name: ", ".join(given) for name, given in self.named_parents.items() if given}
        return [
            replace(part, note=f"depends on {parents[part.name]}") if part.name in parents else part
            for part in super().summaries(names)
        ]

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """Counts and shares of a column, for all values of those that it depends on."""
        column, table = names[place], super().table(place, names, classes, exact)
        if table.kind == "ignore":
            return table
        parents = self.named_parents[column]
        table = replace(table, facts={**table.facts, "depends_on": parents})
        if not parents:
            return table
        alone = tuple({"value": part["value"], "counts": part["counts"]} for part in table.values)
        return replace(table, values=alone, given=self._given_records(column, parents, exact))

    def _given_records(
        self, column: str, parents: tuple[str, ...], fractions: bool
    ) -> tuple[Record, ...]:
        """Counts and shares of each value, for all values of the parents."""
        names, classes = list(self.counts.levels), self.classes.tolist()
        own, given = names.index(column), [names.index(parent) for parent in parents]
        together = sorted([own, *given])
        counts = self.tables.of(tuple(together))
        counts = np.moveaxis(counts, [together.index(at) for at in given], range(len(given)))
        texts = [self.value_texts(parent) for parent in parents]
        return tuple(
            {
                "given": {
                    parent: words[at]
                    for parent, words, at in zip(parents, texts, place, strict=True)
                },
                "value": value,
                "counts": dict(zip(classes, map(whole, counts[place][level]), strict=True)),
                "shares": shares_by_class(
                    classes, self._smoothed_shares(own, level, counts[place]), fractions
                ),
            }
            for place in np.ndindex(counts.shape[: len(parents)])
            for level, value in enumerate(self.value_texts(column))
        )

    # scores ---------------------------------------------------------------------------------

    def _families(self) -> Families:
        return self.together.once(
            ("families", self.k), partial(families, self.tables, self.parents)
        )

    def _column_scores(self, rows: Rows, kernels: Any) -> Array:
        """log p of each column: (n_columns, n_rows, n_classes)."""
        tables = self.tables
        return kernels.family_scores(rows, tables.table, tables.margins, self._families())

    def row_scores(self, rows: Rows, kernels: Any) -> Array:
        """The sum over the columns."""
        return self._column_scores(rows, kernels).sum(axis=0)

    def prepare(self) -> None:
        """Make the families."""
        self._families()

    def cells_per_row(self) -> int:
        """A number for each column and class."""
        return max(len(self.counts.levels), 1) * len(self.classes)

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Table) -> Array:
        """log p(x_j | parents of j, c) of each column."""
        scores = self._column_scores(self.rows_of(self.encoded(rows)), self.kernels_for(rows))
        return self.of_columns(rows, scores)

    def factors(self, row: Table, names: Sequence[str], shown: Any) -> list[Factor]:
        """The share of each column given its parents."""
        place = {name: number for number, name in enumerate(self.counts.levels)}
        rows, texts = self.rows_of(self.encoded(row)), self.level_texts(row, shown)
        factors = []
        for name in row.columns:
            if name in place and texts[name] is not None:
                column = place[name]
                parents = [p for p in self.parents[column] if rows.usable[p, 0]]
                given = ",".join(str(texts[list(place)[parent]]) for parent in parents)
                text = f"{texts[name]} given {given}" if given else str(texts[name])
                factors.append(Factor(text, self._shares(rows, column, parents)))
        return factors

    def _shares(self, rows: Rows, column: int, parents: list[int]) -> tuple[Share, ...]:
        """p(x_j | parents, c) of one row in each class, exact where the counts are whole."""
        counts = self.tables.of(tuple(sorted([column, *parents])))
        own = int(rows.levels[column, 0])
        index = [
            slice(None) if number == column else rows.levels[number, 0]
            for number in sorted([column, *parents])
        ]
        return self._smoothed_shares(column, own, counts[tuple(index)])

    def _smoothed_shares(self, column: int, own: int, of_levels: Array) -> tuple[Share, ...]:
        """The share of one level of a column in counts of them all: (n_levels, n_classes)."""
        seen = own < len(of_levels)
        count = of_levels[own] if seen else np.zeros(len(self.classes))
        totals, n_levels = self.tables.level_total[column], self.n_levels[column]
        total = Fraction(float(totals[own])) if seen else Fraction(0)
        rule = replace(self.rule, amount=exact(self.rule.amount))
        pseudo = rule.pseudo_counts(total, Fraction(float(totals.sum())), n_levels)
        return class_shares(count, of_levels.sum(axis=0), *pseudo, n_levels)

    # evidence -------------------------------------------------------------------------------

    def evidence(self, names: Sequence[str]) -> Evidence:
        """log P of classes and levels, under the network and the bins that were chosen."""
        log, seen_as = class_log_evidence(self.prior), {}
        for column, name in enumerate(self.counts.levels):
            if name in self.by_column:
                log += self._column_log_evidence(column, name)
                seen_as[name] = bins_at(self.bins[name].cuts) if name in self.bins else LEVELS
        return Evidence(log, seen_as)

    def _column_log_evidence(self, column: int, name: str) -> float:
        """log P of the levels of one column given those of its parents."""
        learned = list(self.counts.levels)
        parents = [p for p in self.parents[column] if learned[p] in self.by_column]
        together = tuple(sorted([column, *parents]))
        counts = np.moveaxis(self.tables.of(together), together.index(column), -1)
        n_alone = self.tables.level_total[column].sum()
        if not np.isclose(counts.sum(), n_alone, rtol=1e-12):
            raise ValueError(
                "The evidence has a closed form only where the parents of a cell are known, and "
                f"in some rows {name!r} is, but one of {[learned[p] for p in parents]} is a gap. "
                "Leave these rows out, ignore the column, or use NaiveBayes, which has no parents."
            )
        n_levels = self.n_levels[column]
        before = pseudo_counts_before(self.rule, counts.shape[-1], n_levels, f"column {name!r}")
        return dirichlet_log_evidence(counts, before[0], counts.sum(axis=-1), before[1])

    # samples --------------------------------------------------------------------------------

    def sampled(self, codes: Array, rng: np.random.Generator) -> dict[str, Array]:
        """One row for each of these classes, as columns: parents first."""
        levels = np.zeros((len(self.parents), len(codes)), np.intp)
        for column in parents_first(self.parents):
            given = self.parents[column]
            shares = shares_given(self.tables, column, given, self.n_levels, self.rule)
            levels[column] = drawn(shares[(*levels[list(given)], codes)], rng)
        return self.as_columns(levels, rng)


class TreeAugmentedNB(HasEvidence, LearnsLevels, CountingClassifier):
    """Naive Bayes in which the columns form a tree: each depends on one other as well.

        P(c | x)  ~  P(c) * product over the observed columns j of p(x_j | x_parent(j), c)
        p(v | u, c) = (N_c(v, u) + lambda) / (N_c(u) + S_j lambda)

    N_c(v, u) counts rows of class c with level v in column j and level u in its parent, N_c(u) sums
    it over v, S_j is the number of levels of column j. The tree is the one under which the rows
    that were learned are most probable: the maximum spanning tree of I(X_i; X_j | C), the mutual
    information of two columns within the classes ([FriedmanTAN]). Its root is the column that tells
    most about the class.

    Columns are categories. Numbers are put into bins that tell the classes apart, by the rule of
    NaiveBayes, when the column has numbers for the first time; from then on the bins stay.

    A cell that is null is not observed and left out, and so is a parent that is null or was never
    seen: p(x_j | c) then. A level that was never seen has N_c(v, u) = 0.

    What is kept are the counts of all pairs of levels. So `partial_fit`, `forget` and `merge` are
    exact, given the bins, and the tree is chosen anew from all rows; new values and new classes may
    come at any time, and parameters set with `set_params` hold at once. `leave_one_out` leaves the
    tree as it is, and `log_evidence` is of this tree: that it was chosen is not paid for.

    Parameters
    ----------
    columns : dict of column name and "categorical", "binned" or "ignore", for columns that are not
        what they look like
    smoothing : lambda, the pseudo-count of every level; ("m", m) for the m-estimate, m rows divided
        among the levels by their shares over all classes: with m = 5 as in [FriedmanTAN]
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability

    Attributes
    ----------
    parents_ : the column that each column depends on
    bins_ : the bins of each column of numbers
    n_parameters : how many numbers are estimated

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis()
    >>> model = TreeAugmentedNB(smoothing=0).fit(tennis.to_dict(), y="PlayTennis")
    >>> model.parents_["Humidity"]
    ('Temperature',)
    """

    parents_ = learned("named_parents", "The columns that each depends on, besides the class.")

    def __init__(self, columns: Any = None, smoothing: Any = 1.0, prior: Any = "learned") -> None:
        self.columns = columns
        self.smoothing = smoothing
        self.prior = prior

    def _order(self) -> int:
        return 2

    def _fit(self, statistics: CombinationCounts) -> ColumnNetwork:
        return ColumnNetwork(**self._facts(), k=None)


class KDependence(HasEvidence, LearnsLevels, CountingClassifier):
    """Naive Bayes in which each column depends on up to k others as well ([Sahami]).

        P(c | x)  ~  P(c) * product over the observed columns j of p(x_j | k parents of j, c)

    Columns are taken in the order of what they tell about the class, I(X_j; C). The parents of each
    are those k before it with which it has most to do within the classes, by I(X_i; X_j | C).
    k = 0 is naive Bayes; each step of k needs more rows, and counts of one more column together.

    Smoothing, bins, null cells, levels never seen, learning in pieces and `log_evidence` are as in
    TreeAugmentedNB.

    Parameters
    ----------
    k : most parents of a column
    columns : dict of column name and "categorical", "binned" or "ignore", for columns that are not
        what they look like
    smoothing : lambda, the pseudo-count of every level; ("m", m) for the m-estimate
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability

    Attributes
    ----------
    parents_ : the columns that each column depends on
    bins_ : the bins of each column of numbers
    n_parameters : how many numbers are estimated

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis()
    >>> model = KDependence(k=2).fit(tennis.to_dict(), y="PlayTennis")
    >>> model.parents_["Outlook"], len(model.parents_["Wind"])
    ((), 2)
    """

    parents_ = learned("named_parents", "The columns that each depends on, besides the class.")

    def __init__(
        self, k: int = 1, columns: Any = None, smoothing: Any = 1.0, prior: Any = "learned"
    ) -> None:
        self.k = k
        self.columns = columns
        self.smoothing = smoothing
        self.prior = prior

    def _order(self) -> int:
        check_whole_number("k", self.k, 0)
        return max(int(self.k) + 1, 2)  # which columns depend on which is seen from pairs

    def _fit(self, statistics: CombinationCounts) -> ColumnNetwork:
        return ColumnNetwork(**self._facts(), k=int(self.k))
