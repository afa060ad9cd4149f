"""Answers of a learned network about one variable: prediction, reasons, leave-one-out."""

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from bayesic.datasets.networks import asia
from bayesic.models.columns.naive_bayes import NaiveBayes
from bayesic.networks.network import BeliefNetwork
from helpers.examples import at_most
from helpers.random_networks import networks

EDGES = [("sky", "wind"), ("sky", "play"), ("wind", "play"), ("play", "mood")]
VALUES = {
    "sky": ("sun", "rain", "fog"),
    "wind": (True, False),
    "play": (2, 10),
    "mood": ("good", "bad"),
}


def enumerated(net, target, observed):
    """P(target | observed) by summing the whole joint; None if it cannot happen."""
    sums = dict.fromkeys(net.states(target), 0.0)
    for states in product(*map(net.states, net.variables)):
        row = dict(zip(net.variables, states, strict=True))
        if all(row[name] == state for name, state in observed.items()):
            sums[row[target]] += math.prod(
                net.table(name)[(*(row[parent] for parent in net.parents(name)), row[name])]
                for name in net.variables
            )
    total = sum(sums.values())
    return {state: share / total for state, share in sums.items()} if total > 0 else None


@st.composite
def questions(draw):
    """A network, a target, and what is observed of the others."""
    net = draw(networks(max_variables=4))
    target = draw(st.sampled_from(net.variables))
    others = [name for name in net.variables if name != target and draw(st.booleans())]
    return net, target, {name: draw(st.sampled_from(net.states(name))) for name in others}


def one_row(net, observed, target):
    """A table of one row; the column of the target is there, and must not be looked at."""
    row = {name: [observed.get(name)] for name in net.variables}
    return {**row, target: ["never heard of"]}


@at_most(60)
@given(questions())
def test_predict_proba_is_the_enumerated_posterior(question):
    net, target, observed = question
    expected = enumerated(net, target, observed)
    assume(expected is not None)
    table = one_row(net, observed, target)
    ours = net.predict_proba(table, target)
    np.testing.assert_allclose(ours, [list(expected.values())], atol=1e-12)
    [best] = net.predict(table, target).tolist()
    assert expected[best] == pytest.approx(max(expected.values()))


def test_rows_that_cannot_happen_answer_the_prior_with_a_warning():
    rows = [{"either": "yes", "lung": "no", "tub": "no"}, {"smoke": "yes"}]
    net = asia()
    with pytest.warns(UserWarning, match=r"1 row\(s\) have evidence that cannot happen"):
        answers = net.predict_proba(rows, "bronc")
    np.testing.assert_allclose(answers[0], list(net.query("bronc").values()), atol=1e-12)
    np.testing.assert_allclose(answers[1], [0.6, 0.4], atol=1e-12)


@pytest.mark.parametrize(
    "make",
    [dict, pd.DataFrame, lambda rows: pd.DataFrame(rows, dtype="category")],
    ids=["dict", "pandas", "categories"],
)
def test_a_table_may_have_any_columns(make):
    net = asia()
    prior, smoker = [0.055, 0.945], [0.1, 0.9]
    for rows, expected in (
        ({"lung": ["yes", "what"]}, [prior, prior]),
        ({"smoke": ["yes", None], "day": [1, 2]}, [smoker, prior]),
        ({"smoke": ["yes", None], "lung": ["no", "what"]}, [smoker, prior]),
    ):
        np.testing.assert_allclose(net.predict_proba(make(rows), "lung"), expected, atol=1e-12)


def test_predictions_have_the_type_of_the_states():
    rows = {"sky": ["sun", "rain"], "wind": [True, False], "play": [2, 10], "mood": ["bad", "good"]}
    net = BeliefNetwork(EDGES).fit(rows)
    assert net.predict({"sky": ["rain", "sun"]}, "wind").tolist() == [False, True]
    assert net.predict({"sky": ["rain", "sun"]}, "wind").dtype == bool
    assert net.predict({"sky": ["rain", "sun"]}, "play").tolist() == [10, 2]


def test_questions_that_make_no_sense():
    net = asia()
    with pytest.raises(ValueError, match="no variable 'weather'"):
        net.predict_proba({"smoke": ["yes"]}, "weather")
    with pytest.raises(ValueError, match="names of variables"):
        net.predict_proba({"weather": ["yes"]}, "lung")
    with pytest.raises(ValueError, match="no rows"):
        net.predict_proba({"smoke": []}, "lung")
    with pytest.raises(ValueError, match="has the states"):
        net.predict_proba({"smoke": ["often"]}, "lung")
    with pytest.raises(ValueError, match="states are not known|states of"):
        BeliefNetwork(EDGES).predict({"sky": ["sun"]}, "wind")


