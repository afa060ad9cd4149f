"""Scores of class probabilities, next to those of scikit-learn and to exact fractions."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.calibration import calibration_curve

from bayesic.evaluation.report import evaluate_posterior
from bayesic.evaluation.scores import (
    accuracy,
    brier_score,
    calibration,
    class_scores,
    confusion_counts,
    expected_calibration_error,
    log_loss,
)

CLASSES = ("ham", "news", "spam")


@st.composite
def answers(draw, min_classes=2):
    """Probabilities of some rows, no class impossible, and their true classes."""
    n_classes = draw(st.integers(min_classes, 3))
    part = st.integers(1, 20)
    row = st.lists(part, min_size=n_classes, max_size=n_classes)
    parts = np.array(draw(st.lists(row, min_size=1, max_size=12)), dtype=float)
    code = st.integers(0, n_classes - 1)
    codes = draw(st.lists(code, min_size=len(parts), max_size=len(parts)))
    return parts / parts.sum(axis=1, keepdims=True), np.array(codes)


@given(answers())
def test_scores_are_those_of_scikit_learn(drawn):
    posterior, codes = drawn
    labels = list(range(posterior.shape[1]))
    answer = posterior.argmax(axis=1)
    assert accuracy(posterior, codes) == metrics.accuracy_score(codes, answer)
    theirs = metrics.log_loss(codes, posterior, labels=labels)
    assert log_loss(posterior, codes) == pytest.approx(theirs, rel=1e-12)
    theirs = metrics.confusion_matrix(codes, answer, labels=labels)
    np.testing.assert_array_equal(confusion_counts(codes, answer, len(labels)), theirs)


@given(answers())
def test_brier_score_is_the_mean_squared_distance_to_the_truth(drawn):
    posterior, codes = drawn
    squares = [
        sum((p - (number == code)) ** 2 for number, p in enumerate(row))
        for row, code in zip(posterior.tolist(), codes.tolist(), strict=True)
    ]
    ours = brier_score(posterior, codes)
    assert ours == pytest.approx(math.fsum(squares) / len(squares), rel=1e-12)
    if posterior.shape[1] == 2:  # scikit-learn looks at one of the two classes
        theirs = metrics.brier_score_loss(codes, posterior[:, 1], pos_label=1)
        assert ours == pytest.approx(2 * theirs, rel=1e-9)


@given(answers())
def test_precision_and_recall_are_those_of_scikit_learn(drawn):
    posterior, codes = drawn
    labels = list(range(posterior.shape[1]))
    theirs = metrics.precision_recall_fscore_support(
        codes, posterior.argmax(axis=1), labels=labels, zero_division=np.nan
    )
    scores = class_scores(posterior, codes, labels)
    np.testing.assert_allclose([score.precision for score in scores], theirs[0])
    np.testing.assert_allclose([score.recall for score in scores], theirs[1])
    np.testing.assert_allclose([score.f1 for score in scores], theirs[2])
    assert [score.n_rows for score in scores] == theirs[3].tolist()
    assert sum(score.mean_probability for score in scores) == pytest.approx(1.0)
    assert sum(score.share for score in scores) == pytest.approx(1.0)


@given(answers())
def test_calibration_is_the_curve_of_scikit_learn(drawn):
    posterior, codes = drawn
    confidence, right = posterior.max(axis=1), posterior.argmax(axis=1) == codes
    share_right, mean_confidence = calibration_curve(right, confidence, n_bins=10)
    filled = [part for part in calibration(posterior, codes) if part.n_rows]
    np.testing.assert_allclose([part.share_right for part in filled], share_right)
    np.testing.assert_allclose([part.mean_confidence for part in filled], mean_confidence)
    assert sum(part.n_rows for part in filled) == len(codes)


def test_the_calibration_error_is_the_exact_fraction():
    # two bins: (1/2, 3/5] with confidence 9/16 twice, once right; (7/10, 4/5] with 3/4, right
    posterior = np.array([[9 / 16, 7 / 16], [7 / 16, 9 / 16], [3 / 4, 1 / 4]])
    parts = calibration(posterior, np.array([0, 0, 0]))
    gaps = 2 * abs(Fraction(1, 2) - Fraction(9, 16)) + abs(1 - Fraction(3, 4))
    assert expected_calibration_error(parts) == pytest.approx(float(gaps / 3), rel=1e-12)


@given(answers())
def test_a_perfectly_sure_and_right_model_has_no_loss(drawn):
    _, codes = drawn
    perfect = evaluate_posterior(np.eye(3)[codes], [CLASSES[code] for code in codes], CLASSES)
    assert (perfect.accuracy, perfect.log_loss, perfect.brier_score) == (1, 0, 0)
    assert perfect.expected_calibration_error == 0


def test_a_class_that_the_model_does_not_know_had_probability_zero():
    posterior = np.array([[0.75, 0.25], [0.25, 0.75]])
    evaluation = evaluate_posterior(posterior, ["ham", "news"], ["ham", "spam"])
    assert evaluation.classes == ("ham", "spam", "news")
    assert evaluation.confusion.tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert evaluation.log_loss == math.inf
    assert evaluation.accuracy == 0.5


def test_a_dict_of_scores_is_json_without_nan_and_infinity():
    evaluation = evaluate_posterior(np.array([[1.0, 0.0]]), ["spam"], ["ham", "spam"])
    told = json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))
    assert told["log_loss"] == "inf"
    assert [part["precision"] for part in told["classes"]] == [0.0, None]
    assert [part["class"] for part in told["classes"]] == ["ham", "spam"]
    assert told["confusion"] == {"ham": {"ham": 0, "spam": 0}, "spam": {"ham": 1, "spam": 0}}


def test_no_rows_and_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="at least one row"):
        evaluate_posterior(np.empty((0, 2)), [], ["ham", "spam"])
    with pytest.raises(ValueError, match=r"2 labels.*2 classes.*shape \(1, 2\)"):
        evaluate_posterior(np.array([[0.5, 0.5]]), ["ham", "spam"], ["ham", "spam"])
