"""Every answer of the engine against the whole joint table of small random models."""

from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesic.networks.engine.factors import Factors, conditioned
from bayesic.networks.engine.inference import (
    joint_posterior,
    log_partition,
    most_probable,
    posteriors,
)
from bayesic.networks.engine.tree import compile_tree
from support import environment

both = pytest.mark.parametrize("kernels", ["reference", "compiled"])
some = settings(max_examples=60, deadline=None)


@st.composite
def models(draw, max_variables=8, entries=None):
    """Random factors or a random network; zeros, single states, separate parts."""
    n_variables = draw(st.integers(1, max_variables))
    sizes = [draw(st.integers(1, 4 if n_variables < 6 else 3)) for _ in range(n_variables)]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    zeros = draw(st.sampled_from([0.0, 0.2, 0.5]))
    network = draw(st.booleans())
    scopes, tables = [], []
    for child in range(n_variables) if network else range(draw(st.integers(0, n_variables + 2))):
        n_others = min(int(rng.integers(0, 4)), child if network else n_variables)
        others = rng.permutation(child if network else n_variables)[:n_others]
        scope = (*map(int, others), child) if network else tuple(map(int, others))
        shape = [sizes[variable] for variable in scope]
        table = rng.random(shape) * (rng.random(shape) >= zeros)
        if network:
            table = table + 1e-3 * (table.sum(axis=-1, keepdims=True) == 0)
            table = table / table.sum(axis=-1, keepdims=True)
        elif entries is not None:
            table = table * 10.0 ** rng.integers(*entries, shape)
        scopes.append(scope)
        tables.append(table)
    return Factors(tuple(sizes), tuple(scopes), tuple(tables)), rng


def joint_table(factors):
    """The product of all factors over all states: the oracle."""
    n_variables = factors.n_variables
    joint = np.ones(factors.cardinalities)
    for scope, table in zip(factors.scopes, factors.tables, strict=True):
        order = np.argsort(scope)
        shape = [size if v in scope else 1 for v, size in enumerate(factors.cardinalities)]
        joint = joint * table.transpose(order).reshape(shape)
    assert joint.ndim == n_variables
    return joint


def agreeing(joint, row):
    """The joint table with 0 where it does not agree with the evidence."""
    out = np.zeros_like(joint)
    cells = tuple(slice(None) if state < 0 else slice(state, state + 1) for state in row)
    out[cells] = joint[cells]
    return out


def marginal(joint, variables):
    rest = tuple(axis for axis in range(joint.ndim) if axis not in variables)
    total = joint.sum(axis=rest)
    return total.transpose(np.argsort(np.argsort(variables)))


def random_evidence(rng, factors, n_rows):
    sizes = np.array(factors.cardinalities)
    states = (rng.random((n_rows, len(sizes))) * sizes).astype(int)
    return np.where(rng.random(states.shape) < rng.random((n_rows, 1)), states, -1)


def normalised(table):
    total = table.sum()
    return table / total if total > 0 else np.zeros_like(table)


