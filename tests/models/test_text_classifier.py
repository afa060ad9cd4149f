"""TextClassifier: raw texts in, labels out, against fractions, refits and scikit-learn."""

import math
import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import naive_bayes
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import bayesic as by
from bayesic.data.tokens import tell_of_characters
from bayesic.estimation.text_weights import TEXT_MODELS
from bayesic.files.archive import read_archive, write_archive
from helpers.comparisons import (
    assert_same,
    assert_unchanged,
    impossible_rows_allowed,
    probabilities,
    state_of,
)
from helpers.environment import cells_per_block
from helpers.examples import at_most
from helpers.labelled_rows import WORDS, quarters, quarters_or_zero

VOCABULARY = ("free", "lunch", "rain", "money", "today", "今天", "下雨")
# one text of each class, so that none is ever without
ANCHORS = [("free money", "spam", 1.0), ("rain today", "ham", 1.0), ("lunch lunch", "news", 1.0)]

models = st.sampled_from(TEXT_MODELS)
texts = st.lists(st.sampled_from(VOCABULARY), max_size=7).map(" ".join)
labels = st.sampled_from(WORDS)
one_each = st.just(1.0)


def mails(weights=one_each, min_size=0):
    """Lists of (text, class, weight)."""
    return st.lists(st.tuples(texts, labels, weights), min_size=min_size, max_size=6)


def learned(mails, model="multinomial", weighted=False, **parameters):
    X, y, weights = map(list, zip(*mails, strict=True))
    sample_weight = weights if weighted else None
    return by.TextClassifier(model, **parameters).fit(X, y, sample_weight=sample_weight)


def assert_same_model(ours, theirs):
    asked = ["free lunch today", "下雨 money money", "", "snow"]
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    assert_same(ours.statistics_, theirs.statistics_)
    assert ours.vocabulary_ == theirs.vocabulary_
    assert np.array_equal(ours.predict_proba(asked), theirs.predict_proba(asked))


# the rule of the documents, in fractions ----------------------------------------------------------


@given(mails(), texts)
def test_the_learning_rule_is_that_of_the_book(mails, asked):  # textbook case 18
    mails = mails + ANCHORS
    model = learned(mails, language="en")
    words = {c: Counter(w for text, of, _ in mails if of == c for w in text.split()) for c in WORDS}
    vocabulary = {word for counter in words.values() for word in counter}
    joint = {}
    for label in WORDS:
        n_texts = sum(of == label for _, of, _ in mails)
        joint[label] = Fraction(n_texts, len(mails))
        for word in filter(vocabulary.__contains__, asked.split()):
            n, n_k = sum(words[label].values()), words[label][word]
            joint[label] *= Fraction(n_k + 1, n + len(vocabulary))
    work = model.work(asked)
    assert work.joint == joint
    expected = [float(joint[label] / sum(joint.values())) for label in WORDS]
    assert model.predict_proba([asked])[0] == pytest.approx(expected, rel=1e-12)


def test_words_outside_of_the_vocabulary_are_skipped():
    model = learned(ANCHORS)
    assert np.array_equal(model.predict_proba(["free"]), model.predict_proba(["free snow 冰雹"]))
    assert model.predict_proba(["snow"])[0] == pytest.approx([1 / 3] * 3)


def test_shares_of_the_mail_example():  # textbook case 25
    normal = ["购买 " + "你好 " * 9] * 3 + ["你好 " * 10] * 21
    junk = ["购买 " + "便宜 " * 9] * 7 + ["便宜 " * 10] * 5
    model = by.TextClassifier(language="en", smoothing=0)
    model.fit(normal + junk, ["正常"] * 24 + ["垃圾"] * 12)
    work = model.work("购买")
    assert work.classes == ("垃圾", "正常")
    assert work.prior == ((12, 36), (24, 36))
    assert work.factors[0].shares == ((7, 120), (3, 240))


def test_vectors_of_the_rain_example():  # textbook case 26
    days = ["今天 上午 下雨", "明天 上午 上午", "下雨 时 在家"]
    model = by.TextClassifier().fit(days, [0, 1, 2])
    words = model.statistics_.words
    rows = [words.index(word) for word in ("今天", "上午", "下雨", "明天", "时", "在家")]
    vectors = [[1, 1, 1, 0, 0, 0], [0, 2, 0, 1, 0, 0], [0, 0, 1, 0, 1, 1]]
    assert model.statistics_.occurrences[rows].T.tolist() == vectors


