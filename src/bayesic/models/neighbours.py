"""k nearest neighbours: the rows themselves are the model."""

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from bayesic.data.labels import declared_classes, encode_known_labels, encode_labels
from bayesic.data.numbers import as_numbers
from bayesic.data.snapshots import answering, held_still, learning
from bayesic.data.targets import split_target
from bayesic.estimation.neighbours import class_shares, neighbour_means, neighbour_weights
from bayesic.estimation.pairs import DependentPairs, pairs_of_moments
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.neighbours import Neighbour, Neighbours
from bayesic.evidence.summary import ColumnSummary
from bayesic.models.base import united
from bayesic.models.instance_based import NearestNeighboursModel, refuse_large
from bayesic.models.summaries.instances import (
    class_column_summaries,
    instance_table,
    moments_of_rows,
    target_column_summaries,
)
from bayesic.statistics.cross_moments import cross_moments
from bayesic.statistics.instances import LARGEST_VALUE, Instances

Array = np.ndarray


class KNeighborsClassifier(ClassifierMixin, NearestNeighboursModel):
    """The class that is most frequent among the k nearest rows ([CoverHart]).

        P(c | x) = (k_c + lambda) / (k + K lambda)

    k_c of the k nearest learned rows have class c, K is the number of classes. The answers are
    exact. Of rows that are equally far, the one that was learned first is taken; of classes with
    equal shares, the first in classes_. Arguments and answers are those of scikit-learn's
    KNeighborsClassifier, as far as they are here; smoothing is new.

    Parameters
    ----------
    n_neighbors : k, how many rows are asked
    weights : "uniform": each counts once; "distance": w_i ~ 1 / d_i, k in all, so that k_c is a sum
        of weights. Rows at distance 0 then share all of it
    algorithm : "kd_tree", "brute", or "auto" for the faster of the two; the answers are the same
    p : 2 for the Euclidean distance, 1 for the Manhattan distance
    metric : "euclidean" or "manhattan"; with "minkowski" p tells
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

    classes_: Array
    _own_state = "classes"

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: str = "uniform",
        algorithm: str = "auto",
        p: int = 2,
        metric: str = "minkowski",
        smoothing: float = 0.0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.p = p
        self.metric = metric
        self.smoothing = smoothing

    @learning
    def fit(self, X: Any, y: Any) -> Self:
        """Learn rows X with classes y; whatever was learned before is gone."""
        X, y = split_target(self, X, y, first=True)
        classes, codes = encode_labels(y)
        instances = self._instances(X, codes[:, None], first=True)
        self.classes_ = classes
        return self._learned(instances)

    @learning
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn more rows: the same model comes out as from all rows in one `fit`.

        New classes may come at any time. `classes` declares some that have no row yet: they count
        in smoothed shares.
        """
        first = not hasattr(self, "statistics_")
        X, y = split_target(self, X, y)
        found, codes = encode_labels(y)
        learned = found, self._instances(X, codes[:, None], first)
        if classes is not None:
            nothing = Instances.empty(self.n_features_in_)
            learned = united((declared_classes(classes), nothing), learned)
        if not first:
            learned = united((self.classes_, self.statistics_), learned)
        self.classes_, instances = learned
        return self._learned(instances)

    @learning
    def merge(self, other: "KNeighborsClassifier") -> Self:
        """Add all rows that another model has learned, after those of this one."""
        check_is_fitted(self)
        other = held_still(other)
        self._check_mergeable(other)
        mine, theirs = (self.classes_, self.statistics_), (other.classes_, other.statistics_)
        self.classes_, instances = united(mine, theirs)
        return self._learned(instances)

    @answering
    def predict(self, X: Any) -> Array:
        """The most frequent class among the neighbours of each row; the first of several."""
        shares = self._answers_for(X)
        return self.classes_[shares.argmax(axis=1)]

    @answering
    def predict_proba(self, X: Any) -> Array:
        """Share of each class, in the order of classes_: (n_samples, n_classes)."""
        return self._answers_for(X)

    @answering
    def predict_log_proba(self, X: Any) -> Array:
        """Log of predict_proba; -inf for classes without a neighbour, unless smoothed."""
        with np.errstate(divide="ignore"):
            return np.log(self._answers_for(X))

    @answering
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows whose most frequent class is y; y may be the name of a column of X."""
        return super().score(*split_target(self, X, y), sample_weight)

    @answering
    def leave_one_out(self, X: Any, y: Any) -> Array:
        """Share of each class for each learned row, as if that row had not been learned.

        Equal to forgetting the row and asking for it, for every row. Of equal rows with equal
        labels, those that were learned last are meant; all rows in their order are each itself.
        """
        return self._leave_one_out(X, y)

    def _check_parameters(self, first: bool = False) -> None:
        super()._check_parameters(first)
        smoothing = as_numbers(self.smoothing, "smoothing")
        if smoothing.ndim or not 0 <= smoothing <= LARGEST_VALUE:
            raise ValueError(
                f"smoothing must be a number of 0 or more, got {self.smoothing!r}. Use 1 for "
                "Laplace smoothing, 0 for plain shares."
            )

    def _targets(self, y: Any) -> Array:
        return encode_known_labels(y, self.classes_)[:, None]

    def _answers(self, distance: Array, rows: Array) -> Array:
        codes = self.statistics_.targets[:, 0][rows]
        weights = neighbour_weights(distance, self.weights)
        return class_shares(codes, weights, len(self.classes_), self.smoothing)

    def _explained(
        self, answers: Array, neighbours: list[tuple[Neighbour, ...]]
    ) -> list[Neighbours]:
        classes = self.classes_.tolist()
        return [
            Neighbours(
                classes[shares.argmax()], nearest, dict(zip(classes, shares.tolist(), strict=True))
            )
            for shares, nearest in zip(answers, neighbours, strict=True)
        ]

    def _class_rows(self) -> Array:
        return np.bincount(self.statistics_.targets[:, 0], minlength=len(self.classes_))

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        names, n_classes = self._feature_names(), len(self.classes_)
        return class_column_summaries(names, self.statistics_, n_classes)

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        names, classes = self._feature_names(), self.classes_.tolist()
        return instance_table(column, names, self.statistics_, classes)

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs:
        codes = self.statistics_.targets[:, 0]
        moments = cross_moments(self.statistics_.values, codes, len(self.classes_))
        return pairs_of_moments(self._feature_names(), moments)

    def _labels(self, targets: Array) -> list:
        return self.classes_[targets[:, 0]].tolist()

    def _state(self) -> dict[str, Any]:
        return {**super()._state(), "classes": self.classes_}

    @learning
    def _restore(self, state: dict[str, Any]) -> Self:
        super()._restore(state)
        classes, codes = state["classes"], self.statistics_.targets
        if not isinstance(classes, np.ndarray) or classes.ndim != 1:
            raise ValueError("The classes of neighbours must be an array with one dimension.")
        if declared_classes(classes).tolist() != classes.tolist():
            raise ValueError("The classes of neighbours must be in order.")
        if codes.shape[1:] != (1,) or codes.dtype != np.int64:
            raise ValueError("The rows of a classifier need one class number each, as int64.")
        if not ((codes >= 0) & (codes < len(classes))).all():
            raise ValueError("The class numbers of neighbours must be those of its classes.")
        self.classes_ = classes
        return self


class KNeighborsRegressor(RegressorMixin, NearestNeighboursModel):
    """The mean of the k nearest rows.

        f(x) = sum over the neighbours i of w_i y_i / k

    The answers are exact. Of rows that are equally far, the one that was learned first is taken.
    Arguments and answers are those of scikit-learn's KNeighborsRegressor, as far as they are here.

    Parameters
    ----------
    n_neighbors : k, how many rows are asked
    weights : "uniform": w_i = 1; "distance": w_i ~ 1 / d_i, k in all. Rows at distance 0 then share
        all of it
    algorithm : "kd_tree", "brute", or "auto" for the faster of the two; the answers are the same
    p : 2 for the Euclidean distance, 1 for the Manhattan distance
    metric : "euclidean" or "manhattan"; with "minkowski" p tells

    Examples
    --------
    >>> model = KNeighborsRegressor(n_neighbors=2).fit([[1.0], [2.0], [4.0]], [10.0, 20.0, 60.0])
    >>> model.predict([[2.5], [9.0]])
    array([15., 40.])
    """

    outputs_2d_: bool
    _own_state = "outputs_2d"

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: str = "uniform",
        algorithm: str = "auto",
        p: int = 2,
        metric: str = "minkowski",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.p = p
        self.metric = metric

    @learning
    def fit(self, X: Any, y: Any) -> Self:
        """Learn rows X with numbers y, (n_samples,) or (n_samples, n_outputs)."""
        X, y = split_target(self, X, y, first=True)
        targets, outputs_2d = checked_targets(y)
        instances = self._instances(X, targets, first=True)
        self.outputs_2d_ = outputs_2d
        return self._learned(instances)

    @learning
    def partial_fit(self, X: Any, y: Any) -> Self:
        """Learn more rows: the same model comes out as from all rows in one `fit`."""
        if not hasattr(self, "statistics_"):
            return self.fit(X, y)
        X, y = split_target(self, X, y)
        more = self._instances(X, self._targets(y), first=False)
        return self._learned(self.statistics_ + more)

    @learning
    def merge(self, other: "KNeighborsRegressor") -> Self:
        """Add all rows that another model has learned, after those of this one."""
        check_is_fitted(self)
        other = held_still(other)
        self._check_mergeable(other)
        self._check_outputs(other.statistics_.targets)
        return self._learned(self.statistics_ + other.statistics_)

    @answering
    def predict(self, X: Any) -> Array:
        """The mean of the neighbours of each row: shaped as y was."""
        return self._shaped(self._answers_for(X))

    @answering
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The coefficient of determination, R squared; y may be the name of a column of X."""
        return super().score(*split_target(self, X, y), sample_weight)

    @answering
    def leave_one_out(self, X: Any, y: Any) -> Array:
        """The prediction for each learned row, as if that row had not been learned.

        Equal to forgetting the row and asking for it, for every row. Of equal rows with equal
        numbers, those that were learned last are meant; all rows in their order are each itself.
        """
        return self._shaped(self._leave_one_out(X, y))

    def _shaped(self, means: Array) -> Array:
        return means if self.outputs_2d_ else means[:, 0]

    def _targets(self, y: Any) -> Array:
        targets, _ = checked_targets(y)
        self._check_outputs(targets)
        return targets

    def _check_outputs(self, targets: Array) -> None:
        learned, given = self.statistics_.targets.shape[1], targets.shape[1]
        if learned != given:
            raise ValueError(
                f"y must have {learned} number(s) for each row as in `fit`, got {given}. "
                "Use a model of its own for other numbers."
            )

    def _answers(self, distance: Array, rows: Array) -> Array:
        weights = neighbour_weights(distance, self.weights)
        return neighbour_means(self.statistics_.targets[rows], weights)

    def _explained(
        self, answers: Array, neighbours: list[tuple[Neighbour, ...]]
    ) -> list[Neighbours]:
        return [*map(Neighbours, self._labels(answers), neighbours)]

    _group = "target"

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        return target_column_summaries(self._feature_names(), self.statistics_)

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        return instance_table(column, self._feature_names(), self.statistics_, None)

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs:
        return pairs_of_moments(self._feature_names(), moments_of_rows(self.statistics_.values))

    def _labels(self, targets: Array) -> list:
        return [*map(tuple, targets.tolist())] if self.outputs_2d_ else targets[:, 0].tolist()

    def _state(self) -> dict[str, Any]:
        return {**super()._state(), "outputs_2d": self.outputs_2d_}

    @learning
    def _restore(self, state: dict[str, Any]) -> Self:
        super()._restore(state)
        outputs_2d, targets = state["outputs_2d"], self.statistics_.targets
        if not isinstance(outputs_2d, bool) or targets.dtype != np.float64:
            raise ValueError("A regressor needs targets in float64, and their shape.")
        if not outputs_2d and targets.shape[1] != 1:
            raise ValueError("A regressor with several outputs has answers in two dimensions.")
        self.outputs_2d_ = outputs_2d
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        return tags


def checked_targets(y: Any) -> tuple[Array, bool]:
    """The numbers to be predicted, (n_rows, n_outputs), and whether they came in two dimensions.

    >>> checked_targets([1, 2])
    (array([[1.],
           [2.]]), False)
    """
    if y is None:
        raise ValueError(
            "This estimator requires y to be passed, but the target y is None. "
            "Give one number for each row."
        )
    targets = as_numbers(y, "y")
    if targets.ndim not in (1, 2) or 0 in targets.shape:
        raise ValueError(
            "y must have one number, or one row of numbers, for each row of X, "
            f"got shape {targets.shape}."
        )
    refuse_large("y", targets)
    return targets.reshape(len(targets), -1), targets.ndim == 2
