"""A density that is a sum of Gaussians.

The estimator has the arguments and attributes of scikit-learn's, and so is longer than other files.
The steps of EM are in `components.py` and `_gaussian_em.py`.
"""

from typing import Any, ClassVar, Literal, Self

import numpy as np

from bayesic.contract.estimator import Estimator
from bayesic.data.arguments import (
    check_is_fitted,
    check_number,
    check_one_of,
    check_whole_number,
    checked_weights,
    forget_learned,
    tell,
)
from bayesic.data.blocks import in_threads
from bayesic.data.calls import constructor
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.data.snapshots import answering, learning
from bayesic.data.source import Stored, opened
from bayesic.data.typing import ArrayLike, LabelsLike, RandomState, TableLike
from bayesic.estimation.dependent_columns import DependentPairs, pairs_of_moments
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.files.model_files import Saved, checked_arrays
from bayesic.kernels import Array
from bayesic.kernels.blas import one_blas_thread
from bayesic.mixtures._gaussian_em import (
    STARTS,
    Expected,
    MixtureRows,
    Task,
    blocks_of,
    climb_from,
    first_components,
    shares_of,
)
from bayesic.mixtures._lloyd import feature_variances, generator
from bayesic.mixtures._spark_em import SparkTask, sampled_rows
from bayesic.mixtures.components import (
    COVARIANCE_TYPES,
    Components,
    checked_means,
    checked_precisions,
    checked_weights_init,
    covariance_shape,
    has_correlations,
    joint_log_density,
    n_covariance_parameters,
    precision_factors,
    variances_of,
)
from bayesic.mixtures.em import Climb
from bayesic.models.counting import unchanging
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.labelled_rows import all_rows
from bayesic.models.readers.matrix_reader import MatrixReader
from bayesic.models.sample import Sample
from bayesic.models.summaries.numbers import class_records, normal_summaries
from bayesic.models.summaries.summarised import Described, LearnedGroups, Summarised
from bayesic.statistics.cross_moments import CrossMoments
from bayesic.statistics.moments import ClassMoments


