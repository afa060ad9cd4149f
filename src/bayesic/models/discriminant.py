"""Discriminant analysis: what QDA and LDA share, and QDA."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from scipy.linalg import LinAlgError
from sklearn.base import clone
from sklearn.covariance import ledoit_wolf
from sklearn.utils.validation import check_is_fitted

from bayesic.data.arguments import check_one_of, is_number
from bayesic.data.labels import encode_labels
from bayesic.data.matrices import Matrix, dense_rows, refuse_infinities, sums_to_a_number
from bayesic.data.notices import tell
from bayesic.data.snapshots import answering, learning
from bayesic.data.targets import split_target
from bayesic.estimation.covariance import (
    SINGULAR,
    CovarianceRule,
    class_covariances,
    least_eigenvalue,
)
from bayesic.estimation.gaussian_without import log_densities_without
from bayesic.estimation.normal_density import (
    LOG_TWO_PI,
    log_densities,
    normals,
    sequential_terms,
)
from bayesic.estimation.prior import class_prior
from bayesic.estimation.rank_one import LeftOut, Plans
from bayesic.kernels import pick
from bayesic.models.base import CountingClassifier, Scorer
from bayesic.models.gaussian_classifier import GaussianClassifier
from bayesic.statistics.cross_moments import CrossMoments

Array = np.ndarray


class DiscriminantAnalysis(GaussianClassifier):
    """Gaussian classes with the arguments and numbers of scikit-learn.

    `fit` refuses what scikit-learn refuses. Two ways to estimate a covariance need all rows at once
    and not just the statistic: shrinkage="auto" (fourth powers) and covariance_estimator. With them
    there is `fit` only.
    """

    solver: str
    shrinkage: Any
    priors: Any
    covariance_estimator: Any
    tol: Any

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X with classes y; whatever was learned before is gone."""
        self._start_anew()
        X, y = split_target(self, X, y, first=True)
        self.classes_, codes = encode_labels(y)
        matrix, weights = self._checked_rows(X, codes, sample_weight, first=True)
        statistics = self._summarise(matrix, codes, len(self.classes_), weights)
        self._refuse_few_rows(statistics.class_count)
        if self._needs_rows():
            self._learn_covariances(matrix, codes, weights)
        self._estimate(statistics)._refuse_singular()
        return self

    @learning
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the same model comes out as from all rows in one `fit`."""
        self._refuse_without_rows("partial_fit")
        super().partial_fit(X, y, classes, sample_weight)._tell_singular()
        return self

    @learning
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows back out: the same model comes out as if they had never been learned."""
        self._refuse_without_rows("forget")
        super().forget(X, y, sample_weight)._tell_singular()
        return self

    @learning
    def merge(self, other: CountingClassifier) -> Self:
        """Add all that another model of the same kind has learned; its parameters do not count."""
        self._refuse_without_rows("merge")
        super().merge(other)._tell_singular()
        return self

    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Array:
        """Probability of each class for each learned row, as if that row had not been learned."""
        self._refuse_without_rows("leave_one_out")
        return super().leave_one_out(X, y, sample_weight)

    @abstractmethod
    def _refuse_few_rows(self, class_count: Array) -> None:
        """Refuse in `fit` rows that are too few for scikit-learn."""

    @abstractmethod
    def _refuse_singular(self) -> None:
        """Refuse in `fit` a covariance that scikit-learn refuses."""

    @abstractmethod
    def _tell_singular(self) -> None:
        """Warn of a covariance that `fit` would refuse."""

    def _start_anew(self) -> None:
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def _needs_rows(self) -> bool:
        return self.covariance_estimator is not None or isinstance(self.shrinkage, str)

    def _refuse_without_rows(self, method: str) -> None:
        if self._needs_rows():
            raise ValueError(
                f"{method} works with what is kept of the rows, but shrinkage='auto' and "
                "covariance_estimator need all rows at once. Give shrinkage a number, or use "
                "GaussianBayes with shrinkage='ledoit-wolf' or 'auto'."
            )

    def _learn_covariances(self, X: Matrix, codes: Array, weights: Array | None) -> None:
        """The covariance of each class, and of all rows, by what needs the rows themselves."""
        if weights is not None:
            raise ValueError(
                "sample_weight does not go with shrinkage='auto' or covariance_estimator, which "
                "take every row once. Give shrinkage a number."
            )
        values = dense_rows(X, slice(0, X.shape[0]))
        groups = [values[codes == c] for c in range(len(self.classes_))]
        self.covariances_of_rows_ = np.array(
            [self._covariance_of_rows(rows) for rows in (*groups, values)]
        )

    def _covariance_of_rows(self, rows: Array) -> Array:
        if self.covariance_estimator is None:
            return standardised_ledoit_wolf(rows)
        fitted = clone(self.covariance_estimator, safe=False)
        fitted.fit(rows)
        if not hasattr(fitted, "covariance_"):
            raise ValueError(
                f"covariance_estimator must have covariance_ after fit, but "
                f"{type(fitted).__name__} has none. Use one of sklearn.covariance."
            )
        return np.atleast_2d(fitted.covariance_)

    # checks ---------------------------------------------------------------------------------

    def _check_shrinkage(self, solvers: tuple[str, ...]) -> None:
        check_one_of("solver", self.solver, solvers)
        weight = self.shrinkage
        is_word = weight is None or (isinstance(weight, str) and weight == "auto")
        if not is_word and not (is_number(weight) and 0 <= weight <= 1):
            raise ValueError(
                f"shrinkage must be None, a number from 0 to 1 or 'auto', got {weight!r:.80}."
            )
        if self.covariance_estimator is None:
            if self.solver == "svd" and weight is not None:
                raise NotImplementedError(
                    "shrinkage not supported with 'svd' solver. Use solver='eigen'."
                )
        elif weight not in (None, 0):
            raise ValueError(
                "covariance_estimator and shrinkage parameters are not None. "
                "Only one of the two can be set."
            )
        if not is_number(self.tol) or not 0 <= self.tol < np.inf:
            raise ValueError(f"tol must be a number of 0 or more, got {self.tol!r}.")

    def _rows(self, X: Matrix, rows: slice | None = None) -> Array:
        """These rows, or all of them; gaps and infinities are refused."""
        values = dense_rows(X, slice(0, X.shape[0]) if rows is None else rows)
        if sums_to_a_number(values):
            return values
        if np.isnan(values).any():
            raise ValueError(
                f"Input X contains NaN, and {type(self).__name__} needs rows without gaps. Fill "
                "them, or use GaussianBayes, which answers rows with gaps."
            )
        refuse_infinities(values)
        return values

    def _extra_state(self) -> dict[str, Any]:
        found = getattr(self, "covariances_of_rows_", None)
        return {} if found is None else {"covariances_of_rows": found}

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        if set(state) != {"covariances_of_rows"}:
            super()._restore_extra_state(state)
            return
        found = np.asarray(state["covariances_of_rows"], dtype=np.float64)
        expected = (len(self.classes_) + 1, self.n_features_in_, self.n_features_in_)
        if found.shape != expected or not np.isfinite(found).all():
            raise ValueError(f"covariances_of_rows must hold numbers of shape {expected}.")
        self.covariances_of_rows_ = found

    @answering
    def decision_function(self, X: Any) -> Array:
        """Log posterior of each class up to a constant; with two classes their log odds, (n_rows,).

        The odds are those of the second class against the first.
        """
        check_is_fitted(self)
        scores = self._decision_scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    @abstractmethod
    def _decision_scores(self, X: Any) -> Array:
        """Scores of each class: (n_rows, n_classes)."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags


def standardised_ledoit_wolf(rows: Array) -> Array:
    """The covariance with correlations shrunk as [LedoitWolf] do, by fourth powers of the rows."""
    spread = rows.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    shrunk = ledoit_wolf((rows - rows.mean(axis=0)) / spread, assume_centered=True)[0]
    return shrunk * spread[:, None] * spread


class QuadraticDiscriminantAnalysis(DiscriminantAnalysis):
    """Gaussian classes with a covariance matrix each: quadratic boundaries.

        log P(c | x) = log P(c) - 1/2 log |Sigma_c| - 1/2 (x - mean_c) Sigma_c^-1 (x - mean_c) + ...

    with maximum likelihood estimates (divided by n). Arguments, attributes and numbers are those of
    scikit-learn's QuadraticDiscriminantAnalysis; `partial_fit`, `forget`, `merge`, `leave_one_out`
    and sample weights come with the statistic. `fit` refuses a class whose covariance is singular;
    learning in pieces shrinks it, with a warning, until enough rows have come. GaussianBayes does
    this always.

    Parameters
    ----------
    solver : "svd", or "eigen", which takes shrinkage; both find the axes from the scatter
    shrinkage : weight of the mean variance times the unit matrix, or "auto" for Ledoit and Wolf
    priors : given prior probabilities, in the order of classes_; learned if None
    reg_param : weight of the unit matrix in the covariance (solver "svd")
    store_covariance : keep covariance_
    tol : a variance along an axis of no more than this makes the covariance singular
    covariance_estimator : estimates the covariance from the rows of a class (solver "eigen")

    Examples
    --------
    >>> X = [[1, 2], [2, 1], [3, 4], [4, 3], [7, 9], [8, 8], [9, 7], [9, 9]]
    >>> model = QuadraticDiscriminantAnalysis().fit(X, ["short"] * 4 + ["tall"] * 4)
    >>> model.scalings_[0], model.predict([[3, 3]]).tolist()
    (array([2. , 0.5]), ['short'])
    """

    def __init__(
        self,
        *,
        solver: str = "svd",
        shrinkage: float | str | None = None,
        priors: Any = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1.0e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    def _check_parameters(self, first: bool) -> None:
        self._check_shrinkage(("svd", "eigen"))
        if self.covariance_estimator is not None and self.solver == "svd":
            raise ValueError(
                "covariance_estimator is not supported with solver='svd'. "
                "Try solver='eigen' instead."
            )
        if not is_number(self.reg_param) or not 0 <= self.reg_param <= 1:
            raise ValueError(
                f"reg_param must be a number from 0 to 1, got {self.reg_param!r}. "
                "It is the weight of the unit matrix."
            )

    def _refuse_few_rows(self, class_count: Array) -> None:
        if len(self.classes_) < 2:
            raise ValueError(
                f"The number of classes has to be greater than one. Got {len(self.classes_)} class."
            )
        for name, count in zip(self.classes_.tolist(), class_count, strict=True):
            if count == 1 and class_count.dtype == np.int64:
                raise ValueError(
                    f"y has only 1 sample in class {name}, covariance is ill defined. "
                    "GaussianBayes shrinks it."
                )

    def _refuse_singular(self) -> None:
        counts = self.statistics_.class_count
        rows_are_counted = counts.dtype == np.int64  # weights need not be numbers of rows
        for c, name in enumerate(self.classes_.tolist()):
            rule = f"The covariance matrix of class {name} is not full rank."
            few = rows_are_counted and counts[c] <= self.n_features_in_
            if few and self.solver == "svd":
                raise LinAlgError(
                    f"{rule} When using `solver='svd'` the number of samples in each class should "
                    f"be more than the number of features, but class {name} has {counts[c]:g} "
                    f"samples and {self.n_features_in_} features. Use solver='eigen' with a "
                    "shrinkage, or GaussianBayes, which shrinks such a class."
                )
            if self._singular[c] or (self.scalings_[c] <= self.tol).any():
                argument = "shrinkage" if self.solver == "eigen" else "reg_param"
                raise LinAlgError(
                    f"{rule} Increase the value of `{argument}`, or use GaussianBayes, which "
                    "shrinks such a class."
                )

    def _tell_singular(self) -> None:
        singular = self._singular & (self.statistics_.class_count > 0)
        if singular.any():
            names = ", ".join(map(repr, self.classes_[singular].tolist()))
            tell(
                f"The covariance of class {names} is singular so far: it is shrunk towards the "
                "covariance of all classes together until there are more rows."
            )

    # estimating -----------------------------------------------------------------------------

    def _rule(self) -> CovarianceRule:
        if self.solver == "svd":
            target, weight = "identity", float(self.reg_param)
        else:
            target, weight = "mean variance", float(self.shrinkage or 0.0)
        return CovarianceRule(weight=weight, target=target, fill_constant=False)

    def _set_parameters(self, statistics: CrossMoments) -> None:
        self.priors_ = class_prior(statistics.class_count, self._prior())
        overall = statistics.class_moments.overall
        some = statistics.class_count > 0
        self.means_ = np.where(some[:, None], statistics.mean, overall.mean)
        if self._needs_rows():
            matrices = self.covariances_of_rows_[:-1]
            self._singular = least_eigenvalue(matrices) <= SINGULAR
        else:
            matrices, self._singular = class_covariances(
                self._rule(),
                statistics.class_count.astype(np.float64),
                statistics.scatter,
                overall.variance()[0],
            )
        variances, axes = np.linalg.eigh(matrices)
        self.scalings_ = list(variances[:, ::-1])
        self.rotations_ = list(axes[:, :, ::-1])
        if self.store_covariance:
            self.covariance_ = list(matrices)
        if self._needs_rows():
            self._refuse_singular()
        self._normals = normals(self.means_, matrices)

    # prior and answers ----------------------------------------------------------------------

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside: K (p + p (p + 1) / 2)."""
        check_is_fitted(self)
        n_classes, p = self.means_.shape
        return n_classes * (p + p * (p + 1) // 2)

    def _class_variances(self) -> Array:
        return np.einsum("cii->ci", self._normals.covariance)

    def _prior(self) -> Any:
        return "learned" if self.priors is None else self._checked_prior(self.priors).copy()

    def _decision_scores(self, X: Any) -> Array:
        return self.predict_joint_log_proba(X) + 0.5 * self.n_features_in_ * LOG_TWO_PI

    def _scorer(self, X: Matrix) -> Scorer:
        kernels = pick("covariances", X.shape[0] * self._normals.whitening.size)
        return lambda rows: log_densities(self._rows(X, rows), self._normals, kernels)

    def _leave_one_out_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        plans: Plans = {}

        def scores_of(rows: slice) -> Array:
            left_out = LeftOut(dense_rows(X, rows), codes[rows], weights[rows])
            return log_densities_without(self._rule(), self.statistics_, left_out, plans)

        return scores_of

    def _feature_scores(self, X: Matrix) -> Array:
        """What each feature adds beyond those before it: see sequential_terms."""
        return sequential_terms(self._rows(X), self._normals)
