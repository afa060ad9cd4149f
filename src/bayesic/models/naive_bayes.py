"""Naive Bayes for tables with columns of any kind: each column gets its own event model."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from bayesic.data.arguments import check_one_of, is_number
from bayesic.data.snapshots import answering
from bayesic.data.tables import Table
from bayesic.estimation.term_weights import term_weights
from bayesic.estimation.univariate import VARIANCES
from bayesic.kernels import Array
from bayesic.models.classifier import CountingClassifier
from bayesic.models.events.make import rules
from bayesic.models.fitted import learned
from bayesic.models.generative import Generative, check_named_prior, table_notices
from bayesic.models.log_evidence import HasEvidence
from bayesic.models.naive_columns import NaiveColumns
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.models.readers.table_reader import TableReader
from bayesic.models.schema import checked_kinds, checked_numeric, refuse_unknown_names
from bayesic.statistics.levels import LevelCounts
from bayesic.statistics.table_counts import TableCounts, table_counts

# Weights are learned from at most so many rows, and so many terms of theirs: one for each column
# and class.
ROWS_FOR_WEIGHTS, TERMS_FOR_WEIGHTS = 1000, 20_000_000


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
    weights : None, each column counts once; or "learned", P(c)^w_0 * product of p_j(x_j | c)^w_j
        with w >= 0 of the best conditional likelihood, for columns that depend on each other. They
        are learned by `fit`, from at most 1,000 rows, each as if it had not been learned, and stay
        when the model learns on, forgets or is merged, until the next `fit`; before any they are 1.
        Above 300 columns one weight holds for all. `sample`, `log_density` and `log_evidence` know
        no weights

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

    weights_: dict[str, float]  # of each column, if they were learned
    prior_weight_: float

    def __init__(
        self,
        columns: Any = None,
        numeric: str = "auto",
        smoothing: Any = 1.0,
        prior: Any = "learned",
        variance: str = "smoothed",
        weights: str | None = None,
    ) -> None:
        self.columns = columns
        self.numeric = numeric
        self.smoothing = smoothing
        self.prior = prior
        self.variance = variance
        self.weights = weights

    def _check_parameters(self) -> None:
        checked_numeric(self.numeric)
        checked_kinds(self.columns)
        rules(self.smoothing)
        check_one_of("variance", self.variance, VARIANCES)
        check_named_prior(self.prior)
        if self.weights is not None:
            check_one_of("weights", self.weights, ("learned",))

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

    def _fit(self, statistics: TableCounts) -> NaiveColumns:
        names, told = known_columns(self).names, checked_kinds(self.columns)
        refuse_unknown_names(told, names, "columns")
        refuse_unknown_names(rules(self.smoothing)[0], names, "smoothing")
        how = self.numeric, self.smoothing, self.variance, self.prior
        return NaiveColumns(statistics, self.classes_, names, told, *how, *self._weights())

    def _weights(self) -> tuple[float, Mapping[str, float] | None]:
        """The weight of the prior, and those of the columns; None where there are none."""
        if self.weights is None or not hasattr(self, "weights_"):
            return 1, None
        return self.prior_weight_, self.weights_

    def _after_counting(self, rows: Iterable[CodedRows], is_all: bool) -> None:
        """With weights="learned", for `fit`: learn them from some of the rows."""
        if self.weights is None or not is_all:
            return
        fitted = self._fit(self.statistics_)
        counts = self.statistics_.class_count
        n_rows = sum(len(some.codes) for some in rows) if counts.dtype.kind == "f" else counts.sum()
        n_terms = len(self.classes_) * (1 + len(fitted.events))
        most = max(1, min(ROWS_FOR_WEIGHTS, TERMS_FOR_WEIGHTS // n_terms))
        parts = []
        for block, some in _drawn(int(n_rows), most, rows):
            codes, each = block.codes[some], block.all_weights[some]
            # a row of weight 2 is two rows: the other one stays
            terms = fitted.terms_without(block.X, some, codes, np.minimum(each, 1))
            parts.append((terms, codes[None], each[None]))
        joined = (np.concatenate(some, axis=1) for some in zip(*parts, strict=True))
        all_terms, [all_codes], [row_weights] = joined
        best = term_weights(all_terms, all_codes, row_weights)
        self.prior_weight_, *of_columns = best.tolist()
        self.weights_ = dict(zip(fitted.events, of_columns, strict=True))

    def _notices(self, seen: Any) -> Iterable[str]:
        fitted = self._fitted
        facts = fitted.uninformative, self.classes_, self.statistics_.class_count
        return table_notices(fitted.kept, fitted.told, *facts)

    def _has_features_of(self, statistics: TableCounts) -> bool:
        return set(statistics.columns) <= set(known_columns(self).names)

    def _extra_state(self) -> dict[str, Any]:
        if not hasattr(self, "weights_"):
            return {}
        return {"prior_weight": self.prior_weight_, "weights": self.weights_}

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        if state == {}:
            return
        if set(state) != {"prior_weight", "weights"} or not isinstance(state["weights"], dict):
            raise ValueError("The weights must be one of the prior, and one of each column.")
        prior, columns = state["prior_weight"], state["weights"]
        refuse_unknown_names(columns, known_columns(self).names, "weights")
        if not all(is_number(each) and 0 <= each < np.inf for each in (prior, *columns.values())):
            raise ValueError("Weights must be finite numbers of 0 or more.")
        self.prior_weight_, self.weights_ = prior, columns

    @answering
    def log_density(self, X: Any) -> Array:
        """log p(x) of each row, summed over the classes: low for rows unlike all that was learned.

        For columns that are not observed it is the density of the others.
        """
        if self.weights is not None:  # they tell classes apart, and are no part of p(x)
            self.weights = None
        return super().log_density(X)


def _drawn(n_rows: int, most: int, rows: Iterable[CodedRows]) -> Iterator[tuple[CodedRows, Array]]:
    """Blocks, and which of their rows are drawn: so many at most, at random, always the same.

    Every so many rows would not do: tables may be in an order that comes back.
    """
    rng = np.random.default_rng(0)
    chosen = np.sort(rng.choice(n_rows, min(most, n_rows), replace=False))
    first = 0  # number of the first row of a block among all
    for block in rows:
        some = chosen[(chosen >= first) & (chosen < first + len(block.codes))] - first
        if len(some):
            yield block, some
        first += len(block.codes)


NOTHING = TableCounts.empty(0)
