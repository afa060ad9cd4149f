"""Which column's evidence has changed: the numbers of small tables, and the law of the sum."""

from math import log

import numpy as np
import pytest

import bayesic as by

PLAY = ["yes", "yes", "no", "no"]


def changes(earlier, later):
    return {each.column: each.change for each in by.drift(earlier, later).changes}


def test_the_changes_of_a_small_table_are_the_exact_numbers():
    before = by.NaiveBayes().fit({"sky": ["sun", "sun", "sun", "rain"]}, PLAY)
    after = by.NaiveBayes().fit({"sky": ["rain", "rain", "snow"]}, ["yes", "no", "no"])
    found = changes(before, after)
    # sky, of 3 levels: (N_cv + 1) / (N_c + 3), each later row once
    expected = log((2 / 4) / (1 / 5)) + log((2 / 5) / (2 / 5)) + log((2 / 5) / (1 / 5))
    assert found["sky"] == pytest.approx(expected / 3, rel=1e-12)
    prior = log((2 / 5) / (3 / 6)) + 2 * log((3 / 5) / (3 / 6))
    assert found["P(class)"] == pytest.approx(prior / 3, rel=1e-12)


def test_without_smoothing_it_is_the_kullback_leibler_divergence():
    skies, other = ["sun"] * 3 + ["rain"], ["sun", "rain", "rain", "rain"]
    models = [by.NaiveBayes(smoothing=0).fit({"sky": sky}, ["dry"] * 4) for sky in (skies, other)]
    expected = 1 / 4 * log((1 / 4) / (3 / 4)) + 3 / 4 * log((3 / 4) / (1 / 4))
    assert changes(*models)["sky"] == pytest.approx(expected, rel=1e-12)


def test_the_sum_is_the_mean_difference_of_the_scores_of_the_later_rows():
    random, columns = np.random.default_rng(0), {"heat": "gaussian", "sky": "categorical"}
    spans = []
    for shift in (0.0, 1.5):
        heat, sky = random.normal(shift, size=50), random.choice(["rain", "sun"], size=50)
        spans.append(({"heat": heat, "sky": sky}, random.choice(["no", "yes"], size=50)))
    earlier, later = (by.NaiveBayes(columns=columns).fit(*span) for span in spans)
    X, y = spans[1]
    own = np.arange(50), np.searchsorted(later.classes_, y)
    scores = [model.predict_joint_log_proba(X)[own].mean() for model in (later, earlier)]
    found = by.drift(earlier, later)
    total = sum(each.change for each in found.changes)
    assert total == pytest.approx(scores[0] - scores[1], rel=1e-9)
    assert found.changes[0].column == "heat"
    assert found.changes[0].values[0].startswith("mean ")


def test_the_same_rows_have_not_changed():
    model = by.NaiveBayes().fit({"sky": ["sun", "sun", "rain", "rain"], "n": [1, 2, 3, 4]}, PLAY)
    assert set(changes(model, model).values()) == {0.0}


def test_of_texts_each_word_has_a_line():
    before = by.TextClassifier().fit(["free money", "lunch"], ["spam", "ham"])
    after = by.TextClassifier().fit(["free coins", "lunch"], ["spam", "ham"])
    found = changes(before, after)
    # coins, of 4 words: 2/6 after, 1/6 before, in one of two texts; money is in no later text
    assert found["coins"] == pytest.approx(log(2) / 2, rel=1e-12)
    assert found["money"] == found["free"] == found["lunch"] == found["P(class)"] == 0


def test_a_class_and_a_column_that_come_later():
    before = by.NaiveBayes().fit({"sky": ["sun"], "wind": [None]}, ["yes"])
    after = by.NaiveBayes().fit({"sky": ["sun"], "wind": ["weak"]}, ["no"])
    found = by.drift(before, after)
    assert found.changes[-1] == by.drift(before, after).changes[-1]
    assert found.changes[-1].change is None and found.changes[-1].column == "wind"
    assert all(np.isfinite(each.change) for each in found.changes[:-1])
    assert "observed only later" in str(found) and "<table" in found._repr_html_()
    assert found.to_dict()["changes"][-1]["values"] == ["observed only later"]


def test_what_cannot_be_compared_is_refused():
    model = by.NaiveBayes().fit({"sky": ["sun"]}, ["yes"])
    with pytest.raises(TypeError, match="both NaiveBayes or both TextClassifier"):
        by.drift(by.GaussianNB(), model)
    number = by.NaiveBayes().fit({"sky": [1.5]}, ["yes"])
    with pytest.raises(ValueError, match="Column 'sky' holds category cells in the earlier"):
        by.drift(model, number)
