"""Logistic regression: the discriminative twin of naive Bayes and of Gaussian Bayes."""

from collections.abc import Callable
from typing import Any, NoReturn, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesic.data.arguments import check_one_of, check_whole_number, is_number
from bayesic.data.blocks import in_threads
from bayesic.data.labels import encode_labels
from bayesic.data.matrices import Matrix, dense_rows
from bayesic.data.notices import tell
from bayesic.data.snapshots import answering, learning
from bayesic.data.targets import split_target
from bayesic.data.weights import checked_weights
from bayesic.estimation.ascent import Ascent, gradient_ascent, quick_ascent
from bayesic.estimation.logistic import (
    LogisticProblem,
    Weights,
    blocks_of,
    class_scores,
    rows_of,
)
from bayesic.estimation.pairs import DependentPairs, pairs_of_moments
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.reasons import GivesReasons
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels.blas import one_blas_thread
from bayesic.models.linear import (
    check_flag,
    check_lengths,
    complete_rows,
    feature_names,
    refuse_overflow,
)
from bayesic.models.posterior import best_class, log_posterior, posterior
from bayesic.models.saving import Saved, checked_arrays
from bayesic.models.summaries.numbers import normal_summaries
from bayesic.models.summaries.rows import classes_of_rows
from bayesic.models.summaries.summarised import Summarised
from bayesic.statistics.cross_moments import CrossMoments, cross_moments
from bayesic.statistics.values import class_counts

Array = np.ndarray

SOLVERS = ("lbfgs", "newton", "gradient")
SMALLEST = float(np.finfo(np.float64).tiny)  # smaller numbers have no reciprocal


