"""Rows in which everything around a variable is observed: answered without the tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks._engine import exact_inference
from bayesic.networks._engine.exact_inference import posteriors
from bayesic.networks._engine.tree import compile_tree
from bayesic.networks.factors import Factors
from helpers.enumeration import joint_table, summed_to
from helpers.environment import environment
from helpers.examples import at_most
from helpers.small_models import (
    agreeing,
    close,
    models,
    normalised,
    random_likelihoods,
    with_likelihoods,
)


def no_tree(*_):
    raise AssertionError("the tree was asked")


@given(model=models(max_variables=6), soft=st.booleans())
@at_most(60)
def test_complete_rows_but_for_a_target_are_those_of_the_joint_table(model, soft):
    factors, rng = model
    joint = joint_table(factors)
    sizes = np.array(factors.cardinalities)
    evidence = (rng.random((8, len(sizes))) * sizes).astype(int)
    target = int(rng.integers(len(sizes)))
    evidence[:6, target] = -1
    likelihoods = random_likelihoods(rng, factors, 8) if soft else {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact_inference, "answers_of_rows", no_tree)
        answers, log_evidence = posteriors(compile_tree(factors), evidence, None, likelihoods)
        quick, rough = posteriors(compile_tree(factors), evidence, None, likelihoods, totals=False)
    assert (np.isneginf(rough) == np.isneginf(log_evidence)).all()
    for answer, other in zip(answers, quick, strict=True):
        close(other, answer)
    for row, states in enumerate(evidence):
        left = with_likelihoods(agreeing(joint, states), likelihoods, row)
        with np.errstate(divide="ignore"):
            close(log_evidence[row], np.log(left.sum()))
        for variable, answer in enumerate(answers):
            close(answer[row], normalised(summed_to(left, [variable])))


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
def test_rows_with_and_without_a_full_blanket_stand_side_by_side(kernels):
    rng = np.random.default_rng(3)
    tables = tuple(rng.dirichlet([1, 1, 1], size=3) for _ in range(4))
    scopes = tuple((number, number + 1) for number in range(4))
    factors = Factors((3,) * 5, scopes, tables)
    joint = joint_table(factors)
    evidence = np.array([[0, 1, -1, 2, 0], [0, -1, -1, 2, 1], [-1, 1, -1, 0, -1], [0, 1, -1, 2, 0]])
    with environment(BAYESIC_KERNELS=kernels):
        (middle, last), log_evidence = posteriors(compile_tree(factors), evidence, [2, 4])
    for row, states in enumerate(evidence):
        left = agreeing(joint, states)
        close(log_evidence[row], np.log(left.sum()))
        close(middle[row], normalised(summed_to(left, [2])))
        close(last[row], normalised(summed_to(left, [4])))


def test_what_is_impossible_far_from_the_target_is_found():
    # the middle says that the two ends of another part of the model agree, and they do not
    same = np.eye(2)
    tables = (np.array([0.3, 0.7]), np.array([[0.9, 0.1], [0.2, 0.8]]), same)
    factors = Factors((2, 2, 2, 2), ((0,), (0, 1), (2, 3)), tables)
    evidence = np.array([[-1, 1, 0, 1], [-1, 1, 1, 1]])
    (target,), log_evidence = posteriors(compile_tree(factors), evidence, [0])
    np.testing.assert_allclose(target, [[0.0, 0.0], [0.03 / 0.59, 0.56 / 0.59]])
    np.testing.assert_allclose(log_evidence, [-np.inf, np.log(0.59)])


def test_no_state_of_the_target_is_possible():
    factors = Factors((2, 2, 2), ((0, 1), (0, 2)), (np.eye(2), np.eye(2)))
    (target, _, _), log_evidence = posteriors(compile_tree(factors), [[-1, 0, 1], [-1, 1, 1]])
    np.testing.assert_array_equal(target, [[0.0, 0.0], [0.0, 1.0]])
    np.testing.assert_array_equal(log_evidence, [-np.inf, 0.0])