@given(mails(min_size=1))
def test_without_smoothing_it_is_the_maximum_of_the_likelihood(mails):  # textbook case 27
    mails = mails + ANCHORS
    model = learned(mails, smoothing=0)
    statistics = model.statistics_
    prior = np.exp(model.predict_joint_log_proba([""])[0])
    assert prior == pytest.approx(statistics.class_count / len(mails), rel=1e-12)
    # stationary under the constraint: every count over its share is the same number, n
    shares = np.exp(model.predict_joint_log_proba(["free"])[0]) / prior
    count = statistics.occurrences[statistics.words.index("free")]
    assert shares * statistics.occurrences.sum(axis=0) == pytest.approx(count, rel=1e-12)


def test_a_mail_of_ten_thousand_words_does_not_underflow():  # textbook case 28
    model = by.TextClassifier().fit(["free free lunch", "rain rain lunch"], ["spam", "ham"])
    mail = "free " * 5001 + "rain " * 4999
    high, low = Fraction(3, 6), Fraction(1, 6)
    spam, ham = high**5001 * low**4999, low**5001 * high**4999
    expected = [float(ham / (spam + ham)), float(spam / (spam + ham))]
    assert model.predict_proba([mail])[0] == pytest.approx(expected, rel=1e-9)
    assert np.isfinite(model.predict_joint_log_proba([mail])).all()


def test_binary_multinomial_counts_a_word_once_for_each_text():
    model = learned([("free free money", "spam", 1), ("rain free", "ham", 1)], "binary-multinomial")
    assert model.work("free free").joint == {
        "ham": Fraction(1, 2) * Fraction(2, 5),
        "spam": Fraction(1, 2) * Fraction(2, 5),
    }
    assert model.work("money money money").joint["spam"] == Fraction(1, 2) * Fraction(2, 5)


def test_the_bernoulli_model_gives_the_numbers_of_the_china_example():  # [IIR] example 13.2
    texts = ["Chinese Beijing Chinese", "Chinese Chinese Shanghai", "Chinese Macao"]
    model = by.TextClassifier("bernoulli")
    model.fit([*texts, "Tokyo Japan Chinese"], ["China"] * 3 + ["other"])
    china = Fraction(3, 4) * Fraction(4, 5) * Fraction(1, 5) ** 2 * Fraction(3, 5) ** 3
    other = Fraction(1, 4) * Fraction(2, 3) ** 3 * Fraction(2, 3) ** 3
    work = model.work("Chinese Chinese Chinese Tokyo Japan")
    assert work.joint == {"China": china, "other": other}
    answer = model.predict_proba(["Chinese Chinese Chinese Tokyo Japan"])[0, 0]
    assert answer == pytest.approx(float(china / (china + other)), rel=1e-12)


# scikit-learn -------------------------------------------------------------------------------------

english = st.lists(st.sampled_from(["free", "Lunch", "rain,", "money!", "to-day", "they're"]))
PEERS = {
    "multinomial": naive_bayes.MultinomialNB,
    "complement": naive_bayes.ComplementNB,
    "bernoulli": naive_bayes.BernoulliNB,
}


@pytest.mark.parametrize("model", PEERS)
@given(data=st.data())
@at_most(30)
def test_numbers_are_those_of_scikit_learn(model, data):
    sentences = english.map(" ".join)
    rows = data.draw(st.lists(st.tuples(sentences, labels, quarters), min_size=1, max_size=8))
    rows = rows + ANCHORS
    asked = data.draw(st.lists(sentences, min_size=1, max_size=4))
    alpha = data.draw(st.sampled_from([1.0, 0.1, 2.5]))
    X, y, weights = zip(*rows, strict=True)
    ours = learned(rows, model, weighted=True, smoothing=alpha)
    words = CountVectorizer(token_pattern=r"(?u)\b\w+\b").fit(X)
    assert tuple(words.get_feature_names_out()) == ours.vocabulary_
    theirs = PEERS[model](alpha=alpha).fit(words.transform(X), y, sample_weight=weights)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(asked),
        theirs.predict_joint_log_proba(words.transform(asked)),
        rtol=1e-9,
        atol=1e-9,
    )


