"""What follows from counts of levels together: columns that depend on the class and on others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import prod
from types import ModuleType

import numpy as np

from bayesic.data.languages import Sentence
from bayesic.data.tables import Table
from bayesic.estimation.dependent_columns import (
    Parents,
    in_order,
    ordered_parents,
    parents_first,
    tree_parents,
)
from bayesic.estimation.dirichlet_evidence import (
    class_log_evidence,
    dirichlet_log_evidence,
    pseudo_counts_before,
)
from bayesic.estimation.families import drawn, families, shares_given
from bayesic.estimation.normal_evidence import NormalPrior
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.smoothing import BackOff, Smoothing
from bayesic.estimation.term_weights import weighted
from bayesic.evidence.column_table import ColumnTable, Record, shares_by_class, whole
from bayesic.evidence.fractions import Share, class_shares, exact, leaning_shares
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.kernels.combinations import FamilyIndex, LevelRows
from bayesic.models.columns.weighed_columns import factors_to_the, weight_of, with_power
from bayesic.models.levels.held_network import HeldNetwork
from bayesic.models.levels.level_columns import LevelColumns
from bayesic.models.log_evidence import LEVELS, LogEvidence, bins_at
from bayesic.models.readers.reader import CodedRows


@dataclass(frozen=True, eq=False, kw_only=True)
class ColumnNetwork(LevelColumns):
    """A network of columns below the class.

        P(c | x)  ~  P(c) * product over the observed columns j of p(x_j | parents of j, c)

    Which columns depend on which is chosen from the statistics. A parent that is not observed, or
    whose level was never seen, is left out of the condition.

    In SemiSupervised the parents are chosen again with each M-step. For a tree without smoothing
    this is the best tree for the soft counts, so that no step lowers the likelihood. With
    smoothing, with several parents or with null cells the choice is not an exact maximum: a step
    that would lower the objective is not taken, and EM ends there.
    """

    formula = "network_scores"

    k: int | None  # most parents of a column, None for a tree
    n_used: int | None = None  # only this many columns take part, the first in the order; None: all
    prior_power: float = 1
    weights: Mapping[str, float] | None = None  # column -> weight, 1 where it has none

    def losses(self, rows: CodedRows, rules: Sequence[Smoothing]) -> Array:
        """The loss of each rule; of each k and each number of columns too, if these are open."""
        if self.settings.order is not None:
            return np.concatenate(self.losses_of(rows, rules))
        of_networks = [
            [self.with_rule(rule, k=k, n_used=None) for rule in rules]
            for k in range(self.counts.order)
        ]
        return np.array(
            [
                np.stack([each.left_out_losses(rows, each.prefix_scores) for each in some], axis=-1)
                for some in of_networks
            ]
        )

    @cached_property
    def prior(self) -> ClassPrior:  # type: ignore[override]
        """P(c) of each class, with its power in the scores."""
        return with_power(self._plain_prior(), self.weights, self.prior_power)

    @property
    def order(self) -> list[int]:
        """The columns by what they say about the class, most first."""
        if self.held is not None:
            return self.held.order_among(list(self.counts.levels))
        return in_order(self.together.informations[0])

    @property
    def used(self) -> list[int]:
        """The columns that take part, in this order."""
        return self.order[: self.n_used]

    @property
    def named_used(self) -> tuple[str, ...]:
        """Their names."""
        names = list(self.counts.levels)
        return tuple(names[column] for column in self.used)

    @property
    def parents(self) -> Parents:
        """The parents of each column, from what columns say about the class and each other."""
        if self.held is not None:
            return self.held.parents_among(list(self.counts.levels))
        return self.together.once(("parents", self.k), self._chosen_parents)

    def chosen(self) -> HeldNetwork:
        """What was chosen, or was held already."""
        names = list(self.counts.levels)
        return HeldNetwork(tuple(names[column] for column in self.order), self.named_parents)

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
            self.n_levels[column] * prod(self.n_levels[parent] for parent in self.parents[column])
            for column in self.used
        )
        n_weights = 0 if self.weights is None else 1 + len(self.weights)
        return n_weights + len(self.classes) * sum(of_columns)

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with its bits, and what it depends on."""
        given = {name: ", ".join(parents) for name, parents in self.named_parents.items()}
        notes: dict[str, str] = {
            name: Sentence("depends on {names}", names=parents)
            for name, parents in given.items()
            if parents
        }
        notes |= dict.fromkeys(set(given) - set(self.named_used), "takes no part")
        return [
            replace(
                part,
                note=notes.get(part.name, part.note),
                weight=(self.weights or {}).get(part.name),
            )
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
                    classes,
                    self._shares(own, level, dict(zip(given, place, strict=True))),
                    fractions,
                ),
            }
            for place in np.ndindex(counts.shape[: len(parents)])
            for level, value in enumerate(self.value_texts(column))
        )

    # scores ---------------------------------------------------------------------------------

    def _families(self) -> FamilyIndex:
        parents = self.parents
        return self.together.once(("families", *parents), partial(families, self.tables, parents))

    def rows_of(self, levels: Array, learned: tuple[Array, Array] | None = None) -> LevelRows:
        """Rows as kernels take them: columns that take no part are not observed."""
        if self.n_used is not None:
            levels = levels.copy()
            levels[self.order[self.n_used :]] = -1
        return super().rows_of(levels, learned)

    def _column_scores(self, rows: LevelRows, kernels: ModuleType) -> Array:
        """log p of each column: (n_columns, n_rows, n_classes)."""
        tables = self.tables
        return kernels.family_scores(rows, tables.table, tables.margins, self._families())

    def row_scores(self, rows: LevelRows, kernels: ModuleType) -> Array:
        """The sum over the columns, times their weights."""
        return self._weighted(self._column_scores(rows, kernels)).sum(axis=0)

    def _weighted(self, scores: Array) -> Array:
        """Scores of the columns times their weights: (n_columns, n_rows, n_classes)."""
        if self.weights is None:
            return scores
        named = zip(self.counts.levels, scores, strict=True)
        return np.array([weighted(weight_of(self.weights, name), each) for name, each in named])

    @property
    def weighed(self) -> list[str]:
        """The columns that take part."""
        return list(self.named_used)

    def terms_without(self, rows: Table, some: Array, codes: Array, weights: Array) -> Array:
        """log P(c), and log p of each column, each row as if it had not been learned.

        some : the numbers of the rows that are asked; codes and weights are theirs. The terms are
            without the weights of columns: (1 + n_columns, n_asked, n_classes).
        """
        self.prepare()
        asked = self.rows_of(np.ascontiguousarray(self.encoded(rows)[:, some]), (codes, weights))
        scores = self._column_scores(asked, self.kernels_for(len(some)))
        of_prior = self.prior.log_without(codes, weights).T
        return np.concatenate([of_prior[None], scores[self.used]])

    def prefix_scores(self, rows: LevelRows, kernels: ModuleType) -> Array:
        """The scores of no column, of the first in the order, of the first two, and so on.

        No column depends on a later one, so each is that of the network of the columns before.
        """
        scores = self._column_scores(rows, kernels)[self.order]
        return np.cumsum(np.concatenate([np.zeros((1, *scores.shape[1:])), scores]), axis=0)

    def prepare(self) -> None:
        """Make the families."""
        self._families()

    def cells_per_row(self) -> int:
        """A number for each column and class."""
        return max(len(self.counts.levels), 1) * len(self.classes)

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Table) -> Array:
        """log p(x_j | parents of j, c) of each column."""
        scores = self._column_scores(
            self.rows_of(self.encoded(rows)), self.kernels_for(rows.n_rows)
        )
        return self.of_columns(rows, self._weighted(scores))

    def factors(
        self, row: Table, names: Sequence[str], shown: Sequence[str | None]
    ) -> list[Factor]:
        """The share of each column given its parents."""
        place = {name: number for number, name in enumerate(self.counts.levels)}
        rows, texts = self.rows_of(self.encoded(row)), self.level_texts(row, shown)
        levels, factors = rows.levels[:, 0].tolist(), []
        for name in row.columns:
            if name in place and levels[place[name]] >= 0:
                column = place[name]
                given = {p: levels[p] for p in self.parents[column] if rows.usable[p, 0]}
                parents = [texts[list(place)[parent]] for parent in given]
                alone = texts[name] or ""
                both = Sentence("{value} given {parents}", value=alone, parents=parents)
                plain = Factor(
                    both if given else alone, self._shares(column, levels[column], given)
                )
                factors += factors_to_the(weight_of(self.weights, name), [plain])
        return factors

    def _shares(self, column: int, own: int, given: dict[int, int]) -> tuple[Share, ...]:
        """p(x_j | parents, c) in each class, exact where the counts are whole.

        own : the level of the column; given : parent -> its level, the strongest first
        """
        rule, n_levels = replace(self.rule, amount=exact(self.rule.amount)), self.n_levels[column]
        parents = list(given)
        if isinstance(rule, BackOff):
            steps = [{p: given[p] for p in parents[:n]} for n in range(len(parents) + 1)]
            counted = [self._counted(column, own, step) for step in steps]
            return leaning_shares(counted, rule.amount, n_levels)
        totals = self.tables.level_total[column]
        total = Fraction(float(totals[own])) if own < len(totals) else Fraction(0)
        pseudo = rule.pseudo_counts(total, Fraction(float(totals.sum())), n_levels)
        return class_shares(*self._counted(column, own, given), *pseudo, n_levels)

    def _counted(self, column: int, own: int, given: dict[int, int]) -> tuple[Array, Array]:
        """How often a level of a column occurs given others, and any, in each class."""
        columns = tuple(sorted([column, *given]))
        of_levels = self.tables.of(columns)[tuple(given.get(at, slice(None)) for at in columns)]
        seen = own < len(of_levels)
        count = of_levels[own] if seen else np.zeros(len(self.classes))
        return count, of_levels.sum(axis=0)

    # evidence -------------------------------------------------------------------------------

    def evidence(self, names: Sequence[str], prior: NormalPrior) -> LogEvidence:
        """log P of classes and levels, under the network and the bins that were chosen."""
        log, seen_as = class_log_evidence(self.prior), {}
        for column, name in enumerate(self.counts.levels):
            if name in self.by_column and column in self.used:
                log += self._column_log_evidence(column, name)
                seen_as[name] = bins_at(self.bins[name].cuts) if name in self.bins else LEVELS
        return LogEvidence(log, seen_as)

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
