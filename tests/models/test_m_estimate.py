"""The m-estimate (n_c + m p) / (n + m) with p of one's own, in tables and in texts."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from helpers.comparisons import assert_unchanged, impossible_rows_allowed, state_of
from helpers.examples import at_most
from helpers.labelled_rows import WORDS

TENNIS = by.datasets.play_tennis().to_dict()
OVERCAST = {"Outlook": "Overcast", "Temperature": None, "Humidity": None, "Wind": None}
THIRDS = {"Sunny": 1 / 3, "Overcast": 1 / 3, "Rain": 1 / 3}


def share_of_overcast(smoothing):
    """P(Overcast | No) and P(Overcast | Yes), as `work` writes them."""
    model = by.NaiveBayes(smoothing=smoothing).fit(TENNIS, y="PlayTennis")
    (factor,) = model.work(OVERCAST).factors
    return factor.shares


# tables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("smoothing", "expected"),
    [
        (("m", 2, "uniform"), [Fraction(2, 21), Fraction(14, 33)]),
        (["m", 2, "uniform"], [Fraction(2, 21), Fraction(14, 33)]),
        ({"Outlook": ("m", 2, "uniform")}, [Fraction(2, 21), Fraction(14, 33)]),
        ({"Outlook": ("m", 2, THIRDS)}, [Fraction(2, 21), Fraction(14, 33)]),
        ({"Outlook": ("m", 2, {"Overcast": Fraction(1, 3)})}, [Fraction(2, 21), Fraction(14, 33)]),
        ({"Outlook": ("m", 2, {"Sunny": 0.2})}, [Fraction(4, 35), Fraction(24, 55)]),
        ({"Outlook": ("m", 2, {"Sunny": 0.2, "Rain": 0.8})}, "nothing for"),
        (("m", 2), [Fraction(10, 119), Fraction(78, 187)]),
        (("m", 0, "uniform"), [(0, 5), (4, 9)]),
    ],
)
def test_shares_of_the_book(smoothing, expected):  # textbook case 32
    if isinstance(expected, str):
        with pytest.raises(ValueError, match=expected):
            share_of_overcast(smoothing)
        return
    assert list(share_of_overcast(smoothing)) == expected


def test_the_worked_calculation_is_the_answer():
    smoothing = {"Outlook": ("m", 2, THIRDS), "Wind": ("m", 3, {"Weak": 0.9})}
    model = by.NaiveBayes(smoothing=smoothing).fit(TENNIS, y="PlayTennis")
    day = {"Outlook": "Overcast", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}
    work = model.work(day)
    assert work.is_exact
    assert model.predict_proba([day])[0] == pytest.approx(
        [float(work.posterior[label]) for label in ("No", "Yes")], rel=1e-12
    )


def test_uniform_shares_are_a_lambda_of_m_over_the_number_of_values():
    days, kinds = {"Outlook": TENNIS["Outlook"]}, ["Sunny", "Overcast", "Rain", "Snow"]
    estimate = by.NaiveBayes(smoothing=("m", 2, "uniform"), prior="uniform")
    plain = by.NaiveBayes(smoothing=2 / 3, prior="uniform")
    answers = [
        model.fit(days, TENNIS["PlayTennis"]).predict_proba({"Outlook": kinds})
        for model in (estimate, plain)
    ]
    np.testing.assert_allclose(*answers, rtol=1e-12)


def test_values_that_are_named_count_though_they_never_came():
    smoothing = {"Outlook": ("m", 2, {"Sunny": 0.1, "Overcast": 0.3, "Rain": 0.4, "Snow": 0.2})}
    model = by.NaiveBayes(smoothing=smoothing, prior="uniform")
    model.fit({"Outlook": TENNIS["Outlook"]}, TENNIS["PlayTennis"])
    (snow,) = model.work(("Snow",)).factors
    assert snow.shares == (Fraction(2, 5) / 7, Fraction(2, 5) / 11)
    log_shares = model.predict_joint_log_proba({"Outlook": [*THIRDS, "Snow"]})
    np.testing.assert_allclose(2 * np.exp(log_shares).sum(axis=0), 1.0)
    with pytest.warns(UserWarning, match="impossible in every class"):  # p = 0, and never seen
        assert model.predict_proba({"Outlook": ["Hail"]}).tolist() == [[0.5, 0.5]]


def test_values_that_are_not_named_share_what_is_left():
    smoothing = {"Outlook": ("m", 3, {"Sunny": 0.4})}
    model = by.NaiveBayes(smoothing=smoothing).fit(
        {"Outlook": TENNIS["Outlook"]}, TENNIS["PlayTennis"]
    )
    expected = {"Sunny": Fraction(3 * 2, 5), "Rain": Fraction(9, 10), "Hail": Fraction(9, 10)}
    for sky, pseudo in expected.items():
        (factor,) = model.work((sky,)).factors
        counts = {"Sunny": (3, 2), "Rain": (2, 3), "Hail": (0, 0)}[sky]
        assert factor.shares == ((counts[0] + pseudo) / (5 + 3), (counts[1] + pseudo) / (9 + 3))


def test_columns_of_zeros_and_ones_and_numbers_that_name_something():
    table = {"member": [1, 0, 1, 1], "zip": [10115, 20095, 10115, 10115]}
    kinds = {"member": "bernoulli", "zip": "categorical"}
    smoothing = {"member": ("m", 2, {1: 0.25, 0: 0.75}), "zip": ("m", 4, {10115: 0.5, 20095: 0.5})}
    model = by.NaiveBayes(columns=kinds, smoothing=smoothing)
    model.fit(table, ["stays", "leaves", "stays", "leaves"])
    member, place = model.work({"member": 1, "zip": 20095}).factors
    assert member.shares == (Fraction(3, 8), Fraction(5, 8))
    assert place.shares == (Fraction(1, 2), Fraction(1, 3))


cells = {
    "sky": st.sampled_from(["sun", "rain", "snow", None]),
    "member": st.sampled_from([True, False, None]),
    "note": st.lists(st.sampled_from(["free", "lunch", "rain", "today"]), max_size=4).map(" ".join),
}
rows = st.lists(
    st.tuples(st.fixed_dictionaries(cells), st.sampled_from(WORDS)), min_size=2, max_size=6
)
RULES = [
    ("m", 2, "uniform"),
    {"sky": ("m", 2, {"sun": 0.5}), "member": ("m", 1, {"1": 0.125}), "note": ("m", 3, "uniform")},
    {"sky": ("m", 3, {"sun": 0.5, "hail": 0.25}), "note": ("m", 2, {"free": 0.25, "lunch": 0.5})},
    {"sky": ("m", 0, {"sun": 0.5}), "note": ("m", 0, {"free": 0.25})},
]


@pytest.mark.parametrize("smoothing", RULES)
@given(rows=rows)
@at_most(40)
def test_leaving_a_row_out_is_learning_all_the_others(smoothing, rows):
    def learned(rows):
        kinds = {"member": "bernoulli", "note": "text"}
        model = by.NaiveBayes(columns=kinds, smoothing=smoothing)
        return model.partial_fit([row for row, _ in rows], [y for _, y in rows], classes=WORDS)

    with impossible_rows_allowed():
        answers = learned(rows).leave_one_out([row for row, _ in rows], [y for _, y in rows])
        for number, (row, _) in enumerate(rows):
            others = learned(rows[:number] + rows[number + 1 :])
            np.testing.assert_allclose(answers[number], others.predict_proba([row])[0], atol=1e-12)


@pytest.mark.parametrize("Model", [by.TreeAugmentedNB, by.KDependence, by.AveragedOneDependence])
def test_a_network_of_one_column_is_naive_bayes(Model):
    days, asked = {"Outlook": TENNIS["Outlook"]}, {"Outlook": ["Sunny", "Overcast", "Snow"]}
    ours, theirs = (
        model(smoothing=("m", 2, "uniform")).fit(days, TENNIS["PlayTennis"])
        for model in (Model, by.NaiveBayes)
    )
    np.testing.assert_allclose(ours.predict_proba(asked), theirs.predict_proba(asked), rtol=1e-12)
    y = TENNIS["PlayTennis"]
    np.testing.assert_allclose(ours.leave_one_out(days, y), theirs.leave_one_out(days, y))


@pytest.mark.parametrize(
    ("smoothing", "message"),
    [
        (("m", 2, 0.5), "must be 'uniform', for the same share"),
        ({"Outlook": ("m", 2, {})}, "must be 'uniform', for the same share"),
        (("m", 2, "even"), "must be 'uniform', for the same share"),
        (("m", -1, "uniform"), "m in smoothing must be a number of 0 or more"),
        (("m", 2, THIRDS), r"Name the column: smoothing=\{'outlook': \('m', 2, \{'Sunny'"),
        ({"Outlook": ("m", 2, {"Sunny": 1.5})}, "from 0 to 1 for each value, got 1.5 for 'Sunny'"),
        ({"Outlook": ("m", 2, {"Sunny": "x"})}, "from 0 to 1 for each value, got 'x' for 'Sunny'"),
        ({"Outlook": ("m", 2, {"Sunny": 0.7, "Rain": 0.7})}, "must sum to 1 or less, got 1.4"),
        ({"Outlook": ("m", 2, {1: 0.2, "1": 0.2})}, "name each value once"),
        ({"Outlook": ("m", 2, {"Sunny": float("nan")})}, "from 0 to 1"),
        (("m", 2, "uniform", 3), "must be a number of 0 or more"),
    ],
)
def test_what_makes_no_sense_is_refused(smoothing, message):
    model = by.NaiveBayes().fit(TENNIS, y="PlayTennis")
    before = state_of(model.set_params(smoothing=smoothing))
    with pytest.raises(ValueError, match=message):
        model.partial_fit(TENNIS, y="PlayTennis")
    assert_unchanged(model, before)


def test_shares_of_values_are_for_columns_of_values():
    degrees = {"degrees": [1.5, 2.0, 7.0, 8.25]}
    model = by.NaiveBayes(smoothing={"degrees": ("m", 2, {"1.5": 0.5})})
    with pytest.raises(ValueError, match="but the column holds numbers"):
        model.fit(degrees, ["in", "in", "out", "out"]).predict(degrees)
    bits = {"member": [1, 0, 1]}
    model = by.NaiveBayes({"member": "bernoulli"}, smoothing={"member": ("m", 2, {"yes": 0.5})})
    with pytest.raises(ValueError, match="must give p for 0 and 1"):
        model.fit(bits, ["in", "in", "out"]).predict(bits)
    with pytest.raises(ValueError, match="takes no p for single values"):
        by.TreeAugmentedNB(smoothing=("m", 2, THIRDS)).fit(TENNIS, y="PlayTennis")


def test_a_saved_model_comes_back_the_same(tmp_path):
    smoothing = {"Outlook": ("m", 2, THIRDS), "Wind": ("m", 1, "uniform")}
    model = by.NaiveBayes(smoothing=smoothing).fit(TENNIS, y="PlayTennis")
    model.save(tmp_path / "tennis.bayes")
    loaded = by.load(tmp_path / "tennis.bayes")
    assert loaded.smoothing == smoothing
    assert str(loaded.work(OVERCAST)) == str(model.work(OVERCAST))


def test_samples_follow_the_given_shares():
    sky = {"sky": ["sun", "rain"]}
    model = by.NaiveBayes(smoothing={"sky": ("m", 8, {"sun": 0.25, "rain": 0.25, "snow": 0.5})})
    drawn = model.fit(sky, ["in", "in"]).sample(4000, random_state=0).X["sky"].tolist()
    shares = {"sun": 3 / 10, "rain": 3 / 10, "snow": 4 / 10}
    for level, share in shares.items():
        assert drawn.count(level) / 4000 == pytest.approx(share, abs=0.03)


def test_learning_without_labels_takes_any_of_them():
    texts, labels = ["free lunch", "rain", "free", "rain today"], ["spam", "ham", None, None]
    for smoothing in (("m", 2), ("m", 2, "uniform"), ("m", 2, {"free": 0.5})):
        model = by.SemiSupervised(by.TextClassifier(smoothing=smoothing)).fit(texts, labels)
        assert model.predict(["free"]).tolist() == ["spam"]


# texts --------------------------------------------------------------------------------------------

MAILS = ["free lunch free", "lunch today", "money for free", "rain today"]
LABELS = ["spam", "ham", "spam", "ham"]


def text_shares(word, smoothing, model="multinomial"):
    """P(word | ham) and P(word | spam) by the definition."""
    of_class = {"ham": Counter(), "spam": Counter()}
    for text, label in zip(MAILS, LABELS, strict=True):
        words = text.split()
        of_class[label].update(words if model == "multinomial" else set(words))
    total = of_class["ham"] + of_class["spam"]
    m, p = Fraction(smoothing[1]), smoothing[2] if len(smoothing) > 2 else None
    if p is None:
        p_word = Fraction(total[word] + 1, total.total() + len(total))
    elif p == "uniform":
        p_word = Fraction(1, len(total))
    else:
        named = {name: Fraction(share).limit_denominator(100) for name, share in p.items()}
        n_others = len(total.keys() - named.keys())
        p_word = named.get(word, (1 - sum(named.values())) / max(n_others, 1))
    return tuple((count[word] + m * p_word) / (count.total() + m) for count in of_class.values())


@pytest.mark.parametrize("model", ["multinomial", "binary-multinomial"])
@pytest.mark.parametrize(
    "smoothing", [("m", 2), ("m", 6, "uniform"), ("m", 3, {"free": 0.25, "snow": 0.125})]
)
def test_words_have_the_shares_of_the_definition(model, smoothing):
    learned = by.TextClassifier(model, smoothing=smoothing).fit(MAILS, LABELS)
    work = learned.work("free rain snow")  # snow was never learned: it is skipped
    expected = {word: text_shares(word, smoothing, model) for word in ("free", "rain")}
    assert {factor.text: factor.shares for factor in work.factors} == expected
    scores = learned.predict_joint_log_proba(["free rain snow"])[0]
    product = [float(work.joint[label]) for label in ("ham", "spam")]
    np.testing.assert_allclose(np.exp(scores), product, rtol=1e-12)


def test_words_given_their_shares_over_all_texts_are_the_m_estimate_of_relative_frequencies():
    counted = Counter(word for text in MAILS for word in text.split())
    shares = {word: count / counted.total() for word, count in counted.items()}
    learned = by.TextClassifier(smoothing=("m", 5, shares)).fit(MAILS, LABELS)
    (factor,) = learned.work("money").factors
    assert factor.shares == (Fraction(5, 10) / 9, (1 + Fraction(5, 10)) / 11)


mails = st.lists(st.tuples(cells["note"], st.sampled_from(WORDS)), min_size=2, max_size=6)
TEXT_RULES = [
    ("multinomial", None),
    ("multinomial", "log-count-ratio"),
    ("binary-multinomial", None),
    ("binary-multinomial", "log-count-ratio"),
    ("complement", None),
]


@pytest.mark.parametrize(("model", "weighting"), TEXT_RULES)
@given(
    mails=mails,
    smoothing=st.sampled_from(
        [("m", 2), ("m", 3, "uniform"), ("m", 2, {"free": 0.25, "lunch": 0.5, "hail": 0.125})]
    ),
    min_count=st.sampled_from([1, 2]),
)
@at_most(40)
def test_leaving_a_text_out_is_learning_all_the_others(
    model, weighting, mails, smoothing, min_count
):
    def learned(mails):
        texts, labels = map(list, zip(*mails, strict=True))
        classifier = by.TextClassifier(
            model, weighting=weighting, smoothing=smoothing, min_count=min_count
        )
        return classifier.partial_fit(texts, labels, classes=WORDS)

    answers = learned(mails).leave_one_out(*map(list, zip(*mails, strict=True)))
    np.testing.assert_allclose(answers.sum(axis=1), 1.0)
    for number, (text, _) in enumerate(mails):
        others = learned(mails[:number] + mails[number + 1 :])
        np.testing.assert_allclose(answers[number], others.predict_proba([text])[0], atol=1e-12)


def test_reasons_add_up_and_top_words_are_ranked():
    learned = by.TextClassifier(smoothing=("m", 2, {"free": 0.5})).fit(MAILS, LABELS)
    reason = learned.explain("free rain")
    log_odds = np.diff(learned.predict_log_proba(["free rain"])[0])[0]
    assert abs(reason.log_odds) == pytest.approx(abs(log_odds))
    shares = {word: text_shares(word, ("m", 2, {"free": 0.5})) for word in learned.vocabulary_}
    ratios = {word: float(spam / ham) for word, (ham, spam) in shares.items()}
    told = learned.top_words("spam", n=6)
    assert list(told.values()) == sorted(told.values(), reverse=True)
    assert {word: np.exp(weight) for word, weight in told.items()} == pytest.approx(ratios)


def test_a_saved_text_model_comes_back_the_same(tmp_path):
    for smoothing in (("m", 2), ("m", 2, "uniform"), ("m", 2, {"free": 0.5})):
        learned = by.TextClassifier(smoothing=smoothing).fit(MAILS, LABELS)
        learned.save(tmp_path / "mails.bayes")
        loaded = by.load(tmp_path / "mails.bayes")
        assert loaded.smoothing == smoothing
        assert str(loaded.work("free rain")) == str(learned.work("free rain"))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"model": "bernoulli", "smoothing": ("m", 2)}, "model='bernoulli' counts texts"),
        ({"weighting": "tf-idf", "smoothing": ("m", 2, "uniform")}, "tf-idf does not keep"),
        ({"model": "complement", "smoothing": ("m", 0)}, "must be above 0 for model='complement'"),
        (
            {"weighting": "log-count-ratio", "smoothing": ("m", 2, {"free": 0.0})},
            r"above 0 for weighting='log-count-ratio', got 0 for \['free'\]",
        ),
        ({"smoothing": ("m", 2, {"free": 1.0})}, r"nothing for \['for', 'lunch', 'money', 'rain'"),
        ({"smoothing": {"free": 2}}, "smoothing must be a number of 0 or more"),
    ],
)
def test_what_makes_no_sense_for_texts_is_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        by.TextClassifier(**parameters).fit(MAILS, LABELS)
