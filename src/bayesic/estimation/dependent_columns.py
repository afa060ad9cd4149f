"""Which columns depend on each other: trees of them, tests, and the pairs that depend most.

Trees and orders come from the mutual information of the columns within the classes. Columns are
numbered, and of several that are equally good the first is taken.

Tests ask whether two variables are independent within strata. A stratum is a class, or a
combination of states of the variables that are given.

Where two columns depend on each other within the classes, naive Bayes counts the same evidence
twice. The measure is the conditional mutual information in bits, and

    G = 2 N ln 2 I(X; Y | C)

follows chi-squared if the two are independent within every class ([Spirtes], chapter 5).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from bayesic.data.blocks import row_blocks
from bayesic.estimation.information import class_information, conditional_information
from bayesic.kernels import Array
from bayesic.statistics.combinations import CombinationCounts
from bayesic.statistics.cross_moments import CrossMoments

Parents = list[tuple[int, ...]]  # of each column, those that it depends on besides the class

_MOST_PAIRS = 10

SIGNIFICANT = 0.05

# With fewer rows for each degree of freedom G is unreliable: most cells are (nearly) empty.
_ROWS_PER_DEGREE = 5

# Two rows always have a correlation of 1: a class needs more rows to be used.
_LEAST_ROWS = 4


# trees and orders -------------------------------------------------------------------------------


def informations(counts: CombinationCounts) -> tuple[Array, Array]:
    """I(X_i; C) of each column, and I(X_i; X_j | C) of all pairs: (n,) and (n, n)."""
    layout, n_columns = counts.layout, len(counts.levels)
    of_class, of_pairs = np.zeros(n_columns), np.zeros((n_columns, n_columns))
    for columns, shape, cells in layout.shapes():
        if len(columns) > 1:
            break
        of_class[columns] = class_information(counts.table[cells].reshape(*shape, -1))
    pairs, first = layout.columns(2), layout.first(2)
    sizes = np.array(layout.sizes, np.int64)
    for some, levels in _of_one_shape(sizes[pairs], counts.table.shape[1]):
        indices = first[some, None] + np.arange(np.prod(levels))
        tables = counts.table[indices].reshape(len(some), *levels, -1)
        one, other = pairs[some].T
        of_pairs[one, other] = of_pairs[other, one] = conditional_information(tables)
    return of_class, of_pairs


def _of_one_shape(shapes: Array, n_classes: int) -> Iterator[tuple[Array, Array]]:
    """Blocks of tables that have the same shape: their indices, and the shape.

    shapes : (n_tables, n_axes), without the classes
    """
    for shape in np.unique(shapes, axis=0):
        same = np.flatnonzero((shapes == shape).all(axis=1))
        for block in row_blocks(len(same), float(np.prod(shape)) * n_classes):
            yield same[block], shape


def tree_parents(of_class: Array, of_pairs: Array) -> Parents:
    """The tree of columns with the largest sum of mutual information: one parent for each column.

    The maximum spanning tree of I(X_i; X_j | C), with all edges directed away from the column that
    is most informative about the class ([FriedmanTAN] section 4.1), by Prim's algorithm.

    >>> tree_parents(np.array([0.1, 0.5, 0.2]), np.array([[0, 3, 2], [3, 0, 1], [2, 1, 0]]))
    [(1,), (), (0,)]
    """
    n_columns = len(of_class)
    if n_columns == 0:
        return []
    root = int(of_class.argmax())
    parents: Parents = [(root,)] * n_columns
    parents[root] = ()
    nearest = np.array(of_pairs[root], np.float64)
    nearest[root] = -np.inf
    for _ in range(n_columns - 1):
        column = int(nearest.argmax())
        nearer = (of_pairs[column] > nearest) & ~np.isneginf(nearest)
        nearest[column] = -np.inf
        for other in np.flatnonzero(nearer).tolist():
            if other != column:
                parents[other] = (column,)
                nearest[other] = of_pairs[column, other]
    return parents


def in_order(of_class: Array) -> list[int]:
    """The columns by their information about the class, the most informative first.

    >>> in_order(np.array([0.1, 0.5, 0.1]))
    [1, 0, 2]
    """
    return np.argsort(-of_class, kind="stable").tolist()


def ordered_parents(of_class: Array, of_pairs: Array, k: int) -> Parents:
    """Up to k parents for each column, of those more informative about the class ([Sahami]).

    Columns are taken in the order of I(X_i; C), the largest first. Each gets those k of the columns
    before it as parents whose I(X_i; X_j | C) is the largest, and the largest first.

    >>> of_pairs = np.array([[0, 3, 2], [3, 0, 1], [2, 1, 0]])
    >>> ordered_parents(np.array([0.1, 0.5, 0.2]), of_pairs, k=1)
    [(1,), (), (1,)]
    """
    order = in_order(of_class)
    parents: Parents = [()] * len(order)
    for position, column in enumerate(order):
        before = np.sort(order[:position]).astype(np.intp)
        best = before[np.argsort(-of_pairs[column, before], kind="stable")[:k]]
        parents[column] = tuple(best.tolist())
    return parents


def parents_first(parents: Parents) -> list[int]:
    """The columns in an order in which parents come before their children.

    >>> parents_first([(1,), (), (0,)])
    [1, 0, 2]
    """
    order: list[int] = []
    while len(order) < len(parents):
        placed = set(order)
        order += [
            column
            for column, required in enumerate(parents)
            if column not in placed and placed.issuperset(required)
        ]
    return order


# tests of independence --------------------------------------------------------------------------


@dataclass(frozen=True)
class IndependenceTest:
    """A statistic that follows chi-squared if the variables are independent, and its p-value."""

    statistic: float
    degrees_of_freedom: int
    p_value: float  # of a statistic at least as large, if they are independent


def _g_squared(counts: Array) -> float:
    """Twice the log of the likelihood ratio of dependence to independence ([Spirtes], chapter 5).

        G2 = 2 sum over x, y, z of n_xyz log(n_xyz n_z / (n_xz n_yz)) = 2 N I(X; Y | Z)

    counts : (states of X, states of Y, strata)

    >>> round(_g_squared(np.array([[[20], [10]], [[10], [20]]])), 4)
    6.796
    """
    return 2.0 * float(counts.sum() * conditional_information(counts))


def _chi_squared(counts: Array) -> float:
    """Squared distances of the counts from those expected, by Pearson ([Spirtes], chapter 5).

        X2 = sum over x, y, z of (n_xyz - e_xyz)^2 / e_xyz,    e_xyz = n_xz n_yz / n_z

    There is no correction for continuity. Cells with an expected count of 0 are skipped.

    counts : (states of X, states of Y, strata)

    >>> round(_chi_squared(np.array([[[20], [10]], [[10], [20]]])), 4)
    6.6667
    """
    of_stratum = np.maximum(counts.sum(axis=(0, 1)), 1)
    expected = counts.sum(axis=1)[:, None, :] * (counts.sum(axis=0)[None, :, :] / of_stratum)
    distance = (counts - expected) ** 2
    return float((distance / np.where(expected > 0, expected, 1.0)).sum())


STATISTICS: dict[str, Callable[[Array], float]] = {
    "g-squared": _g_squared,
    "chi-squared": _chi_squared,
}


def degrees_of_freedom(counts: Array) -> int:
    """How many counts of a table are free when its margins are known.

        sum over z of (states of X that occur in z - 1) (states of Y that occur in z - 1)

    A state that never occurs in a stratum has no row or column there, and a stratum without rows
    adds nothing: structural zeros are no evidence for independence.

    >>> degrees_of_freedom(np.array([[[2, 0], [1, 0], [0, 3]], [[1, 0], [2, 0], [0, 1]]]))
    1
    """
    first = counts.any(axis=1).sum(axis=0) - 1
    second = counts.any(axis=0).sum(axis=0) - 1
    return int((np.maximum(first, 0) * np.maximum(second, 0)).sum())


def independence_test(counts: Array, test: str = "g-squared") -> IndependenceTest:
    """The test of independence of X and Y within strata.

    Without a degree of freedom there is no evidence against independence, and the p-value is 1.

    counts : (states of X, states of Y, strata)

    >>> result = independence_test(np.array([[[20], [10]], [[10], [20]]]), "chi-squared")
    >>> round(result.statistic, 4), result.degrees_of_freedom, round(result.p_value, 4)
    (6.6667, 1, 0.0098)
    """
    statistic, freedom = STATISTICS[test](counts), degrees_of_freedom(counts)
    p_value = float(scipy.special.chdtrc(freedom, statistic)) if freedom else 1.0
    return IndependenceTest(statistic, freedom, p_value)


# pairs ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DependentPair:
    """Two columns, and their mutual information given the class."""

    first: str
    second: str
    bits: float  # I(X; Y | C)
    statistic: float  # G
    degrees_of_freedom: int
    p_value: float  # of so large a G if they were independent, times the number of pairs tested

    @property
    def is_significant(self) -> bool:
        """Whether so strong a dependence is unlikely by chance in any of the tested pairs."""
        return self.p_value < SIGNIFICANT


@dataclass(frozen=True)
class DependentPairs:
    """The pairs that depend most on each other: significant ones first, then by bits."""

    pairs: tuple[DependentPair, ...]
    n_tested: int
    n_untested: int  # too few rows for so many values

    @property
    def significant(self) -> list[DependentPair]:
        """The pairs whose dependence is unlikely by chance."""
        return [pair for pair in self.pairs if pair.is_significant]


def pairs_of_counts(counts: CombinationCounts) -> DependentPairs:
    """All pairs of columns, from the counts of their combinations of levels.

    The degrees of freedom are the sum over the classes of (levels of X that occur - 1) times
    (levels of Y that occur - 1).
    """
    names, n_columns = list(counts.levels), len(counts.levels)
    bits, statistic = np.zeros((2, n_columns, n_columns))
    freedom, n_rows = np.zeros((2, n_columns, n_columns))
    for columns, shape, cells in counts.layout.shapes():
        if len(columns) == 2:
            table = counts.table[cells].reshape(*shape, -1)
            test = independence_test(table)
            n_rows[columns] = total = float(table.sum())
            statistic[columns], freedom[columns] = test.statistic, test.degrees_of_freedom
            bits[columns] = test.statistic / (2 * np.log(2) * total) if total else 0.0
        elif len(columns) > 2:
            break
    return _ranked_pairs(names, bits, statistic, freedom, n_rows)


def pairs_of_moments(names: Sequence[str], moments: CrossMoments) -> DependentPairs:
    """All pairs of numeric columns, under a normal density in each class.

        I(X; Y | C) = -1/2 sum over c of P(c) log2 (1 - r_c^2)

    r_c is the correlation in class c, which is one degree of freedom. Classes with fewer than
    _LEAST_ROWS rows, and columns that are constant in a class, add 0.
    """
    count = moments.class_count.astype(np.float64)
    spread = np.sqrt(np.einsum("cii->ci", moments.scatter))
    varies = (spread > 0) & (count >= _LEAST_ROWS)[:, None]
    both = varies[:, :, None] & varies[:, None, :]
    products = spread[:, :, None] * spread[:, None, :]
    correlation = np.divide(moments.scatter, products, out=np.zeros_like(products), where=both)
    rest = np.maximum(1.0 - correlation**2, np.finfo(np.float64).eps)
    statistic = np.einsum("c,cij->ij", count, -np.log(rest))
    n_rows = np.full_like(statistic, count.sum())
    bits = statistic / (2 * np.log(2) * max(count.sum(), 1.0))
    return _ranked_pairs(names, bits, statistic, both.sum(axis=0), n_rows)


def _ranked_pairs(
    names: Sequence[str], bits: Array, statistic: Array, freedom: Array, n_rows: Array
) -> DependentPairs:
    """The pairs that depend most on each other; all arrays (n_columns, n_columns).

    The p-values are those of Bonferroni's rule: of this many pairs some look dependent by chance.
    """
    first, second = np.triu_indices(len(names), k=1)
    bits, statistic, freedom, n_rows = (
        array[first, second] for array in (bits, statistic, freedom, n_rows)
    )
    tested = (freedom > 0) & (n_rows >= _ROWS_PER_DEGREE * freedom)
    n_tested = int(tested.sum())
    p_value = np.minimum(
        scipy.special.chdtrc(np.where(tested, freedom, 1), statistic) * n_tested, 1.0
    )
    order = np.lexsort((-bits, p_value >= SIGNIFICANT, ~tested))[: min(_MOST_PAIRS, n_tested)]
    pairs = tuple(
        DependentPair(
            names[first[at]],
            names[second[at]],
            float(bits[at]),
            float(statistic[at]),
            int(freedom[at]),
            float(p_value[at]),
        )
        for at in order.tolist()
    )
    return DependentPairs(pairs, n_tested, len(first) - n_tested)
