"""Networks that are too wide as a whole: what was observed is looked at first."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given

from bayesic.networks._engine import triangulation
from bayesic.networks.network import BeliefNetwork
from helpers.enumeration import joint_table, marginal, random_given, sparse_networks, with_evidence
from helpers.examples import at_most
from helpers.network_examples import grid

some = at_most(40)


@pytest.fixture(scope="module")
def wide():
    return grid(20)


@pytest.fixture(scope="module")
def row(wide):
    return {name: column[0] for name, column in wide.sample(1, seed=1).items()}


def log_product(net, row):
    """log P of a complete row: a product of one number from each table."""
    return sum(
        log(net.table(name)[(*(row[parent] for parent in net.parents(name)), row[name])])
        for name in net.variables
    )


def by_product(net, row, variables):
    """P(variables | all else) from the products of all complete rows that agree with the rest."""
    shape = [2] * len(variables)
    logs = np.empty(shape)
    for place in np.ndindex(*shape):
        states = {name: net.states(name)[s] for name, s in zip(variables, place, strict=True)}
        logs[place] = log_product(net, {**row, **states})
    shares = np.exp(logs - logs.max())
    return shares / shares.sum(), log(shares.sum()) + logs.max()


def test_the_whole_is_refused_with_names_and_what_would_help(wide):
    with pytest.raises(MemoryError) as refusal:
        wide.query()
    text = str(refusal.value)
    assert "An exact answer may take 4.3 GB of memory, and this one needs" in text
    assert "largest table is over" in text
    assert "'cell " in text
    assert "would help most" in text
    assert "method='likelihood-weighting'" in text
    helpers = text.split("Observe more: ")[1].split(" would help")[0].split(", ")
    assert set(helpers) <= set(wide.variables)


def test_one_search_for_an_order_is_enough_to_refuse(monkeypatch):
    searched, search = [], triangulation.searched_elimination

    def counted(neighbours, cardinalities):
        searched.append(len(neighbours))
        return search(neighbours, cardinalities)

    monkeypatch.setattr("bayesic.networks._engine.tree.searched_elimination", counted)
    net = grid(50)
    for cell in ("cell 49 49", "cell 49 48"):
        with pytest.raises(MemoryError, match="would help most"):
            net.query("cell 0 0", {cell: net.states(cell)[0]})
    assert searched == [2500]
    column = {f"cell {line} 5": net.states(f"cell {line} 5")[0] for line in range(50)}
    assert net.query("cell 0 0", column).probabilities.sum() == pytest.approx(1)


def test_a_complete_row_is_a_product_of_single_numbers(wide, row):
    found = wide.log_probability({name: [state] for name, state in row.items()})
    assert found[0] == pytest.approx(log_product(wide, row), rel=1e-12)
    assert wide.probability_of(row) == pytest.approx(exp(log_product(wide, row)), rel=1e-9)


def test_rows_with_gaps_are_answered_as_single_questions_are(wide, row):
    gaps = ["cell 3 3", "cell 3 4", "cell 4 3", "cell 12 9"]
    seen = {name: state for name, state in row.items() if name not in gaps}
    shares, log_evidence = by_product(wide, row, gaps)
    table = [seen, {**seen, "cell 3 3": row["cell 3 3"]}]
    answers = wide.posteriors(table, gaps)
    for place, name in enumerate(gaps):
        expected = shares.sum(axis=tuple(axis for axis in range(4) if axis != place))
        np.testing.assert_allclose(answers[name][0], expected, rtol=1e-9)
        np.testing.assert_allclose(wide.query(name, seen).probabilities, expected, rtol=1e-9)
    assert answers["cell 3 3"][1].max() == 1.0
    np.testing.assert_allclose(wide.log_probability([seen])[0], log_evidence, rtol=1e-12)
    np.testing.assert_allclose(wide.predict_proba([seen], gaps[0])[0], answers[gaps[0]][0])
    np.testing.assert_allclose(wide.query(gaps, seen).probabilities, shares, rtol=1e-9)
    best = np.unravel_index(shares.argmax(), shares.shape)
    found = wide.most_probable(seen)
    assert [found[name] for name in gaps] == [
        wide.states(name)[state] for name, state in zip(gaps, best, strict=True)
    ]


def test_rows_that_cannot_happen_are_told_from_others_without_the_whole_tree(wide, row):
    sure = wide.with_tables({"cell 0 0": [1.0, 0.0]})
    seen = {name: state for name, state in row.items() if name not in ("cell 5 5", "cell 5 6")}
    table = [{**seen, "cell 0 0": "white"}, {**seen, "cell 0 0": "black"}]
    assert (sure.log_probability(table) > -np.inf).tolist() == [False, True]
    with pytest.warns(UserWarning, match="1 of 2 rows have evidence that cannot happen"):
        answers = sure.posteriors(table, "cell 5 5")["cell 5 5"]
    np.testing.assert_allclose(answers.sum(axis=1), [0.0, 1.0])


@given(sparse_networks(max_variables=6))
@some
def test_events_have_the_probability_of_the_joint_table(case):
    net, rng = case
    event = {
        name: list(rng.choice(np.array(net.states(name), object), rng.integers(0, 3)))
        for name in net.variables
        if rng.random() < 0.6
    }
    given_states = random_given(net, rng, 0.3)
    joint = with_evidence(net, joint_table(net), given_states)
    if joint.sum() == 0:
        with pytest.raises(ValueError, match="cannot happen"):
            net.probability_of(event, given_states)
        return
    inside = {
        name: [float(any(state == its for its in states)) for state in net.states(name)]
        for name, states in event.items()
    }
    both = with_evidence(net, joint, {}, inside)
    expected = both.sum() / joint.sum()
    assert net.probability_of(event, given_states) == pytest.approx(expected, rel=1e-9, abs=1e-15)


@given(sparse_networks(max_variables=6))
@some
def test_joint_answers_stay_right_where_trees_are_restricted(case):
    net, rng = case
    given_states = random_given(net, rng, 0.3)
    joint = with_evidence(net, joint_table(net), given_states)
    free = [name for name in net.variables if name not in given_states]
    if joint.sum() == 0 or len(free) < 2:
        return
    found = net.query(free[:3], given_states).probabilities
    np.testing.assert_allclose(found, marginal(net, joint, free[:3]), atol=1e-12)


def test_most_probable_states_of_thousands_of_children():
    """Each child is most probable given the best state of its parent."""
    rng = np.random.default_rng(0)
    names = [f"symptom {number}" for number in range(3000)]
    shares = rng.uniform(0.1, 0.9, (3000, 2))
    tables = {"illness": [0.3, 0.7]}
    tables |= {name: np.stack([its, 1 - its], 1) for name, its in zip(names, shares, strict=True)}
    states = {"illness": ["flu", "cold"]} | {name: ["yes", "no"] for name in names}
    net = BeliefNetwork([("illness", name) for name in names], tables, states)
    best = net.most_probable()
    scores = np.log([0.3, 0.7]) + np.log(np.maximum(shares, 1 - shares)).sum(axis=0)
    assert best["illness"] == ["flu", "cold"][int(scores.argmax())]
    assert best.log_probability == pytest.approx(scores.max(), rel=1e-9)


def test_rows_with_evidence_that_is_too_rare_are_refused_in_short(wide):
    seen = dict.fromkeys(wide.variables[::2], "black")
    with pytest.raises(ValueError, match=r"and 190 more, got 0 of .* the evidence is too rare"):
        wide.sample(2, given=seen)