def test_it_is_a_scikit_learn_estimator_of_lists_of_texts():
    X, y = ["free money", "rain today"] * 6, ["spam", "ham"] * 6
    model = by.TextClassifier("complement", min_count=2)
    assert clone(model).get_params() == model.get_params()
    assert cross_val_score(model, X, y, cv=3).tolist() == [1.0] * 3
    upper = FunctionTransformer(lambda texts: [text.upper() for text in texts])
    assert make_pipeline(upper, by.TextClassifier()).fit(X, y).score(X, y) == 1.0
    tags = model.__sklearn_tags__().input_tags
    assert (tags.string, tags.one_d_array, tags.two_d_array) == (True, True, False)


# learning is counting -----------------------------------------------------------------------------


def test_declared_classes_are_known_without_texts():
    model = by.TextClassifier().partial_fit(["free"], ["spam"], classes=["ham", "spam"])
    assert model.predict_proba(["free"]).tolist() == [[0.0, 1.0]]


@given(
    st.sampled_from(
        [
            *((model, amount) for model in TEXT_MODELS for amount in (1.0, 0.25)),
            ("multinomial", 0),
            ("binary-multinomial", 0),
        ]
    ),
    mails(quarters_or_zero, min_size=1),
    st.sampled_from([1, 2, 3]),
)
@at_most(80)
def test_leave_one_out_equals_refitting(rule, mails, min_count):
    mails = mails + ANCHORS
    model, smoothing = rule
    parameters = {"min_count": min_count, "smoothing": smoothing, "stop_words": ["today"]}
    X, y, weights = map(list, zip(*mails, strict=True))
    with cells_per_block(8), impossible_rows_allowed():
        ours = learned(mails, model, weighted=True, **parameters).leave_one_out(
            X, y, sample_weight=weights
        )
    for left_out, (text, _, _) in enumerate(mails):
        rest = [[*column[:left_out], *column[left_out + 1 :]] for column in (X, y, weights)]
        refitted = by.TextClassifier(model, **parameters).partial_fit(
            *rest[:2], classes=WORDS, sample_weight=rest[2]
        )
        theirs = probabilities(refitted, [text])[0]
        np.testing.assert_allclose(ours[left_out], theirs, atol=1e-12)


def test_leave_one_out_without_smoothing_answers_the_prior_to_the_impossible():
    X, y = ["free free", "free rain", "rain"], ["spam", "ham", "ham"]
    model = by.TextClassifier(smoothing=0).fit(X, y)
    with pytest.warns(UserWarning, match=r"1 row\(s\) are impossible in every class"):
        answers = model.leave_one_out(X, y)
    # without the second text "free" is in spam alone and "rain" in ham alone
    assert answers == pytest.approx(np.array([[1, 0], [0.5, 0.5], [1, 0]]))


def test_forgetting_and_leaving_out_what_was_never_learned_is_refused():
    model = learned(ANCHORS)
    before = state_of(model)
    for call in (model.forget, model.leave_one_out):
        with pytest.raises(ValueError, match="the word 'snow' was never seen"):
            call(["snow"], ["spam"])
        with pytest.raises(ValueError, match="do not exist"):
            call(["free"], ["ads"])
    assert_unchanged(model, before)


# which words take part ----------------------------------------------------------------------------


def test_rare_frequent_and_stop_words_take_no_part_and_may_come_back():
    texts = ["the the the free rain", "the free rain rain", "and the lunch"]
    model = by.TextClassifier(min_count=2, drop_top=1, stop_words=["The"])
    model.fit(texts, ["spam", "ham", "ham"])
    assert model.vocabulary_ == ("free",)  # rain is the most frequent of those that are left
    assert model.statistics_.words == ("and", "free", "lunch", "rain", "the")
    assert model.partial_fit(["lunch"], ["ham"]).vocabulary_ == ("free", "lunch")
    assert model.work("free the rain").joint["spam"] == Fraction(1, 4) * Fraction(2, 3)


def test_of_equally_frequent_words_the_first_in_the_alphabet_are_dropped():
    model = by.TextClassifier(drop_top=2).fit(["rain free", "lunch"], ["spam", "ham"])
    assert model.vocabulary_ == ("rain",)


