"""TextClassifier: whatever comes in is learned whole or refused with a sentence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bayesic as by
from helpers.comparisons import assert_unchanged, state_of
from helpers.examples import at_most

SETTINGS = [
    {},
    {"ngrams": (1, 2)},
    {"analyzer": "char", "ngrams": (1, 3)},
    {"model": "complement", "weighting": "tf-idf"},
]
a_million = 1_000_000

odd_texts = {
    "missing": None,
    "not a number": float("nan"),
    "empty": "",
    "blank": " \t\r\n\u3000",
    "a word of a million letters": "x" * a_million,
    "a line of a million characters": "free " * (a_million // 5),
    "a million Chinese characters": "下雨" * (a_million // 2),
    "a million line ends": "\n" * a_million,
    "control characters": "\x00\x01 free\x7f\x85\x1b[31m rain\x00rain",
    "half a surrogate pair": "\ud83d free \udc00",
    "beyond the basic plane": "🌧️ 𝔣𝔯𝔢𝔢 👨‍👩‍👧",
    "combining marks": "e\u0301" * 50 + " Ȧ̧",
    "both directions": "\u202efree\u202c مجاني",
    "UTF-8 bytes": "下雨".encode(),
}


def first_model(**parameters):
    return by.TextClassifier(**parameters).fit(["free money", "rain today"], ["spam", "ham"])


@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
@pytest.mark.parametrize("text", odd_texts.values(), ids=odd_texts)
def test_odd_texts_are_learned_asked_and_forgotten(text, parameters):
    model = first_model(**parameters)
    before = model.predict_proba(["free", "rain"])
    model.partial_fit([text, "lunch"], ["spam", "ham"])
    assert np.isfinite(model.predict_proba([text])).all()
    assert np.isfinite(model.leave_one_out([text], ["spam"])).all()
    model.forget([text, "lunch"], ["spam", "ham"])
    np.testing.assert_array_equal(model.predict_proba(["free", "rain"]), before)


refused = {
    "bytes of another encoding": ([b"caf\xe9"], "must be UTF-8"),
    "whole numbers": ([7], "must be strings, got 7"),
    "numbers": (np.array([0.5]), "must be strings, got 0.5"),
    "truth values": ([True], "must be strings, got True"),
    "a number after a text": (["free", 3], "row 1"),
    "lists": ([["free"]], "must be strings"),
    "two dimensions": (np.array([["free"]]), "one dimension"),
    "one text alone": ("free", r"Give a list of texts, \[text\] for one"),
    "a set": ({"free"}, "must be a list"),
    "nothing": ([], "at least one"),
}


@pytest.mark.parametrize(("texts", "message"), refused.values(), ids=refused)
def test_what_is_no_list_of_texts_is_refused_and_changes_nothing(texts, message):
    model = first_model()
    before = state_of(model)
    y = ["spam"] * len(texts)
    for call in (lambda: model.partial_fit(texts, y), lambda: model.forget(texts, y)):
        with pytest.raises((TypeError, ValueError), match=f"{message}|must have at least one"):
            call()
    with pytest.raises((TypeError, ValueError), match=message):
        model.predict(texts)
    assert_unchanged(model, before)


@given(st.lists(st.one_of(st.none(), st.text()), min_size=1, max_size=4))
@at_most(60)
def test_any_strings_are_learned_and_forgotten(texts):
    model = first_model()
    before = model.statistics_
    model.partial_fit(texts, ["spam"] * len(texts))
    assert np.isfinite(model.predict_log_proba(texts)).all()
    model.forget(texts, ["spam"] * len(texts))
    assert model.statistics_.words == before.words
    assert np.array_equal(model.statistics_.occurrences, before.occurrences)
