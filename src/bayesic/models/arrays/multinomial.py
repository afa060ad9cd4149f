"""Multinomial naive Bayes: word counts and other occurrences."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial

import numpy as np
from scipy import sparse

from bayesic.data.matrices import Matrix, dense_rows, n_cells, sparse_rows
from bayesic.data.source import Stored
from bayesic.data.typing import ArrayLike
from bayesic.estimation.dependent_columns import DependentPairs
from bayesic.estimation.normal_evidence import NormalPrior
from bayesic.estimation.smoothing import smoothed_log_probability
from bayesic.evidence.column_table import ColumnTable
from bayesic.evidence.fractions import class_shares, exact, is_whole_number
from bayesic.evidence.summary import ColumnSummary
from bayesic.evidence.work import Factor
from bayesic.kernels import Array, pick
from bayesic.kernels.leaving import own_class
from bayesic.kernels.without_row import times_log
from bayesic.models.arrays.discrete import (
    DiscreteClassifier,
    DiscreteFeatures,
    DiscreteSettings,
    discrete_evidence,
    discrete_settings,
    log_linear,
    pairs_of_levels,
)
from bayesic.models.classifier import FittedClasses
from bayesic.models.counting import Settings
from bayesic.models.fitted import Scorer, learned
from bayesic.models.log_evidence import COUNTS, LogEvidence
from bayesic.models.readers.counted_matrices import added_at_source, added_counts
from bayesic.models.readers.reader import Counted
from bayesic.models.summaries.dependent_pairs import presence_levels
from bayesic.models.summaries.levels import BITS_OF_OCCURRENCES, word_summaries, word_table
from bayesic.statistics.features import FeatureCounts, checked_counts, feature_counts


@dataclass(frozen=True, eq=False)
class CountedFeatures(DiscreteFeatures):
    """Counts of features in each class, and a weight of each, by which rows are scored."""

    formula = "counted_scores"

    counts: FeatureCounts
    alpha: Array  # one number, or one for each feature
    model: str  # its name, for messages

    remarks = (BITS_OF_OCCURRENCES,)

    @property
    @abstractmethod
    def weights(self) -> Array:
        """Of each feature in each class: (n_classes, n_features)."""

    @abstractmethod
    def _block_scorer(self) -> Callable[[Matrix], Array]:
        """A function from a block of counts, dense or CSR, to the scores of each class."""

    @cached_property
    def feature_count(self) -> Array:
        """How often each feature occurs in each class: (n_classes, n_features)."""
        return self.counts.feature_count.astype(np.float64)

    @property
    def alphas(self) -> Array:
        """alpha of each feature."""
        return np.full(self.counts.n_features, self.alpha)

    @property
    def n_parameters(self) -> int:
        """A share of each feature in each class."""
        return self.feature_count.size

    # scores ---------------------------------------------------------------------------------

    def scorer(self, rows: Matrix) -> Scorer:
        """log p(x | c) of each row."""
        score = self._block_scorer()
        return lambda block: score(self._counts_of(rows, block))

    def _counts_of(self, rows: Matrix, block: slice) -> Matrix:
        """A block of rows, checked, in the form that products want: dense or CSR."""
        if not sparse.issparse(rows):
            return checked_counts(dense_rows(rows, block), self.model)
        counts = sparse_rows(rows, block)
        counts.data = checked_counts(counts.data, self.model)
        return counts

    # what was learned -----------------------------------------------------------------------

    def summaries(self, names: Sequence[str]) -> list[ColumnSummary]:
        """What one occurrence of each feature tells."""
        log_shares = smoothed_log_probability(self.feature_count, self.alpha).T
        return word_summaries(names, log_shares, self.prior.probability, "count")

    def table(self, place: int, names: Sequence[str], classes: list, exact: bool) -> ColumnTable:
        """How often a feature occurs in each class."""
        counts, prior = self.counts.feature_count.T, self.prior.probability
        return word_table(names[place], "count", place, counts, self.alphas, classes, prior, exact)

    def pairs(
        self, names: Sequence[str], rows: Matrix | None, codes: Array | None
    ) -> DependentPairs | None:
        """Features that occur together, where rows are given."""
        if rows is None or codes is None:
            return None
        return pairs_of_levels(
            names, self.summaries, partial(presence_levels, rows), codes, len(self.feature_count)
        )


@dataclass(frozen=True, eq=False)
class MultinomialCounts(CountedFeatures):
    """The smoothed share of each feature in all that is counted in a class."""

    @cached_property
    def weights(self) -> Array:
        """log p(t | c): (n_classes, n_features); feature by feature in memory, for products."""
        return np.asfortranarray(smoothed_log_probability(self.feature_count, self.alpha))

    # scores ---------------------------------------------------------------------------------

    def _block_scorer(self) -> Callable[[Matrix], Array]:
        """A function from a block of counts, dense or CSR, to log p(x | c)."""
        return log_linear(np.ascontiguousarray(self.weights.T))

    def scorer_without(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        """The same; only the row's own class changes: it loses the counts of the row."""
        score, alphas = self._block_scorer(), self.alphas
        kernels = pick("without_row", n_cells(rows) * len(self.feature_count))

        def scores_of(block: slice) -> Array:
            counts, own = self._counts_of(rows, block), codes[block]
            scores = score(counts)
            scores[own_class(own)] = kernels.multinomial_without_row(
                counts, own, weights[block], self.feature_count, alphas
            )
            return scores

        return scores_of

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Matrix) -> Array:
        """x_t log p(t | c) of each feature."""
        counts = checked_counts(dense_rows(rows, slice(0, rows.shape[0])), self.model)
        return times_log(counts[:, :, None], self.weights.T)

    def factors(
        self, row: Matrix, names: Sequence[str], shown: Sequence[str | None]
    ) -> list[Factor]:
        """The share of each feature that occurs, to the power of how often it does."""
        occurrences = checked_counts(dense_rows(row, slice(0, 1)), self.model)[0]
        counts, n_features = self.counts.feature_count, self.counts.n_features
        totals, alphas = counts.sum(axis=1), [*map(exact, self.alphas)]
        alpha_of_all = sum(alphas, start=Fraction(0))
        factors = []
        for feature in np.flatnonzero(occurrences).tolist():
            times = float(occurrences[feature])
            power = int(times) if is_whole_number(times) else times
            shares = class_shares(
                counts[:, feature], totals, alphas[feature], alpha_of_all, n_features
            )
            factors.append(Factor(names[feature], shares, power))
        return factors

    # what was learned -----------------------------------------------------------------------

    def evidence(self, names: Sequence[str], prior: NormalPrior) -> LogEvidence:
        """log P of classes and of the occurrences in each row, in their order."""
        count, seen_as = self.feature_count, dict.fromkeys(names, COUNTS)
        return discrete_evidence(self.prior, count, count.sum(axis=1), self.alphas, np.sum, seen_as)


