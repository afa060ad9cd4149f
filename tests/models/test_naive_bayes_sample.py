"""Rows drawn from the model: they follow it, and it takes them back."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

import bayesic as by
from helpers.comparisons import impossible_rows_allowed

X = {
    "sky": ["sun", "rain", "sun", "雨", "rain", "rain"],
    "wind": [1.0, 2.0, 2.5, 7.0, 8.0, 9.5],
    "visits": [0, 1, 1, 4, 5, 7],
    "member": [0, 1, 1, 0, 0, 0],
    "note": ["free lunch", "lunch", "free", "meeting", "", None],
    "id": [1, 2, 3, 4, 5, 6],
    "gap": [None] * 6,
}
y = ["ham", "ham", "ham", "spam", "spam", "spam"]
KINDS = {"visits": "poisson", "member": "bernoulli", "note": "text", "id": "ignore"}


def learned(**parameters):
    return by.NaiveBayes(columns=KINDS, **parameters).fit(X, y)


@pytest.mark.parametrize("numeric", ["auto", "gaussian", "kernel", "binned"])
def test_a_sample_goes_back_into_the_model(numeric):
    model = learned(numeric=numeric)
    sample = model.sample(50, random_state=1)
    assert set(sample.X) == {"sky", "wind", "visits", "member", "note", "gap"}
    assert all(len(cells) == 50 for cells in sample.X.values()) and len(sample.y) == 50
    assert set(sample.y) <= set(y)
    assert model.predict(sample.X).shape == (50,)
    assert model.partial_fit(sample.X, sample.y).class_count_.sum() == 56


@pytest.mark.parametrize("columns", [None, {"x1": "ignore"}], ids=["all", "one ignored"])
def test_a_sample_of_a_model_without_names_goes_back_into_it(columns):
    rows = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0], [9.0, 9.0, 9.0]])
    model = by.NaiveBayes(columns=columns).fit(rows, ["ham", "ham", "spam", "spam"])
    assert model.predict(model.sample(3, random_state=0).X).shape == (3,)


def test_the_same_seed_draws_the_same_rows():
    one, other = (learned().sample(20, random_state=7) for _ in range(2))
    assert one.y.tolist() == other.y.tolist()
    for name in one.X:
        assert one.X[name].tolist() == other.X[name].tolist()
    changed = learned().sample(20, random_state=np.random.RandomState(8))
    assert changed.X["wind"].tolist() != one.X["wind"].tolist()


def test_shares_of_a_sample_are_those_of_the_model():
    model = by.NaiveBayes(prior={"ham": 0.25, "spam": 0.75}).fit({"sky": X["sky"]}, y)
    sample = model.sample(6000, random_state=3)
    expected = np.exp(
        model.predict_joint_log_proba({"sky": ["rain", "sun", "雨"]})
    )  # P(sky, class), which sums to 1
    observed = pd.crosstab(sample.X["sky"], sample.y).to_numpy()
    assert expected.sum() == pytest.approx(1.0)
    assert chisquare(observed.ravel(), 6000 * expected.ravel()).pvalue > 0.001


def test_a_sample_of_one_class_has_that_class_only():
    model = learned()
    sample = model.sample(400, "spam", random_state=0)
    assert set(sample.y) == {"spam"}
    assert sample.X["wind"].mean() > 5
    assert model.score(sample.X, sample.y) > 0.8


def test_no_rows_can_be_drawn_as_well():
    sample = learned().sample(0)
    assert len(sample.y) == 0
    assert [len(cells) for cells in sample.X.values()] == [0] * 6


def test_a_class_without_rows_is_drawn_from_what_all_rows_have():
    model = by.NaiveBayes(columns=KINDS).partial_fit(X, y, classes=["ham", "news", "spam"])
    sample = model.sample(30, "news", random_state=0)
    assert set(sample.X["sky"]) <= set(X["sky"])
    assert np.isfinite(sample.X["wind"]).all()


def test_without_smoothing_only_what_was_seen_is_drawn():
    model = by.NaiveBayes(smoothing=0).fit({"sky": X["sky"]}, y)
    assert set(model.sample(300, "ham", random_state=0).X["sky"]) == {"sun", "rain"}


def test_density_is_low_for_rows_unlike_all_that_was_learned():
    model = learned()
    usual = {name: cells[:1] for name, cells in X.items()}
    odd = usual | {"wind": [500.0]}
    with impossible_rows_allowed():
        assert model.log_density(odd)[0] < model.log_density(usual)[0] - 5


def test_density_of_nothing_observed_is_one():
    nothing = {name: [None] for name in X}
    assert learned().log_density(nothing)[0] == pytest.approx(0.0, abs=1e-12)
