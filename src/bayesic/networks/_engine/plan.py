"""From factors and cliques to the flat arrays that the kernels run over."""

from collections.abc import Sequence

import numpy as np

from bayesic.kernels import Array
from bayesic.kernels.trees import (
    AXES,
    CHILDREN,
    FACTORS,
    MESSAGE,
    PARENT,
    SEPARATOR,
    UPWARDS,
    CliquePlan,
    Questions,
)
from bayesic.networks._engine.cliques import CliqueTree, clique_potentials
from bayesic.networks.factors import Factors


def make_plan(factors: Factors, tree: CliqueTree) -> tuple[CliquePlan, int]:
    """The plan of this tree, and the exponent of two that its tables were divided by."""
    sizes = factors.cardinalities
    potentials, exponent = clique_potentials(factors, tree)
    children = _children(tree)
    strides: list[int] = []
    parts: list[tuple[int, int, int]] = []
    laid_out: list[Array] = [np.empty(0)]
    n_cells = 0
    columns = np.zeros((len(tree.cliques) + 1, 7), np.int64)
    for clique, variables in enumerate(tree.cliques):
        columns[clique, [FACTORS, UPWARDS]] = len(parts), len(strides)
        strides += strides_in(variables, separator_of(tree, clique), sizes)
        for potential in potentials[clique]:
            laid_out.append(potential.table.ravel())
            parts.append((n_cells, len(strides), potential.low))
            n_cells += len(laid_out[-1])
            strides += strides_in(variables, potential.scope, sizes)
        columns[clique, CHILDREN] = len(parts)
        for child in children[clique]:
            parts.append((child, len(strides), 0))
            strides += strides_in(variables, separator_of(tree, child), sizes)
    # the strides of a table of one variable, wherever it stands in a clique: zeros around a one
    most = max(map(len, tree.cliques))
    columns[-1, [FACTORS, UPWARDS]] = len(parts), len(strides) + most
    strides += [0] * most + [1] + [0] * most
    columns[:, AXES] = np.cumsum([0, *map(len, tree.cliques)])
    columns[1:, MESSAGE] = np.cumsum(
        [table_size(separator_of(tree, clique), sizes) for clique in range(len(tree.cliques))]
    )
    columns[:-1, PARENT] = tree.parents
    columns[:-1, SEPARATOR] = tree.n_separator
    plan = CliquePlan(
        sizes=_integers(sizes),
        cliques=columns,
        axes=_integers([variable for clique in tree.cliques for variable in clique]),
        parts=np.array(parts, dtype=np.int64).reshape(-1, 3),
        strides=_integers(strides),
        tables=np.concatenate(laid_out),
    )
    return plan, exponent


def _children(tree: CliqueTree) -> list[list[int]]:
    """The cliques below each clique."""
    children: list[list[int]] = [[] for _ in tree.cliques]
    for clique in range(1, len(tree.cliques)):
        children[tree.parents[clique]].append(clique)
    return children


def make_questions(
    tree: CliqueTree, scopes: Sequence[Sequence[int]], sizes: Sequence[int]
) -> Questions:
    """Where the posterior of each of these sets of variables is found: in the smallest clique.

    The answers stand one after the other in the order in which they are asked, each in row-major
    order of its variables.
    """
    n_cells = [table_size(scope, sizes) for scope in scopes]
    indices = np.cumsum([0, *n_cells])
    by_clique: list[list[int]] = [[] for _ in tree.cliques]
    for number, clique in enumerate(smallest_holders(tree.cliques, scopes, sizes)):
        by_clique[clique].append(number)
    strides: list[int] = []
    rows: list[tuple[int, int, int]] = []
    for clique, group in enumerate(by_clique):
        for number in group:
            rows.append((int(indices[number]), len(strides), n_cells[number]))
            strides += strides_in(tree.cliques[clique], scopes[number], sizes)
    return Questions(
        first=np.cumsum([0, *map(len, by_clique)], dtype=np.int64),
        asked=np.array(rows, dtype=np.int64).reshape(-1, 3),
        strides=_integers(strides),
    )


def smallest_holders(
    tables: Sequence[tuple[int, ...]], scopes: Sequence[Sequence[int]], sizes: Sequence[int]
) -> list[int]:
    """The number of the smallest table that has all variables of each set; 0 for none.

    >>> smallest_holders([(0, 1, 2), (1, 2)], [(2,), (0, 1), ()], sizes=[2, 2, 2])
    [1, 0, 0]
    """
    holders: list[list[int]] = [[] for _ in sizes]
    for number in sorted(range(len(tables)), key=lambda number: table_size(tables[number], sizes)):
        for variable in tables[number]:
            holders[variable].append(number)
    return [
        next(number for number in holders[scope[0]] if {*scope} <= {*tables[number]})
        if scope
        else 0
        for scope in scopes
    ]


def separator_of(tree: CliqueTree, clique: int) -> tuple[int, ...]:
    """The variables that a clique has in common with its parent."""
    return tree.cliques[clique][: tree.n_separator[clique]]


def table_size(variables: Sequence[int], sizes: Sequence[int]) -> int:
    """How many cells a table of these variables has."""
    size = 1
    for variable in variables:
        size *= sizes[variable]
    return size


def strides_in(axes: Sequence[int], order: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """For each axis its stride in a row-major table of the variables in this order, 0 if not in it.

    >>> strides_in(axes=(7, 3, 5), order=(5, 3), sizes={3: 2, 5: 4, 7: 2})
    [0, 1, 2]
    """
    stride, strides = 1, {}
    for variable in reversed(order):
        strides[variable] = stride
        stride *= sizes[variable]
    return [strides.get(axis, 0) for axis in axes]


def _integers(numbers: Sequence[int]) -> Array:
    return np.array(numbers, dtype=np.int64)
