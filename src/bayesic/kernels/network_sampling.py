"""Random states of the variables of a belief network, and sums over them.

`_compiled_network_sampling.py` holds the same functions in Numba. Variables are numbered so that
parents come before children.
"""

from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array

__all__ = ["add_weights", "draw_rows", "sweep_chains"]


class FamilyTables(NamedTuple):
    """A network as flat arrays: each variable with its parents and its table.

    The table of variable v has its cells from `first_cell[v]` on, the states of v next to each
    other. Its parents are `parents[first_parent[v] : first_parent[v + 1]]`; one state further of a
    parent is `parent_step` cells further.
    """

    sizes: Array  # int64 (n_variables,)  states of each
    first_cell: Array  # int64 (n_variables + 1,)
    first_parent: Array  # int64 (n_variables + 1,)
    parents: Array  # int64 (n_edges,)
    parent_step: Array  # int64 (n_edges,)
    first_child: Array  # int64 (n_variables + 1,)
    children: Array  # int64 (n_edges,)
    child_step: Array  # int64 (n_edges,)  cells for one state of the parent in the child's table
    cumulative: Array  # float64 (n_cells,)  sums along the states, 1 from the last possible state
    log_table: Array  # float64 (n_cells,)


class SamplingEvidence(NamedTuple):
    """Evidence: states that were observed, and log likelihoods of states that were not."""

    states: Array  # int64 (n_variables,)  the observed state, -1 for none
    first_soft: Array  # int64 (n_variables,)  where its likelihoods begin, -1 for none
    log_likelihood: Array  # float64


class VariableGroups(NamedTuple):
    """Variables whose joint states are counted: group g has the cells from first_cell[g] on."""

    first_cell: Array  # int64 (n_groups + 1,)
    first_member: Array  # int64 (n_groups + 1,)
    members: Array  # int64
    step: Array  # int64  cells for one state of the member


def draw_rows(
    families: FamilyTables,
    evidence: SamplingEvidence,
    uniforms: Array,
    codes: Array,
    log_weight: Array,
) -> None:
    """Draw the variables in turn, each given its parents; observed ones are held.

        x_v = the first state s with P(v <= s | parents) >= u
        log w = sum over the observed of log P(e_v | parents) + sum of log likelihoods

    uniforms   : float64 (n_rows, n_variables), in (0, 1]
    codes      : int64 (n_variables, n_rows), written
    log_weight : float64 (n_rows,), written; -inf for rows that contradict the evidence
    """
    log_weight[:] = 0.0
    for variable, size in enumerate(families.sizes.tolist()):
        cells = _first_cells(families, variable, codes)
        observed = evidence.states[variable]
        if observed >= 0:
            codes[variable] = observed
            log_weight += families.log_table[cells + observed]
        else:
            table = families.cumulative[cells[:, None] + np.arange(size)]
            codes[variable] = (table < uniforms[:, variable, None]).sum(axis=1)
        soft = evidence.first_soft[variable]
        if soft >= 0:
            log_weight += evidence.log_likelihood[soft + codes[variable]]


def _first_cells(families: FamilyTables, variable: int, codes: Array) -> Array:
    """Where the states of the variable begin in its table, in each row."""
    cells = np.full(codes.shape[1], families.first_cell[variable])
    for edge in range(families.first_parent[variable], families.first_parent[variable + 1]):
        cells += families.parent_step[edge] * codes[families.parents[edge]]
    return cells


def sweep_chains(
    families: FamilyTables,
    evidence: SamplingEvidence,
    free: Array,
    uniforms: Array,
    states: Array,
    visited: Array,
) -> None:
    """Gibbs sampling: draw each free variable in turn, given all others, again and again.

        P(x_v | others) ~ P(x_v | parents) product over children c of P(x_c | parents of c)

    free     : int64 (n_free,), the variables to draw
    uniforms : float64 (n_sweeps, n_free, n_chains), in (0, 1]
    states   : int64 (n_variables, n_chains), where the chains are, changed in place. They must be
               possible there; then they stay so.
    visited  : int64 (n_chains, n_variables, n_sweeps), written: the states after each sweep
    """
    for sweep, draws in enumerate(uniforms):
        for variable, draw in zip(free.tolist(), draws, strict=True):
            scores = _blanket_scores(families, evidence, variable, states)
            shares = np.exp(scores - scores.max(axis=0))
            cumulative = shares.cumsum(axis=0)
            states[variable] = (cumulative < draw * cumulative[-1]).sum(axis=0)
        visited[:, :, sweep] = states.T


def _blanket_scores(
    families: FamilyTables, evidence: SamplingEvidence, variable: int, states: Array
) -> Array:
    """log P(x_v | parents) + sum of log P(children | ...), + a constant: (size, n_chains)."""
    choices = np.arange(families.sizes[variable])[:, None]
    scores = families.log_table[_first_cells(families, variable, states) + choices]
    for edge in range(families.first_child[variable], families.first_child[variable + 1]):
        child, step = families.children[edge], families.child_step[edge]
        cells = _first_cells(families, child, states) + states[child]
        scores += families.log_table[cells + step * (choices - states[variable])]
    soft = evidence.first_soft[variable]
    if soft >= 0:
        scores += evidence.log_likelihood[soft + choices]
    return scores


def add_weights(groups: VariableGroups, codes: Array, weights: Array, sums: Array) -> None:
    """Add the weight of every row to the cell of its states, in every group.

    codes   : int64 (n_variables, n_rows)
    weights : float64 (n_rows,)
    sums    : float64 (n_cells,), changed in place
    """
    for group in range(len(groups.first_cell) - 1):
        cells = np.zeros(codes.shape[1], np.int64)
        for member in range(groups.first_member[group], groups.first_member[group + 1]):
            cells += groups.step[member] * codes[groups.members[member]]
        first, end = groups.first_cell[group], groups.first_cell[group + 1]
        sums[first:end] += np.bincount(cells, weights, minlength=end - first)