class OccurrenceClassifier(DiscreteClassifier[FeatureCounts, FittedClasses, Settings]):
    """Naive Bayes for how often each feature occurs."""

    statistics_: FeatureCounts

    feature_count_ = learned("feature_count", "How often each feature occurs in each class.")

    def _count(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> FeatureCounts:
        return feature_counts(X, codes, n_classes, weights, model=type(self).__name__)

    def _counted_at_source(self, source: Stored, target: str) -> Counted | None:
        return added_at_source(self, source, target, added_counts, n_sums=2)


class MultinomialNB(OccurrenceClassifier[MultinomialCounts, DiscreteSettings]):
    """Naive Bayes for counts, such as how often each word occurs in a text.

        P(c | x)  ~  P(c) * product over t of p(t | c)^x_t
        p(t | c) = (T_ct + alpha) / (T_c + alpha V)

    T_ct counts feature t in class c, T_c all V features ([IIR] section 13.2, [Mitchell] table 6.2).
    Arguments, attributes and numbers are those of scikit-learn's MultinomialNB. NaN is a missing
    count and is left out.

    `log_evidence` covers the occurrences in their order, as p(x | c) above does: the number of
    occurrences in a row is taken as given, and the number of possible orders of a row is not
    included. That number is the same for all count models.

    Parameters
    ----------
    alpha : number, or one for each feature; 1 is Laplace smoothing, 0 plain relative frequencies
    force_alpha : if False, an alpha below 1e-10 is raised to 1e-10
    fit_prior : learn the prior from the class counts; if False all classes are equally likely
    class_prior : given prior probabilities, in the order of classes_

    Examples
    --------
    The China example of [IIR] section 13.2: words Chinese, Beijing, Shanghai, Macao, Tokyo, Japan.

    >>> X = [[2, 1, 0, 0, 0, 0], [2, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
    >>> y = ["China", "China", "China", "other"]
    >>> model = MultinomialNB().fit(X, y)
    >>> model.predict_proba([[3, 0, 0, 0, 1, 1]]).round(4)
    array([[0.6898, 0.3102]])
    """

    fitted_class = MultinomialCounts

    feature_log_prob_ = learned("weights", "log p(feature | class): (n_classes, n_features).")

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _parse(self) -> DiscreteSettings:
        return discrete_settings(self)

    def _fit(self, statistics: FeatureCounts) -> MultinomialCounts:
        prior = self._settings.prior_of(statistics.class_count)
        alpha = self._settings.alpha_of(statistics.n_features)
        return MultinomialCounts(prior, statistics, alpha, type(self).__name__)