class LogisticRegression(Saved, GivesReasons, Summarised, ClassifierMixin, BaseEstimator):
    """The probability of a class as a function of a weighted sum of the features.

        P(c | x) = exp(w_c x + b_c) / sum over k of exp(w_k x + b_k)

    and with two classes P(second | x) = 1 / (1 + exp(-(w x + b))). The weights are the most
    probable ones: they make log likelihood - |w|^2 / (2 C) as large as possible. How x itself is
    distributed is left open. Arguments, attributes and numbers are those of scikit-learn's
    LogisticRegression where the two have the same.

    NaN is refused: with a weighted sum there is no product from which a feature could be left out.

    Parameters
    ----------
    C : variance of the normal prior of each weight; np.inf for maximum likelihood
    fit_intercept : learn b; without it the score of a row of zeros is 0 in every class
    solver : "lbfgs", "newton", or "gradient": the textbook's rule w <- w + eta sum (d - h) x
    learning_rate : eta of "gradient"; None for one with which the likelihood never falls
    max_iter : most steps
    tol : the search ends when no component of the gradient of the mean log likelihood is larger;
        "lbfgs" and "newton" take the features in units of their spread

    Attributes
    ----------
    coef_, intercept_ : w and b, one row a class; with two classes of the second one only
    n_iter_ : steps that were taken, in an array of one number
    trace_ : log likelihood - |w|^2 / (2 C) at the start and after each step

    Examples
    --------
    >>> rain, late = [[0], [0], [0], [1], [1], [1]], ["no", "no", "yes", "no", "yes", "yes"]
    >>> model = LogisticRegression(C=np.inf).fit(rain, late)
    >>> model.predict_proba([[0], [1]]).round(4)
    array([[0.6667, 0.3333],
           [0.3333, 0.6667]])
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        solver: str = "lbfgs",
        learning_rate: float | None = None,
        max_iter: int = 100,
        tol: float = 1e-5,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.tol = tol

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X with classes y; whatever was learned before is gone.

        X : array-like, sparse matrix or table of numbers, (n_samples, n_features)
        y : class labels, (n_samples,), of two classes or more, or the name of their column of X
        sample_weight : weights of the rows, (n_samples,); a row of weight 2 counts twice
        """
        with one_blas_thread():
            self._check_parameters(first=True)
            X, y = split_target(self, X, y, first=True)
            classes, codes = encode_labels(y)
            matrix = self._checked_X(X, first=True)
            check_lengths(matrix.shape[0], len(codes))
            weights = checked_weights(sample_weight, matrix.shape[0])
            _check_classes(classes, codes, weights)
            problem = LogisticProblem(
                matrix, codes, len(classes), weights, 1.0 / self.C, bool(self.fit_intercept)
            )
            ascent = self._ascent(problem)
            self.classes_ = classes
            self.class_count_ = class_counts(codes, weights, len(classes))
            self._keep(ascent.weights, ascent.trace)
            self._tell_how_it_ended(ascent, problem)
            return self

    def _ascent(self, problem: LogisticProblem) -> Ascent:
        if self.solver == "gradient":
            return gradient_ascent(problem, self.learning_rate, self.max_iter, self.tol)
        return quick_ascent(problem, self.solver, self.max_iter, self.tol)

    def _keep(self, weights: Weights, trace: Array) -> None:
        self.coef_, self.intercept_ = weights
        self.trace_ = trace
        self.n_iter_ = np.array([len(trace) - 1], dtype=np.int32)

    def _tell_how_it_ended(self, ascent: Ascent, problem: LogisticProblem) -> None:
        fell = np.diff(ascent.trace) < -1e-9 * np.abs(ascent.trace[1:])
        if self.solver == "gradient" and fell.any():
            tell(
                f"The log likelihood fell on the way: learning_rate={self.learning_rate!r} is too "
                "large. Take a smaller one, or None."
            )
        if problem.penalty == 0 and problem.right_answers(ascent.weights):
            tell(
                "A weighted sum of the features tells the classes apart without a mistake: without "
                "a penalty the likelihood is largest for weights without end, and these are where "
                "the search stopped. Give a finite C."
            )
        elif not ascent.converged:
            tell(
                f"The search for the weights stopped after {len(ascent.trace) - 1} steps before it "
                "came to its end. Take a larger max_iter or tol, or another solver."
            )

    # answers --------------------------------------------------------------------------------

    @answering
    def decision_function(self, X: Any) -> Array:
        """w x + b: of each class, (n_samples, n_classes); of two, of the second, (n_samples,)."""
        scores = self._by_blocks(X, lambda scores: scores)
        return scores[:, 1] if len(self.classes_) == 2 else scores

    @answering
    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        best = self._by_blocks(X, best_class)
        return self.classes_[best]

    @answering
    def predict_proba(self, X: Any) -> Array:
        """Probability of each class, in the order of classes_: (n_samples, n_classes)."""
        return self._by_blocks(X, posterior)

    @answering
    def predict_log_proba(self, X: Any) -> Array:
        """Log of predict_proba, exact also where that is too small to be told from zero."""
        return self._by_blocks(X, log_posterior)

    @answering
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows whose most probable class is y; y may be the name of a column of X."""
        return super().score(*split_target(self, X, y), sample_weight)

    def work(self, row: Any, feature_names: Any = None) -> NoReturn:
        """Not for this model: there is no P(c) times p(x | c) to write out. See `explain`."""
        raise TypeError(
            "work writes out P(c) times p(x | c), and LogisticRegression has neither: it knows "
            "P(c | x) alone. explain(X) gives what each feature adds to the log odds."
        )

    def _by_blocks(self, X: Any, finish: Callable[[Array], Array]) -> Array:
        check_is_fitted(self)
        return self._answers(self._checked_X(X, first=False), finish)

    def _answers(self, X: Matrix, finish: Callable[[Array], Array]) -> Array:
        """What finish makes of the scores (n_classes, n_rows), for all rows."""
        weights = Weights(self.coef_, self.intercept_)

        def answer(rows: slice) -> Array:
            with np.errstate(over="ignore", invalid="ignore"):  # seen in the scores
                scores = class_scores(rows_of(X, rows), weights)
            refuse_overflow(scores)
            return finish(scores).T

        with one_blas_thread():
            return np.concatenate([*in_threads(answer, blocks_of(X, len(self.classes_)))])

    # reasons --------------------------------------------------------------------------------

    def _feature_scores(self, X: Matrix) -> Array:
        values = dense_rows(X, slice(0, X.shape[0]))
        return values[:, :, None] * self._of_all_classes(self.coef_).T

    def _log_prior(self) -> Array:
        """Log probability of each class where all features are 0: what the intercept says."""
        return log_posterior(self._of_all_classes(self.intercept_)[:, None])[:, 0]

    def _prior(self) -> Array:
        return np.exp(self._log_prior())

    def _prior_of_scores(self, log_prior: Array) -> Array:
        return log_prior

    def _log_posterior(self, X: Matrix) -> Array:
        return self._answers(X, log_posterior)

    def _feature_names(self) -> list[str]:
        return feature_names(self)

    def _of_all_classes(self, learned: Array) -> Array:
        """Weights of each class; of two classes the first has zeros."""
        return np.concatenate([0 * learned, learned]) if len(self.classes_) == 2 else learned

    # what was learned -----------------------------------------------------------------------

    _hint = (
        "What columns tell of the class, and which depend on each other, is seen from rows: "
        "summary(X, y)."
    )

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated: weights and, where it is learned, b, of each output."""
        check_is_fitted(self)
        return self.coef_.size + (self.intercept_.size if self.fit_intercept else 0)

    def _class_rows(self) -> Array:
        return self.class_count_

    def _column_names(self) -> list[str]:
        return self._feature_names()

    def _moments_of(self, X: Any, y: Any) -> CrossMoments:
        codes = classes_of_rows(y, self.classes_)
        matrix = self._checked_X(X, first=False)
        check_lengths(matrix.shape[0], len(codes))
        return cross_moments(matrix, codes, len(self.classes_))

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        if X is None:
            return [ColumnSummary(name, "number") for name in self._feature_names()]
        moments = self._moments_of(X, y)
        variance = moments.class_moments.per_class.variance()
        prior = self.class_count_ / self.class_count_.sum()
        return normal_summaries(self._feature_names(), "number", moments.mean, variance, prior)

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        weights = self.coef_[:, self._feature_names().index(column)].tolist()
        classes = self.classes_[-len(weights) :].tolist()  # of two the weight is of the second
        records = [{"class": c, "weight": w} for c, w in zip(classes, weights, strict=True)]
        return ColumnTable(column, "number", classes=tuple(records))

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs | None:
        if X is None:
            return None
        return pairs_of_moments(self._feature_names(), self._moments_of(X, y))

    # files ----------------------------------------------------------------------------------

    def _state(self) -> dict[str, Any]:
        """For `save`: all that is learned beside the classes and the features."""
        arrays = {"coef": self.coef_, "intercept": self.intercept_, "trace": self.trace_}
        return {**arrays, "class_count": self.class_count_.astype(np.float64)}

    def _restore(self, state: dict[str, Any]) -> None:
        """For `load`: set what _state gave, when classes_ and n_features_in_ are there."""
        n_outputs = 1 if len(self.classes_) == 2 else len(self.classes_)
        shapes = {"coef": (n_outputs, self.n_features_in_), "intercept": (n_outputs,)}
        shapes["class_count"] = (len(self.classes_),)
        state = checked_arrays(state, {**shapes, "trace": None})
        count = state["class_count"]
        if not (count > 0).all():
            raise ValueError("class_count must be above 0 for every class.")
        self.class_count_ = count.astype(np.int64) if (count % 1 == 0).all() else count
        self._keep(Weights(state["coef"], state["intercept"]), state["trace"])

    # checks ---------------------------------------------------------------------------------

    def _check_parameters(self, first: bool) -> None:
        check_flag("fit_intercept", self.fit_intercept)
        check_one_of("solver", self.solver, SOLVERS)
        check_whole_number("max_iter", self.max_iter, 1)
        _check_positive("C", self.C, "np.inf is for no penalty at all")
        _check_positive("tol", self.tol, "1e-5 by default")
        if self.learning_rate is not None:
            _check_positive("learning_rate", self.learning_rate, "None finds one that is safe")
            if self.solver != "gradient":
                raise ValueError(
                    f"learning_rate is for solver='gradient' alone, got {self.learning_rate!r} "
                    f"with solver={self.solver!r}. Leave it out."
                )

    def _checked_X(self, X: Any, first: bool) -> Matrix:
        return complete_rows(self, X, first)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _check_classes(classes: Array, codes: Array, weights: Array | None) -> None:
    """Refuse a single class, and classes without any weight."""
    if len(classes) < 2:
        raise ValueError(
            "LogisticRegression learns what tells classes apart, and y has one class only: "
            f"{classes.tolist()}. Add rows of another."
        )
    without = classes[class_counts(codes, weights, len(classes)) == 0].tolist()
    if without:
        raise ValueError(
            f"Every class needs a row with a weight above 0, and {without} have none. "
            "Leave the rows of these classes out."
        )


def _check_positive(name: str, given: Any, hint: str) -> None:
    if not is_number(given) or not float(given) >= SMALLEST:
        raise ValueError(f"{name} must be a number above 0, got {given!r}: {hint}.")
