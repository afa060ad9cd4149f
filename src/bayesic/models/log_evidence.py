"""Models whose parameters can be integrated out: the probability of all that was learned."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bayesic.data.arguments import check_is_fitted
from bayesic.data.snapshots import answering
from bayesic.data.typing import ArrayLike
from bayesic.estimation.normal_evidence import NormalPrior

LEVELS, NUMBERS, COUNTS, WORDS = "levels", "numbers", "counts", "words"


@dataclass(frozen=True)
class Evidence:
    """log P(D | M), and what D is: only evidences of the same data can be compared."""

    log: float
    seen_as: Mapping[str, str]  # column -> what the model takes its cells for: levels, numbers, ...


def bins_at(cuts: Any) -> str:
    """What cells are that only count by their bin.

    >>> bins_at([2.0, 5.5])
    'bins cut at [2.0, 5.5]'
    """
    return f"bins cut at {[*map(float, cuts)]}"


class HasEvidence:
    """A classifier whose fitted object has `evidence(names)`."""

    _fitted: Any

    @answering
    def log_evidence(self) -> float:
        """log P(D | M): the probability of the classes and cells that were learned, all together.

        The parameters are integrated out under the prior that the smoothing is, a Dirichlet prior
        with a pseudo-count of lambda for each of S levels, or classes ([Heckerman]):

            Gamma(S lambda) / Gamma(S lambda + N) * product of Gamma(lambda + n_v) / Gamma(lambda)

        for n_v occurrences of level v, N in all, in each class and column (given its parents).

        It is the product over the rows of the probability of each given those before it, in any
        order: a function of the counts. The difference of two models' is the log of the Bayes
        factor between them. Missing values are left out. The levels, classes and bins are those
        that the model knows, and the parents those that it has chosen: there is no penalty for
        choosing them. A model without a proper prior, or without a closed form, is refused.

        >>> from bayesic.models.naive_bayes import NaiveBayes
        >>> mail = {"sky": ["sun", "rain", "rain"], "is": ["ham", "spam", "spam"]}
        >>> model = NaiveBayes().fit(mail, y="is")
        >>> round(2.718281828 ** -model.log_evidence(), 4)  # 1/2 1/3 2/4, and 1/2, 1/2 2/3
        72.0
        """
        return self._evidence().log

    def _evidence(self, *how: Any) -> Evidence:
        """The same, and of what."""
        check_is_fitted(self)
        with self._at_work():  # type: ignore[attr-defined]  # of CountingModel
            return self._fitted.evidence(self._column_names(), *how)  # type: ignore[attr-defined]


class HasNormalEvidence(HasEvidence):
    """A classifier of normal densities; `evidence(names, prior)` of its fitted object."""

    @answering
    def log_evidence(
        self,
        mean: ArrayLike = 0.0,
        variance: ArrayLike = 1.0,
        mean_rows: float = 1.0,
        variance_rows: float = 1.0,
    ) -> float:
        """log p(D | M): the density of the classes and cells that were learned, all together.

        Means and covariances are integrated out under their conjugate prior, the normal-inverse-
        Wishart ([Murphy] section 9, [Gelman] section 3.6):

            Sigma ~ inverse Wishart(variance_rows + d + 1, variance_rows * variance),
            mean_c ~ N(mean, Sigma / mean_rows)

        with d = 1 where columns do not correlate. Shrinkage and other smoothing of the variances
        play no part: they are not a prior. All class shares are equally likely a priori, unless
        they are given. A Bayes factor depends on this prior more than answers do, and the default
        is for columns in standard units, of mean 0 and variance 1: for others set your own.

        mean, variance : what is expected of a column within a class; a number, or one for each
        mean_rows, variance_rows : how many rows each of them counts for

        >>> from bayesic.models.gaussian import GaussianNB
        >>> model = GaussianNB().fit([[-1.0], [1.0], [0.5]], ["low", "high", "high"])
        >>> round(model.log_evidence(), 4)
        -6.3962
        """
        return self._evidence(NormalPrior(mean, variance, mean_rows, variance_rows)).log

    def _evidence(self, *how: Any) -> Evidence:
        return super()._evidence(*(how or (NormalPrior(),)))
