"""The part of a model that matters for one question: the rest is left out before computing."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bayesic.networks.engine.factors import Factors
from bayesic.networks.queries.evidence import Known
from bayesic.networks.queries.model import NamedModel

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Part:
    """A smaller model with the same answer to one question."""

    factors: Factors
    targets: tuple[int, ...]  # by their numbers in here
    known: Known  # what is left to observe


def relevant_part(model: NamedModel, targets: Sequence[int], known: Known) -> Part:
    """The model without what cannot change the posterior of the targets or make it impossible.

    1. A variable without descendants among targets and evidence is barren: it sums to 1.
    2. Observed variables are held at their states, which cuts the model into parts.
    3. A part without a target multiplies all by one number (d-separation). It is left out if no
       entry of its tables is 0, for then the number is not 0 and the evidence possible.

    [KF] sections 9.5 and 3.3; keeping parts with zeros is ours.
    """
    kept = _ancestors(model, {*targets, *known.states, *known.likelihoods})
    held = {v: state for v, state in known.states.items() if v not in targets}
    scopes, tables, owners = [], [], []
    for number, scope in enumerate(model.factors.scopes):
        if model.directed and number not in kept:
            continue
        free = tuple(variable for variable in scope if variable not in held)
        if number in model.without_table and not free:
            continue  # some number above 0, whichever it is
        place = tuple(held.get(variable, slice(None)) for variable in scope)
        scopes.append(free)
        tables.append(model.factors.tables[number][place])
        owners.append(number)
    for variable, values in known.likelihoods.items():
        scopes.append(() if variable in held else (variable,))
        tables.append(values[held[variable]] if variable in held else values)
    chosen = list(_factors_that_matter(scopes, tables, targets))
    model.check_tables(owners[factor] for factor in chosen if factor < len(owners))
    return _renumbered(
        model, [scopes[f] for f in chosen], [tables[f] for f in chosen], targets, known
    )


def _ancestors(model: NamedModel, variables: Collection[int]) -> set[int]:
    """These variables and all before them; in a model without directions: all variables."""
    if not model.directed:
        return set(range(len(model.states)))
    found = set(variables)
    to_visit = list(found)
    while to_visit:
        for parent in model.factors.scopes[to_visit.pop()][:-1]:
            if parent not in found:
                found.add(parent)
                to_visit.append(parent)
    return found


def _factors_that_matter(
    scopes: Sequence[tuple[int, ...]], tables: Sequence[Array], targets: Sequence[int]
) -> Iterator[int]:
    """Factors in a part with a target, or in one that may be 0."""
    part_of = _parts(scopes)
    with_target = {part_of[variable] for variable in targets if variable in part_of}
    parts = [part_of[scope[0]] if scope else None for scope in scopes]
    with_zero = {
        part for part, table in zip(parts, tables, strict=True) if np.any(np.equal(table, 0))
    }
    for factor, part in enumerate(parts):
        if part in with_target or part in with_zero:
            yield factor


def _parts(scopes: Sequence[tuple[int, ...]]) -> dict[int, int]:
    """For each variable one member of its part: variables that share a scope are in one part."""
    part_of: dict[int, int] = {}

    def root(variable: int) -> int:
        while (above := part_of.setdefault(variable, variable)) != variable:
            part_of[variable] = part_of[above]  # shorter the next time
            variable = above
        return variable

    for scope in scopes:
        for variable in scope:
            part_of[root(variable)] = root(scope[0])
    return {variable: root(variable) for variable in list(part_of)}


def _renumbered(
    model: NamedModel,
    scopes: Sequence[tuple[int, ...]],
    tables: Sequence[Array],
    targets: Sequence[int],
    known: Known,
) -> Part:
    variables = dict.fromkeys([*targets, *(variable for scope in scopes for variable in scope)])
    number = {variable: place for place, variable in enumerate(sorted(variables))}
    factors = Factors(
        tuple(model.factors.cardinalities[variable] for variable in sorted(variables)),
        tuple(tuple(number[variable] for variable in scope) for scope in scopes),
        tuple(tables),
    )
    observed = {number[v]: known.states[v] for v in targets if v in known.states}
    return Part(factors, tuple(number[variable] for variable in targets), Known(observed))