def close(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@both
@given(model=models(), soft=st.booleans(), per_row=st.booleans())
@some
def test_posteriors_are_those_of_the_joint_table(kernels, model, soft, per_row):
    factors, rng = model
    joint = joint_table(factors)
    evidence = random_evidence(rng, factors, n_rows=6)
    likelihoods = {}
    for variable in rng.permutation(factors.n_variables)[:2] if soft else ():
        shape = (6 if per_row else 1, factors.cardinalities[variable])
        likelihoods[int(variable)] = rng.random(shape) * 3 * (rng.random(shape) > 0.2)
    with environment(BAYESIC_KERNELS=kernels):
        found, log_evidence = posteriors(compile_tree(factors), evidence, None, likelihoods)
    for row, states in enumerate(evidence):
        left = agreeing(joint, states)
        for variable, values in likelihoods.items():
            shape = [-1 if axis == variable else 1 for axis in range(joint.ndim)]
            left = left * values[row % len(values)].reshape(shape)
        with np.errstate(divide="ignore"):
            close(log_evidence[row], np.log(left.sum()))
        for variable, answer in enumerate(found):
            close(answer[row], normalised(marginal(left, [variable])))


@both
@given(model=models())
@some
def test_joint_posteriors_are_those_of_the_joint_table(kernels, model):
    factors, rng = model
    joint = joint_table(factors)
    evidence = random_evidence(rng, factors, n_rows=3)
    n_asked = int(rng.integers(0, min(4, factors.n_variables) + 1))
    asked = [int(v) for v in rng.permutation(factors.n_variables)[:n_asked]]
    with environment(BAYESIC_KERNELS=kernels):
        found, _ = joint_posterior(compile_tree(factors), evidence, asked)
    for row, states in enumerate(evidence):
        close(found[row], normalised(marginal(agreeing(joint, states), asked)))


@both
@given(model=models())
@some
def test_one_target_is_answered_like_all_targets(kernels, model):
    factors, rng = model
    evidence = random_evidence(rng, factors, n_rows=4)
    tree = compile_tree(factors)
    with environment(BAYESIC_KERNELS=kernels):
        everything, log_evidence = posteriors(tree, evidence)
        for variable, expected in enumerate(everything):
            (alone,), log_alone = posteriors(tree, evidence, [variable])
            close(alone, expected)
            close(log_alone, log_evidence)


@both
@given(model=models())
@some
def test_most_probable_states_reach_the_largest_cell(kernels, model):
    factors, rng = model
    joint = joint_table(factors)
    evidence = random_evidence(rng, factors, n_rows=4)
    with environment(BAYESIC_KERNELS=kernels):
        states, log_largest = most_probable(compile_tree(factors), evidence)
    for row, observed in enumerate(evidence):
        left = agreeing(joint, observed)
        with np.errstate(divide="ignore"):
            close(log_largest[row], np.log(left.max()))
        assert np.all((observed == -1) | (observed == states[row]))
        if left.max() > 0:
            close(left[tuple(states[row])], left.max())


@both
@given(model=models(entries=(-300, 1)))
@some
def test_numbers_far_below_the_range_of_floats_are_not_lost(kernels, model):
    factors, rng = model
    evidence = random_evidence(rng, factors, n_rows=4)
    with np.errstate(divide="ignore"):
        logs = Factors(
            factors.cardinalities, factors.scopes, tuple(np.ones_like(t) for t in factors.tables)
        )
        log_joint = np.zeros(factors.cardinalities)
        for scope, table in zip(factors.scopes, factors.tables, strict=True):
            one = Factors(logs.cardinalities, (scope,), (table,))
            log_joint = log_joint + np.log(joint_table(one))
    with environment(BAYESIC_KERNELS=kernels):
        found, log_evidence = posteriors(compile_tree(factors), evidence)
    for row, states in enumerate(evidence):
        inside = agreeing(np.ones_like(log_joint), states) > 0
        left = np.where(inside, log_joint, -np.inf)
        if left.max() == -np.inf:
            assert log_evidence[row] == -np.inf
            continue
        shares = np.exp(left - left.max())
        close(log_evidence[row], np.log(shares.sum()) + left.max())
        for variable, answer in enumerate(found):
            close(answer[row], normalised(marginal(shares, [variable])))


@both
@given(model=models())
@some
def test_log_partition_is_the_log_of_the_sum(kernels, model):
    factors, _ = model
    with environment(BAYESIC_KERNELS=kernels), np.errstate(divide="ignore"):
        close(log_partition(compile_tree(factors)), np.log(joint_table(factors).sum()))


@given(model=models())
@some
def test_holding_variables_first_changes_no_answer(model):
    factors, rng = model
    (states,) = random_evidence(rng, factors, n_rows=1)
    observed = {variable: int(state) for variable, state in enumerate(states) if state >= 0}
    narrow = compile_tree(conditioned(factors, observed))
    nothing = np.full((1, factors.n_variables), -1)
    theirs, log_theirs = posteriors(compile_tree(factors), states[None])
    ours, log_ours = posteriors(narrow, nothing)
    close(log_ours, log_theirs)
    for variable, answer in enumerate(ours):
        if variable not in observed:
            close(answer, theirs[variable])
    assert prod(narrow.factors.cardinalities) <= prod(factors.cardinalities)
