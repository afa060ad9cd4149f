"""Logistic regression: the discriminative twin of naive Bayes and of Gaussian Bayes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn, Self

import numpy as np

from bayesic.contract.estimator import Estimator
from bayesic.data.arguments import (
    check_flag,
    check_is_fitted,
    check_whole_number,
    checked_weights,
    forget_learned,
    is_number,
    tell,
)
from bayesic.data.calls import constructor
from bayesic.data.labels import encode_labels
from bayesic.data.matrices import Matrix, dense_rows, refuse_overflow
from bayesic.data.snapshots import answering, learning
from bayesic.data.source import opened
from bayesic.data.targets import name_of_target
from bayesic.data.typing import ArrayLike, Label, LabelsLike, TableLike
from bayesic.estimation.boundaries import LinearRule, numbers_of_two
from bayesic.estimation.dependent_columns import DependentPairs, pairs_of_moments
from bayesic.estimation.logistic import LogisticProblem, Weights, blocks_of, rows_of
from bayesic.estimation.logistic_search import Optimum, most_probable_weights
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.files.model_files import Saved, checked_arrays
from bayesic.kernels import Array
from bayesic.kernels.blas import one_blas_thread
from bayesic.models.classifier import ScoredAnswers
from bayesic.models.fitted import Fitted, Scorer, learned
from bayesic.models.readers.known_columns import known_columns
from bayesic.models.readers.labelled_rows import labelled_rows
from bayesic.models.readers.matrix_reader import MatrixReader
from bayesic.models.summaries.numbers import normal_summaries
from bayesic.models.summaries.summarised import Described, FittedSummary, LearnedGroups
from bayesic.statistics.additive import class_counts
from bayesic.statistics.cross_moments import CrossMoments, cross_moments

SMALLEST = float(np.finfo(np.float64).tiny)  # smaller numbers have no reciprocal


@dataclass(frozen=True, eq=False)
class Intercepts:
    """The score of each class for a row of zeros, in place of the log prior of other models."""

    log: Array  # (n_classes,)  log odds to each other: they need not add up to anything

    def in_scores(self, log_prior: Array) -> Array:
        """All of it."""
        return log_prior


@dataclass(frozen=True, eq=False)
class LinearScores:
    """A weighted sum of the features for each class; of two classes the first has zeros."""

    formula = "logistic_scores"

    weights: Weights
    class_count: Array
    trace: Array
    has_intercept: bool

    @property
    def n_parameters(self) -> int:
        """Weights and, where it is learned, b, of each output."""
        coef, intercept = self.weights
        return coef.size + (intercept.size if self.has_intercept else 0)

    @property
    def n_iter(self) -> Array:
        """Steps that were taken."""
        return np.array([len(self.trace) - 1], dtype=np.int32)

    @property
    def prior(self) -> Intercepts:
        """b of each class."""
        return Intercepts(self._of_all_classes(self.weights.intercept))

    def blocks(self, rows: Matrix) -> list[slice]:
        """The rows in blocks, each of which is scored by one thread."""
        return blocks_of(rows, len(self.class_count))

    def scorer(self, rows: Matrix) -> Scorer:
        """w x of each row and class."""
        coef, n_classes = self.weights.coef, len(self.class_count)

        def scores_of(block: slice) -> Array:
            scores = np.zeros((n_classes, block.stop - block.start))
            with np.errstate(over="ignore", invalid="ignore"):  # seen in the scores
                scores[-len(coef) :] = (rows_of(rows, block) @ coef.T).T
            refuse_overflow(scores)
            return scores.T

        return scores_of

    def terms(self, rows: Matrix) -> Array:
        """w_j x_j of each feature and class: (n_rows, n_features, n_classes)."""
        values = dense_rows(rows, slice(0, rows.shape[0]))
        return values[:, :, None] * self.coef.T

    @property
    def coef(self) -> Array:
        """w of each class: (n_classes, n_features)."""
        return self._of_all_classes(self.weights.coef)

    # as for others: from scorer and blocks, and of `explain` from terms
    answers_of, counted, reasons = Fitted.answers_of, Fitted.counted, Fitted.reasons

    def _of_all_classes(self, learned: Array) -> Array:
        two = len(self.class_count) == 2
        return np.concatenate([0 * learned, learned]) if two else learned


class LogisticRegression(ScoredAnswers, Saved, FittedSummary, Estimator):
    """The probability of a class as a function of a weighted sum of the features.

        P(c | x) = exp(w_c x + b_c) / sum over k of exp(w_k x + b_k)

    and with two classes P(second | x) = 1 / (1 + exp(-(w x + b))). The weights are the most
    probable ones: they maximise log likelihood - |w|^2 / (2 C). The distribution of x is left open.
    Arguments, attributes and numbers are those of scikit-learn's LogisticRegression where both have
    them. SciPy's L-BFGS finds the weights, with features in units of their spread and without their
    correlations: they need not be scaled for the search to converge.

    NaN is refused: a weighted sum cannot leave a feature out. The weights depend on all rows
    together: `set_params` takes effect at the next `fit`.

    Parameters
    ----------
    C : variance of the normal prior of each weight, np.inf for maximum likelihood
    fit_intercept : learn b; without it the score of a row of zeros is 0 in every class
    max_iter : maximum number of steps
    tol : the search ends when no component of the gradient of the mean log likelihood is larger,
        with features in units of their spread

    Attributes
    ----------
    coef_, intercept_ : w and b, one row per class; with two classes only the second one
    n_iter_ : the number of steps, in an array of one number
    trace_ : log likelihood - |w|^2 / (2 C) at the start and after each step

    Examples
    --------
    >>> rain, late = [[0], [0], [0], [1], [1], [1]], ["no", "no", "yes", "no", "yes", "yes"]
    >>> model = LogisticRegression(C=np.inf).fit(rain, late)
    >>> model.predict_proba([[0], [1]]).round(4)
    array([[0.6667, 0.3333],
           [0.3333, 0.6667]])
    """

    coef_ = learned("weights.coef", "w: (n_classes, n_features), or (1, n_features).")
    intercept_ = learned("weights.intercept", "b of each class; of two, of the second one.")
    class_count_ = learned("class_count", "Rows of each class.")
    n_iter_ = learned("n_iter", "Steps that were taken, in an array of one number.")
    trace_ = learned("trace", "Log likelihood - |w|^2 / (2 C) at the start and after each step.")

    estimator_type = "classifier"
    tags: ClassVar[dict[str, bool]] = {"sparse": True}

    @constructor
    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 100,
        tol: float = 1e-5,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    # learning -------------------------------------------------------------------------------

    @learning
    def fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows X with classes y; whatever was learned before is gone.

        X : array, sparse matrix, table of pandas, polars or pyarrow, dict of columns, list of rows;
            or the path of a CSV, TSV or Parquet file, or a DuckDB relation, which is kept in memory
            during the search
        y : class labels, (n_samples,), of two classes or more, or the name of their column of X
        sample_weight : weights of the rows, (n_samples,); a row of weight 2 counts twice
        """
        self._check_parameters()
        forget_learned(self)
        source = opened(X)
        matrix, labels = labelled_rows(self, source, y)
        name = name_of_target(source, y)
        if name is not None:
            self.target_name_ = name
        self.classes_, codes = encode_labels(labels)
        weights = checked_weights(sample_weight, matrix.shape[0])
        class_count = class_counts(codes, weights, len(self.classes_))
        _check_classes(self.classes_, class_count)
        problem = LogisticProblem(
            matrix, codes, len(self.classes_), weights, 1.0 / self.C, bool(self.fit_intercept)
        )
        with one_blas_thread():
            optimum = most_probable_weights(problem, self.max_iter, self.tol)
            _tell_how_it_ended(problem, optimum)
        self._keep(optimum.weights, class_count, optimum.trace)
        return self

    def _keep(self, weights: Weights, class_count: Array, trace: Array) -> None:
        self._kept = LinearScores(weights, class_count, trace, bool(self.fit_intercept))

    @property
    def _fitted(self) -> LinearScores:
        return self._kept

    def _reader(self) -> MatrixReader:
        return MatrixReader(known_columns(self), complete=True)

    # answers --------------------------------------------------------------------------------

    @answering
    def decision_function(self, X: TableLike) -> Array:
        """w x + b: of each class, (n_samples, n_classes); of two, of the second, (n_samples,)."""
        scores = self._by_blocks(X, finish=None)
        return scores[:, 1] if len(self.classes_) == 2 else scores

    @answering
    def rule(self, first: Label, second: Label) -> LinearRule:
        """The boundary of two classes: `first` where a_0 + a . x > 0.

        >>> model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], ["ham", "spam"] * 2)
        >>> rule = model.rule("spam", "ham")
        >>> bool(np.allclose(rule.a_0 + rule.a * 3, model.decision_function([[3.0]])))
        True
        """
        check_is_fitted(self)
        one, other = numbers_of_two(self.classes_, first, second)
        intercept, coef = self._fitted.prior.log, self._fitted.coef
        return LinearRule(float(intercept[one] - intercept[other]), coef[one] - coef[other])

    def work(self, row: TableLike, feature_names: Iterable[str] | None = None) -> NoReturn:
        """Not for this model: there is no P(c) times p(x | c) to write out. See `explain`."""
        raise TypeError(
            "work writes out P(c) times p(x | c), and LogisticRegression has neither: it only "
            "knows P(c | x). explain(X) gives what each feature adds to the log odds."
        )

    # what was learned -----------------------------------------------------------------------

    at_work = staticmethod(one_blas_thread)
    _hint = (
        "To see how much each column says about the class, and which depend on each other, "
        "pass rows: summary(X, y)."
    )

    def _groups(self) -> LearnedGroups:
        return LearnedGroups(self.classes_.tolist(), self.class_count_)

    def _described(self) -> Described:
        names = list(known_columns(self).names)

        def moments(X: object, y: object) -> CrossMoments:
            return cross_moments(*self._rows_and_codes(X, y), len(self.classes_))

        def summaries(X: object, y: object) -> list[ColumnSummary]:
            if X is None:
                return [ColumnSummary(name, "number") for name in names]
            of_rows = moments(X, y)
            variance = of_rows.class_moments.per_class.variance()
            prior = self.class_count_ / self.class_count_.sum()
            return normal_summaries(names, "number", of_rows.mean, variance, prior)

        def table(index: int, fractions: bool) -> ColumnTable:
            weights = self.coef_[:, index].tolist()
            classes = self.classes_[-len(weights) :].tolist()  # of two the weight is of the second
            records = [{"class": c, "weight": w} for c, w in zip(classes, weights, strict=True)]
            return ColumnTable(names[index], "number", classes=tuple(records))

        def pairs(X: object, y: object) -> DependentPairs | None:
            return None if X is None else pairs_of_moments(names, moments(X, y))

        return Described(names, None, summaries, table, pairs)

    # files ----------------------------------------------------------------------------------

    def _state(self) -> dict[str, object]:
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
        count = count.astype(np.int64) if (count % 1 == 0).all() else count
        self._keep(Weights(state["coef"], state["intercept"]), count, state["trace"])

    # checks ---------------------------------------------------------------------------------

    def _check_parameters(self) -> None:
        check_flag("fit_intercept", self.fit_intercept)
        check_whole_number("max_iter", self.max_iter, 1)
        _check_positive("C", self.C, "np.inf is for no penalty at all")
        _check_positive("tol", self.tol, "1e-5 by default")


