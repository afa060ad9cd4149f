"""Explanations of a class that is named, with values, and of the strongest features only."""

import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logsumexp

import bayesic as by
from bayesic.evidence.explanation import Explanation
from bayesic.mixtures.semi_supervised import SemiSupervised
from helpers.labelled_rows import FIVE

CLASSES = ("ham", "news", "spam")
MAILS = {
    "sender": ["friend", "friend", "shop", "shop", "paper", "paper"],
    "tone": ["kind", "loud", "loud", "loud", "kind", "loud"],
    "hour": ["早", "晚", "早", "早", "晚", "晚"],
}
LABELS = ["ham", "ham", "spam", "spam", "news", "news"]
SHOP = {"sender": "shop", "tone": "loud", "hour": "早"}


@pytest.fixture
def model():
    return by.NaiveBayes().fit(MAILS, LABELS)


# a class that is named --------------------------------------------------------------------------


def small_counts(n_rows):
    row = st.lists(st.integers(0, 3), min_size=3, max_size=3)
    return st.lists(row, min_size=n_rows, max_size=n_rows)


@pytest.mark.parametrize("Model", FIVE)
@given(
    X=small_counts(5), answer=st.sampled_from(CLASSES), against=st.sampled_from([None, *CLASSES])
)
def test_the_log_odds_of_any_class_are_those_of_the_model(Model, X, answer, against):
    model = (Model(var_smoothing=0.5) if Model is by.GaussianNB else Model()).fit(
        X, [*CLASSES, "ham", "news"]
    )
    against = None if against == answer else against
    for why, scores in zip(
        model.explain(X, answer=answer, against=against),
        model.predict_joint_log_proba(X),
        strict=True,
    ):
        assert (why.answer, why.against) == (answer, against)
        place = CLASSES.index(answer)
        others = np.delete(scores, place) if against is None else [scores[CLASSES.index(against)]]
        assert why.log_odds == pytest.approx(scores[place] - logsumexp(others), rel=1e-9, abs=1e-9)
        total = why.prior_log_odds + math.fsum(why.weights.values())
        assert why.log_odds == pytest.approx(total, rel=1e-9, abs=1e-9)


@given(small_counts(5), st.sampled_from(CLASSES), st.sampled_from(CLASSES))
def test_turning_the_question_round_turns_every_sign(X, one, other):
    model = by.MultinomialNB().fit(X, [*CLASSES, "ham", "news"])
    if one == other:
        return
    there = model.explain(X[0], answer=one, against=other)
    back = model.explain(X[0], answer=other, against=one)
    assert back.weights == pytest.approx({name: -w for name, w in there.weights.items()})
    assert back.log_odds == pytest.approx(-there.log_odds)


def test_why_not_spam_is_an_exact_ratio_and_says_what_is_predicted():
    model = by.CategoricalNB(alpha=0)
    model.fit([[0], [0], [0], [1], [0], [1], [1], [1]], ["ham"] * 4 + ["spam"] * 4)
    why = model.explain([0], answer="spam")
    ratio = Fraction(1, 4) / Fraction(3, 4)  # of rows with a 0
    assert why.weights["x0"] == pytest.approx(math.log(ratio))
    assert str(why).startswith("spam (0.2500) rather than ham; predicted: ham\n")


def test_without_a_name_the_prediction_is_explained(model):
    assert model.explain(SHOP) == model.explain(SHOP, answer="spam")
    assert "predicted" not in str(model.explain(SHOP))


def test_every_kind_of_model_takes_a_name_and_a_number():
    texts = ["free lunch free", "rain today", "free rain", "lunch"]
    mails = by.TextClassifier().fit(texts, ["spam", "ham", "spam", "ham"])
    half = SemiSupervised(by.TextClassifier()).fit(texts, ["spam", "ham", None, None])
    net = by.BeliefNetwork([("sky", "wet"), ("sky", "wind")])
    net.fit({"sky": ["rain", "sun"] * 4, "wet": ["yes", "no"] * 4, "wind": ["yes"] * 8})
    for why in (
        mails.explain("free lunch", answer="ham", top=1),
        half.explain("free lunch", answer="ham", top=1),
        net.explain({"wet": "yes", "wind": "yes"}, "sky", answer="sun", top=1),
    ):
        assert why.answer in ("ham", "sun")
        assert "1 other  " in str(why)


@pytest.mark.parametrize("answer", ["eggs", 7, ["ham"]], ids=str)
def test_an_answer_that_is_no_class_is_refused(model, answer):
    with pytest.raises(ValueError, match=r"answer must be one of the classes \['ham', 'news'"):
        model.explain(SHOP, answer=answer)


def test_a_class_is_not_compared_with_itself(model):
    with pytest.raises(ValueError, match="two classes, got 'spam' for both. Leave out against"):
        model.explain(SHOP, answer="spam", against="spam")
    alone = by.NaiveBayes().fit({"sender": ["shop"]}, ["spam"])
    assert alone.explain({"sender": "shop"}, answer="spam", against="spam").log_odds == 0


