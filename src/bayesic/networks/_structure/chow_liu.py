"""The best tree: each variable depends on one other, so that the likelihood is the largest."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bayesic.estimation.dependent_columns import tree_parents
from bayesic.estimation.information import class_information
from bayesic.kernels import Array
from bayesic.networks._structure.coded_columns import CodedColumns, family_table
from bayesic.networks._structure.partial_graph import Edge
from bayesic.networks.variable_names import listed


@dataclass(frozen=True)
class ChowLiuTree:
    """Edges that lead away from one variable to all others, parents first."""

    edges: tuple[Edge, ...]  # (parent, child)
    gains: tuple[float, ...]  # of each edge, what it adds to the log likelihood, in nats


def chow_liu(columns: CodedColumns, root: str | None = None) -> ChowLiuTree:
    """The tree of largest likelihood: the maximum spanning tree of mutual information ([ChowLiu]).

        log P(data | tree) = sum over edges of N I(X; Y) + sum over variables of -N H(X)

    root : the variable without a parent; the first name if None. All roots have the same
        likelihood, and the same edges up to their direction.

    Of trees that are equally good, one with the first names is taken. It joins all variables: an
    edge between two that say nothing about each other gains 0.

    >>> from bayesic.networks._structure.coded_columns import coded_columns
    >>> rows = coded_columns({"rain": [0, 0, 1, 1], "wet": [0, 0, 1, 1], "wind": [0, 0, 1, 0]})
    >>> tree = chow_liu(rows, root="wet")
    >>> tree.edges, [round(gain, 3) for gain in tree.gains]
    ((('wet', 'rain'), ('rain', 'wind')), [2.773, 0.863])
    """
    variables = columns.variables
    root = variables[0] if root is None else root
    if root not in variables:
        raise ValueError(f"The root must be a column, got {root!r}. There are {listed(variables)}.")
    information = mutual_information(columns)
    # always grown from the first name, so that the root does not choose between equal trees
    parents = tree_parents(np.eye(1, len(variables))[0], information)
    edges = _away_from(variables.index(root), parents)
    return ChowLiuTree(
        tuple((variables[parent], variables[child]) for parent, child in edges),
        tuple(columns.n_samples * float(information[edge]) for edge in edges),
    )


def mutual_information(columns: CodedColumns) -> Array:
    """I(X; Y) of all pairs of variables, in nats: (n_variables, n_variables), 0 on the diagonal.

    >>> from bayesic.networks._structure.coded_columns import coded_columns
    >>> mutual_information(coded_columns({"rain": [0, 1], "wet": [0, 1]})).round(3)
    array([[0.   , 0.693],
           [0.693, 0.   ]])
    """
    of_pairs = np.zeros((len(columns.variables),) * 2)
    for pair in combinations(range(len(columns.variables)), 2):
        of_pairs[pair] = of_pairs[pair[::-1]] = class_information(family_table(columns, pair))
    return of_pairs


def _away_from(root: int, parents: list[tuple[int, ...]]) -> list[tuple[int, int]]:
    """The edges of a tree (parent, child), turned so that they lead away from the root."""
    neighbours: list[list[int]] = [list(its_parents) for its_parents in parents]
    for child, its_parents in enumerate(parents):
        for parent in its_parents:
            neighbours[parent].append(child)
    edges: list[tuple[int, int]] = []
    reached = [root]
    for parent in reached:
        children = sorted(set(neighbours[parent]) - set(reached))
        edges += [(parent, child) for child in children]
        reached += children
    return edges
