"""Every answer of the engine against the whole joint table of small random models."""

from math import prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks._engine.exact_inference import (
    joint_posterior,
    log_partition,
    most_probable,
    posteriors,
)
from bayesic.networks._engine.tree import compile_tree
from bayesic.networks.factors import Factors, conditioned
from helpers.enumeration import joint_table, summed_to
from helpers.examples import at_most
from helpers.small_models import (
    agreeing,
    close,
    every_route,
    models,
    normalised,
    random_evidence,
    random_likelihoods,
    taking,
    with_likelihoods,
)

some = at_most(60)


@every_route
@given(model=models(), soft=st.booleans(), per_row=st.booleans())
@some
def test_posteriors_are_those_of_the_joint_table(route, model, soft, per_row):
    factors, rng = model
    joint = joint_table(factors)
    evidence = random_evidence(rng, factors, n_rows=6)
    likelihoods = random_likelihoods(rng, factors, 6 if per_row else 1) if soft else {}
    with taking(route):
        found, log_evidence = posteriors(compile_tree(factors), evidence, None, likelihoods)
    for row, states in enumerate(evidence):
        left = with_likelihoods(agreeing(joint, states), likelihoods, row)
        with np.errstate(divide="ignore"):
            close(log_evidence[row], np.log(left.sum()))
        for variable, answer in enumerate(found):
            close(answer[row], normalised(summed_to(left, [variable])))


@every_route
@given(model=models())
@some
def test_joint_posteriors_are_those_of_the_joint_table(route, model):
    factors, rng = model
    joint = joint_table(factors)
    evidence = random_evidence(rng, factors, n_rows=3)
    n_asked = int(rng.integers(0, min(4, factors.n_variables) + 1))
    asked = [int(v) for v in rng.permutation(factors.n_variables)[:n_asked]]
    with taking(route):
        found, _ = joint_posterior(compile_tree(factors), evidence, asked)
    for row, states in enumerate(evidence):
        close(found[row], normalised(summed_to(agreeing(joint, states), asked)))


@every_route
@given(model=models())
@some
def test_one_target_is_answered_like_all_targets(route, model):
    factors, rng = model
    evidence = random_evidence(rng, factors, n_rows=4)
    with taking(route):
        tree = compile_tree(factors)
        everything, log_evidence = posteriors(tree, evidence)
        for variable, expected in enumerate(everything):
            (alone,), log_alone = posteriors(tree, evidence, [variable])
            close(alone, expected)
            close(log_alone, log_evidence)


@every_route
@given(model=models())
@some
def test_most_probable_states_reach_the_largest_cell(route, model):
    factors, rng = model
    joint = joint_table(factors)
    evidence = random_evidence(rng, factors, n_rows=4)
    with taking(route):
        states, log_largest = most_probable(compile_tree(factors), evidence)
    for row, observed in enumerate(evidence):
        left = agreeing(joint, observed)
        with np.errstate(divide="ignore"):
            close(log_largest[row], np.log(left.max()))
        assert np.all((observed == -1) | (observed == states[row]))
        if left.max() > 0:
            close(left[tuple(states[row])], left.max())


@every_route
@given(model=models(entries=(-300, 1)))
@some
def test_numbers_far_below_the_range_of_floats_are_not_lost(route, model):
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
    with taking(route):
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
            close(answer[row], normalised(summed_to(shares, [variable])))


@every_route
@given(model=models())
@some
def test_log_partition_is_the_log_of_the_sum(route, model):
    factors, _ = model
    with taking(route), np.errstate(divide="ignore"):
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
