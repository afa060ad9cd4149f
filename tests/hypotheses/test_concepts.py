"""Concept learning, against the list of all conjunctions, each looked at on its own."""

from functools import reduce
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic.datasets.textbook import enjoy_sport, play_tennis
from bayesic.hypotheses.attributes import Attributes, covers, more_general
from bayesic.hypotheses.version_space import candidate_elimination, find_s

DAYS = enjoy_sport()
ALL_VALUES = {
    "x0": ["Sunny", "Cloudy", "Rainy"],
    "x3": ["Strong", "Light"],
}
SIX = {
    ("Sunny", "Warm", "?", "Strong", "?", "?"),
    ("Sunny", "?", "?", "Strong", "?", "?"),
    ("Sunny", "Warm", "?", "?", "?", "?"),
    ("?", "Warm", "?", "Strong", "?", "?"),
    ("Sunny", "?", "?", "?", "?", "?"),
    ("?", "Warm", "?", "?", "?", "?"),
}

SHAPES = {"x0": ["red", "green", "blue"], "x1": ["round", "square"], "x2": ["big", "small"]}
EMPTY = ("∅", "∅", "∅")
CONJUNCTIONS = [*product(*([*values, "?"] for values in SHAPES.values())), EMPTY]
INSTANCES = list(product(*SHAPES.values()))


def says_yes(hypothesis, row):
    return all(wanted in ("?", value) for wanted, value in zip(hypothesis, row, strict=True))


def above(general, special):
    return special == EMPTY or says_yes(general, special)


def agrees(hypothesis, rows, labels):
    return all(says_yes(hypothesis, row) == label for row, label in zip(rows, labels, strict=True))


@st.composite
def examples(draw):
    """Rows with labels of a conjunction, some of them wrong at times."""
    rows = draw(st.lists(st.sampled_from(INSTANCES), min_size=1, max_size=7))
    target = draw(st.sampled_from(CONJUNCTIONS))
    flips = draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    wrong = draw(st.booleans())
    return rows, [
        says_yes(target, row) != (wrong and flip) for row, flip in zip(rows, flips, strict=True)
    ]


def learned(rows, labels):
    return candidate_elimination(rows, labels, positive=True, values=SHAPES)


# EnjoySport -----------------------------------------------------------------------------------


def test_find_s_on_enjoy_sport():  # [Mitchell] section 2.4
    assert find_s(DAYS.rows, DAYS.target) == ("Sunny", "Warm", "?", "Strong", "?", "?")


@pytest.mark.parametrize("values", [None, ALL_VALUES])
def test_the_version_space_of_enjoy_sport(values):  # [Mitchell] figure 2.3
    space = candidate_elimination(DAYS.rows, DAYS.target, values=values)
    assert space.specific == (("Sunny", "Warm", "?", "Strong", "?", "?"),)
    assert set(space.general) == {
        ("Sunny", "?", "?", "?", "?", "?"),
        ("?", "Warm", "?", "?", "?", "?"),
    }
    assert space.size == 6
    assert set(space.hypotheses) == SIX
    assert all(hypothesis in space for hypothesis in SIX)
    assert ("?", "?", "?", "?", "?", "?") not in space
    assert ("Sunny", "Warm", "Normal", "Strong", "?", "?") not in space
    assert ("∅",) * 6 not in space


def test_the_boundaries_after_each_day():  # [Mitchell] figures 2.4 to 2.6
    nothing, anything = ("∅",) * 6, ("?",) * 6
    specific = [
        DAYS.rows[0],
        ("Sunny", "Warm", "?", "Strong", "Warm", "Same"),
        ("Sunny", "Warm", "?", "Strong", "Warm", "Same"),
        ("Sunny", "Warm", "?", "Strong", "?", "?"),
    ]
    sun, warm, same = (
        ("Sunny", "?", "?", "?", "?", "?"),
        ("?", "Warm", "?", "?", "?", "?"),
        ("?", "?", "?", "?", "?", "Same"),
    )
    general = [{anything}, {anything}, {sun, warm, same}, {sun, warm}]
    for n_days in range(1, 5):
        space = candidate_elimination(DAYS.rows[:n_days], DAYS.target[:n_days], positive="Yes")
        assert space.specific == (specific[n_days - 1],)
        assert set(space.general) == general[n_days - 1]
        assert nothing not in space


