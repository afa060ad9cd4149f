"""TextClassifier(tokenizer="zh-words"): ways to cut texts that have a name, kept in files."""

import json

import numpy as np
import pytest
import rjieba

import bayesic as by
from helpers.environment import environment, run_python

TEXTS = ["免费领取礼品!", "今天上午一起吃饭", "免费购买 iPhone", "今天下雨，在家吃饭"]
LABELS = ["垃圾", "正常", "垃圾", "正常"]
WITHOUT_RJIEBA = "import sys; sys.modules['rjieba'] = None\n"

each_name = pytest.mark.parametrize("name", ["zh-words", "zh-characters", "whitespace"])


def counts_of(model, text):
    """How often a text has each word of the vocabulary."""
    one = by.TextClassifier(**model.get_params()).fit([text], ["正常"])
    found = dict(zip(one.vocabulary_, one.statistics_.occurrences[:, 0].tolist(), strict=True))
    return [found.get(word, 0) for word in model.vocabulary_]


# how they cut -------------------------------------------------------------------------------------


def test_words_alone_are_those_of_rjieba():
    model = by.TextClassifier(tokenizer="zh-words").fit(TEXTS, LABELS)
    cut = {word.casefold() for text in TEXTS for word in rjieba.cut(text)}
    assert set(model.vocabulary_) == cut - {"!", "，", " "}
    beside = set(by.TextClassifier().fit(TEXTS, LABELS).vocabulary_) - set(model.vocabulary_)
    assert beside and all(len(pair) == 2 for pair in beside)


@pytest.mark.parametrize("name", ["zh-words", "whitespace"])
def test_mails_as_vectors(name):  # textbook case 26
    mails = by.datasets.rainy_mails()
    texts = ["今天 上午 下雨", "明天 上午 上午", "下雨 时 在家"]
    model = by.TextClassifier(tokenizer=name).fit(texts, list(mails.target))
    assert set(model.vocabulary_) == set(mails.columns)
    order = [model.vocabulary_.index(word) for word in mails.columns]
    vectors = [tuple(np.array(counts_of(model, text))[order].tolist()) for text in texts]
    assert vectors == [*mails.rows] == [(1, 1, 1, 0, 0, 0), (0, 2, 0, 1, 0, 0), (0, 0, 1, 0, 1, 1)]


def test_characters_are_taken_where_rjieba_is_installed_too():
    model = by.TextClassifier(tokenizer="zh-characters").fit(["今天下雨"], ["正常"])  # no warning
    assert set(model.vocabulary_) == {*"今天下雨", "今天", "天下", "下雨"}


def test_white_space_is_all_that_cuts():
    model = by.TextClassifier(tokenizer="whitespace", ngrams=(1, 2)).fit(["Free 今天下雨 !"], ["x"])
    assert set(model.vocabulary_) == {"Free", "今天下雨", "!", "Free 今天下雨", "今天下雨 !"}


@each_name
def test_compiled_and_reference_kernels_learn_the_same(name):
    learned = []
    for kernels in ("reference", "compiled"):
        with environment(BAYESIC_KERNELS=kernels):
            learned.append(by.TextClassifier(tokenizer=name).fit(TEXTS, LABELS))
    assert learned[0].vocabulary_ == learned[1].vocabulary_
    np.testing.assert_array_equal(
        learned[0].statistics_.occurrences, learned[1].statistics_.occurrences
    )


def test_other_names_are_refused():
    with pytest.raises(ValueError, match="'zh-words', 'zh-characters', 'whitespace', or a fun"):
        by.TextClassifier(tokenizer="jieba").fit(TEXTS, LABELS)


# files --------------------------------------------------------------------------------------------


@each_name
def test_a_saved_model_answers_and_learns_on_without_being_told_again(name, tmp_path):
    model = by.TextClassifier(tokenizer=name, ngrams=(1, 2)).fit(TEXTS, LABELS)
    model.save(tmp_path / "mail.bayes")
    loaded = by.load(tmp_path / "mail.bayes")
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded.predict_proba(TEXTS), model.predict_proba(TEXTS))
    for each in (loaded, model):
        each.partial_fit(["明天下雨"], ["正常"]).forget(TEXTS[:1], LABELS[:1])
    assert loaded.vocabulary_ == model.vocabulary_
    loaded.save(tmp_path / "again.bayes")
    assert by.load(tmp_path / "again.bayes").vocabulary_ == model.vocabulary_


