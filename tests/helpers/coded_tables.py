"""Small tables of codes, and all structures of a few variables."""

from itertools import product

import numpy as np
from hypothesis import strategies as st

from bayesic.networks._structure.coded_columns import CodedColumns

NAMES = ("Bus", "Campfire", "Lightning", "Storm", "Thunder", "天气")


@st.composite
def coded_tables(draw, max_variables=4, max_rows=25, max_states=3, min_variables=1):
    """Columns of codes, in which every state occurs at least once, perhaps with weights."""
    n_variables = draw(st.integers(min_variables, max_variables))
    sizes = [draw(st.integers(1, max_states)) for _ in range(n_variables)]
    n_rows = draw(st.integers(max(sizes), max_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    codes = rng.integers(np.array(sizes)[:, None], size=(n_variables, n_rows))
    for column, size in zip(codes, sizes, strict=True):
        column[rng.permutation(n_rows)[:size]] = np.arange(size)
    weights = rng.integers(1, 5, size=n_rows) if draw(st.booleans()) else None
    states = tuple(tuple(f"s{number}" for number in range(size)) for size in sizes)
    return CodedColumns(NAMES[:n_variables], states, codes.astype(np.uint8), weights)


def all_structures(n_variables):
    """Every graph without a cycle: int64 (n_graphs, n_variables), the parents of each as bits."""
    sets = [
        [members for members in range(2**n_variables) if not members >> child & 1]
        for child in range(n_variables)
    ]
    parents = np.array(list(product(*sets)), dtype=np.int64).reshape(-1, n_variables)
    left = np.full(len(parents), 2**n_variables - 1)
    for _ in range(n_variables):
        for child in range(n_variables):
            left &= ~((parents[:, child] & left == 0).astype(np.int64) << child)
    return parents[left == 0]


def matrix_of(parents):
    """Parents as bits -> bool (n, n), [child, parent]."""
    n_variables = len(parents)
    return np.array(
        [[bool(its >> parent & 1) for parent in range(n_variables)] for its in parents]
    ).reshape(n_variables, n_variables)


def sampled_rows(network, n_rows, seed):
    """Rows of a network as a dict of columns, drawn here and not by the library."""
    rng = np.random.default_rng(seed)
    codes = {}
    for name in network.topological_order():
        table = network.table(name)
        shares = table.values[tuple(codes[parent] for parent in table.parents)]
        limits = np.cumsum(np.broadcast_to(shares, (n_rows, shares.shape[-1])), axis=1)
        codes[name] = (rng.random((n_rows, 1)) > limits[:, :-1]).sum(axis=1)
    return {
        name: np.array(network.states(name), dtype=object)[codes[name]]
        for name in network.variables
    }
