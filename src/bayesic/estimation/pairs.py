"""Which columns depend on each other within the classes.

There naive Bayes counts the same evidence twice. The measure is the conditional mutual information
in bits, and

    G = 2 N ln 2 I(X; Y | C)

follows chi-squared if the two are independent within every class ([Spirtes], chapter 5).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from bayesic.estimation.independence import independence_test
from bayesic.statistics.combinations import CombinationCounts
from bayesic.statistics.cross_moments import CrossMoments

Array = np.ndarray

MOST_PAIRS = 10
SIGNIFICANT = 0.05

# With fewer rows for each degree of freedom G says little: most cells are empty or nearly so.
ROWS_PER_DEGREE = 5

# Of two rows a correlation is always 1: a class needs more to say something.
LEAST_ROWS = 4


@dataclass(frozen=True)
class DependentPair:
    """Two columns, and how much each tells of the other where the class is known."""

    first: str
    second: str
    bits: float  # I(X; Y | C)
    statistic: float  # G
    degrees_of_freedom: int
    p_value: float  # of so large a G if they were independent, times the number of pairs tested

    @property
    def is_significant(self) -> bool:
        """Whether chance would hardly make any pair look so dependent."""
        return self.p_value < SIGNIFICANT


@dataclass(frozen=True)
class DependentPairs:
    """The pairs that depend most on each other: significant ones first, then by bits."""

    pairs: tuple[DependentPair, ...]
    n_tested: int
    n_untested: int  # too few rows for so many values

    @property
    def significant(self) -> list[DependentPair]:
        """The pairs that would hardly look so dependent by chance."""
        return [pair for pair in self.pairs if pair.is_significant]


def pairs_of_counts(counts: CombinationCounts) -> DependentPairs:
    """All pairs of columns of a table whose levels were counted together.

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
    return ranked_pairs(names, bits, statistic, freedom, n_rows)


def pairs_of_moments(names: Sequence[str], moments: CrossMoments) -> DependentPairs:
    """All pairs of columns of numbers, as normal densities in each class see them.

        I(X; Y | C) = -1/2 sum over c of P(c) log2 (1 - r_c^2)

    r_c is the correlation in class c, which is one degree of freedom. Classes with fewer than
    LEAST_ROWS rows, and columns that do not change in a class, say nothing.
    """
    count = moments.class_count.astype(np.float64)
    spread = np.sqrt(np.einsum("cii->ci", moments.scatter))
    varies = (spread > 0) & (count >= LEAST_ROWS)[:, None]
    both = varies[:, :, None] & varies[:, None, :]
    products = spread[:, :, None] * spread[:, None, :]
    correlation = np.divide(moments.scatter, products, out=np.zeros_like(products), where=both)
    rest = np.maximum(1.0 - correlation**2, np.finfo(np.float64).eps)
    statistic = np.einsum("c,cij->ij", count, -np.log(rest))
    n_rows = np.full_like(statistic, count.sum())
    bits = statistic / (2 * np.log(2) * max(count.sum(), 1.0))
    return ranked_pairs(names, bits, statistic, both.sum(axis=0), n_rows)


def ranked_pairs(
    names: Sequence[str], bits: Array, statistic: Array, freedom: Array, n_rows: Array
) -> DependentPairs:
    """The pairs that depend most on each other; all arrays (n_columns, n_columns).

    The p-values are those of Bonferroni's rule: of so many pairs some look dependent by chance.
    """
    first, second = np.triu_indices(len(names), k=1)
    bits, statistic, freedom, n_rows = (
        array[first, second] for array in (bits, statistic, freedom, n_rows)
    )
    tested = (freedom > 0) & (n_rows >= ROWS_PER_DEGREE * freedom)
    n_tested = int(tested.sum())
    p_value = np.minimum(
        scipy.special.chdtrc(np.where(tested, freedom, 1), statistic) * n_tested, 1.0
    )
    order = np.lexsort((-bits, p_value >= SIGNIFICANT, ~tested))[: min(MOST_PAIRS, n_tested)]
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