def test_top_words_are_those_with_the_greatest_weight_of_evidence():
    model = learned([*ANCHORS, ("free free lunch", "spam", 1)])
    n_words = {"spam": 5, "others": 4}
    weight = math.log(Fraction(4, n_words["spam"] + 5) / Fraction(1, n_words["others"] + 5))
    assert model.top_words("spam", 1) == {"free": pytest.approx(weight)}
    assert [*model.top_words("spam")][:2] == ["free", "money"]
    assert len(model.top_words("spam")) == len(model.vocabulary_)
    with pytest.raises(ValueError, match="one of the classes"):
        model.top_words("ads")


def score_by_hand(mails, smoothing):
    """Sum over all words of log P(class of the word | the word), that word taken out."""
    words = [(word, label) for text, label, _ in mails for word in text.split()]
    classes = sorted({label for _, label, _ in mails})
    score = 0.0
    for place, (word, label) in enumerate(words):
        rest = words[:place] + words[place + 1 :]
        vocabulary = max(1, len({other for other, _ in rest}))
        parts = {}
        for c in classes:
            of_class = [other for other, of in rest if of == c]
            share = (of_class.count(word) + smoothing) / (len(of_class) + smoothing * vocabulary)
            parts[c] = (len(of_class) + 1) * share
        score += math.log(parts[label] / sum(parts.values()))
    return score


def test_automatic_smoothing_is_the_best_by_leave_one_out():
    mails = [
        ("free money free lunch", "spam", 1),
        ("free lunch money", "spam", 1),
        ("rain rain today lunch free", "ham", 1),
        ("rain today money", "ham", 1),
    ]
    chosen = learned(mails, smoothing="auto").smoothing_
    candidates = [2.0**power for power in range(-8, 8)]
    assert chosen == max(candidates, key=lambda amount: score_by_hand(mails, amount))


# reasons ------------------------------------------------------------------------------------------


@given(models, mails(min_size=1), texts)
def test_reasons_add_up_to_the_log_odds(model, mails, asked):
    model = learned(mails + ANCHORS, model)
    reasons = model.explain(asked, against="ham")
    log_odds = reasons.prior_log_odds + sum(reasons.weights.values())
    assert reasons.log_odds == pytest.approx(log_odds, abs=1e-9)
    log_proba = dict(zip(WORDS, model.predict_log_proba([asked])[0], strict=True))
    if reasons.against is not None:
        expected = log_proba[reasons.answer] - log_proba[reasons.against]
        assert reasons.log_odds == pytest.approx(expected, abs=1e-9)


def test_reasons_are_the_known_words_of_the_text():
    model = learned(ANCHORS)
    reasons = model.explain("Free free RAIN, snow", against="ham")
    assert reasons.values == {"free": "2", "rain": "1"}
    assert reasons.weights["free"] == pytest.approx(2 * math.log(2))
    assert [each.answer for each in model.explain(["free", "rain"])] == ["spam", "ham"]
    bernoulli = learned(ANCHORS, "bernoulli").explain("free snow")
    assert bernoulli.values == {"free": "1", "(absent words)": "4"}


@given(st.sampled_from(["multinomial", "bernoulli", "binary-multinomial"]), mails(), texts)
def test_the_worked_calculation_is_the_answer(model, mails, asked):
    model = learned(mails + ANCHORS, model)
    worked = [float(share) for share in model.work(asked).posterior.values()]
    assert model.predict_proba([asked])[0] == pytest.approx(worked, rel=1e-9)


def test_the_complement_model_has_no_product_to_work_out():
    with pytest.raises(TypeError, match="Use explain"):
        learned(ANCHORS, "complement").work("free")


# texts of all kinds -------------------------------------------------------------------------------


@pytest.mark.parametrize("model", TEXT_MODELS)
def test_chinese_and_mixed_texts(model):
    X = ["今天下雨，在家看书", "今天免费购买 free", "明天下雨", "免费 free 午餐"]
    y = ["正常", "垃圾", "正常", "垃圾"]
    model = by.TextClassifier(model).fit(X, y)
    assert model.predict(["明天在家", "购买午餐", "FREE"]).tolist() == ["正常", "垃圾", "垃圾"]
    assert model.predict(np.array(X)).tolist() == y
    assert model.predict(pd.Series(X)).tolist() == y


