"""Questions over HTTP are answered as the library answers them."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.datasets import asia
from bayesic.networks.network import BeliefNetwork
from bayesic.studio.network._given_evidence import evidence_of
from bayesic.studio.network.files import bytes_of
from helpers.examples import at_most
from helpers.http_server import ask
from helpers.studio_server import Desk, open_example, studying, upload

NET = asia()


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with studying(tmp_path_factory.mktemp("studio") / "studio.store") as address:
        yield open_example(address)


def told(answer):
    return {name: np.array(its) for name, its in answer["probabilities"].items()}


def assert_same(answer, marginals):
    assert list(answer["probabilities"]) == list(marginals)
    for name, probabilities in told(answer).items():
        assert np.array_equal(probabilities, marginals[name].probabilities)


def test_evidence_gives_the_digits_of_the_library(desk):
    answer = desk.ask(version=0, evidence={"given": {"xray": 0, "smoke": 1}})
    assert_same(answer, NET.query(given={"xray": "yes", "smoke": "no"}))
    assert answer["method"] == "exact" and answer["standard_errors"] is None
    joint = NET.probability_of({"xray": "yes", "smoke": "no"})
    assert np.exp(answer["log_probability"]) == pytest.approx(joint, rel=1e-12)


def test_evidence_is_exact(desk):
    """P(lung | xray) from the tables, by hand: tub and lung are independent, given nothing."""
    tub, lung = 0.01 * 0.05 + 0.99 * 0.01, 0.5 * 0.1 + 0.5 * 0.01
    either = tub + lung - tub * lung
    xray = 0.98 * either + 0.05 * (1 - either)
    answer = desk.ask(evidence={"given": {"xray": 0}})
    assert answer["probabilities"]["lung"][0] == pytest.approx(0.98 * lung / xray, rel=1e-12)
    assert np.exp(answer["log_probability"]) == pytest.approx(xray, rel=1e-12)


def test_one_of_some_states_is_a_likelihood_of_ones(desk):
    evidence = {"some": {"smoke": [1]}, "likelihoods": {"dysp": [0.9, 0.2]}, "given": {"asia": 0}}
    likelihoods = {"smoke": [0, 1], "dysp": [0.9, 0.2]}
    expected = NET.query(given={"asia": "yes"}, likelihoods=likelihoods)
    assert_same(desk.ask(evidence=evidence), expected)


def test_some_states_and_likelihoods_of_the_same_variable_multiply(desk):
    evidence = {"some": {"smoke": [0]}, "likelihoods": {"smoke": [0.5, 0.9]}}
    assert_same(desk.ask(evidence=evidence), NET.query(likelihoods={"smoke": [0.5, 0.0]}))


def test_a_belief_becomes_what_is_told(desk):
    told = {"given": {"xray": 0}, "becomes": {"smoke": [0.2, 0.8]}}
    found = desk.ask(evidence=told)
    expected = NET.query(given={"xray": "yes"}, distributions={"smoke": [0.2, 0.8]})
    for name in NET.variables:
        assert found["probabilities"][name] == pytest.approx(expected[name].probabilities.tolist())
    assert found["log_probability"] is None
    soft = {"smoke": [0.2 * (1 - p) / p for p in [NET.query("smoke", {"xray": "yes"})["yes"]]]}
    soft["smoke"].append(0.8)
    best = desk.post("most-probable", {"evidence": told})["states"]
    likeliest = NET.most_probable({"xray": "yes"}, soft)
    assert {name: NET.states(name)[number] for name, number in best.items()} == dict(likeliest)
    bits = {
        one["variable"]: one["bits"]
        for one in desk.post("ask-next", {"evidence": told, "target": "lung"})
    }
    assert bits == pytest.approx(dict(NET.mutual_information("lung", {"xray": "yes"}, soft)))
    assert "exact" in desk.ask(evidence=told, samples=100)["refused"]
    both = {"do": {"smoke": 0}, "becomes": {"smoke": [0.2, 0.8]}}
    assert "smoke" in desk.ask(evidence=both)["refused"]


def test_what_is_set_is_cut_from_its_causes(desk):
    answer = desk.ask(evidence={"do": {"lung": 0}, "given": {"xray": 0}})
    assert_same(answer, NET.query(do={"lung": "yes"}, given={"xray": "yes"}))
    assert answer["probabilities"]["smoke"] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("evidence", "variables"),
    [
        ({"given": {"tub": 0, "either": 1, "smoke": 0}}, ["tub", "either"]),
        ({"given": {"either": 1}, "some": {"tub": [0]}}, ["either", "tub"]),
        ({"given": {"lung": 0}, "do": {"either": 1}, "likelihoods": {"xray": [0.5, 0.5]}}, None),
        ({"do": {"tub": 0}, "given": {"either": 1}}, ["tub", "either"]),
    ],
)
def test_what_cannot_happen_is_named(desk, evidence, variables):
    answer = desk.ask(evidence=evidence)
    if variables is None:  # what is set does not clash with its causes
        assert "impossible" not in answer
        return
    assert {*answer["impossible"]["variables"]} == {*variables}
    assert "cannot happen" in answer["impossible"]["sentence"]
    for question in ("most-probable", "ask-next"):
        body = {"evidence": evidence} | ({"target": "lung"} if question == "ask-next" else {})
        assert "impossible" in desk.post(question, body)


def test_samples_come_with_their_error(desk):
    answer = desk.ask(evidence={"given": {"smoke": 0}}, samples=20_000)
    assert answer["method"] == "likelihood-weighting" and answer["samples"] == 20_000
    sampled = NET.query(given={"smoke": "yes"}, method="likelihood-weighting", samples=20_000)
    assert_same(answer, sampled)
    errors = answer["standard_errors"]["lung"]
    assert errors == [sampled["lung"].standard_error[state] for state in ("yes", "no")]
    exact = NET.query("lung", given={"smoke": "yes"})
    assert abs(answer["probabilities"]["lung"][0] - exact["yes"]) < 5 * errors[0]


def test_the_most_probable_states_are_those_of_the_library(desk):
    evidence = {"given": {"dysp": 0}, "likelihoods": {"xray": [0.9, 0.1]}}
    answer = desk.post("most-probable", {"evidence": evidence})
    best = NET.most_probable({"dysp": "yes"}, {"xray": [0.9, 0.1]})
    states = {name: NET.states(name)[number] for name, number in answer["states"].items()}
    assert states == best
    assert answer["probability"] == best.probability
    assert answer["log_probability"] == best.log_probability


def test_what_to_ask_next_is_ranked_in_bits(desk):
    answer = desk.post("ask-next", {"target": "lung", "evidence": {"given": {"xray": 0}}})
    bits = NET.mutual_information("lung", {"xray": "yes"})
    assert [(each["variable"], each["bits"]) for each in answer] == list(bits.items())


def test_separation_tells_the_open_path(desk):
    body = {"from": "asia", "to": "smoke", "evidence": {"given": {"dysp": 0}}}
    answer = desk.post("separation", body)
    assert answer["connected"] == NET.d_connected("asia", ["dysp"])
    assert answer["path"] == NET.open_path("asia", "smoke", ["dysp"])
    assert answer["separated"] == []
    nothing = desk.post("separation", {"from": "asia", "to": "smoke"})
    assert nothing["path"] is None and {"smoke", "lung", "bronc"} <= {*nothing["separated"]}
    alone = desk.post("separation", {"from": "asia"})
    assert alone["path"] is None and alone["connected"] == nothing["connected"]


def test_soft_evidence_opens_a_collider_and_do_closes_it(desk):
    soft = {"from": "tub", "to": "lung", "evidence": {"likelihoods": {"xray": [0.9, 0.1]}}}
    assert desk.post("separation", soft)["path"] == ["tub", "either", "lung"]
    cut = {"from": "smoke", "to": "xray", "evidence": {"do": {"either": 0}}}
    assert desk.post("separation", cut)["path"] is None


def test_the_table_has_a_row_for_each_combination_of_the_parents(desk):
    table = desk.get("table/dysp")
    assert [each["name"] for each in table["parents"]] == list(NET.parents("dysp"))
    assert table["rows"] == NET.table("dysp").values.reshape(-1, 2).tolist()
    assert table["rows"][1][0] == 0.8  # bronchitis, neither of the other two
    assert not table["missing"]


@pytest.mark.parametrize(
    "body",
    [
        {"version": 9},
        {"version": "0"},
        {"evidence": []},
        {"evidence": {"known": {}}},
        {"evidence": {"given": []}},
        {"evidence": {"given": {"nothing": 0}}},
        {"evidence": {"given": {"xray": 2}}},
        {"evidence": {"given": {"xray": -1}}},
        {"evidence": {"given": {"xray": True}}},
        {"evidence": {"given": {"xray": "yes"}}},
        {"evidence": {"given": {"xray": None}}},
        {"evidence": {"some": {"xray": []}}},
        {"evidence": {"some": {"xray": [7]}}},
        {"evidence": {"likelihoods": {"xray": [0, 0]}}},
        {"evidence": {"likelihoods": {"xray": [1]}}},
        {"evidence": {"likelihoods": {"xray": ["a", "b"]}}},
        {"evidence": {"likelihoods": {"xray": [1, -1]}}},
        {"evidence": {"likelihoods": {"xray": 7}, "some": {"xray": [0]}}},
        {"evidence": {"do": {"xray": 0}, "given": {"xray": 0}}},
        {"samples": 0},
        {"samples": 10**12},
        {"samples": "many"},
        {"samples": True},
    ],
)
def test_what_cannot_be_asked_is_said_with_a_sentence(desk, body):
    assert desk.ask(**body)["refused"].endswith(".")


@pytest.mark.parametrize("target", ["nothing", None, 7, ["lung"], "xray"])
def test_a_target_that_cannot_be_asked_about_is_refused(desk, target):
    body = {"target": target, "evidence": {"given": {"xray": 0}}}
    assert desk.post("ask-next", body)["refused"].endswith(".")
    if target != "xray":
        assert desk.post("separation", {"from": "lung", "to": target or 7})["refused"]


NUMBERS = st.integers(0, 1)
EVIDENCE = st.fixed_dictionaries(
    {},
    optional={
        "given": st.dictionaries(st.sampled_from(NET.variables[:4]), NUMBERS),
        "likelihoods": st.dictionaries(
            st.sampled_from(NET.variables[4:]), st.tuples(*[st.floats(0.01, 1)] * 2).map(list)
        ),
    },
)


@at_most(20)
@given(EVIDENCE)
def test_any_evidence_gives_the_digits_of_the_library(desk, evidence):
    answer = desk.ask(evidence=evidence)
    by_name = evidence_of(NET, evidence)
    assert_same(answer, NET.query(None, by_name.given, by_name.likelihoods))


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(["version", "evidence", "exact", "samples", "target", "from", "to"])


@at_most(40)
@given(
    st.sampled_from(["ask", "conflict", "most-probable", "ask-next", "separation", "head", "edit"]),
    st.dictionaries(FIELDS, JUNK, max_size=4),
)
def test_junk_is_never_a_failure_of_the_server(desk, question, body):
    answer = ask(desk.address, "POST", f"/studio/documents/asia/{question}", body)
    assert answer.status in (200, 422), (answer.status, answer.bytes)
    json.loads(answer.bytes)
    assert len(desk.show()["variables"]) == 8


def test_states_that_are_no_texts_are_addressed_by_number(desk):
    net = BeliefNetwork(tables={"rain": {True: 0.25, False: 0.75}, "level": {1: 0.5, 2.5: 0.5}})
    other = Desk(desk.address, upload(desk.address, bytes_of(net, "json"), "types.json")["name"])
    cards = {each["name"]: each["states"] for each in other.show()["variables"]}
    assert cards == {"rain": ["True", "False"], "level": ["1", "2.5"]}
    answer = other.ask(evidence={"given": {"rain": 1}, "some": {"level": [1]}})
    assert answer["probabilities"] == {"rain": [0.0, 1.0], "level": [0.0, 1.0]}
