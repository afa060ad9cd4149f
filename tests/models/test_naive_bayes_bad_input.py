"""Bad input to NaiveBayes gets a sentence that names column and row, and changes nothing."""

from datetime import date

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import bayesic as by
from bayesic.data.labels import UnknownLabelsError
from helpers.comparisons import assert_unchanged, state_of

X = {"sky": ["sun", "rain", "sun", "rain"], "wind": [1.0, 2.0, 8.0, 9.0]}
y = ["ham", "ham", "spam", "spam"]
WITH_LABELS = ("fit", "partial_fit", "forget", "leave_one_out")
ANSWERS = ("predict", "predict_proba", "predict_log_proba", "log_density", "explain")


def learned(**parameters):
    return by.NaiveBayes(**parameters).fit(X, y)


def assert_refused(model, action, match, error=ValueError):
    before = state_of(model)
    with pytest.raises(error, match=match) as caught:
        action(model)
    clear = (ValueError, UnknownLabelsError, TypeError, FileNotFoundError, NotFittedError)
    assert type(caught.value) in clear
    assert_unchanged(model, before)


# cells ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "cells", "match"),
    [
        ("wind", [1.0, "?"], "[Cc]olumn 'wind'.*'\\?'"),
        ("wind", [1.0, np.inf], "column 'wind', row 1"),
        ("wind", [1.0, 10**400], "column 'wind', row 1"),
        ("wind", [1.0, 1e200], "column 'wind'"),
        ("sky", ["sun", 3], "'sky'.*'sun' in row 0|'sky'.*3 in row 1"),
        ("sky", ["sun", ["rain"]], "column 'sky', row 1"),
        ("sky", ["sun", date(2026, 11, 15)], "'sky'"),
    ],
    ids=["word", "infinite", "too large for float64", "too large to square", "number", "list",
         "date"],
)  # fmt: skip
def test_a_cell_that_cannot_be_is_named_when_learning(column, cells, match):
    rows = {"sky": ["sun", "rain"], "wind": [1.0, 2.0]} | {column: cells}
    # once it is known that a column holds categories, anything that has a text may be one
    models = [by.NaiveBayes()] if column == "sky" else [by.NaiveBayes(), learned()]
    for model in models:
        for name in ("fit", "partial_fit"):
            assert_refused(
                model, lambda model, do=name: getattr(model, do)(rows, ["ham", "spam"]), match
            )


@pytest.mark.parametrize("cell", ["?", np.inf], ids=["word", "infinite"])
def test_a_cell_that_cannot_be_is_named_when_asked(cell):
    for name in ANSWERS:
        assert_refused(
            learned(),
            lambda model, do=name: getattr(model, do)({"sky": ["sun"] * 2, "wind": [1.0, cell]}),
            "[Cc]olumn 'wind', row 1",
        )


@pytest.mark.parametrize(
    ("kind", "cells", "match"),
    [
        ("poisson", [1, 2, -3, 4], "'visits'.*poisson.*Row 2 holds -3"),
        ("poisson", [1, 2, 3, 0.5], "'visits'.*poisson.*Row 3 holds 0.5"),
        ("bernoulli", [0, 1, 2, 0], "'visits'.*bernoulli.*Row 2 holds '2'"),
        ("text", ["free", 1, "", None], "column 'visits', row 1"),
        ("gaussian", ["1", "2", "x", "4"], "[Cc]olumn 'visits', row 2"),
        ("gaussian", [date(2026, 1, 1)] * 4, "'visits'.*dates"),
    ],
)
def test_a_cell_that_its_told_kind_cannot_have_is_named(kind, cells, match):
    model = by.NaiveBayes(columns={"visits": kind})
    assert_refused(model, lambda model: model.fit({"visits": cells}, y), match)


def test_the_row_of_a_file_is_counted_from_its_beginning(tmp_path, monkeypatch):
    monkeypatch.setattr("bayesic.data.source.MOST_ROWS_PER_BLOCK", 2)
    path = tmp_path / "visits.csv"
    pd.DataFrame({"visits": [1, 2, 3, -4], "label": y}).to_csv(path, index=False)
    model = by.NaiveBayes(columns={"visits": "poisson"})
    assert_refused(model, lambda model: model.fit(path, "label"), "'visits'.*Row 3 holds -4")
    model.fit({"visits": [1, 2]}, ["ham", "spam"])
    for name in ("partial_fit", "forget"):
        assert_refused(model, lambda model, do=name: getattr(model, do)(path, "label"), "Row 3")


