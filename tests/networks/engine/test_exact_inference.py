"""What holds for answers of the engine beside being right."""

import numpy as np
import pytest

from bayesic.kernels import STEPS_THAT_REPAY_COMPILING, passes
from bayesic.networks._engine.exact_inference import (
    joint_posterior,
    log_partition,
    most_probable,
    posteriors,
)
from bayesic.networks._engine.tree import compile_tree
from bayesic.networks.factors import Factors
from helpers.environment import environment, run_python
from helpers.small_models import every_route, taking

both = pytest.mark.parametrize("kernels", ["reference", "compiled"])


def chain(n_variables, size=3, seed=0):
    """A random Markov chain as a belief network."""
    rng = np.random.default_rng(seed)
    scopes = [(0,), *((number - 1, number) for number in range(1, n_variables))]
    tables = [rng.dirichlet(np.ones(size), size=(size,) * (len(s) - 1)) for s in scopes]
    return Factors((size,) * n_variables, tuple(scopes), tuple(tables))


def rows_of(factors, n_rows, share, seed=0):
    rng = np.random.default_rng(seed)
    sizes = np.array(factors.cardinalities)
    states = (rng.random((n_rows, len(sizes))) * sizes).astype(int)
    return np.where(rng.random(states.shape) < share, -1, states)


def nothing_known(factors, n_rows=1):
    return np.full((n_rows, factors.n_variables), -1)


@both
@pytest.mark.parametrize("share", [0.1, 0.9])
def test_answers_do_not_depend_on_the_number_of_threads(kernels, share):
    factors = chain(9)
    evidence = rows_of(factors, 300, share)
    results = []
    for threads in ("1", "2", "5"):
        with environment(BAYESIC_KERNELS=kernels, BAYESIC_THREADS=threads):
            results.append(posteriors(compile_tree(factors), evidence))
    for answers, log_evidence in results[1:]:
        np.testing.assert_array_equal(log_evidence, results[0][1])
        for ours, theirs in zip(answers, results[0][0], strict=True):
            np.testing.assert_array_equal(ours, theirs)


def test_the_same_evidence_is_computed_once(monkeypatch):
    factors = chain(4)
    seen = []
    answered = passes.posteriors

    def counted(flat, tables, asked, evidence, *out):
        seen.append(len(evidence.states))
        answered(flat, tables, asked, evidence, *out)

    monkeypatch.setattr(passes, "posteriors", counted)
    evidence = np.tile([[0, -1, -1, 2], [-1, -1, 1, -1]], (50, 1))
    with environment(BAYESIC_KERNELS="reference"):
        answers, log_evidence = posteriors(compile_tree(factors), evidence)
    assert seen == [2]
    assert len(log_evidence) == 100
    for answer in answers:
        np.testing.assert_array_equal(answer[::2], np.tile(answer[0], (50, 1)))
        np.testing.assert_array_equal(answer[1::2], np.tile(answer[1], (50, 1)))


@both
def test_impossible_evidence_is_marked_and_spoils_no_other_row(kernels):
    # tuberculosis, cancer, and whether either is there, which is certain given the two
    either = np.zeros((2, 2, 2))
    either[0, 0, 0] = either[0, 1, 1] = either[1, 0, 1] = either[1, 1, 1] = 1.0
    factors = Factors((2, 2, 2), ((0,), (1,), (0, 1, 2)), ([0.99, 0.01], [0.95, 0.05], either))
    evidence = np.array([[0, 0, 1], [-1, 0, 1], [0, -1, 1], [1, -1, 0]])
    with environment(BAYESIC_KERNELS=kernels):
        (tuberculosis, cancer, _), log_evidence = posteriors(compile_tree(factors), evidence)
    np.testing.assert_array_equal(log_evidence[[0, 3]], -np.inf)
    np.testing.assert_allclose(np.exp(log_evidence[1:3]), [0.95 * 0.01, 0.99 * 0.05])
    np.testing.assert_array_equal(tuberculosis, [[0, 0], [0, 1], [1, 0], [0, 0]])
    np.testing.assert_array_equal(cancer, [[0, 0], [1, 0], [0, 1], [0, 0]])


