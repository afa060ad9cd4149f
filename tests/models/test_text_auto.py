"""TextClassifier(model="auto"): what is chosen, how it is judged, and that it is held."""

import inspect
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import log_softmax

import bayesic as by
from bayesic.models.words.text_candidates import NUMBERS_OF_WORDS, OPEN
from helpers.comparisons import assert_unchanged, state_of
from helpers.examples import at_most

RULES = {"tokenizer": "whitespace", "ngrams": (1, 2), "smoothing": 0.5}  # what the quick tests hold
MAILS = {
    "free money today, take it": "spam",
    "money money for free": "spam",
    "a free lunch is money": "spam",
    "lunch at noon today": "ham",
    "rain today, no lunch": "ham",
    "shall we have lunch, or rain": "ham",
    "what a goal in the rain": "news",
    "a goal today and a match": "news",
}
TEXTS, LABELS = [*MAILS], [*MAILS.values()]
NEWS = {
    "今天下雨": "天气",
    "明天下雨吗": "天气",
    "今天天气很好": "天气",
    "进球了": "体育",
    "比赛进球": "体育",
    "明天有比赛": "体育",
}

words = st.sampled_from(("free", "lunch", "rain", "money", "today", "下雨"))
texts = st.lists(words, max_size=6).map(" ".join)
labels = st.sampled_from(("spam", "ham", "news"))


def quick(**parameters):
    return by.TextClassifier("auto", **(RULES | parameters))


def log_loss(logs, codes):
    return -float(np.mean(logs[np.arange(len(codes)), codes]))


# how candidates are judged ------------------------------------------------------------------------


def refits(parameters):
    """Log likelihood and log prior of each text by models that learned all others."""
    classes = sorted(set(LABELS))
    likelihood, prior = [], []
    for row, text in enumerate(TEXTS):
        X, y = TEXTS[:row] + TEXTS[row + 1 :], LABELS[:row] + LABELS[row + 1 :]
        model = by.TextClassifier(**parameters).partial_fit(X, y, classes=classes)
        nothing = model.predict_joint_log_proba([""])[0]  # the prior, and all words absent
        scores = model.predict_joint_log_proba([text])[0]
        absent = model._fitted.weights.of_none
        likelihood.append(scores - nothing + absent)
        prior.append(np.log([y.count(label) / len(y) for label in classes]))
    return np.array(likelihood), np.array(prior)


def best_loss(likelihood, prior, lengths, codes):
    """The log loss at the powers and biases that SciPy finds; 5 rows' worth pull to 1 and 0."""
    members = np.stack([likelihood / np.sqrt(lengths)[:, None], prior])

    def logs_at(point):
        return log_softmax(np.tensordot(point[:2], members, 1) + point[2:], axis=1)

    def objective(point):
        away = point - np.repeat([1.0, 0.0], [2, likelihood.shape[1]])
        return len(codes) * log_loss(logs_at(point), codes) + 2.5 * away @ away

    start = np.repeat([1.0, 0.0], [2, likelihood.shape[1]])
    bounds = [(0, None)] * 2 + [(None, None)] * likelihood.shape[1]
    found = minimize(objective, start, bounds=bounds, method="L-BFGS-B", tol=1e-15)
    return log_loss(logs_at(found.x), codes)


@pytest.mark.parametrize(
    ("model", "weighting"),
    [
        ("multinomial", None),
        ("binary-multinomial", "log-count-ratio"),
        ("bernoulli", None),
        ("complement", "tf-idf"),
    ],
)
def test_the_log_loss_of_a_candidate_is_that_of_refitting_and_of_the_best_powers(model, weighting):
    chosen = quick().fit(TEXTS, LABELS).chosen_
    parameters = RULES | {"model": model, "weighting": weighting}
    (score,) = (
        score
        for score in chosen.scores
        if (score.parameters["model"], score.parameters["weighting"]) == (model, weighting)
    )
    n_words = np.array([2 * len(text.split()) - 1 for text in TEXTS])  # and pairs
    codes = np.searchsorted(sorted(set(LABELS)), LABELS)
    expected = best_loss(*refits(parameters), n_words, codes)
    assert score.log_loss == pytest.approx(expected, rel=1e-5)
    assert score.n_texts == len(TEXTS)
    assert score.judged_by == "leave-one-out"


def test_leave_one_out_of_the_model_has_the_log_loss_that_the_table_tells():
    model = quick().fit(TEXTS, LABELS)
    logs = np.log(model.leave_one_out(TEXTS, LABELS))
    codes = np.searchsorted(model.classes_, LABELS)
    told = model.chosen_.scores[0]
    assert told.log_loss == pytest.approx(log_loss(logs, codes), rel=1e-9)
    assert told.accuracy == np.mean(logs.argmax(axis=1) == codes)
    assert told.log_loss == min(score.log_loss for score in model.chosen_.scores)


