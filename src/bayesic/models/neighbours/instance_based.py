"""Models that keep the rows themselves: how rows come in, and what the nearest of them say."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from scipy import sparse

from bayesic.data.arguments import check_is_fitted, check_one_of, check_whole_number, is_number
from bayesic.data.matrices import Matrix, dense_rows, sums_to_a_number
from bayesic.data.snapshots import answering
from bayesic.data.typing import TableLike
from bayesic.estimation.nearest import ALGORITHMS, WEIGHTS, NearestRows, neighbour_weights
from bayesic.evidence.neighbour_table import Neighbour, Neighbours
from bayesic.evidence.several import Reasons
from bayesic.kernels import Array
from bayesic.models.notes import Note
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.labelled_rows import all_rows
from bayesic.models.readers.matrix_reader import MatrixReader
from bayesic.statistics.instances import LARGEST_VALUE, Instances

METRICS = ("minkowski", "euclidean", "manhattan")

# What to do about NaN.
WITHOUT_GAPS = {
    "X": "A missing value has no distance. Impute it, for example with sklearn's SimpleImputer, "
    "leave these rows out, or use NaiveBayes, which does not need it.",
    "y": "Leave out the rows without a number.",
}


def _search_among(model: "AsksNeighbours", statistics: Instances) -> None:
    model._search = NearestRows(statistics.values)  # whatever the parameters


SEARCH = Note(keep=_search_among)

COMMON_STATE = ("values", "targets", "feature_names")  # what files hold of both models


@dataclass(frozen=True)
class DistanceReader(MatrixReader):
    """How rows come in that have distances from each other: dense and complete."""

    complete: bool = True

    def _checked(self, matrix: Matrix) -> Array:
        if sparse.issparse(matrix):
            raise TypeError(
                "Sparse data is not supported by neighbours, which need dense rows: got a "
                f"{type(matrix).__name__}. Use X.toarray() if it is small enough."
            )
        values = dense_rows(matrix, slice(0, len(matrix)))
        refuse_large("X", values)
        return values


@dataclass(frozen=True, eq=False)
class NearestInstances(ABC):
    """The learned rows, and how the nearest of them are asked."""

    instances: Instances
    search: NearestRows  # made from the rows when it is first needed, whatever is asked
    n_neighbors: int
    weights: str
    algorithm: str
    metric: str

    @property
    def n_parameters(self) -> int:
        """All numbers of the rows that are kept, and what belongs to them: N (p + 1)."""
        return self.instances.values.size + self.instances.targets.size

    @abstractmethod
    def said(self, distance: Array, rows: Array) -> Array:
        """What these neighbours say together; their distances and numbers, (n_asked, k) both."""

    @abstractmethod
    def labels(self, targets: Array) -> list:
        """What a reader knows targets by: (n, n_outputs)."""

    @abstractmethod
    def reason(self, answer: Array, nearest: tuple[Neighbour, ...]) -> Neighbours:
        """The answer for one row, with the neighbours that it comes from."""

    def answers(self, values: Array) -> Array:
        """What the neighbours of each row say."""
        return self.said(*self.nearest(values))

    def answers_without(
        self, values: Array, targets: Array, weights: Array
    ) -> tuple[Array, Literal[0]]:
        """The same of learned rows, where none is its own neighbour; none is impossible."""
        places = self.instances.places_of(_instances_of(values, targets))
        return self.said(*self.nearest_without(places)), 0

    def nearest(self, values: Array, k: int | None = None) -> tuple[Array, Array]:
        """Distances and numbers of the k nearest learned rows of each row."""
        k = self._checked_k(k, self.instances.n_rows)
        return self.search.nearest(values, k, self.metric, self.algorithm)

    def nearest_without(self, places: Array, k: int | None = None) -> tuple[Array, Array]:
        """The same of learned rows, given by their places, where none is its own neighbour."""
        k = self._checked_k(k, self.instances.n_rows - 1)
        return self.search.nearest_without(places, k, self.metric, self.algorithm)

    def reasons(self, values: Array) -> list[Neighbours]:
        """The neighbours that the answer for each row comes from."""
        distance, rows = self.nearest(values)
        weights = neighbour_weights(distance, self.weights)
        found = zip(rows, distance.tolist(), weights.tolist(), strict=True)
        nearest = [
            tuple(map(Neighbour, row.tolist(), self.labels(self.instances.targets[row]), *far))
            for row, *far in found
        ]
        return [*map(self.reason, self.said(distance, rows), nearest)]

    def _checked_k(self, given: Any, n_rows: int) -> int:
        k = self.n_neighbors if given is None else given
        check_whole_number("n_neighbors", k, least=1)
        if k > n_rows:
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {k}, "
                f"n_samples_fit = {n_rows}: there are {n_rows} rows to choose from. Learn more "
                "rows, or use fewer neighbours."
            )
        return k


class AsksNeighbours:
    """What a model says of neighbours, whether they have classes or numbers."""

    n_neighbors: int
    weights: str
    algorithm: str
    p: float
    metric: str
    statistics_: Instances
    n_features_in_: int
    _fitted: NearestInstances
    _search: NearestRows
    _check_parameters: Callable[[], None]
    _own_state: str  # what a file holds besides COMMON_STATE

    # answers --------------------------------------------------------------------------------

    @overload
    def kneighbors(
        self,
        X: TableLike | None = None,
        n_neighbors: int | None = None,
        return_distance: Literal[True] = True,
    ) -> tuple[Array, Array]: ...

    @overload
    def kneighbors(
        self,
        X: TableLike | None = None,
        n_neighbors: int | None = None,
        *,
        return_distance: Literal[False],
    ) -> Array: ...

    @answering
    def kneighbors(
        self,
        X: TableLike | None = None,
        n_neighbors: int | None = None,
        return_distance: bool = True,
    ) -> tuple[Array, Array] | Array:
        """Distances and numbers of the nearest learned rows: (n_samples, n_neighbors) both.

        Nearest first; of equally distant rows, the one learned first.

        X : rows as for `predict`; None for all learned rows, each without itself
        n_neighbors : how many; None for those of the model
        return_distance : False for the numbers alone
        """
        check_is_fitted(self)
        if X is None:
            every = np.arange(self.statistics_.n_rows)
            distance, rows = self._fitted.nearest_without(every, n_neighbors)
        else:
            distance, rows = self._fitted.nearest(all_rows(self, X), n_neighbors)
        return (distance, rows) if return_distance else rows

    @answering
    def explain(self, X: TableLike) -> Neighbours | Reasons[Neighbours]:
        """The neighbours behind an answer: label, distance and weight of each.

        X : one row (a tuple, list, or dict by feature name), which gives one Neighbours; or rows
            as for `predict`, which give a list
        """
        check_is_fitted(self)
        values, single = self._reader().one(X)
        found = self._fitted.reasons(values)
        explained = Reasons(found)
        return explained[0] if single else explained

    # learning -------------------------------------------------------------------------------

    def _reader(self) -> DistanceReader:
        return DistanceReader(known_columns(self))

    def _count(self, X: Array, codes: Array, n_classes: int, weights: Array | None) -> Instances:
        # copies: what is kept must not change when the arrays of the caller do
        return _instances_of(X.copy(), codes.copy())

    def _how(self, instances: Instances) -> dict[str, Any]:
        """What both models know of their neighbours, for NearestInstances."""
        metric = "euclidean" if self.p == 2 else "manhattan"
        return {
            "instances": instances,
            "search": self._search,
            "n_neighbors": self.n_neighbors,
            "weights": self.weights,
            "algorithm": self.algorithm,
            "metric": metric if self.metric == "minkowski" else self.metric,
        }

    def _check_neighbours(self) -> None:
        check_whole_number("n_neighbors", self.n_neighbors, least=1)
        check_one_of("weights", self.weights, WEIGHTS)
        check_one_of("algorithm", self.algorithm, ALGORITHMS)
        check_one_of("metric", self.metric, METRICS)
        if not is_number(self.p) or self.p not in (1, 2):
            raise ValueError(
                f"p must be 1 (manhattan) or 2 (euclidean), got {self.p!r:.80}. For other "
                "distances use scikit-learn's model of the same name."
            )

    # files ----------------------------------------------------------------------------------

    def _common_state(self) -> dict[str, object]:
        """For files: all that was learned, as plain values and arrays."""
        names = getattr(self, "feature_names_in_", None)
        return {
            "values": self.statistics_.values,
            "targets": self.statistics_.targets,
            "feature_names": None if names is None else names.tolist(),
        }

    def _restored(self, state: dict[str, object]) -> Instances:
        """For files: the rows that `_state` gave; a file made by hand may say anything."""
        expected = {*COMMON_STATE, self._own_state}
        if set(state) != expected:
            missing, unknown = sorted(expected - set(state)), sorted(set(state) - expected)
            raise ValueError(f"The state of neighbours lacks {missing}, has the unknown {unknown}.")
        self._check_parameters()
        values, targets, names = (state[key] for key in COMMON_STATE)
        if not (isinstance(values, np.ndarray) and isinstance(targets, np.ndarray)):
            raise ValueError("The state of neighbours needs arrays of values and targets.")
        instances = Instances(values, targets).checked()
        if getattr(self, "n_features_in_", values.shape[1]) != values.shape[1]:
            raise ValueError("The rows of neighbours must have as many cells as features.")
        self.n_features_in_ = values.shape[1]
        if names is not None:
            self.feature_names_in_ = _checked_feature_names(names, values.shape[1])
        return instances


def _instances_of(values: Array, targets: Array) -> Instances:
    """Rows with what belongs to each: a class number or a number, or several of them."""
    return Instances(values, targets.reshape(len(targets), -1))


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


def _checked_feature_names(names: object, n_features: int) -> Array:
    """The names of a file as an array, if each feature has one."""
    if not isinstance(names, list) or len(names) != n_features:
        raise ValueError("The features of neighbours do not have one name each.")
    if not all(isinstance(name, str) for name in names):
        raise ValueError("The names of features must be texts.")
    return np.array(names, dtype=object)
