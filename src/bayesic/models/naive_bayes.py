"""Naive Bayes for tables with columns of any kind: each column gets its own event model."""

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesic.data.arguments import check_one_of
from bayesic.data.blocks import in_threads
from bayesic.data.columns import Categories
from bayesic.data.snapshots import answering
from bayesic.data.tables import Table
from bayesic.estimation.bins import has_cut
from bayesic.estimation.normal import VARIANCES
from bayesic.estimation.pairs import DependentPairs
from bayesic.estimation.prior import best_smoothing
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.models.base import Scorer
from bayesic.models.events.choice import LAMBDAS
from bayesic.models.events.event import Event, scores_without
from bayesic.models.events.make import make_event, rules
from bayesic.models.generative import GenerativeTableModel
from bayesic.models.schema import refuse_other_cells, refuse_unknown_names
from bayesic.models.summaries.events import event_summary, event_table, n_numbers
from bayesic.models.summaries.rows import MOST_COLUMNS, dependent_levels, event_levels, most_telling
from bayesic.statistics.numbers import NumberCounts
from bayesic.statistics.tables import ColumnCounts, TableCounts, table_counts

Array = np.ndarray


# What follows from statistics and parameters, as long as the statistics are in use. It is kept
# beside the models: asking one does not change it.
_EVENTS: "WeakKeyDictionary[TableCounts, tuple[str, dict[str, Event]]]" = WeakKeyDictionary()


