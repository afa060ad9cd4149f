"""Independent columns: the distribution of the rows of each class under naive Bayes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.columns import Categories, Texts
from bayesic.data.tables import Table
from bayesic.estimation.bins import has_cut
from bayesic.estimation.dependent_columns import DependentPairs
from bayesic.estimation.dirichlet_evidence import class_log_evidence
from bayesic.estimation.normal_evidence import NormalPrior
from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.smoothing import prior_smoothing
from bayesic.estimation.term_weights import weighted
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.models.columns.looks import uninformative_columns
from bayesic.models.columns.schema import refuse_other_cells
from bayesic.models.columns.table_settings import TableSettings
from bayesic.models.columns.weighed_columns import factors_to_the, weight_of, with_power
from bayesic.models.events.choice import NOTHING_CHOSEN, HeldColumns, choice_of
from bayesic.models.events.event import EventModel, scores_without
from bayesic.models.events.evidence import column_evidence
from bayesic.models.events.make import Rule, make_event
from bayesic.models.events.one_row import scores_of_one
from bayesic.models.fitted import IN_FOLDS, LEAVE_ONE_OUT, Fitted, Scorer
from bayesic.models.log_evidence import LogEvidence
from bayesic.models.named_prior import named_prior
from bayesic.models.summaries.dependent_pairs import (
    MOST_COLUMNS,
    dependent_levels,
    event_levels,
    most_telling,
)
from bayesic.models.summaries.events import event_summary, event_table, n_numbers
from bayesic.statistics.moments import sum_of_groups
from bayesic.statistics.number_counts import NumberCounts
from bayesic.statistics.table_counts import ColumnCounts, TableCounts

WORDS_OF_A_TEXT = 50
CHOOSING = {"auto", "kernel", "binned"}  # kinds, bandwidths and cuts are chosen by the rows
USUAL_KINDS = {"category": "categorical", "text": "text"}  # by what is stored; numbers: as given


@dataclass(frozen=True, eq=False)
class NaiveSettings(TableSettings):
    """How columns are read and smoothed, with the variance of those that are gaussian."""

    smoothing: tuple[dict[str, Rule | None], Rule | None]  # by column, and of all others
    variance: str


@dataclass(frozen=True, eq=False)
class NaiveColumns(Fitted[Table]):
    """Independent columns, each with an event model, made when it is first needed."""

    formula = "naive_scores"

    counts: TableCounts
    classes: Array
    names: tuple[str, ...]  # of all columns
    settings: NaiveSettings
    prior_power: float = 1
    weights: Mapping[str, float] | None = None  # column -> weight, 1 where it has none
    held: HeldColumns | None = None  # what is not to be chosen again

    @cached_property
    def prior(self) -> ClassPrior:  # type: ignore[override]
        """P(c) of each class."""
        count, smoothing = self.counts.class_count, self._prior_smoothing()
        prior = named_prior(self.settings.prior, self.classes, count, smoothing)
        return with_power(prior, self.weights, self.prior_power)

    @cached_property
    def judged_by(self) -> str:  # type: ignore[override]
        """By folds, where kinds, bandwidths, cuts, lambdas or weights were chosen by the rows."""
        of_columns, of_others = self._rules
        numbers = {
            self.settings.kinds.get(name, self.settings.numeric)
            for name, counts in self.counts.columns.items()
            if isinstance(counts, NumberCounts)
        }
        is_choosing = None in (of_others, *of_columns.values()) or numbers & CHOOSING
        return IN_FOLDS if is_choosing or self.weights is not None else LEAVE_ONE_OUT

    @property
    def _rules(self) -> tuple[dict[str, Rule | None], Rule | None]:
        return self.settings.smoothing

    def _prior_smoothing(self) -> float:
        """lambda of the prior: by the rule of the columns, if all of them have the same."""
        of_columns, of_others = self._rules
        names = self.settings.kept(self.names)
        told = [of_columns.get(name, of_others) for name in names if of_columns] or [of_others]
        is_one = all(rule == told[0] for rule in told)
        return prior_smoothing(told[0] if is_one else None, len(self.classes))

    @cached_property
    def kept(self) -> dict[str, ColumnCounts]:
        """The counts of the columns that take part and have something observed."""
        named = self.settings.kept(self.names)
        columns = self.counts.columns
        return {name: columns[name] for name in named if name in columns}

    @cached_property
    def events(self) -> dict[str, EventModel]:
        """The event model of each of these columns."""
        # what is chosen takes long; the rest is faster than threads that wait for each other
        made = map if self.held is not None else in_threads
        return dict(zip(self.kept, made(self._event, self.kept), strict=True))

    @cached_property
    def _made_events(self) -> dict[str, EventModel]:
        """Those that were made so far: a notice may have asked for a few of them."""
        return {}

    def _event(self, name: str) -> EventModel:
        made = self._made_events.get(name)
        if made is None:
            made = self._made_events[name] = self._new_event(name)
        return made

    def _new_event(self, name: str) -> EventModel:
        counts, (of_columns, of_others) = self.kept[name], self._rules
        held = {} if self.held is None else self.held.columns
        choice = held.get(name, NOTHING_CHOSEN)
        kind = self.settings.kinds.get(name) or USUAL_KINDS.get(counts.holds, self.settings.numeric)
        if choice is NOTHING_CHOSEN:
            refuse_other_cells(name, kind, counts.holds)
        rule = of_columns.get(name, of_others)
        return make_event(
            counts, kind, rule, self.counts.class_count, self.settings.variance, choice
        )

    def chosen(self) -> HeldColumns:
        """All that was chosen, or was held already."""
        of_columns, of_others = self._rules
        choices = {
            name: choice_of(event, of_columns.get(name, of_others) is None)
            for name, event in self.events.items()
        }
        return HeldColumns(choices)

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each column; "ignore" also where nothing was observed yet."""
        events = self.events
        return {name: events[name].kind if name in events else "ignore" for name in self.names}

    @cached_property
    def uninformative(self) -> dict[str, str]:
        """The columns that say nothing about the class, and why; none that are to be ignored."""
        kept, kinds = self.settings.kept(self.names), self.settings.kinds
        return uninformative_columns(kept, self.kept, kinds, self._uncut)

    def _uncut(self, name: str) -> bool:
        # few columns have no cut: the others need not be estimated for the question
        counts = self.kept.get(name)
        if not isinstance(counts, NumberCounts) or has_cut(counts):
            return False
        return self._event(name).kind == "binned"

    @property
    def n_parameters(self) -> int:
        """K S for S values, bins or words, 2 K for a normal distribution, K for Poisson.

        A kernel density has its table of values by class and the bandwidth. So a table of
        categories has K times the sum of all S_j.
        """
        n_weights = 0 if self.weights is None else 1 + len(self.weights)
        return n_weights + sum(map(n_numbers, self.events.values()))

    def evidence(self, names: Sequence[str], prior: NormalPrior) -> LogEvidence:
        """log P of classes and cells, if all columns have a closed form."""
        of_columns, of_others = self._rules
        parts = {
            name: column_evidence(name, event, of_columns.get(name, of_others) is None)
            for name, event in self.events.items()
        }
        log = class_log_evidence(self.prior) + sum(part for part, _ in parts.values())
        return LogEvidence(log, {name: what for name, (_, what) in parts.items()})

    # scores ---------------------------------------------------------------------------------

    def blocks(self, rows: Table) -> list[slice]:
        """Columns are scored one after the other; a text has many words, each with its scores."""
        if rows.n_rows == 1:
            return [slice(0, 1)]
        has_texts = any(isinstance(cells, Texts) for cells in rows.columns.values())
        words = WORDS_OF_A_TEXT if has_texts else 1
        return row_blocks(rows.n_rows, words * len(self.counts.class_count))

    def scorer(self, rows: Table) -> Scorer:
        """The sum over the columns of their scores, times their weights."""
        if rows.n_rows == 1:
            scores = self._scores_of_one(rows)
            return lambda block: scores[block]
        return self._summed(rows, lambda event, cells, block: event.scores(cells[block]))

    def scorer_without(self, rows: Table, codes: Array, weights: Array) -> Scorer:
        """The same, each row less what it was counted for."""

        def score(event: EventModel, cells: Any, block: slice) -> Array:
            return scores_without(event, cells[block], codes[block], weights[block])

        return self._summed(rows, score)

    def _summed(self, rows: Table, score: Callable[[EventModel, Any, slice], Array]) -> Scorer:
        encoded, n_classes = self._encoded(rows), len(self.counts.class_count)
        weights = self._all_weights()

        def scores_of(block: slice) -> Array:
            scores = np.zeros((block.stop - block.start, n_classes))
            for (event, cells), weight in zip(encoded, weights, strict=True):
                added = score(event, cells, block)
                scores += added if weight == 1 else weighted(weight, added)
            return scores

        return scores_of

    def _scores_of_one(self, rows: Table) -> Array:
        """The same for a single row: (1, n_classes)."""
        n_classes = len(self.counts.class_count)
        scores = scores_of_one(self._encoded(rows), n_classes)
        if self.weights is not None:
            for at, weight in enumerate(self._all_weights()):
                scores[at] = weighted(weight, scores[at])
        return sum_of_groups(scores) if len(scores) else np.zeros((1, n_classes))

    def _encoded(self, rows: Table) -> list[tuple[EventModel, Any]]:
        return [(event, event.encode(rows.columns[name])) for name, event in self.events.items()]

    def _all_weights(self) -> list[float]:
        """The weight of each column that has an event model."""
        return [weight_of(self.weights, name) for name in self.events]

    @property
    def weighed(self) -> list[str]:
        """The columns that have an event model."""
        return list(self.events)

    def terms_without(self, rows: Table, some: Array, codes: Array, weights: Array) -> Array:
        """log P(c), and log p(x_j | c) of each column, each row as if it had not been learned.

        some : the numbers of the rows that are asked; codes and weights are theirs. The terms are
            without the weights of columns: (1 + n_columns, n_asked, n_classes).
        """
        of_columns = (
            scores_without(event, cells[some], codes, weights)
            for event, cells in self._encoded(rows)
        )
        return np.stack([self.prior.log_without(codes, weights).T, *of_columns])

    def sampled(self, codes: Array, rng: np.random.Generator) -> dict[str, Array]:
        """One row for each of these classes, as columns."""
        named = self.settings.kept(self.names)
        events, nothing = self.events, np.full(len(codes), None)
        return {n: events[n].sample(codes, rng) if n in events else nothing for n in named}

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Table) -> Array:
        """The scores of each column."""
        nothing = np.zeros((rows.n_rows, len(self.counts.class_count)))
        scores = dict.fromkeys(rows.columns, nothing)
        named = zip(self.events, self._encoded(rows), self._all_weights(), strict=True)
        for name, (event, cells), weight in named:
            scores[name] = weighted(weight, event.scores(cells))
        return np.stack([nothing, *scores.values()], axis=1)[:, 1:]  # also without any column

    def factors(
        self, row: Table, names: Sequence[str], shown: Sequence[str | None]
    ) -> list[Factor]:
        """The factors of each column that was observed."""
        factors: list[Factor] = []
        for (column, cells), name, text in zip(row.columns.items(), names, shown, strict=True):
            if column in self.events and text is not None:
                event, weight = self.events[column], weight_of(self.weights, column)
                factors += factors_to_the(weight, event.factors(name, text, event.encode(cells)))
        return factors

    # what was learned -----------------------------------------------------------------------

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with its bits."""
        events, prior = self.events, self.prior.probability
        n_rows = float(self.counts.class_count.sum())
        weights = self.weights or {}
        return [
            replace(
                event_summary(name, events[name], self.kept[name], prior, n_rows),
                weight=weights.get(name),
            )
            if name in events
            else ColumnSummary(name, "ignore", note="not used")
            for name in names
        ]

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """All that is known of a column."""
        column = names[place]
        if column not in self.events:
            return ColumnTable(column, "ignore")
        event, counts = self.events[column], self.kept[column]
        return event_table(column, event, counts, classes, self.prior.probability, exact)

    def pairs(
        self, names: Sequence[str], rows: Table | None, codes: Array | None
    ) -> DependentPairs | None:
        """Columns that depend on each other, where rows are given."""
        if rows is None or codes is None:
            return None
        found = list(rows.columns)
        if len(found) > MOST_COLUMNS:
            found = most_telling(self.summaries(names))
        columns: dict[str, Categories] = {}
        for name in found:
            levels = event_levels(rows.columns[name], self.events.get(name), codes)
            columns |= {} if levels is None else {name: levels}
        return dependent_levels(columns, codes, len(self.counts.class_count))
