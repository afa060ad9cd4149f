"""Columns each of which depends on the class and on some others: one (a tree), or up to k."""

from collections.abc import Iterable, Mapping
from math import comb
from typing import Literal

import numpy as np

from bayesic.data.arguments import check_whole_number
from bayesic.data.columns import Categories
from bayesic.data.typing import Choices, Decay, DependenceSmoothing, Kind, Label, Prior
from bayesic.estimation.back_off import first_of_least
from bayesic.models.columns.weighed_columns import weights_of
from bayesic.models.fitted import learned
from bayesic.models.levels.column_network import ColumnNetwork
from bayesic.models.levels.dependence import in_bins
from bayesic.models.levels.level_classifier import (
    WEIGHED_LEVEL_NOTES,
    LevelClassifier,
    level_settings,
)
from bayesic.models.levels.level_settings import LevelSettings
from bayesic.models.notes import Note
from bayesic.models.readers.reader import CodedRows
from bayesic.statistics.combinations import CombinationCounts, Layout

# What k="auto" tries: so many parents at most, while there are no more sets of columns and cells.
MOST_PARENTS = 3
MOST_TABLES = 10_000
MOST_CELLS = 2**22


# how many parents k="auto" tries ------------------------------------------------------------------


def _most_parents(sizes: tuple[int, ...], n_classes: int) -> int:
    """How many parents k="auto" tries for columns of so many levels.

    >>> _most_parents((2,) * 10, 2), _most_parents((2,) * 30, 2), _most_parents((300,) * 10, 2)
    (3, 2, 1)
    """
    for most in range(MOST_PARENTS, 1, -1):
        n_tables, layout = comb(len(sizes), most + 1), Layout(sizes, most + 1)
        if n_tables <= MOST_TABLES and layout.n_cells * n_classes <= MOST_CELLS:
            return most
    return 1


def _sizes(model: "KDependence", rows: Iterable[CodedRows]) -> tuple[tuple[int, ...], int]:
    """How many levels the columns have, and how many classes there are."""
    levels: dict[str, set[str]] = {}
    classes: set[Label] = set()
    for block in rows:
        classes |= set(block.classes.tolist())  # type: ignore[union-attr]  # there always are
        for name, cells in block.X.columns.items():
            in_levels = in_bins(cells, model.bins_.get(name))
            if isinstance(in_levels, Categories):
                levels[name] = levels.get(name, set()) | set(in_levels.levels)
    return tuple(map(len, levels.values())), len(classes)


def _bound_parents(model: "KDependence", rows: Iterable[CodedRows]) -> None:
    if model._settings.order is None and not hasattr(model, "statistics_"):
        model._most_parents = _most_parents(*_sizes(model, rows))


MOST_TRIED = Note(before=_bound_parents)


# the models ---------------------------------------------------------------------------------------


