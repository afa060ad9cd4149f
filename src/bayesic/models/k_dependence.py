"""k-dependence Bayes: each column depends on the class and on up to k other columns."""

from typing import Any

from bayesic.data.arguments import check_whole_number
from bayesic.models.classifier import CountingClassifier
from bayesic.models.dependence import LearnsLevels
from bayesic.models.fitted import learned
from bayesic.models.network_classifier import ColumnNetwork
from bayesic.statistics.combinations import CombinationCounts


class KDependence(LearnsLevels, CountingClassifier):
    """Naive Bayes in which each column depends on up to k others as well ([Sahami]).

        P(c | x)  ~  P(c) * product over the observed columns j of p(x_j | k parents of j, c)

    Columns are taken in the order of what they tell about the class, I(X_j; C). The parents of each
    are those k before it with which it has most to do within the classes, by I(X_i; X_j | C).
    k = 0 is naive Bayes; each step of k needs more rows, and counts of one more column together.

    Smoothing, bins, null cells, levels never seen, and learning in pieces are as in
    TreeAugmentedNB.

    Parameters
    ----------
    k : most parents of a column
    columns : dict of column name and "categorical", "binned" or "ignore", for columns that are not
        what they look like
    smoothing : lambda, the pseudo-count of every level; ("m", m) for the m-estimate
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability

    Attributes
    ----------
    parents_ : the columns that each column depends on
    bins_ : the bins of each column of numbers
    n_parameters : how many numbers are estimated

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis()
    >>> model = KDependence(k=2).fit(tennis.to_dict(), y="PlayTennis")
    >>> model.parents_["Outlook"], len(model.parents_["Wind"])
    ((), 2)
    """

    parents_ = learned("named_parents", "The columns that each depends on, besides the class.")

    def __init__(
        self, k: int = 1, columns: Any = None, smoothing: Any = 1.0, prior: Any = "learned"
    ) -> None:
        self.k = k
        self.columns = columns
        self.smoothing = smoothing
        self.prior = prior

    def _order(self) -> int:
        check_whole_number("k", self.k, 0)
        return max(int(self.k) + 1, 2)  # which columns depend on which is seen from pairs

    def _fit(self, statistics: CombinationCounts) -> ColumnNetwork:
        return ColumnNetwork(**self._facts(), k=int(self.k))
