"""What the models of counts in arrays share: alpha, fit_prior and class_prior, and their tables."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bayesic.data.arguments import as_numbers, check_flag, tell
from bayesic.data.columns import Categories
from bayesic.data.matrices import Matrix
from bayesic.data.typing import ArrayLike
from bayesic.estimation.dependent_columns import DependentPairs
from bayesic.estimation.dirichlet_evidence import (
    check_proper,
    class_log_evidence,
    dirichlet_log_evidence,
)
from bayesic.estimation.prior import ClassPrior, as_it_is, checked_prior
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.summary import ColumnSummary
from bayesic.kernels import Array
from bayesic.models.classifier import ClassStatistics, CountingClassifier, FittedClasses
from bayesic.models.counting import Settings
from bayesic.models.events.shares import Shares
from bayesic.models.fitted import LEAVE_ONE_OUT, Fitted, learned
from bayesic.models.log_evidence import LogEvidence
from bayesic.models.readers.matrix_reader import read_matrix
from bayesic.models.summaries.dependent_pairs import MOST_COLUMNS, dependent_levels, most_telling
from bayesic.models.summaries.levels import feature_table, level_summaries

# force_alpha=False raises alpha to this, as scikit-learn does.
SMALLEST_ALPHA = 1e-10


@dataclass(frozen=True, eq=False)
class DiscreteSettings:
    """What alpha, force_alpha, fit_prior and class_prior say."""

    alpha: Array  # one number, or one for each feature
    forced: bool  # whether alpha stays as it is, however small
    prior: str | Array  # "learned", "uniform", or a probability for each class

    def prior_of(
        self, class_count: Array, in_scores: Callable[[Array], Array] = as_it_is
    ) -> ClassPrior:
        """The prior of classes of so many rows."""
        given = not isinstance(self.prior, str)
        rule = checked_prior(self.prior, len(class_count)) if given else self.prior
        return ClassPrior(class_count, rule, in_scores=in_scores)

    def alpha_of(self, n_features: int) -> Array:
        """alpha as it is used: one number or one for each feature, raised unless forced."""
        if self.alpha.ndim and self.alpha.shape != (n_features,):
            raise ValueError(
                "When alpha is an array, it should contains `n_features` numbers: "
                f"got shape {self.alpha.shape} for {n_features} features."
            )
        if self.alpha.min() < SMALLEST_ALPHA and not self.forced:
            tell(
                "alpha too small will result in numeric errors, setting alpha = "
                f"{SMALLEST_ALPHA:.1e}. Use `force_alpha=True` to keep alpha unchanged."
            )
            return np.asarray(np.maximum(self.alpha, SMALLEST_ALPHA))
        return self.alpha


@dataclass(frozen=True, eq=False)
class DiscreteFeatures(Fitted[Matrix]):
    """Features that are counted in each class."""

    prior: ClassPrior

    judged_by = LEAVE_ONE_OUT

    @property
    def class_count(self) -> Array:
        """Rows of each class."""
        return self.prior.class_count.astype(np.float64)


@dataclass(frozen=True, eq=False)
class LevelFeatures(DiscreteFeatures):
    """Features that have one of several levels in each row."""

    kind: ClassVar[str]  # of all columns

    @abstractmethod
    def _event(self, place: int) -> Shares:
        """The counts of the levels of a feature, and their shares."""

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """Each feature with its bits."""
        return level_summaries(names, self.kind, self._event, self.prior)

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """Counts and shares of the levels of a feature."""
        event = self._event(place)
        return feature_table(names[place], self.kind, event, classes, self.prior, exact)


class DiscreteClassifier(CountingClassifier[ClassStatistics, FittedClasses, Settings]):
    """Naive Bayes of what is counted in arrays, with the arguments of scikit-learn."""

    tags: ClassVar[dict[str, bool]] = {
        **CountingClassifier.tags,
        "positive_only": True,
        "poor_score": True,
    }

    class_count_ = learned("class_count", "Rows of each class.")
    class_log_prior_ = learned("prior.log", "log P(c) of each class.")

    _reader = read_matrix


def discrete_settings(model: "DiscreteClassifier") -> DiscreteSettings:
    """The settings of a model with these parameters; what makes no sense is refused."""
    _check_number_or_array("alpha", model.alpha)
    check_flag("fit_prior", model.fit_prior)
    check_flag("force_alpha", model.force_alpha)
    prior: str | Array = "learned" if model.fit_prior else "uniform"
    if model.class_prior is not None:
        prior = as_numbers(model.class_prior, "Priors")
    alpha = np.asarray(model.alpha, dtype=np.float64)
    return DiscreteSettings(alpha, bool(model.force_alpha), prior)


def discrete_evidence(
    prior: ClassPrior,
    counts: Array,
    totals: Array,
    alpha: ArrayLike,
    added_up: Callable[[ArrayLike], ArrayLike],
    seen_as: Mapping[str, str],
) -> LogEvidence:
    """log P of classes and counts; alpha is that of each count, and added up that of each total."""
    check_proper(alpha, "alpha", "the model")
    log = dirichlet_log_evidence(counts, alpha, totals, added_up(alpha))
    return LogEvidence(class_log_evidence(prior) + log, seen_as)


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


def _check_number_or_array(name: str, value: object) -> None:
    """Refuse what is not a finite number of 0 or more, or an array of such."""
    numbers = as_numbers(value, name)
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        raise ValueError(
            f"{name} must be 0 or more, got {value!r}. All values in {name} must be greater than 0."
            f" Use {name}=1 for Laplace smoothing, {name}=0 for plain relative frequencies."
        )


def log_linear(log_weights: Array) -> Callable[[Matrix], Array]:
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

    def scores_of(X: Matrix) -> Array:
        return np.where(X @ infinite > 0, -np.inf, X @ finite)

    return scores_of
