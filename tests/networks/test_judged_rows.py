"""Rows against a network: which surprise it, and how well it answers a target."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import bayesic as by
from bayesic.datasets import asia
from bayesic.networks.factors import Factors

NET = asia()
ROWS = pd.DataFrame(NET.sample(300, seed=3))


# surprise -----------------------------------------------------------------------------------------


def test_surprise_is_the_product_of_the_tables():
    rows = {
        "smoke": ["yes", "no", "no"],
        "lung": ["no", "yes", "yes"],
        "bronc": ["no", "yes", None],
    }
    found = NET.surprise(rows, n=2)
    half = Fraction(1, 2)
    shares = [half * Fraction(9, 10) * Fraction(2, 5), half * Fraction(1, 100) * Fraction(3, 10)]
    shares.append(half * Fraction(1, 100))  # the cell that is missing is summed over
    logs = [math.log(share) for share in shares]
    assert [each.row for each in found.rows] == [1, 2]
    assert [each.log_probability for each in found.rows] == pytest.approx([logs[1], logs[2]])
    assert found.mean == pytest.approx(math.fsum(logs) / 3)
    assert (found.n_impossible, found.n_rows) == (0, 3)


def test_the_least_probable_rows_come_first_and_equal_ones_in_their_order():
    found = NET.surprise(ROWS, n=50)
    expected = NET.log_probability(ROWS)
    assert [each.row for each in found.rows] == np.argsort(expected, stable=True)[:50].tolist()
    assert [each.log_probability for each in found.rows] == np.sort(expected)[:50].tolist()
    assert found.mean == pytest.approx(expected.mean(), rel=1e-12)


def test_a_row_that_cannot_happen_is_counted_and_has_no_part_in_the_mean():
    found = NET.surprise({"tub": ["yes", "yes"], "either": ["no", "yes"]})
    assert (found.rows[0], found.n_impossible) == ((0, -math.inf), 1)
    assert found.mean == pytest.approx(math.log(NET.probability_of({"tub": "yes"})))
    assert math.isnan(NET.surprise({"tub": ["yes"], "either": ["no"]}).mean)


def test_products_of_factors_are_surprised_as_well():
    friends = Factors((2, 2), ((0, 1),), ([[3.0, 1.0], [1.0, 3.0]],))
    model = by.networks.FactorModel(friends, {"Ann": ["yes", "no"], "Bob": ["yes", "no"]})
    found = model.surprise({"Ann": ["yes", "yes"], "Bob": ["yes", "no"]}, n=1)
    assert found.rows[0].log_probability == pytest.approx(math.log(1 / 8))
    assert found.mean == pytest.approx((math.log(1 / 8) + math.log(3 / 8)) / 2)


def test_a_file_is_read_in_blocks(tmp_path):
    path = tmp_path / "rows.csv"
    ROWS.to_csv(path, index=False)
    assert NET.surprise(path, n=7) == NET.surprise(ROWS, n=7)
    assert NET.evaluate(path, "lung").to_dict() == NET.evaluate(ROWS, "lung").to_dict()


@pytest.mark.parametrize("n", [0, -1, 2.5])
def test_no_rows_are_no_number_of_rows(n):
    with pytest.raises(ValueError, match="n must be"):
        NET.surprise(ROWS, n=n)


def test_tables_that_say_nothing_are_refused():
    with pytest.raises(ValueError, match="names of variables"):
        NET.surprise({"age": [33]})
    with pytest.raises(ValueError, match="no rows"):
        NET.surprise({"lung": []})


# one target ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["lung", "bronc", "either"])
def test_scores_of_a_target_are_those_of_scikit_learn(target):
    report = NET.evaluate(ROWS, target)
    posterior = NET.predict_proba(ROWS, target)
    truth = (ROWS[target] == "no").to_numpy().astype(int)  # states are yes, no
    theirs = metrics.log_loss(truth, posterior, labels=[0, 1])
    assert report.log_loss == pytest.approx(theirs, rel=1e-9, abs=1e-12)
    assert report.accuracy == metrics.accuracy_score(truth, posterior.argmax(axis=1))
    expected = metrics.confusion_matrix(truth, posterior.argmax(axis=1), labels=[0, 1])
    assert report.confusion.tolist() == expected.tolist()
    assert (report.classes, report.n_rows) == (NET.states(target), 300)
    assert str(report).startswith("300 rows: answers of BeliefNetwork")


def test_rows_without_the_target_are_left_out():
    report = NET.evaluate({"smoke": ["yes", "no", "yes"], "lung": ["yes", None, "no"]}, "lung")
    assert report.n_rows == 2
    assert [row.row for row in report.worst] == [0, 2]
    assert report.log_loss == pytest.approx(-(math.log(0.1) + math.log(0.9)) / 2)
    with pytest.raises(ValueError, match="No row has a state of xray"):
        NET.evaluate({"smoke": ["yes"]}, "xray")


def test_impossible_evidence_gets_the_prior_of_the_target():
    rows = {"tub": ["yes"], "either": ["no"], "smoke": ["no"]}
    with pytest.warns(UserWarning, match=r"1 row\(s\) have evidence that cannot happen"):
        report = NET.evaluate(rows, "smoke")
    assert report.log_loss == pytest.approx(math.log(2))


def test_an_unknown_target_is_named():
    with pytest.raises(ValueError, match="no variable 'flu'"):
        NET.evaluate(ROWS, "flu")
