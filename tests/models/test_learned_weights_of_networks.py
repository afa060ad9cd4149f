"""weights="learned" of TreeAugmentedNB and KDependence: p(x_j | parents, c) to a power each."""

import math

import numpy as np
import pytest

import bayesic as by
from bayesic.estimation.term_weights import term_weights


def days(n_rows=300, seed=0):
    """A walk where sun and warmth come together; what the paper says, three times over."""
    rng = np.random.default_rng(seed)
    sun, warm = rng.random(n_rows) < 0.5, rng.random(n_rows) < 0.5
    walk = rng.random(n_rows) < np.where(sun == warm, 0.8, 0.2)
    paper = rng.random(n_rows) < np.where(walk, 0.7, 0.3)
    table = {
        "sky": np.where(sun, "sun", "rain").tolist(),
        "air": np.where(warm, "warm", "cold").tolist(),
        **{f"paper {number}": np.where(paper, "yes", "no").tolist() for number in range(3)},
    }
    return table, np.where(walk, "out", "in").tolist()


def some(table, rows):
    return {name: [cells[row] for row in rows] for name, cells in table.items()}


def log_loss(model, table, y):
    shares = model.predict_proba(table)
    return -np.log(shares[np.arange(len(y)), np.searchsorted(model.classes_, y)]).mean()


MODELS = {
    "tree": lambda **more: by.TreeAugmentedNB(**more),
    "one parent": lambda **more: by.KDependence(k=1, **more),
    "two parents, back-off": lambda **more: by.KDependence(k=2, smoothing="back-off", **more),
    "chosen": lambda **more: by.KDependence(k="auto", **more),
}
each_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


@each_model
def test_scores_are_the_terms_times_their_weights(make):
    table, y = days()
    model, plain = make(weights="learned").fit(table, y), make().fit(table, y)
    terms = plain._fitted.terms(plain._rows(table))
    weights = np.array([model.weights_.get(name, 1.0) for name in table])
    prior = model.prior_weight_ * np.log(plain.class_prior_)
    expected = prior + np.tensordot(terms, weights, ([1], [0]))
    np.testing.assert_allclose(model.predict_joint_log_proba(table), expected, rtol=1e-12)


@each_model
def test_weights_are_those_of_terms_of_rows_left_out(make):
    table, y = days(60)
    model, plain = make(weights="learned").fit(table, y), make().fit(table, y)
    codes = np.searchsorted(["in", "out"], y)
    fitted, names = plain._fitted, list(model.weights_)
    # the terms of each row, from counts without it and with the parents of all rows
    terms = np.zeros((1 + len(names), 60, 2))
    for row in range(60):
        one = some(table, [row]), [y[row]]
        rest = make().fit(table, y).forget(*one)
        network = fitted.__class__(
            **{**vars_of(fitted), "together": rest._together, "classes": rest.classes_}
        )
        network.together._made["parents", fitted.k] = fitted.parents
        of_columns = network.terms(rest._rows(one[0]))[0]
        terms[0, row] = np.log(rest.class_prior_)
        terms[1:, row] = of_columns[[list(table).index(name) for name in names]]
    theirs = term_weights(terms, codes)
    np.testing.assert_allclose([model.prior_weight_, *model.weights_.values()], theirs, rtol=1e-6)


def vars_of(fitted):
    return {name: getattr(fitted, name) for name in type(fitted).__dataclass_fields__}


@each_model
def test_probabilities_of_new_rows_are_better_where_columns_repeat_each_other(make):
    new = days(2000, seed=1)
    weighted, plain = make(weights="learned").fit(*days(1000)), make().fit(*days(1000))
    assert log_loss(weighted, *new) < log_loss(plain, *new) + 0.002


@each_model
def test_reasons_add_up_and_the_calculation_comes_to_the_same(make):
    table, y = days()
    model = make(weights="learned").fit(table, y)
    for row in range(4):
        one = {name: cells[row] for name, cells in table.items()}
        [shares] = model.predict_proba({name: [cell] for name, cell in one.items()})
        why = model.explain(one)
        first, other = why.probability[why.answer], why.probability[why.against]
        assert why.log_odds == pytest.approx(math.log(first / other), rel=1e-9)
        assert [*model.work(one).posterior.values()] == pytest.approx(shares.tolist(), rel=1e-9)


@each_model
def test_a_file_keeps_the_weights_and_so_do_the_verbs(make, tmp_path):
    table, y = days(100)
    model = make(weights="learned").fit(table, y)
    model.save(tmp_path / "days.bayes")
    back = by.load(tmp_path / "days.bayes")
    assert (back.weights_, back.prior_weight_) == (model.weights_, model.prior_weight_)
    np.testing.assert_array_equal(back.predict_proba(table), model.predict_proba(table))
    rest = some(table, range(10)), y[:10]
    assert back.forget(*rest).partial_fit(*rest).weights_ == model.weights_


@each_model
def test_summary_shows_the_weights_and_the_density_knows_none(make):
    table, y = days(100)
    model, plain = make(weights="learned").fit(table, y), make().fit(table, y)
    shown = {part.name: part.weight for part in model.summary().columns if part.weight is not None}
    assert shown == model.weights_
    np.testing.assert_array_equal(model.log_density(table), plain.log_density(table))
