"""Tree-augmented naive Bayes: each column depends on the class and on one other column."""

from typing import Any

from bayesic.models.classifier import CountingClassifier
from bayesic.models.dependence import LearnsLevels
from bayesic.models.fitted import learned
from bayesic.models.network_classifier import ColumnNetwork
from bayesic.statistics.combinations import CombinationCounts


class TreeAugmentedNB(LearnsLevels, CountingClassifier):
    """Naive Bayes in which the columns form a tree: each depends on one other as well.

        P(c | x)  ~  P(c) * product over the observed columns j of p(x_j | x_parent(j), c)
        p(v | u, c) = (N_c(v, u) + lambda) / (N_c(u) + S_j lambda)

    N_c(v, u) counts rows of class c with level v in column j and level u in its parent, N_c(u) sums
    it over v, S_j is the number of levels of column j. The tree is the one under which the rows
    that were learned are most probable: the maximum spanning tree of I(X_i; X_j | C), the mutual
    information of two columns within the classes ([FriedmanTAN]). Its root is the column that tells
    most about the class.

    Columns are categories. Numbers are put into bins that tell the classes apart, by the rule of
    NaiveBayes, when the column has numbers for the first time; from then on the bins stay.

    A cell that is null is not observed and left out, and so is a parent that is null or was never
    seen: p(x_j | c) then. A level that was never seen has N_c(v, u) = 0.

    What is kept are the counts of all pairs of levels. So `partial_fit`, `forget` and `merge` are
    exact, given the bins, and the tree is chosen anew from all rows; new values and new classes may
    come at any time, and parameters set with `set_params` hold at once. `leave_one_out` leaves the
    tree as it is.

    Parameters
    ----------
    columns : dict of column name and "categorical", "binned" or "ignore", for columns that are not
        what they look like
    smoothing : lambda, the pseudo-count of every level; ("m", m) for the m-estimate, m rows divided
        among the levels by their shares over all classes: with m = 5 as in [FriedmanTAN]
    prior : "learned" with (N_c + lambda) / (N + K lambda), "uniform", or a dict of class and
        probability

    Attributes
    ----------
    parents_ : the column that each column depends on
    bins_ : the bins of each column of numbers
    n_parameters : how many numbers are estimated

    Examples
    --------
    >>> import bayesic as by
    >>> tennis = by.datasets.play_tennis()
    >>> model = TreeAugmentedNB(smoothing=0).fit(tennis.to_dict(), y="PlayTennis")
    >>> model.parents_["Humidity"]
    ('Temperature',)
    """

    parents_ = learned("named_parents", "The columns that each depends on, besides the class.")

    def __init__(self, columns: Any = None, smoothing: Any = 1.0, prior: Any = "learned") -> None:
        self.columns = columns
        self.smoothing = smoothing
        self.prior = prior

    def _order(self) -> int:
        return 2

    def _fit(self, statistics: CombinationCounts) -> ColumnNetwork:
        return ColumnNetwork(**self._facts(), k=None)
