"""TextClassifier: weightings, stop words and tokenizers of the user, against plain loops."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

import bayesic as by
from helpers.comparisons import assert_same, assert_unchanged, state_of
from helpers.environment import cells_per_block
from helpers.examples import at_most
from helpers.labelled_rows import WORDS, quarters

VOCABULARY = ("free", "lunch", "rain", "money", "today", "下雨")
ANCHORS = [("free money", "spam", 1.0), ("rain today", "ham", 1.0), ("lunch lunch", "news", 1.0)]
RULES = [
    ("multinomial", "tf-idf"),
    ("complement", "tf-idf"),
    ("multinomial", "log-count-ratio"),
    ("binary-multinomial", "log-count-ratio"),
]

texts = st.lists(st.sampled_from(VOCABULARY), max_size=7).map(" ".join)
labels = st.sampled_from(WORDS)
rules = st.sampled_from(RULES)


one_each = st.just(1.0)


def mails(weights=one_each, min_size=0):
    """Lists of (text, class, weight), with one text of each class at the end."""
    rows = st.lists(st.tuples(texts, labels, weights), min_size=min_size, max_size=6)
    return rows.map(lambda rows: rows + ANCHORS)


def learned(mails, model, weighting, weighted=False, **parameters):
    X, y, weights = map(list, zip(*mails, strict=True))
    classifier = by.TextClassifier(model, weighting=weighting, language="en", **parameters)
    return classifier.fit(X, y, sample_weight=weights if weighted else None)


# the rules, in plain loops ------------------------------------------------------------------------


def tf_idf_scores(mails, model, smoothing, asked):
    """The scores of [Rennie] with the length before the idf: no prior yet."""
    words = [Counter(text.split()) for text, _, _ in mails]
    vocabulary = sorted({word for counted in words for word in counted})
    n_texts = sum(weight for _, _, weight in mails)
    idf, sums = {}, {}
    for word in vocabulary:
        with_word = sum(m[2] for m, counted in zip(mails, words, strict=True) if word in counted)
        idf[word] = math.log(n_texts / with_word)
        for label in WORDS:
            sums[word, label] = 0.0
            for (_, of, weight), counted in zip(mails, words, strict=True):
                in_sum = of != label if model == "complement" else of == label
                if in_sum and word in counted:
                    length = math.sqrt(sum(math.log1p(n) ** 2 for n in counted.values()))
                    damped = math.log1p(counted[word]) / length
                    sums[word, label] += weight * damped * idf[word]
    sign = -1 if model == "complement" else 1
    scores = dict.fromkeys(WORDS, 0.0)
    for label in WORDS:
        total = sum(sums[word, label] + smoothing for word in vocabulary)
        for word, n in Counter(asked.split()).items():
            if word in idf:
                share = (sums[word, label] + smoothing) / total
                scores[label] += sign * math.log1p(n) * idf[word] * math.log(share)
    return scores


@pytest.mark.parametrize("model", ["multinomial", "complement"])
@given(mails(quarters), texts, st.sampled_from([1.0, 0.1]))
@at_most(40)
def test_tf_idf_is_that_of_the_paper_with_the_length_before_the_idf(model, mails, asked, smoothing):
    ours = learned(mails, model, "tf-idf", weighted=True, smoothing=smoothing)
    expected = tf_idf_scores(mails, model, smoothing, asked)
    if model == "multinomial":
        n_texts = sum(weight for _, _, weight in mails)
        for label in WORDS:
            of_class = sum(weight for _, of, weight in mails if of == label)
            expected[label] += math.log(of_class / n_texts)
    scores = ours.predict_joint_log_proba([asked])[0]
    np.testing.assert_allclose(scores, [expected[label] for label in WORDS], rtol=1e-7, atol=1e-7)


def ratio_scores(mails, presence, asked):
    """(log P(c) / P(others) + sum over words of log p(w | c) / p(w | others)) / 2."""
    counted = [Counter(text.split()) for text, _, _ in mails]
    if presence:
        counted = [Counter(set(words)) for words in counted]
    vocabulary = {word for words in counted for word in words}
    times = Counter(set(asked.split()) if presence else asked.split())
    scores = []
    for label in WORDS:
        sides = []
        for is_own in (True, False):
            side = [
                (words, weight)
                for words, (_, of, weight) in zip(counted, mails, strict=True)
                if (of == label) == is_own
            ]
            n_words = sum(weight * words.total() for words, weight in side) + len(vocabulary)
            score = math.log(sum(weight for _, weight in side))
            for word in times.keys() & vocabulary:
                n_k = sum(weight * words[word] for words, weight in side)
                score += times[word] * math.log((n_k + 1) / n_words)
            sides.append(score)
        scores.append((sides[0] - sides[1]) / 2)
    return scores


@pytest.mark.parametrize("model", ["multinomial", "binary-multinomial"])
@given(mails(quarters), texts)
@at_most(40)
def test_log_count_ratios_hold_each_class_against_the_others_together(model, mails, asked):
    ours = learned(mails, model, "log-count-ratio", weighted=True)
    expected = ratio_scores(mails, model == "binary-multinomial", asked)
    scores = ours.predict_joint_log_proba([asked])[0]
    np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)


@given(mails(), texts, st.sampled_from(["multinomial", "binary-multinomial"]))
def test_log_count_ratios_of_two_classes_are_the_model_itself(mails, asked, model):
    two = [(text, "spam" if label == "spam" else "ham", weight) for text, label, weight in mails]
    plain, ratio = (learned(two, model, weighting) for weighting in (None, "log-count-ratio"))
    np.testing.assert_allclose(
        ratio.predict_proba([asked]), plain.predict_proba([asked]), rtol=1e-12
    )
    assert ratio.top_words("spam") == pytest.approx(plain.top_words("spam"))


# learning is counting -----------------------------------------------------------------------------


@given(rules, mails(), mails())
@at_most(30)
def test_pieces_merging_and_forgetting_are_exact(rule, some, more):
    both = learned(some + more, *rule)
    X, y, _ = zip(*more, strict=True)
    merged = learned(some, *rule).merge(learned(more, *rule))
    in_pieces = learned(some, *rule).partial_fit(X, y)
    assert_same(merged.statistics_, both.statistics_)
    assert_same(in_pieces.statistics_, both.statistics_)
    assert_same(both.forget(X, y).statistics_, learned(some, *rule).statistics_)


@given(rules, mails(quarters), st.sampled_from([1, 2]))
@at_most(60)
def test_leave_one_out_equals_refitting(rule, mails, min_count):
    X, y, weights = map(list, zip(*mails, strict=True))
    model = learned(mails, *rule, weighted=True, min_count=min_count, stop_words=["today"])
    with cells_per_block(8):
        ours = model.leave_one_out(X, y, sample_weight=weights)
    for left_out, text in enumerate(X):
        rest = [[*column[:left_out], *column[left_out + 1 :]] for column in (X, y, weights)]
        refitted = by.TextClassifier(**model.get_params()).partial_fit(
            *rest[:2], classes=WORDS, sample_weight=rest[2]
        )
        theirs = refitted.predict_proba([text])[0]
        np.testing.assert_allclose(ours[left_out], theirs, atol=1e-8)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: "-".join(rule))
def test_reasons_add_up_and_files_keep_the_model(rule, tmp_path):
    model = learned([*ANCHORS, ("free lunch free", "spam", 1.0)], *rule)
    reasons = model.explain("free free rain", against="news")
    scores = dict(zip(WORDS, model.predict_joint_log_proba(["free free rain"])[0], strict=True))
    assert reasons.log_odds == pytest.approx(scores[reasons.answer] - scores["news"])
    assert reasons.prior_log_odds + sum(reasons.weights.values()) == pytest.approx(reasons.log_odds)
    assert reasons.values == {"free": "1" if rule[0] == "binary-multinomial" else "2", "rain": "1"}
    with pytest.raises(TypeError, match="no product of probabilities"):
        model.work("free")
    model.save(tmp_path / "mail.bayes")
    loaded = by.load(tmp_path / "mail.bayes")
    assert_same(loaded.statistics_, model.statistics_)
    asked = ["free lunch", "rain"]
    assert np.array_equal(loaded.predict_proba(asked), model.predict_proba(asked))


def test_one_text_alone_and_words_in_all_texts_are_no_trouble():
    one = by.TextClassifier("complement", weighting="tf-idf").fit(["free lunch"], ["spam"])
    assert one.predict_proba(["free"]).tolist() == [[1.0]]
    assert one.leave_one_out(["free lunch"], ["spam"]).tolist() == [[1.0]]
    same = by.TextClassifier(weighting="tf-idf").fit(["free", "free"], ["spam", "ham"])
    assert same.predict_proba(["free"]).tolist() == [[0.5, 0.5]]


# what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"weighting": "idf"}, "weighting must be one of None, 'tf-idf', 'log-count-ratio'"),
        ({"weighting": "tf-idf", "model": "bernoulli"}, "for the models multinomial and complem"),
        ({"weighting": "log-count-ratio", "model": "complement"}, "for the models multinomial and"),
        ({"weighting": "tf-idf", "smoothing": "auto"}, "smoothing='auto' depends on how often"),
        ({"weighting": "tf-idf", "smoothing": 0}, "above 0 for weighting='tf-idf', got 0"),
        ({"weighting": "log-count-ratio", "smoothing": 0}, "above 0 for weighting='log-count-rat"),
        ({"stop_words": "fr"}, 'must be "en", "zh", a list of words or None, got \'fr\''),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        by.TextClassifier(**parameters).fit(["free"], ["spam"])


def test_tf_idf_cannot_be_mixed_with_plain_counts():
    plain, weighed = learned(ANCHORS, "multinomial", None), learned(ANCHORS, *RULES[0])
    before = state_of(plain)
    with pytest.raises(ValueError, match="cut and count words in the same way"):
        plain.merge(weighed)
    assert_unchanged(plain, before)
    changed = plain.set_params(weighting="tf-idf")
    with pytest.raises(ValueError, match="cannot be changed later"):
        changed.partial_fit(["free"], ["spam"])
    ratio = learned(ANCHORS, "multinomial", None).set_params(weighting="log-count-ratio")
    ratio.partial_fit(["free"], ["spam"])
    assert_same(
        ratio.statistics_,
        learned([*ANCHORS, ("free", "spam", 1)], "multinomial", None).statistics_,
    )


# stop words ---------------------------------------------------------------------------------------


def test_the_usual_stop_words_take_no_part():
    texts = ["this is not the rain", "a lunch of the day"]
    model = by.TextClassifier(stop_words="en").fit(texts, ["ham", "spam"])
    assert model.vocabulary_ == ("day", "lunch", "not", "rain")
    chinese = by.TextClassifier(stop_words="zh", tokenizer=str.split)
    assert chinese.fit(["我 的 雨伞", "今天 不 下雨 了"], [0, 1]).vocabulary_ == (
        "下雨",
        "不",
        "今天",
        "雨伞",
    )


def test_words_taken_together_go_if_each_of_them_is_a_stop_word():
    model = by.TextClassifier(stop_words=["of", "the"], ngrams=(1, 2))
    model.fit(["rain of the day"], ["ham"])
    assert model.vocabulary_ == ("day", "rain", "rain of", "the day")


# tokenizers of the user ---------------------------------------------------------------------------


def shout(text):
    return text.upper().split()


@given(st.lists(st.tuples(texts, labels), min_size=1, max_size=6))
@at_most(20)
def test_an_own_tokenizer_gives_the_words(rows):
    X, y = zip(*[*rows, ("FREE !", "spam"), ("rain", "ham")], strict=True)
    ours = by.TextClassifier(tokenizer=shout, ngrams=(1, 2)).fit(X, y)
    words = CountVectorizer(
        tokenizer=shout, token_pattern=None, lowercase=False, ngram_range=(1, 2)
    ).fit(X)
    assert ours.vocabulary_ == tuple(words.get_feature_names_out())
    theirs = MultinomialNB().fit(words.transform(X), y)
    asked = ["free ! lunch", "snow"]
    np.testing.assert_allclose(
        ours.predict_proba(asked), theirs.predict_proba(words.transform(asked)), rtol=1e-9
    )


def test_a_file_keeps_the_name_of_an_own_tokenizer(tmp_path):
    model = by.TextClassifier(tokenizer=shout).fit(["free lunch", "rain"], ["spam", "ham"])
    model.save(tmp_path / "mail.bayes")
    loaded = by.load(tmp_path / "mail.bayes")
    again = r"with the function .*shout, which a model file cannot hold. Set it again: model.set_p"
    for call in (loaded.predict, lambda texts: loaded.partial_fit(texts, ["spam"])):
        with pytest.raises(ValueError, match=again):
            call(["free"])
    with pytest.raises(ValueError, match=r"builtins\.str\.split"):
        loaded.set_params(tokenizer=str.split).predict(["free"])
    assert loaded.set_params(tokenizer=shout).predict(["free"]).tolist() == ["spam"]


@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [
        (3, "tokenizer must be a function that cuts a text into a list of words, a name such as"),
        (str.upper, "must give a list of words for each text, builtins.str.upper gave 'FREE'"),
        (len, "builtins.len gave 4"),
        (lambda text: [text, None], r"gave \['free', None\]"),
    ],
)
def test_a_tokenizer_that_gives_no_words_is_refused(tokenizer, message):
    with pytest.raises(TypeError, match=message):
        by.TextClassifier(tokenizer=tokenizer).fit(["free"], ["spam"])


# answers from files -------------------------------------------------------------------------------


def test_a_table_is_asked_by_the_column_that_was_learned(tmp_path):
    learned_from, asked = tmp_path / "mails.csv", tmp_path / "new.csv"
    learned_from.write_text("label,body\nspam,free money\nham,rain today\n", encoding="utf-8")
    asked.write_text("id,body\n7,more rain\n8,free lunch\n", encoding="utf-8")
    model = by.TextClassifier().fit(learned_from, y="label")
    assert model.predict(asked).tolist() == ["ham", "spam"]
    model.save(tmp_path / "mail.bayes")
    assert by.load(tmp_path / "mail.bayes").predict(str(asked)).tolist() == ["ham", "spam"]
    asked.write_text("id,words\n7,more rain\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has no column 'body'"):
        model.predict(asked)


def test_the_files_of_a_folder_are_asked_in_order(tmp_path):
    for name, text in {"b.txt": "free", "a.txt": "rain"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    model = by.TextClassifier().fit(["free money", "rain today"], ["spam", "ham"])
    assert model.predict(tmp_path).tolist() == ["ham", "spam"]
