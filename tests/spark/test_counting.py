"""Models learn from the partitions of a Spark DataFrame what they learn from the rows in memory."""

import os
import sys
import warnings
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest

import bayesic as by
from bayesic.models.readers import counted_tables
from bayesic.spark import sampled_rows
from helpers.comparisons import assert_same, assert_unchanged, state_of
from helpers.spark import GROUP, KNOWN, spark_table

pytestmark = [GROUP, pytest.mark.filterwarnings(KNOWN)]
N_ROWS = 240
RNG = np.random.default_rng(20)


def days():
    """Words, numbers with gaps, whole numbers, texts, and a column whose name Spark would cut."""
    mail = RNG.choice(["ham", "spam", "垃圾"], N_ROWS)
    wind = RNG.normal(3.0, 1.0, N_ROWS) + (mail == "spam")
    return pa.table(
        {
            "text": [f"free lunch {number % 7} 今天" for number in range(N_ROWS)],
            "sky.today": pa.array(RNG.choice(["rain", "sun", "雨"], N_ROWS)),
            "wind": pa.array(np.where(RNG.random(N_ROWS) < 0.1, np.nan, wind), from_pandas=True),
            "age": RNG.integers(0, 5, N_ROWS),
            "mail": mail,
        }
    )


@pytest.fixture(scope="module")
def table():
    return days()


@pytest.fixture(scope="module")
def frame(table):
    return spark_table(table).repartition(3).cache()


def quietly(model, X, verb="fit", **told):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(model, verb)(X, y="mail", **told)


MODELS = {
    "NaiveBayes": by.NaiveBayes(columns={"text": "text"}),
    "JointBayes": by.JointBayes(columns={"text": "ignore", "wind": "ignore"}),
    "TreeAugmentedNB": by.TreeAugmentedNB(columns={"text": "ignore"}),
    "BayesForest": by.BayesForest(n_trees=5, columns={"text": "ignore"}),
}


@pytest.mark.parametrize("name", MODELS)
def test_tables_are_learned_as_in_memory(name, table, frame):
    ours = quietly(MODELS[name], frame)
    statistics, classes, answers = ours.statistics_, ours.classes_, ours.predict_proba(table)
    in_memory = quietly(MODELS[name], table)
    assert_same(statistics, in_memory.statistics_, tolerance=1e-9, scale=8)
    assert classes.tolist() == in_memory.classes_.tolist()
    np.testing.assert_allclose(answers, in_memory.predict_proba(table), rtol=1e-7)


def test_only_texts_and_columns_of_very_many_values_are_read_where_groups_are_counted(
    table, frame, monkeypatch
):
    monkeypatch.setattr("bayesic.data.engines.FIRST_ROWS", 1)
    monkeypatch.setattr("bayesic.data.engines.REFUSALS", ())
    with mock.patch.object(counted_tables, "summaries", wraps=counted_tables.summaries) as read:
        ours = quietly(MODELS["NaiveBayes"], frame)
    assert [call.args[0].columns for call in read.call_args_list] == [["mail", "text"]]
    statistics = ours.statistics_
    in_memory = quietly(MODELS["NaiveBayes"], table)
    assert_same(statistics, in_memory.statistics_, tolerance=1e-9, scale=8)


def test_numbers_are_learned_as_in_memory(table, frame):
    ours = by.GaussianBayes().fit(frame.select("wind", "age", "mail").dropna(), y="mail")
    rows = table.select(["wind", "age", "mail"]).drop_null()
    in_memory = by.GaussianBayes().fit(rows, y="mail")
    assert ours.feature_names_in_.tolist() == ["wind", "age"]
    assert ours.class_count_.tolist() == in_memory.class_count_.tolist()
    assert_same(ours.statistics_, in_memory.statistics_, tolerance=1e-9, scale=8)


def test_a_target_that_is_a_number_is_learned_as_in_memory(table, frame):
    rows = table.select(["age", "wind"]).drop_null()
    ours = by.LeastSquares().fit(frame.select("age", "wind").dropna(), y="wind")
    assert ours.coef_ == pytest.approx(by.LeastSquares().fit(rows, y="wind").coef_, rel=1e-9)


def test_texts_are_learned_learned_on_and_forgotten(table, frame):
    in_memory = by.TextClassifier().fit(table["text"], table["mail"].to_numpy())
    ours = by.TextClassifier().fit(frame, y="mail", text="text")
    assert_same(ours.statistics_, in_memory.statistics_)
    assert (ours.text_column_, ours.target_name_) == ("text", "mail")
    ours.partial_fit(frame)
    assert ours.class_count_.tolist() == [2 * number for number in in_memory.class_count_]
    assert_same(ours.forget(frame).statistics_, in_memory.statistics_)