def test_texts_without_words_get_the_prior():
    model = by.TextClassifier().fit(["", None, "!?"], ["spam", "ham", "ham"])
    assert model.vocabulary_ == ()
    assert model.predict_proba(["", None, "free"]) == pytest.approx(np.array([[2 / 3, 1 / 3]] * 3))
    assert by.TextClassifier(smoothing="auto").fit([""], ["spam"]).smoothing_ == 1.0
    assert model.explain(None).weights == {}


def test_pairs_of_words_and_runs_of_characters_can_be_the_words():
    pairs = by.TextClassifier(ngrams=[1, 2]).fit(["free lunch"], ["spam"])
    assert pairs.vocabulary_ == ("free", "free lunch", "lunch")
    runs = by.TextClassifier(analyzer="char", ngrams=(2, 2)).fit(["rain"], ["ham"])
    assert runs.vocabulary_ == ("ai", "in", "ra")


# files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", TEXT_MODELS)
def test_a_saved_model_comes_back_the_same_and_learns_on(model, tmp_path):
    saved = learned([*ANCHORS, ("今天下雨", "ham", 0.5)], model, weighted=True, smoothing="auto")
    saved.save(tmp_path / "mail.bayes")
    for back in (by.load(tmp_path / "mail.bayes"), pickle.loads(pickle.dumps(saved))):
        assert_same_model(back, saved)
        assert back.get_params() == saved.get_params()
        back.partial_fit(["snow"], ["weather"])
        assert_same_model(back.forget(["snow"], ["weather"]).merge(saved), back)


def test_a_file_of_another_tokenizer_is_refused(tmp_path):
    learned(ANCHORS).save(tmp_path / "mail.bayes")
    manifest, arrays = read_archive(tmp_path / "mail.bayes")
    manifest["extra"] = {"dict": [["tokenizer", "words of the year 3000"]]}
    write_archive(tmp_path / "other.bayes", manifest, arrays)
    with pytest.raises(ValueError, match="another tokenizer: 'words of the year 3000'"):
        by.load(tmp_path / "other.bayes")


