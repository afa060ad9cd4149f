"""Factors: tables of non-negative numbers whose product is a distribution, up to a constant."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from bayesic.kernels import Array


@dataclass(frozen=True, eq=False)
class Factors:
    """A model of variables 0 to n - 1, each with states 0 to its cardinality - 1.

        p(x) = 1/Z * product over factors f of table_f[x restricted to scope_f]

    A belief network has one factor for each variable: its parents, then the variable itself; then
    Z = 1. A Markov network has any factors. A variable that is in no scope is uniform.

    >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
    >>> rain_and_wet.n_variables
    2
    """

    cardinalities: tuple[int, ...]
    scopes: tuple[tuple[int, ...], ...]
    tables: tuple[Array, ...]

    def __post_init__(self) -> None:
        cardinalities = tuple(int(size) for size in self.cardinalities)
        if any(size < 1 for size in cardinalities):
            raise ValueError(f"every variable needs a state or more, got {cardinalities}.")
        scopes = tuple(tuple(int(variable) for variable in scope) for scope in self.scopes)
        if len(scopes) != len(self.tables):
            raise ValueError(
                f"every scope needs one table, got {len(scopes)} scopes and "
                f"{len(self.tables)} tables."
            )
        tables = tuple(
            _checked_table(number, scope, table, cardinalities)
            for number, (scope, table) in enumerate(zip(scopes, self.tables, strict=True))
        )
        object.__setattr__(self, "cardinalities", cardinalities)
        object.__setattr__(self, "scopes", scopes)
        object.__setattr__(self, "tables", tables)

    @property
    def n_variables(self) -> int:
        """How many variables there are."""
        return len(self.cardinalities)

    @cached_property
    def without_zeros(self) -> tuple[bool, ...]:
        """Of each factor, whether all its numbers are above 0."""
        return tuple(bool(table.min() > 0) for table in self.tables)

    @cached_property
    def neighbours(self) -> Array:
        """Pairs of variables that a factor holds both, as two rows, each pair once.

        >>> Factors((1, 1, 1), ((0, 1), (1, 2, 0)), ([[1.0]], [[[1.0]]])).neighbours
        array([[0, 0, 1], [1, 2, 2]])
        """
        pairs = {pair for scope in self.scopes for pair in combinations(sorted(scope), 2)}
        return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T


def _checked_table(
    number: int, scope: tuple[int, ...], table: Array, cardinalities: tuple[int, ...]
) -> Array:
    if len(set(scope)) < len(scope) or not all(0 <= v < len(cardinalities) for v in scope):
        raise ValueError(
            f"a scope names variables from 0 to {len(cardinalities) - 1}, each once; "
            f"the scope of factor {number} is {scope}."
        )
    values = np.array(table, dtype=np.float64)
    shape = tuple(cardinalities[variable] for variable in scope)
    if values.shape != shape:
        raise ValueError(
            f"the table of factor {number} must have the shape of its scope, {shape}, "
            f"got {values.shape}."
        )
    if not (values.min() >= 0 and values.max() < np.inf):
        raise ValueError(f"the table of factor {number} must hold finite numbers of 0 or more.")
    values.flags.writeable = False
    return values


def conditioned(factors: Factors, observed: Mapping[int, int]) -> Factors:
    """The same model with these variables observed: each keeps its observed state alone.

    Its tree can be far narrower than the tree of all, and serves this evidence only. The held
    variables are in no scope and have one state, 0, so their evidence is -1 or 0 there.

    >>> rain_and_wet = Factors((2, 2), ((0,), (0, 1)), ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]]))
    >>> rain_given_wet = conditioned(rain_and_wet, {1: 1})
    >>> rain_given_wet.cardinalities
    (2, 1)
    >>> rain_given_wet.scopes[1], rain_given_wet.tables[1]
    ((0,), array([0.1, 0.8]))
    """
    for variable, state in observed.items():
        if not (0 <= variable < factors.n_variables):
            raise ValueError(
                f"variables go from 0 to {factors.n_variables - 1}, got evidence for {variable}."
            )
        if not 0 <= state < factors.cardinalities[variable]:
            raise ValueError(
                f"the states of variable {variable} go from 0 to "
                f"{factors.cardinalities[variable] - 1}, got {state}."
            )
    return Factors(
        tuple(1 if v in observed else size for v, size in enumerate(factors.cardinalities)),
        tuple(tuple(v for v in scope if v not in observed) for scope in factors.scopes),
        tuple(
            table[tuple(observed.get(variable, slice(None)) for variable in scope)]
            for scope, table in zip(factors.scopes, factors.tables, strict=True)
        ),
    )
