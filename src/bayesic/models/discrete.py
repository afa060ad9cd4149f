"""What the four models of counts share: the arguments alpha, fit_prior and class_prior."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from bayesic.data.columns import Categories
from bayesic.data.fitted import check_is_fitted
from bayesic.data.matrices import Matrix
from bayesic.data.notices import tell
from bayesic.data.numbers import as_numbers
from bayesic.estimation.pairs import DependentPairs
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.models.base import CountingClassifier
from bayesic.models.events.shares import Shares
from bayesic.models.summaries.levels import level_summary, level_table
from bayesic.models.summaries.rows import (
    MOST_COLUMNS,
    classes_of_rows,
    dependent_levels,
    most_telling,
    presence_levels,
)

Array = np.ndarray

# force_alpha=False raises alpha to this, as scikit-learn does.
SMALLEST_ALPHA = 1e-10


class DiscreteNB(CountingClassifier):
    """Naive Bayes on counts, smoothed with alpha."""

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any
    class_log_prior_: Array

    def _check_parameters(self, first: bool) -> None:
        check_number_or_array("alpha", self.alpha)
        check_boolean("fit_prior", self.fit_prior)
        check_boolean("force_alpha", self.force_alpha)

    def _prior(self) -> Any:
        if self.class_prior is not None:
            return self._checked_prior(self.class_prior)
        return "learned" if self.fit_prior else "uniform"

    def _log_prior(self) -> Array:
        return self.class_log_prior_

    # what was learned -----------------------------------------------------------------------

    def _dependent_pairs(self, X: Any, y: Any) -> DependentPairs | None:
        if X is None:
            return None
        codes = classes_of_rows(y, self.classes_)
        matrix, _ = self._checked_rows(X, codes, None, first=False)
        names = self._feature_names()
        if len(names) > MOST_COLUMNS:
            names = most_telling(self._column_summaries(None, None))
        places = [*map({name: at for at, name in enumerate(self._feature_names())}.get, names)]
        return dependent_levels(self._levels(matrix, names, places), codes, len(self.classes_))

    def _levels(self, X: Matrix, names: list[str], places: Any) -> dict[str, Categories]:
        """The features at these places as columns of levels."""
        return presence_levels(X, names, places)

    def _alpha(self) -> Array:
        """alpha as it is used: one number or one for each feature, raised unless force_alpha."""
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim and alpha.shape != (self.n_features_in_,):
            raise ValueError(
                "When alpha is an array, it should contains `n_features` numbers: "
                f"got shape {alpha.shape} for {self.n_features_in_} features."
            )
        if alpha.min() < SMALLEST_ALPHA and not self.force_alpha:
            tell(
                "alpha too small will result in numeric errors, setting alpha = "
                f"{SMALLEST_ALPHA:.1e}. Use `force_alpha=True` to keep alpha unchanged."
            )
            return np.asarray(np.maximum(alpha, SMALLEST_ALPHA))
        return alpha

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


class LevelNB(DiscreteNB):
    """Naive Bayes on features that have a few values each: categories, or present and absent."""

    _kind = "categorical"

    @abstractmethod
    def _column_event(self, place: int) -> Shares:
        """The counts of the values of a feature, and their shares."""

    @property
    def n_parameters(self) -> int:
        """Numbers that are estimated, the prior aside: K sum over the features of their values.

        That shares sum to 1 takes none away; a feature that is present or absent has two values.
        """
        check_is_fitted(self)
        events = map(self._column_event, range(self.n_features_in_))
        return len(self.classes_) * int(sum(event.n_levels for event in events))

    def _column_summaries(self, X: Any, y: Any) -> list[ColumnSummary]:
        prior, n_rows = self._class_shares(), float(self.statistics_.class_count.sum())
        return [
            level_summary(name, self._kind, self._column_event(place), prior, n_rows)
            for place, name in enumerate(self._feature_names())
        ]

    def _column_table(self, column: str, fractions: bool) -> ColumnTable:
        event = self._column_event(self._feature_names().index(column))
        texts, classes = [*map(str, range(len(event.table)))], self.classes_.tolist()
        return level_table(
            column, self._kind, event, texts, classes, self._class_shares(), fractions
        )


def check_boolean(name: str, value: Any) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {value!r}.")


def check_number_or_array(name: str, value: Any) -> None:
    """Refuse what is not a finite number of 0 or more, or an array of such."""
    numbers = as_numbers(value, name)
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        raise ValueError(
            f"{name} must be 0 or more, got {value!r}. All values in {name} must be greater than 0."
            f" Use {name}=1 for Laplace smoothing, {name}=0 for plain relative frequencies."
        )


def log_linear(log_weights: Array) -> Callable[[Any], Array]:
    """The function X -> X @ log_weights, where nothing times log 0 is nothing.

    log_weights : (n_features, n_classes), C order; -inf is allowed
    X           : dense or CSR (n_rows, n_features), 0 or more

    >>> log_linear(np.array([[-np.inf], [-1.0]]))(np.array([[0.0, 2.0], [1.0, 2.0]]))
    array([[ -2.],
           [-inf]])
    """
    if log_weights.min() > -np.inf:
        return lambda X: X @ log_weights
    boundless = np.isneginf(log_weights)
    finite, infinite = np.where(boundless, 0.0, log_weights), boundless.astype(np.float64)

    def scores_of(X: Any) -> Array:
        return np.where(X @ infinite > 0, -np.inf, X @ finite)

    return scores_of
