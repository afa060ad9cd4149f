"""Expected family counts against the whole joint table of small random models."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.kernels import passes
from bayesic.networks._engine.exact_inference import expected_family_counts
from bayesic.networks._engine.tree import compile_tree
from bayesic.networks.factors import Factors
from helpers.enumeration import joint_table, summed_to
from helpers.environment import environment
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


def random_network(n_variables, size, seed=0):
    """Each variable has up to two of those before it as parents."""
    rng = np.random.default_rng(seed)
    scopes = [
        (*map(int, rng.permutation(child)[: min(2, child)]), child) for child in range(n_variables)
    ]
    tables = [rng.dirichlet(np.ones(size), size=(size,) * (len(scope) - 1)) for scope in scopes]
    return Factors((size,) * n_variables, tuple(scopes), tuple(tables))


def missing_rows(factors, n_rows, share):
    rng = np.random.default_rng(7)
    states = (rng.random((n_rows, factors.n_variables)) * factors.cardinalities[0]).astype(int)
    return np.where(rng.random(states.shape) < share, -1, states)


@every_route
@given(model=models(max_variables=6), soft=st.booleans(), weighted=st.booleans())
@at_most(60)
def test_counts_are_those_of_the_joint_table(route, model, soft, weighted):
    factors, rng = model
    joint = joint_table(factors)
    evidence = random_evidence(rng, factors, n_rows=6)
    evidence[5] = evidence[0]
    weights = rng.integers(0, 4, 6) / 2 if weighted else None
    likelihoods = random_likelihoods(rng, factors, 6) if soft else None
    with taking(route):
        counts, log_evidence = expected_family_counts(
            compile_tree(factors), evidence, weights, likelihoods
        )
    expected = [np.zeros_like(table) for table in factors.tables]
    for row, states in enumerate(evidence):
        left = with_likelihoods(agreeing(joint, states), likelihoods or {}, row)
        with np.errstate(divide="ignore"):
            close(log_evidence[row], np.log(left.sum()))
        for count, scope in zip(expected, factors.scopes, strict=True):
            weight = 1.0 if weights is None else weights[row]
            count += weight * normalised(summed_to(left, list(scope)))
    assert len(counts) == len(expected)
    for ours, theirs in zip(counts, expected, strict=True):
        close(ours, theirs)


@every_route
def test_numbers_far_below_the_range_of_floats_are_counted(route):
    # P(rain) is so small that it is lost beside P(dry), until the ground is wet
    tables = (np.array([1.0, 1e-250]), np.array([[1.0, 1e-200], [1.0, 1.0]]))
    tables += (np.array([[1.0, 1e-200], [1.0, 1.0]]),)
    factors = Factors((2, 2, 2), ((0,), (0, 1), (0, 2)), tables)
    with taking(route):
        (rain, _, _), log_evidence = expected_family_counts(
            compile_tree(factors), [[-1, 1, 1], [-1, 1, 0]]
        )
    np.testing.assert_allclose(rain, [1.0, 1.0])
    np.testing.assert_allclose(log_evidence, np.log([1e-250, 1e-200]))


@every_route
def test_impossible_rows_count_for_nothing(route):
    certain = np.array([[1.0, 0.0], [0.0, 1.0]])
    factors = Factors((2, 2), ((0,), (0, 1)), (np.array([0.4, 0.6]), certain))
    with taking(route):
        (first, family), log_evidence = expected_family_counts(
            compile_tree(factors), [[0, 1], [-1, 1], [0, 1]], [5.0, 2.0, 1.0]
        )
    np.testing.assert_allclose(first, [0.0, 2.0])
    np.testing.assert_allclose(family, [[0.0, 0.0], [0.0, 2.0]])
    np.testing.assert_allclose(log_evidence, [-np.inf, np.log(0.6), -np.inf])


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_counts_do_not_depend_on_the_number_of_threads(share):
    factors = random_network(10, size=3)
    evidence = missing_rows(factors, 400, share)
    results = []
    for threads in ("1", "2", "5"):
        with environment(BAYESIC_KERNELS="compiled", BAYESIC_THREADS=threads):
            results.append(expected_family_counts(compile_tree(factors), evidence))
    for counts, log_evidence in results[1:]:
        np.testing.assert_array_equal(log_evidence, results[0][1])
        for ours, theirs in zip(counts, results[0][0], strict=True):
            np.testing.assert_array_equal(ours, theirs)
    for table in results[0][0]:
        assert table.sum() == pytest.approx(400, rel=1e-12)


def test_the_same_evidence_is_counted_once(monkeypatch):
    asked = []
    counted = passes.posteriors

    def spied(flat, tables, scopes, evidence, weights, *out):
        asked.append(weights.tolist())
        counted(flat, tables, scopes, evidence, weights, *out)

    monkeypatch.setattr(passes, "posteriors", spied)
    factors = random_network(3, size=2)
    evidence = np.array([[0, -1, 1], [-1, -1, -1]] * 20)
    with environment(BAYESIC_KERNELS="reference"):
        expected_family_counts(compile_tree(factors), evidence, np.full(40, 0.5))
    assert asked == [[10.0, 10.0]]


@every_route
def test_complete_rows_give_plain_counts(route):
    factors = random_network(4, size=3)
    evidence = missing_rows(factors, 50, share=0.0)
    with taking(route):
        counts, log_evidence = expected_family_counts(compile_tree(factors), evidence)
    for count, scope in zip(counts, factors.scopes, strict=True):
        expected = np.zeros_like(count)
        np.add.at(expected, tuple(evidence[:, variable] for variable in scope), 1.0)
        np.testing.assert_array_equal(count, expected)
    assert np.isfinite(log_evidence).all()


@every_route
def test_no_rows_and_no_factors(route):
    with taking(route):
        counts, log_evidence = expected_family_counts(
            compile_tree(random_network(3, size=2)), np.empty((0, 3), dtype=int)
        )
        assert [count.sum() for count in counts] == [0.0, 0.0, 0.0]
        assert log_evidence.shape == (0,)
        empty = compile_tree(Factors((2,), (), ()))
        counts, log_evidence = expected_family_counts(empty, [[-1]])
        assert counts == []
        np.testing.assert_allclose(log_evidence, [np.log(2.0)])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], "one weight for each of the 2 rows"),
        ([1.0, -1.0], "finite numbers of 0 or more"),
        ([1.0, np.nan], "finite numbers of 0 or more"),
        ([1.0, np.inf], "finite numbers of 0 or more"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        expected_family_counts(compile_tree(random_network(2, size=2)), [[0, -1]] * 2, weights)