@both
def test_a_class_with_thousands_of_observed_words_stays_in_range(kernels):
    rng = np.random.default_rng(1)
    n_words = 3000
    tables = rng.uniform(0.001, 0.002, (n_words, 2, 2))
    tables[:, :, 1] = 1 - tables[:, :, 0]
    prior = np.array([0.3, 0.7])
    scopes = ((0,), *((0, word) for word in range(1, n_words + 1)))
    factors = Factors((2,) * (n_words + 1), scopes, (prior, *tables))
    evidence = np.zeros((1, n_words + 1), dtype=int)
    evidence[0, 0] = -1
    with environment(BAYESIC_KERNELS=kernels):
        (spam,), log_evidence = posteriors(compile_tree(factors), evidence, [0])
    log_joint = np.log(prior) + np.log(tables[:, :, 0]).sum(axis=0)
    expected = np.logaddexp(*log_joint)
    assert expected < -10_000
    np.testing.assert_allclose(log_evidence, expected, rtol=1e-12)
    np.testing.assert_allclose(spam[0], np.exp(log_joint - expected), rtol=1e-7)


@every_route
def test_a_clique_of_many_blocks_is_summed_right(route):
    rng = np.random.default_rng(2)
    sizes = (7, 6, 5, 9, 8, 2)
    wide, other = rng.random(sizes[:5]), rng.random((8, 5, 2))
    factors = Factors(sizes, ((0, 1, 2, 3, 4), (4, 2, 5)), (wide, other))
    joint = np.einsum("abcde,ecf->abcdef", wide, other)
    evidence = np.array([[-1, -1, -1, -1, -1, -1], [-1, 3, -1, -1, -1, 1]])
    with taking(route):
        answers, log_evidence = posteriors(compile_tree(factors), evidence)
        pair, _ = joint_posterior(compile_tree(factors), evidence, [5, 1])
    np.testing.assert_allclose(log_evidence, np.log([joint.sum(), joint[:, 3, ..., 1].sum()]))
    first = joint.sum(axis=(1, 2, 3, 4, 5))
    np.testing.assert_allclose(answers[0][0], first / first.sum())
    second = joint[:, 3, ..., 1].sum(axis=(0, 1, 2))
    np.testing.assert_allclose(answers[4][1], second / second.sum())
    both_variables = joint.sum(axis=(0, 2, 3, 4)).T
    np.testing.assert_allclose(pair[0], both_variables / both_variables.sum())


