"""Random states: the compiled kernels draw what the plain ones draw, and these what they should."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.kernels import network_sampling as plain
from bayesic.kernels.network_sampling import FamilyTables, SamplingEvidence, VariableGroups
from helpers.examples import at_most

compiled = pytest.importorskip("bayesic.kernels._compiled_network_sampling")

both = pytest.mark.parametrize("kernels", [plain, compiled], ids=["plain", "compiled"])
seeds = st.integers(0, 2**32 - 1)


def starts(lengths):
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def random_tables(rng, n_variables, zeros):
    """Sizes, parents and tables, rows that sum to one; some variables with many states."""
    sizes = rng.choice([1, 2, 3, 12], n_variables).tolist()
    parents, tables = [], []
    for child in range(n_variables):
        parents.append(rng.permutation(child)[: rng.integers(0, 3)].tolist())
        shape = [sizes[variable] for variable in (*parents[-1], child)]
        table = rng.random(shape) * (rng.random(shape) >= zeros)
        table[..., -1] += table.sum(axis=-1) == 0
        tables.append(table / table.sum(axis=-1, keepdims=True))
    return sizes, parents, tables


def families_of(sizes, parents, tables):
    """The flat arrays, written down from their description."""
    edges = [
        (parent, child, int(np.prod(tables[child].shape[place + 1 :])))
        for child, its_parents in enumerate(parents)
        for place, parent in enumerate(its_parents)
    ]
    down = sorted(edges)
    with np.errstate(divide="ignore"):
        log_table = np.log(np.concatenate([table.ravel() for table in tables]))
    cumulative = []
    for table in tables:
        sums = table.cumsum(axis=-1)
        sums[np.isclose(sums, 1.0, atol=1e-12)] = 1.0
        cumulative.append(sums.ravel())
    return FamilyTables(
        np.array(sizes),
        starts([table.size for table in tables]),
        starts([len(its) for its in parents]),
        np.array([parent for parent, _, _ in edges], np.int64),
        np.array([step for _, _, step in edges], np.int64),
        starts(
            [sum(parent == variable for parent, _, _ in edges) for variable in range(len(sizes))]
        ),
        np.array([child for _, child, _ in down], np.int64),
        np.array([step for _, _, step in down], np.int64),
        np.concatenate(cumulative),
        log_table,
    )


def random_known(rng, sizes):
    observed = rng.random(len(sizes)) < 0.3
    held = np.where(observed, rng.integers(0, sizes), -1)
    soft = rng.random(len(sizes)) < 0.3
    first_soft = np.where(soft, starts(np.where(soft, sizes, 0))[:-1], -1)
    return SamplingEvidence(held, first_soft, np.log(rng.random(int(np.sum(sizes)) + 1)))


def random_case(seed, zeros=0.3):
    rng = np.random.default_rng(seed)
    sizes, parents, tables = random_tables(rng, int(rng.integers(1, 7)), zeros)
    return rng, (sizes, parents, tables), families_of(sizes, parents, tables)


def drawn(kernels, families, known, uniforms):
    codes = np.full(uniforms.T.shape, -9, np.int64)
    log_weight = np.full(len(uniforms), np.nan)
    kernels.draw_rows(families, known, uniforms, codes, log_weight)
    return codes, log_weight


@at_most(40)
@given(seeds)
def test_the_compiled_kernel_draws_the_same_rows_and_weights(seed):
    rng, (sizes, _, _), families = random_case(seed)
    uniforms = 1.0 - rng.random((int(rng.integers(1, 300)), len(sizes)))
    known = random_known(rng, sizes)
    ours, theirs = (drawn(kernels, families, known, uniforms) for kernels in (compiled, plain))
    np.testing.assert_array_equal(ours[0], theirs[0])
    np.testing.assert_array_equal(ours[1], theirs[1])


@both
@at_most(25)
@given(seed=seeds)
def test_a_state_is_the_quantile_of_its_row_of_the_table(kernels, seed):
    rng, (sizes, parents, tables), families = random_case(seed)
    uniforms = 1.0 - rng.random((20, len(sizes)))
    nothing = SamplingEvidence(np.full(len(sizes), -1), np.full(len(sizes), -1), np.zeros(1))
    codes, log_weight = drawn(kernels, families, nothing, uniforms)
    for row, draws in enumerate(uniforms):
        for variable, draw in enumerate(draws):
            shares = tables[variable][tuple(codes[parents[variable], row])]
            below = shares[: codes[variable, row]].sum()
            assert below - 1e-12 <= draw <= below + shares[codes[variable, row]] + 1e-12
            assert shares[codes[variable, row]] > 0
    assert not log_weight.any()


@both
@at_most(25)
@given(seed=seeds)
def test_the_weight_is_the_product_of_what_was_observed(kernels, seed):
    rng, (sizes, parents, tables), families = random_case(seed)
    known = random_known(rng, sizes)
    codes, log_weight = drawn(kernels, families, known, 1.0 - rng.random((9, len(sizes))))
    for row in range(9):
        weight = 1.0
        for variable in range(len(sizes)):
            state = codes[variable, row]
            if known.states[variable] >= 0:
                assert state == known.states[variable]
                weight *= tables[variable][(*codes[parents[variable], row], state)]
            if known.first_soft[variable] >= 0:
                weight *= np.exp(known.log_likelihood[known.first_soft[variable] + state])
        assert np.exp(log_weight[row]) == pytest.approx(weight, rel=1e-12)


@both
@pytest.mark.parametrize("size", [3, 12])
def test_impossible_states_never_come_up_not_even_at_the_ends(kernels, size):
    table = np.zeros(size)
    table[1] = 1.0
    families = families_of([size], [[]], [table])
    nothing = SamplingEvidence(np.array([-1]), np.array([-1]), np.zeros(1))
    ends = np.array([[np.nextafter(0.0, 1.0)], [0.5], [1.0]])
    assert drawn(kernels, families, nothing, ends)[0].tolist() == [[1, 1, 1]]


def swept(kernels, families, known, free, uniforms, states):
    states = states.copy()
    visited = np.full((states.shape[1], states.shape[0], len(uniforms)), -9, np.int64)
    kernels.sweep_chains(families, known, free, uniforms, states, visited)
    return states, visited


@at_most(25)
@given(seeds)
def test_the_compiled_chains_visit_the_same_states(seed):
    rng, (sizes, _, _), families = random_case(seed)
    nothing = SamplingEvidence(np.full(len(sizes), -1), np.full(len(sizes), -1), np.zeros(1))
    states = drawn(plain, families, nothing, 1.0 - rng.random((5, len(sizes))))[0]  # possible ones
    known = random_known(rng, sizes)
    free = np.flatnonzero(rng.random(len(sizes)) < 0.7)
    uniforms = 1.0 - rng.random((6, len(free), 5))
    ours, theirs = (
        swept(kernels, families, known, free, uniforms, states) for kernels in (compiled, plain)
    )
    np.testing.assert_array_equal(ours[0], theirs[0])
    np.testing.assert_array_equal(ours[1], theirs[1])
    np.testing.assert_array_equal(ours[1][:, :, -1], ours[0].T)
    kept = np.setdiff1d(np.arange(len(sizes)), free)
    np.testing.assert_array_equal(ours[0][kept], states[kept])


@both
@at_most(25)
@given(seed=seeds)
def test_a_chain_draws_the_quantile_given_all_others(kernels, seed):
    rng, (sizes, parents, tables), families = random_case(seed)
    nothing = SamplingEvidence(np.full(len(sizes), -1), np.full(len(sizes), -1), np.zeros(1))
    states = drawn(plain, families, nothing, 1.0 - rng.random((4, len(sizes))))[0]
    variable = int(rng.integers(len(sizes)))
    uniforms = 1.0 - rng.random((1, 1, 4))
    after, _ = swept(kernels, families, nothing, np.array([variable]), uniforms, states)
    for chain in range(4):
        joint = np.ones(sizes[variable])
        for state in range(sizes[variable]):
            row = states[:, chain].copy()
            row[variable] = state
            for child in range(len(sizes)):
                joint[state] *= tables[child][(*row[parents[child]], row[child])]
        shares = joint / joint.sum()
        state = after[variable, chain]
        below = shares[:state].sum()
        assert below - 1e-9 <= uniforms[0, 0, chain] <= below + shares[state] + 1e-9
        assert shares[state] > 0


@at_most(25)
@given(seeds)
def test_weights_are_added_up_in_the_cells_of_joint_states(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, 3)
    codes = rng.integers(0, sizes[:, None], (3, 11))
    weights = rng.random(11)
    groups = VariableGroups(
        starts([sizes[2], sizes[1] * sizes[0]]), starts([1, 2]), np.array([2, 1, 0]),
        np.array([1, sizes[0], 1]),
    )  # fmt: skip
    expected = np.zeros(groups.first_cell[-1])
    for (first, second, third), weight in zip(codes.T, weights, strict=True):
        expected[third] += weight
        expected[sizes[2] + second * sizes[0] + first] += weight
    for kernels in (plain, compiled):
        sums = np.zeros(len(expected))
        kernels.add_weights(groups, codes, weights, sums)
        np.testing.assert_array_equal(sums, expected)
