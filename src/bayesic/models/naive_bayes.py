"""Naive Bayes for tables with columns of any kind: each column gets its own event model."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bayesic.data.arguments import check_one_of
from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.columns import Categories, Texts
from bayesic.data.tables import Table
from bayesic.estimation.bins import has_cut
from bayesic.estimation.dependence import DependentPairs
from bayesic.estimation.dirichlet_evidence import class_log_evidence
from bayesic.estimation.prior import ClassPrior, best_smoothing
from bayesic.estimation.univariate import VARIANCES
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.models.classifier import CountingClassifier
from bayesic.models.events.automatic import LAMBDAS
from bayesic.models.events.event import Event, scores_without
from bayesic.models.events.evidence import column_evidence
from bayesic.models.events.make import make_event, rules
from bayesic.models.fitted import Fitted, Scorer, learned
from bayesic.models.generative import (
    Generative,
    check_named_prior,
    named_prior,
    table_notices,
    why_nothing,
)
from bayesic.models.log_evidence import Evidence, HasEvidence
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.table_reader import TableReader
from bayesic.models.schema import (
    checked_kinds,
    checked_numeric,
    refuse_other_cells,
    refuse_unknown_names,
)
from bayesic.models.summaries.dependent_pairs import (
    MOST_COLUMNS,
    dependent_levels,
    event_levels,
    most_telling,
)
from bayesic.models.summaries.events import event_summary, event_table, n_numbers
from bayesic.statistics.levels import LevelCounts
from bayesic.statistics.numbers import NumberCounts
from bayesic.statistics.table_counts import ColumnCounts, TableCounts, table_counts

WORDS_OF_A_TEXT = 50


class NaiveBayes(HasEvidence, Generative, CountingClassifier):
    """Naive Bayes for tables as they are: strings, numbers, texts and gaps side by side.

        P(c | x)  ~  P(c) * product over the observed columns j of p_j(x_j | c)

    Each column has an event model of its own kind:

    - categorical: strings, booleans, whatever else is told to be; the smoothed share of each value
    - gaussian, kernel, binned: numbers; a normal distribution, a density of any shape, or bins that
      tell the classes apart. By default the one is taken under which the column alone tells the
      class best, by leave-one-out log score; among them categorical for few whole numbers, which
      always are categories without smoothing
    - poisson: counts. bernoulli: 0 or 1. text: words. ignore: not used

    A cell that is null is not observed and left out. What is kept of the data are counts and
    moments, so `partial_fit`, `forget` and `merge` are exact, new values and new classes may come
    at any time, and parameters set with `set_params` hold at once, without a new fit.

    Parameters
    ----------
    columns : dict of column name and kind, for columns that are not what they look like
    numeric : kind of all other columns of numbers: auto, gaussian, kernel, binned, poisson,
        categorical
    smoothing : lambda, the pseudo-count of every value; a dict of it by column name (1 for the
        others); ("m", m) for the m-estimate, by the shares over all classes, ("m", m, "uniform")
        by equal shares, ("m", m, {value: p}) by p of your own, for a single column; "auto" for
        the lambda of the best leave-one-out log loss in each column
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability
    variance : of gaussian columns: "smoothed" with a little of the spread within all classes, "ml"
        for scatter / N_c, "unbiased" for scatter / (N_c - 1). A class whose rows do not differ has
        the smoothed one in any case

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis()
    >>> model = by.NaiveBayes(smoothing=0).fit(tennis.to_dict(), y="PlayTennis")
    >>> print(model.work(("Sunny", "Cool", "High", "Strong")))
    P(No)·P(Sunny|No)·P(Cool|No)·P(High|No)·P(Strong|No) = 5/14·3/5·1/5·4/5·3/5 = 18/875
    P(Yes)·P(Sunny|Yes)·P(Cool|Yes)·P(High|Yes)·P(Strong|Yes) = 9/14·2/9·3/9·3/9·3/9 = 1/189
    P(No|x) = 486/611 = 0.7954
    P(Yes|x) = 125/611 = 0.2046
    """

    statistics_: TableCounts

    events_ = learned("events", "The event model of each column in which something was observed.")
    kinds_ = learned("kinds", 'The kind of each column; "ignore" also where nothing was observed.')

    def __init__(
        self,
        columns: Any = None,
        numeric: str = "auto",
        smoothing: Any = 1.0,
        prior: Any = "learned",
        variance: str = "smoothed",
    ) -> None:
        self.columns = columns
        self.numeric = numeric
        self.smoothing = smoothing
        self.prior = prior
        self.variance = variance

    def _check_parameters(self) -> None:
        checked_numeric(self.numeric)
        checked_kinds(self.columns)
        rules(self.smoothing)
        check_one_of("variance", self.variance, VARIANCES)
        check_named_prior(self.prior)

    def _reader(self) -> TableReader:
        counts = getattr(self, "statistics_", NOTHING).columns
        return TableReader(
            known_columns(self),
            checked_kinds(self.columns),
            checked_numeric(self.numeric),
            {name: column.holds for name, column in counts.items()},
            {name: c.levels for name, c in counts.items() if isinstance(c, LevelCounts)},
            {"smoothing": rules(self.smoothing)[0]},
        )

    def _count(self, X: Table, codes: Array, n_classes: int, weights: Array | None) -> TableCounts:
        return table_counts(X, codes, n_classes, weights)

    def _fit(self, statistics: TableCounts) -> "NaiveColumns":
        names, told = known_columns(self).names, checked_kinds(self.columns)
        refuse_unknown_names(told, names, "columns")
        refuse_unknown_names(rules(self.smoothing)[0], names, "smoothing")
        how = self.numeric, self.smoothing, self.variance, self.prior
        return NaiveColumns(statistics, self.classes_, names, told, *how)

    def _notices(self, seen: Any) -> Iterable[str]:
        fitted = self._fitted
        facts = fitted.uninformative, self.classes_, self.statistics_.class_count
        return table_notices(fitted.kept, fitted.told, *facts)

    def _has_features_of(self, statistics: TableCounts) -> bool:
        return set(statistics.columns) <= set(known_columns(self).names)


NOTHING = TableCounts.empty(0)


@dataclass(frozen=True, eq=False)
class NaiveColumns(Fitted):
    """Independent columns, each with an event model, made when it is first needed."""

    counts: TableCounts
    classes: Array
    names: tuple[str, ...]  # of all columns
    told: Mapping[str, str]  # column -> kind, as the user tells
    numeric: str
    smoothing: Any
    variance: str
    prior_told: Any

    @cached_property
    def prior(self) -> ClassPrior:  # type: ignore[override]
        """P(c) of each class."""
        count, smoothing = self.counts.class_count, self._prior_smoothing()
        return named_prior(self.prior_told, self.classes, count, smoothing)

    def _prior_smoothing(self) -> float:
        _, rule = rules(self.smoothing)
        if isinstance(self.smoothing, str):
            return best_smoothing(self.counts.class_count, LAMBDAS)
        return 1.0 if rule is None or isinstance(self.smoothing, (tuple, list)) else rule.amount

    @cached_property
    def kept(self) -> dict[str, ColumnCounts]:
        """The counts of the columns that take part and have something observed."""
        named = [name for name in self.names if self.told.get(name) != "ignore"]
        columns = self.counts.columns
        return {name: columns[name] for name in named if name in columns}

    @cached_property
    def events(self) -> dict[str, Event]:
        """The event model of each of these columns."""
        return dict(zip(self.kept, in_threads(self._made_event, self.kept), strict=True))

    def _made_event(self, name: str) -> Event:
        counts, (of_columns, of_others) = self.kept[name], rules(self.smoothing)
        usual = {"category": "categorical", "text": "text", "number": self.numeric}
        kind = self.told.get(name, usual[counts.holds])
        refuse_other_cells(name, kind, counts.holds)
        rule = of_columns.get(name, of_others)
        return make_event(counts, kind, rule, self.counts.class_count, self.variance)

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each column; "ignore" also where nothing was observed yet."""
        events = self.events
        return {name: events[name].kind if name in events else "ignore" for name in self.names}

    @cached_property
    def uninformative(self) -> dict[str, str]:
        """The columns that tell nothing of the class, and why; none that are to be ignored."""
        reasons = {
            name: why_nothing(
                self.kept.get(name), self.told.get(name), "no value was observed", self._uncut(name)
            )
            for name in self.names
            if self.told.get(name) != "ignore"
        }
        return {name: why for name, why in reasons.items() if why}

    def _uncut(self, name: str) -> bool:
        # few columns have no cut: the others need not be estimated for the question
        counts = self.kept.get(name)
        if not isinstance(counts, NumberCounts) or has_cut(counts):
            return False
        return self._made_event(name).kind == "binned"

    @property
    def n_parameters(self) -> int:
        """K S for S values, bins or words, 2 K for a normal distribution, K for Poisson.

        A kernel density has its table of values by class and the bandwidth. So a table of
        categories has K times the sum of all S_j.
        """
        return sum(map(n_numbers, self.events.values()))

    def evidence(self, names: Sequence[str]) -> Evidence:
        """log P of classes and cells, if all columns have a closed form."""
        of_columns, of_others = rules(self.smoothing)
        parts = {
            name: column_evidence(name, event, of_columns.get(name, of_others) is None)
            for name, event in self.events.items()
        }
        log = class_log_evidence(self.prior) + sum(part for part, _ in parts.values())
        return Evidence(log, {name: what for name, (_, what) in parts.items()})

    # scores ---------------------------------------------------------------------------------

    def blocks(self, rows: Table) -> list[slice]:
        """Columns are scored one after the other; a text has many words, each with its scores."""
        has_texts = any(isinstance(cells, Texts) for cells in rows.columns.values())
        words = WORDS_OF_A_TEXT if has_texts else 1
        return row_blocks(rows.n_rows, words * len(self.counts.class_count))

    def scorer(self, rows: Table) -> Scorer:
        """The sum over the columns of their scores."""
        return self._summed(rows, lambda event, cells, block: event.scores(cells[block]))

    def scorer_without(self, rows: Table, codes: Array, weights: Array) -> Scorer:
        """The same, each row less what it was counted for."""

        def score(event: Event, cells: Any, block: slice) -> Array:
            return scores_without(event, cells[block], codes[block], weights[block])

        return self._summed(rows, score)

    def _summed(self, rows: Table, score: Callable[[Event, Any, slice], Array]) -> Scorer:
        encoded, n_classes = self._encoded(rows), len(self.counts.class_count)

        def scores_of(block: slice) -> Array:
            scores = np.zeros((block.stop - block.start, n_classes))
            for event, cells in encoded:
                scores += score(event, cells, block)
            return scores

        return scores_of

    def _encoded(self, rows: Table) -> list[tuple[Event, Any]]:
        return [(event, event.encode(rows.columns[name])) for name, event in self.events.items()]

    def sampled(self, codes: Array, rng: np.random.Generator) -> dict[str, Array]:
        """One row for each of these classes, as columns."""
        named = [name for name in self.names if self.told.get(name) != "ignore"]
        events, nothing = self.events, np.full(len(codes), None)
        return {n: events[n].sample(codes, rng) if n in events else nothing for n in named}

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Table) -> Array:
        """The scores of each column."""
        nothing = np.zeros((rows.n_rows, len(self.counts.class_count)))
        scores = dict.fromkeys(rows.columns, nothing)
        for (event, cells), name in zip(self._encoded(rows), self.events, strict=True):
            scores[name] = event.scores(cells)
        return np.stack([nothing, *scores.values()], axis=1)[:, 1:]  # also without any column

    def factors(self, row: Table, names: Sequence[str], shown: Any) -> list[Factor]:
        """The factors of each column that was observed."""
        factors: list[Factor] = []
        for (column, cells), name, text in zip(row.columns.items(), names, shown, strict=True):
            if column in self.events and text is not None:
                event = self.events[column]
                factors += event.factors(name, text, event.encode(cells))
        return factors

    # what was learned -----------------------------------------------------------------------

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with its bits."""
        events, prior = self.events, self.prior.probability
        n_rows = float(self.counts.class_count.sum())
        return [
            event_summary(name, events[name], self.kept[name], prior, n_rows)
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

    def pairs(self, names: Sequence[str], rows: Any, codes: Any) -> DependentPairs | None:
        """Columns that depend on each other, where rows are given."""
        if rows is None:
            return None
        found = list(rows.columns)
        if len(found) > MOST_COLUMNS:
            found = most_telling(self.summaries(names))
        columns: dict[str, Categories] = {}
        for name in found:
            levels = event_levels(rows.columns[name], self.events.get(name), codes)
            columns |= {} if levels is None else {name: levels}
        return dependent_levels(columns, codes, len(self.counts.class_count))