# reasons ----------------------------------------------------------------------------------------


@at_most(60)
@given(questions())
def test_weights_add_up_to_the_enumerated_log_odds(question):
    net, target, observed = question
    assume(len(net.states(target)) > 1)
    expected, prior = enumerated(net, target, observed), enumerated(net, target, {})
    assume(expected is not None)
    explanation = net.explain({**observed, target: None}, target)
    shares = dict(zip(expected, explanation.probability.values(), strict=True))
    assert shares == pytest.approx(expected, abs=1e-12)
    answer = explanation.answer
    assume(0 < prior[answer] < 1 and 0 < expected[answer] < 1 - 1e-12)
    log_odds = math.log(expected[answer]) - math.log(1 - expected[answer])
    assert explanation.log_odds == pytest.approx(log_odds, abs=1e-8)
    if all(map(math.isfinite, explanation.weights.values())):
        total = explanation.prior_log_odds + sum(explanation.weights.values())
        assert total == pytest.approx(log_odds, abs=1e-8)


def test_weights_of_a_naive_network_are_those_of_naive_bayes():
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({name: rng.choice(list("abc"), 60) for name in ("kind", "x", "y", "z")})
    net = BeliefNetwork([("kind", name) for name in "xyz"]).fit(rows, smoothing=1)
    features = rows[["x", "y", "z"]]
    theirs = NaiveBayes(smoothing=1).fit(features, rows["kind"])
    np.testing.assert_allclose(
        net.predict_proba(rows, "kind"), theirs.predict_proba(features), atol=1e-12
    )
    for row in rows[:5].to_dict("records"):
        ours = net.explain(row, "kind", against="b")
        other = theirs.explain({name: row[name] for name in "xyz"}, against="b")
        assert (ours.answer, ours.against) == (other.answer, other.against)
        assert ours.weights == pytest.approx(other.weights, abs=1e-10)


def test_only_the_markov_blanket_weighs_in_a_complete_row():
    net = asia()
    row = {"asia": "no", "tub": "no", "smoke": "yes", "lung": "no", "either": "no",
           "xray": "no", "dysp": "yes"}  # fmt: skip
    explanation = net.explain(row, "bronc")
    # given smoke and the two parents of dysp, either is known to be no
    assert set(explanation.weights) == {"smoke", "dysp"}
    assert set(explanation.weights) <= set(net.markov_blanket("bronc"))
    # P(smoke | bronc): 0.6 against 0.3 of smokers and others; P(dysp | bronc, either=no): 0.8, 0.1
    odds = (0.6 * 0.8) / (0.4 * 0.1)
    assert explanation.log_odds == pytest.approx(math.log(odds))
    assert explanation.values == {"smoke": "yes", "dysp": "yes"}


def test_a_row_without_observations_has_the_prior():
    explanation = asia().explain({"xray": None}, "lung")
    assert explanation.weights == {}
    assert explanation.probability == pytest.approx({"yes": 0.055, "no": 0.945})


def test_an_impossible_row_has_the_prior_and_names_what_is_too_much():
    explanation = asia().explain({"either": "yes", "tub": "no", "lung": "no"}, "smoke")
    assert explanation.probability == pytest.approx({"yes": 0.5, "no": 0.5})
    assert explanation.weights == {}
    assert explanation.ruled_out == {"yes": ("either",), "no": ("either",)}
    assert not any(map(math.isnan, explanation.weights.values()))


def test_a_table_gets_a_list_of_reasons():
    explanations = asia().explain(pd.DataFrame({"xray": ["yes", "no"]}), "lung")
    assert [explanation.answer for explanation in explanations] == ["no", "no"]
    with pytest.raises(ValueError, match="against must be one of"):
        asia().explain({"xray": "yes"}, "lung", against="maybe")


# leave-one-out ----------------------------------------------------------------------------------


LEFT_OUT_SMOOTHINGS = [0, 1, 0.5, ("bdeu", 3), ("back-off", 0), ("back-off", 2)]


@st.composite
def learned_rows(draw):
    cells = st.fixed_dictionaries({name: st.sampled_from(VALUES[name]) for name in VALUES})
    return draw(st.lists(cells, min_size=2, max_size=9))