def test_fewer_words_are_judged_by_texts_that_did_not_choose_them():
    rng = np.random.default_rng(0)
    noise = [f"word{number}" for number in range(5 * NUMBERS_OF_WORDS[0])]
    X = [" ".join(rng.choice(noise, 15)) for _ in range(300)]  # nothing tells the class
    y = np.array(["spam", "ham"])[rng.integers(0, 2, 300)]
    model = by.TextClassifier("auto", tokenizer="whitespace", smoothing=0.5).fit(X, y)
    judged = {
        score.parameters["max_words"]: score
        for score in model.chosen_.scores
        if score.judged_by == "5 folds"
    }
    assert NUMBERS_OF_WORDS[0] in judged
    assert min(score.log_loss for score in judged.values()) > 0.66  # log 2 = 0.693: not hopeful
    held = by.TextClassifier(max_words=NUMBERS_OF_WORDS[0]).fit(X, y).leave_one_out(X, y)
    assert np.mean(held.argmax(axis=1) == np.searchsorted(["ham", "spam"], y)) > 0.7  # this is


# what is chosen -----------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(texts, labels, st.sampled_from([0.5, 1.0, 2.0])), min_size=1, max_size=8),
    st.randoms(use_true_random=False),
)
@at_most(20)
def test_the_order_of_texts_does_not_matter(rows, random):
    shuffled = rows[:]
    random.shuffle(shuffled)
    one, other = (
        quick().fit(X, y, sample_weight=weights)
        for X, y, weights in (map(list, zip(*some, strict=True)) for some in (rows, shuffled))
    )
    assert one.chosen_.scores == other.chosen_.scores
    X = [text for text, _, _ in rows]
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))


def test_a_file_that_is_read_in_blocks_gives_the_same_choice(tmp_path):
    path = tmp_path / "mails.csv"
    lines = (f'"{text}",{label}' for text, label in MAILS.items())
    path.write_text("\n".join(["text,label", *lines]), encoding="utf-8")
    of_file, of_list = quick().fit(path, y="label"), quick().fit(TEXTS, LABELS)
    assert of_file.chosen_.scores == of_list.chosen_.scores
    np.testing.assert_array_equal(of_file.predict_proba(TEXTS), of_list.predict_proba(TEXTS))


def test_texts_that_are_counted_in_parts_give_the_same_choice(monkeypatch):
    whole = quick().fit(TEXTS, LABELS).chosen_
    monkeypatch.setattr("bayesic.models.words.text_judging.TEXTS_AT_ONCE", 3)
    assert quick().fit(TEXTS, LABELS).chosen_.scores == whole.scores
    assert quick().fit(np.array(TEXTS), LABELS).chosen_.scores == whole.scores


def test_the_model_is_that_of_the_parameters_that_were_chosen():
    auto = by.TextClassifier("auto").fit(TEXTS, LABELS)
    assert set(auto.chosen_.parameters) == set(OPEN)
    plain = by.TextClassifier(**auto.chosen_.parameters).fit(TEXTS, LABELS)
    assert auto.vocabulary_ == plain.vocabulary_
    assert auto.smoothing_ == plain.smoothing_


def test_what_the_user_tells_is_held():
    model = by.TextClassifier("auto", ngrams=(1, 2), weighting="tf-idf", tokenizer=str.split)
    model.fit(TEXTS, LABELS)
    assert {score.parameters["weighting"] for score in model.chosen_.scores} == {"tf-idf"}
    assert {*model.chosen_.parameters} == {*OPEN} - {"ngrams", "weighting", "tokenizer"}
    assert "take it" in model.vocabulary_


def test_what_is_left_open_has_the_defaults_of_the_class():
    signature = inspect.signature(by.TextClassifier).parameters
    defaults = {name: signature[name].default for name in OPEN if name != "model"}
    assert dict(OPEN) == {"model": "auto", **defaults}


def test_chinese_texts():
    model = by.TextClassifier("auto").fit([*NEWS], [*NEWS.values()])
    assert model.predict(["明天下雨", "进球"]).tolist() == ["天气", "体育"]
    assert any(score.parameters["analyzer"] == "char" for score in model.chosen_.scores)


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (["free lunch"], ["spam"]),
        (["free lunch", "rain"], ["spam", "ham"]),
        (["free", "rain", "money"], ["spam"] * 3),
        ([None, "", "rain"], ["spam", "ham", "ham"]),
    ],
)
def test_few_texts_give_finite_probabilities(X, y):
    model = by.TextClassifier("auto").fit(X, y)
    probability = model.predict_proba([*X, "snow"])
    np.testing.assert_allclose(probability.sum(axis=1), 1.0)
    assert not np.isnan(model.leave_one_out(X, y)).any()


def test_words_that_say_the_same_are_not_counted_as_many():
    rng = np.random.default_rng(1)

    def mails(n):
        said = rng.integers(0, 2, n)
        y = np.where(rng.random(n) < 0.8, said, 1 - said)  # it tells the class four times in five
        X = [" ".join([f"{'free' if s else 'lunch'}{k}" for k in range(20)]) for s in said]
        return X, np.array(["ham", "spam"])[y]

    (X, y), asked = mails(300), mails(2000)
    plain, auto = by.TextClassifier().fit(X, y), by.TextClassifier("auto").fit(X, y)
    codes = np.searchsorted(["ham", "spam"], asked[1])
    entropy = -(0.8 * np.log(0.8) + 0.2 * np.log(0.2))
    assert log_loss(plain.predict_log_proba(asked[0]), codes) > 2 * entropy
    assert log_loss(auto.predict_log_proba(asked[0]), codes) < entropy + 0.05


