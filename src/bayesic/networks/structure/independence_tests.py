"""Tests of conditional independence: what the counts of two variables say within strata.

A stratum is a combination of states of the variables that are given.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import prod

import numpy as np

from bayesic.data.arguments import check_number
from bayesic.estimation.independence import STATISTICS, independence_test
from bayesic.networks.structure.coded_columns import CodedColumns, numbers_of
from bayesic.networks.structure.counting import MOST_CELLS, family_table

Array = np.ndarray
Independent = Callable[[str, str, Sequence[str]], bool]

TABLES_KEPT = 2**14
CELLS_KEPT = 2**9  # of a table; all that are kept take 64 MB at most


def counts_in_strata(columns: CodedColumns, first: int, second: int, given: Sequence[int]) -> Array:
    """Counts of two variables in each stratum: (states of first, states of second, strata).

    Where there may be more strata than rows, those that do not occur are left out.

    >>> from bayesic.networks.structure.coded_columns import coded_columns
    >>> rows = coded_columns({"rain": ["yes", "no", "yes"], "wet": ["yes", "no", "no"]})
    >>> counts_in_strata(rows, 0, 1, [])
    array([[[1], [0]],
           [[1], [1]]])
    """
    n_strata = prod(columns.sizes[variable] for variable in given)
    pair = (columns.sizes[first], columns.sizes[second])
    if n_strata <= columns.codes.shape[1]:
        return family_table(columns, [first, second, *given]).reshape(*pair, n_strata)
    stratum, n_strata = _strata_that_occur(columns, given)
    if prod(pair) * n_strata > MOST_CELLS:
        names = f"{columns.variables[first]} and {columns.variables[second]}"
        raise ValueError(
            f"{names} have too many states to test them: {prod(pair)} pairs in {n_strata} strata. "
            "Join rare states, or let fewer variables be given."
        )
    cell = columns.codes[first].astype(np.int64) * pair[1] + columns.codes[second]
    cell = cell * n_strata + stratum
    counts = np.bincount(cell, columns.weights, minlength=pair[0] * pair[1] * n_strata)
    return counts.astype(np.int64).reshape(*pair, n_strata)


def _strata_that_occur(columns: CodedColumns, given: Sequence[int]) -> tuple[Array, int]:
    """The number of the stratum of each row, and how many there are."""
    stratum, n_strata = np.zeros(columns.codes.shape[1], np.int64), 1
    for variable in given:
        stratum = stratum * columns.sizes[variable] + columns.codes[variable]
        occurs, stratum = np.unique(stratum, return_inverse=True)
        n_strata = len(occurs)
    return stratum, n_strata


def independence_in(
    columns: CodedColumns, test: str = "g-squared", significance: float = 0.05
) -> Independent:
    """A function that says whether two variables are independent, given others.

    They are if the p-value is above the significance. A test without degrees of freedom says
    nothing: in no stratum do both variables vary. Then they are taken as dependent, so that of two
    columns that copy each other none hides the other. Only a variable with a single state is
    independent of all.

    >>> from bayesic.networks.structure.coded_columns import coded_columns
    >>> rows = coded_columns({"rain": ["yes", "no"] * 20, "wet": ["yes", "no"] * 20})
    >>> independence_in(rows)("rain", "wet", [])
    False
    """
    if not isinstance(test, str) or test not in STATISTICS:
        raise ValueError(f"The test must be one of {', '.join(STATISTICS)}, got {test!r}.")
    check_number("significance", significance)
    if not 0 < significance < 1:
        raise ValueError(
            f"The significance must be between 0 and 1, got {significance!r}. Usual are 0.05 and "
            "0.01; the smaller it is, the fewer edges are found."
        )
    number, counts_of = numbers_of(columns), _counts_by_tables(columns)

    def independent(first: str, second: str, given: Sequence[str]) -> bool:
        conditions = [number[name] for name in given]
        result = independence_test(counts_of(number[first], number[second], conditions), test)
        return result.p_value > significance and (result.degrees_of_freedom > 0 or not given)

    return independent


def _counts_by_tables(columns: CodedColumns) -> Callable[[int, int, Sequence[int]], Array]:
    """`counts_in_strata` of these columns, where small tables are counted once.

    Tests of the same variables, each time with others of them given, share one table.
    """
    sizes, table = columns.sizes, lru_cache(TABLES_KEPT)(partial(family_table, columns))

    def counts_of(first: int, second: int, given: Sequence[int]) -> Array:
        wanted = (first, second, *given)
        if prod(sizes[variable] for variable in wanted) > CELLS_KEPT:
            return counts_in_strata(columns, first, second, given)
        members = tuple(sorted(wanted))
        counts = table(members).transpose([members.index(variable) for variable in wanted])
        return counts.reshape(sizes[first], sizes[second], -1)

    return counts_of
