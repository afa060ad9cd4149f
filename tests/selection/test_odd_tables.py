"""Tables that a pool or a forest may be given, and that are no usual ones: answers are finite."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import bayesic as by
from bayesic.selection._pooled_members import adding_up_to

N_ROWS = 24
WIND = np.random.default_rng(0).normal(size=N_ROWS)
WALK = np.where(WIND + np.random.default_rng(1).normal(size=N_ROWS) > 0, "out", "in")
SKY = ["sun", "rain", "雪"] * 8

TABLES = {
    "one class": ({"wind": WIND, "sky": SKY}, ["out"] * N_ROWS),
    "one row": ({"wind": [1.0]}, ["out"]),
    "three rows": ({"wind": [1.0, 2.0, 3.0], "sky": SKY[:3]}, ["out", "in", "out"]),
    "a class for each row": ({"wind": WIND}, [f"walk {row}" for row in range(N_ROWS)]),
    "the same in all rows": ({"wind": [1.0] * N_ROWS, "sky": ["sun"] * N_ROWS}, WALK),
    "nothing observed": ({"wind": [np.nan] * N_ROWS, "sky": [None] * N_ROWS}, WALK),
    "a column not observed": ({"wind": [np.nan] * N_ROWS, "sky": SKY}, WALK),
    "booleans": ({"calm": WIND < 0, "dry": [True, False] * 12}, WALK == "out"),
    "Chinese": ({"风": WIND, "天气": SKY}, np.where(WALK == "out", "出门", "在家")),
    "more columns than rows": (np.random.default_rng(2).normal(size=(N_ROWS, 60)), WALK),
    "rows twice": ({"wind": [1.0, 2.0] * 12, "sky": ["sun", "rain"] * 12}, ["out", "in"] * 12),
    "whole numbers beyond floats": ({"id": np.arange(N_ROWS) + 2**62, "sky": SKY}, WALK),
}
MODELS = {"average": lambda: by.AutoBayes("quick"), "forest": by.BayesForest}


def check_answers(model, X):
    """Probabilities, and reasons that add up to them."""
    answers = model.predict_proba(X)
    assert np.isfinite(answers).all()
    np.testing.assert_allclose(answers.sum(axis=1), 1.0)
    if len(model.classes_) > 1:
        for reason, answer in zip(model.explain(X), answers, strict=True):
            own = answer[model.classes_.tolist().index(reason.answer)]  # against all others
            total = reason.prior_log_odds + sum(reason.weights.values())
            assert total == pytest.approx(np.log(own / (1 - own)), abs=1e-7)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("model", MODELS)
def test_answers_are_probabilities_and_reasons_add_up(model, name):
    X, y = TABLES[name]
    check_answers(MODELS[model]().fit(X, y), X)


@pytest.mark.parametrize("effort", ["quick", "normal"])
@pytest.mark.parametrize("how", ["forgotten", "of weight 0"])
def test_a_class_without_rows_is_improbable_and_no_nan(how, effort):
    X, y = {"wind": WIND, "sky": SKY}, WALK
    if how == "forgotten":
        out = np.flatnonzero(y == "out")
        rows = {name: [cells[row] for row in out] for name, cells in X.items()}
        model = by.AutoBayes(effort).fit(X, y).forget(rows, y[out])
    else:
        model = by.AutoBayes(effort).fit(X, y, sample_weight=(y == "in").astype(float))
    check_answers(model, X)
    assert (model.predict(X) == "in").all()
    inside = np.flatnonzero(y == "in")
    rows = {name: [cells[row] for row in inside] for name, cells in X.items()}
    assert np.isfinite(model.leave_one_out(rows, y[inside])).all()


def test_a_table_of_members_that_nobody_could_judge_has_no_losses():
    model = by.AutoBayes("quick").fit({"wind": [1.0]}, ["out"])
    assert all(np.isnan(row.log_loss) for row in model.members_)
    assert "nan" not in str(model.members_)
    sure = by.AutoBayes("quick").fit({"wind": WIND}, ["out"] * N_ROWS)
    assert "-0.0" not in str(sure.members_)


@pytest.mark.parametrize("numbers", [WIND * 1e300, np.where(WIND > 0, 1e308, -1e308)])
def test_numbers_whose_squares_overflow_are_refused_by_averages_and_taken_by_forests(numbers):
    with pytest.raises(ValueError, match="too large: their squares overflow"):
        by.AutoBayes("quick").fit({"wind": numbers}, WALK)
    check_answers(by.BayesForest().fit({"wind": numbers}, WALK), {"wind": numbers})


def test_columns_that_are_to_be_ignored_are_taken_by_no_member():
    X = {"wind": WIND, "rain": WIND[::-1], "sky": SKY}
    model = by.AutoBayes("quick", columns={"rain": "ignore"}).fit(X, WALK)
    other = X | {"rain": WIND * 100}
    assert (model.predict_proba(other) == model.predict_proba(X)).all()


cells = st.floats(-1e3, 1e3) | st.sampled_from([0.0, -np.inf])


@given(arrays(float, (3, 4, 2), elements=cells), arrays(float, (3, 2), elements=st.floats(-9, 9)))
def test_terms_are_made_to_add_up(terms, total):
    made = adding_up_to(total, terms)
    np.testing.assert_allclose(made.sum(axis=1), total, atol=1e-7)
    is_usual = np.isfinite(terms).all(axis=1) & (terms <= 0).all(axis=1)
    is_less = is_usual & (total <= 0) & (terms.sum(axis=1) < total)
    for row, column in np.argwhere(is_less):  # cut in proportion: nobody gains or changes sides
        mine, before = made[row, :, column], terms[row, :, column]
        assert (mine <= 1e-9).all()
        assert (mine >= before - 1e-9).all()
