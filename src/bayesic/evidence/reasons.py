"""What models of counts say about their answers: `explain` and `work`, once for all models.

A model gives what each feature adds to its scores, and, where it counts, the exact shares. How
these become weights of evidence and worked calculations is in the other files of this folder.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesic.data.fitted import check_is_fitted
from bayesic.data.matrices import Matrix, as_matrix, dense_rows
from bayesic.data.snapshots import answering
from bayesic.evidence.explanation import Explanation, classes_to_compare, explain_scores
from bayesic.evidence.rows import checked_names, is_single_row, row_by_name
from bayesic.evidence.several import Reasons, with_top
from bayesic.evidence.shares import Share, prior_shares, value_text
from bayesic.evidence.work import Factor, Work

Array = np.ndarray


class GivesReasons(ABC):
    """A classifier that can say why: the base class of all models of counts adds the rest.

    `_feature_scores` must be there; the other hooks have answers that suit a matrix of numbers.
    """

    classes_: Array
    statistics_: Any

    # what a model adds ----------------------------------------------------------------------

    @abstractmethod
    def _feature_scores(self, X: Matrix) -> Array:
        """What each feature adds to log p(x | c): (n_rows, n_features, n_classes)."""

    def _asked_rows(self, X: Any) -> tuple[Matrix, bool]:
        """X as `_checked_X` gives it, and whether it was one row alone.

        One row is a tuple, list or array of values, or a dict (or pandas Series) by feature name.
        A model whose tables have names of their own turns the dict into such a table here.
        """
        single = is_single_row(X)
        if single and hasattr(self, "feature_names_in_") and hasattr(X, "to_dict"):
            X = X.to_dict()
        if isinstance(X, Mapping) and single:  # the names are checked here, a matrix has none
            return as_matrix([row_by_name(X, self._feature_names())]), True
        return self._checked_X([X] if single else X, first=False), single

    def _shown_values(self, X: Matrix) -> list[list[str | None]]:
        """The values of each row as a reader knows them, None where not observed.

        Shape (n_rows, n_features). Numbers, unless a model knows words for them.
        """
        values = dense_rows(X, slice(0, X.shape[0]))
        return [[*map(value_text, row)] for row in values.tolist()]

    def _prior_factor(self) -> tuple[Share, ...]:
        """P(c) of each class for `work`, in the order of classes_.

        A share is a pair of counts, written as it stands (9/14); a Fraction, written in lowest
        terms, for what is smoothed or given; or the natural logarithm, a float, if not exact.
        """
        return prior_shares(self.statistics_.class_count, self._prior())

    def _factors(self, X: Matrix, names: list[str]) -> list[Factor]:
        """The factors p(x_j | c) of one row for `work`, in the order of the features.

        X has one row; names are those of the features. Features that were not observed have no
        factor. Here they are densities, from `_feature_scores`; models of counts give the shares,
        as in `_prior_factor`. The text is what stands in P(text | c).
        """
        return [
            Factor(f"{name}={text}", tuple(log_density), density=True)
            for name, text, log_density in zip(
                names, self._shown_values(X)[0], self._feature_scores(X)[0].tolist(), strict=True
            )
            if text is not None
        ]

    # what the base class gives --------------------------------------------------------------

    @abstractmethod
    def _checked_X(self, X: Any, first: bool) -> Matrix:
        """The rows as all hooks take them."""

    @abstractmethod
    def _prior(self) -> Any:
        """'learned', 'uniform', or a prior probability for each class."""

    @abstractmethod
    def _log_prior(self) -> Array:
        """Log prior probability of each class."""

    @abstractmethod
    def _prior_of_scores(self, log_prior: Array) -> Array:
        """What of the log prior goes into the scores."""

    @abstractmethod
    def _log_posterior(self, X: Matrix) -> Array:
        """Log posterior probability of each class: (n_rows, n_classes)."""

    @abstractmethod
    def _feature_names(self) -> list[str]:
        """The names of the features."""

    # answers --------------------------------------------------------------------------------

    @answering
    def explain(
        self,
        X: Any,
        against: Any = None,
        feature_names: Any = None,
        answer: Any = None,
        top: int | None = None,
    ) -> Explanation | Reasons[Explanation]:
        """Why a row gets its answer: the prior and what each feature adds, in log odds.

        X : one row (a tuple, list, or dict by feature name), which gives one Explanation; or rows
            as for `predict`, which give a list
        against : the class to compare the answer with; None for the rest of the classes. A row
            whose answer is that class is compared with the rest
        feature_names : names to go by, instead of those of the columns that were learned
        answer : the class to explain, also where it is not the most probable one; None for the
            class that is predicted
        top : how many features to show, the strongest first; the others are added up in one line
        """
        check_is_fitted(self)
        matrix, single = self._asked_rows(X)
        names = checked_names(feature_names, self._feature_names())
        classes, prior = self.classes_.tolist(), self._prior_of_scores(self._log_prior())
        asked, rival = classes_to_compare(classes, answer, against)
        explanations = [
            explain_scores(classes, names, prior, scores, log_posterior, rival, values, asked)
            for scores, log_posterior, values in zip(
                self._feature_scores(matrix),
                self._log_posterior(matrix),
                self._shown_values(matrix),
                strict=True,
            )
        ]
        shown = with_top(explanations, top)
        return shown[0] if single else shown

    @answering
    def work(self, row: Any, feature_names: Any = None) -> Work:
        """The calculation of one row written out, in exact fractions where the model has counts.

        row : a tuple, list or array of values, a dict by feature name, or a table of one row
        feature_names : names to go by, instead of those of the columns that were learned
        """
        check_is_fitted(self)
        matrix, _ = self._asked_rows(row)
        if matrix.shape[0] != 1:
            raise ValueError(
                f"work shows the calculation of one row, got {matrix.shape[0]}. Give one of them."
            )
        names = checked_names(feature_names, self._feature_names())
        factors = self._factors(matrix, names)
        return Work(tuple(self.classes_.tolist()), self._prior_factor(), tuple(factors))
