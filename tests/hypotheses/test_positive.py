"""Which label means yes: the usual words are known, other labels are asked for."""

import numpy as np
import pytest

import bayesic as by
from bayesic import hypotheses

DAYS = by.datasets.enjoy_sport()
SPECIFIC = ("Sunny", "Warm", "?", "Strong", "?", "?")  # [Mitchell] section 2.4
LEARN = {
    "find_s": hypotheses.find_s,
    "candidate_elimination": lambda X, y, **how: hypotheses.candidate_elimination(
        X, y, **how
    ).specific[0],
    "brute_force_map": lambda X, y, **how: (
        hypotheses.brute_force_map(X, y, prior=lambda asked: 2**asked, **how).map_hypothesis
    ),
}


def named(yes, no):
    return [yes if label == "Yes" else no for label in DAYS.target]


@pytest.mark.parametrize("learn", LEARN.values(), ids=LEARN)
@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("+", "-"),
        ("正", "负"),
        ("是", "否"),
        ("真", "假"),
        ("阳性", "阴性"),
        ("YES", "no"),
        (" true ", "wrong"),
        ("positive", "zero"),
        (True, False),
        (1, 0),
        (1, -1),
        (1.0, 0.0),
        ("1", "0"),
    ],
)
def test_the_positive_concept_is_learned_without_further_arguments(learn, yes, no):
    assert learn(DAYS.rows, named(yes, no)) == SPECIFIC


@pytest.mark.parametrize("learn", LEARN.values(), ids=LEARN)
@pytest.mark.parametrize(("yes", "no"), [("go", "stay"), (1, 2), ("yes", "true"), ("去", "留")])
def test_other_labels_are_asked_for(learn, yes, no):
    with pytest.raises(ValueError, match="Which of the labels.*means yes.*Say positive="):
        learn(DAYS.rows, named(yes, no))
    assert learn(DAYS.rows, named(yes, no), positive=yes) == SPECIFIC


@pytest.mark.parametrize("positive", [np.array(["Yes", "No"]), [1], {}, object()])
def test_what_is_no_label_is_refused(positive):
    with pytest.raises(ValueError, match="positive must be one of the labels"):
        hypotheses.find_s(DAYS.rows, DAYS.target, positive=positive)
