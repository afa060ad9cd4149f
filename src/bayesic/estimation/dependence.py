"""Which columns depend on which: trees and orders from what the columns tell about each other.

Columns are numbered. Where several are equally good the first is taken.
"""

import numpy as np

from bayesic.estimation.information import class_information, conditional_information
from bayesic.statistics.combinations import CombinationCounts

Array = np.ndarray
Parents = list[tuple[int, ...]]  # of each column, those that it depends on besides the class


def informations(counts: CombinationCounts) -> tuple[Array, Array]:
    """I(X_i; C) of each column, and I(X_i; X_j | C) of all pairs: (n,) and (n, n)."""
    n_columns = len(counts.levels)
    of_class, of_pairs = np.zeros(n_columns), np.zeros((n_columns, n_columns))
    for columns, shape, cells in counts.layout.shapes():
        if len(columns) > 2:
            break
        table = counts.table[cells].reshape(*shape, -1)
        if len(columns) == 1:
            of_class[columns] = class_information(table)
        else:
            of_pairs[columns] = of_pairs[columns[::-1]] = conditional_information(table)
    return of_class, of_pairs


def tree_parents(of_class: Array, of_pairs: Array) -> Parents:
    """Each column depends on one other, so that the sum of what they tell is the largest.

    The maximum spanning tree of I(X_i; X_j | C), with all edges directed away from the column that
    tells most about the class ([FriedmanTAN] section 4.1). Found by adding the nearest column
    (Prim).

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


def ordered_parents(of_class: Array, of_pairs: Array, k: int) -> Parents:
    """Each column depends on up to k of those that tell more about the class ([Sahami]).

    Columns are taken in the order of I(X_i; C), the largest first. Each gets those k of the columns
    before it as parents whose I(X_i; X_j | C) is the largest.

    >>> of_pairs = np.array([[0, 3, 2], [3, 0, 1], [2, 1, 0]])
    >>> ordered_parents(np.array([0.1, 0.5, 0.2]), of_pairs, k=1)
    [(1,), (), (1,)]
    """
    order = np.argsort(-of_class, kind="stable").tolist()
    parents: Parents = [()] * len(order)
    for place, column in enumerate(order):
        before = np.sort(order[:place]).astype(np.intp)
        best = before[np.argsort(-of_pairs[column, before], kind="stable")[:k]]
        parents[column] = tuple(np.sort(best).tolist())
    return parents


def parents_first(parents: Parents) -> list[int]:
    """The columns in an order in which each comes after its parents.

    >>> parents_first([(1,), (), (0,)])
    [1, 0, 2]
    """
    order: list[int] = []
    while len(order) < len(parents):
        placed = set(order)
        order += [
            column
            for column, needed in enumerate(parents)
            if column not in placed and placed.issuperset(needed)
        ]
    return order
