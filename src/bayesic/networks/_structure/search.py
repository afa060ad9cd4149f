"""All methods behind one door: columns and options in, a structure out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bayesic.data.arguments import check_one_of, check_whole_number
from bayesic.data.typing import StructureScore
from bayesic.kernels import Array
from bayesic.networks._structure.chow_liu import chow_liu
from bayesic.networks._structure.coded_columns import CodedColumns, numbers_of
from bayesic.networks._structure.edge_limits import EdgeLimits, checked_pairs, limits_of
from bayesic.networks._structure.exact import exact
from bayesic.networks._structure.family_scores import FamilyScores, rule_of
from bayesic.networks._structure.hill_climbing import Move, hill_climb, k2
from bayesic.networks._structure.partial_graph import Edge, extended
from bayesic.networks._structure.pc import pc
from bayesic.networks.variable_names import listed

# method -> the options that it has beside score and seed
METHODS = {
    "hill-climb": ("max_parents", "required", "forbidden", "tiers", "restarts"),
    "k2": ("max_parents", "required", "forbidden", "tiers", "order"),
    "exact": ("max_parents", "required", "forbidden", "tiers"),
    "chow-liu": (),
    "pc": ("required", "forbidden", "tiers", "test", "significance"),
}
RESTARTS = 20


@dataclass(frozen=True)
class Options:
    """The arguments of `learn_structure`; None where the default of the method applies."""

    method: str = "hill-climb"
    score: StructureScore | None = None
    order: Sequence[str] | None = None
    max_parents: int | None = None
    required: Sequence[Edge] | None = None
    forbidden: Sequence[Edge] | None = None
    tiers: Sequence[Sequence[str]] | None = None
    restarts: int | None = None
    seed: int = 0
    test: str | None = None
    significance: float | None = None


@dataclass(frozen=True, eq=False)
class Structure:
    """A structure, and how it was found."""

    parents: Array  # bool (n, n), [child, parent]
    scores: FamilyScores
    moves: tuple[Move, ...] = ()
    restarts: tuple[tuple[int, float], ...] = ()
    undirected: tuple[Edge, ...] = ()
    message: str = ""


def check_options(options: Options, variables: Sequence[str]) -> None:
    """Refuse what the method does not have."""
    check_one_of("method", options.method, tuple(METHODS))
    of_method = METHODS[options.method]
    for name in sorted({name for names in METHODS.values() for name in names} - {*of_method}):
        given = getattr(options, name)
        if given is not None and (not isinstance(given, (tuple, list)) or len(given)):
            others = [method for method, names in METHODS.items() if name in names]
            raise ValueError(
                f"method={options.method!r} has no {name}, got {given!r}. "
                f"Leave it out, or use method={' or '.join(map(repr, others))}."
            )
    check_whole_number("seed", options.seed, least=0)
    if options.restarts is not None:
        check_whole_number("restarts", options.restarts, least=0)
    if options.method == "k2":
        _check_order(options.order, variables, options.required or ())


def _check_order(
    order: Sequence[str] | None, variables: Sequence[str], required: Sequence[Edge]
) -> None:
    is_list = isinstance(order, (list, tuple)) or getattr(order, "ndim", 0) == 1
    names = [*order] if order is not None and is_list else []
    if not all(isinstance(name, str) for name in names) or sorted(names) != sorted(variables):
        raise ValueError(
            "method='k2' needs order: all columns, parents before children, each of "
            f"{listed(variables)} once; got {order!r}."
        )
    index_of = {name: index for index, name in enumerate(names)}
    for parent, child in checked_pairs("required", required, variables):
        if index_of[parent] > index_of[child]:
            raise ValueError(
                f"The required edge {parent} -> {child} is against the order, which has {child} "
                "first. Change one of them."
            )


def search(columns: CodedColumns, options: Options) -> Structure:
    """The structure that the method finds in these columns."""
    default: StructureScore = "k2" if options.method == "k2" else "bic"
    rule = rule_of(default if options.score is None else options.score, columns.n_samples)
    limits = limits_of(
        columns.variables,
        options.required or (),
        options.forbidden or (),
        options.tiers,
        options.max_parents,
    )
    return _SEARCHES[options.method](FamilyScores(columns, rule), limits, options)


def _hill_climb(scores: FamilyScores, limits: EdgeLimits, options: Options) -> Structure:
    restarts = RESTARTS if options.restarts is None else options.restarts
    climbed = hill_climb(scores, limits, restarts, options.seed)
    return Structure(climbed.parents, scores, climbed.moves, climbed.restarts)


def _k2(scores: FamilyScores, limits: EdgeLimits, options: Options) -> Structure:
    index_of = numbers_of(scores.columns)
    climbed = k2(scores, limits, [index_of[name] for name in options.order or ()])
    return Structure(climbed.parents, scores, climbed.moves)


def _exact(scores: FamilyScores, limits: EdgeLimits, options: Options) -> Structure:
    return Structure(exact(scores.columns, scores.rule, limits).parents, scores)


def _chow_liu(scores: FamilyScores, limits: EdgeLimits, options: Options) -> Structure:
    edges = chow_liu(scores.columns).edges
    return Structure(_matrix(edges, scores.columns), scores)


def _pc(scores: FamilyScores, limits: EdgeLimits, options: Options) -> Structure:
    variables = scores.columns.variables
    required, forbidden = (
        [(variables[parent], variables[child]) for child, parent in np.argwhere(which).tolist()]
        for which in (limits.fixed, ~limits.addable & ~np.eye(len(variables), dtype=bool))
    )
    test = "g-squared" if options.test is None else options.test
    significance = 0.05 if options.significance is None else options.significance
    graph = pc(scores.columns, test, significance, required, forbidden)
    extension = extended(graph, required, forbidden)
    parents = _matrix(extension.edges, scores.columns)
    return Structure(parents, scores, undirected=graph.undirected, message=extension.message)


_SEARCHES: dict[str, Callable[[FamilyScores, EdgeLimits, Options], Structure]] = {
    "hill-climb": _hill_climb,
    "k2": _k2,
    "exact": _exact,
    "chow-liu": _chow_liu,
    "pc": _pc,
}


def _matrix(edges: Sequence[Edge], columns: CodedColumns) -> Array:
    index_of = numbers_of(columns)
    parents = np.zeros((len(index_of), len(index_of)), bool)
    for parent, child in edges:
        parents[index_of[child], index_of[parent]] = True
    return parents