def test_new_days_get_the_votes_of_the_book():  # [Mitchell] table 2.6
    space = candidate_elimination(DAYS.rows, DAYS.target)
    new = [
        ("Sunny", "Warm", "Normal", "Strong", "Cool", "Change"),
        ("Rainy", "Cold", "Normal", "Light", "Warm", "Same"),
        ("Sunny", "Warm", "Normal", "Light", "Warm", "Same"),
        ("Sunny", "Cold", "Normal", "Strong", "Warm", "Same"),
    ]
    assert space.votes(new).tolist() == [6, 0, 3, 2]
    assert space.classify(new).tolist() == ["Yes", "No", "don't know", "don't know"]


def test_the_hypotheses_of_enjoy_sport_are_973():  # [Mitchell] section 2.3
    values = (("Sunny", "Cloudy", "Rainy"), *[("one", "other")] * 5)
    attributes = Attributes(DAYS.columns, values)
    assert attributes.n_hypotheses == 973


# against the list of all conjunctions ---------------------------------------------------------


@given(examples())
def test_the_version_space_is_what_agrees_with_every_example(data):
    rows, labels = data
    expected = {each for each in CONJUNCTIONS if agrees(each, rows, labels)}
    if not expected:
        with pytest.raises(ValueError, match="No conjunction of attributes agrees"):
            learned(rows, labels)
        return
    space = learned(rows, labels)
    assert set(space.hypotheses) == expected
    assert len(space.hypotheses) == space.size == len(expected)
    assert [each in space for each in CONJUNCTIONS] == [each in expected for each in CONJUNCTIONS]
    lowest = {h for h in expected if not any(above(h, g) and g != h for g in expected)}
    highest = {h for h in expected if not any(above(g, h) and g != h for g in expected)}
    assert set(space.specific) == lowest
    assert set(space.general) == highest
    assert find_s(rows, labels, positive=True, values=SHAPES) in lowest
    votes = [sum(says_yes(each, row) for each in expected) for row in INSTANCES]
    assert space.votes(INSTANCES).tolist() == votes
    for answer, vote in zip(space.classify(INSTANCES), votes, strict=True):
        unanimous = {0: False, len(expected): True}
        assert answer == unanimous.get(vote, "don't know")


@given(examples(), st.randoms(use_true_random=False))
def test_the_order_of_the_examples_does_not_matter(data, random):
    rows, labels = data
    if not any(agrees(each, rows, labels) for each in CONJUNCTIONS):
        return
    order = random.sample(range(len(rows)), len(rows))
    there, back = (
        learned(rows, labels),
        learned([rows[i] for i in order], [labels[i] for i in order]),
    )
    assert there.specific == back.specific
    assert there.general == back.general


@given(st.lists(st.sampled_from(INSTANCES), min_size=1, max_size=6))
def test_find_s_is_the_least_general_step_by_step(rows):
    def generalised(hypothesis, row):
        if hypothesis == EMPTY:
            return row
        return tuple(h if h == x else "?" for h, x in zip(hypothesis, row, strict=True))

    labels = ["yes"] * len(rows)
    assert find_s(rows, labels, positive="yes") == reduce(generalised, rows, EMPTY)


@given(st.sampled_from(CONJUNCTIONS), st.sampled_from(CONJUNCTIONS))
def test_more_general_means_to_cover_all_that_the_other_covers(first, second):
    extensions = [{row for row in INSTANCES if covers(each, row)} for each in (first, second)]
    assert more_general(first, second) == (extensions[0] >= extensions[1])


def test_twenty_attributes():
    rng = np.random.default_rng(5)
    rows = rng.choice(["yes", "no"], (300, 20))
    labels = np.arange(300) == 0
    space = candidate_elimination(rows, labels)
    assert space.specific == (tuple(rows[0].tolist()),)
    differs = rows[1:] != rows[0]  # a hypothesis must ask for a value that the row does not have
    for hypothesis in space.general[:50]:
        asks = np.array(hypothesis) != "?"
        assert (differs[:, asks].any(axis=1)).all()
        for place in np.flatnonzero(asks):  # and cannot do with less
            less = asks & (np.arange(20) != place)
            assert not (differs[:, less].any(axis=1)).all()
    subsets = rng.random((500, 20)) < 0.3
    for asks in subsets:
        hypothesis = np.where(asks, rows[0], "?").tolist()
        assert (hypothesis in space) == bool((differs[:, asks].any(axis=1)).all())


# what comes in --------------------------------------------------------------------------------


