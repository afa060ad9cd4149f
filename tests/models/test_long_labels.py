"""A label as long as a book costs its own memory, not that of each row."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

import bayesic as by
from bayesic.data.labels import WIDE, encode_labels
from bayesic.decisions.decide import answer_columns, decide

LONG = "n" * 20_000
N_ROWS = 1000  # an array of that width has 80 MB
ROWS = [{"sky": str(n % 7)} for n in range(N_ROWS)]
LABELS = [LONG, *("spam" if n % 2 else "ham" for n in range(1, N_ROWS))]
MOST = 10_000_000  # bytes


@pytest.fixture
def little_memory():
    """Fails if a test takes more than MOST bytes at once."""
    tracemalloc.start()
    yield
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MOST


def test_a_model_learns_and_answers_in_little_memory(little_memory):
    model = by.NaiveBayes().fit(ROWS, LABELS)
    model.partial_fit(ROWS, LABELS)
    assert set(model.predict(ROWS)) <= {LONG, "ham", "spam"}
    assert model.predict(ROWS[:2]).dtype == model.classes_.dtype == object
    assert 0 < model.score(ROWS, LABELS) < 1
    columns = answer_columns(model.predict_proba(ROWS), model.classes_, top=2)
    assert columns["prediction"] == model.predict(ROWS).tolist()


def test_an_action_with_a_long_name_is_decided_in_little_memory(little_memory):
    loss = {LONG: {"ham": 0, "spam": 1}, "drop": {"ham": 1, "spam": 0}}
    decision = decide([[0.75, 0.25]] * N_ROWS, loss, classes=["ham", "spam"])
    assert set(decision.action) == {LONG}


def test_long_labels_of_older_files_are_read_as_objects(tmp_path):
    model = by.NaiveBayes().fit(ROWS[:3], ["ham", "spam", LONG])
    model.classes_ = model.classes_.astype(str)  # as files had it that were written before
    model.save(tmp_path / "mail.bayes")
    assert by.load(tmp_path / "mail.bayes").classes_.dtype == object


@pytest.mark.parametrize("make", [list, np.array, pd.Series, lambda y: np.array(y, dtype=object)])
def test_labels_that_are_wide_are_the_same_classes_in_any_form(make):
    labels = ["spam", "n" * (WIDE + 1), "ham", "spam"]
    classes, codes = encode_labels(make(labels))
    assert classes.dtype == object
    assert [classes[code] for code in codes] == labels


def test_labels_of_usual_length_stay_an_array_of_words():
    classes, _ = encode_labels(["ham", "n" * WIDE])
    assert classes.dtype == f"<U{WIDE}"


def test_a_long_label_that_comes_later_makes_the_classes_of_one_fit():
    at_once = by.NaiveBayes().fit(ROWS[:4], ["ham", "spam", "ham", LONG])
    for last in (LONG, np.array([LONG])):
        later = by.NaiveBayes().fit(ROWS[:3], ["ham", "spam", "ham"])
        later.partial_fit(ROWS[3:4], [last] if isinstance(last, str) else last)
        assert later.classes_.dtype == at_once.classes_.dtype == object
        assert later.classes_.tolist() == at_once.classes_.tolist()
        assert np.array_equal(later.predict_proba(ROWS[:9]), at_once.predict_proba(ROWS[:9]))