class GaussianMixture(Saved, Summarised, Estimator):
    """A mixture of Gaussians, learned by EM ([Dempster]).

        p(x) = sum over k of weight_k N(x; mean_k, Sigma_k)

        E   r_ik = weight_k N(x_i; mean_k, Sigma_k) / p(x_i)
        M   the statistics of Gaussian classes, where row i counts in component k with r_ik;
            weight_k = n_k / n, mean_k, Sigma_k = scatter_k / n_k + reg_covar I

    Arguments and attributes are those of scikit-learn's GaussianMixture, as far as implemented, and
    from the same start it reaches the same point. `lower_bound_` belongs to the final parameters;
    in scikit-learn it belongs to those one step before.

    A component that has lost all its rows stays where it is, with weight 0 and a warning: the
    likelihood does not depend on it. One that collapses onto rows without spread is refused;
    reg_covar prevents this.

    Parameters
    ----------
    n_components : number of Gaussians
    covariance_type : "full": each has its own matrix; "tied": one for all; "diag": each has its
        own variances; "spherical": each has one variance
    tol : stop when a step changes the mean log likelihood of a row by less than this
    reg_covar : added to the variances
    max_iter : maximum number of M-steps for each start
    n_init : number of starts; the best result is kept
    init_params : where to start: "kmeans": the clusters of KMeans; "k-means++": the rows nearest to
        each of some rows far from each other; "random_from_data": nearest to each of some random
        rows; "random": every row in all components, at random
    weights_init, means_init, precisions_init : parameters to start from, instead; precisions are
        the inverse of covariances, in the shape of their type
    random_state : seed of the starts, and of `sample`

    Attributes
    ----------
    weights_ : (n_components,)
    means_ : (n_components, n_features)
    covariances_ : (n_components, n_features, n_features) full, (n_features, n_features) tied,
        (n_components, n_features) diag, (n_components,) spherical
    statistics_ : the expected statistics of the components at the last M-step
    lower_bound_ : mean log likelihood of a row
    trace_ : the same after each M-step; it never falls
    n_iter_ : number of M-steps
    converged_ : whether the last of them changed the likelihood by less than tol. If False, either
        max_iter was reached (there is a warning then), or the next step would have lowered the
        likelihood, which can happen where reg_covar is large for the spread of a component

    Examples
    --------
    >>> heights = [[1.52], [1.86], [1.55], [1.90], [1.58], [1.83]]
    >>> model = GaussianMixture(2, means_init=[[1.5], [1.9]], random_state=0).fit(heights)
    >>> model.means_.round(2).tolist(), model.predict([[1.6], [1.8]])
    ([[1.55], [1.86]], array([0, 1]))
    """

    estimator_type = "density_estimator"
    tags: ClassVar[dict[str, bool]] = {"sparse": True}

    @constructor
    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: Literal["full", "tied", "diag", "spherical"] = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: Literal["kmeans", "k-means++", "random", "random_from_data"] = "kmeans",
        weights_init: ArrayLike | None = None,
        means_init: ArrayLike | None = None,
        precisions_init: ArrayLike | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
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
        """Learn the density of the rows X; y is not used. A row of weight 2 counts as two.

        With a Spark DataFrame every step of EM is one pass over its partitions; the start comes
        from a sample of its rows.
        """
        self._check_parameters(first=True)
        forget_learned(self)
        source = opened(X)
        if isinstance(source, Stored) and source.is_spark:
            some, n_rows = sampled_rows(self, X, sample_weight)
            self._check_enough_rows(n_rows)
            begin = self._task(some, None)
            return self._keep(self._best_climb(begin, SparkTask(unchanging(self), X)))
        matrix = all_rows(self, source)
        self._check_enough_rows(matrix.shape[0])
        task = self._task(matrix, checked_weights(sample_weight, matrix.shape[0]))
        return self._keep(self._best_climb(task, task))

    def fit_predict(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Array:
        """Learn, and return the most probable component of each row."""
        return self.fit(X, y, sample_weight=sample_weight).predict(X)

    def _reader(self) -> MatrixReader:
        return MatrixReader(known_columns(self), complete=True)

    def _task(self, matrix: Matrix, weights: Array | None) -> Task:
        feature_variances(matrix, weights)  # refuses numbers that are too large
        covariance = self.covariance_type, float(self.reg_covar)
        return Task(matrix, weights, self.n_components, *covariance)

    def _best_climb(self, begin: Task, task: MixtureRows) -> Climb[Components, Expected]:
        """EM on the rows of `task`, with starts chosen from those of `begin`; the best climb."""
        rng, given = generator(self.random_state), self._given(begin.X.shape[1])
        n_starts = 1 if len(given) == len(Components._fields) else self.n_init
        climbs = (
            climb_from(task, self._start(begin, given, rng), self.max_iter, self.tol)
            for _ in range(n_starts)
        )
        return max(climbs, key=lambda climb: climb.trace[-1])

    def _start(self, task: Task, given: dict[str, Array], rng: np.random.Generator) -> Components:
        if len(given) == len(Components._fields):
            return Components(**given)
        return first_components(task, self.init_params, rng)._replace(**given)

    def _given(self, n_features: int) -> dict[str, Array]:
        """The starting parameters that the user gave."""
        n, given = self.n_components, {}
        if self.weights_init is not None:
            given["weights"] = checked_weights_init(self.weights_init, n)
        if self.means_init is not None:
            given["means"] = checked_means(self.means_init, n, n_features)
        if self.precisions_init is not None:
            given["covariances"] = checked_precisions(
                self.precisions_init, self.covariance_type, n, n_features
            )
        return given

    def _keep(self, best: Climb[Components, Expected]) -> Self:
        self.weights_, self.means_, self.covariances_ = best.state
        self.statistics_ = best.hidden.statistics
        self.trace_, self.n_iter_ = best.trace, best.n_iter
        self.lower_bound_, self.converged_ = float(best.trace[-1]), best.converged
        if not best.converged and best.n_iter == self.max_iter:
            tell(
                f"EM has not converged within max_iter={self.max_iter} steps. Raise max_iter, or "
                "tol if the last digits do not matter."
            )
        n_empty = np.count_nonzero(self.weights_ == 0)
        if n_empty:
            tell(
                f"{n_empty} of {self.n_components} components have no rows and weight 0. Use "
                "fewer components, or another start."
            )
        return self

    # answers --------------------------------------------------------------------------------

    @answering
    def predict(self, X: TableLike) -> Array:
        """The most probable component of each row."""
        return self._answers(X)[0].argmax(axis=1)

    @answering
    def predict_proba(self, X: TableLike) -> Array:
        """Probability of each component, given the row: (n_samples, n_components)."""
        return self._answers(X)[0]

    @answering
    def score_samples(self, X: TableLike) -> Array:
        """log p(x) of each row."""
        return self._answers(X)[1]

    def score(self, X: TableLike, y: LabelsLike | None = None) -> float:
        """The mean of log p(x)."""
        return float(self.score_samples(X).mean())

    @answering
    def bic(self, X: TableLike) -> float:
        """-2 log likelihood + n_parameters log n ([Schwarz]): the lower the better."""
        log_density = self.score_samples(X)
        return float(-2 * log_density.sum() + self.n_parameters * np.log(len(log_density)))

    @answering
    def aic(self, X: TableLike) -> float:
        """-2 log likelihood + 2 n_parameters ([Akaike]): the lower the better."""
        return float(-2 * self.score_samples(X).sum() + 2 * self.n_parameters)

    @answering
    def sample(self, n_samples: int = 1, random_state: RandomState = None) -> Sample:
        """Draw rows from the mixture: X (n_samples, n_features), and y, their components."""
        check_is_fitted(self)
        check_whole_number("n_samples", n_samples, least=1)
        rng = generator(self.random_state if random_state is None else random_state)
        codes = rng.choice(len(self.weights_), int(n_samples), p=self.weights_)
        steps = rng.standard_normal((int(n_samples), self.means_.shape[1]))
        if has_correlations(self.covariance_type):
            matrices = np.broadcast_to(
                self.covariances_, (len(self.weights_), *self.covariances_.shape[-2:])
            )
            steps = np.einsum("nij,nj->ni", np.linalg.cholesky(matrices)[codes], steps)
        else:
            steps *= np.sqrt(variances_of(self._components, self.covariance_type))[codes]
        return Sample(self.means_[codes] + steps, codes)

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated: weights (one follows from the others), means, covariances."""
        check_is_fitted(self)
        n_components, n_features = self.means_.shape
        of_covariances = n_covariance_parameters(self.covariance_type, n_components, n_features)
        return n_components - 1 + n_components * n_features + of_covariances

    @property
    @answering
    def precisions_cholesky_(self) -> Array:
        """Upper matrices (or numbers) whose product with their transpose is precisions_."""
        return precision_factors(self._components, self.covariance_type)

    @property
    @answering
    def precisions_(self) -> Array:
        """The inverse of covariances_, in the same shape."""
        factors = self.precisions_cholesky_
        if has_correlations(self.covariance_type):
            return factors @ factors.swapaxes(-2, -1)
        return factors**2

    @property
    def _components(self) -> Components:
        check_is_fitted(self)
        return Components(self.weights_, self.means_, self.covariances_)

    def _answers(self, X: TableLike) -> tuple[Array, Array]:
        """P(component | x), (n_samples, n_components), and log p(x) of each row."""
        components = self._components
        matrix = all_rows(self, X)
        n_rows, n_components = matrix.shape[0], len(components.weights)
        scorer = joint_log_density(components, self.covariance_type, n_rows)
        shares, log_density = np.empty((n_rows, n_components)), np.empty(n_rows)

        def fill(rows: slice) -> None:
            of_rows, log_density[rows] = shares_of(scorer(dense_rows(matrix, rows)))
            shares[rows] = of_rows.T

        with one_blas_thread():
            for _ in in_threads(fill, blocks_of(matrix, n_components)):
                pass
        return shares, log_density

    # what was learned -----------------------------------------------------------------------

    _group, _hint = "component", ""

    def _variances(self) -> Array:
        if not has_correlations(self.covariance_type):
            return variances_of(self._components, self.covariance_type)
        variances = np.diagonal(self.covariances_, axis1=-2, axis2=-1)
        return np.broadcast_to(variances, self.means_.shape)

    def _groups(self) -> LearnedGroups:
        return LearnedGroups(list(range(len(self.weights_))), self.statistics_.class_count)

    def _described(self) -> Described:
        names, labels = list(known_columns(self).names), self._groups().labels
        variances, statistics = self._variances(), self.statistics_

        def summaries(X: object, y: object) -> list[ColumnSummary]:
            return normal_summaries(names, "number", self.means_, variances, self.weights_)

        def table(index: int, fractions: bool) -> ColumnTable:
            normal = self.means_[:, index], np.sqrt(variances[:, index])
            records = class_records(labels, statistics.class_count, *normal, group=self._group)
            return ColumnTable(names[index], "number", classes=records)

        def pairs(X: object, y: object) -> DependentPairs | None:
            if not isinstance(statistics, CrossMoments):
                return None
            return pairs_of_moments(names, statistics)

        return Described(names, self.weights_, summaries, table, pairs)

    # files ----------------------------------------------------------------------------------

    def _state(self) -> dict[str, object]:
        """For `save`: the parameters, the trace, and the statistics they were estimated from."""
        return {
            "weights": self.weights_,
            "means": self.means_,
            "covariances": self.covariances_,
            "trace": self.trace_,
            "converged": bool(self.converged_),
            "statistics": self.statistics_,
        }

    def _restore(self, state: dict[str, Any]) -> None:
        """For `load`: restore what `_state` returned; n_features_in_ is already set."""
        n, n_features = self.n_components, self.n_features_in_
        shapes = {
            "weights": (n,),
            "means": (n, n_features),
            "covariances": covariance_shape(self.covariance_type, n, n_features),
        }
        arrays = checked_arrays(state, {**shapes, "trace": None}, ("converged", "statistics"))
        components = Components(*(arrays[name] for name in shapes))
        checked_weights_init(components.weights, n)
        joint_log_density(components, self.covariance_type, 1)  # refuses singular matrices
        Statistics = CrossMoments if has_correlations(self.covariance_type) else ClassMoments
        statistics = state["statistics"]
        if not isinstance(statistics, Statistics) or len(statistics.class_count) != n:
            raise ValueError("The state must have the statistics of each component.")
        self.weights_, self.means_, self.covariances_ = components
        self.statistics_ = statistics.checked()
        self.trace_, self.n_iter_ = arrays["trace"], len(arrays["trace"])
        self.lower_bound_ = float(self.trace_[-1])
        self.converged_ = bool(state["converged"])

    # checks ---------------------------------------------------------------------------------

    def _check_parameters(self, first: bool = False) -> None:
        check_whole_number("n_components", self.n_components, 1)
        check_whole_number("max_iter", self.max_iter, 1)
        check_whole_number("n_init", self.n_init, 1)
        check_number("tol", self.tol)
        check_number("reg_covar", self.reg_covar)
        check_one_of("covariance_type", self.covariance_type, COVARIANCE_TYPES)
        check_one_of("init_params", self.init_params, STARTS)

    def _check_enough_rows(self, n_rows: int) -> None:
        if n_rows < self.n_components:
            raise ValueError(
                f"Expected n_samples >= n_components, got n_samples = {n_rows}, n_components = "
                f"{self.n_components}: every component needs a row. Use fewer components."
            )
