# mypy: disallow-untyped-defs=False
"""Random states of networks in Numba: the same functions as `network_sampling.py`."""

import numpy as np

from bayesic.kernels._jit import inlined, inner, jit

__all__ = ["add_weights", "draw_rows", "sweep_chains"]

# rows at once, so that their uniforms, cells and codes stay near the processor
TILE = 128
# up to this many states they are compared one by one, above by halving
FEW_STATES = 8


@jit()
def draw_rows(families, evidence, uniforms, codes, log_weight):
    n_rows, n_variables = uniforms.shape
    cells = np.empty(TILE, np.int64)
    log_weight[:] = 0.0
    for start in range(0, n_rows, TILE):
        n_tile = min(TILE, n_rows - start)
        tile = log_weight[start : start + n_tile]
        for variable in range(n_variables):
            drawn = codes[variable, start : start + n_tile]
            _fill_first_cells(families, variable, codes[:, start : start + n_tile], cells)
            observed = evidence.states[variable]
            if observed >= 0:
                for row in range(n_tile):
                    drawn[row] = observed
                    tile[row] += families.log_table[cells[row] + observed]
            else:
                size = families.sizes[variable]
                draws = uniforms[start : start + n_tile, variable]
                _draw(families.cumulative, size, cells, draws, drawn)
            soft = evidence.first_soft[variable]
            if soft >= 0:
                for row in range(n_tile):
                    tile[row] += evidence.log_likelihood[soft + drawn[row]]


@inner
def _fill_first_cells(families, variable, codes, cells):
    n_rows = codes.shape[1]
    cells[:n_rows] = families.first_cell[variable]
    for edge in range(families.first_parent[variable], families.first_parent[variable + 1]):
        step, parent = families.parent_step[edge], codes[families.parents[edge]]
        for row in range(n_rows):
            cells[row] += step * parent[row]


@inner
def _draw(cumulative, size, cells, draws, drawn):
    if size <= FEW_STATES:
        for row in range(len(draws)):
            state = 0
            for index in range(cells[row], cells[row] + size - 1):
                state += cumulative[index] < draws[row]
            drawn[row] = state
        return
    for row in range(len(draws)):
        first, last = cells[row], cells[row] + size - 1
        while first < last:
            middle = (first + last) // 2
            if cumulative[middle] < draws[row]:
                first = middle + 1
            else:
                last = middle
        drawn[row] = first - cells[row]


@jit()
def sweep_chains(families, evidence, free, uniforms, states, visited):
    n_variables, n_chains = states.shape
    n_sweeps, n_free = uniforms.shape[:2]
    most_states = 1
    for size in families.sizes:
        most_states = max(most_states, size)
    scores = np.empty(most_states)
    own = np.empty(n_variables, np.int64)
    for chain in range(n_chains):
        for variable in range(n_variables):
            own[variable] = states[variable, chain]
        for sweep in range(n_sweeps):
            for index in range(n_free):
                draw = uniforms[sweep, index, chain]
                own[free[index]] = _draw_one(families, evidence, free[index], own, draw, scores)
            for variable in range(n_variables):
                visited[chain, variable, sweep] = own[variable]
        for variable in range(n_variables):
            states[variable, chain] = own[variable]


@inlined
def _draw_one(families, evidence, variable, own, draw, scores):
    size = families.sizes[variable]
    _fill_blanket_scores(families, evidence, variable, own, scores)
    largest = scores[0]
    for state in range(1, size):
        largest = max(largest, scores[state])
    total = 0.0
    for state in range(size):
        total += np.exp(scores[state] - largest)
        scores[state] = total
    state = 0
    while scores[state] < draw * total:
        state += 1
    return state


@inlined
def _fill_blanket_scores(families, evidence, variable, own, scores):
    size = families.sizes[variable]
    cell = _first_cell(families, variable, own)
    for state in range(size):
        scores[state] = families.log_table[cell + state]
    for edge in range(families.first_child[variable], families.first_child[variable + 1]):
        child, step = families.children[edge], families.child_step[edge]
        cell = _first_cell(families, child, own) + own[child] - step * own[variable]
        for state in range(size):
            scores[state] += families.log_table[cell + step * state]
    soft = evidence.first_soft[variable]
    if soft >= 0:
        for state in range(size):
            scores[state] += evidence.log_likelihood[soft + state]


@inlined
def _first_cell(families, variable, own):
    cell = families.first_cell[variable]
    for edge in range(families.first_parent[variable], families.first_parent[variable + 1]):
        cell += families.parent_step[edge] * own[families.parents[edge]]
    return cell


@jit()
def add_weights(groups, codes, weights, sums):
    for group in range(len(groups.first_cell) - 1):
        first = groups.first_cell[group]
        from_place, to_place = groups.first_member[group], groups.first_member[group + 1]
        for row in range(codes.shape[1]):
            cell = first
            for index in range(from_place, to_place):
                cell += groups.step[index] * codes[groups.members[index], row]
            sums[cell] += weights[row]