class TreeAugmentedNB(LevelClassifier[ColumnNetwork]):
    """Naive Bayes in which the columns form a tree: each depends on one other as well.

        P(c | x)  ~  P(c) * product over the observed columns j of p(x_j | x_parent(j), c)
        p(v | u, c) = (N_c(v, u) + lambda) / (N_c(u) + S_j lambda)

    N_c(v, u) counts rows of class c with level v in column j and level u in its parent, N_c(u) sums
    it over v, S_j is the number of levels of column j. The tree is the one under which the learned
    rows are most probable: the maximum spanning tree of I(X_i; X_j | C), the mutual information of
    two columns within the classes ([FriedmanTAN]). Its root is the most informative column.

    Columns are categorical. Numbers are put into bins that separate the classes, by the rule of
    NaiveBayes, when the column first has numbers; from then on the bins stay fixed.

    Missing values are left out, and so is a parent that is missing or was never seen: p(x_j | c) is
    used then. A level that was never seen has N_c(v, u) = 0.

    With smoothing="back-off" shares from few rows lean on shares from more rows, those without the
    parent, and these on equal shares ([MacKayPeto]):

        p(v | u, c) = (N_c(v, u) + s p(v | c)) / (N_c(u) + s)
        p(v | c)    = (N_c(v) + s / S_j) / (N_c + s)

    The strength s is the one of 0.5, 2, 8, 32 and 128 with the least log loss on learned rows, each
    predicted as if it had not been learned. At most 1,000 rows of a `fit` are scored, drawn at
    random and always the same. The losses of each `partial_fit` are added, and s is chosen again.
    `forget` and `merge` leave the losses as they are, and files keep them. Until any row is scored,
    as after `set_params`, s is 8.

    The model keeps the counts of all pairs of levels. So `partial_fit`, `forget` and `merge` are
    exact, given the bins, and the tree is chosen again from all rows; new values and new classes
    may appear at any time, and parameters set with `set_params` take effect at once.
    `leave_one_out` keeps the tree fixed, and `log_evidence` is for this tree, without a penalty for
    choosing it. With back-off there is none, because it is not a prior.

    Parameters
    ----------
    columns : dict of column name and "categorical", "binned" or "ignore", for columns that are not
        what they look like
    smoothing : lambda, the pseudo-count of every level; ("m", m) for the m-estimate, m rows divided
        among the levels by their shares over all classes: with m = 5 as in [FriedmanTAN];
        "back-off" as above, or ("back-off", s) with your own strength
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability
    weights : None, or "learned": a power for each column, as in NaiveBayes
    choices : "always", or "hold": which columns depend on which stays until the rows are a tenth
        more or fewer, or `choose_again` is called, as in NaiveBayes; the strength stays that of the
        first learned rows. A column whose first value appears in between has no parents until then
    decay : None, or a half-life in rows or time, as in NaiveBayes

    Attributes
    ----------
    parents_ : the column that each column depends on
    bins_ : the bins of each numeric column
    strength_ : s of smoothing="back-off"
    choice_losses_ : log loss of each strength tried, summed over the rows
    n_parameters : how many numbers are estimated

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis()
    >>> model = TreeAugmentedNB(smoothing=0).fit(tennis.to_dict(), y="PlayTennis")
    >>> model.parents_["Humidity"]
    ('Temperature',)
    """

    notes = WEIGHED_LEVEL_NOTES
    fitted_class = ColumnNetwork

    parents_ = learned("named_parents", "The columns that each depends on, besides the class.")

    def __init__(
        self,
        columns: Mapping[str, Kind] | None = None,
        smoothing: DependenceSmoothing = 1.0,
        prior: Prior = "learned",
        weights: Literal["learned"] | None = None,
        choices: Choices = "always",
        decay: Decay = None,
    ) -> None:
        self.columns = columns
        self.smoothing = smoothing
        self.prior = prior
        self.weights = weights
        self.choices = choices
        self.decay = decay

    def _parse(self) -> LevelSettings:
        return level_settings(self, order=2)

    def _fit(self, statistics: CombinationCounts) -> ColumnNetwork:
        return ColumnNetwork(**self._facts(), k=None, **weights_of(self))


