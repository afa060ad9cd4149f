"""Explanations without smoothing: rows that some classes, or all of them, cannot have."""

import io
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scipy.special import logsumexp

import bayesic as by
from bayesic import plots
from helpers.comparisons import impossible_rows_allowed
from helpers.examples import at_most

CLASSES = ("ham", "news", "spam")
SENDERS, TONES = ("friend", "shop", "paper"), ("kind", "loud")

TABLE_MODELS = (
    by.NaiveBayes,
    by.JointBayes,
    by.TreeAugmentedNB,
    by.KDependence,
    by.AveragedOneDependence,
)
ARRAY_MODELS = (by.BernoulliNB, by.CategoricalNB, by.ComplementNB, by.MultinomialNB)

classes_or_none = st.sampled_from([None, *CLASSES])


@st.composite
def mails(draw):
    """Columns with every class at least once, and rows to ask about, with values never seen."""
    n_rows = draw(st.integers(3, 8))
    cells = {
        "sender": draw(st.lists(st.sampled_from(SENDERS), min_size=n_rows, max_size=n_rows)),
        "tone": draw(st.lists(st.sampled_from(TONES), min_size=n_rows, max_size=n_rows)),
        "hour": draw(st.lists(st.sampled_from("早晚"), min_size=n_rows, max_size=n_rows)),
    }
    more = draw(st.lists(st.sampled_from(CLASSES), min_size=n_rows - 3, max_size=n_rows - 3))
    asked = {
        "sender": draw(st.sampled_from([*SENDERS, "bank"])),
        "tone": draw(st.sampled_from([*TONES, "rude"])),
        "hour": draw(st.sampled_from("早晚午")),
    }
    return cells, [*CLASSES, *more], asked


def assert_adds_up(why, joint):
    """The explanation is that of these joint log probabilities, in the order of CLASSES."""
    places = [CLASSES.index(label) for label in why.sides()]
    answer, others = joint[places[0]], logsumexp(joint[places[1:]])
    ruled_out = [label for label, log in zip(CLASSES, joint, strict=True) if log == -np.inf]
    assert sorted(why.ruled_out) == ruled_out
    total = why.prior_log_odds + sum(why.weights.values())
    assert why.log_odds == pytest.approx(total, rel=1e-9, abs=1e-9)
    assert why.is_impossible == (answer == others == -np.inf)
    if why.is_impossible:
        assert why.weights == {}
    else:
        assert why.log_odds == pytest.approx(answer - others, rel=1e-9, abs=1e-9)


def drawn(why):
    console = Console(file=io.StringIO(), width=200)
    console.print(why)
    return console.file.getvalue()


def assert_shown_without_nan(why):
    told = json.loads(json.dumps(why.to_dict(), allow_nan=False))
    assert told["impossible"] == why.is_impossible
    for shown in (str(why), drawn(why), why._repr_html_()):
        assert "nan" not in shown
        assert ("Impossible in" in shown) == why.is_impossible


@pytest.mark.parametrize("Model", TABLE_MODELS)
@at_most(40)
@given(rows=mails(), answer=classes_or_none, against=classes_or_none)
def test_weights_of_tables_add_up_or_there_are_none(Model, rows, answer, against):
    cells, y, asked = rows
    model = Model(smoothing=0).fit(cells, y)
    against = None if answer == against else against
    with impossible_rows_allowed():
        why = model.explain(asked, against=against, answer=answer)
        joint = model.predict_joint_log_proba({name: [cell] for name, cell in asked.items()})[0]
    assert_adds_up(why, joint)
    assert_shown_without_nan(why)


@pytest.mark.parametrize("Model", ARRAY_MODELS)
@at_most(60)
@given(
    counts=st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=4, max_size=6),
    answer=classes_or_none,
    against=classes_or_none,
)
def test_weights_of_arrays_add_up_or_there_are_none(Model, counts, answer, against):
    *X, asked = counts
    model = Model(alpha=0).fit(X, [*CLASSES, *CLASSES][: len(X)])
    against = None if answer == against else against
    with impossible_rows_allowed():
        why = model.explain(asked, against=against, answer=answer)
        joint = model.predict_joint_log_proba([asked])[0]
    assert_adds_up(why, joint)
    assert_shown_without_nan(why)


@pytest.mark.parametrize("model", ["multinomial", "binary-multinomial"])
@at_most(60)
@given(
    texts=st.lists(
        st.lists(st.sampled_from(["free", "lunch", "雨", "rain"]), min_size=1, max_size=4),
        min_size=4,
        max_size=6,
    ),
    answer=classes_or_none,
    against=classes_or_none,
)
def test_weights_of_texts_add_up_or_there_are_none(model, texts, answer, against):
    *learned, asked = map(" ".join, texts)
    classifier = by.TextClassifier(model=model, smoothing=0)
    classifier.fit(learned, [*CLASSES, *CLASSES][: len(learned)])
    against = None if answer == against else against
    with impossible_rows_allowed():
        why = classifier.explain(asked, against=against, answer=answer)
        joint = classifier.predict_joint_log_proba([asked])[0]
    assert_adds_up(why, joint)
    assert_shown_without_nan(why)