# rows, labels, weights ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "labels", "match"),
    [
        ({"sky": ["sun"], "wind": [1.0]}, ["ham", "spam"], "1 rows?.*2 labels"),
        ({"sky": ["sun", "rain"], "wind": [1.0]}, ["ham", "spam"], "wind|length"),
        ({"sky": [], "wind": []}, [], "least"),
        ({}, ["ham"], "column"),
        (["sun", "rain"], ["ham", "spam"], "single row as"),
        ([["sun", 1.0], ["rain"]], ["ham", "spam"], "row 1|length"),
        (None, ["ham"], "X|table"),
        (7, ["ham"], "X|table|2D"),
        (X, None, "y"),
        (X, [None, "ham", "ham", "spam"], "NaN or None.*row 0"),
        (X, [0.5, 1.0, 0.0, 1.0], "continuous"),
        (X, "label", "no column 'label'"),
        ("nowhere.csv", "label", "nowhere.csv"),
    ],
    ids=["too many labels", "uneven columns", "no rows", "no columns", "one dimension",
         "uneven rows", "nothing", "a number", "no labels", "a gap among labels",
         "continuous labels", "an unknown column of labels", "no such file"],
)  # fmt: skip
def test_rows_and_labels_that_cannot_be_learned(rows, labels, match):
    errors = (TypeError, ValueError, FileNotFoundError)
    for name in WITH_LABELS:
        assert_refused(
            learned(), lambda model, do=name: getattr(model, do)(rows, labels), match, errors
        )
    for name in ("fit", "partial_fit"):
        assert_refused(
            by.NaiveBayes(), lambda model, do=name: getattr(model, do)(rows, labels), match, errors
        )


@pytest.mark.parametrize(
    ("weights", "match"),
    [
        ([1.0, 2.0], "sample_weight"),
        ([1.0, 2.0, -1.0, 1.0], "0 or more"),
        ([1.0, np.nan, 1.0, 1.0], "finite"),
        ([0.0] * 4, "above 0"),
        ("heavy", "heavy"),
    ],
    ids=["too few", "negative", "NaN", "all zero", "an unknown column"],
)
def test_weights_that_cannot_be(weights, match):
    for name in WITH_LABELS:
        assert_refused(learned(), lambda m, do=name: getattr(m, do)(X, y, sample_weight=weights),
                       match)  # fmt: skip


def test_a_file_without_labels_is_refused_in_words(tmp_path):
    path = tmp_path / "mail.csv"
    pd.DataFrame(X).to_csv(path, index=False)
    assert_refused(by.NaiveBayes(), lambda model: model.fit(path, None), "y")


def test_a_file_without_rows_is_refused_in_words(tmp_path):
    path = tmp_path / "mail.csv"
    path.write_text("sky,wind,label\n")
    for name in WITH_LABELS:
        assert_refused(learned(), lambda m, do=name: getattr(m, do)(path, "label"), "no rows")
    assert_refused(learned(), lambda model: model.predict(path), "no rows")


def test_only_what_was_learned_can_be_taken_away():
    for rows, labels, match in [
        ({"sky": ["fog"], "wind": [1.0]}, ["ham"], "Column 'sky'.*'fog' was never seen"),
        ({"sky": ["sun"], "wind": [7.0]}, ["ham"], "Column 'wind'.*7.0 was never seen"),
        ({"sky": ["sun"], "wind": [1.0]}, ["spam"], "Only what was learned"),
        ({"sky": ["sun"], "wind": [1.0]}, ["news"], "news"),
    ]:
        for name in ("forget", "leave_one_out"):
            assert_refused(
                learned(), lambda m, do=name, X=rows, y=labels: getattr(m, do)(X, y), match
            )


def test_labels_of_another_kind_are_refused():
    assert_refused(learned(), lambda model: model.partial_fit(X, [0, 0, 1, 1]), "type", TypeError)


# what is asked of a model that has not learned ---------------------------------------------------