@both
def test_equally_probable_states_give_the_first(kernels):
    factors = Factors((3, 2, 4), ((0, 1), (1, 2)), (np.ones((3, 2)), np.ones((2, 4))))
    evidence = np.array([[-1, -1, -1], [2, -1, -1], [-1, -1, -1]])
    with environment(BAYESIC_KERNELS=kernels):
        states, log_largest = most_probable(compile_tree(factors), evidence)
    np.testing.assert_array_equal(states, [[0, 0, 0], [2, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(log_largest, [0.0, 0.0, 0.0])


@both
def test_the_largest_of_a_clique_of_many_blocks_is_found(kernels):
    sizes = (9, 8, 7, 6, 5)
    table = np.random.default_rng(4).random(sizes)
    factors = Factors(sizes, ((0, 1, 2, 3, 4),), (table,))
    evidence = np.array([[-1] * 5, [-1, 3, -1, -1, -1]])
    with environment(BAYESIC_KERNELS=kernels):
        states, log_largest = most_probable(compile_tree(factors), evidence)
    best = np.unravel_index(table.argmax(), sizes)
    np.testing.assert_array_equal(states[0], best)
    held = np.unravel_index(table[:, 3].argmax(), table[:, 3].shape)
    np.testing.assert_array_equal(states[1], np.insert(held, 1, 3))
    np.testing.assert_allclose(log_largest, np.log([table.max(), table[:, 3].max()]))


def test_most_probable_states_do_not_depend_on_the_number_of_threads():
    factors = chain(9)
    evidence = rows_of(factors, 500, share=0.6)
    results = []
    for threads in ("1", "5"):
        with environment(BAYESIC_KERNELS="compiled", BAYESIC_THREADS=threads):
            results.append(most_probable(compile_tree(factors), evidence))
    np.testing.assert_array_equal(results[0][0], results[1][0])
    np.testing.assert_array_equal(results[0][1], results[1][1])


def test_a_large_batch_repays_compiling_and_many_small_questions_do_not():
    tree = compile_tree(chain(6))
    assert tree.work(1) < STEPS_THAT_REPAY_COMPILING < tree.work(10**6)
    assert [tree.work(100) for _ in range(10**4)] == [tree.work(100)] * 10**4


def test_a_small_question_loads_neither_numba_nor_scipy():
    program = """
import sys
from bayesic.networks.factors import Factors
from bayesic.networks._engine.exact_inference import most_probable, posteriors
from bayesic.networks._engine.tree import compile_tree
tables = ([0.8, 0.2], [[0.9, 0.1], [0.2, 0.8]])
tree = compile_tree(Factors((2, 2), ((0,), (0, 1)), tables))
posteriors(tree, [[-1, 1], [-1, -1]])
most_probable(tree, [[-1, -1]])
print([name for name in ("numba", "scipy", "sklearn", "duckdb") if name in sys.modules])
"""
    done = run_python(program, BAYESIC_KERNELS="")
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_new_tables_in_the_same_tree_answer_like_a_new_tree():
    factors, other = chain(5, seed=1), chain(5, seed=2)
    tree = compile_tree(factors)
    evidence = rows_of(factors, 20, share=0.6)
    posteriors(tree, evidence)
    ours, log_ours = posteriors(tree.with_tables(other.tables), evidence)
    theirs, log_theirs = posteriors(compile_tree(other), evidence)
    np.testing.assert_array_equal(log_ours, log_theirs)
    for one, two in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, two)
    with pytest.raises(ValueError, match="shape of its scope"):
        tree.with_tables(chain(5, size=2).tables)


@both
def test_no_variables_no_rows_no_targets(kernels):
    empty = Factors((), ((),), (np.array(2.5),))
    with environment(BAYESIC_KERNELS=kernels):
        answers, log_total = posteriors(compile_tree(empty), np.zeros((2, 0), dtype=int))
        assert answers == []
        np.testing.assert_allclose(log_total, np.log([2.5, 2.5]))
        np.testing.assert_allclose(log_partition(compile_tree(empty)), np.log(2.5))
        factors = chain(3)
        answers, log_total = posteriors(compile_tree(factors), nothing_known(factors, n_rows=0))
        assert [answer.shape for answer in answers] == [(0, 3)] * 3
        assert log_total.shape == (0,)
        assert posteriors(compile_tree(factors), nothing_known(factors), [])[0] == []


@pytest.mark.parametrize(
    ("evidence", "likelihoods", "message"),
    [
        ([[0, 0]], None, "one column for each of the 3 variables"),
        ([0, 0, 0], None, "one column for each of the 3 variables"),
        ([[0.0, 0.0, 0.0]], None, "numbers of states, -1 where nothing was observed"),
        ([[0, 3, 0]], None, "variable 1 go from 0 to 2, or -1 .* row 0 has 3"),
        ([[0, 0, -2]], None, "variable 2 go from 0 to 2, or -1 .* row 0 has -2"),
        ([[0, 0, 0]], {3: [1, 1, 1]}, "variables go from 0 to 2"),
        ([[0, 0, 0]], {1: [1, 1]}, "3 numbers, for all rows"),
        ([[0, 0, 0]], {1: np.ones((2, 3))}, "for each of the 1 rows"),
        ([[0, 0, 0]], {1: [1, -1, 1]}, "finite numbers of 0 or more"),
        ([[0, 0, 0]], {1: [1, np.nan, 1]}, "finite numbers of 0 or more"),
    ],
)
def test_evidence_that_does_not_fit_is_refused(evidence, likelihoods, message):
    with pytest.raises(ValueError, match=message):
        posteriors(compile_tree(chain(3)), evidence, None, likelihoods)


def test_only_variables_that_exist_can_be_asked():
    factors = chain(3)
    tree = compile_tree(factors)
    with pytest.raises(ValueError, match="from 0 to 2, got 3"):
        posteriors(tree, nothing_known(factors), [3])
    with pytest.raises(ValueError, match="each variable can be asked once"):
        joint_posterior(tree, nothing_known(factors), [1, 1])
