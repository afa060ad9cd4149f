"""The part of a model that matters for one question: the rest is left out before computing."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array
from bayesic.networks._engine.exact_inference import ScaledEvidence
from bayesic.networks._engine.tree import (
    JunctionTree,
    TreeTooWideError,
    compile_tree,
    good_elimination,
)
from bayesic.networks._engine.triangulation import (
    MOST_CELLS,
    Elimination,
    restricted,
)
from bayesic.networks.factors import Factors
from bayesic.networks.queries._model import NamedModel, named
from bayesic.networks.queries.checked_evidence import CheckedEvidence


@dataclass(frozen=True, eq=False)
class Part:
    """A smaller model with the same answer to one question."""

    model: NamedModel  # the whole
    variables: tuple[int, ...]  # of this part, by their numbers in the whole
    factors: Factors
    targets: tuple[int, ...]  # by their numbers in here
    evidence: CheckedEvidence  # about its own variables
    owners: tuple[int, ...]  # the factors of the whole model that are in here

    def tree(self, together: bool = False) -> JunctionTree:
        """The junction tree of this part, which is never wider than that of the whole model.

        together : whether one clique must hold all targets
        """
        if together and len(self.targets) > 1:
            return self._joint_tree()
        return self._compiled(self.eliminations())

    def eliminations(self) -> list[Elimination]:
        """Orders in which to sum out, to take the best of."""
        whole = self.model.factors
        if (self.factors.cardinalities, self.factors.scopes) == (whole.cardinalities, whole.scopes):
            return [self.model.elimination]
        left = self._left_of(self.model.elimination)
        return [left] if self._is_hopeless() else [good_elimination(self.factors), left]

    def _is_hopeless(self) -> bool:
        """Whether no order can be expected to make this part narrow enough.

        An order for the part is one for the whole model too, with the variables that are not in the
        part in every clique. The search for the whole would have missed one that is as much better.
        """
        whole = self.model.factors.cardinalities
        there = {*self.variables}
        others = prod(size for variable, size in enumerate(whole) if variable not in there)
        return self.model.largest_table // others > MOST_CELLS

    def _joint_tree(self) -> JunctionTree:
        reached = good_elimination(self.factors, self.targets)
        try:
            return self._compiled([reached])
        except TreeTooWideError:  # only now: the order for all variables takes its time
            targets = [self.variables[target] for target in self.targets]
            of_whole = self._left_of(good_elimination(self.model.factors, targets))
            return self._compiled([reached, of_whole])

    def _left_of(self, elimination: Elimination) -> Elimination:
        """What is left of an elimination of the whole model."""
        return restricted(elimination, {v: index for index, v in enumerate(self.variables)})

    def _compiled(self, eliminations: Sequence[Elimination]) -> JunctionTree:
        try:
            return compile_tree(self.factors, eliminations=eliminations)
        except TreeTooWideError as error:
            names = [self.model.variables[variable] for variable in self.variables]
            raise named(error, names, self.model.directed) from None

    def row(self) -> ScaledEvidence:
        """What is left to observe, as one row of evidence for the engine."""
        return self.evidence.row(self.factors.n_variables)


def relevant_part(
    model: NamedModel,
    targets: Sequence[int],
    evidence: CheckedEvidence,
    among: Collection[int] | None = None,
) -> Part:
    """The model without what cannot change the posterior of the targets or make it impossible.

    1. A variable without descendants among targets and evidence is barren: it sums to 1.
    2. Observed variables are fixed at their states, which cuts the model into parts.
    3. A part without a target multiplies all by one number (d-separation). It is left out if no
       entry of its tables is 0, for then the number is not 0 and the evidence possible.

    among : the factors to choose from, where the sum of their product is asked for; then all that
            are not barren are kept, and nothing is left out by 3

    [KF] sections 9.5 and 3.3; keeping parts with zeros is ours.
    """
    kept = _ancestors(model, {*targets, *evidence.states, *evidence.likelihoods})
    observed = {v: state for v, state in evidence.states.items() if v not in targets}
    factors = list(_reduced_factors(model, kept, observed, evidence, among))
    variables = {*targets}
    if among is None:
        factors = list(_those_that_matter(factors, targets))
    elif not model.directed:  # a variable without factors counts once for each of its states
        variables |= kept - observed.keys()
    model.check_tables(factor.owner for factor in factors)
    return _numbered(model, factors, variables, targets, evidence)


class _ReducedFactor(NamedTuple):
    """A factor in which the observed variables are set to their states."""

    owner: int  # its number in the model; -1 for likelihoods
    scope: tuple[int, ...]
    table: Array


def _reduced_factors(
    model: NamedModel,
    kept: Collection[int],
    observed: Mapping[int, int],
    evidence: CheckedEvidence,
    among: Collection[int] | None,
) -> Iterator[_ReducedFactor]:
    for number, scope in enumerate(model.factors.scopes):
        if (model.directed and number not in kept) or (among is not None and number not in among):
            continue
        free = tuple(variable for variable in scope if variable not in observed)
        if among is None and number in model.without_table and not free:
            continue  # some number above 0, whichever it is
        index = tuple(observed.get(variable, slice(None)) for variable in scope)
        yield _ReducedFactor(number, free, model.factors.tables[number][index])
    for variable, values in evidence.likelihoods.items():
        if variable in observed:
            yield _ReducedFactor(-1, (), values[observed[variable]])
        else:
            yield _ReducedFactor(-1, (variable,), values)


def _ancestors(model: NamedModel, variables: Collection[int]) -> set[int]:
    """These variables and all before them; in a model without directions: all variables."""
    if not model.directed:
        return set(range(len(model.states)))
    reached = set(variables)
    to_visit = list(reached)
    while to_visit:
        for parent in model.factors.scopes[to_visit.pop()][:-1]:
            if parent not in reached:
                reached.add(parent)
                to_visit.append(parent)
    return reached


def _those_that_matter(
    factors: Sequence[_ReducedFactor], targets: Sequence[int]
) -> Iterator[_ReducedFactor]:
    """Factors in a part with a target, or in one that may be 0."""
    part_of = _parts([factor.scope for factor in factors])
    with_target = {part_of[variable] for variable in targets if variable in part_of}
    parts = [part_of[factor.scope[0]] if factor.scope else None for factor in factors]
    with_zero = {
        part
        for part, factor in zip(parts, factors, strict=True)
        if np.any(np.equal(factor.table, 0))
    }
    for part, factor in zip(parts, factors, strict=True):
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


def _numbered(
    model: NamedModel,
    factors: Sequence[_ReducedFactor],
    variables: Collection[int],
    targets: Sequence[int],
    evidence: CheckedEvidence,
) -> Part:
    numbered = sorted({*variables, *(v for factor in factors for v in factor.scope)})
    index_of = {variable: index for index, variable in enumerate(numbered)}
    made = Factors(
        tuple(model.factors.cardinalities[variable] for variable in numbered),
        tuple(tuple(index_of[variable] for variable in factor.scope) for factor in factors),
        tuple(factor.table for factor in factors),
    )
    observed = {index_of[v]: evidence.states[v] for v in targets if v in evidence.states}
    targets_of_part = tuple(index_of[variable] for variable in targets)
    owners = tuple(factor.owner for factor in factors if factor.owner >= 0)
    return Part(model, tuple(numbered), made, targets_of_part, CheckedEvidence(observed), owners)
