"""Edits of a network: what stays, what is summed out, and what comes back."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.datasets.networks import asia, campfire
from bayesic.networks import editing
from bayesic.networks.editing import (
    renamed_state,
    renamed_variable,
    with_edge,
    with_noisy_or,
    with_rows,
    with_state,
    with_variable,
    without_edge,
    without_state,
    without_variable,
)
from bayesic.networks.network import BeliefNetwork
from bayesic.networks.variable_names import state_like
from helpers.enumeration import joint_table, marginal, sparse_networks
from helpers.examples import at_most

some = at_most(60)
PLACES = {"asia": (10.0, 20.0), "lung": (30.0, 40.0)}


def close(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


def some_of(rng, names):
    return str(rng.choice(list(names)))


def assert_conditional(net, values, child, rest):
    """These are P(child | rest) of the joint table, wherever the rest can happen."""
    both = marginal(net, joint_table(net), [*rest, child])
    sums = both.sum(axis=-1, keepdims=True)
    happens = np.broadcast_to(sums > 0, both.shape)
    close(values[happens], (both / np.where(sums > 0, sums, 1))[happens])
    close(values.sum(axis=-1), np.ones(values.shape[:-1]))


# edges --------------------------------------------------------------------------------------------


@given(sparse_networks(max_variables=6))
@some
def test_a_new_parent_changes_nothing_and_goes_without_a_trace(case):
    net, rng = case
    order = net.topological_order()
    child = some_of(rng, order)
    free = [name for name in order[: order.index(child)] if name not in net.parents(child)]
    if not free:
        return
    parent = some_of(rng, free)
    edited = with_edge(net, parent, child)
    assert edited.parents(child) == (*net.parents(child), parent)
    close(joint_table(edited), joint_table(net))
    for row in range(len(net.states(parent))):
        assert np.array_equal(edited.table(child).values[..., row, :], net.table(child).values)
    assert without_edge(edited, parent, child) == net


@given(sparse_networks(max_variables=7))
@some
def test_a_parent_that_goes_is_summed_out_of_its_child(case):
    net, rng = case
    if not net.edges:
        return
    parent, child = net.edges[rng.integers(len(net.edges))]
    edited = without_edge(net, parent, child)
    rest = [name for name in net.parents(child) if name != parent]
    assert edited.parents(child) == tuple(rest)
    assert edited.variables == net.variables
    assert_conditional(net, edited.table(child).values, child, rest)
    before, after = joint_table(net), joint_table(edited)
    close(marginal(edited, after, [*rest, child]), marginal(net, before, [*rest, child]))
    above = [name for name in net.variables if name not in (child, *net.descendants(child))]
    close(marginal(edited, after, above), marginal(net, before, above))
    for name in net.variables:
        if name != child:
            assert edited.table(name) == net.table(name)


def test_a_cycle_is_refused_by_name():
    with pytest.raises(ValueError, match="asia -> tub -> either -> xray -> asia"):
        with_edge(asia(), "xray", "asia")
    with pytest.raises(ValueError, match="lung -> lung"):
        with_edge(asia(), "lung", "lung")


def test_the_numbers_of_a_small_case_are_exact_fractions():
    edited = without_edge(asia(), "smoke", "lung")
    half, tenth, hundredth = Fraction(1, 2), Fraction(1, 10), Fraction(1, 100)
    assert edited.table("lung")["yes"] == pytest.approx(float(half * tenth + half * hundredth))
    # rain and sprinkler are not independent: weights are P(rain | sprinkler), not P(rain)
    pair = ("yes", "no")
    lawn = BeliefNetwork(
        [("rain", "sprinkler"), ("rain", "wet"), ("sprinkler", "wet")],
        {
            "rain": [0.25, 0.75],
            "sprinkler": [[0.125, 0.875], [0.5, 0.5]],
            "wet": [[[1, 0], [0.75, 0.25]], [[0.5, 0.5], [0, 1]]],
        },
        dict.fromkeys(["rain", "sprinkler", "wet"], pair),
    )
    dry_rain = Fraction(1, 4) * Fraction(7, 8)
    dry_sun = Fraction(3, 4) * Fraction(1, 2)
    expected = dry_rain / (dry_rain + dry_sun) * Fraction(3, 4)
    wet = without_edge(lawn, "rain", "wet").table("wet")
    assert wet["no", "yes"] == pytest.approx(float(expected), rel=1e-15)


# variables ----------------------------------------------------------------------------------------


@given(sparse_networks(max_variables=6))
@some
def test_a_variable_that_goes_is_summed_out_of_all_its_children(case):
    net, rng = case
    gone = some_of(rng, net.variables)
    edited = without_variable(net, gone)
    assert edited.variables == tuple(name for name in net.variables if name != gone)
    for name in edited.variables:
        rest = tuple(parent for parent in net.parents(name) if parent != gone)
        assert edited.parents(name) == rest
        if gone in net.parents(name):
            assert_conditional(net, edited.table(name).values, name, rest)
        else:
            assert edited.table(name) == net.table(name)


@given(sparse_networks(max_variables=6))
@some
def test_a_new_variable_goes_without_a_trace(case):
    net, _ = case
    edited = with_variable(net, "天气", ["晴", 3, True])
    assert edited.variables == (*net.variables, "天气")
    assert edited.states("天气") == ("晴", 3, True)
    assert edited.query("天气")["晴"] == pytest.approx(1 / 3)
    assert without_variable(edited, "天气") == net


@given(sparse_networks(max_variables=6))
@some
def test_a_name_changes_nothing_else_and_comes_back(case):
    net, rng = case
    old = some_of(rng, net.variables)
    edited = renamed_variable(net, old, "新名")
    assert edited.variables == tuple("新名" if name == old else name for name in net.variables)
    assert np.array_equal(joint_table(edited), joint_table(net))
    assert set(edited.children("新名")) == set(net.children(old))
    assert renamed_variable(edited, "新名", old) == net
    assert renamed_variable(net, old, old) == net


# states -------------------------------------------------------------------------------------------


@given(sparse_networks(max_variables=6))
@some
def test_a_new_state_changes_no_answer_and_goes_without_a_trace(case):
    net, rng = case
    name = some_of(rng, net.variables)
    edited = with_state(net, name, "formerly")
    assert edited.states(name) == (*net.states(name), "formerly")
    axis = net.variables.index(name)
    before, after = joint_table(net), joint_table(edited)
    assert np.array_equal(after.take(range(before.shape[axis]), axis), before)
    assert not after.take([-1], axis).any()
    for child in net.children(name):
        rows = edited.table(child).values.take([-1], edited.parents(child).index(name))
        assert np.ptp(rows) == 0  # uniform
    assert without_state(edited, name, "formerly") == net


@given(sparse_networks(max_variables=6))
@some
def test_a_state_that_goes_leaves_the_others_in_proportion(case):
    net, rng = case
    name = some_of(rng, net.variables)
    states = net.states(name)
    if len(states) == 1:
        with pytest.raises(ValueError, match=f"{name} must have at least one state"):
            without_state(net, name, states[0])
        return
    number = int(rng.integers(len(states)))
    edited = without_state(net, name, states[number])
    assert edited.states(name) == states[:number] + states[number + 1 :]
    table, old = edited.table(name).values, net.table(name).values
    for place in product(*map(range, old.shape[:-1])):
        left = np.delete(old[place], number)
        expected = left / left.sum() if left.sum() else np.full(len(left), 1 / len(left))
        close(table[place], expected)
    for child in net.children(name):
        axis = net.parents(child).index(name)
        kept = np.delete(net.table(child).values, number, axis)
        assert np.array_equal(edited.table(child).values, kept)


@given(sparse_networks(max_variables=6))
@some
def test_without_parents_it_is_the_network_given_that_the_state_does_not_occur(case):
    net, rng = case
    roots = [name for name in net.variables if not net.parents(name) and len(net.states(name)) > 1]
    if not roots:
        return
    name = some_of(rng, roots)
    joint = joint_table(net)
    left = np.delete(joint, 0, net.variables.index(name))
    if left.sum() > 0:
        edited = without_state(net, name, net.states(name)[0])
        close(joint_table(edited), left / left.sum())


@given(sparse_networks(max_variables=5))
@some
def test_a_state_is_renamed_and_back_and_others_keep_their_kind(case):
    net, rng = case
    name = some_of(rng, net.variables)
    number = int(rng.integers(len(net.states(name))))
    old = net.states(name)[number]
    edited = renamed_state(net, name, old, 7.5)
    assert edited.states(name)[number] == 7.5
    kinds = [type(state) for state in net.states(name)]
    kinds[number] = float
    assert [type(state) for state in edited.states(name)] == kinds
    assert np.array_equal(joint_table(edited), joint_table(net))
    assert renamed_state(edited, name, 7.5, old) == net


def test_a_typed_state_is_of_the_kind_of_the_others():
    assert state_like("3", (1, 2)) == 3
    assert type(state_like("3", (1, 2))) is int
    assert state_like("0.5", (1, 2)) == 0.5
    assert state_like("nan", (1, 2)) == "nan"
    assert state_like("3", ("1", 2)) == "3"
    assert state_like("no", (True,)) == "no"
    assert state_like("False", (True,)) is False
    assert state_like("3", ()) == "3"


# tables -------------------------------------------------------------------------------------------


@given(sparse_networks(max_variables=6))
@some
def test_the_rows_of_a_table_give_it_back(case):
    net, rng = case
    name = some_of(rng, net.variables)
    rows = [shares.tolist() for _, shares in net.table(name).rows()]
    assert with_rows(net, name, rows) == net
    times = [[3 * share for share in row] for row in rows]
    edited = with_rows(net, name, times, normalise=True)
    close(edited.table(name).values, net.table(name).values)


probabilities = st.fractions(0, 1, max_denominator=64)


@given(st.lists(probabilities, min_size=1, max_size=4), probabilities, st.booleans())
@some
def test_noisy_or_is_one_minus_what_all_fail_to_do(alone, leak, present_is_second):
    names = [f"cause {number}" for number in range(len(alone))]
    pair = (False, True) if present_is_second else ("yes", "no")
    net = BeliefNetwork(
        [(name, "effect") for name in names], states=dict.fromkeys([*names, "effect"], pair)
    )
    causes = {name: float(p) for name, p in zip(names, alone, strict=True)}
    table = with_noisy_or(net, "effect", causes, float(leak)).table("effect")
    present = True if present_is_second else "yes"
    for states, row in table.rows():
        fails = (1 - leak) * math.prod(
            1 - p for p, state in zip(alone, states, strict=True) if state == present
        )
        assert row[pair.index(present)] == pytest.approx(float(1 - fails), abs=1e-15)


def test_noisy_or_takes_another_state_for_present():
    net = with_noisy_or(asia(), "lung", {"smoke": 0.25}, present={"smoke": "no", "lung": "no"})
    assert net.table("lung")["no", "no"] == pytest.approx(0.25)
    assert net.table("lung")["yes", "no"] == 0


# all of them --------------------------------------------------------------------------------------


EDITS = {
    "with_variable": lambda net: with_variable(net, "fever", position=(1, 2)),
    "renamed_variable": lambda net: renamed_variable(net, "lung", "cancer"),
    "without_variable": lambda net: without_variable(net, "lung"),
    "with_state": lambda net: with_state(net, "lung", "maybe"),
    "renamed_state": lambda net: renamed_state(net, "lung", "yes", "ja"),
    "without_state": lambda net: without_state(net, "lung", "yes"),
    "with_edge": lambda net: with_edge(net, "asia", "lung"),
    "without_edge": lambda net: without_edge(net, "smoke", "lung"),
    "with_rows": lambda net: with_rows(net, "lung", [[0.5, 0.5], [0.5, 0.5]]),
    "with_noisy_or": lambda net: with_noisy_or(net, "lung", {"smoke": 0.3}),
}


@pytest.mark.parametrize("name", EDITS)
def test_positions_go_along_and_the_first_network_stays(name):
    first = asia().with_positions(PLACES)
    edited = EDITS[name](first)
    assert first == asia()
    assert first.positions == PLACES
    expected = dict(PLACES)
    if name == "with_variable":
        expected["fever"] = (1.0, 2.0)
    if name == "renamed_variable":
        expected["cancer"] = expected.pop("lung")
    if name == "without_variable":
        del expected["lung"]
    assert edited.positions == expected
    assert edited != first
    assert edited.query()["asia"]  # and it answers


def test_every_edit_is_tested():
    public = {name for name, its in vars(editing).items() if callable(its)
              and its.__module__ == editing.__name__ and name[0] != "_"}  # fmt: skip
    assert public == {*EDITS}


@pytest.mark.parametrize("name", EDITS)
def test_only_networks_are_edited(name):
    with pytest.raises(TypeError, match="Only a BeliefNetwork can be edited, got a dict"):
        EDITS[name]({})


def test_tables_that_are_missing_stay_missing():
    net = campfire()  # of which the book prints one table
    edited = with_edge(with_state(net, "Storm", "heavy"), "Storm", "BusTourGroup")
    assert edited.variables_without_table == ("Storm", "BusTourGroup")
    fewer = without_edge(net, "Storm", "Campfire")  # P(Storm) is not known: both states weigh 1/2
    both = net.table("Campfire").values
    close(fewer.table("Campfire").values, (both[0] + both[1]) / 2)
    assert without_variable(net, "Storm").variables_without_table == ("BusTourGroup",)


REFUSED = {
    "taken": (lambda net: with_variable(net, "lung"), "there already is a variable 'lung'"),
    "blank": (lambda net: with_variable(net, " "), "named by a text"),
    "no states": (lambda net: with_variable(net, "fever", []), "at least one state"),
    "rename taken": (lambda net: renamed_variable(net, "lung", "asia"), "a variable 'asia'"),
    "rename none": (lambda net: renamed_variable(net, "lungs", "cancer"), "no variable 'lungs'"),
    "delete none": (lambda net: without_variable(net, "lungs"), "no variable 'lungs'"),
    "same state": (lambda net: with_state(net, "lung", "yes"), "got 'yes' more than once"),
    "state taken": (lambda net: renamed_state(net, "lung", "yes", "no"), "'no' more than once"),
    "no state": (lambda net: without_state(net, "lung", "so"), "states 'yes', 'no', got 'so'"),
    "edge there": (lambda net: with_edge(net, "smoke", "lung"), "an edge smoke -> lung already"),
    "edge none": (lambda net: without_edge(net, "asia", "lung"), "no edge asia -> lung"),
    "edge from none": (lambda net: with_edge(net, "lungs", "asia"), "no variable 'lungs'"),
    "rows": (lambda net: with_rows(net, "lung", [[1, 0]]), "2 rows of 2 numbers.*1 rows of 2 num"),
    "columns": (lambda net: with_rows(net, "asia", [[1]]), "1 rows of 2 numbers.*1 rows of 1 numb"),
    "no rows": (lambda net: with_rows(net, "asia", []), "1 rows of 2 .*got 0 rows of 0 numbers"),
    "sums": (lambda net: with_rows(net, "asia", [[0.5, 0.4]]), "must sum to 1"),
    "zeros": (lambda net: with_rows(net, "asia", [[0, 0]], True), "cannot be divided by its sum"),
    "words": (lambda net: with_rows(net, "asia", [["a", 1]]), "The table of asia"),
    "causes": (lambda net: with_noisy_or(net, "lung", {"asia": 1}), "are 'smoke'; got 'asia'"),
    "no causes": (lambda net: with_noisy_or(net, "asia", {}), "list of 1 to 16 probabilities"),
    "number": (lambda net: with_noisy_or(net, "lung", {"smoke": 1.5}), "from 0 to 1, got .*1.5"),
    "leak": (lambda net: with_noisy_or(net, "lung", {"smoke": 1}, leak=2), "leak must be prob"),
    "three": (lambda net: with_noisy_or(with_state(net, "smoke", "x"), "lung", {"smoke": 1}),
              "two states"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_edited_is_refused(name):
    edit, message = REFUSED[name]
    with pytest.raises(ValueError, match=message):
        edit(asia())


def test_a_table_that_would_fill_the_memory_is_refused():
    names = [f"v{number}" for number in range(30)]
    net = BeliefNetwork(tables={name: {"yes": 0.5, "no": 0.5} for name in names})
    with pytest.raises(ValueError, match="at most 10,000,000 cells, and that of v0 would have"):
        for name in names[1:]:
            net = with_edge(net, name, "v0")


def test_rows_are_a_list_of_lists():
    for rows in (None, 3, [1, 2]):
        with pytest.raises(TypeError, match="a list of rows, each a list of numbers; got"):
            with_rows(asia(), "lung", rows)
