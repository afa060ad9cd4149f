"""Random rows follow the joint distribution, are the same for the same seed, and fit in frames."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bayesic.datasets.networks import asia
from bayesic.networks._sampling.forward import forward_samples, state_values
from bayesic.networks.network import BeliefNetwork
from helpers.enumeration import joint_table
from helpers.environment import environment, run_python
from helpers.examples import at_most
from helpers.random_networks import networks

N = 4_000

WEATHER = BeliefNetwork(
    edges=[("天气", "Wind"), ("天气", "Play"), ("Wind", "Play")],
    tables={
        "天气": {"晴": 0.5, "多云": 0.3, "雨": 0.2},
        "Wind": {
            "晴": {True: 0.25, False: 0.75},
            "多云": {True: 0.5, False: 0.5},
            "雨": {True: 0.9, False: 0.1},
        },
        "Play": np.array(
            [[[0.2, 0.8], [0.1, 0.9]], [[0.4, 0.6], [0.3, 0.7]], [[1, 0], [0.9, 0.1]]]
        ),
    },
    states={"Play": (0, 1)},
)


def counts_of(net, rows):
    """How often each combination of states is there."""
    codes = [
        [net.states(name).index(state) for state in rows[name].tolist()] for name in net.variables
    ]
    counts = np.zeros([len(net.states(name)) for name in net.variables])
    np.add.at(counts, tuple(codes), 1)
    return counts


def assert_follows(counts, shares):
    """The counts could come from these shares: nothing impossible, and a chi-square that could be.

    Cells with fewer than 5 expected rows are put together.
    """
    assert not counts[shares == 0].any()
    expected = shares * counts.sum()
    large = expected >= 5
    observed = np.append(counts[large], counts[~large].sum())
    expected = np.append(expected[large], expected[~large].sum())
    observed, expected = observed[expected > 0], expected[expected > 0]
    statistic = ((observed - expected) ** 2 / expected).sum()
    assert stats.chi2.sf(statistic, max(1, len(expected) - 1)) > 1e-7


@at_most(40)
@given(networks(max_variables=4), st.integers(0, 10**6))
def test_rows_follow_the_joint_table(net, seed):
    rows = forward_samples(net, N, seed)
    assert list(rows) == list(net.variables)
    assert_follows(counts_of(net, rows), joint_table(net))


@at_most(40)
@given(networks(max_variables=4), st.data())
def test_rows_with_evidence_follow_the_posterior(net, data):
    joint = joint_table(net)
    possible = np.argwhere(joint > 0.02)
    if not len(possible):
        return
    states = possible[data.draw(st.integers(0, len(possible) - 1))].tolist()
    observed = data.draw(st.sets(st.sampled_from(net.variables)))
    soft = data.draw(st.sets(st.sampled_from(net.variables), max_size=1))
    given_states, likelihoods = {}, {}
    for axis, name in enumerate(net.variables):
        along = [-1 if place == axis else 1 for place in range(joint.ndim)]
        if name in observed:
            given_states[name] = net.states(name)[states[axis]]
            joint = joint * np.eye(joint.shape[axis])[states[axis]].reshape(along)
        if name in soft:
            likelihoods[name] = np.arange(1.0, joint.shape[axis] + 1) / 10
            joint = joint * likelihoods[name].reshape(along)
    rows = forward_samples(net, N, 7, given_states, likelihoods)
    assert_follows(counts_of(net, rows), joint / joint.sum())


def test_a_shorter_sample_is_the_beginning_of_a_longer_one():
    for evidence in ({}, {"Wind": True}):
        longer = forward_samples(WEATHER, 100_000, 3, evidence)
        shorter = forward_samples(WEATHER, 70_001, 3, evidence)
        for name, column in shorter.items():
            np.testing.assert_array_equal(column, longer[name][:70_001])


def test_other_seeds_and_other_blocks_give_other_rows():
    one, other = (forward_samples(WEATHER, 50_000, seed) for seed in (0, 1))
    assert (one["天气"] != other["天气"]).mean() > 0.5
    block = 2**17 // 3
    assert (one["天气"][: 50_000 - block] != one["天气"][block:]).mean() > 0.5


@pytest.mark.parametrize("evidence", [{}, {"xray": "yes"}], ids=["without", "with evidence"])
def test_neither_threads_nor_kernels_change_a_row(evidence):
    pytest.importorskip("numba")
    columns = []
    for threads, kernels in (("1", "reference"), ("1", "compiled"), ("3", "compiled")):
        with environment(BAYESIC_THREADS=threads, BAYESIC_KERNELS=kernels):
            columns.append(forward_samples(asia(), 50_000, 5, evidence))
    for other in columns[1:]:
        for name, column in columns[0].items():
            np.testing.assert_array_equal(column, other[name])


def test_rows_do_not_depend_on_hash_seeds():
    program = (
        "import bayesic.datasets.networks as n, hashlib\n"
        "from bayesic.networks._sampling.forward import forward_samples\n"
        "rows = forward_samples(n.asia(), 999, 1, {'xray': 'yes'}, {'dysp': [0.9, 0.2]})\n"
        "text = repr([(name, column.tolist()) for name, column in rows.items()])\n"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    outputs = {run_python(program, PYTHONHASHSEED=seed).stdout for seed in ("0", "1", "2")}
    assert len(outputs) == 1
    assert len(outputs.pop()) == 65


def test_columns_have_the_type_of_their_states_and_fit_in_frames():
    rows = forward_samples(WEATHER, 500)
    assert {name: column.dtype.kind for name, column in rows.items()} == {
        "天气": "O", "Wind": "b", "Play": "i",
    }  # fmt: skip
    frame, other = pd.DataFrame(rows), pl.DataFrame(rows)
    assert dict(other.schema) == {"天气": pl.String, "Wind": pl.Boolean, "Play": pl.Int64}
    for name, column in rows.items():
        assert frame[name].tolist() == column.tolist() == other[name].to_list()


def test_states_of_several_kinds_and_very_large_ones_stay_what_they_are():
    for states in [("yes", 1), (True, 2), (1, 2.5), (2**63, 1), (-1, 2**70)]:
        values = state_values(states)
        assert values.dtype == object
        assert [(type(state), state) for state in values.tolist()] == [
            (type(state), state) for state in states
        ]
    assert state_values((0.5, 1.5)).dtype == np.float64


def test_no_rows_and_no_variables():
    assert {name: len(column) for name, column in forward_samples(WEATHER, 0).items()} == {
        "天气": 0, "Wind": 0, "Play": 0,
    }  # fmt: skip
    assert len(forward_samples(WEATHER, 0, given={"Wind": True})["Wind"]) == 0
    assert forward_samples(BeliefNetwork(), 5) == {}


def test_evidence_at_the_roots_costs_no_row():
    """Every row of the prior is kept: with and without evidence the rest is drawn alike."""
    net = BeliefNetwork(states={"Sky": ["sun", "rain"]}, tables={"Sky": [0.5, 0.5]})
    sure = BeliefNetwork(
        [("Sky", "Wet")], {"Sky": [1e-9, 1 - 1e-9], "Wet": [[0.1, 0.9], [0.7, 0.3]]},
        {"Sky": ["sun", "rain"], "Wet": ["yes", "no"]},
    )  # fmt: skip
    assert set(forward_samples(net, 10, given={"Sky": "sun"})["Sky"]) == {"sun"}
    wet = forward_samples(sure, 1_000, given={"Sky": "sun"})["Wet"]  # once in 1e9 rows
    assert 50 < (wet == "yes").sum() < 150


def test_evidence_that_is_too_rare_is_refused_with_what_was_found():
    rare = BeliefNetwork(
        [("Sky", "Wet")], {"Sky": [1e-7, 1 - 1e-7], "Wet": [[1.0, 0.0], [0.0, 1.0]]},
        {"Sky": ["flood", "sun"], "Wet": ["yes", "no"]},
    )  # fmt: skip
    with pytest.raises(
        ValueError, match=r"5 rows must agree with Wet=yes, got 0 of 1,[0-9,]+ that"
    ):
        forward_samples(rare, 5, given={"Wet": "yes"})
    with pytest.raises(
        ValueError, match=r"5 rows must agree with Sky=sun, Wet=yes, got 0 of 0 that"
    ):
        forward_samples(rare, 5, given={"Sky": "sun", "Wet": "yes"})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": -1}, "n must be a whole number of 0 or more, got -1"),
        ({"n": 2.5}, "n must be a whole number"),
        ({"seed": -1}, "seed must be a whole number of 0 or more, got -1"),
        ({"given": {"Rain": True}}, "no variable 'Rain'"),
        ({"given": {"Wind": "storm"}}, "Wind has the states True, False, got 'storm'"),
    ],
    ids=["n", "part", "seed", "variable", "state"],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        forward_samples(WEATHER, **{"n": 5, **arguments})


def test_a_missing_table_is_named():
    with pytest.raises(ValueError, match="Wind has no table yet"):
        forward_samples(BeliefNetwork(states={"Wind": [True, False]}), 5)