class NaiveBayes(GenerativeTableModel):
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

    def _check_parameters(self, first: bool) -> None:
        self._told_kinds()
        rules(self.smoothing)
        check_one_of("variance", self.variance, VARIANCES)
        self._check_prior()

    def _summarise(
        self, X: Table, codes: Array, n_classes: int, weights: Array | None
    ) -> TableCounts:
        return table_counts(X, codes, n_classes, weights)

    # what follows from the statistics ---------------------------------------------------------

    @property
    @answering
    def events_(self) -> dict[str, Event]:
        """The event model of each column in which something was observed."""
        made_with = repr((self.get_params(deep=False), self._all_names()))
        known = _EVENTS.get(self.statistics_)
        if known is None or known[0] != made_with:
            known = _EVENTS[self.statistics_] = made_with, self._made_events()
        return known[1]

    def _made_events(self) -> dict[str, Event]:
        self._check_parameters(first=False)
        self._check_names(self._all_names())
        columns = self.statistics_.columns
        observed = [name for name in self._kept_names() if name in columns]
        return dict(zip(observed, in_threads(self._made_event, observed), strict=True))

    def _made_event(self, name: str) -> Event:
        counts, (of_columns, of_others) = self.statistics_.columns[name], rules(self.smoothing)
        kind = self._told_kinds().get(name, self._usual_kind(counts))
        refuse_other_cells(name, kind, counts.holds)
        rule = of_columns.get(name, of_others)
        return make_event(counts, kind, rule, self.statistics_.class_count, self.variance)

    def _check_names(self, names: Sequence[str]) -> None:
        super()._check_names(names)
        refuse_unknown_names(rules(self.smoothing)[0], names, "smoothing")

    def _usual_kind(self, counts: ColumnCounts) -> str:
        return {"category": "categorical", "text": "text", "number": self.numeric}[counts.holds]

    @property
    @answering
    def kinds_(self) -> dict[str, str]:
        """The kind of each column; "ignore" also where nothing was observed yet."""
        events = self.events_
        return {
            name: events[name].kind if name in events else "ignore" for name in self._all_names()
        }

    def _prior_smoothing(self) -> float:
        _, rule = rules(self.smoothing)
        if isinstance(self.smoothing, str):
            return best_smoothing(self.statistics_.class_count, LAMBDAS)
        return 1.0 if rule is None or isinstance(self.smoothing, (tuple, list)) else rule.amount

    # what was learned -------------------------------------------------------------------------

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside; that shares sum to 1 takes none away.

        With K classes, a column has K S for S values, bins or words, 2 K for a normal distribution,
        K for Poisson, and for a kernel density its table of values by class and the bandwidth. So a
        table of categories has K times the sum of all S_j.
        """
        check_is_fitted(self)
        return sum(map(n_numbers, self.events_.values()))

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        events, statistics, prior = self.events_, self.statistics_, self.class_prior_
        n_rows = float(statistics.class_count.sum())
        return [
            event_summary(name, events[name], statistics.columns[name], prior, n_rows)
            if name in events
            else ColumnSummary(name, "ignore", note="not used")
            for name in self._all_names()
        ]

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        if column not in self.events_:
            return ColumnTable(column, "ignore")
        return event_table(
            column,
            self.events_[column],
            self.statistics_.columns[column],
            self.classes_.tolist(),
            self.class_prior_,
            fractions,
        )

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs | None:
        if X is None:
            return None
        table, codes = self._rows_in_memory(X, y)
        names, events = list(table.columns), self.events_
        if len(names) > MOST_COLUMNS:
            names = most_telling(self._column_summaries(None, None))
        columns: dict[str, Categories] = {}
        for name in names:
            levels = event_levels(table.columns[name], events.get(name), codes)
            columns |= {} if levels is None else {name: levels}
        return dependent_levels(columns, codes, len(self.classes_))

    def _column_counts(self) -> dict[str, ColumnCounts]:
        kept = self._kept_names()
        return {name: each for name, each in self.statistics_.columns.items() if name in kept}

    def _tells_nothing(self, name: str, counts: ColumnCounts) -> bool:
        # few columns have no cut: the others need not be estimated for the question
        if not isinstance(counts, NumberCounts) or has_cut(counts):
            return False
        return self._made_event(name).kind == "binned"

    # answers ----------------------------------------------------------------------------------

    def _sampled_columns(self, codes: Array, rng: np.random.Generator) -> dict[str, Array]:
        events = self.events_
        return {
            name: events[name].sample(codes, rng) if name in events else np.full(len(codes), None)
            for name in self._kept_names()
        }

    def _scorer(self, X: Table) -> Scorer:
        encoded = self._encoded(X)
        n_classes = len(self.classes_)

        def scores_of(rows: slice) -> Array:
            scores = np.zeros((rows.stop - rows.start, n_classes))
            for event, cells in encoded:
                scores += event.scores(cells[rows])
            return scores

        return scores_of

    def _leave_one_out_scorer(self, X: Table, codes: Array, weights: Array) -> Scorer:
        encoded = self._encoded(X)
        n_classes = len(self.classes_)

        def scores_of(rows: slice) -> Array:
            scores = np.zeros((rows.stop - rows.start, n_classes))
            for event, cells in encoded:
                scores += scores_without(event, cells[rows], codes[rows], weights[rows])
            return scores

        return scores_of

    def _encoded(self, X: Table) -> list[tuple[Event, Any]]:
        return [(event, event.encode(X.columns[name])) for name, event in self.events_.items()]

    # reasons ----------------------------------------------------------------------------------

    def _feature_scores(self, X: Table) -> Array:
        nothing = np.zeros((X.n_rows, len(self.classes_)))
        scores = dict.fromkeys(X.columns, nothing)
        for (event, cells), name in zip(self._encoded(X), self.events_, strict=True):
            scores[name] = event.scores(cells)
        return np.stack([nothing, *scores.values()], axis=1)[:, 1:]  # also without any column

    def _factors(self, X: Table, names: list[str]) -> list[Factor]:
        events, factors = self.events_, []
        shown = dict(zip(X.columns, self._shown_values(X)[0], strict=True))
        for column, name in zip(X.columns, names, strict=True):
            text = shown[column]
            if column in events and text is not None:
                encoded = events[column].encode(X.columns[column])
                factors += events[column].factors(name, text, encoded)
        return factors