@at_most(40)
@given(st.data(), learned_rows(), st.sampled_from(LEFT_OUT_SMOOTHINGS))
@pytest.mark.filterwarnings("ignore:.*cannot happen")
def test_leaving_one_out_is_learning_all_others(data, rows, smoothing):
    target = data.draw(st.sampled_from(list(VALUES)))
    number = data.draw(st.integers(0, len(rows) - 1))
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(rows), max_size=len(rows)))
    net = BeliefNetwork(EDGES, states=VALUES)
    ours = net.fit(rows, smoothing=smoothing, sample_weight=weights).leave_one_out(
        rows, target, sample_weight=weights
    )[number]
    others = [row for place, row in enumerate(rows) if place != number]
    rest = [weight for place, weight in enumerate(weights) if place != number]
    refitted = BeliefNetwork(EDGES, states=VALUES).fit(
        others, smoothing=smoothing, sample_weight=rest
    )
    observed = {name: state for name, state in rows[number].items() if name != target}
    if _blanket_can_happen(refitted, target, observed):
        expected = _by_blanket(refitted, target, observed)
    else:
        expected = list(net.query(target).values())
    np.testing.assert_allclose(ours, expected, atol=1e-10)


def _blanket_scores(net, target, observed):
    """P(target | parents) and P(child | its parents), multiplied, for each state."""
    return [
        math.prod(
            net.table(name)[(*(row[parent] for parent in net.parents(name)), row[name])]
            for name in (target, *net.children(target))
        )
        for row in ({**observed, target: state} for state in net.states(target))
    ]


def _blanket_can_happen(net, target, observed):
    return sum(_blanket_scores(net, target, observed)) > 0


def _by_blanket(net, target, observed):
    scores = _blanket_scores(net, target, observed)
    posterior = enumerated(net, target, observed)
    shares = [score / sum(scores) for score in scores]
    if posterior is not None:  # other families may find the row impossible
        np.testing.assert_allclose(shares, list(posterior.values()), atol=1e-10)
    return shares


def test_leaving_out_rows_of_a_file(tmp_path):
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({name: rng.choice(list("abc"), 50) for name in VALUES})
    rows.to_csv(tmp_path / "rows.csv", index=False)
    net = BeliefNetwork(EDGES).fit(rows, smoothing=1)
    ours = net.leave_one_out(tmp_path / "rows.csv", "play")
    np.testing.assert_array_equal(ours, net.leave_one_out(rows, "play"))


def test_rows_that_were_never_learned_cannot_be_left_out():
    row = {"sky": ["sun"], "wind": [True], "play": [2], "mood": ["good"]}
    net = BeliefNetwork(EDGES, states=VALUES).fit(row, smoothing=1)
    with pytest.raises(ValueError, match="Only what was learned"):
        net.leave_one_out({**row, "mood": ["bad"]}, "play")
    with pytest.raises(ValueError, match="null"):
        net.leave_one_out({**row, "mood": [None]}, "play")
    with pytest.raises(ValueError, match="no variable"):
        net.leave_one_out(row, "weather")


# uncertainty ------------------------------------------------------------------------------------


def test_uncertainty_is_that_of_the_dirichlet_distribution():
    rows = {"sky": ["sun", "sun", "rain"], "wind": ["no", "yes", "no"]}
    net = BeliefNetwork([("sky", "wind")]).fit(rows, smoothing=0.5)
    sure = net.posterior_uncertainty("wind", level=0.9)
    counts = {("rain",): [1, 0], ("sun",): [1, 1]}
    for place, (states, of_states) in enumerate(counts.items()):
        parameters = np.array(of_states) + 0.5
        theirs = stats.dirichlet(parameters)
        np.testing.assert_allclose(sure.mean[place], theirs.mean(), atol=1e-14)
        np.testing.assert_allclose(sure.standard_deviation[place], np.sqrt(theirs.var()))
        beta = stats.beta(parameters, parameters.sum() - parameters)
        np.testing.assert_allclose([sure.lower[place], sure.upper[place]], beta.interval(0.9))
        assert net.table("wind")[states].to_dict() == pytest.approx(
            dict(zip(("no", "yes"), theirs.mean(), strict=True))
        )
    names, numbers = next(sure.entries())
    assert names == ("rain", "no")
    assert numbers["mean"] == 0.75
    assert str(sure).splitlines()[0].split() == ["sky", "wind", "mean", "sd", "90%", "interval"]


def test_the_prior_of_uncertainty_can_be_told_and_must_be_there():
    net = BeliefNetwork(states={"sky": None}).fit({"sky": ["sun"] * 3})
    with pytest.raises(ValueError, match="needs a prior"):
        net.posterior_uncertainty("sky")
    sure = net.posterior_uncertainty("sky", smoothing=1)
    assert (sure.mean, sure.standard_deviation, sure.lower, sure.upper) == (1, 0, 1, 1)
    for level in (0, 1, 95, "high"):
        with pytest.raises(ValueError, match="level must be between"):
            net.posterior_uncertainty("sky", level, smoothing=1)
    with pytest.raises(ValueError, match="no variable"):
        net.posterior_uncertainty("wind", smoothing=1)