def test_what_is_chosen_by_texts_is_chosen_as_in_memory(table, frame):
    few = frame.where("age < 2")
    rows = table.filter(pa.compute.less(table["age"], 2))
    ours = by.TextClassifier("auto", analyzer="word").fit(few, y="mail", text="text")
    in_memory = by.TextClassifier("auto", analyzer="word").fit(
        rows["text"], rows["mail"].to_numpy()
    )
    assert_same(ours.statistics_, in_memory.statistics_)
    assert ours.chosen_.parameters == in_memory.chosen_.parameters


def test_a_forest_grows_from_a_sample_and_counts_all_rows(table, monkeypatch):
    monkeypatch.setattr(sampled_rows, "MOST_SAMPLED", 100)
    rows = table.drop_null()  # no two of these are equal
    forests = [
        quietly(
            by.BayesForest(n_trees=5, columns={"text": "ignore"}), spark_table(rows).repartition(n)
        )
        for n in (1, 4)
    ]
    for ours in forests:
        assert ours.statistics_.class_count.sum() == rows.num_rows
        assert 60 < ours.forest_.n_rows < 140  # 100 are expected, with a spread of 8
    assert forests[0].forest_.is_same(forests[1].forest_)
    assert_same(forests[0].statistics_, forests[1].statistics_)


# tasks that fail --------------------------------------------------------------------------------


def words_unless_first_try(text):
    from pyspark import TaskContext

    if TaskContext.get() is not None and TaskContext.get().attemptNumber() == 0:
        raise OSError("the disk is gone")
    return text.split()


def crash_unless_first_try(text):
    from pyspark import TaskContext

    if TaskContext.get() is not None and TaskContext.get().attemptNumber() == 0:
        os._exit(3)
    return text.split()


def by_value(function):
    """A copy that Spark sends as code: executors do not have the modules of tests."""
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[function.__module__])
    return function


@pytest.mark.parametrize("tokenizer", [words_unless_first_try, crash_unless_first_try])
def test_a_task_that_is_tried_again_does_not_count_twice(tokenizer, table, frame):
    ours = by.TextClassifier(tokenizer=by_value(tokenizer)).fit(
        frame.coalesce(2), y="mail", text="text"
    )
    in_memory = by.TextClassifier(tokenizer=str.split)
    in_memory.fit(table["text"], table["mail"].to_numpy())
    assert_same(ours.statistics_, in_memory.statistics_)


def never(text):
    from pyspark import TaskContext

    if TaskContext.get() is not None:
        raise OSError("the disk is gone")
    return text.split()


def test_a_task_that_fails_for_good_is_a_sentence_and_changes_nothing(frame):
    ours = by.TextClassifier(tokenizer=by_value(never))
    ours.fit(["free lunch"], ["spam"])
    before = state_of(ours)
    with pytest.raises(ValueError, match="Spark could not finish: .*the disk is gone"):
        ours.partial_fit(frame.coalesce(1), y="mail", text="text")
    assert_unchanged(ours, before)


# bad input ------------------------------------------------------------------------------------


def floats(table):
    return table.set_column(4, "mail", pa.array(RNG.random(N_ROWS)))


def one_infinite(table):
    wind = [*table["wind"].to_pylist()[:-1], float("inf")]
    return table.set_column(2, "wind", pa.array(wind))


def one_unlabelled(table):
    return table.set_column(4, "mail", pa.array([*table["mail"].to_pylist()[:-1], None]))


BAD = {
    "floats": (floats, "Unknown label type: continuous"),
    "infinite": (one_infinite, "got inf in column 'wind'.*In partition"),
    "no class": (one_unlabelled, "NaN or None"),
    "no column": (lambda table: table.drop_columns(["mail"]), "'mail'"),
    "empty": (lambda table: table.slice(0, 0), "The DataFrame has no rows"),
}


@pytest.mark.parametrize("Model", [by.NaiveBayes, by.BayesForest])
@pytest.mark.parametrize("what", BAD)
def test_bad_rows_are_refused_and_change_nothing(Model, what, table):
    make, message = BAD[what]
    ours = quietly(Model(), table.select(["wind", "mail"]))
    before = state_of(ours)
    bad = spark_table(make(table).drop_columns(["text", "sky.today", "age"]))
    with pytest.raises(ValueError, match=message):
        ours.partial_fit(bad, y="mail")
    assert_unchanged(ours, before)


def test_what_needs_an_order_of_rows_is_refused(frame, table):
    labels = table["mail"].to_numpy()
    ours = quietly(by.NaiveBayes(), table)
    with pytest.raises(ValueError, match="no order of rows"):
        by.NaiveBayes().fit(frame, labels)
    with pytest.raises(ValueError, match="no order of rows"):
        by.NaiveBayes().fit(frame, "mail", sample_weight=np.ones(N_ROWS))
    with pytest.raises(ValueError, match="have no order"):
        ours.leave_one_out(frame, "mail")
    with pytest.raises(ValueError, match="rows fade in their order"):
        by.NaiveBayes(decay=100).fit(frame, "mail")


def test_columns_of_the_same_name_are_refused(frame):
    with pytest.raises(ValueError, match="'age' comes twice"):
        by.NaiveBayes().fit(frame.select("age", "age", "mail"), "mail")
