"""The chain data -> statistics -> parameters -> scores -> posterior, once for all models.

A model says how it summarises, estimates and scores. Everything else is here: `fit` is summarise
and estimate, `partial_fit` adds statistics and estimates again, `forget` subtracts, `merge` adds.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import reduce
from operator import add
from types import ModuleType
from typing import Any, Self

import numpy as np

from bayesic.data.blocks import in_threads, row_blocks
from bayesic.data.fitted import check_is_fitted
from bayesic.data.labels import (
    declared_classes,
    encode_known_labels,
    encode_labels,
    united_labels,
)
from bayesic.data.matrices import Matrix, as_matrix, cells_per_row, n_cells
from bayesic.data.notices import tell
from bayesic.data.snapshots import answering, held_still, learning
from bayesic.data.tables import is_table
from bayesic.data.targets import split_target, without_target
from bayesic.data.weights import checked_weights
from bayesic.estimation.prior import checked_prior, log_prior_without
from bayesic.evidence.reasons import GivesReasons
from bayesic.kernels import pick
from bayesic.models.contract import BaseEstimator, ClassifierMixin
from bayesic.models.posterior import (
    answer_prior_where_impossible,
    best_class,
    log_posterior,
    posterior,
)
from bayesic.models.saving import Saved
from bayesic.models.summaries.summarised import Summarised

Array = np.ndarray
Scorer = Callable[[slice], Array]


class CountingClassifier(Saved, GivesReasons, Summarised, ClassifierMixin, BaseEstimator, ABC):
    """A classifier that is a function of additive statistics.

    The hooks below are what a model adds, and those of GivesReasons: `_feature_scores` for
    `explain`; `_shown_values`, `_prior_factor` and `_factors` where the defaults do not fit.
    """

    # what a model adds ----------------------------------------------------------------------

    @abstractmethod
    def _check_parameters(self, first: bool) -> None:
        """Refuse constructor arguments that make no sense; first tells if learning begins."""

    @abstractmethod
    def _summarise(self, X: Matrix, codes: Array, n_classes: int, weights: Array | None) -> Any:
        """The statistics of these rows."""

    @abstractmethod
    def _estimate(self, statistics: Any) -> Self:
        """Keep the statistics and set the fitted attributes that follow from them."""

    @abstractmethod
    def _prior(self) -> Any:
        """'learned', 'uniform', or a prior probability for each class."""

    @abstractmethod
    def _log_prior(self) -> Array:
        """Log prior probability of each class."""

    @abstractmethod
    def _scorer(self, X: Matrix) -> Scorer:
        """A function from a block of rows to log p(x | c): (n_rows, n_classes)."""

    @abstractmethod
    def _leave_one_out_scorer(self, X: Matrix, codes: Array, weights: Array) -> Scorer:
        """The same, where each row is scored as if it had not been learned."""

    def _soft_statistics(self, X: Matrix, shares: Array) -> Any:
        """The statistics of rows that belong to every class with a share: (n_rows, n_classes)."""
        n_rows, n_classes = shares.shape
        of_classes = (
            self._summarise(X, np.full(n_rows, code), n_classes, shares[:, code])
            for code in range(n_classes)
        )
        return reduce(add, of_classes)

    def _extra_state(self) -> dict[str, Any]:
        """For `save`: what is learned beside statistics_ and does not follow from it, if anything.

        Plain values only: numbers, texts, lists, tuples, dicts and arrays of them.
        """
        return {}

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        """For `load`: set what _extra_state gave, before _estimate; refuse anything else."""
        if state != {}:
            raise ValueError(f"{type(self).__name__} has no extra state, got {state!r}.")

    def _has_features_of(self, statistics: Any) -> bool:
        """For `load`: whether statistics can be of the features that the model knows."""
        return statistics.n_features == self.n_features_in_

    # learning: statistics with + and - ------------------------------------------------------

    @learning
    def set_params(self, **params: Any) -> Self:
        """Set parameters of the constructor, all of them at once."""
        return super().set_params(**params)

    @learning
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows X with classes y; whatever was learned before is gone.

        X : array-like, sparse matrix or table, (n_samples, n_features)
        y : class labels, (n_samples,), or the name of the column of a table that holds them
        sample_weight : weights of the rows, (n_samples,); a row of weight 2 counts twice
        """
        X, y = split_target(self, X, y, first=True)
        classes, codes = encode_labels(y)
        matrix, weights = self._checked_rows(X, codes, sample_weight, first=True)
        self.classes_ = classes
        return self._estimate(self._summarise(matrix, codes, len(classes), weights))

    @learning
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more rows: the same model comes out as from all rows in one `fit`.

        The first call must declare every class with `classes`; a later label that was not declared
        is refused.
        """
        first = not hasattr(self, "classes_")
        self._declare(classes, first)
        statistics = self._statistics_of(X, y, sample_weight, first)
        return self._estimate(statistics if first else self.statistics_ + statistics)

    @learning
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows back out: the same model comes out as if they had never been learned.

        Rows that were never learned are refused where the statistics show it.
        """
        check_is_fitted(self)
        statistics = self._statistics_of(X, y, sample_weight, first=False)
        return self._estimate(self.statistics_ - statistics)

    @learning
    def merge(self, other: "CountingClassifier") -> Self:
        """Add all that another model of the same kind has learned; its parameters do not count."""
        check_is_fitted(self)
        other = held_still(other)
        self._check_mergeable(other)
        mine, theirs = (self.classes_, self.statistics_), (other.classes_, other.statistics_)
        self.classes_, statistics = united(mine, theirs)
        return self._estimate(statistics)

    def _statistics_of(self, X: Any, y: Any, sample_weight: Any, first: bool) -> Any:
        X, y = split_target(self, X, y)
        codes = encode_known_labels(y, self.classes_)
        matrix, weights = self._checked_rows(X, codes, sample_weight, first)
        return self._summarise(matrix, codes, len(self.classes_), weights)

    # answers --------------------------------------------------------------------------------

    @answering
    def predict(self, X: Any) -> Array:
        """The most probable class of each row."""
        best = self._by_blocks(X, best_class, dtype=np.intp)
        return self.classes_[best]

    @answering
    def predict_proba(self, X: Any) -> Array:
        """Probability of each class, in the order of classes_: (n_samples, n_classes).

        A row that is impossible in every class gets the prior, with a warning.
        """
        return self._by_blocks(X, posterior)

    @answering
    def predict_log_proba(self, X: Any) -> Array:
        """Log of predict_proba, exact also where that is too small to be told from zero."""
        return self._by_blocks(X, log_posterior)

    @answering
    def predict_joint_log_proba(self, X: Any) -> Array:
        """log P(c) + log p(x | c) of each row and class; -inf where x is impossible in c."""
        return self._by_blocks(X, finish=None)

    @answering
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows whose most probable class is y; y may be the name of a column of X."""
        return super().score(*split_target(self, X, y), sample_weight)

    @answering
    def leave_one_out(self, X: Any, y: Any, sample_weight: Any = None) -> Array:
        """Probability of each class for each learned row, as if that row had not been learned.

        Equal to learning all other rows (with all classes declared) and predicting this one, for
        every row, in about three times the time of `predict_proba`. Give the weights that were
        learned.
        """
        check_is_fitted(self)
        X, y = split_target(self, X, y)
        codes = encode_known_labels(y, self.classes_)
        matrix, weights = self._checked_rows(X, codes, sample_weight, first=False)
        # raises if any of these rows was never learned, as far as the statistics show it
        _ = self.statistics_ - self._summarise(matrix, codes, len(self.classes_), weights)
        weights = np.ones(len(codes)) if weights is None else weights
        scorer = self._leave_one_out_scorer(matrix, codes, weights)
        class_count = self.statistics_.class_count
        prior, smoothing = self._prior(), self._prior_smoothing()
        out = np.empty((len(codes), len(self.classes_)))

        def fill(rows: slice) -> int:
            log_prior = log_prior_without(class_count, codes[rows], weights[rows], prior, smoothing)
            scores = np.add(scorer(rows).T, self._prior_of_scores(log_prior), order="C")
            scores, n_impossible = answer_prior_where_impossible(scores, log_prior)
            out[rows] = posterior(scores).T
            return n_impossible

        self._tell_impossible(sum(in_threads(fill, self._blocks(matrix))))
        return out

    def _feature_names(self) -> list[str]:
        unnamed = [f"x{number}" for number in range(self.n_features_in_)]
        return list(getattr(self, "feature_names_in_", unnamed))

    def _by_blocks(
        self, X: Any, finish: Callable[[Array], Array] | None, dtype: Any = np.float64
    ) -> Array:
        """What finish makes of the scores of all rows, block by block; None for the bare scores."""
        check_is_fitted(self)
        return self._answers(self._checked_X(X, first=False), finish, dtype)

    def _log_posterior(self, X: Matrix) -> Array:
        return self._answers(X, log_posterior)

    def _answers(
        self, matrix: Matrix, finish: Callable[[Array], Array] | None, dtype: Any = np.float64
    ) -> Array:
        log_prior = self._log_prior()[:, None]
        prior_of_scores = self._prior_of_scores(log_prior)
        scorer = self._scorer(matrix)
        shape = (matrix.shape[0], len(self.classes_))
        out = np.empty(shape[:1] if finish is best_class else shape, dtype=dtype)

        def fill(rows: slice) -> int:
            scores = np.add(scorer(rows).T, prior_of_scores, order="C")
            if finish is None:
                out[rows] = scores.T
                return 0
            scores, n_impossible = answer_prior_where_impossible(scores, log_prior)
            out[rows] = finish(scores).T
            return n_impossible

        self._tell_impossible(sum(in_threads(fill, self._blocks(matrix))))
        return out

    def _blocks(self, X: Matrix) -> list[slice]:
        return row_blocks(X.shape[0], max(cells_per_row(X), len(self.classes_)))

    def _kernels(self, X: Matrix) -> ModuleType:
        return pick("classes", n_cells(X) * len(self.classes_))

    def _prior_smoothing(self) -> float:
        """The lambda of a prior that is learned: none, unless a model says otherwise."""
        return 0.0

    def _prior_of_scores(self, log_prior: Array) -> Array:
        """What of the log prior goes into the scores: all of it, unless a model says otherwise."""
        return log_prior

    def _column_names(self) -> list[str]:
        return self._feature_names()

    def _class_shares(self) -> Array:
        return np.exp(self._log_prior())

    # checks ---------------------------------------------------------------------------------

    def _checked_rows(
        self, X: Any, codes: Array, sample_weight: Any, first: bool
    ) -> tuple[Matrix, Array | None]:
        self._check_parameters(first)
        matrix = self._checked_X(X, first)
        n_rows = matrix.shape[0]
        if n_rows != len(codes):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"[{n_rows}, {len(codes)}]. X has {n_rows} rows, y has {len(codes)} labels: "
                "give one label for each row."
            )
        return matrix, checked_weights(sample_weight, n_rows)

    def _checked_X(self, X: Any, first: bool) -> Matrix:
        from sklearn.utils.validation import validate_data

        X = without_target(self, X)
        matrix = as_matrix(X)
        validate_data(self, X if is_table(X) else matrix, reset=first, skip_check_array=True)
        return matrix

    def _declare(self, classes: Any, first: bool) -> None:
        if first:
            if classes is None:
                raise ValueError(
                    "classes must be passed on the first call to partial_fit. "
                    "List every class that can come: classes=['ham', 'spam']."
                )
            self.classes_ = declared_classes(classes)
        elif classes is not None and sorted(np.asarray(classes).tolist()) != self.classes_.tolist():
            raise ValueError(
                f"`classes={list(classes)}` is not the same as on last call to partial_fit, "
                f"was: {self.classes_.tolist()}. Leave it out after the first call."
            )

    def _check_mergeable(self, other: "CountingClassifier") -> None:
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

    def _checked_prior(self, prior: Any) -> Array:
        return checked_prior(prior, len(self.classes_))

    def _tell_impossible(self, n_rows: int) -> None:
        if n_rows:
            tell(
                f"{n_rows} row(s) are impossible in every class under {type(self).__name__}: "
                "the answer for them is the prior. More smoothing makes nothing impossible."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags


def united(first: tuple[Array, Any], second: tuple[Array, Any]) -> tuple[Array, Any]:
    """Classes and statistics of two models together; the classes need not be the same."""
    if np.array_equal(first[0], second[0]):
        return first[0], first[1] + second[1]
    classes, codes = encode_labels(united_labels(first[0], second[0]))
    mine, theirs = np.split(codes, [len(first[0])])
    return classes, (
        first[1].with_classes_at(mine, len(classes))
        + second[1].with_classes_at(theirs, len(classes))
    )


def own_column(scores: Array, codes: Array) -> Array:
    """The score of each row in its own class, from the scores in all (n_rows, n_classes)."""
    return scores[np.arange(len(codes)), codes]
