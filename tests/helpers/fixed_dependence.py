"""Network classifiers that are told what depends on what, so that no step of EM chooses anew."""

from bayesic.models.k_dependence import KDependence
from bayesic.models.tree_augmented import TreeAugmentedNB


class FixedTree(TreeAugmentedNB):
    """Each column depends on the one before it, by their names."""

    def _key(self):
        return "fixed"

    def _chosen_parents(self, of_class, of_pairs):
        return [() if column == 0 else (column - 1,) for column in range(len(of_class))]


class FixedPair(KDependence):
    """Each column depends on the two before it, by their names."""

    def _key(self):
        return "fixed"

    def _chosen_parents(self, of_class, of_pairs):
        return [tuple(range(max(column - 2, 0), column)) for column in range(len(of_class))]
