"""What the four models of counts share: the arguments alpha, fit_prior and class_prior."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bayesic.data.notices import tell
from bayesic.data.numbers import as_numbers
from bayesic.models.base import CountingClassifier

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
