"""Averaged n-dependence estimators: the mean of models in which all depends on a few columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb, prod
from types import ModuleType

import numpy as np

from bayesic.data.arguments import is_whole_number
from bayesic.data.languages import Sentence
from bayesic.data.tables import Table
from bayesic.data.typing import Choices, Decay, DependenceSmoothing, Kind, Prior
from bayesic.estimation.dependent_columns import Parents
from bayesic.estimation.families import (
    as_columns_enter,
    averages,
    drawn,
    families,
    leaning_averages,
    shares_given,
    shares_of_levels,
)
from bayesic.estimation.smoothing import BackOff, Smoothing
from bayesic.evidence.explanation import steps_between
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.kernels.back_off import LeaningAverages
from bayesic.kernels.combinations import Averages, LevelRows, some_rows
from bayesic.models.events.make import checked_amount
from bayesic.models.fitted import IN_FOLDS, LEAVE_ONE_OUT
from bayesic.models.levels.level_classifier import LevelClassifier, level_settings
from bayesic.models.levels.level_columns import ROWS_AT_ONCE, LevelColumns
from bayesic.models.levels.level_settings import LevelSettings
from bayesic.models.readers.reader import CodedRows
from bayesic.statistics.combinations import CombinationCounts


@dataclass(frozen=True, eq=False, kw_only=True)
class AveragedColumns(LevelColumns):
    """The mean of the models of all sets of n columns that the others depend on."""

    formula = "averaged_scores"

    n: int
    at_least: float  # rows that a level must have for others to depend on it

    @property
    def judged_by(self) -> str:  # type: ignore[override]
        """By folds, where bins or the strength of the back-off were chosen by the rows."""
        return IN_FOLDS if self.counts.edges or self.was_chosen else LEAVE_ONE_OUT

    def losses(self, rows: CodedRows, rules: Sequence[Smoothing]) -> Array:
        """The loss of each rule."""
        return np.concatenate(self.losses_of(rows, rules))

    @property
    def n_parameters(self) -> int:
        """Numbers of all models together.

        For each set of columns that the others depend on, K times its combinations of levels, and
        for each of these the levels of all other columns.
        """
        n_levels, of_models = self.n_levels, 0
        for given in self._sets().tolist():
            n_cells = prod(n_levels[column] for column in given)
            others = sum(n_levels) - sum(n_levels[column] for column in given)
            of_models += n_cells * (1 + others) if given else 0
        return len(self.classes) * of_models

    def _sets(self) -> Array:
        """The sets of columns that the others depend on."""
        return self.counts.layout.columns(min(self.n, len(self.counts.levels)))

    # scores ---------------------------------------------------------------------------------

    def cells_per_row(self) -> int:
        """A number for each set of columns and class."""
        return max(comb(len(self.counts.levels), self.n), 1) * len(self.classes)

    @property
    def rows_at_once(self) -> int:  # type: ignore[override]
        """Rows of a block, at least."""
        return ROWS_AT_ONCE // 8 if self.n == 2 else ROWS_AT_ONCE  # pairs are work enough

    def row_scores(self, rows: LevelRows, kernels: ModuleType) -> Array:
        """log of the mean of the models."""
        return self._mean_of_models(rows, kernels, self.n)

    def prepare(self) -> None:
        """Make what the means are taken of."""
        self._averages(self.n)

    def _averages(self, n: int) -> Averages | LeaningAverages:
        counts, tables = self.counts, self.tables
        if not isinstance(self.rule, BackOff):
            return self.together.once(("averages", n), partial(averages, counts, tables, n))
        _, of_pairs = self.together.informations
        make = partial(leaning_averages, counts, tables, n, of_pairs)
        return self.together.once(("leaning averages", n), make)

    def _mean_of_models(self, rows: LevelRows, kernels: ModuleType, n: int) -> Array:
        tables = self.tables
        if n == 0:
            return self._alone_scores(rows, kernels).sum(axis=0)
        of_sets = self._averages(n)
        (scores,), (n_models,) = kernels.averaged_scores(
            rows, tables.table, tables.margins, of_sets, self.at_least
        )
        alone = np.flatnonzero(n_models == 0)
        if len(alone):
            scores[alone] = self._mean_of_models(some_rows(rows, alone), kernels, n - 1)
        return scores

    def _means_as_columns_enter(
        self, rows: LevelRows, kernels: ModuleType, n: int, order: Array
    ) -> Array:
        """The same of no column, of the first in this order, of the first two, and so on.

        order : the numbers of all columns. A mean of fewer columns is a step on the way to that of
            all, so they take as long as this one: (n_columns + 1, n_rows, n_classes).
        """
        if n == 0:
            added = self._alone_scores(rows, kernels)[order]
            return np.cumsum(np.concatenate([np.zeros((1, *added.shape[1:])), added]), axis=0)
        tables, of_sets = self.tables, as_columns_enter(self._averages(n), order)
        scores, n_models = kernels.averaged_scores(
            rows, tables.table, tables.margins, of_sets, self.at_least
        )
        fewer = self._means_as_columns_enter(rows, kernels, n - 1, order)
        return np.where(n_models[:, :, None] > 0, scores, fewer)

    def _alone_scores(self, rows: LevelRows, kernels: ModuleType) -> Array:
        """log p(x_j | c) of each column: (n_columns, n_rows, n_classes)."""
        tables = self.tables
        no_parents: Parents = [()] * len(self.counts.levels)
        alone = self.together.once("alone", partial(families, tables, no_parents))
        return kernels.family_scores(rows, tables.table, tables.margins, alone)

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Table) -> Array:
        """log p(x_j | x_1 .. x_j-1, c): how the score changes as the columns enter one by one."""
        levels, kernels = self.encoded(rows), self.kernels_for(rows.n_rows)
        place = {name: column for column, name in enumerate(self.counts.levels)}
        columns = [place[name] for name in rows.columns if name in place]
        order = np.array([*columns, *sorted({*place.values()} - {*columns})], np.intp)
        along = [
            self._means_as_columns_enter(self.rows_of(levels[:, block]), kernels, self.n, order)
            for block in self.blocks(rows)
        ]
        added = np.zeros((len(levels), rows.n_rows, len(self.classes)))
        if along:
            added[order] = steps_between(np.concatenate(along, axis=1))
        return self.of_columns(rows, added)

    def factors(
        self, row: Table, names: Sequence[str], shown: Sequence[str | None]
    ) -> list[Factor]:
        """The mean over the models, of all columns together."""
        texts = self.level_texts(row, shown)
        known = [texts[name] for name in row.columns if name in self.counts.levels]
        observed = [text for text in known if text is not None]
        log_shares = self.scorer(row)(slice(0, 1))[0].tolist()
        text = Sentence("{values}", values=observed)
        return [Factor(text, tuple(log_shares))] if observed else []

    # samples --------------------------------------------------------------------------------

    def sampled(self, codes: Array, rng: np.random.Generator) -> dict[str, Array]:
        """One of the models is drawn for each row, then the levels of its set, then the others."""
        levels = np.zeros((len(self.counts.levels), len(codes)), np.intp)
        sets = self._sets()
        chosen = rng.integers(max(len(sets), 1), size=len(codes))
        for number, columns in enumerate(map(tuple, sets.tolist())):
            here = np.flatnonzero(chosen == number)
            if columns and len(here):
                levels[:, here] = self._levels_of_model(columns, codes[here], rng)
        return self.as_columns(levels, rng)

    def _levels_of_model(
        self, given: tuple[int, ...], codes: Array, rng: np.random.Generator
    ) -> Array:
        tables, facts = self.tables, (self.n_levels, self.rule)
        _, of_pairs = self.together.informations
        levels = np.zeros((len(tables.sizes), len(codes)), np.intp)
        together = shares_of_levels(tables, given, *facts)
        cells = drawn(together.reshape(-1, together.shape[-1]).T[codes], rng)
        levels[list(given)] = np.unravel_index(cells, together.shape[:-1])
        for column in range(len(levels)):
            if column not in given:
                parents = tuple(sorted(given, key=lambda parent: -of_pairs[column, parent]))
                shares = shares_given(tables, column, parents, *facts)
                levels[column] = drawn(shares[(*levels[list(parents)], codes)], rng)
        return levels


class AveragedOneDependence(LevelClassifier[AveragedColumns]):
    """The mean of all models in which every column depends on the class and on one and the same.

        P(c | x)  ~  P(c) * mean over the columns i of p_i(x | c)
        p_i(x | c) = p(x_i | c) * product over the other observed columns j of p(x_j | x_i, c)
        p(v | u, c) = (N_c(v, u) + lambda) / (N_c(u) + S_j lambda)

    ([Webb]; A1DE, AODE.) N_c(v, u) counts rows of class c with level v in column j and level u in
    column i, N_c(u) sums it over v, S_j is the number of levels of column j. No model is chosen, so
    nothing depends on a choice. With n = 2 everything depends on a pair of columns, and the mean is
    over all pairs (A2DE): better with many rows, and slower by a factor of the number of columns.

    Over all possible rows p(x | c) sums to one, as long as every level occurs m times.

    Columns are categorical. Numbers are put into bins that separate the classes, by the rule of
    NaiveBayes, when the column first has numbers; from then on the bins stay fixed.

    Missing values are left out. The others depend on a column only if its level was seen m times;
    if there is no such column, n = 2 falls back to n = 1, and that to naive Bayes.

    With smoothing="back-off" p(x_j | x_i, c) leans on p(x_j | c), and that on equal shares, as in
    TreeAugmentedNB, which also says how strongly and when that is chosen. With n = 2
    p(x_j | x_i, x_k, c) leans on the one with the stronger parent, by I(X_j; X_i | C), which
    `leave_one_out` leaves as it is, and p(x_i, x_k | c) on p(x_i | c) p(x_k | c).

    The model keeps the counts of all pairs of levels (of all triples, with n = 2). So
    `partial_fit`, `forget`, `merge` and `leave_one_out` are exact, given the bins; new values and
    new classes may appear at any time, and parameters set with `set_params` take effect at once.

    `explain` takes the columns one after the other, as in JointBayes: the weight of column j comes
    from what it adds to the columns before it. The weights depend on the order of the columns, but
    their sum does not.

    There is no `log_evidence`: each of the models has one, but every row has the mean of them all,
    and a product of such sums has no closed form.

    In SemiSupervised each of the models learns the soft counts as if it were the only one. That is
    not an exact M-step for their mean: EM ends before a step that would lower the likelihood.

    Parameters
    ----------
    n : how many columns the others depend on, 1 or 2
    m : how many rows, over all classes, a level needs for others to depend on it
    columns : dict of column name and "categorical", "binned" or "ignore", for columns that are not
        what they look like
    smoothing : lambda, the pseudo-count of every level; ("m", m) for the m-estimate; "back-off", or
        ("back-off", s)
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability
    choices : "always", or "hold": the strength stays that of the first rows that were learned
    decay : None, or a half-life in rows or time, as in NaiveBayes

    Attributes
    ----------
    bins_ : the bins of each numeric column
    strength_ : s of smoothing="back-off"
    choice_losses_ : log loss of each strength tried, summed over the rows
    n_parameters : how many numbers are estimated, over all models

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis()
    >>> model = AveragedOneDependence().fit(tennis.to_dict(), y="PlayTennis")
    >>> days = {"Outlook": ["Sunny", "Overcast"], "Temperature": ["Cool", "Hot"],
    ...     "Humidity": ["High", "Normal"], "Wind": ["Strong", "Weak"]}
    >>> model.predict(days).tolist()
    ['No', 'Yes']
    """

    fitted_class = AveragedColumns

    def __init__(
        self,
        n: int = 1,
        m: float = 1,
        columns: Mapping[str, Kind] | None = None,
        smoothing: DependenceSmoothing = 1.0,
        prior: Prior = "learned",
        choices: Choices = "always",
        decay: Decay = None,
    ) -> None:
        self.n = n
        self.m = m
        self.columns = columns
        self.smoothing = smoothing
        self.prior = prior
        self.choices = choices
        self.decay = decay

    def _parse(self) -> LevelSettings:
        if not is_whole_number(self.n) or self.n not in (1, 2):
            raise ValueError(
                f"n must be 1 or 2, got {self.n!r}. For 0 use NaiveBayes; JointBayes takes all "
                "columns together."
            )
        checked_amount(self.m, "m")
        return level_settings(self, order=int(self.n) + 1)

    def _fit(self, statistics: CombinationCounts) -> AveragedColumns:
        # weights that add up to m may lack a little of it by rounding
        at_least = checked_amount(self.m, "m") * (1 - 1e-10)
        return AveragedColumns(**self._facts(), n=int(self.n), at_least=at_least)