# values -----------------------------------------------------------------------------------------


def test_columns_are_shown_with_their_values(model):
    lines = str(model.explain(SHOP)).splitlines()
    assert [line.split("  ")[1] for line in lines[2:-1]] == [
        "sender = shop",
        "hour = 早",
        "tone = loud",
    ]


def test_a_column_that_was_not_observed_has_no_value(model):
    assert "\n  tone " in str(model.explain(SHOP | {"tone": None}))


def test_words_are_shown_with_their_counts_if_they_occur_more_than_once():
    model = by.TextClassifier().fit(["free money", "lunch today"], ["spam", "ham"])
    why = model.explain("free lunch free")
    assert "\n  free ×2  " in str(why)
    assert "\n  lunch    " in str(why)
    assert why.values == {"free": "2", "lunch": "1"}
    assert ">×2<" in why._repr_html_()


def test_long_values_stand_on_one_line_and_are_cut():
    model = by.NaiveBayes(columns={"subject": "text"})
    model.fit({"subject": ["free offer", "rain today"]}, ["spam", "ham"])
    why = model.explain({"subject": "free\nlunch " * 1000})
    assert "subject = free lunch free lunch free lunc…" in str(why)
    assert why.values["subject"] == "free\nlunch " * 1000
    assert len(why._repr_html_()) < 3000


def test_numbers_are_short():
    model = by.GaussianNB().fit([[0.1], [0.3], [0.8]], ["ham", "ham", "spam"])
    assert "x0 = 0.333333" in str(model.explain([1 / 3]))
    far = str(model.explain([1e12]))
    assert "x0 = 1000000000000" in far
    assert max(map(len, far.splitlines())) < 70


# the strongest ----------------------------------------------------------------------------------


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=9), st.integers(1, 12))
def test_what_is_left_out_is_added_up(weights, top):
    named = {f"word{number}": weight for number, weight in enumerate(weights)}
    whole = Explanation("spam", "ham", 0.5, named, 0.5 + math.fsum(weights), {"spam": 1.0})
    why = Explanation(**vars(whole) | {"top": top})
    told = why.to_dict()
    assert len(told["weights"]) == min(top, len(weights))
    assert told["others"]["number"] == max(0, len(weights) - top)
    total = math.fsum([0.5, *told["weights"].values(), told["others"]["weight"]])
    assert total == pytest.approx(why.log_odds)
    weakest = min(map(abs, told["weights"].values()))
    assert all(
        abs(weight) <= weakest for name, weight in named.items() if name not in told["weights"]
    )
    assert why.weights == whole.weights  # all of them are kept
    lines = str(why).splitlines()
    assert len(lines) == 3 + min(top, len(weights)) + (len(weights) > top)


def test_the_lines_add_up_to_the_log_odds(model):
    lines = str(model.explain(SHOP, top=1)).splitlines()
    assert lines[3].startswith("  2 others      ")
    shown = [float(line.split("  ")[-2 if line[-1] in "+-" else -1]) for line in lines[1:]]
    assert sum(shown[:-1]) == pytest.approx(shown[-1], abs=2e-4)


@pytest.mark.parametrize("top", [0, -1, 1.5, True, "3"], ids=repr)
def test_a_wrong_number_is_refused(model, top):
    with pytest.raises(ValueError, match="top must be a whole number of 1 or more"):
        model.explain(SHOP, top=top)


def test_more_than_there_are_shows_all(model):
    assert str(model.explain(SHOP, top=99)) == str(model.explain(SHOP))


# several rows -----------------------------------------------------------------------------------


def test_several_explanations_are_a_list_that_shows_itself(model):
    found = model.explain(MAILS, top=1)
    assert isinstance(found, list) and len(found) == 6
    assert found == [model.explain(dict(zip(MAILS, row, strict=True)), top=1)
                     for row in zip(*MAILS.values(), strict=True)]  # fmt: skip
    assert next(iter(found)) is found[0] and found[-1] in found
    assert found[:2] == list(found)[:2] and found + [] == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert str(found[:2]) == f"{found[0]}\n\n{found[1]}"
    assert json.dumps([why.to_dict() for why in found])
    assert found[:2]._repr_html_().count("<table") == 2


def test_a_long_list_shows_its_beginning(model):
    many = model.explain({name: cells * 10 for name, cells in MAILS.items()})
    html = many._repr_html_()
    assert html.count("<table") == 20
    assert "... and 40 more rows" in html


def test_no_rows_give_an_empty_list():
    found = by.GaussianNB().fit([[1.0], [2.0]], ["ham", "spam"]).explain([[1.0]])[:0]
    assert found == [] and "<table" not in found._repr_html_()
