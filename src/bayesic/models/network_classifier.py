"""Classifiers in which each column depends on the class and on some other columns."""

from abc import abstractmethod
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesic.data.snapshots import answering
from bayesic.data.tables import Table
from bayesic.estimation.dependence import Parents, informations, parents_first
from bayesic.estimation.families import drawn, families, shares_given
from bayesic.evidence.column_table import ColumnTable, Record, shares_by_class, whole
from bayesic.evidence.shares import Share, class_shares, exact
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels.combinations import Families, Rows
from bayesic.models.dependence import DependenceClassifier

Array = np.ndarray


class NetworkClassifier(DependenceClassifier):
    """A network of columns below the class.

        P(c | x)  ~  P(c) * product over the observed columns j of p(x_j | parents of j, c)

    Which columns depend on which is chosen from the statistics. A parent that is not observed, or
    whose level was never seen, is left out of the condition.

    In SemiSupervised the parents are chosen anew with each M-step. For a tree without smoothing
    this is the best tree for the soft counts, so that no step lowers the likelihood. With
    smoothing, with several parents or with null cells the choice is no exact maximum: a step that
    would lower the objective is not taken, and EM ends there.
    """

    @abstractmethod
    def _chosen_parents(self, of_class: Array, of_pairs: Array) -> Parents:
        """The parents of each column, from what columns tell about the class and each other."""

    @abstractmethod
    def _key(self) -> Any:
        """Tells choices of parents apart that are made from the same statistics."""

    def _parents(self) -> Parents:
        return self._made(("parents", self._key()), self._choose_parents)

    def _choose_parents(self) -> Parents:
        of_class, of_pairs = self._made("information", partial(informations, self.statistics_))
        return self._chosen_parents(of_class, of_pairs)

    @property
    @answering
    def parents_(self) -> dict[str, tuple[str, ...]]:
        """The columns that each column depends on, besides the class."""
        names = list(self.statistics_.levels)
        return {
            name: tuple(names[parent] for parent in given)
            for name, given in zip(names, self._parents(), strict=True)
        }

    @property
    @answering
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside; that shares sum to 1 takes none away.

        K sum over the columns j of S_j times the S of its parents, for K classes and S levels.
        """
        check_is_fitted(self)
        n_levels = self._n_levels()
        of_columns = (
            n_levels[column] * prod(n_levels[parent] for parent in given)
            for column, given in enumerate(self._parents())
        )
        return len(self.classes_) * sum(of_columns)

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        parents = {name: ", ".join(given) for name, given in self.parents_.items() if given}
        return [
            replace(part, note=f"depends on {parents[part.name]}") if part.name in parents else part
            for part in super()._column_summaries(X, y)
        ]

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        table = super()._column_table(column, fractions)
        if table.kind == "ignore":
            return table
        parents = self.parents_[column]
        table = replace(table, facts={**table.facts, "depends_on": parents})
        if not parents:
            return table
        alone = tuple({"value": part["value"], "counts": part["counts"]} for part in table.values)
        return replace(table, values=alone, given=self._given_records(column, parents, fractions))

    def _given_records(
        self, column: str, parents: tuple[str, ...], fractions: bool
    ) -> tuple[Record, ...]:
        """Counts and shares of each value, for all values of the parents."""
        names, classes = list(self.statistics_.levels), self.classes_.tolist()
        own, given = names.index(column), [names.index(parent) for parent in parents]
        together = sorted([own, *given])
        counts = self._tables.of(tuple(together))
        counts = np.moveaxis(counts, [together.index(at) for at in given], range(len(given)))
        texts = [self._value_texts(parent) for parent in parents]
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
            for level, value in enumerate(self._value_texts(column))
        )

    # scores ---------------------------------------------------------------------------------

    def _families(self) -> Families:
        make = partial(families, self._tables, self._parents())
        return self._made(("families", self._key()), make)

    def _column_scores(self, rows: Rows, kernels: Any) -> Array:
        """log p of each column: (n_columns, n_rows, n_classes)."""
        tables = self._tables
        return kernels.family_scores(rows, tables.table, tables.margins, self._families())

    def _scores(self, rows: Rows, kernels: Any) -> Array:
        return self._column_scores(rows, kernels).sum(axis=0)

    def _prepare(self) -> None:
        self._families()

    def _cells_per_row(self) -> int:
        return max(len(self.statistics_.levels), 1) * len(self.classes_)

    # reasons --------------------------------------------------------------------------------

    def _feature_scores(self, X: Table) -> Array:
        scores = self._column_scores(self._rows(self._encoded(X)), self._kernels(X))
        return self._of_columns(X, scores)

    def _factors(self, X: Table, names: list[str]) -> list[Factor]:
        place = {name: number for number, name in enumerate(self.statistics_.levels)}
        rows = self._rows(self._encoded(X))
        texts = self._level_texts(X)
        factors = []
        for name in X.columns:
            if name in place and texts[name] is not None:
                column = place[name]
                parents = [p for p in self._parents()[column] if rows.usable[p, 0]]
                given = ",".join(str(texts[list(place)[parent]]) for parent in parents)
                text = f"{texts[name]} given {given}" if given else str(texts[name])
                factors.append(Factor(text, self._shares(rows, column, parents)))
        return factors

    def _shares(self, rows: Rows, column: int, parents: list[int]) -> tuple[Share, ...]:
        """p(x_j | parents, c) of one row in each class, exact where the counts are whole."""
        counts = self._tables.of(tuple(sorted([column, *parents])))
        own = int(rows.levels[column, 0])
        index = [
            slice(None) if number == column else rows.levels[number, 0]
            for number in sorted([column, *parents])
        ]
        return self._smoothed_shares(column, own, counts[tuple(index)])

    def _smoothed_shares(self, column: int, own: int, of_levels: Array) -> tuple[Share, ...]:
        """The share of one level of a column in counts of them all: (n_levels, n_classes)."""
        seen = own < len(of_levels)
        count = of_levels[own] if seen else np.zeros(len(self.classes_))
        totals, n_levels = self._tables.level_total[column], self._n_levels()[column]
        total = Fraction(float(totals[own])) if seen else Fraction(0)
        rule = replace(self._rule(), amount=exact(self._rule().amount))
        pseudo = rule.pseudo_counts(total, Fraction(float(totals.sum())), n_levels)
        return class_shares(count, of_levels.sum(axis=0), *pseudo, n_levels)

    # samples --------------------------------------------------------------------------------

    def _sampled_columns(self, codes: Array, rng: np.random.Generator) -> dict[str, Array]:
        parents, n_levels = self._parents(), self._n_levels()
        levels = np.zeros((len(parents), len(codes)), np.intp)
        for column in parents_first(parents):
            given = parents[column]
            shares = shares_given(self._tables, column, given, n_levels, self._rule())
            levels[column] = drawn(shares[(*levels[list(given)], codes)], rng)
        return self._as_columns(levels, rng)
