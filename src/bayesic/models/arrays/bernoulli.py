"""Bernoulli naive Bayes: features that are there or not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

import numpy as np
from scipy import sparse

from bayesic.data.arguments import is_number
from bayesic.data.blocks import part_blocks
from bayesic.data.matrices import Matrix, dense_rows, sparse_rows, with_entries
from bayesic.data.source import Stored
from bayesic.data.typing import ArrayLike
from bayesic.estimation.dependent_columns import DependentPairs
from bayesic.estimation.normal_evidence import NormalPrior
from bayesic.estimation.smoothing import Lambda, presence_log_probability
from bayesic.evidence.fractions import class_shares, exact, value_text
from bayesic.evidence.work import Factor
from bayesic.kernels import Array
from bayesic.kernels.leaving import own_class
from bayesic.kernels.without_row import presence_without_row, times_log
from bayesic.models.arrays.discrete import (
    DiscreteClassifier,
    DiscreteSettings,
    LevelFeatures,
    discrete_evidence,
    discrete_settings,
    pairs_of_levels,
)
from bayesic.models.events.shares import Shares
from bayesic.models.fitted import Scorer, learned
from bayesic.models.log_evidence import LEVELS, LogEvidence
from bayesic.models.notes import Note
from bayesic.models.readers.counted_matrices import added_at_source, added_presence
from bayesic.models.readers.reader import Counted
from bayesic.models.summaries.dependent_pairs import presence_levels
from bayesic.statistics.features import PresenceCounts, presence, presence_counts


@dataclass(frozen=True, eq=False)
class PresentFeatures(LevelFeatures):
    """The smoothed share of the rows of each class that have a feature."""

    formula = "present_scores"

    kind = "bernoulli"

    counts: PresenceCounts
    alpha: Array  # one number, or one for each feature
    binarize: float | None

    @property
    def feature_count(self) -> Array:
        """Rows of each class that have each feature: (n_classes, n_features)."""
        return self.counts.present.astype(np.float64)

    @cached_property
    def log_probability(self) -> tuple[Array, Array]:
        """log p_cj and log (1 - p_cj): (n_classes, n_features) each."""
        return presence_log_probability(self.counts.present, self.counts.absent, self.alpha)

    @property
    def log_present(self) -> Array:
        """log p_cj: (n_classes, n_features)."""
        return self.log_probability[0]

    @property
    def alphas(self) -> Array:
        """alpha of each feature."""
        return np.full(self.counts.n_features, self.alpha)

    @property
    def n_parameters(self) -> int:
        """2 K p: that shares sum to 1 takes none away."""
        return 2 * self.counts.present.size

    # scores ---------------------------------------------------------------------------------

    def scorer(self, rows: Matrix) -> Scorer:
        """log p(x | c) of each row."""
        score = _presence_scorer(*self.log_probability)
        return lambda block: score(*self._presence(rows, block))

    def _presence(self, rows: Matrix, block: slice) -> tuple[Matrix, Matrix]:
        """Which features of a block of rows are present, and which missing (None if none is)."""
        if not sparse.issparse(rows):
            return presence(dense_rows(rows, block), self.binarize)
        entries = sparse_rows(rows, block)
        present, missing = presence(entries.data, self.binarize)
        return with_entries(entries, present), None if missing is None else with_entries(
            entries, missing
        )

    def scorer_without(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        """Only the row's own class changes: each count of it loses the row's share."""
        score = _presence_scorer(*self.log_probability)
        score_own = self._own_class_scorer(rows, codes, weights)

        def scores_of(block: slice) -> Array:
            scores, own = score(*self._presence(rows, block)), codes[block]
            scores[own_class(own)] = score_own(block)
            return scores

        return scores_of

    def _own_class_scorer(self, rows: Matrix, codes: Array, weights: Array) -> Scorer:
        counts = self.counts
        if self.binarize is not None and np.ptp(weights) == 0:
            # all rows weigh the same: the probabilities without a row are two tables
            score = _presence_scorer(
                *presence_log_probability(counts.present, counts.absent, self.alpha, weights[0])
            )
            return lambda block: score(*self._presence(rows, block))[own_class(codes[block])]
        present, absent = counts.present.astype(np.float64), counts.absent.astype(np.float64)
        alphas = self.alphas

        def scores_of(block: slice) -> Array:
            found = presence(dense_rows(rows, block), self.binarize)
            own = codes[block], weights[block]
            return presence_without_row(*found, *own, present, absent, alphas)

        return lambda block: np.hstack([*map(scores_of, part_blocks(block, rows.shape[1]))])

    # reasons --------------------------------------------------------------------------------

    def terms(self, rows: Matrix) -> Array:
        """log p_cj of each feature that is present, log (1 - p_cj) of each that is absent."""
        present, missing = presence(dense_rows(rows, slice(0, rows.shape[0])), self.binarize)
        absent = 1.0 - present if missing is None else 1.0 - present - missing
        log_present, log_absent = self.log_probability
        return times_log(present[:, :, None], log_present.T) + times_log(
            absent[:, :, None], log_absent.T
        )

    def factors(
        self, row: Matrix, names: Sequence[str], shown: Sequence[str | None]
    ) -> list[Factor]:
        """The share of rows that have, or lack, each feature."""
        counts, values = self.counts, dense_rows(row, slice(0, 1))
        rows_of = {0.0: counts.absent, 1.0: counts.present}
        total, scores, alphas = counts.present + counts.absent, self.terms(row)[0], self.alphas
        factors = []
        for feature, degree in enumerate(presence(values, self.binarize)[0][0].tolist()):
            if np.isnan(values[0, feature]):
                continue
            if degree in rows_of:
                count, alpha = rows_of[degree][:, feature], exact(alphas[feature])
                shares = class_shares(count, total[:, feature], alpha, 2 * alpha, 2)
            else:  # p^degree (1 - p)^(1 - degree) is not a fraction
                shares = tuple(scores[feature].tolist())
            factors.append(Factor(f"{names[feature]}={value_text(degree)}", shares))
        return factors

    # what was learned -----------------------------------------------------------------------

    def evidence(self, names: Sequence[str], prior: NormalPrior) -> LogEvidence:
        """log P of classes and of what is present or absent."""
        both = np.stack([self.counts.present, self.counts.absent])
        observed = both.sum(axis=0)
        what = LEVELS if self.binarize is None else f"present above {self.binarize:g}"
        seen_as = {names[at]: what for at in np.flatnonzero(observed.any(axis=0)).tolist()}
        smoothing = self.alphas, lambda alphas: 2 * alphas
        return discrete_evidence(self.prior, both, observed, *smoothing, seen_as)

    def _event(self, place: int) -> Shares:
        """The counts of a feature that is absent or present, and their shares."""
        counts = self.counts
        table = np.stack([counts.absent[:, place], counts.present[:, place]])
        return Shares(table, 2, Lambda(float(self.alphas[place])))

    def pairs(
        self, names: Sequence[str], rows: Matrix | None, codes: Array | None
    ) -> DependentPairs | None:
        """Features that are present together, where rows are given."""
        if rows is None or codes is None:
            return None
        levels_at = partial(presence_levels, rows, threshold=self.binarize or 0.0)
        return pairs_of_levels(names, self.summaries, levels_at, codes, len(self.feature_count))


def _presence_scorer(log_present: Array, log_absent: Array) -> Callable[[Matrix, Matrix], Array]:
    """A function from what is present and missing in a block to log p(x | c).

    log_present, log_absent : (n_classes, n_features); -inf is allowed
    """
    impossible = np.isneginf(log_present), np.isneginf(log_absent)
    finite = PresenceWeights(
        np.where(impossible[0], 0.0, log_present), np.where(impossible[1], 0.0, log_absent)
    )
    if not (impossible[0].any() or impossible[1].any()):
        return finite.sums
    hits = PresenceWeights(*impossible)

    def score(present: Matrix, missing: Matrix) -> Array:
        nowhere = hits.sums(present, missing) > 1e-9  # less is rounding
        return np.where(nowhere, -np.inf, finite.sums(present, missing))

    return score


class PresenceWeights:
    """Weights for each feature being present and absent, to be summed over rows."""

    def __init__(self, of_present: Array, of_absent: Array) -> None:
        """Both (n_classes, n_features)."""
        self.of_absent = np.ascontiguousarray(of_absent.T, dtype=np.float64)
        self.difference = np.ascontiguousarray(of_present.T, dtype=np.float64) - self.of_absent
        self.all_absent = self.of_absent.sum(axis=0)

    def sums(self, present: Matrix, missing: Matrix) -> Array:
        """Sum of the weights of each row: all absent, plus what the present ones change."""
        sums = present @ self.difference + self.all_absent
        return sums if missing is None else sums - missing @ self.of_absent


def _with_same_threshold(model: "BernoulliNB", other: "BernoulliNB") -> None:
    if model.binarize != other.binarize:
        raise ValueError(
            "Only models that call the same values present can be merged: this one has "
            f"binarize={model.binarize}, the other binarize={other.binarize}."
        )


SAME_THRESHOLD = Note(alike=_with_same_threshold)


class BernoulliNB(DiscreteClassifier[PresenceCounts, PresentFeatures, DiscreteSettings]):
    """Naive Bayes for features that are present or absent; absence counts as evidence too.

        P(c | x)  ~  P(c) * product over present j of p_cj * product over absent j of (1 - p_cj)
        p_cj = (N_cj + alpha) / (N_c + 2 alpha)                                [IIR] section 13.3

    N_cj counts the rows of class c with feature j, of N_c rows. Arguments, attributes and numbers
    are those of scikit-learn's BernoulliNB. NaN is a missing value.

    Parameters
    ----------
    alpha : number, or one for each feature; 1 is Laplace smoothing, 0 plain relative frequencies
    force_alpha : if False, an alpha below 1e-10 is raised to 1e-10
    binarize : a value above this is present; None if X already holds 0 and 1 (or degrees between)
    fit_prior : learn the prior from the class counts; if False all classes are equally likely
    class_prior : given prior probabilities, in the order of classes_

    Examples
    --------
    The China example of [IIR] section 13.3: words Chinese, Beijing, Shanghai, Macao, Tokyo, Japan.

    >>> X = [[2, 1, 0, 0, 0, 0], [2, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [1, 0, 0, 0, 1, 1]]
    >>> y = ["China", "China", "China", "other"]
    >>> model = BernoulliNB().fit(X, y)
    >>> model.predict_proba([[3, 0, 0, 0, 1, 1]]).round(4)
    array([[0.1911, 0.8089]])
    """

    statistics_: PresenceCounts
    notes = (SAME_THRESHOLD,)
    fitted_class = PresentFeatures
    tags: ClassVar[dict[str, bool]] = {**DiscreteClassifier.tags, "positive_only": False}

    feature_count_ = learned("feature_count", "Rows of each class that have each feature.")
    feature_log_prob_ = learned("log_present", "log p(present | class): (n_classes, n_features).")

    def __init__(
        self,
        *,
        alpha: ArrayLike = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _parse(self) -> DiscreteSettings:
        threshold = self.binarize
        fine = threshold is None or isinstance(threshold, bool) or is_number(threshold)
        if not fine or (threshold is not None and not threshold >= 0):
            raise ValueError(
                f"binarize must be a number of 0 or more, or None, got {threshold!r:.80}. "
                "Use 0.0 to count every value above 0 as present."
            )
        return discrete_settings(self)

    def _count(
        self, X: Matrix, codes: Array, n_classes: int, weights: Array | None
    ) -> PresenceCounts:
        return presence_counts(X, codes, n_classes, weights, self.binarize)

    def _counted_at_source(self, source: Stored, target: str) -> Counted | None:
        return added_at_source(
            self, source, target, partial(added_presence, threshold=self.binarize), n_sums=4
        )

    def _fit(self, statistics: PresenceCounts) -> PresentFeatures:
        prior = self._settings.prior_of(statistics.class_count)
        alpha = self._settings.alpha_of(statistics.n_features)
        return PresentFeatures(prior, statistics, alpha, self.binarize)