def test_a_model_that_has_learned_nothing_says_so():
    for name in (*ANSWERS, "sample"):
        asked = (X,) if name != "sample" else (1,)
        assert_refused(
            by.NaiveBayes(), lambda m, do=name, a=asked: getattr(m, do)(*a), "fit", NotFittedError
        )
    for name in ("forget", "leave_one_out"):
        assert_refused(
            by.NaiveBayes(), lambda m, do=name: getattr(m, do)(X, y), "fit", NotFittedError
        )
    assert_refused(learned(), lambda m: m.merge(by.NaiveBayes()), "fit|features", (ValueError,))


def test_other_models_and_other_columns_are_not_merged():
    assert_refused(learned(), lambda m: m.merge(by.GaussianNB()), "same kind", TypeError)
    other = by.NaiveBayes().fit({"sky": ["sun"], "rain": [1.0]}, ["ham"])
    assert_refused(learned(), lambda m: m.merge(other), "'wind'.*'rain'")
    words = by.NaiveBayes().fit({"sky": ["sun"], "wind": ["strong"]}, ["ham"])
    assert_refused(learned(), lambda m: m.merge(words), "Column 'wind'.*numbers")


# parameters -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"columns": {"wind": "normal"}}, "'wind'.*gaussian.*'normal'"),
        ({"columns": {"rain": "gaussian"}}, r"\['rain'\].*\['sky', 'wind'\]"),
        ({"columns": ["wind"]}, "dict"),
        ({"numeric": "normal"}, "numeric.*auto.*'normal'"),
        ({"numeric": None}, "numeric"),
        ({"smoothing": -1}, "smoothing.*0 or more.*-1"),
        ({"smoothing": np.nan}, "smoothing"),
        ({"smoothing": "much"}, "smoothing.*'much'"),
        ({"smoothing": ("n", 1)}, "smoothing"),
        ({"smoothing": ("m", -1)}, "m in smoothing"),
        ({"smoothing": {"wind": -1}}, "smoothing of 'wind'"),
        ({"smoothing": {"rain": 1}}, r"smoothing names \['rain'\]"),
        ({"smoothing": True}, "smoothing"),
        ({"prior": "flat"}, "prior.*'flat'"),
        ({"prior": [0.5, 0.5]}, "prior.*dict"),
        ({"prior": np.array([0.5, 0.5])}, "prior.*dict"),
        ({"prior": {"ham": 0.5}}, r"lacks \['spam'\]"),
        ({"prior": {"ham": 0.5, "spam": 0.2, "news": 0.3}}, r"unknown \['news'\]"),
        ({"prior": {"ham": 0.5, "spam": 0.6}}, "sum.*1"),
        ({"prior": {"ham": -0.5, "spam": 1.5}}, "non-negative"),
        ({"prior": {"ham": "much", "spam": 0.5}}, "[Pp]rior"),
    ],
    ids=str,
)
def test_parameters_that_make_no_sense_are_refused_before_an_answer(parameters, match):
    errors = (TypeError, ValueError)
    with pytest.raises(errors, match=match):
        by.NaiveBayes(**parameters).fit(X, y).predict(X)
    with pytest.raises(errors, match=match):
        learned().set_params(**parameters).predict(X)


@pytest.mark.parametrize(
    "parameters",
    [
        {"columns": {"wind": "categorical"}},
        {"columns": {"wind": "text"}},
        {"numeric": "categorical"},
        {"columns": {"sky": "gaussian"}},
    ],
    ids=str,
)
def test_what_is_kept_of_a_column_cannot_turn_from_numbers_into_words(parameters):
    model = learned().set_params(**parameters)
    for action in (
        lambda: model.predict(X),
        lambda: model.partial_fit(X, y),
        lambda: model.predict({"sky": ["3"], "wind": [2.0]}),
    ):
        with pytest.raises(ValueError, match="column|Column"):
            action()


@pytest.mark.parametrize(
    ("n", "label", "match"),
    [(-1, None, "n "), (2.5, None, "n "), ("many", None, "n "), (2, "news", "news")],
    ids=["negative", "not whole", "a word", "an unknown class"],
)
def test_samples_that_cannot_be_drawn(n, label, match):
    assert_refused(learned(), lambda model: model.sample(n, label), match, (TypeError, ValueError))
