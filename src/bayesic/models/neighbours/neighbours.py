"""k nearest neighbours: the rows themselves are the model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import DTypeLike

from bayesic.contract.estimator import Estimator
from bayesic.data.arguments import as_numbers, check_is_fitted
from bayesic.data.labels import declared_classes, narrow_words
from bayesic.data.languages import Sentence
from bayesic.data.snapshots import answering, learning
from bayesic.data.typing import TableLike
from bayesic.estimation.dependent_columns import DependentPairs, pairs_of_moments
from bayesic.estimation.nearest import class_shares, neighbour_means, neighbour_weights
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.neighbour_table import Neighbour, Neighbours
from bayesic.evidence.summary import ColumnSummary
from bayesic.files.model_files import Saved
from bayesic.kernels import Array
from bayesic.models.classifier import ClassifierAnswers
from bayesic.models.counting import CountingModel
from bayesic.models.events.densities import gaussian
from bayesic.models.neighbours.instance_based import (
    SEARCH,
    AsksNeighbours,
    NearestInstances,
    refuse_large,
)
from bayesic.models.notes import Note
from bayesic.models.posterior import Finish, best_class, log_posterior
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.labelled_rows import by_blocks
from bayesic.models.regressor import CountingRegressor
from bayesic.models.summaries.events import event_summary
from bayesic.models.summaries.numbers import correlation_bits, moment_table
from bayesic.models.summaries.summarised import (
    Described,
    FittedSummary,
    LearnedGroups,
    described_by,
)
from bayesic.statistics.cross_moments import CrossMoments, cross_moments
from bayesic.statistics.instances import LARGEST_VALUE, Instances
from bayesic.statistics.moments import class_moments
from bayesic.statistics.number_counts import counts_of_columns


@dataclass(frozen=True, eq=False)
class Votes(NearestInstances):
    """Neighbours that have classes."""

    classes: Array
    smoothing: float

    @property
    def codes(self) -> Array:
        """The number of the class of each learned row."""
        return self.instances.targets[:, 0]

    def said(self, distance: Array, rows: Array) -> Array:
        """The share of each class."""
        weights = neighbour_weights(distance, self.weights)
        return class_shares(self.codes[rows], weights, len(self.classes), self.smoothing)

    def answers_of(
        self, rows: Array, finish: Finish | None, dtype: DTypeLike
    ) -> tuple[Array, Literal[0]]:
        """What finish makes of the shares, which are the posterior already: none is impossible."""
        shares = self.answers(rows)
        if finish is best_class:
            return shares.argmax(axis=1), 0
        with np.errstate(divide="ignore"):
            return (np.log(shares) if finish is log_posterior else shares), 0

    def labels(self, targets: Array) -> list:
        """The classes of these numbers."""
        return self.classes[targets[:, 0]].tolist()

    def reason(self, answer: Array, nearest: tuple[Neighbour, ...]) -> Neighbours:
        """The class with the largest share, and all shares."""
        classes, shares = self.classes.tolist(), answer.tolist()
        best = classes[answer.argmax()]
        return Neighbours(best, nearest, dict(zip(classes, shares, strict=True)))

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each column with its bits, as normal densities see it."""
        n_rows, n_classes = float(max(self.instances.n_rows, 1)), len(self.classes)
        prior = np.bincount(self.codes, minlength=n_classes) / n_rows
        columns = dict(zip(names, np.ascontiguousarray(self.instances.values.T), strict=True))
        counts = counts_of_columns(columns, self.codes, n_classes)
        found = (
            event_summary(name, gaussian(own), own, prior, n_rows) for name, own in counts.items()
        )
        return [replace(column, kind="number") for column in found]

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """Mean and spread of a column in each class."""
        values = self.instances.values[:, [place]]
        moments = class_moments(values, self.codes, len(classes)).per_class
        return moment_table(names[place], "number", classes, moments, 0)

    def pairs(
        self, names: Sequence[str], rows: Array | None, codes: Array | None
    ) -> DependentPairs:
        """Columns that are correlated within the classes."""
        kept = cross_moments(self.instances.values, self.codes, len(self.classes))
        return pairs_of_moments(names, kept)


