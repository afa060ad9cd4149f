"""How long a decision tree is, and the classes with its help ([QuinlanRivest])."""

from typing import NamedTuple

from bayesic.estimation.mdl_code import choice_bits
from bayesic.kernels import Array
from bayesic.kernels.tree_splits import exception_bits


class DescriptionLength(NamedTuple):
    """Bits of a tree, and of the exceptions from it.

    >>> DescriptionLength(18.0, 5.5).total
    23.5
    """

    tree: float
    exceptions: float

    @property
    def total(self) -> float:
        """Bits of both."""
        return self.tree + self.exceptions


def leaf_bits(n_classes: int) -> float:
    """Bits of a leaf: one that it is a leaf, and its class.

        1 + log2 K

    >>> leaf_bits(4)
    3.0
    """
    return 1.0 + choice_bits(n_classes)


def tree_length(is_leaf: Array, test_bits: Array, class_count: Array) -> DescriptionLength:
    """Bits of all nodes: one each for leaf or not, the tests, the classes of leaves; exceptions.

        L(T) = sum over tests of (1 + log2 columns + log2 cuts) + sum over leaves of (1 + log2 K)
        L(D | T) = sum over leaves of exception_bits

    is_leaf     : bool (n_nodes,)
    test_bits   : (n_nodes,), to name column and cut
    class_count : (n_nodes, n_classes)

    >>> stump, tests = np.array([False, True, True]), np.array([2.0, 0.0, 0.0])
    >>> tree_length(stump, tests, np.array([[3.0, 1.0], [3.0, 0.0], [0.0, 1.0]]))
    DescriptionLength(tree=7.0, exceptions=1.0)
    """
    of_leaves = is_leaf.sum() * leaf_bits(class_count.shape[1])
    tree = (1.0 + test_bits[~is_leaf]).sum() + of_leaves
    return DescriptionLength(float(tree), float(exception_bits(class_count[is_leaf]).sum()))
