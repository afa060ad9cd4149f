"""A nomogram: points of values that add up to the log odds of explain, and to predict_proba."""

from fractions import Fraction
from math import fsum, isclose, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by

TENNIS = by.datasets.play_tennis().to_dict()
MELONS = by.datasets.watermelon().to_dict()
SKIES = ["rain", "sun", "snow", None]


def points(nomogram, row):
    """What a row adds up: its points, and the prior."""
    weights = {
        column.name: dict(zip(column.values, column.weights, strict=True))
        for column in nomogram.columns
    }
    return {name: weights[name][cell] for name, cell in row.items() if cell is not None}


def test_points_are_logs_of_ratios_of_shares():
    model = by.NaiveBayes(smoothing=0).fit(TENNIS, y="PlayTennis")
    nomogram = model.nomogram()
    assert (nomogram.answer, nomogram.against) == ("Yes", "No")
    assert nomogram.prior_log_odds == pytest.approx(log(Fraction(9, 5)), abs=1e-15)
    (wind,) = [column for column in nomogram.columns if column.name == "Wind"]
    assert wind.values == ("Strong", "Weak")
    ratios = [Fraction(3, 9) / Fraction(3, 5), Fraction(6, 9) / Fraction(2, 5)]
    assert wind.weights == pytest.approx([log(ratio) for ratio in ratios], abs=1e-15)


def test_the_points_of_a_row_are_its_weights_of_evidence_bit_for_bit():
    model = by.NaiveBayes().fit(MELONS, y="好瓜")
    nomogram = model.nomogram("是", "否")
    rows = [dict(zip(MELONS, cells, strict=True)) for cells in zip(*MELONS.values(), strict=True)]
    for row in rows:
        del row["好瓜"]
        found = model.explain(row, answer="是", against="否")
        added = points(nomogram, row)
        assert added == found.weights
        total = fsum([nomogram.prior_log_odds, *added.values()])
        assert total == found.log_odds
        no, yes = model.predict_proba([row])[0]
        assert isclose(total, log(yes / no), abs_tol=1e-12)


@given(
    rows=st.lists(
        st.tuples(st.sampled_from(SKIES), st.sampled_from(["go", "stay", "wait"])), min_size=3
    ),
    smoothing=st.sampled_from([0.5, 1.0, ("m", 2.0)]),
)
def test_points_of_any_two_classes_agree_with_predict_proba(rows, smoothing):
    labels = [label for _, label in rows]
    if len({*labels}) < 2 or all(sky is None for sky, _ in rows):
        return
    model = by.NaiveBayes(smoothing=smoothing).fit([{"sky": sky} for sky, _ in rows], labels)
    classes = model.classes_.tolist()
    nomogram = model.nomogram(classes[0], classes[-1])
    for sky in {sky for sky, _ in rows}:
        total = fsum([nomogram.prior_log_odds, *points(nomogram, {"sky": sky}).values()])
        posterior = model.predict_proba([{"sky": sky}])[0]
        assert isclose(total, log(posterior[0] / posterior[-1]), abs_tol=1e-9)


@pytest.mark.parametrize("kind", ["gaussian", "kernel", "binned"])
def test_numbers_have_a_curve_with_a_point_for_each_value_that_was_seen(kind):
    rng = np.random.default_rng(0)
    labels = np.array(["f", "m"] * 30)
    heights = (rng.normal(size=60) + 2 * (labels == "m")).round(2)
    model = by.NaiveBayes(columns={"height": kind}).fit({"height": heights}, labels)
    (column,) = model.nomogram().columns
    assert column.is_curve and column.kind == kind and {*heights.tolist()} <= {*column.values}
    rows = {"height": list(column.values)}
    explained = [each.weights["height"] for each in model.explain(rows, answer="m")]
    assert column.weights == pytest.approx(explained, rel=1e-12)  # many rows at once, or a few


def test_learned_weights_of_columns_are_in_the_points():
    model = by.NaiveBayes(weights="learned").fit(TENNIS, y="PlayTennis")
    row = {"Outlook": "Sunny", "Temperature": "Hot", "Humidity": "High", "Wind": "Weak"}
    found = model.explain(row, answer="Yes", against="No")
    assert points(model.nomogram(), row) == pytest.approx(found.weights, abs=1e-15)
    assert model.nomogram().prior_log_odds == pytest.approx(found.prior_log_odds, abs=1e-15)


def test_texts_have_no_points_and_infinite_ones_are_text_in_json():
    table = {"note": ["free money", "lunch today"] * 3, "sky": ["sun", "rain"] * 3}
    model = by.NaiveBayes(columns={"note": "text"}, smoothing=0).fit(table, ["spam", "ham"] * 3)
    told = model.nomogram().to_dict()
    assert [(each["name"], each["values"]) for each in told["columns"]] == [
        ("note", []),
        ("sky", ["rain", "sun"]),
    ]
    assert told["columns"][1]["weights"] == ["-inf", "inf"]


def test_what_is_no_pair_of_classes_is_refused():
    model = by.NaiveBayes().fit(TENNIS, y="PlayTennis")
    with pytest.raises(ValueError, match="one of the classes"):
        model.nomogram("Perhaps")
    with pytest.raises(ValueError, match="two classes"):
        model.nomogram("Yes", "Yes")
    alone = by.NaiveBayes().fit({"sky": ["sun"]}, ["go"])
    with pytest.raises(ValueError, match="there is only"):
        alone.nomogram()