@dataclass(frozen=True, eq=False)
class Means(NearestInstances):
    """Neighbours that have numbers."""

    outputs_2d: bool  # whether there is a row of numbers for each row

    def said(self, distance: Array, rows: Array) -> Array:
        """The mean of the numbers, shaped as they were given."""
        weights = neighbour_weights(distance, self.weights)
        means = neighbour_means(self.instances.targets[rows], weights)
        return means if self.outputs_2d else means[:, 0]

    def labels(self, targets: Array) -> list:
        """The numbers themselves; a tuple of them where there are several."""
        return [*map(tuple, targets.tolist())] if self.outputs_2d else targets[:, 0].tolist()

    def reason(self, answer: Array, nearest: tuple[Neighbour, ...]) -> Neighbours:
        """The mean."""
        (mean,) = self.labels(answer.reshape(1, -1))
        return Neighbours(mean, nearest)

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """What the correlation of each column with the numbers says about them."""
        values, targets = self.instances.values, self.instances.targets
        moments = _moments_of_rows(np.hstack([values, targets]))
        bits = correlation_bits(moments, targets.shape[1]).tolist()
        return [
            ColumnSummary(name, "number", bits=told) for name, told in zip(names, bits, strict=True)
        ]

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """Mean and spread of a column."""
        values = self.instances.values[:, [place]]
        moments = class_moments(values, np.zeros(len(values), np.int64), 1).per_class
        return moment_table(names[place], "number", [Sentence("all rows")], moments, 0)

    def pairs(
        self, names: Sequence[str], rows: Array | None, codes: Array | None
    ) -> DependentPairs:
        """Correlated columns."""
        return pairs_of_moments(names, _moments_of_rows(self.instances.values))


def _moments_of_rows(values: Array) -> CrossMoments:
    """Means and cross-products of rows without classes."""
    return cross_moments(values, np.zeros(len(values), np.int64), 1)


class KNeighborsClassifier(
    AsksNeighbours,
    CountingModel[Instances, Votes, None],
    ClassifierAnswers,
    Saved,
    FittedSummary,
    Estimator,
):
    """The most frequent class among the k nearest rows ([CoverHart]).

        P(c | x) = (k_c + lambda) / (k + K lambda)

    k_c of the k nearest learned rows have class c, K is the number of classes. The answers are
    exact. Of equally distant rows, the one learned first is taken; of classes with equal shares,
    the first in classes_. Arguments and answers are those of scikit-learn's KNeighborsClassifier,
    as far as implemented; smoothing is new.

    Parameters
    ----------
    n_neighbors : how many rows vote, k
    weights : "uniform": each counts once; "distance": w_i ~ 1 / d_i, k in all, so that k_c is a sum
        of weights. Rows at distance 0 then share all of it
    algorithm : "kd_tree", "brute", or "auto" for scikit-learn's choice; the answers are the same
    p : 2 for the Euclidean distance, 1 for the Manhattan distance
    metric : "euclidean" or "manhattan"; with "minkowski", p decides
    smoothing : lambda, 0 for plain shares

    Examples
    --------
    >>> X, y = [[1.0], [2.0], [3.0], [7.0], [8.0], [9.0]], ["low"] * 3 + ["high"] * 3
    >>> model = KNeighborsClassifier(n_neighbors=3).fit(X, y)
    >>> model.predict([[4.0]]), model.predict_proba([[5.5]])
    (array(['low'], dtype='<U4'), array([[0.66666667, 0.33333333]]))
    >>> print(model.explain([5.5]))
    high (0.6667) from the 3 nearest rows
      row  label  distance  weight
        3  high     1.5000  1.0000
        2  low      2.5000  1.0000
        4  high     2.5000  1.0000
    """

    estimator_type = "classifier"
    notes = (SEARCH,)
    declares_classes = False
    unused = ("sample_weight", "times", "text")
    _own_state = "classes"
    _fitted: Votes

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Literal["uniform", "distance"] = "uniform",
        algorithm: Literal["auto", "kd_tree", "brute"] = "auto",
        p: int = 2,
        metric: Literal["minkowski", "euclidean", "manhattan"] = "minkowski",
        smoothing: float = 0.0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.p = p
        self.metric = metric
        self.smoothing = smoothing

    def _parse(self) -> None:
        self._check_neighbours()
        smoothing = as_numbers(self.smoothing, "smoothing")
        if smoothing.ndim or not 0 <= smoothing <= LARGEST_VALUE:
            raise ValueError(
                f"smoothing must be a number of 0 or more, got {self.smoothing!r}. Use 1 for "
                "Laplace smoothing, 0 for plain shares."
            )

    def _fit(self, statistics: Instances) -> Votes:
        return Votes(**self._how(statistics), classes=self.classes_, smoothing=self.smoothing)

    def _groups(self) -> LearnedGroups:
        counts = np.bincount(self._fitted.codes, minlength=len(self.classes_))
        return LearnedGroups(self.classes_.tolist(), counts)

    def _described(self) -> Described:
        return described_by(self._fitted, list(known_columns(self).names), self._groups())

    def _state(self) -> dict[str, object]:
        return {**self._common_state(), "classes": self.classes_}

    @learning
    def _restore(self, state: dict[str, object]) -> Self:
        instances = self._restored(state)
        classes, codes = state["classes"], instances.targets
        if not isinstance(classes, np.ndarray) or classes.ndim != 1:
            raise ValueError("The classes of neighbours must be an array with one dimension.")
        if declared_classes(classes).tolist() != classes.tolist():
            raise ValueError("The classes of neighbours must be in order.")
        if codes.shape[1:] != (1,) or codes.dtype != np.int64:
            raise ValueError("The rows of a classifier need one class number each, as int64.")
        if not ((codes >= 0) & (codes < len(classes))).all():
            raise ValueError("The class numbers of neighbours must be those of its classes.")
        self.classes_ = narrow_words(classes)
        return self._keep(instances)