class KDependence(LevelClassifier[ColumnNetwork]):
    """Naive Bayes in which each column depends on up to k others as well ([Sahami]).

        P(c | x)  ~  P(c) * product over the observed columns j of p(x_j | k parents of j, c)

    Columns are sorted by how much they say about the class, I(X_j; C). The parents of each are the
    k columns before it on which it depends most within the classes, by I(X_i; X_j | C). k = 0 is
    naive Bayes; each step of k needs more rows, and joint counts of one more column.

    k = "auto" chooses k and how many columns take part, the first in this order ([Martinez]), by
    the least log loss on learned rows, each predicted as if it had not been learned. The rows to
    score, and when, are as for the strength of "back-off" in TreeAugmentedNB; until any are scored,
    k is 1 and all columns take part. k = 0 to 3 are tried, or fewer if there are many columns: as
    many as need at most 10,000 tables and 4 million cells. All columns are counted and kept.

    Smoothing, bins, missing values, levels never seen, incremental learning and `log_evidence` are
    as in TreeAugmentedNB. With smoothing="back-off" the strongest parent is dropped last:

        p(v | u1 .. ui, c) = (N_c(v, u1 .. ui) + s p(v | u1 .. ui-1, c)) / (N_c(u1 .. ui) + s)

    Parameters
    ----------
    k : the most columns that a column may depend on, or "auto" to choose it and the columns
    columns : dict of column name and "categorical", "binned" or "ignore", for columns that are not
        what they look like
    smoothing : lambda, the pseudo-count of every level; ("m", m) for the m-estimate; "back-off", or
        ("back-off", s)
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability
    weights : None, or "learned": a power for each column, as in NaiveBayes
    choices : "always", or "hold": which columns depend on which stays until the rows are a tenth
        more or fewer, or `choose_again` is called, as in NaiveBayes; k and the strength stay those
        of the first learned rows. A column whose first value appears in between has no parents
        until then
    decay : None, or a half-life in rows or time, as in NaiveBayes

    Attributes
    ----------
    parents_ : the columns that each column depends on, the strongest first
    k_ : the most parents of a column
    columns_used_ : the columns that take part, in the order of I(X_j; C)
    bins_ : the bins of each numeric column
    strength_ : s of smoothing="back-off"
    choice_losses_ : log loss of each k, number of columns and strength that was tried, (n_k,
        n_columns + 1, n_strengths), summed over the rows; of the strengths alone with a given k
    n_parameters : how many numbers are estimated

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis()
    >>> model = KDependence(k=2).fit(tennis.to_dict(), y="PlayTennis")
    >>> model.parents_["Outlook"], len(model.parents_["Wind"])
    ((), 2)
    >>> model = KDependence(k="auto").fit(tennis.to_dict(), y="PlayTennis")
    >>> model.k_, model.columns_used_
    (1, ('Outlook', 'Humidity', 'Wind'))
    """

    notes = (*WEIGHED_LEVEL_NOTES, MOST_TRIED)
    fitted_class = ColumnNetwork

    parents_ = learned("named_parents", "The columns that each depends on, besides the class.")
    k_ = learned("k", "The most parents of a column.")
    columns_used_ = learned("named_used", "The columns that take part, the most informative first.")

    def __init__(
        self,
        k: int | Literal["auto"] = 1,
        columns: Mapping[str, Kind] | None = None,
        smoothing: DependenceSmoothing = 1.0,
        prior: Prior = "learned",
        weights: Literal["learned"] | None = None,
        choices: Choices = "always",
        decay: Decay = None,
    ) -> None:
        self.k = k
        self.columns = columns
        self.smoothing = smoothing
        self.prior = prior
        self.weights = weights
        self.choices = choices
        self.decay = decay

    def _parse(self) -> LevelSettings:
        if isinstance(self.k, str):
            if self.k != "auto":
                raise ValueError(
                    f"k must be a whole number of 0 or more, or 'auto', got {self.k!r}. Use 'auto' "
                    "to choose it from the rows."
                )
            return level_settings(self, order=None)
        check_whole_number("k", self.k, 0)
        # which columns depend on which is seen from pairs
        return level_settings(self, order=max(int(self.k) + 1, 2))

    def _fit(self, statistics: CombinationCounts) -> ColumnNetwork:
        facts = {**self._facts(), **weights_of(self)}
        if not isinstance(self.k, str):
            return ColumnNetwork(**facts, k=int(self.k))
        losses, k, n_used = getattr(self, "choice_losses_", np.zeros(0)), 1, None
        if losses.ndim == 3:  # else other things were chosen
            k, n_used, _ = first_of_least(losses)
        return ColumnNetwork(**facts, k=min(k, statistics.order - 1), n_used=n_used)
