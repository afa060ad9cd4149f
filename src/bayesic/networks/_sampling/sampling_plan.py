"""A network, its evidence and the question as flat arrays, which the sampling kernels take."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from bayesic.data.states import State
from bayesic.kernels import Array
from bayesic.kernels.network_sampling import FamilyTables, SamplingEvidence, VariableGroups
from bayesic.networks import _directed_graph as directed_graph
from bayesic.networks.network_text import conditions_text
from bayesic.networks.queries.checked_evidence import checked_evidence
from bayesic.networks.variable_names import SHOWN, Given

if TYPE_CHECKING:
    from bayesic.networks.network import BeliefNetwork


@dataclass(frozen=True, eq=False)
class SamplingPlan:
    """What is drawn: variables numbered parents first, their tables, and the evidence."""

    variables: tuple[str, ...]
    families: FamilyTables
    evidence: SamplingEvidence
    log_largest: float  # log of the largest weight that a row can have; -inf: impossible
    given: Mapping[str, State]  # observed states, by name
    soft: tuple[str, ...]

    @property
    def n_steps(self) -> int:
        """The work for one row: the states of all variables."""
        return int(self.families.sizes.sum())

    def evidence_text(self) -> str:
        """The evidence as text for an error; only the first of it if there is much."""
        shown, soft = dict(islice(self.given.items(), SHOWN)), self.soft[:SHOWN]
        more = len(self.given) + len(self.soft) - len(shown) - len(soft)
        return conditions_text(shown, {}, soft) + (f" and {more} more" if more else "")


def sampling_plan(
    net: "BeliefNetwork",
    given: Given,
    likelihoods: Given,
    targets: Iterable[str] | None = None,
) -> SamplingPlan:
    """The plan for this evidence, which is read as for exact answers.

    With targets, variables that lead neither to a target nor to evidence are left out: their
    tables sum to one, whatever the others are.
    """
    model = net._named_model()
    evidence = checked_evidence(model, given, likelihoods)
    observed = {net.variables[number]: state for number, state in evidence.states.items()}
    soft = {net.variables[number]: values for number, values in evidence.likelihoods.items()}
    variables = tuple(net.topological_order())
    if targets is not None:
        parents = {variable: net.parents(variable) for variable in variables}
        wanted = {*targets, *observed, *soft}
        needed = {*wanted, *directed_graph.ancestors(parents, wanted)}
        variables = tuple(variable for variable in variables if variable in needed)
    tables = [_normalised(net.table(variable).values) for variable in variables]
    scopes = [(*net.parents(variable), variable) for variable in variables]
    return SamplingPlan(
        variables,
        _families(variables, scopes, tables),
        _sampling_evidence(variables, observed, soft),
        _log_largest_weight(scopes, tables, observed, soft),
        dict(evidence.named(model)),
        evidence.soft(model),
    )


def _normalised(table: Array) -> Array:
    """The table with sums of one along the last axis: tables of files are rounded."""
    return table / table.sum(axis=-1, keepdims=True)


def _families(
    variables: Sequence[str], scopes: Sequence[Sequence[str]], tables: Sequence[Array]
) -> FamilyTables:
    index_of = {variable: index for index, variable in enumerate(variables)}
    parents: list[list[int]] = [[index_of[name] for name in scope[:-1]] for scope in scopes]
    steps = [[stride // table.itemsize for stride in table.strides[:-1]] for table in tables]
    children: list[list[int]] = [[] for _ in variables]
    child_steps: list[list[int]] = [[] for _ in variables]
    for child, (its_parents, its_steps) in enumerate(zip(parents, steps, strict=True)):
        for parent, step in zip(its_parents, its_steps, strict=True):
            children[parent].append(child)
            child_steps[parent].append(step)
    with np.errstate(divide="ignore"):
        log_tables = [np.log(table).ravel() for table in tables]
    return FamilyTables(
        sizes=np.array([table.shape[-1] for table in tables], np.int64),
        first_cell=_starts([table.size for table in tables]),
        first_parent=_starts([len(its) for its in parents]),
        parents=_joined(parents),
        parent_step=_joined(steps),
        first_child=_starts([len(its) for its in children]),
        children=_joined(children),
        child_step=_joined(child_steps),
        cumulative=np.concatenate([np.empty(0), *(_cumulative(table).ravel() for table in tables)]),
        log_table=np.concatenate([np.empty(0), *log_tables]),
    )


def _cumulative(table: Array) -> Array:
    """Sums along the states, 1 from the last possible state on: rounding lets no other come up.

    >>> _cumulative(np.array([[0.0, 0.25, 0.75, 0.0]]))
    array([[0.  , 0.25, 1.  , 1.  ]])
    """
    sums = np.minimum(table.cumsum(axis=-1), 1.0)
    no_more = (table[..., ::-1].cumsum(axis=-1) == 0)[..., ::-1]  # states after the last possible
    last = np.concatenate([no_more[..., 1:], np.ones_like(no_more[..., :1])], axis=-1)
    return np.where(last, 1.0, sums)


def _starts(lengths: Sequence[int]) -> Array:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _joined(lists: Sequence[Sequence[int]]) -> Array:
    return np.array([number for numbers in lists for number in numbers], np.int64)


def _sampling_evidence(
    variables: Sequence[str], observed: Mapping[str, int], likelihoods: Mapping[str, Array]
) -> SamplingEvidence:
    soft = [likelihoods[variable] for variable in variables if variable in likelihoods]
    first_of_soft = iter(_starts([len(values) for values in soft]).tolist())
    with np.errstate(divide="ignore"):
        log_likelihood = np.log(np.concatenate([*soft, np.ones(1)]))  # never empty
    return SamplingEvidence(
        states=np.array([observed.get(variable, -1) for variable in variables], np.int64),
        first_soft=np.array(
            [next(first_of_soft) if variable in likelihoods else -1 for variable in variables],
            np.int64,
        ),
        log_likelihood=log_likelihood,
    )


def _log_largest_weight(
    scopes: Sequence[Sequence[str]],
    tables: Sequence[Array],
    observed: Mapping[str, int],
    likelihoods: Mapping[str, Array],
) -> float:
    """Sum of the largest log P(e_v | parents) that the observed parents allow, and likelihoods."""
    largest = []
    for scope, table in zip(scopes, tables, strict=True):
        variable = scope[-1]
        if variable in observed:
            largest.append(table[tuple(observed.get(name, slice(None)) for name in scope)].max())
        if variable in likelihoods:
            largest.append(likelihoods[variable][observed.get(variable, slice(None))].max())
    with np.errstate(divide="ignore"):
        return float(np.log(np.array(largest)).sum())


def groups_of(
    plan: SamplingPlan, groups: Sequence[Sequence[str]]
) -> tuple[VariableGroups, list[tuple[int, ...]]]:
    """The groups of variables that are counted together, and the shape of each."""
    index_of = {variable: axis for axis, variable in enumerate(plan.variables)}
    members = [[index_of[variable] for variable in group] for group in groups]
    shapes = [tuple(plan.families.sizes[its].tolist()) for its in members]
    steps = [[prod(shape[axis + 1 :]) for axis in range(len(shape))] for shape in shapes]
    return (
        VariableGroups(
            first_cell=_starts([prod(shape) for shape in shapes]),
            first_member=_starts([len(its) for its in members]),
            members=_joined(members),
            step=_joined(steps),
        ),
        shapes,
    )
