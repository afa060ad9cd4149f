"""Numbers that floats cannot hold side by side: nothing is lost, nothing is called impossible."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks._engine.cliques import within_range
from bayesic.networks._engine.exact_inference import joint_posterior, most_probable, posteriors
from bayesic.networks._engine.tree import compile_tree
from bayesic.networks.factors import Factors
from helpers.examples import at_most
from helpers.small_models import every_route, taking

LARGEST, SMALLEST = 1.7e308, 5e-324


@given(st.lists(st.floats(0, LARGEST), min_size=1, max_size=6))
@at_most(100)
def test_a_table_is_exactly_the_product_of_its_parts(entries):
    tables, exponent = within_range(np.array(entries))
    for place, entry in enumerate(entries):
        product = Fraction(2) ** exponent
        for table in tables:
            assert table.max() <= 1
            assert table[place] == 0 or table[place] >= 2.0**-1000
            product *= Fraction(table[place])
        assert product == Fraction(entry)


@every_route
def test_entries_at_both_ends_of_the_range_of_floats_are_kept(route):
    tables = (np.array([LARGEST, SMALLEST, 0.0]), np.array([SMALLEST, LARGEST, 1.0]))
    factors = Factors((3,), ((0,), (0,)), tables)
    with taking(route):
        tree = compile_tree(factors)
        (state,), log_total = posteriors(tree, [[-1], [1], [2]])
        joint, log_joint = joint_posterior(tree, [[-1], [1], [2]], [0])
        best, log_best = most_probable(tree, [[-1], [1]])
    one = np.log(LARGEST) + np.log(SMALLEST)
    for answer, log in ((state, log_total), (joint, log_joint)):
        np.testing.assert_allclose(answer, [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
        np.testing.assert_allclose(log, [one + np.log(2.0), one, -np.inf], rtol=1e-12)
    np.testing.assert_array_equal(best[1], [1])
    np.testing.assert_allclose(log_best, [one, one], rtol=1e-12)


@every_route
@pytest.mark.parametrize("observed", [True, False])
def test_a_class_that_falls_far_behind_can_still_win(route, observed):
    # 400 words speak for ham, ten to one each; then 500 speak for spam
    favour = np.array([[0.5, 0.05], [0.05, 0.5]])
    tables = [np.stack((side, 1 - side), axis=1) for side in favour]
    n_ham, n_spam = 400, 500
    scopes = ((0,), *((0, word) for word in range(1, n_ham + n_spam + 1)))
    factors = Factors(
        (2,) * len(scopes),
        scopes,
        (np.array([0.5, 0.5]), *[tables[0]] * n_ham, *[tables[1]] * n_spam),
    )
    evidence = np.zeros((1, len(scopes)), dtype=int)
    evidence[0, 0] = -1
    if not observed:
        evidence[0, 1:] = -1
    likelihoods = None if observed else {word: [1.0, 0.0] for word in range(1, len(scopes))}
    with taking(route):
        tree = compile_tree(factors)
        answer, log_evidence = joint_posterior(tree, evidence, [0], likelihoods)
        best, _ = most_probable(tree, evidence, likelihoods)
    log_spam = n_ham * np.log(0.05) + n_spam * np.log(0.5) + np.log(0.5)
    np.testing.assert_allclose(answer, [[1e-100, 1.0]], rtol=1e-9)
    np.testing.assert_allclose(log_evidence, [log_spam], rtol=1e-12)
    assert best[0, 0] == 1


@every_route
@given(seed=st.integers(0, 2**32 - 1))
@at_most(60)
def test_chains_of_extreme_tables_are_those_of_sums_of_logs(route, seed):
    rng = np.random.default_rng(seed)
    n_variables = 6
    scopes = tuple((one, one + 1) for one in range(n_variables - 1))
    tables = tuple(
        10.0 ** rng.integers(-307, 308, (2, 2)) * (rng.random((2, 2)) > 0.2) for _ in scopes
    )
    factors = Factors((2,) * n_variables, scopes, tables)
    log_joint = np.zeros((2,) * n_variables)
    with np.errstate(divide="ignore"):
        for one, table in enumerate(tables):
            shape = [2 if axis in (one, one + 1) else 1 for axis in range(n_variables)]
            log_joint = log_joint + np.log(table).reshape(shape)
    nothing = np.full((1, n_variables), -1)
    with taking(route):
        answers, log_total = posteriors(compile_tree(factors), nothing)
        states, log_best = most_probable(compile_tree(factors), nothing)
    np.testing.assert_allclose(log_best, log_joint.max(), rtol=1e-10, atol=1e-9)
    if log_joint.max() == -np.inf:
        assert log_total[0] == -np.inf
        return
    np.testing.assert_allclose(log_joint[tuple(states[0])], log_joint.max(), atol=1e-9)
    shares = np.exp(log_joint - log_joint.max())
    np.testing.assert_allclose(log_total, np.log(shares.sum()) + log_joint.max(), atol=1e-9)
    for variable, answer in enumerate(answers):
        rest = tuple(axis for axis in range(n_variables) if axis != variable)
        expected = shares.sum(axis=rest) / shares.sum()
        np.testing.assert_allclose(answer[0], expected, rtol=1e-9, atol=1e-12)
