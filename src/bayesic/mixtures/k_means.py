"""k-means: the limit of a Gaussian mixture whose variance goes to 0."""

from typing import Any, ClassVar, Literal, Self

import numpy as np

from bayesic.contract.transformer import NumberedTransformer, in_container
from bayesic.data.arguments import (
    as_numbers,
    check_is_fitted,
    check_number,
    check_whole_number,
    checked_weights,
    forget_learned,
    tell,
)
from bayesic.data.calls import constructor
from bayesic.data.matrices import Matrix
from bayesic.data.snapshots import answering, learning
from bayesic.data.typing import ArrayLike, LabelsLike, RandomState, TableLike
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.files.model_files import Saved, checked_arrays
from bayesic.kernels import Array
from bayesic.mixtures._lloyd import (
    Assignment,
    assigned,
    generator,
    nearest_means,
    random_rows,
    rows_at,
    smallest_step,
    spread_rows,
    squared_distances,
)
from bayesic.mixtures.em import Climb
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.labelled_rows import all_rows
from bayesic.models.readers.matrix_reader import MatrixReader
from bayesic.models.summaries.numbers import normal_summaries
from bayesic.models.summaries.summarised import Described, LearnedGroups, Summarised

STARTS = ("k-means++", "random")


class KMeans(Saved, Summarised, NumberedTransformer):
    """Clusters of rows around centres: EM with hard classes.

        E   every row belongs to the nearest centre: c_i = argmin over j of |x_i - mu_j|^2
        M   every centre moves to the mean of its rows

    alternating ([Lloyd]); no step raises the sum of squared distances, `inertia_`. It is the limit
    of a mixture of Gaussians with one known variance as that goes to 0 (`means_of_known_variance`).
    Arguments and attributes are those of scikit-learn's KMeans, as far as implemented.

    A centre that has lost all its rows moves to the row farthest from its own centre. If there are
    fewer distinct rows than clusters, some stay empty, with a warning.

    Parameters
    ----------
    n_clusters : number of clusters
    init : "k-means++": rows far from each other ([Arthur]); "random": any rows; or the centres to
        start from, (n_clusters, n_features)
    n_init : number of starts; the best result is kept; "auto": 10 for "random", else 1
    max_iter : maximum number of M-steps for each start
    tol : stop when the centres move no more than this: sum of their squared steps, divided by the
        mean variance of the features
    random_state : seed of the starts

    Attributes
    ----------
    cluster_centers_ : (n_clusters, n_features)
    labels_ : the index of the cluster of each row
    inertia_ : sum of the squared distances of the rows from their centres, by weight
    n_iter_ : number of M-steps
    trace_ : minus the inertia after each M-step; it never falls

    Examples
    --------
    >>> heights = [[1.52], [1.86], [1.55], [1.90], [1.58]]
    >>> model = KMeans(2, init=[[1.5], [1.9]]).fit(heights)
    >>> model.cluster_centers_.round(2).tolist(), model.labels_
    ([[1.55], [1.88]], array([0, 1, 0, 1, 0]))
    """

    estimator_type = "clusterer"
    tags: ClassVar[dict[str, bool]] = {"sparse": True}

    @constructor
    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Literal["k-means++", "random"] | ArrayLike = "k-means++",
        n_init: int | Literal["auto"] = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Find the clusters of the rows X; y is not used."""
        self._check_parameters(first=True)
        forget_learned(self)
        matrix = all_rows(self, X)
        n_rows = matrix.shape[0]
        weights = checked_weights(sample_weight, n_rows)
        self._check_enough_rows(n_rows)
        weights = np.ones(n_rows) if weights is None else weights
        return self._keep(self._best_climb(matrix, weights))

    def fit_predict(self, X: TableLike, y: LabelsLike | None = None, **fit_params: Any) -> Array:
        """Find the clusters, and return that of each row; fit_params go to `fit`."""
        return self.fit(X, **fit_params).labels_

    def _reader(self) -> MatrixReader:
        return MatrixReader(known_columns(self), complete=True)

    def _best_climb(self, X: Matrix, weights: Array) -> Climb[Array, Assignment]:
        rng, smallest = generator(self.random_state), smallest_step(X, weights, self.tol)
        climbs = (
            nearest_means(X, weights, self._start(X, weights, rng), self.max_iter, smallest)
            for _ in range(self._n_starts())
        )
        return max(climbs, key=lambda climb: climb.trace[-1])

    def _keep(self, best: Climb[Array, Assignment]) -> Self:
        self.cluster_centers_ = best.state
        self.trace_, self.n_iter_ = best.trace, best.n_iter
        self.labels_, self.inertia_ = best.expected.codes, -float(best.trace[-1])
        self._n_features_out = self.n_clusters
        n_with_rows = np.count_nonzero(best.expected.class_count)
        if n_with_rows < self.n_clusters:
            tell(
                f"{self.n_clusters} clusters were requested, but only {n_with_rows} have rows: "
                "there are no more distinct rows. Use fewer clusters."
            )
        return self

    def _start(self, X: Matrix, weights: Array, rng: np.random.Generator) -> Array:
        if not isinstance(self.init, str):
            return self._given_centres(X.shape[1])
        choose = random_rows if self.init == "random" else spread_rows
        return rows_at(X, choose(X, weights, self.n_clusters, rng))

    def _n_starts(self) -> int:
        if not isinstance(self.init, str):
            return 1  # all would be the same
        if isinstance(self.n_init, str):
            return 10 if self.init == "random" else 1
        return self.n_init

    # answers --------------------------------------------------------------------------------

    @answering
    def predict(self, X: TableLike) -> Array:
        """The index of the nearest centre of each row; ties go to the first."""
        return self._assigned(X)[0].codes

    @in_container
    @answering
    def transform(self, X: TableLike) -> Array:
        """The distance of each row from each centre: (n_samples, n_clusters)."""
        check_is_fitted(self)
        matrix = all_rows(self, X)
        return np.sqrt(squared_distances(matrix, self.cluster_centers_).T)

    @answering
    def score(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> float:
        """Minus the sum of the squared distances of the rows from their nearest centres."""
        return -self._assigned(X, sample_weight)[1]

    def _assigned(
        self, X: TableLike, sample_weight: ArrayLike | None = None
    ) -> tuple[Assignment, float]:
        check_is_fitted(self)
        matrix = all_rows(self, X)
        weights = checked_weights(sample_weight, matrix.shape[0])
        weights = np.ones(matrix.shape[0]) if weights is None else weights
        return assigned(matrix, weights, self.cluster_centers_)

    # what was learned -----------------------------------------------------------------------

    _group, _hint = "cluster", ""

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated: the centres."""
        check_is_fitted(self)
        return self.cluster_centers_.size

    def _groups(self) -> LearnedGroups:
        """Rows of each cluster; None for a model from a file, which does not hold them."""
        n_clusters = len(self.cluster_centers_)
        codes = getattr(self, "labels_", None)
        rows = None if codes is None else np.bincount(codes, minlength=n_clusters)
        return LearnedGroups(list(range(n_clusters)), rows)

    def _described(self) -> Described:
        names, rows, centres = (
            list(known_columns(self).names),
            self._groups().rows,
            self.cluster_centers_,
        )

        def summaries(X: object, y: object) -> list[ColumnSummary]:
            """As for a mixture with one variance, inertia / (N p), of which this is the limit."""
            if rows is None:
                return [ColumnSummary(name, "number") for name in names]
            variance = np.full_like(centres, self.inertia_ / (rows.sum() * len(names)))
            return normal_summaries(names, "number", centres, variance, rows / rows.sum())

        def table(index: int, fractions: bool) -> ColumnTable:
            of_column = enumerate(centres[:, index].tolist())
            records = tuple({self._group: label, "centre": centre} for label, centre in of_column)
            return ColumnTable(names[index], "number", classes=records)

        return Described(names, None, summaries, table)

    # files ----------------------------------------------------------------------------------

    def _state(self) -> dict[str, object]:
        """For `save`: the centres and the trace, but not labels_, which belong to the rows."""
        inertia = np.array([self.inertia_])
        return {"centres": self.cluster_centers_, "trace": self.trace_, "inertia": inertia}

    def _restore(self, state: dict[str, Any]) -> None:
        """For `load`: restore what `_state` returned; n_features_in_ is already set."""
        shape = (self.n_clusters, self.n_features_in_)
        arrays = checked_arrays(state, {"centres": shape, "trace": None, "inertia": (1,)})
        self.cluster_centers_ = arrays["centres"]
        self.trace_, self.n_iter_ = arrays["trace"], len(arrays["trace"])
        self.inertia_ = float(arrays["inertia"][0])
        self._n_features_out = self.n_clusters

    # checks ---------------------------------------------------------------------------------

    def _check_parameters(self, first: bool = False) -> None:
        check_whole_number("n_clusters", self.n_clusters, 1)
        check_whole_number("max_iter", self.max_iter, 1)
        check_number("tol", self.tol)
        if not isinstance(self.n_init, str) or self.n_init != "auto":
            check_whole_number("n_init", self.n_init, 1)
        if isinstance(self.init, str) and self.init not in STARTS:
            raise ValueError(
                f"init must be 'k-means++', 'random' or an array of centres, got {self.init!r}."
            )

    def _check_enough_rows(self, n_rows: int) -> None:
        if n_rows < self.n_clusters:
            raise ValueError(
                f"n_samples={n_rows} should be >= n_clusters={self.n_clusters}: every cluster "
                "needs a row. Use fewer clusters."
            )

    def _given_centres(self, n_features: int) -> Array:
        centres, shape = as_numbers(self.init, "init"), (self.n_clusters, n_features)
        if centres.shape != shape or not np.isfinite(centres).all():
            raise ValueError(
                f"init must hold one finite centre for each cluster: an array of shape {shape}, "
                f"got shape {centres.shape}."
            )
        return np.ascontiguousarray(centres)
