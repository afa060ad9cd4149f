"""Sites that may not share rows: the sum of their counts is the model of all rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by

SKIES, WINDS, LABELS = ("rain", "sun", "雪"), ("low", "it's high"), ("yes", "no", "不")
ROW = st.tuples(
    st.sampled_from((*SKIES, None)), st.sampled_from((*WINDS, None)), st.sampled_from(LABELS)
)
SITES = st.lists(st.lists(ROW, min_size=1, max_size=6), min_size=2, max_size=4)


def fitted(rows):
    columns = {"sky": [row[0] for row in rows], "wind": [row[1] for row in rows]}
    kinds = dict.fromkeys(columns, "categorical")
    return by.NaiveBayes(columns=kinds).fit(columns, [row[2] for row in rows])


def merged(models):
    first, *others = models
    for other in others:
        first.merge(other)
    return first


def counts(model):
    tables = {name: (c.levels, c.table.tolist()) for name, c in model.statistics_.columns.items()}
    return model.classes_.tolist(), model.statistics_.class_count.tolist(), sorted(tables.items())


@given(sites=SITES)
def test_the_sum_of_sites_is_the_model_of_all_rows(sites, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites")
    for number, rows in enumerate(sites):
        fitted(rows).save(folder / f"{number}.bayes")
    received = [by.load(folder / f"{number}.bayes") for number in reversed(range(len(sites)))]
    model, of_all = merged(received), fitted([row for rows in sites for row in rows])
    assert counts(model) == counts(of_all)  # bit for bit
    asked = {"sky": [*SKIES, None, "fog"], "wind": ["low", *WINDS, "low", None]}
    assert np.array_equal(model.predict_proba(asked), of_all.predict_proba(asked))


def test_models_with_noise_are_saved_merged_and_asked(tmp_path):
    rng = np.random.default_rng(0)
    sites = []
    for number in range(3):
        y = rng.integers(0, 2, 2000)
        columns = {
            "sky": np.array(SKIES)[(y + (rng.random(2000) < 0.3)).astype(int)],
            "wind": np.array(WINDS)[rng.integers(0, 2, 2000)],
        }
        exact = by.NaiveBayes().fit(columns, y)
        before = counts(exact)
        told = exact.with_noise(1.0, random_state=number)
        assert counts(exact) == before != counts(told)
        told.save(tmp_path / f"{number}.bayes")
        sites.append((exact, by.load(tmp_path / f"{number}.bayes")))
    exact, told = (merged(each) for each in zip(*sites, strict=True))
    asked = {"sky": [*SKIES], "wind": ["low"] * 3}
    assert np.abs(told.predict_proba(asked) - exact.predict_proba(asked)).max() < 0.05
    assert told.statistics_.class_count.sum() == pytest.approx(6000, abs=60)


def test_arrays_with_noise_can_be_asked_and_learn_on():
    X = np.random.default_rng(1).integers(0, 3, size=(300, 3))
    y = np.array(["no", "yes"])[(X[:, 0] > 0).astype(int)]
    for model in (by.CategoricalNB(), by.BernoulliNB()):
        told = model.fit(X, y).with_noise(2.0, random_state=0)
        assert (told.predict(X) == y).mean() > 0.9
        assert told.partial_fit(X, y).statistics_.class_count.sum() > 500


def test_a_failed_draw_changes_nothing():
    model = fitted([("rain", "low", "yes"), ("sun", "low", "no")])
    before = counts(model)
    with pytest.raises(ValueError, match="epsilon must be"):
        model.with_noise(-1.0)
    with pytest.raises(ValueError, match="not fitted"):
        by.NaiveBayes().with_noise(1.0)
    assert counts(model) == before


@pytest.mark.parametrize("model", [by.CategoricalNB(), by.BernoulliNB()])
def test_answers_are_probabilities_however_little_the_noise_has_left(model):
    model.fit([[0], [1]], ["yes", "no"])
    for seed in range(40):  # of some draws no row is left
        answers = model.with_noise(0.5, random_state=seed).predict_proba([[0], [1]])
        assert answers.sum(axis=1) == pytest.approx([1, 1])
