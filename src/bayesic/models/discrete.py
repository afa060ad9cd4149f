"""What the four models of counts share: the arguments alpha, fit_prior and class_prior."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from bayesic.data.arguments import as_numbers, tell
from bayesic.data.columns import Categories
from bayesic.estimation.dependence import DependentPairs
from bayesic.estimation.dirichlet_evidence import (
    check_proper,
    class_log_evidence,
    dirichlet_log_evidence,
)
from bayesic.estimation.prior import ClassPrior, as_it_is, checked_prior
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array
from bayesic.models.log_evidence import Evidence
from bayesic.models.summaries.dependent_pairs import MOST_COLUMNS, dependent_levels, most_telling

# force_alpha=False raises alpha to this, as scikit-learn does.
SMALLEST_ALPHA = 1e-10


def check_discrete(model: Any) -> None:
    """Refuse alpha, fit_prior and force_alpha that make no sense."""
    _check_number_or_array("alpha", model.alpha)
    check_boolean("fit_prior", model.fit_prior)
    check_boolean("force_alpha", model.force_alpha)


def discrete_prior(
    model: Any, class_count: Array, in_scores: Callable[[Array], Array] = as_it_is
) -> ClassPrior:
    """The prior that fit_prior and class_prior ask for."""
    rule: Any = "learned" if model.fit_prior else "uniform"
    if model.class_prior is not None:
        rule = checked_prior(model.class_prior, len(class_count))
    return ClassPrior(class_count, rule, in_scores=in_scores)


def used_alpha(model: Any, n_features: int) -> Array:
    """alpha as it is used: one number or one for each feature, raised unless force_alpha."""
    alpha = np.asarray(model.alpha, dtype=np.float64)
    if alpha.ndim and alpha.shape != (n_features,):
        raise ValueError(
            "When alpha is an array, it should contains `n_features` numbers: "
            f"got shape {alpha.shape} for {n_features} features."
        )
    if alpha.min() < SMALLEST_ALPHA and not model.force_alpha:
        tell(
            "alpha too small will result in numeric errors, setting alpha = "
            f"{SMALLEST_ALPHA:.1e}. Use `force_alpha=True` to keep alpha unchanged."
        )
        return np.asarray(np.maximum(alpha, SMALLEST_ALPHA))
    return alpha


def discrete_evidence(
    prior: ClassPrior,
    counts: Array,
    totals: Array,
    alpha: Any,
    added_up: Callable[[Any], Any],
    seen_as: Mapping[str, str],
) -> Evidence:
    """log P of classes and counts; alpha is that of each count, and added up that of each total."""
    check_proper(alpha, "alpha", "the model")
    log = dirichlet_log_evidence(counts, alpha, totals, added_up(alpha))
    return Evidence(class_log_evidence(prior) + log, seen_as)


def tags_of_counts(tags: Any) -> Any:
    """What scikit-learn must know of a model of counts: none is below 0."""
    tags.input_tags.positive_only = True
    tags.classifier_tags.poor_score = True
    return tags


def pairs_of_levels(
    names: Sequence[str],
    summaries: Callable[[Sequence[str]], list[ColumnSummary]],
    levels_at: Callable[[list[int]], list[Categories]],
    codes: Array,
    n_classes: int,
) -> DependentPairs:
    """Features that depend on each other within the classes: all, or those that say most.

    levels_at : the features at these places as columns of levels
    """
    some = list(names) if len(names) <= MOST_COLUMNS else most_telling(summaries(names))
    place = {name: at for at, name in enumerate(names)}
    columns: Mapping[str, Categories] = dict(
        zip(some, levels_at([place[name] for name in some]), strict=True)
    )
    return dependent_levels(columns, codes, n_classes)


def check_boolean(name: str, value: Any) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {value!r}.")


def _check_number_or_array(name: str, value: Any) -> None:
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
