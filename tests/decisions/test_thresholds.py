"""Thresholds: a class is answered only where it is probable enough."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.decisions.sure_answers import most_probable_above

CLASSES = np.array(["ham", "news", "spam"])
shares = st.integers(0, 8)


@given(
    st.lists(st.tuples(shares, shares, shares).filter(any), min_size=1, max_size=5),
    st.dictionaries(st.sampled_from(CLASSES.tolist()), shares, max_size=2),
)
def test_the_answer_is_the_best_of_those_that_reach_their_threshold(rows, eighths):
    counts = np.array(rows, dtype=np.float64)
    posterior = counts / counts.sum(axis=1, keepdims=True)
    thresholds = {label: number / 8 for label, number in eighths.items()}
    answers = most_probable_above(posterior, CLASSES, thresholds).tolist()
    for row, answer in zip(posterior.tolist(), answers, strict=True):
        by_class = dict(zip(CLASSES.tolist(), row, strict=True))
        allowed = [label for label in by_class if by_class[label] >= thresholds.get(label, 0)]
        assert answer in allowed
        assert by_class[answer] == max(by_class[label] for label in allowed)


def test_without_thresholds_it_is_the_most_probable_class():
    posterior = np.array([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0]])
    assert most_probable_above(posterior, CLASSES, {}).tolist() == ["spam", "ham"]


def test_a_threshold_is_reached_exactly():
    assert most_probable_above(np.array([[0.0, 0.25, 0.75]]), CLASSES, {"spam": 0.75})[0] == "spam"


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ({"rain": 0.5}, "one of the classes ham, news, spam, got 'rain'"),
        ({"spam": 1.5}, "from 0 to 1, got 1.5"),
        ({"spam": float("nan")}, "from 0 to 1, got nan"),
        (dict.fromkeys(CLASSES.tolist(), 0.5), "At least one class must have no threshold"),
    ],
)
def test_thresholds_that_make_no_sense_are_refused(thresholds, message):
    with pytest.raises(ValueError, match=message):
        most_probable_above(np.array([[0.2, 0.3, 0.5]]), CLASSES, thresholds)