def test_tables_of_any_library_and_chinese_names():
    days = play_tennis("zh")
    columns = days.to_dict()
    played = [
        label == "Yes" and sky == "多云"
        for sky, label in zip(columns["天气"], columns.pop("打网球"), strict=True)
    ]
    spaces = [
        candidate_elimination(table, played)
        for table in (columns, pd.DataFrame(columns), pl.DataFrame(columns), days.rows)
    ]
    assert {space.specific for space in spaces} == {(("多云", "?", "?", "?"),)}
    assert {space.size for space in spaces} == {1}
    backwards = pd.DataFrame(columns)[list(reversed(columns))]
    assert spaces[0].votes(backwards).tolist() == spaces[3].votes(days.rows).tolist()


def test_numbers_are_compared_as_text():
    rows = [(1, "S"), (1, "M"), (2, "S")]
    space = candidate_elimination(rows, [1, 1, 0])
    assert space.specific == space.general == (("1", "?"),)
    assert (1, "?") in space
    assert space.classify([(1, "XL"), (7, "S")]).tolist() == [1, 0]


def test_a_value_never_seen_is_covered_by_any_alone():
    space = candidate_elimination(DAYS.rows, DAYS.target)
    assert space.votes([("Foggy", "Warm", "High", "Strong", "Warm", "Same")]).tolist() == [2]


def test_without_positive_examples_nothing_may_be_the_answer():
    space = candidate_elimination([["red"], ["blue"]], ["no", "no"], positive="yes")
    assert space.specific == space.general == (("∅",),)
    assert space.hypotheses == (("∅",),)
    assert space.classify([["red"]]).tolist() == ["no"]
    assert find_s([["red"]], ["no"], positive="yes") == ("∅",)


def test_without_negative_examples_anything_may_be():
    space = candidate_elimination([("red", "round")], ["yes"], positive="yes")
    assert space.general == (("?", "?"),)
    assert space.size == 4


# what is refused ------------------------------------------------------------------------------


def test_equal_rows_with_different_labels_are_refused_by_number():
    rows, labels = [*DAYS.rows, DAYS.rows[1]], [*DAYS.target, "No"]
    for learn in (find_s, candidate_elimination):
        with pytest.raises(ValueError, match="rows 1 and 4 are the same.*noise=0.1"):
            learn(rows, labels)


def test_a_concept_that_is_no_conjunction_is_refused_with_the_row():
    rows = [("red", "round"), ("blue", "square"), ("green", "round")]
    with pytest.raises(ValueError, match=r"also cover row 2, which is 'no'.*\('\?', '\?'\)"):
        find_s(rows, ["yes", "yes", "no"])


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (([["red"], ["blue"], ["red"]], ["a", "b", "c"]), "two labels, yes and no"),
        (([["red"]], ["yes"]), "one label only, 'yes'. Say positive='yes'"),
        (([["red"], ["blue"]], ["yes", "no"], "Yes"), r"one of the labels \['no', 'yes'\]"),
        (([["red"], ["blue"]], ["yes"], "yes"), "2 rows, y has 1 labels"),
        (([["red"], [None]], ["yes", "no"]), "'x0' has missing values"),
        (([["red"], ["?"]], ["yes", "no"]), "special meaning"),
        (([["red"], ["blue"]], [1, 0], None, {"sky": ["red"]}), r"values names \['sky'\]"),
        (([["red"], ["blue"]], [1, 0], None, {"x0": ["red"]}), r"also has \['blue'\]"),
        (([["red"], ["blue"]], [1, 0], None, {"x0": ["red", "blue", "red"]}), "'x0' once"),
    ],
    ids=range(9),
)
def test_bad_examples_are_refused(arguments, match):
    with pytest.raises(ValueError, match=match):
        candidate_elimination(*arguments)


def test_bad_questions_are_refused():
    space = candidate_elimination(DAYS.rows, DAYS.target)
    with pytest.raises(ValueError, match="must have the 6 attributes.*got 2 columns"):
        space.votes([("Sunny", "Warm")])
    with pytest.raises(ValueError, match="one entry for each of.*got"):
        _ = ("Sunny", "?") in space


def test_too_many_conjunctions_are_refused_with_their_number():
    rows = [[str(place) for place in range(30)], ["other"] * 30]
    space = candidate_elimination(rows, [1, 0])
    assert space.specific == (tuple(rows[0]),)
    assert rows[0] in space
    with pytest.raises(ValueError, match="1,073,741,824 conjunctions.*find_s"):
        _ = space.general