def _tell_how_it_ended(problem: LogisticProblem, optimum: Optimum) -> None:
    """Warn where there are no best weights, or the search was cut short."""
    if problem.penalty == 0 and problem.separated(optimum.weights):
        tell(
            "A weighted sum of the features separates the classes perfectly: without a "
            "penalty the likelihood grows with the weights without bound, and these are "
            "where the search stopped. Set a finite C."
        )
    elif not optimum.converged:
        tell(
            f"The search for the weights stopped after {len(optimum.trace) - 1} steps before "
            "it converged. Use a larger max_iter or tol."
        )


def _check_classes(classes: Array, class_count: Array) -> None:
    """Refuse a single class, and classes without any weight."""
    if len(classes) < 2:
        raise ValueError(
            "LogisticRegression learns what separates classes, and y has only one class: "
            f"{classes.tolist()}. Add rows of another."
        )
    without = classes[class_count == 0].tolist()
    if without:
        raise ValueError(
            f"Every class needs a row with a weight above 0, and {without} have none. "
            "Leave the rows of these classes out."
        )


def _check_positive(name: str, given: Any, hint: str) -> None:
    if not is_number(given) or not float(given) >= SMALLEST:
        raise ValueError(f"{name} must be a number above 0, got {given!r}: {hint}.")
