"""Many columns, many classes: what would take too much is refused with the way out."""

import numpy as np
import pytest

import bayesic as by
from bayesic.estimation.dependent_columns import informations
from bayesic.estimation.information import class_information, conditional_information
from bayesic.kernels import combinations as combinations_in_numpy
from bayesic.kernels.combinations import cells_of
from bayesic.models.levels.dependence import CountedTogether
from bayesic.statistics import combinations, forest

WIDE = (by.TreeAugmentedNB, by.KDependence, by.AveragedOneDependence)


def sensors(n_columns, n_rows=30):
    rng = np.random.default_rng(0)
    states = rng.choice(["on", "off"], (n_columns, n_rows)).tolist()
    return {f"sensor {number}": column for number, column in enumerate(states)}


@pytest.mark.parametrize("Model", WIDE)
def test_more_pairs_of_columns_than_can_be_counted_are_refused_with_the_way_out(Model):
    with pytest.raises(ValueError, match=r"2000 columns make 2,001,000 .*524,288. Use NaiveBayes"):
        Model().fit(sensors(2000), ["fault", "fine"] * 15)


def test_a_model_keeps_what_it_knows_where_another_column_would_be_too_many(monkeypatch):
    monkeypatch.setattr(combinations, "MOST_COMBINATIONS", 6)
    y = ["fault", "fine"] * 15
    model = by.TreeAugmentedNB().fit(sensors(3), y)
    before = model.predict_proba(sensors(3))
    with pytest.raises(ValueError, match="4 columns make 10 combinations"):
        by.TreeAugmentedNB().fit(sensors(4), y)
    assert (model.predict_proba(sensors(3)) == before).all()


def test_what_all_pairs_say_is_what_each_pair_says_by_itself():
    columns = {**sensors(3, 40), "room": (["hall", "cellar", "roof", None] * 10)}
    model = by.TreeAugmentedNB().fit(columns, ["fault", "fine"] * 20)
    counts = model.statistics_
    of_class, of_pairs = informations(counts)
    for one in range(4):
        assert of_class[one] == pytest.approx(class_information(counts.of(one)))
        for other in range(one):
            alone = conditional_information(counts.of(other, one))
            assert of_pairs[one, other] == of_pairs[other, one] == pytest.approx(float(alone))
    assert CountedTogether(counts).informations[1].shape == (4, 4)


def test_a_forest_of_too_many_classes_is_refused_before_it_grows():
    y = [f"site {number}" for number in range(5000)] * 2
    with pytest.raises(ValueError, match=r"60 trees counts all 5000 classes.*Use NaiveBayes"):
        by.BayesForest().fit({"wind": np.arange(10_000.0)}, y)


def test_a_forest_that_grew_too_many_nodes_is_refused(monkeypatch):
    monkeypatch.setattr(forest, "MOST_CELLS", 300)
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="more than 300 counts here"):
        by.BayesForest(n_trees=30).fit({"wind": rng.normal(size=60)}, ["go", "stay"] * 30)


def test_no_covariances_of_very_many_columns_are_tried_unasked():
    rng = np.random.default_rng(0)
    model = by.choose_model(rng.normal(size=(12, 501)), ["fault", "fine"] * 6)
    left_out = {str(score.model): score.reason for score in model.scores_ if score.reason}
    told = [reason for name, reason in left_out.items() if name.startswith("GaussianBayes")]
    assert any("covariances of 501 columns" in reason for reason in told)


@pytest.mark.parametrize("smoothing", [1.0, "back-off"])
@pytest.mark.parametrize("n", [1, 2])
def test_reasons_of_an_average_look_up_no_more_counts_than_two_answers(monkeypatch, n, smoothing):
    monkeypatch.setenv("BAYESIC_KERNELS", "reference")
    X, looked_up = sensors(14), []
    model = by.AveragedOneDependence(n=n, smoothing=smoothing).fit(X, ["fault", "fine"] * 15)

    def counted(columns, levels, sizes):
        looked_up.append(len(columns) * levels.shape[1])
        return cells_of(columns, levels, sizes)

    monkeypatch.setattr(combinations_in_numpy, "cells_of", counted)
    model.predict_proba(X)
    of_answers = sum(looked_up)
    looked_up.clear()
    model.explain(X)  # which tells the answers as well, and n = 2 falls back to n = 1
    assert 2 * of_answers <= sum(looked_up) < 2.5 * of_answers


@pytest.mark.parametrize(("n", "smoothing"), [(1, 1.0), (1, "back-off"), (2, 1.0), (2, "back-off")])
@pytest.mark.parametrize("m", [1, 3])
def test_each_reason_of_an_average_is_what_its_column_adds_to_the_answer(n, m, smoothing):
    names = ["wind", "sky", "heat", "rain"]
    rng = np.random.default_rng(4)
    X = {name: rng.choice(["low", "high", "odd", None], 20).tolist() for name in names}
    model = by.AveragedOneDependence(n=n, m=m, smoothing=smoothing)
    model.fit(X, ["stay", "go"] * 10)
    row = {"wind": "odd", "sky": None, "heat": "low", "rain": "unheard"}
    why = model.explain(row)
    for n_known in range(len(names) + 1):
        known = {name: [row[name] if at < n_known else None] for at, name in enumerate(names)}
        log = dict(zip(model.classes_, model.predict_joint_log_proba(known)[0], strict=True))
        along = why.prior_log_odds + sum(why.weights[name] for name in names[:n_known])
        assert along == pytest.approx(log[why.answer] - log[why.against], abs=1e-12)