@pytest.fixture
def tennis():
    return by.NaiveBayes(smoothing=0).fit(by.datasets.play_tennis().to_dict(), y="PlayTennis")


def test_a_row_that_no_class_can_have_says_so_and_names_what_rules_them_out(tennis):
    with impossible_rows_allowed():
        why = tennis.explain(("Overcast", "Cool", "High", "Stormy"))
    assert why.ruled_out == {"No": ("Outlook", "Wind"), "Yes": ("Wind",)}
    assert str(why).splitlines() == [
        "Yes (0.6429) rather than No",
        "  prior     +0.5878  ++++++++++++++++++++",  # log of 9 to 5
        "  log odds  +0.5878",
        "  Impossible in every class: the odds are those of the prior.",
        "  Yes is ruled out by Wind = Stormy.",
        "  No is ruled out by Outlook = Overcast, Wind = Stormy.",
    ]
    told = why.to_dict()
    assert told["impossible"] is True
    assert told["ruled_out"] == {"No": ["Outlook", "Wind"], "Yes": ["Wind"]}


def test_a_class_that_is_ruled_out_has_an_infinite_weight_and_is_named(tennis):
    why = tennis.explain(("Overcast", "Cool", "High", "Strong"))
    assert (why.weights["Outlook"], why.log_odds, why.is_impossible) == (math.inf, math.inf, False)
    why_not = tennis.explain(("Overcast", "Cool", "High", "Strong"), answer="No")
    assert (why_not.weights["Outlook"], why_not.log_odds) == (-math.inf, -math.inf)
    assert str(why_not).startswith("No (0.0000) rather than Yes; predicted: Yes\n")
    assert "Outlook = Overcast     -inf  --" in str(why_not)


def test_two_classes_may_be_impossible_where_a_third_is_not():
    model = by.NaiveBayes(smoothing=0)
    model.fit({"sender": ["friend", "shop", "paper"]}, ["ham", "spam", "news"])
    why = model.explain({"sender": "paper"}, answer="ham", against="spam")
    assert why.is_impossible and why.probability["news"] == 1.0
    assert "Impossible in ham and in spam: the odds are those of the prior." in str(why)


def test_a_class_of_prior_zero_is_ruled_out_by_the_prior():
    model = by.CategoricalNB(alpha=0, class_prior=[0.0, 1.0]).fit([[0], [1]], ["ham", "spam"])
    with impossible_rows_allowed():
        why = model.explain([0])
    assert why.ruled_out == {"ham": ("prior",), "spam": ("x0",)}
    assert "ham is ruled out by prior" in str(why)


def test_many_words_that_rule_out_a_class_are_counted():
    learned = ["one two three four five six", "seven eight nine ten eleven twelve"]
    model = by.TextClassifier(smoothing=0).fit(learned, ["ham", "spam"])
    with impossible_rows_allowed():
        why = model.explain(" ".join(learned))
    assert why.is_impossible and len(why.ruled_out["ham"]) == 6
    assert str(why).count("2 others.") == 2


def test_a_network_that_cannot_have_the_evidence_says_so():
    net = by.BeliefNetwork(
        [("rain", "wet")],
        tables={
            "rain": {"yes": 0.25, "no": 0.75},
            "wet": {"yes": {"yes": 1.0, "no": 0.0}, "no": {"yes": 1.0, "no": 0.0}},
        },
    )
    with impossible_rows_allowed():
        why = net.explain({"wet": "no"}, "rain")
    assert why.is_impossible and why.weights == {}
    assert why.log_odds == why.prior_log_odds == pytest.approx(math.log(3))
    assert "Impossible in every class" in str(why)


def test_the_picture_of_an_impossible_row_says_so(tennis):
    with impossible_rows_allowed():
        figure = plots.evidence(tennis.explain(("Overcast", "Cool", "High", "Stormy")))
    assert "Impossible in every class" in figure.axes[0].get_title()


def test_a_model_may_average_over_what_is_impossible_on_the_way():
    # after two columns no table of the average has the row, after three there is one that has it
    days = by.datasets.play_tennis().to_dict()
    model = by.AveragedOneDependence(smoothing=0).fit(days, y="PlayTennis")
    for why in model.explain({name: days[name] for name in list(days)[:-1]}):
        assert why.log_odds == pytest.approx(why.prior_log_odds + sum(why.weights.values()))
        shares = [why.probability[label] for label in why.sides()]
        assert math.exp(-abs(why.log_odds)) == pytest.approx(min(shares) / max(shares), abs=1e-9)
