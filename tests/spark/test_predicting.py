"""Answers beside the rows of a DataFrame are those of the same rows in memory."""

import numpy as np
import pyarrow as pa
import pytest

import bayesic as by
from helpers.spark import GROUP, KNOWN, spark_table

pytestmark = [GROUP, pytest.mark.filterwarnings(KNOWN)]
RNG = np.random.default_rng(3)
TABLE = pa.table(
    {
        "id": range(60),
        "sky.today": ["rain", "sun", None] * 20,
        "wind": [float(number % 11) for number in range(60)],
        "text": [f"free lunch {number % 4}" for number in range(60)],
        "mail": RNG.choice(["ham", "垃圾"], 60),
    }
)


@pytest.fixture(scope="module")
def frame():
    return spark_table(TABLE).cache()


def answers(frame, model, **told):
    """The answers in the order of id, and the names of all columns."""
    answered = by.spark.predict(frame, model, **told)
    rows = sorted(answered.collect(), key=lambda row: row["id"])
    assert [row["wind"] for row in rows] == TABLE["wind"].to_pylist()
    return rows, answered.columns


def test_prediction_and_probability_are_those_in_memory(frame):
    known = TABLE.select(["sky.today", "wind", "mail"])
    model = by.NaiveBayes().fit(known, y="mail")
    rows, names = answers(frame, model)
    assert names == [*TABLE.column_names, "prediction", "probability"]
    assert [row["prediction"] for row in rows] == model.predict(known).tolist()
    ours = np.array([row["probability"] for row in rows])
    np.testing.assert_allclose(ours, model.predict_proba(known), rtol=1e-12)


def test_texts_are_answered(frame):
    texts = TABLE["text"].to_pylist()
    model = by.TextClassifier().fit(texts, TABLE["mail"].to_numpy())
    rows, _ = answers(frame, model, columns=["text"])
    ours = np.array([row["probability"] for row in rows])
    np.testing.assert_allclose(ours, model.predict_proba(texts), rtol=1e-12)
    with pytest.raises(ValueError, match="Say with columns= which"):
        by.spark.predict(frame, model)


WIND = TABLE.select(["wind"])
OTHERS = {
    "whole numbers": lambda: by.GaussianNB().fit(WIND, [1, 2] * 30),
    "floats": lambda: by.GaussianNB().fit(WIND, [1.0, 2.0] * 30),
    "yes or no": lambda: by.GaussianNB().fit(WIND, [True, False] * 30),
    "number": lambda: by.LeastSquares().fit(WIND, RNG.random(60)),
    "component": lambda: by.GaussianMixture(2, random_state=0).fit(WIND),
    "cluster": lambda: by.KMeans(2, random_state=0).fit(WIND),
    "action": lambda: by.BayesDecision(
        by.GaussianNB().fit(WIND, ["ham", "spam"] * 30), reject_loss=0.1
    ),
}


@pytest.mark.parametrize("what", OTHERS)
def test_whatever_is_predicted_keeps_its_type(what, frame):
    model = OTHERS[what]()
    rows, names = answers(frame, model, columns=["wind"])
    expected = np.asarray(model.predict(WIND)).tolist()
    assert [row["prediction"] for row in rows] == expected
    assert type(rows[0]["prediction"]) is type(expected[0])
    assert ("probability" in names) == hasattr(model, "predict_proba")


def test_nothing_is_computed_before_rows_are_asked_for(frame):
    model = by.GaussianNB().fit(WIND, [1, 2] * 30)
    failing = frame.selectExpr("raise_error('computed') as wind")
    answered = by.spark.predict(failing, model)
    with pytest.raises(Exception, match="computed"):
        answered.collect()


def test_what_cannot_be_answered_is_refused(frame):
    model = by.GaussianNB().fit(WIND, [1, 2] * 30)
    with pytest.raises(TypeError, match="takes a DataFrame of Spark, got a Table"):
        by.spark.predict(TABLE, model)
    with pytest.raises(ValueError, match="has no column 'wind'"):
        by.spark.predict(frame.drop("wind"), model)
    with pytest.raises(ValueError, match="has a column 'prediction' already"):
        by.spark.predict(frame.withColumnRenamed("id", "prediction"), model)
    with pytest.raises(Exception, match="is not fitted"):
        by.spark.predict(frame, by.GaussianNB())
    with pytest.raises(TypeError, match="A model that can predict"):
        by.spark.predict(frame, "GaussianNB")
