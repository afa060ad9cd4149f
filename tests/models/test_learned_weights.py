"""NaiveBayes(weights="learned"): columns to a power each, of the best conditional likelihood."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_softmax

import bayesic as by
from bayesic.estimation.pool import PRIOR_ROWS
from bayesic.estimation.term_weights import MOST_TERMS, term_weights
from bayesic.models.notes import restore_notes


def days(n_rows=400, seed=0):
    """Sky tells of the walk, and so does a note of it; the coin tells nothing."""
    rng = np.random.default_rng(seed)
    walk = rng.random(n_rows) < 0.6
    is_sunny = rng.random(n_rows) < np.where(walk, 0.8, 0.3)
    table = {
        "sky": np.where(is_sunny, "sun", "rain").tolist(),
        "note": np.where(is_sunny, "fair", "foul").tolist(),
        "wind": (np.where(walk, 2.0, 3.5) + rng.normal(size=n_rows)).tolist(),
        "coin": rng.choice(["head", "tail"], n_rows).tolist(),
    }
    return table, np.where(walk, "out", "in").tolist()


def some(table, rows):
    return {name: [cells[row] for row in rows] for name, cells in table.items()}


def log_loss(model, table, y):
    shares = model.predict_proba(table)
    codes = np.searchsorted(model.classes_, y)
    return -np.log(shares[np.arange(len(y)), codes]).mean()


# the weights ------------------------------------------------------------------------------------


def best_by_scipy(terms, codes, toward):
    def loss(weights):
        scores = np.tensordot(weights, terms, 1)
        own = log_softmax(scores, axis=1)[np.arange(len(codes)), codes]
        return PRIOR_ROWS / 2 * ((weights - toward) ** 2).sum() - own.sum()

    bounds = [(0, None)] * len(terms)
    start = np.full(len(terms), 0.5)
    return minimize(loss, start, method="SLSQP", bounds=bounds, options={"ftol": 1e-14}).x


def test_weights_are_the_best_that_scipy_finds_pulled_to_those_of_all_columns():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 80)
    terms = rng.normal(size=(5, 80, 3))
    terms[:, np.arange(80), codes] += np.linspace(0, 1.5, 5)[:, None]
    of_prior, common = best_by_scipy(np.stack([terms[0], terms[1:].sum(axis=0)]), codes, 1.0)
    theirs = best_by_scipy(terms, codes, np.array([of_prior, *[common] * 4]))
    np.testing.assert_allclose(term_weights(terms, codes), theirs, atol=1e-4)


def test_impossible_cells_stay_finite():
    never = -np.inf
    terms = np.array([[[-0.7, -0.7]] * 4, [[0.0, never]] * 4, [[never, never]] * 4])
    weights = term_weights(terms, np.array([0, 0, 1, 0]))
    assert np.isfinite(weights).all()


def test_of_very_many_columns_all_have_one_weight():
    rng = np.random.default_rng(0)
    terms = rng.normal(size=(MOST_TERMS + 1, 10, 2))
    assert len(set(term_weights(terms, np.arange(10) % 2)[1:].tolist())) == 1


def test_weights_are_those_of_the_terms_of_rows_left_out():
    # each factor by hand: shares with lambda = 1, less the row itself
    table, y = some(days(40)[0], range(40)), days(40)[1]
    table = {name: table[name] for name in ("sky", "coin")}
    model = by.NaiveBayes(weights="learned").fit(table, y)
    classes, codes = ["in", "out"], np.array([["in", "out"].index(label) for label in y])
    terms = np.zeros((3, 40, 2))
    for row in range(40):
        others = [number for number in range(40) if number != row]
        for code, label in enumerate(classes):
            of_class = [number for number in others if y[number] == label]
            terms[0, row, code] = math.log((len(of_class) + 1) / (39 + 2))
            for place, name in enumerate(table, start=1):
                same = sum(table[name][number] == table[name][row] for number in of_class)
                terms[place, row, code] = math.log((same + 1) / (len(of_class) + 2))
    theirs = term_weights(terms, codes)
    ours = [model.prior_weight_, *model.weights_.values()]
    np.testing.assert_allclose(ours, theirs, rtol=1e-8)


def test_a_column_given_twice_shares_its_weight_and_the_coin_says_little():
    model = by.NaiveBayes(weights="learned", numeric="gaussian").fit(*days(1000))
    assert model.weights_["sky"] == pytest.approx(model.weights_["note"])
    assert model.weights_["sky"] + model.weights_["note"] == pytest.approx(1, abs=0.25)
    assert model.weights_["wind"] == pytest.approx(1, abs=0.25)


def test_probabilities_of_new_rows_are_better_where_columns_repeat_each_other():
    new = days(2000, seed=1)
    weighted = by.NaiveBayes(weights="learned").fit(*days(1000))
    assert log_loss(weighted, *new) < log_loss(by.NaiveBayes().fit(*days(1000)), *new) - 0.02


def test_at_most_a_thousand_rows_are_asked_in_whatever_order_they_come():
    table, y = days(2500)
    order = np.argsort(np.argsort(y, kind="stable") % 1250, kind="stable")  # out, in, out, in, ...
    table, y = some(table, order), [y[row] for row in order]
    model = by.NaiveBayes(weights="learned").fit(table, y)
    plain = by.NaiveBayes().fit(table, y)
    asked = np.sort(np.random.default_rng(0).choice(2500, 1000, replace=False))
    codes = np.searchsorted(["in", "out"], [y[row] for row in asked])
    terms = plain._fitted.terms_without(plain._rows(table), asked, codes, np.ones(1000))
    theirs = term_weights(terms, codes)
    np.testing.assert_allclose([model.prior_weight_, *model.weights_.values()], theirs, rtol=1e-12)


def test_the_blocks_of_a_file_say_the_same(tmp_path):
    import pandas as pd

    table, y = days(1500)
    pd.DataFrame({**table, "walk": y}).to_csv(tmp_path / "days.csv", index=False)
    of_file = by.NaiveBayes(weights="learned").fit(tmp_path / "days.csv", y="walk")
    in_memory = by.NaiveBayes(weights="learned").fit(table, y)
    assert of_file.weights_ == pytest.approx(in_memory.weights_)


def test_weights_of_rows_are_how_often_they_count():
    table, y = days(60)
    once = by.NaiveBayes(weights="learned").fit(table, y)
    ones = by.NaiveBayes(weights="learned").fit(table, y, sample_weight=np.ones(60))
    assert ones.weights_ == pytest.approx(once.weights_, rel=1e-9)
    times = np.arange(60) % 3
    weighted = by.NaiveBayes(weights="learned").fit(table, y, sample_weight=times)
    rows = np.repeat(np.arange(60), times)
    repeated = by.NaiveBayes(weights="learned").fit(some(table, rows), [y[row] for row in rows])
    assert weighted.weights_ == pytest.approx(repeated.weights_, rel=1e-6)
    # rows of weight 0 are no rows
    none = np.repeat([1.0, 0.0], 60)
    both = {name: cells + cells[::-1] for name, cells in table.items()}
    halved = by.NaiveBayes(weights="learned").fit(both, y + y[::-1], sample_weight=none)
    assert halved.weights_ == pytest.approx(once.weights_, rel=1e-9)


# the model --------------------------------------------------------------------------------------


def test_scores_are_the_terms_times_their_weights():
    table, y = days()
    model = by.NaiveBayes(weights="learned").fit(table, y)
    plain = by.NaiveBayes().fit(table, y)
    terms = plain._fitted.terms(plain._rows(table))
    weights = np.array(list(model.weights_.values()))
    prior = model.prior_weight_ * np.log(plain.class_prior_)
    expected = prior + np.tensordot(terms, weights, ([1], [0]))
    np.testing.assert_allclose(model.predict_joint_log_proba(table), expected, rtol=1e-12)


def test_reasons_add_up_and_the_calculation_comes_to_the_same():
    table, y = days()
    model = by.NaiveBayes(weights="learned").fit(table, y)
    for row in range(5):
        one = {name: cells[row] for name, cells in table.items()}
        [shares] = model.predict_proba({name: [cell] for name, cell in one.items()})
        why = model.explain(one)
        first, other = why.probability[why.answer], why.probability[why.against]
        assert why.log_odds == pytest.approx(math.log(first / other), rel=1e-9)
        work = model.work(one)
        assert [*work.posterior.values()] == pytest.approx(shares.tolist(), rel=1e-9)
        assert f"^{model.weights_['sky']:.6g}" in str(work)


def test_a_column_without_weight_says_nothing_even_of_the_impossible():
    table, y = {"sky": ["sun", "rain", "sun"]}, ["out", "in", "out"]
    model = by.NaiveBayes(weights="learned", smoothing=0).fit(table, y)
    model.weights_ = {"sky": 0.0}
    model._keep(model.statistics_)
    shares = model.predict_proba({"sky": ["sun", "rain"]})
    odds = 2**model.prior_weight_
    np.testing.assert_allclose(shares[:, 1] / shares[:, 0], odds)
    assert model.explain({"sky": "sun"}).weights == {"sky": 0.0}
    assert model.work({"sky": "sun"}).posterior["out"] == pytest.approx(odds / (1 + odds))


def test_weights_stay_until_the_next_fit_and_counts_are_exact():
    table, y = days(90)
    rows, more = range(60), range(60, 90)
    model = by.NaiveBayes(weights="learned").fit(some(table, rows), y[:60])
    before = model.weights_
    rest = some(table, more), y[60:]
    model.partial_fit(*rest).forget(*rest).merge(by.NaiveBayes().fit(*rest))
    assert model.weights_ == before
    assert model.statistics_.class_count.tolist() == [y.count("in"), y.count("out")]
    assert model.fit(table, y).weights_ != before


def test_before_any_fit_weights_are_one():
    table, y = days(50)
    model = by.NaiveBayes(weights="learned").partial_fit(table, y)
    plain = by.NaiveBayes().fit(table, y)
    np.testing.assert_array_equal(model.predict_proba(table), plain.predict_proba(table))
    assert not hasattr(model, "weights_")


def test_weights_can_be_switched_off_and_on():
    table, y = days(100)
    model = by.NaiveBayes(weights="learned").fit(table, y)
    weighted = model.predict_proba(table)
    model.weights = None
    plain = by.NaiveBayes().fit(table, y)
    np.testing.assert_array_equal(model.predict_proba(table), plain.predict_proba(table))
    model.set_params(weights="learned")
    np.testing.assert_array_equal(model.predict_proba(table), weighted)


def test_leave_one_out_keeps_the_weights():
    table, y = days(30)
    table = {name: table[name] for name in ("sky", "coin")}
    model = by.NaiveBayes(weights="learned").fit(table, y)
    left_out = model.leave_one_out(table, y)
    for row in range(30):
        others = [number for number in range(30) if number != row]
        rest = by.NaiveBayes(weights="learned").fit(
            some(table, others), [y[number] for number in others]
        )
        rest.weights_, rest.prior_weight_ = model.weights_, model.prior_weight_
        rest._keep(rest.statistics_)
        np.testing.assert_allclose(left_out[row], rest.predict_proba(some(table, [row]))[0])


def test_density_and_samples_know_no_weights():
    table, y = days(100)
    model, plain = by.NaiveBayes(weights="learned").fit(table, y), by.NaiveBayes().fit(table, y)
    np.testing.assert_array_equal(model.log_density(table), plain.log_density(table))
    assert model.weights == "learned"
    assert model.sample(5, random_state=0).y.tolist() == plain.sample(5, random_state=0).y.tolist()


def test_summary_shows_the_weights():
    table, y = days(200)
    model = by.NaiveBayes(weights="learned").fit(table, y)
    shown = model.summary()
    assert {part.name: part.weight for part in shown.columns} == model.weights_
    assert "weight" in str(shown)
    assert "weight" not in str(by.NaiveBayes().fit(table, y).summary())
    assert model.n_parameters == by.NaiveBayes().fit(table, y).n_parameters + 5


def test_a_file_keeps_the_weights(tmp_path):
    table, y = days(100)
    model = by.NaiveBayes(weights="learned").fit(table, y)
    model.save(tmp_path / "days.bayes")
    back = by.load(tmp_path / "days.bayes")
    assert (back.weights_, back.prior_weight_) == (model.weights_, model.prior_weight_)
    np.testing.assert_array_equal(back.predict_proba(table), model.predict_proba(table))


@pytest.mark.parametrize(
    "state",
    [
        {"weights": {"sky": 1.0}},
        {"prior_weight": 1.0, "weights": {"sky": -1.0}},
        {"prior_weight": math.inf, "weights": {"sky": 1.0}},
        {"prior_weight": 1.0, "weights": {"sky": math.nan}},
        {"prior_weight": 1.0, "weights": {"sea": 1.0}},
        {"prior_weight": 1.0, "weights": [1.0]},
        {"prior_weight": 1.0, "weights": {"sky": 1.0}, "more": 1},
    ],
)
def test_what_cannot_be_weights_is_refused(state):
    model = by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ["out", "in"])
    with pytest.raises(ValueError, match="weights|Weights|extra state"):
        restore_notes(model, state)


def test_other_weights_are_refused():
    with pytest.raises(ValueError, match="weights must be"):
        by.NaiveBayes(weights="equal").fit({"sky": ["sun", "rain"]}, ["out", "in"])


@given(st.permutations(range(12)))
def test_the_order_of_rows_does_not_matter(order):
    table, y = days(12)
    model = by.NaiveBayes(weights="learned").fit(table, y)
    other = by.NaiveBayes(weights="learned").fit(some(table, order), [y[row] for row in order])
    assert other.weights_ == pytest.approx(model.weights_, abs=1e-9)