@pytest.mark.parametrize(
    ("function", "name"),
    [(str.split, "str.split"), (lambda text: [*text], "your_function"), (rjieba.cut, r".*cut")],
)
def test_a_function_is_asked_for_again(function, name, tmp_path):
    model = by.TextClassifier(tokenizer=function).fit(TEXTS, LABELS)
    model.save(tmp_path / "mail.bayes")
    loaded = by.load(tmp_path / "mail.bayes")
    again = rf"a model file cannot hold. Set it again: model.set_params\(tokenizer={name}\)\.$"
    for call in (loaded.predict, loaded.explain, lambda X: loaded.partial_fit(X, LABELS)):
        with pytest.raises(ValueError, match=again):
            call(TEXTS)
    loaded.set_params(tokenizer=function)
    np.testing.assert_array_equal(loaded.predict_proba(TEXTS), model.predict_proba(TEXTS))


def test_another_name_than_the_one_learned_is_refused(tmp_path):
    model = by.TextClassifier(tokenizer="zh-words").fit(TEXTS, LABELS)
    with pytest.raises(ValueError, match="Set language, ngrams, analyzer and tokenizer back"):
        model.set_params(tokenizer="whitespace").predict(TEXTS)


# what is not installed ----------------------------------------------------------------------------


@pytest.mark.parametrize("tokenizer", [None, "zh-words"])
def test_a_model_that_needs_rjieba_names_the_extra(tokenizer, tmp_path):
    path = tmp_path / "mail.bayes"
    by.TextClassifier(tokenizer=tokenizer).fit(TEXTS, LABELS).save(path)
    ran = run_python(f"{WITHOUT_RJIEBA}import bayesic as by\nby.load({str(path)!r})")
    said = ran.stderr.splitlines()[-1]
    assert 'rjieba, which is not installed here: pip install "bayesic[zh]"' in said
    assert "damaged" not in said
    assert "not a bayesic model file" not in said


@pytest.mark.parametrize("tokenizer", [None, "zh-words"])
def test_the_command_line_says_so_in_one_sentence(tokenizer, tmp_path):
    path = tmp_path / "mail.bayes"
    by.TextClassifier(tokenizer=tokenizer).fit(TEXTS, LABELS).save(path)
    words = ["bayesic", "predict", str(path), "--text", "免费"]
    ran = run_python(
        f"{WITHOUT_RJIEBA}sys.argv = {words!r}\nfrom bayesic.cli.main import main\nmain()"
    )
    assert ran.returncode == 1
    assert len(ran.stderr.splitlines()) == 1
    assert 'pip install "bayesic[zh]"' in ran.stderr


def test_words_alone_need_rjieba_from_the_start():
    program = (
        f"import bayesic as by\nby.TextClassifier(tokenizer='zh-words').fit({TEXTS}, {LABELS})"
    )
    said = run_python(WITHOUT_RJIEBA + program).stderr.splitlines()[-1]
    assert said == (
        "ModuleNotFoundError: tokenizer='zh-words' needs rjieba, which is not installed here: "
        'pip install "bayesic[zh]".'
    )


@pytest.mark.parametrize("name", ["zh-characters", "whitespace"])
def test_the_others_can_be_read_everywhere(name, tmp_path):
    path = tmp_path / "mail.bayes"
    model = by.TextClassifier(tokenizer=name).fit(TEXTS, LABELS)
    model.save(path)
    ran = run_python(
        f"{WITHOUT_RJIEBA}import bayesic as by, json\n"
        f"print(json.dumps(by.load({str(path)!r}).predict_proba({TEXTS}).tolist()))"
    )
    assert json.loads(ran.stdout) == model.predict_proba(TEXTS).tolist(), ran.stderr
