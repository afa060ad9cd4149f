"""Texts as vectors: TextClassifier as a transformer, against the textbook and scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

import bayesic as by

MAILS = ["free money, buy today", "lunch today?", "buy now, get a free free gift", "rain, no lunch"]
LABELS = ["spam", "ham", "spam", "ham"]


@pytest.mark.parametrize("tokenizer", [str.split, "whitespace"])
def test_the_mails_of_the_textbook_have_the_vectors_printed_there(tokenizer):
    mails = ["今天 上午 下雨", "明天 上午 上午", "下雨 时 在家"]
    vocabulary = ["今天", "上午", "下雨", "明天", "时", "在家"]
    model = by.TextClassifier(tokenizer=tokenizer).fit(mails, [1, 2, 3])
    names = model.get_feature_names_out().tolist()
    columns = [names.index(word) for word in vocabulary]
    assert sorted(names) == sorted(vocabulary)
    assert model.transform(mails).toarray()[:, columns].tolist() == [
        [1, 1, 1, 0, 0, 0],
        [0, 2, 0, 1, 0, 0],
        [0, 0, 1, 0, 1, 1],
    ]


@pytest.mark.parametrize("kernels", ["reference", "compiled"])
@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2)])
def test_vectors_are_those_of_scikit_learn(monkeypatch, kernels, ngrams):
    monkeypatch.setenv("BAYESIC_KERNELS", kernels)
    model = by.TextClassifier(ngrams=ngrams).fit(MAILS, LABELS)
    theirs = CountVectorizer(ngram_range=ngrams).fit(MAILS)
    asked = [*MAILS, "free snow today, free rain", ""]
    ours = model.transform(asked)
    assert model.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()
    assert isinstance(ours, sparse.csr_array)
    assert ours.dtype == np.int64
    assert np.array_equal(ours.toarray(), theirs.transform(asked).toarray())


def test_words_that_take_no_part_have_no_column():
    model = by.TextClassifier(min_count=2, stop_words=["today"]).fit(MAILS, LABELS)
    assert model.get_feature_names_out().tolist() == ["buy", "free", "lunch"]
    assert model.transform(MAILS).toarray().tolist() == [[1, 1, 0], [0, 0, 1], [1, 2, 0], [0, 0, 1]]


@pytest.mark.parametrize("model", ["bernoulli", "binary-multinomial", "complement"])
def test_vectors_are_counts_whatever_the_model_makes_of_them(model):
    expected = by.TextClassifier().fit(MAILS, LABELS).transform(MAILS).toarray()
    ours = by.TextClassifier(model).fit(MAILS, LABELS).transform(MAILS)
    assert np.array_equal(ours.toarray(), expected)


def test_texts_come_from_columns_and_files_too(tmp_path):
    model = by.TextClassifier().fit(MAILS, LABELS)
    expected = model.transform(MAILS).toarray()
    assert np.array_equal(model.transform(pd.Series(MAILS)).toarray(), expected)
    path = tmp_path / "mails.csv"
    pd.DataFrame({"label": LABELS, "text": MAILS}).to_csv(path, index=False)
    of_file = by.TextClassifier().fit(path, "label", text="text")
    assert np.array_equal(of_file.transform(path).toarray(), expected)


def test_a_pipeline_on_vectors_is_the_classifier_itself():
    words = make_pipeline(by.TextClassifier(), by.MultinomialNB()).fit(MAILS, LABELS)
    whole = by.TextClassifier().fit(MAILS, LABELS)
    asked = ["free lunch", "rain today", "money money"]
    np.testing.assert_allclose(words.predict_proba(asked), whole.predict_proba(asked), rtol=1e-12)


def test_before_learning_there_are_no_vectors():
    with pytest.raises(NotFittedError):
        by.TextClassifier().transform(MAILS)
    with pytest.raises(NotFittedError):
        by.TextClassifier().get_feature_names_out()
    with pytest.raises(TypeError, match=r"X must be a list of texts, got 'free lunch' alone"):
        by.TextClassifier().fit(MAILS, LABELS).transform("free lunch")
