"""Network classifiers that are told what depends on what, so that no step of EM chooses anew."""

from bayesic.models.levels.column_network import ColumnNetwork
from bayesic.models.levels.network_classifier import KDependence, TreeAugmentedNB


class FixedNetwork(ColumnNetwork):
    """Each column depends on the k before it, by their names; on one, for a tree."""

    def _chosen_parents(self):
        most = self.k or 1
        return [tuple(range(max(column - most, 0), column)) for column in range(len(self.n_levels))]


class FixedTree(TreeAugmentedNB):
    """Each column depends on the one before it, by their names."""

    def _fit(self, statistics):
        return FixedNetwork(**self._facts(), k=None)


class FixedPair(KDependence):
    """Each column depends on the two before it, by their names."""

    def _fit(self, statistics):
        return FixedNetwork(**self._facts(), k=2)
