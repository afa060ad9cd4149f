"""Learning networks, beyond the laws of all models: other orders, files, what is refused."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.networks.network import BeliefNetwork
from helpers.comparisons import assert_same, assert_unchanged, state_of
from helpers.examples import at_most

EDGES = [("sky", "wind"), ("sky", "play"), ("wind", "play")]
VALUES = {"sky": ("sun", "rain", "fog"), "wind": (True, False), "play": (2, 10, 0.5)}


@st.composite
def rows_of_words(draw, min_size=1):
    cells = st.fixed_dictionaries({name: st.sampled_from(VALUES[name]) for name in VALUES})
    return draw(st.lists(cells, min_size=min_size, max_size=8))


def new_network(given_states=False):
    return BeliefNetwork(EDGES, states={"sky": ["rain", "snow"]} if given_states else None)


def assert_same_network(ours, theirs):
    assert ours == theirs  # states with their types, and tables bit for bit
    assert_same(ours.statistics_, theirs.statistics_)
    assert ours.smoothing_ == theirs.smoothing_


@at_most(15)
@given(rows_of_words())
def test_the_parts_of_the_joint_are_shares_of_rows_and_no_answer_is_nan(rows):
    net = new_network().fit(rows)
    for name in net.variables:
        values = net.table(name).values
        assert np.isfinite(values).all()
        np.testing.assert_allclose(values.sum(axis=-1), 1, atol=1e-12)


def test_merging_networks_whose_variables_have_another_order():
    rows = [{"sky": "sun", "wind": True, "play": 2}, {"sky": "fog", "wind": False, "play": 10}]
    other = BeliefNetwork(EDGES, states={"play": None, "wind": None, "sky": None}).fit(rows[1:])
    assert_same_network(new_network().fit(rows[:1]).merge(other), new_network().fit(rows))


def test_smoothing_can_be_changed_when_learning_more():
    rows = [{"sky": "sun", "wind": True, "play": 2}, {"sky": "fog", "wind": False, "play": 10}]
    net = new_network().fit(rows[:1]).partial_fit(rows[1:], smoothing=("bdeu", 2))
    assert_same_network(net, new_network().fit(rows, smoothing=("bdeu", 2)))


def test_learning_drops_what_was_compiled():
    rows = [{"sky": "sun", "wind": True, "play": 2}, {"sky": "fog", "wind": False, "play": 10}]
    net = new_network().fit(rows)
    assert net.query("sky")["sun"] == pytest.approx(0.5)
    net.partial_fit(rows[:1] * 2)
    assert net.query("sky")["sun"] == pytest.approx(0.75)


def test_a_learned_network_can_be_pickled_and_learn_on():
    rows = [{"sky": "sun", "wind": True, "play": 2}, {"sky": "fog", "wind": False, "play": 10}]
    net = pickle.loads(pickle.dumps(new_network().fit(rows[:1]))).partial_fit(rows[1:])
    assert_same_network(net, new_network().fit(rows))


# files ------------------------------------------------------------------------------------------


def many_rows(n_rows=300):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "sky": rng.choice(["sun", "rain", "fog"], n_rows),
            "wind": rng.choice(["yes", "no"], n_rows),
            "play": rng.choice([2, 10, 11], n_rows),
            "day": range(n_rows),
        }
    )


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr("bayesic.data.source.MOST_ROWS_PER_BLOCK", 70)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_files_are_learned_in_pieces(tmp_path, ending):
    rows, path = many_rows(), tmp_path / f"rows.{ending}"
    rows.to_csv(path, index=False) if ending == "csv" else rows.to_parquet(path)
    weights = np.arange(300) % 4
    assert_same_network(new_network().fit(str(path)), new_network().fit(rows))
    weighted = new_network().fit(path, sample_weight=weights)
    assert_same_network(weighted, new_network().fit(rows, sample_weight=weights))
    learned_more = new_network().fit(rows[:100]).partial_fit(path).forget(rows[:100])
    assert_same_network(learned_more, new_network().fit(rows))
    np.testing.assert_array_equal(weighted.predict(path, "sky"), weighted.predict(rows, "sky"))


@pytest.mark.usefixtures("small_blocks")
def test_gaps_and_weights_of_a_file_are_told_by_row(tmp_path):
    rows, path = many_rows(), tmp_path / "rows.csv"
    rows.to_csv(path, index=False)
    net = new_network().fit(rows)
    before = state_of(net)
    for number in (69, 299, 301):
        with pytest.raises(ValueError, match=f"one weight for each row, got {number} for"):
            net.partial_fit(path, sample_weight=[1] * number)
    rows.loc[150, "wind"] = None
    rows.to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"'wind' is null in 1 .* row 150"):
        net.partial_fit(path)
    assert_unchanged(net, before)


def test_codes_in_a_file_are_read_as_the_states_are(tmp_path):
    path = tmp_path / "doors.csv"
    path.write_text("door\n1.0\n2.0\n1.0\n")
    texts = BeliefNetwork(states={"door": ["2.0", "1.0"]}).fit(path)
    assert texts.table("door").values.tolist() == [1 / 3, 2 / 3]
    assert BeliefNetwork(states={"door": None}).fit(path).states("door") == (1, 2)
    assert BeliefNetwork(states={"door": [2, 1]}).fit(path).states("door") == (2, 1)


# what is refused --------------------------------------------------------------------------------


def test_nothing_can_be_added_to_tables_without_counts():
    net = BeliefNetwork(tables={"sky": {"sun": 0.5, "rain": 0.5}})
    with pytest.raises(ValueError, match="were given without any. Use fit"):
        net.partial_fit({"sky": ["sun"]})
    for ask in (net.forget, net.merge, lambda rows: net.leave_one_out(rows, "sky")):
        with pytest.raises(ValueError, match="not learned any rows"):
            ask({"sky": ["sun"]})
    with pytest.raises(ValueError, match="not learned any rows"):
        net.save("network.bayes")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"sky": "snow", "wind": True, "play": 2}], "'snow' was never seen in column 'sky'"),
        ([{"sky": "sun", "wind": True, "play": 10}], "Only what was learned"),
        ([{"sky": "sun", "wind": None, "play": 2}], "null"),
        ([{"sky": "sun", "wind": True, "play": 2}], "all the rows that were learned"),
    ],
    ids=["state", "row", "null", "all"],
)
def test_a_failed_forget_changes_nothing(rows, message):
    net = new_network().fit([{"sky": "sun", "wind": True, "play": 2}])
    before = state_of(net)
    with pytest.raises(ValueError, match=message):
        net.forget(rows)
    assert_unchanged(net, before)


def test_all_rows_can_be_forgotten_where_the_states_were_given():
    net = BeliefNetwork(states={"sky": ["sun", "rain"]}).fit({"sky": ["sun"]})
    assert net.forget({"sky": ["sun"]}).table("sky").values.tolist() == [0.5, 0.5]


def test_only_networks_of_the_same_edges_can_be_merged():
    rows = [{"sky": "sun", "wind": True, "play": 2}]
    net = new_network().fit(rows)
    before = state_of(net)
    with pytest.raises(ValueError, match="differ in 'play'"):
        net.merge(BeliefNetwork(EDGES[:2]).fit(rows))
    with pytest.raises(TypeError, match="got a dict"):
        net.merge({})
    assert_unchanged(net, before)
