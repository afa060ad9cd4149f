"""Models that keep the rows themselves: what the two of them share."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from bayesic.data.arguments import check_one_of, check_whole_number, is_number
from bayesic.data.matrices import as_matrix, dense_rows, sums_to_a_number
from bayesic.data.snapshots import answering, learning
from bayesic.data.tables import is_table
from bayesic.data.targets import split_target, without_target
from bayesic.estimation.nearest import ROADS, NearestRows
from bayesic.estimation.neighbours import WEIGHTS, neighbour_weights
from bayesic.evidence.neighbours import Neighbour, Neighbours
from bayesic.evidence.rows import is_single_row, row_by_name
from bayesic.evidence.several import Reasons
from bayesic.models.saving import Saved
from bayesic.models.summaries.summarised import Summarised
from bayesic.statistics.instances import LARGEST_VALUE, Instances

Array = np.ndarray

METRICS = ("minkowski", "euclidean", "manhattan")

# What to do about NaN.
WITHOUT_GAPS = {
    "X": "There is no distance to what was not observed. Fill the gaps, for example with sklearn's "
    "SimpleImputer, leave these rows out, or use NaiveBayes, which does without them.",
    "y": "Leave out the rows without a number.",
}

COMMON_STATE = ("values", "targets", "feature_names")  # what files hold of both models


class NearestNeighboursModel(Saved, Summarised, BaseEstimator, ABC):
    """What the two models share: learning is keeping rows, answers come from the k nearest.

    A subclass says what belongs to a row (`_targets`) and what the neighbours say (`_answers`).
    The search is made from the rows when it is first needed, and `set_params` holds at once.
    """

    n_neighbors: Any
    weights: Any
    algorithm: Any
    p: Any
    metric: Any
    statistics_: Instances
    n_features_in_: int
    _own_state: str  # what a file holds besides COMMON_STATE

    # what a model adds ----------------------------------------------------------------------

    @abstractmethod
    def _targets(self, y: Any) -> Array:
        """What belongs to each row of a model that has learned before, as Instances keep it."""

    @abstractmethod
    def _answers(self, distance: Array, rows: Array) -> Array:
        """What `predict` (or `predict_proba`) gives for these neighbours, (n_asked, k) both."""

    @abstractmethod
    def _explained(self, answers: Array, neighbours: list[tuple[Neighbour, ...]]) -> list:
        """A Neighbours for each row."""

    @abstractmethod
    def _labels(self, targets: Array) -> list:
        """What `explain` shows for targets (n, n_outputs)."""

    # learning -------------------------------------------------------------------------------

    def _learned(self, instances: Instances) -> Self:
        self.statistics_ = instances
        self._nearest = NearestRows(instances.values)
        return self

    def _instances(self, X: Any, targets: Array, first: bool) -> Instances:
        self._check_parameters()
        values = self._checked_X(X, first)
        if len(values) != len(targets):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"[{len(values)}, {len(targets)}]. X has {len(values)} rows, y has {len(targets)} "
                "labels: give one label for each row."
            )
        # copies: what is kept must not change when the arrays of the caller do
        return Instances(values.copy(), targets.copy())

    @learning
    def set_params(self, **params: Any) -> Self:
        """Set parameters of the constructor, all of them at once."""
        return super().set_params(**params)

    @learning
    def forget(self, X: Any, y: Any) -> Self:
        """Take rows back out: the same model comes out as if they had never been learned.

        Of equal rows with equal labels the last goes first. Rows that were never learned are
        refused.
        """
        check_is_fitted(self)
        X, y = split_target(self, X, y)
        return self._learned(self.statistics_ - self._instances(X, self._targets(y), False))

    # answers --------------------------------------------------------------------------------

    @answering
    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """Distances and numbers of the nearest learned rows: (n_samples, n_neighbors) both.

        Nearest first; of rows that are equally far, the one that was learned first.

        X : rows as for `predict`; None for all learned rows, each without itself
        n_neighbors : how many; None for those of the model
        return_distance : False for the numbers alone
        """
        check_is_fitted(self)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if X is None:
            distance, rows = self._neighbours_without(np.arange(self.statistics_.n_rows), k)
        else:
            distance, rows = self._neighbours(self._checked_X(X, first=False), k)
        return (distance, rows) if return_distance else rows

    @answering
    def explain(self, X: Any) -> Neighbours | Reasons[Neighbours]:
        """The neighbours that an answer comes from: label, distance and weight of each.

        X : one row (a tuple, list, or dict by feature name), which gives one Neighbours; or rows
            as for `predict`, which give a list
        """
        check_is_fitted(self)
        values, single = self._asked_rows(X)
        distance, rows = self._neighbours(values, self.n_neighbors)
        weights = neighbour_weights(distance, self.weights)
        neighbours = [
            tuple(map(Neighbour, row.tolist(), self._labels(self.statistics_.targets[row]), *far))
            for row, *far in zip(rows, distance.tolist(), weights.tolist(), strict=True)
        ]
        explained = Reasons(self._explained(self._answers(distance, rows), neighbours))
        return explained[0] if single else explained

    def _leave_one_out(self, X: Any, y: Any) -> Array:
        check_is_fitted(self)
        X, y = split_target(self, X, y)
        rows = self.statistics_.places_of(self._instances(X, self._targets(y), first=False))
        return self._answers(*self._neighbours_without(rows, self.n_neighbors))

    def _answers_for(self, X: Any) -> Array:
        check_is_fitted(self)
        values = self._checked_X(X, first=False)
        return self._answers(*self._neighbours(values, self.n_neighbors))

    def _neighbours(self, values: Array, k: Any) -> tuple[Array, Array]:
        self._check_parameters()
        self._check_enough_rows(k, self.statistics_.n_rows)
        return self._nearest.nearest(values, k, self._metric(), self.algorithm)

    def _neighbours_without(self, rows: Array, k: Any) -> tuple[Array, Array]:
        self._check_parameters()
        self._check_enough_rows(k, self.statistics_.n_rows - 1)
        return self._nearest.nearest_without(rows, k, self._metric(), self.algorithm)

    # checks ---------------------------------------------------------------------------------

    def _metric(self) -> str:
        if self.metric == "minkowski":
            return "euclidean" if self.p == 2 else "manhattan"
        return self.metric

    def _check_parameters(self, first: bool = False) -> None:
        check_whole_number("n_neighbors", self.n_neighbors, least=1)
        check_one_of("weights", self.weights, WEIGHTS)
        check_one_of("algorithm", self.algorithm, ROADS)
        check_one_of("metric", self.metric, METRICS)
        if not is_number(self.p) or self.p not in (1, 2):
            raise ValueError(
                f"p must be 1 (manhattan) or 2 (euclidean), got {self.p!r:.80}. For other "
                "distances use scikit-learn's model of the same name."
            )

    def _check_enough_rows(self, k: Any, n_rows: int) -> None:
        check_whole_number("n_neighbors", k, least=1)
        if k > n_rows:
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {k}, "
                f"n_samples_fit = {n_rows}: there are {n_rows} rows to choose from. "
                "Learn more rows, or ask for fewer neighbours."
            )

    def _checked_X(self, X: Any, first: bool) -> Array:
        if sparse.issparse(X):
            raise TypeError(
                "Sparse data is not supported by neighbours, which need dense rows: got a "
                f"{type(X).__name__}. Use X.toarray() if it is small enough."
            )
        X = without_target(self, X)
        matrix = as_matrix(X)
        validate_data(self, X if is_table(X) else matrix, reset=first, skip_check_array=True)
        return numbers_with_distances(matrix)

    def _asked_rows(self, X: Any) -> tuple[Array, bool]:
        single = is_single_row(X)
        if single and hasattr(self, "feature_names_in_") and hasattr(X, "to_dict"):
            X = X.to_dict()
        if isinstance(X, Mapping) and single:
            row = as_matrix([row_by_name(X, self._feature_names())])
            return numbers_with_distances(row), True
        return self._checked_X([X] if single else X, first=False), single

    def _feature_names(self) -> list[str]:
        unnamed = [f"x{number}" for number in range(self.n_features_in_)]
        return list(getattr(self, "feature_names_in_", unnamed))

    def _check_mergeable(self, other: Any) -> None:
        if type(other) is not type(self):
            raise TypeError(
                f"Only models of the same kind can be merged: this is a {type(self).__name__}, "
                f"the other a {type(other).__name__}."
            )
        check_is_fitted(other)
        mine, theirs = self._feature_names(), other._feature_names()
        if mine != theirs:
            raise ValueError(
                f"Only models of the same features can be merged: this one has {mine}, "
                f"the other {theirs}."
            )

    # what was learned -----------------------------------------------------------------------

    @property
    def n_parameters(self) -> int:
        """All numbers of the rows that are kept, and what belongs to them: N (p + 1)."""
        check_is_fitted(self)
        return self.statistics_.values.size + self.statistics_.targets.size

    def _column_names(self) -> list[str]:
        return self._feature_names()

    def _n_rows(self) -> int:
        return self.statistics_.n_rows

    def _class_rows(self) -> Array | None:
        return None

    # files ----------------------------------------------------------------------------------

    def _state(self) -> dict[str, Any]:
        """For files: all that was learned, as plain values and arrays."""
        names = getattr(self, "feature_names_in_", None)
        return {
            "values": self.statistics_.values,
            "targets": self.statistics_.targets,
            "feature_names": None if names is None else names.tolist(),
        }

    @learning
    def _restore(self, state: dict[str, Any]) -> Self:
        """For files: learn what `_state` gave; a file made by hand may say anything."""
        expected = {*COMMON_STATE, self._own_state}
        if set(state) != expected:
            missing, unknown = sorted(expected - set(state)), sorted(set(state) - expected)
            raise ValueError(f"The state of neighbours lacks {missing}, has the unknown {unknown}.")
        self._check_parameters()
        values, targets, names = (state[key] for key in COMMON_STATE)
        if not (isinstance(values, np.ndarray) and isinstance(targets, np.ndarray)):
            raise ValueError("The state of neighbours needs arrays of values and targets.")
        self._learned(Instances(values, targets).checked())
        if getattr(self, "n_features_in_", values.shape[1]) != values.shape[1]:
            raise ValueError("The rows of neighbours must have as many cells as features.")
        self.n_features_in_ = values.shape[1]
        if names is not None:
            self.feature_names_in_ = _checked_feature_names(names, values.shape[1])
        return self


def numbers_with_distances(matrix: Array) -> Array:
    """The cells as float64, where all of them have distances from each other."""
    values = dense_rows(matrix, slice(0, len(matrix)))
    refuse_large("X", values)
    return values


def refuse_large(name: str, values: Array) -> None:
    """Refuse NaN, infinities, and numbers whose squares are none."""
    if not sums_to_a_number(values):
        if np.isnan(values).any():
            raise ValueError(f"Input {name} contains NaN. {WITHOUT_GAPS[name]}")
        if np.isinf(values).any():
            raise ValueError(
                f"Input {name} contains infinity or a value too large for dtype('float64'). "
                "Replace it, or leave these rows out."
            )
    largest = max(values.max(), -values.min())
    if largest > LARGEST_VALUE:
        raise ValueError(
            f"{name} must be at most {LARGEST_VALUE:g} in size, got {largest:g}: the squares of "
            "differences must be numbers. Divide it by a constant."
        )


def _checked_feature_names(names: Any, n_features: int) -> Array:
    """The names of a file as an array, if each feature has one."""
    if not isinstance(names, list) or len(names) != n_features:
        raise ValueError("The features of neighbours do not have one name each.")
    if not all(isinstance(name, str) for name in names):
        raise ValueError("The names of features must be texts.")
    return np.array(names, dtype=object)
