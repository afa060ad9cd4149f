"""set_params on a TextClassifier that has learned: at once as if learned with, or refused."""

import numpy as np
import pytest

from bayesic import TextClassifier
from helpers.comparisons import assert_same

TEXTS = ["Free lunch, free money", "lunch today?", "money for free", "Rain today", "明天下雨 today"]
LABELS = ["spam", "ham", "spam", "ham", "news"]
ASKED = ["free rain today", "money money", "下雨", "", None]


def assert_as_learned(model, fresh):
    """The answers, words and reasons of both are the same, also after they learn on."""
    for _ in range(2):
        assert model.get_params() == fresh.get_params()
        assert (model.vocabulary_, model.smoothing_) == (fresh.vocabulary_, fresh.smoothing_)
        np.testing.assert_array_equal(model.predict_proba(ASKED), fresh.predict_proba(ASKED))
        np.testing.assert_array_equal(
            model.leave_one_out(TEXTS, LABELS), fresh.leave_one_out(TEXTS, LABELS)
        )
        assert model.explain(ASKED) == fresh.explain(ASKED)
        assert model.top_words("spam") == fresh.top_words("spam")
        assert_same(model.statistics_, fresh.statistics_)
        model.partial_fit(["free gift"], ["spam"])
        fresh.partial_fit(["free gift"], ["spam"])


@pytest.mark.parametrize(
    ("before", "changes"),
    [
        ({}, {"smoothing": 0.25}),
        ({}, {"smoothing": "auto"}),
        ({}, {"smoothing": ("m", 3.0)}),
        ({"smoothing": "auto"}, {"smoothing": 1.0}),
        ({}, {"model": "complement"}),
        ({}, {"model": "bernoulli"}),
        ({"model": "bernoulli"}, {"model": "binary-multinomial"}),
        ({}, {"weighting": "log-count-ratio"}),
        ({"weighting": "log-count-ratio"}, {"weighting": None}),
        ({}, {"min_count": 2}),
        ({"min_count": 3, "drop_top": 1}, {"min_count": 1, "drop_top": 0}),
        ({}, {"drop_top": 2}),
        ({}, {"stop_words": ["today", "free"]}),
        ({"stop_words": "en"}, {"stop_words": None}),
        ({"weighting": "tf-idf"}, {"smoothing": 0.5, "model": "complement", "min_count": 2}),
    ],
)
def test_what_says_how_counts_are_used_holds_at_once(before, changes):
    model = TextClassifier(**before).fit(TEXTS, LABELS).set_params(**changes)
    assert_as_learned(model, TextClassifier(**before | changes).fit(TEXTS, LABELS))


@pytest.mark.parametrize(
    ("before", "changes", "message"),
    [
        ({}, {"language": "en"}, "Texts must be cut into words like the learned"),
        ({}, {"ngrams": (1, 2)}, "Texts must be cut into words like the learned"),
        ({}, {"analyzer": "char"}, "Texts must be cut into words like the learned"),
        ({}, {"tokenizer": "whitespace"}, "Texts must be cut into words like the"),
        ({"tokenizer": str.split}, {"tokenizer": None}, "Set it again"),
        ({}, {"weighting": "tf-idf"}, "counts words differently"),
        ({"weighting": "tf-idf"}, {"weighting": None}, "counts words differently"),
    ],
)
def test_what_says_how_words_are_cut_and_counted_waits_for_the_next_fit(before, changes, message):
    model = TextClassifier(**before).fit(TEXTS, LABELS)
    answer = model.predict_proba(ASKED)
    model.set_params(**changes)
    for refused in (
        lambda: model.predict(ASKED),
        lambda: model.explain(ASKED),
        lambda: model.partial_fit(TEXTS, LABELS),
        lambda: model.forget(TEXTS, LABELS),
        lambda: model.leave_one_out(TEXTS, LABELS),
    ):
        with pytest.raises(ValueError, match=message):
            refused()
    back = TextClassifier(**before).get_params()
    np.testing.assert_array_equal(model.set_params(**back).predict_proba(ASKED), answer)
    fresh = TextClassifier(**before | changes).fit(TEXTS, LABELS)
    assert_as_learned(model.set_params(**changes).fit(TEXTS, LABELS), fresh)


def test_words_that_were_counted_as_for_tf_idf_are_not_shown_as_others():
    model = TextClassifier().fit(TEXTS, LABELS).set_params(weighting="tf-idf")
    with pytest.raises(ValueError, match="counts words differently"):
        model.top_words("spam")


def test_parameters_that_make_no_sense_are_refused_by_the_next_answer():
    model = TextClassifier().fit(TEXTS, LABELS).set_params(smoothing=-1.0)
    with pytest.raises(ValueError, match="smoothing must be"):
        model.predict(ASKED)
    assert_as_learned(model.set_params(smoothing=1.0), TextClassifier().fit(TEXTS, LABELS))


def test_stop_words_that_are_changed_in_their_list_hold_when_the_model_learns_next():
    words = ["today"]
    model = TextClassifier(stop_words=words).fit(TEXTS, LABELS)
    words.append("money")
    model.partial_fit(["free gift"], ["spam"])
    fresh = TextClassifier(stop_words=["today", "money"])
    fresh.fit([*TEXTS, "free gift"], [*LABELS, "spam"])
    assert model.vocabulary_ == fresh.vocabulary_
    assert "money" not in model.vocabulary_


@pytest.mark.parametrize("name", ["min_count", "max_words"])
def test_true_is_no_number_of_words_also_where_1_was_taken_before(name):
    TextClassifier(**{name: 1}).fit(TEXTS, LABELS)
    with pytest.raises(ValueError, match=f"{name} must be a whole number of 1 or more, got True"):
        TextClassifier(**{name: True}).fit(TEXTS, LABELS)