def _with_same_outputs(model: "KNeighborsRegressor", other: "KNeighborsRegressor") -> None:
    _check_outputs(model.statistics_.targets, other.statistics_.targets)


SAME_OUTPUTS = Note(alike=_with_same_outputs)


class KNeighborsRegressor(AsksNeighbours, CountingRegressor[Instances, Means, None]):
    """The mean of the k nearest rows.

        f(x) = sum over the neighbours i of w_i y_i / k

    The answers are exact. Of equally distant rows, the one learned first is taken. Arguments and
    answers are those of scikit-learn's KNeighborsRegressor, as far as implemented.

    Parameters
    ----------
    n_neighbors : how many rows vote, k
    weights : "uniform": w_i = 1; "distance": w_i ~ 1 / d_i, k in all. Rows at distance 0 then share
        all of it
    algorithm : "kd_tree", "brute", or "auto" for scikit-learn's choice; the answers are the same
    p : 2 for the Euclidean distance, 1 for the Manhattan distance
    metric : "euclidean" or "manhattan"; with "minkowski", p decides

    Examples
    --------
    >>> model = KNeighborsRegressor(n_neighbors=2).fit([[1.0], [2.0], [4.0]], [10.0, 20.0, 60.0])
    >>> model.predict([[2.5], [9.0]])
    array([15., 40.])
    """

    outputs_2d_: bool
    notes = (SEARCH, SAME_OUTPUTS)
    tags: ClassVar[dict[str, bool]] = {"multi_output": True, "single_output": True}
    unused = ("classes", "sample_weight", "times", "text")
    _own_state = "outputs_2d"
    _fitted: Means

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Literal["uniform", "distance"] = "uniform",
        algorithm: Literal["auto", "kd_tree", "brute"] = "auto",
        p: int = 2,
        metric: Literal["minkowski", "euclidean", "manhattan"] = "minkowski",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.p = p
        self.metric = metric

    @answering
    def predict(self, X: TableLike) -> Array:
        """The mean of the neighbours of each row: shaped as y was."""
        check_is_fitted(self)
        return by_blocks(self, X, self._fitted.answers)

    def _read_targets(self, y: object) -> Array:
        targets, outputs_2d = checked_targets(y)
        if not hasattr(self, "outputs_2d_"):
            self.outputs_2d_ = outputs_2d
        elif hasattr(self, "statistics_"):
            _check_outputs(self.statistics_.targets, targets)
        return targets

    def _parse(self) -> None:
        self._check_neighbours()

    def _fit(self, statistics: Instances) -> Means:
        return Means(**self._how(statistics), outputs_2d=self.outputs_2d_)

    def _groups(self) -> LearnedGroups:
        return LearnedGroups([], np.array([self.statistics_.n_rows]))

    def _state(self) -> dict[str, object]:
        return {**self._common_state(), "outputs_2d": self.outputs_2d_}

    @learning
    def _restore(self, state: dict[str, object]) -> Self:
        instances = self._restored(state)
        outputs_2d, targets = state["outputs_2d"], instances.targets
        if not isinstance(outputs_2d, bool) or targets.dtype != np.float64:
            raise ValueError("A regressor needs targets in float64, and their shape.")
        if not outputs_2d and targets.shape[1] != 1:
            raise ValueError("A regressor with several outputs has answers in two dimensions.")
        self.outputs_2d_ = outputs_2d
        return self._keep(instances)


def _check_outputs(learned: Array, given: Array) -> None:
    """Refuse another number of outputs than was learned; targets (n_rows, n_outputs)."""
    if learned.shape[1] != given.shape[1]:
        raise ValueError(
            f"y must have {learned.shape[1]} number(s) for each row as in `fit`, got "
            f"{given.shape[1]}. Use a separate model for other numbers."
        )


def checked_targets(y: object) -> tuple[Array, bool]:
    """The numbers to be predicted, (n_rows, n_outputs), and whether they came in two dimensions.

    >>> checked_targets([1, 2])
    (array([[1.],
           [2.]]), False)
    """
    targets = as_numbers(y, "y")
    if targets.ndim not in (1, 2) or 0 in targets.shape:
        raise ValueError(
            "y must have one number, or one row of numbers, for each row of X, "
            f"got shape {targets.shape}."
        )
    refuse_large("y", targets)
    return targets.reshape(len(targets), -1), targets.ndim == 2
