"""Naive Bayes for tables with columns of any kind: each column gets its own event model."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Literal

from bayesic.data.arguments import check_is_fitted, check_one_of, tell
from bayesic.data.snapshots import answering
from bayesic.data.source import Stored
from bayesic.data.tables import Table
from bayesic.data.typing import Choices, Decay, Kind, Label, Prior, Smoothing
from bayesic.estimation.univariate import VARIANCES
from bayesic.evidence.nomogram_scales import Nomogram
from bayesic.kernels import Array
from bayesic.models.columns.looks import table_notices
from bayesic.models.columns.naive_columns import NaiveColumns, NaiveSettings
from bayesic.models.columns.nomogram import naive_nomogram
from bayesic.models.columns.schema import checked_kinds, checked_numeric, refuse_unknown_names
from bayesic.models.columns.table_classifier import TableClassifier
from bayesic.models.columns.weighed_columns import COLUMN_WEIGHTS, check_weights, weights_of
from bayesic.models.counting import NORMAL_PRIOR
from bayesic.models.events.choice import HeldColumns, restored_columns
from bayesic.models.events.make import rules
from bayesic.models.fading import FADING, checked_half_life
from bayesic.models.fitted import learned
from bayesic.models.held_choices import check_choices, held_choices_of, holding
from bayesic.models.named_prior import check_named_prior
from bayesic.models.notes import Note
from bayesic.models.readers.counted_tables import counted_at_source, counted_columns
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.reader import Counted
from bayesic.models.readers.table_reader import TableReader
from bayesic.statistics.level_counts import LevelCounts
from bayesic.statistics.table_counts import TableCounts, table_counts

NOTHING = TableCounts.empty(0)


# notes ------------------------------------------------------------------------------------------


def _choose(model: "NaiveBayes", statistics: TableCounts, held: HeldColumns | None) -> HeldColumns:
    kinds = model._settings.kinds
    kept = {name for name in statistics.columns if kinds.get(name) != "ignore"}
    if held is not None and kept == held.columns.keys():
        return held
    return replace(model._fit(statistics), held=held).chosen()


def _restored(model: "NaiveBayes", state: dict[str, object]) -> HeldColumns:
    return restored_columns(state, known_columns(model).names)


def _looks(model: "NaiveBayes", seen: None) -> Iterable[str]:
    fitted = model._fitted
    facts = fitted.uninformative, model.classes_, model.statistics_.class_count
    return table_notices(fitted.kept, fitted.settings.kinds, *facts)


def _tell_other_kinds(
    model: "NaiveBayes", before: NaiveColumns, params: Mapping[str, object]
) -> None:
    """Say which columns another smoothing has made categories, or has made numbers again."""
    is_about_kinds = not params.keys().isdisjoint({"columns", "numeric"})
    if "events" not in vars(before) or "smoothing" not in params or is_about_kinds:
        return
    kinds = before.kinds
    others = [
        name
        for name, kind in model.kinds_.items()
        if (kind == "categorical") != (kinds[name] == "categorical")
    ]
    if others:
        kept = {name: kinds[name] for name in others}
        changed = "; ".join(
            f"{name!r}: {kept[name]} before, {model.kinds_[name]} now" for name in others
        )
        tell(
            f"This smoothing changes the types of columns that hold few whole numbers: {changed}. "
            f"To keep them, fit with columns={kept}."
        )


CHOICES_OF_COLUMNS = holding(_choose, _restored)
LOOKS = Note(notices=_looks)
KINDS = Note(reset=_tell_other_kinds)


# the model --------------------------------------------------------------------------------------


class NaiveBayes(TableClassifier[TableCounts, NaiveColumns, NaiveSettings]):
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
    columns : types (kinds) of columns that are not what they look like, by name: categorical,
        gaussian, kernel, binned, poisson, bernoulli, text or ignore
    numeric : type of all other numeric columns: auto, gaussian, kernel, binned, poisson or
        categorical
    smoothing : pseudo-count lambda of every value. A dict gives it by column name (1 for the
        others); ("m", m) is the m-estimate, by the shares over all classes, ("m", m, "uniform")
        by equal shares, ("m", m, {value: p}) by your own p, for a single column; "auto" is the
        lambda with the best leave-one-out log loss in each column
    prior : prior probabilities of the classes: "learned" with (N_c + lambda) / (N + K lambda),
        "uniform", or given for each class. A dict of class and probability gives them. lambda is
        that of smoothing; m / K of an m-estimate; 1 for "auto", and where columns differ
    variance : variance of gaussian columns: "smoothed" with a little of the spread within all
        classes, "ml" (divided by N_c) or "unbiased" (by N_c - 1). A class whose rows do not differ
        gets the smoothed one in any case
    weights : "learned", so that columns which repeat each other count less. None: each counts once.
        What is learned is P(c)^w_0 * product of p_j(x_j | c)^w_j with w >= 0 of the best
        conditional likelihood. `fit` learns the weights, from at most 1,000 rows, each as if it had
        not been learned, and they stay when the model learns more, forgets or is merged, until the
        next `fit`; before any `fit` they are 1. Above 300 columns all share one weight. `sample`,
        `log_density` and `log_evidence` ignore the weights
    choices : "always": what is chosen from the data (types of numeric columns, cut points,
        bandwidths, lambdas of smoothing="auto") always reflects all rows; or "hold": it stays until
        there are a tenth more or fewer rows than when it was chosen, or `choose_again` is called.
        Then learning a row, and the next answer, cost only what the row changes. `forget` and
        `merge` follow the same rule: the choices are made again if they change the rows by a tenth,
        so that held choices depend only on the rows learned and forgotten. A column whose first
        value appears in between is chosen then. Setting a parameter discards all choices
    decay : half-life, in rows or in time: rows or texts this old count half as much. 1000 rows, or
        a span of time such as "30 days"; None, all rows count alike. See docs/online.md

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
    notes = (FADING, CHOICES_OF_COLUMNS, COLUMN_WEIGHTS, LOOKS, KINDS)
    fitted_class = NaiveColumns
    unused = ("text", *NORMAL_PRIOR)

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

    def _parse(self) -> NaiveSettings:
        check_weights(self.weights)
        check_choices(self.choices)
        checked_half_life(self.decay)
        check_one_of("variance", self.variance, VARIANCES)
        check_named_prior(self.prior)
        kinds, numeric = checked_kinds(self.columns), checked_numeric(self.numeric)
        return NaiveSettings(kinds, numeric, rules(self.smoothing), self.prior, self.variance)

    def _reader(self) -> TableReader:
        counts, settings = getattr(self, "statistics_", NOTHING).columns, self._settings
        return TableReader(
            known_columns(self),
            settings.kinds,
            settings.numeric,
            {name: column.holds for name, column in counts.items()},
            {name: c.levels for name, c in counts.items() if isinstance(c, LevelCounts)},
            {"smoothing": settings.smoothing[0]},
        )

    def _count(self, X: Table, codes: Array, n_classes: int, weights: Array | None) -> TableCounts:
        return table_counts(X, codes, n_classes, weights)

    def _counted_at_source(self, source: Stored, target: str) -> Counted | None:
        return counted_at_source(self, source, target, counted_columns)

    def _fit(self, statistics: TableCounts) -> NaiveColumns:
        names, settings = known_columns(self).names, self._settings
        refuse_unknown_names(settings.kinds, names, "columns")
        refuse_unknown_names(settings.smoothing[0], names, "smoothing")
        weights, held = weights_of(self), held_choices_of(self)
        return NaiveColumns(statistics, self.classes_, names, settings, **weights, held=held)

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
