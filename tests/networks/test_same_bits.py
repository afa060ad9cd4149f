"""The same question gives the same bits: the first time, the thousandth, in threads, in a table."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from bayesic.datasets.networks import asia
from bayesic.networks.network import BeliefNetwork

TIMES = 2_000


def rooms_in_a_row(n_rooms=40):
    """Each room is as warm as the one before it and the weather make it."""
    rng = np.random.default_rng(5)
    names = [f"room {number}" for number in range(n_rooms)]
    edges = [*pairwise(names)]
    edges += [("weather", name) for name in names]
    tables = {name: rng.dirichlet([1, 1, 1], (3, 3)) for name in names[1:]}
    tables |= {"weather": [0.2, 0.5, 0.3], names[0]: rng.dirichlet([1, 1, 1], 3)}
    return BeliefNetwork(edges, tables, {name: ["cold", "mild", "warm"] for name in tables})


QUESTIONS = {
    "asia": (asia, {"smoke": "yes", "xray": "no"}, "lung"),
    "rooms": (rooms_in_a_row, {"room 3": "cold", "room 20": "warm", "room 39": "mild"}, "weather"),
}


@pytest.fixture(params=QUESTIONS)
def question(request):
    """A new network, what is known, and a variable to ask about."""
    make, given, target = QUESTIONS[request.param]
    return make(), given, target


def bits(marginals):
    return b"".join(distribution.probabilities.tobytes() for distribution in marginals.values())


def table_of(net, given, n_rows):
    """So many rows with gaps, the last of which is what is known."""
    rng = np.random.default_rng(0)
    table = {}
    for name, states in net.sample(n_rows - 1, seed=1).items():
        gaps = rng.random(n_rows - 1) < 0.5
        table[name] = [*np.where(gaps, None, states.astype(object)), given.get(name)]
    return table


def test_the_first_and_the_thousandth_time(question):
    net, given, _ = question
    assert {bits(net.query(given=given)) for _ in range(TIMES)} == {bits(net.query(given=given))}


def test_in_threads_that_all_ask_a_new_network(question):
    net, given, target = question
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: bits(net.query(given=given)), range(TIMES)))
        alone = list(pool.map(lambda _: net.query(target, given=given), range(TIMES // 10)))
    make_anew, _, _ = next(one for one in QUESTIONS.values() if one[2] == target)
    expected = make_anew().query(given=given)
    assert set(answers) == {bits(expected)}
    assert {one.probabilities.tobytes() for one in alone} == {
        expected[target].probabilities.tobytes()
    }


def test_before_and_after_a_table_that_repays_compiling(question):
    net, given, _ = question
    before = bits(net.query(given=given))
    small, large = table_of(net, given, 10), table_of(net, given, 3_000)
    few, many = net.posteriors(small), net.posteriors(large)
    assert bits(net.query(given=given)) == before
    # a row of a small table is computed like the row alone, a large one to the last digits
    assert b"".join(few[name][-1].tobytes() for name in net.variables) == before
    few_again, many_again = net.posteriors(small), net.posteriors(large)
    for name in net.variables:
        np.testing.assert_array_equal(few_again[name], few[name])
        np.testing.assert_array_equal(many_again[name], many[name])
        np.testing.assert_allclose(many[name][-1], few[name][-1], rtol=1e-12, atol=1e-15)