# bad input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"model": "gaussian"}, "model must be one of 'multinomial'"),
        ({"language": "fr"}, "language must be"),
        ({"analyzer": "sentence"}, "analyzer must be"),
        ({"ngrams": (2, 1)}, r"ngrams must be .* got \(2, 1\)"),
        ({"ngrams": 2}, "ngrams must be"),
        ({"min_count": 0}, "min_count must be a whole number of 1 or more, got 0"),
        ({"drop_top": 1.5}, "drop_top must be a whole number of 0 or more, got 1.5"),
        ({"stop_words": "the"}, "stop_words must be .* or None, got 'the'"),
        ({"smoothing": -1}, "smoothing must be a number of 0 or more, got -1"),
        ({"model": "complement", "smoothing": 0}, "smoothing must be above 0 for"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        by.TextClassifier(**parameters).fit(["free"], ["spam"])


@pytest.mark.parametrize(
    ("X", "y", "error"),
    [
        (["free", 3], ["spam", "ham"], TypeError),
        ("free", ["spam"], TypeError),
        (["free"], ["spam", "ham"], ValueError),
        (["free"], [None], ValueError),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(X, y, error):
    model = learned(ANCHORS)
    before = state_of(model)
    for call in (model.fit, model.partial_fit, model.forget):
        with pytest.raises(error):
            call(X, y)
        assert_unchanged(model, before)
    unfitted = by.TextClassifier()
    with pytest.raises(error):
        unfitted.partial_fit(X, y)
    assert vars(unfitted) == vars(by.TextClassifier())


def test_labels_of_another_kind_are_refused_and_change_nothing():
    model = learned(ANCHORS)
    before = state_of(model)
    with pytest.raises(TypeError, match="of one type"):
        model.partial_fit(["free"], [3])
    assert_unchanged(model, before)


def test_no_texts_are_refused():
    with pytest.raises(ValueError, match="at least one text"):
        learned(ANCHORS).predict([])


def test_texts_must_be_cut_as_those_that_were_learned():
    model = learned(ANCHORS).set_params(ngrams=(1, 2))
    with pytest.raises(ValueError, match="Set language, ngrams, analyzer and tokenizer back"):
        model.predict(["free"])
    with pytest.raises(ValueError, match="in the same way"):
        learned(ANCHORS).merge(learned(ANCHORS, ngrams=(1, 2)))


# Chinese words ------------------------------------------------------------------------------------

CHINESE = ["免费领取礼品", "今天一起吃饭", "免费购买", "今天下雨"]
KINDS = ["垃圾", "正常"] * 2


def test_chinese_is_cut_into_words_where_rjieba_is_installed():
    model = by.TextClassifier().fit(CHINESE, KINDS)
    assert {"免费", "今天", "下雨"} <= set(model.vocabulary_)
    assert "rjieba" in model.tokenizer_.name
    assert model.predict(["免费礼品", "今天吃饭吗"]).tolist() == ["垃圾", "正常"]


def test_without_rjieba_chinese_is_cut_into_characters_which_is_said_once(monkeypatch):
    monkeypatch.setattr("bayesic.data.tokens.chinese_cutter", lambda: "characters")
    tell_of_characters.cache_clear()
    with pytest.warns(UserWarning, match="rjieba is not installed"):
        model = by.TextClassifier().fit(CHINESE, KINDS)
    assert {"免", "费", "免费"} <= set(model.vocabulary_)
    by.TextClassifier().fit(CHINESE, KINDS)  # not said again
    by.TextClassifier(language="en").fit(CHINESE, KINDS)


def test_a_model_whose_texts_were_cut_by_what_is_not_here_is_refused(monkeypatch, tmp_path):
    by.TextClassifier().fit(CHINESE, KINDS).save(tmp_path / "chinese.bayes")
    monkeypatch.setattr("bayesic.data.tokens.chinese_cutter", lambda: "characters")
    with pytest.raises(ValueError, match="by rjieba, which is not installed here"):
        by.load(tmp_path / "chinese.bayes")


# files and folders --------------------------------------------------------------------------------

MAILS = ["free lunch", "lunch today", "free money", "rain today"]
CLASSES = ["spam", "ham", "spam", "ham"]


def same_counts(ours, theirs):
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    assert ours.vocabulary_ == theirs.vocabulary_
    np.testing.assert_array_equal(ours.statistics_.occurrences, theirs.statistics_.occurrences)
    np.testing.assert_array_equal(ours.statistics_.texts_with, theirs.statistics_.texts_with)


def test_a_column_of_a_file_is_learned_as_the_texts_are(tmp_path):
    path = tmp_path / "mails.csv"
    rows = [f"7,{mail},{label}" for mail, label in zip(MAILS, CLASSES, strict=True)]
    path.write_text("\n".join(["id,body,label", *rows]) + "\n", encoding="utf-8")
    in_memory = by.TextClassifier().fit(MAILS, CLASSES)
    same_counts(by.TextClassifier().fit(path, "label", text="body"), in_memory)
    twice = by.TextClassifier().fit(MAILS, CLASSES).partial_fit(str(path), "label", text="body")
    same_counts(twice.forget(path, "label", text="body"), in_memory)


def test_a_folder_with_a_folder_for_each_class_is_learned(tmp_path):
    for number, (mail, label) in enumerate(zip(MAILS, CLASSES, strict=True)):
        (tmp_path / label).mkdir(exist_ok=True)
        (tmp_path / label / f"{number}.txt").write_text(mail, encoding="utf-8")
    same_counts(by.TextClassifier().fit(tmp_path), by.TextClassifier().fit(MAILS, CLASSES))


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"y": ["spam"]}, "must be the name of the column"),
        ({"sample_weight": [1.0]}, "no sample_weight"),
        ({}, "no labels"),
        ({"y": "label"}, "target"),
    ],
)
def test_files_that_cannot_be_learned_are_refused_in_words(tmp_path, arguments, match):
    (tmp_path / "mail.txt").write_text("free lunch", encoding="utf-8")
    model = by.TextClassifier().fit(MAILS, CLASSES)
    before = state_of(model)
    with pytest.raises(ValueError, match=match):
        model.partial_fit(tmp_path / "mail.txt", **arguments)
    assert_unchanged(model, before)
