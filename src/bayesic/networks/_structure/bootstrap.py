"""How sure an edge is: how often it is found again in tables drawn from the table."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from bayesic.data.arguments import check_whole_number
from bayesic.data.blocks import in_threads
from bayesic.data.typing import StructureMethod, StructureScore, TableLike
from bayesic.networks._structure.coded_columns import CodedColumns, coded_columns
from bayesic.networks._structure.edge_limits import listed_edges, parents_by_name
from bayesic.networks._structure.partial_graph import Edge, PartialGraph, by_name, oriented
from bayesic.networks._structure.search import Options, check_options, search
from bayesic.progress import bar_of

MOST_SAMPLES = 1_000_000


class EdgeStrength(NamedTuple):
    """Two variables, how often an edge joins them, and how often it leads from the first."""

    first: str
    second: str
    strength: float  # share of the samples with an edge
    direction: float  # share of these in which it leads from the first to the second


def edge_strengths(
    table: TableLike,
    samples: int = 100,
    method: StructureMethod = "hill-climb",
    score: StructureScore | None = None,
    order: Sequence[str] | None = None,
    max_parents: int | None = None,
    required: Iterable[Edge] = (),
    forbidden: Iterable[Edge] = (),
    tiers: Sequence[Sequence[str]] | None = None,
    restarts: int = 0,
    seed: int = 0,
) -> list[EdgeStrength]:
    """The edges that are found in samples of the rows, drawn with replacement ([FriedmanBoot]).

    The options are those of `learn_structure`. An edge whose direction can be turned without any
    change of what is independent counts half for each direction. Strong edges come first.

    >>> days = {"rain": ["yes", "no"] * 20, "wet": ["yes", "no"] * 20, "coin": [0, 0, 1, 1] * 10}
    >>> edge_strengths(days, samples=20)[0]
    EdgeStrength(first='rain', second='wet', strength=1.0, direction=0.5)
    """
    check_whole_number("samples", samples, least=1)
    if samples > MOST_SAMPLES:
        raise ValueError(f"samples must be at most {MOST_SAMPLES:,}, got {samples:,}.")
    options = Options(
        method, score, order, max_parents, listed_edges("required", required),
        listed_edges("forbidden", forbidden), tiers,
        restarts if isinstance(method, str) and method == "hill-climb" else None, seed,
    )  # fmt: skip
    columns = coded_columns(table)
    check_options(options, columns.variables)
    joined: Counter[Edge] = Counter()
    directed: Counter[Edge] = Counter()

    def found_in(number: int) -> PartialGraph:
        rng = np.random.default_rng([seed, number])
        structure = search(resampled(columns, rng), options)
        return equivalent_graph(parents_by_name(columns.variables, structure.parents))

    with bar_of("samples", samples) as advance:
        for graph in in_threads(found_in, range(samples)):
            joined.update(map(by_name, (*graph.directed, *graph.undirected)))
            directed.update(graph.directed)
            advance()
    strengths = [_strength(pair, joined[pair], directed, samples) for pair in joined]
    return sorted(strengths, key=lambda edge: (-edge.strength, edge.first, edge.second))


def _strength(pair: Edge, times: int, directed: Counter[Edge], samples: int) -> EdgeStrength:
    one_way, other_way = directed[pair], directed[pair[::-1]]
    forwards = (one_way + (times - one_way - other_way) / 2) / times
    if forwards < 0.5:
        pair, forwards = (pair[1], pair[0]), 1 - forwards
    return EdgeStrength(*pair, times / samples, forwards)


def resampled(columns: CodedColumns, rng: np.random.Generator) -> CodedColumns:
    """As many rows, drawn with replacement; rows that are drawn several times are kept once."""
    n_rows, n_samples = columns.codes.shape[1], columns.n_samples
    if columns.weights is None:
        times = np.bincount(rng.integers(n_rows, size=n_rows), minlength=n_rows)
    else:
        times = rng.multinomial(n_samples, columns.weights / n_samples)
    drawn = np.flatnonzero(times)
    codes = np.ascontiguousarray(columns.codes[:, drawn])
    return CodedColumns(columns.variables, columns.states, codes, times[drawn].astype(np.int64))


def equivalent_graph(parents: dict[str, list[str]]) -> PartialGraph:
    """All structures that say the same about independence, as one graph ([Chickering]).

    Directed are the edges that have the same direction in all of them: those of v-structures, and
    those that follow from them.

    >>> equivalent_graph({"rain": [], "wet": ["rain"], "slip": ["wet"]}).undirected
    (('rain', 'wet'), ('slip', 'wet'))
    """
    neighbours = {name: set(its_parents) for name, its_parents in parents.items()}
    for name, its_parents in parents.items():
        for parent in its_parents:
            neighbours[parent].add(name)
    # variables without an edge, and those between them that are not colliders
    separating = {
        (one, other): [
            [
                middle
                for middle in sorted(neighbours[one] & neighbours[other])
                if not {one, other} <= {*parents[middle]}
            ]
        ]
        for one, other in combinations(sorted(parents), 2)
        if other not in neighbours[one]
    }
    return oriented(neighbours, separating)