# what is held -------------------------------------------------------------------------------------


def test_the_choice_is_held_by_partial_fit_forget_and_merge():
    model = quick().fit(TEXTS, LABELS)
    chosen, before = model.chosen_, model.predict_proba(TEXTS)
    model.partial_fit(["match in the rain", "a new law"], ["news", "politics"])
    model.merge(quick().fit(["rain again"], ["ham"]))
    assert model.chosen_ is chosen
    assert model.classes_.tolist() == ["ham", "news", "politics", "spam"]
    model.forget(["match in the rain", "a new law", "rain again"], ["news", "politics", "ham"])
    known = [0, 1, 3]
    np.testing.assert_allclose(model.predict_proba(TEXTS)[:, known], before, rtol=1e-12)
    assert model.fit(TEXTS, LABELS).chosen_ is not chosen


def test_the_choice_is_kept_in_files(tmp_path):
    model = by.TextClassifier("auto").fit(TEXTS, LABELS)
    model.partial_fit(["a new law"], ["politics"])
    model.save(tmp_path / "mails.bayes")
    loaded = by.load(tmp_path / "mails.bayes")
    assert loaded.chosen_.parameters == model.chosen_.parameters
    np.testing.assert_array_equal(loaded.predict_proba(TEXTS), model.predict_proba(TEXTS))
    for each in (loaded, model):
        each.partial_fit(["money, money"], ["spam"])
    np.testing.assert_array_equal(loaded.predict_proba(TEXTS), model.predict_proba(TEXTS))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"words": 0.0}, "powers"),
        ({"prior": float("nan")}, "powers"),
        ({"bias": [0.0] * 7}, "finite numbers in the shape"),
        ({"bias": ["a", "b", "c"]}, "array of float64"),
        ({"parameters": {"model": "auto"}}, "not those of a TextClassifier"),
        ({"parameters": {"model": "bernoulli", "language": "en"}}, "not those of a TextClassifier"),
        ({"more": 1}, "no choice of parameters"),
    ],
)
def test_a_file_with_another_choice_than_can_be_is_refused(change, message):
    from bayesic.models.words.text_choice import restored_choice

    model = quick().fit(TEXTS, LABELS)
    state = model.chosen_.state(model.classes_)
    assert restored_choice(state, model.classes_).parameters == model.chosen_.parameters
    with pytest.raises(ValueError, match=message):
        restored_choice(state | change, model.classes_)


def test_a_parameter_that_is_set_later_holds_at_once():
    model = by.TextClassifier("auto").fit(TEXTS, LABELS)
    model.set_params(smoothing=7.0)
    assert model.smoothing_ == 7.0


def test_a_model_that_learned_otherwise_cannot_be_set_to_choose():
    model = by.TextClassifier().fit(TEXTS, LABELS).set_params(model="auto")
    with pytest.raises(ValueError, match="chooses when the first texts are learned"):
        model.predict(TEXTS)
    assert model.set_params(model="multinomial").predict(["free money"]) == ["spam"]


def test_a_failed_call_changes_nothing():
    model = quick().fit(TEXTS, LABELS)
    before = state_of(model)
    for verb in ("fit", "partial_fit", "forget"):
        with pytest.raises(ValueError, match="number of samples|inconsistent|never learned|labels"):
            getattr(model, verb)(["snow"], ["spam", "ham"])
    assert_unchanged(model, before)


# what is told -------------------------------------------------------------------------------------


def test_reasons_add_up_to_the_log_odds():
    model = quick().fit(TEXTS, LABELS)
    logs = model.predict_log_proba(["a free goal today"])[0]
    spam, ham = (model.classes_.tolist().index(label) for label in ("spam", "ham"))
    told = model.explain("a free goal today", answer="spam", against="ham")
    assert told.log_odds == pytest.approx(logs[spam] - logs[ham], rel=1e-9)
    assert told.prior_log_odds + sum(told.weights.values()) == pytest.approx(told.log_odds)


def test_the_product_of_fractions_is_refused_with_the_way_out():
    with pytest.raises(TypeError, match="Use explain"):
        quick().fit(TEXTS, LABELS).work("free lunch")


def test_the_table_of_candidates_and_the_summary_tell_what_was_chosen():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = quick().fit(TEXTS, LABELS)
    table = str(model.chosen_).splitlines()
    chosen = model.chosen_.parameters["model"]
    assert f"model='{chosen}'" in table[0]
    assert table[1].split() == ["candidate", "log", "loss", "accuracy", "texts", "judged", "by"]
    assert f"model='{chosen}'" in table[2]
    assert f"Chosen: TextClassifier(model='{chosen}'" in str(model.summary())
