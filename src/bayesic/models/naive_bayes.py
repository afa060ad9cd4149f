"""Naive Bayes for tables with columns of any kind: each column gets its own event model."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, Self

from bayesic.data.arguments import check_is_fitted, check_one_of, tell
from bayesic.data.snapshots import answering, learning
from bayesic.data.tables import Table
from bayesic.data.typing import Choices, Decay, Kind, Label, Prior, Smoothing
from bayesic.estimation.univariate import VARIANCES
from bayesic.evidence.nomogram import Nomogram
from bayesic.kernels import Array
from bayesic.models.classifier import CountingClassifier
from bayesic.models.counting import IN_FOLDS, LEAVE_ONE_OUT
from bayesic.models.events.choice import HeldColumns, restored_columns
from bayesic.models.events.make import rules
from bayesic.models.fading import Fades
from bayesic.models.fitted import learned
from bayesic.models.generative import Generative, check_named_prior, table_notices
from bayesic.models.held_choices import HoldsChoices
from bayesic.models.log_evidence import HasEvidence
from bayesic.models.naive_columns import NaiveColumns
from bayesic.models.nomogram import naive_nomogram
from bayesic.models.readers.counted_tables import Counted, counted_at_source, counted_columns
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.reader import CodedRows
from bayesic.models.readers.table_reader import TableReader
from bayesic.models.schema import checked_kinds, checked_numeric, refuse_unknown_names
from bayesic.models.weighed_columns import (
    check_weights,
    learn_weights,
    restore_weights,
    state_of_weights,
    weights_of,
)
from bayesic.statistics.additive import among_classes
from bayesic.statistics.levels import LevelCounts
from bayesic.statistics.numbers import NumberCounts
from bayesic.statistics.table_counts import TableCounts, table_counts


class NaiveBayes(Fades, HoldsChoices, HasEvidence, Generative, CountingClassifier):
    """Naive Bayes for tables as they are: strings, numbers, texts and missing values side by side.

        P(c | x)  ~  P(c) * product over the observed columns j of p_j(x_j | c)

    Each column has an event model according to its type:

    - categorical: strings, booleans, whatever is declared categorical; the smoothed share of each
      value
    - gaussian, kernel, binned: numbers; a normal distribution, a density of any shape, or bins that
      separate the classes. By default the type with which the column alone best predicts the class
      is chosen, by leave-one-out log score; for few whole numbers categorical is tried too, and
      in up to 30 rows, or without smoothing, they always are categories
    - poisson: counts. bernoulli: 0 or 1. text: words. ignore: not used

    Missing values are left out. The model keeps only counts and moments, so `partial_fit`, `forget`
    and `merge` are exact, new values and new classes may appear at any time, and parameters set
    with `set_params` take effect at once, without a new fit.

    Parameters
    ----------
    columns : dict of column name to column type (kind), for columns that are not what they look
        like
    numeric : kind of all other numeric columns: auto, gaussian, kernel, binned, poisson,
        categorical
    smoothing : lambda, the pseudo-count of every value; a dict of it by column name (1 for the
        others); ("m", m) for the m-estimate, by the shares over all classes, ("m", m, "uniform")
        by equal shares, ("m", m, {value: p}) by your own p, for a single column; "auto" for the
        lambda with the best leave-one-out log loss in each column
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability. lambda is that of smoothing; m / K of an m-estimate; 1 for "auto", and where
        columns differ
    variance : of gaussian columns: "smoothed" with a little of the spread within all classes, "ml"
        for scatter / N_c, "unbiased" for scatter / (N_c - 1). A class whose rows do not differ gets
        the smoothed one in any case
    weights : None, each column counts once; or "learned", P(c)^w_0 * product of p_j(x_j | c)^w_j
        with w >= 0 of the best conditional likelihood, for columns that depend on each other. They
        are learned by `fit`, from at most 1,000 rows, each as if it had not been learned, and stay
        when the model learns more, forgets or is merged, until the next `fit`; before any `fit`
        they are 1. Above 300 columns all share one weight. `sample`, `log_density` and
        `log_evidence` ignore the weights
    choices : "always": what is chosen from the data (types of numeric columns, cut points,
        bandwidths, lambdas of smoothing="auto") always reflects all rows; or "hold": it stays until
        there are a tenth more or fewer rows than when it was chosen, or `choose_again` is called.
        Then learning a row, and the next answer, cost only what the row changes. `forget` and
        `merge` follow the same rule: the choices are made again if they change the rows by a tenth,
        so that held choices depend only on the rows learned and forgotten. A column whose first
        value appears in between is chosen then. Setting a parameter discards all choices
    decay : None, all rows count alike; or a half-life, 1000 rows or a span of time such as "30
        days": a row this old counts half as much. See docs/online.md

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
        columns: Mapping[str, Kind] | None = None,
        numeric: Literal["auto", "gaussian", "kernel", "binned", "poisson", "categorical"] = "auto",
        smoothing: Smoothing | Mapping[str, Smoothing] = 1.0,
        prior: Prior = "learned",
        variance: Literal["smoothed", "ml", "unbiased"] = "smoothed",
        weights: Literal["learned"] | None = None,
        choices: Choices = "always",
        decay: Decay = None,
    ) -> None:
        self.columns = columns
        self.numeric = numeric
        self.smoothing = smoothing
        self.prior = prior
        self.variance = variance
        self.weights = weights
        self.choices = choices
        self.decay = decay

    def _check_parameters(self) -> None:
        checked_kinds(self.columns)
        checked_numeric(self.numeric)
        rules(self.smoothing)
        check_one_of("variance", self.variance, VARIANCES)
        check_named_prior(self.prior)
        check_weights(self.weights)
        self._check_choices()
        self._check_decay()

    def _judged_by(self) -> str:
        told = checked_kinds(self.columns)
        of_columns, of_all = rules(self.smoothing)
        of_numbers = {
            told.get(name, self.numeric)
            for name, counts in self.statistics_.columns.items()
            if isinstance(counts, NumberCounts)
        }
        is_choosing = None in (of_all, *of_columns.values()) or of_numbers & CHOOSING
        return IN_FOLDS if is_choosing or self.weights is not None else LEAVE_ONE_OUT

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

    def _add_rows(self, rows: Iterable[CodedRows], declared: Array | None) -> None:
        """A few rows are added one after the other: it does not matter in how many calls they come.

        All of them at once would round moments in another way.
        """
        counts = getattr(self, "statistics_", None)
        if counts is None or not counts.is_whole or declared is not None or not _are_few(rows):
            super()._add_rows(rows, declared)
            return
        for block in rows:
            if block.classes is not self.classes_:
                self.classes_, counts = among_classes(block.classes, self.classes_, counts)
            counts = counts.with_rows(block.X, self._with_known_classes(block).codes)
        self.statistics_ = counts

    def _counted_at_source(self, X: Any, target: str) -> Counted | None:
        return counted_at_source(self, X, target, counted_columns)

    def _fit(self, statistics: TableCounts) -> NaiveColumns:
        names, told = known_columns(self).names, checked_kinds(self.columns)
        refuse_unknown_names(told, names, "columns")
        refuse_unknown_names(rules(self.smoothing)[0], names, "smoothing")
        how = self.numeric, self.smoothing, self.variance, self.prior
        weights = weights_of(self)
        return NaiveColumns(
            statistics, self.classes_, names, told, *how, **weights, held=self._held
        )

    def _choose(self, statistics: TableCounts, held: HeldColumns | None) -> HeldColumns:
        told = checked_kinds(self.columns)
        kept = {name for name in statistics.columns if told.get(name) != "ignore"}
        if held is not None and kept == held.columns.keys():
            return held
        return replace(self._fit(statistics), held=held).chosen()

    def _choices_state(self, choices: HeldColumns) -> dict[str, Any]:
        return choices.state()

    def _restored_choices(self, state: dict[str, Any]) -> HeldColumns:
        return restored_columns(state, known_columns(self).names)

    @learning
    def set_params(self, **params: Any) -> Self:
        """Set parameters of the constructor, all of them at once.

        They take effect at once, as if the model had learned with them. A warning says where
        another smoothing makes numbers of whole numbers that were categories, or categories of
        numbers.
        """
        fitted = vars(self._following).get("fitted") if hasattr(self, "_following") else None
        before = fitted.kinds if fitted is not None and "events" in vars(fitted) else {}
        super().set_params(**params)
        if before and "smoothing" in params and params.keys().isdisjoint({"columns", "numeric"}):
            _tell_of_other_kinds(before, self.kinds_)
        return self

    @answering
    def nomogram(self, answer: Label | None = None, against: Label | None = None) -> Nomogram:
        """The whole model as points to add up: what each value adds to the log odds of two classes.

        answer, against : the classes; by default the last and the first of classes_

        >>> import bayesic as by
        >>> tennis = by.datasets.play_tennis().to_dict()
        >>> model = NaiveBayes(smoothing=0).fit(tennis, y="PlayTennis")
        >>> print(model.nomogram("No", "Yes"))  # doctest: +ELLIPSIS
        No rather than Yes: what each value adds to the log odds
        prior -0.5878
        column       value      weight
        Outlook      Overcast     -inf
        Outlook      Rain       0.1823
        Outlook      Sunny      0.9933
        ...
        """
        check_is_fitted(self)
        return naive_nomogram(self._fitted, self.classes_.tolist(), answer, against)

    def _after_counting(self, rows: Iterable[CodedRows], is_all: bool) -> None:
        if self.weights is not None and is_all:
            learn_weights(self, rows)

    def _extra_state(self) -> dict[str, Any]:
        return {**super()._extra_state(), **state_of_weights(self)}

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        super()._restore_extra_state(restore_weights(self, state))

    def _notices(self, seen: Any) -> Iterable[str]:
        fitted = self._fitted
        facts = fitted.uninformative, self.classes_, self.statistics_.class_count
        return table_notices(fitted.kept, fitted.told, *facts)

    def _has_features_of(self, statistics: TableCounts) -> bool:
        return set(statistics.columns) <= set(known_columns(self).names)


def _tell_of_other_kinds(before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Say which columns have become categories, or are none any more."""
    others = [
        name
        for name, kind in after.items()
        if (kind == "categorical") != (before[name] == "categorical")
    ]
    if others:
        kept = {name: before[name] for name in others}
        changed = "; ".join(f"{name!r}: {kept[name]} before, {after[name]} now" for name in others)
        tell(
            "With this smoothing, codes become numbers or numbers codes, as predicts the class "
            f"best: {changed}. To keep what a column was, fit with columns={kept}."
        )


def _are_few(rows: Iterable[CodedRows]) -> bool:
    """Whether these are a few rows in memory, which count once each."""
    if not isinstance(rows, list) or not rows:
        return False
    return all(block.weights is None and block.X.n_rows <= ROWS_IN_TURN for block in rows)


NOTHING = TableCounts.empty(0)
ROWS_IN_TURN = 1000
CHOOSING = {"auto", "kernel", "binned"}  # kinds, bandwidths and cuts are chosen by the rows
