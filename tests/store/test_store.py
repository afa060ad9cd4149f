"""The verbs of a store: what they answer, and what they refuse."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import bayesic as by
from bayesic.store.errors import ConflictError, UnknownIdError, UnknownNameError
from helpers.stores import DAYS, LABELS, PLAY, TEXTS, same

# learning ---------------------------------------------------------------------------------------


def test_what_is_learned_equals_one_fit_and_is_there_after_opening_again(mail, path):
    assert same(mail.model("spam"), by.TextClassifier().fit(TEXTS, LABELS))
    mail.close()
    with by.open_store(path) as again:
        assert again.models() == ["spam"]
        assert same(again.model("spam"), by.TextClassifier().fit(TEXTS, LABELS))


def test_the_same_row_under_the_same_id_is_learned_once_and_answered_as_before(mail):
    first = mail.learn("spam", ["win a prize"], ["spam"], ids=["m5"])
    again = mail.learn("spam", ["win a prize"], ["spam"], ids=["m5"])
    assert (again.ids, again.seqs, again.already) == (first.ids, first.seqs, (True,))
    assert mail.model("spam").class_count_.tolist() == [2, 3]


def test_of_a_batch_only_the_rows_that_are_new_are_learned(mail):
    receipt = mail.learn("spam", [*TEXTS[:2], "a prize"], [*LABELS[:2], "spam"], ["m1", "m2", "m5"])
    assert receipt.already == (True, True, False)
    assert mail.model("spam").class_count_.tolist() == [2, 3]


def test_another_row_under_the_same_id_is_refused_and_nothing_of_the_batch_is_learned(mail):
    before = mail.model("spam")
    with pytest.raises(ConflictError, match="belongs to another row"):
        mail.learn("spam", ["a prize", "rain"], ["spam", "ham"], ids=["new", "m1"])
    assert same(mail.model("spam"), before)
    with pytest.raises(UnknownIdError, match="never learned"):
        mail.forget("spam", ["new"])


def test_a_batch_that_the_model_refuses_leaves_no_trace(store):
    store.create("play", by.NaiveBayes())
    store.learn("play", DAYS, PLAY)
    before, n_events = store.state("play"), len(store.history("play"))
    with pytest.raises(ValueError, match="Numbers must be finite"):
        store.learn("play", {"sky": ["sun", "rain"], "wind": [1.0, np.inf]}, ["go", "stay"])
    with pytest.raises(ValueError, match="no column|unknown|moon"):
        store.learn("play", {"moon": ["full"]}, ["go"])
    assert store.state("play") is before and len(store.history("play")) == n_events


def test_rows_without_ids_get_ids_by_which_they_can_be_forgotten(store):
    store.create("spam", by.TextClassifier())
    receipt = store.learn("spam", TEXTS, LABELS)
    assert len(set(receipt.ids)) == 4
    store.forget("spam", receipt.ids[:2])
    some = by.TextClassifier().fit(TEXTS, LABELS).forget(TEXTS[:2], LABELS[:2])
    assert same(store.model("spam"), some)


@pytest.mark.parametrize(
    "make", [dict, pd.DataFrame, pl.DataFrame, lambda t: pl.DataFrame(t).to_arrow()]
)
def test_any_table_can_be_learned(store, make):
    store.create("play", by.NaiveBayes())
    store.learn("play", make(DAYS), PLAY)
    assert same(store.model("play"), by.NaiveBayes().fit(DAYS, PLAY))


def test_a_file_can_be_learned_and_the_label_be_a_column_of_it(store, tmp_path):
    pd.DataFrame({**DAYS, "play": PLAY}).to_csv(tmp_path / "days.csv", index=False)
    store.create("play", by.NaiveBayes())
    store.learn("play", tmp_path / "days.csv", "play")
    assert same(store.model("play"), by.NaiveBayes().fit(DAYS, PLAY))


def test_categories_of_pandas_that_are_numbers_stay_categories(store):
    table = pd.DataFrame({"zip": pd.Categorical([1, 2, 1, None])})
    store.create("play", by.NaiveBayes())
    store.learn("play", table, PLAY)
    names = by.NaiveBayes().fit({"zip": ["1", "2", "1", None]}, PLAY)
    assert same(store.model("play"), names)


def test_arrays_and_sparse_matrices_can_be_learned(store):
    from scipy.sparse import csr_array

    counts = np.array([[2, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 3]])
    store.create("dense", by.MultinomialNB(), classes=["go", "stay"])
    store.create("sparse", by.MultinomialNB(), classes=["stay", "go"])
    store.learn("dense", counts, PLAY)
    store.learn("sparse", csr_array(counts), PLAY)
    fitted = by.MultinomialNB().fit(counts, PLAY)
    for name in ("dense", "sparse"):
        assert np.array_equal(store.predict_proba(name, counts), fitted.predict_proba(counts))


# forgetting and correcting ----------------------------------------------------------------------


def test_a_forgotten_row_is_as_if_never_learned_and_its_id_is_free_again(mail):
    mail.forget("spam", ["m1"])
    rest = by.TextClassifier().fit(TEXTS, LABELS).forget(TEXTS[:1], LABELS[:1])
    assert same(mail.model("spam"), rest)
    assert mail.forget("spam", "m1").already == (True,)
    mail.learn("spam", ["quite another text"], ["ham"], ids=["m1"])
    assert mail.model("spam").class_count_.tolist() == [3, 1]


def test_correct_gives_a_row_another_label(mail):
    mail.correct("spam", "m1", "ham")
    assert same(mail.model("spam"), by.TextClassifier().fit(TEXTS, ["ham", *LABELS[1:]]))
    assert mail.correct("spam", "m1", "ham").already == (True,)


def test_a_late_retry_of_the_first_learn_does_not_undo_a_correction(mail):
    mail.correct("spam", "m1", "ham")
    corrected = mail.model("spam")
    assert mail.learn("spam", TEXTS[:1], LABELS[:1], ids=["m1"]).already == (True,)
    assert same(mail.model("spam"), corrected)


def test_the_only_row_can_be_corrected(store):
    store.create("spam", by.TextClassifier())
    store.learn("spam", ["free"], ["ham"], ids=["m1"])
    store.correct("spam", "m1", "spam")
    assert store.predict("spam", ["free"]).tolist() == ["spam"]


def test_rows_that_are_not_there_cannot_be_forgotten_or_corrected(mail):
    with pytest.raises(UnknownIdError, match="never learned a row with the id 'm9'"):
        mail.forget("spam", ["m1", "m9"])
    with pytest.raises(UnknownIdError, match="m9"):
        mail.correct("spam", "m9", "ham")
    mail.forget("spam", ["m1"])
    with pytest.raises(UnknownIdError, match="was forgotten"):
        mail.correct("spam", "m1", "ham")
    assert mail.model("spam").class_count_.tolist() == [2, 1]


# models -----------------------------------------------------------------------------------------


def test_a_fitted_model_goes_on_from_what_it_has_learned(store):
    model = by.TextClassifier().fit(TEXTS[:2], LABELS[:2])
    store.create("spam", model)
    store.learn("spam", TEXTS[2:], LABELS[2:])
    assert same(store.model("spam"), by.TextClassifier().fit(TEXTS, LABELS))
    assert model.class_count_.sum() == 2  # the store has a copy


def test_a_network_learns_whole_rows_and_its_cells_can_be_corrected(store):
    rows = [
        {"sky": "rain", "play": False},
        {"sky": "sun", "play": True},
        {"sky": "sun", "play": False},
    ]
    store.create("day", by.BeliefNetwork([("sky", "play")]), smoothing=1)
    store.learn("day", rows, ids=[1, 2, 3])
    store.correct("day", 3, {"play": True})
    right = by.BeliefNetwork([("sky", "play")]).fit([*rows[:2], rows[1]], smoothing=1)
    assert store.model("day") == right
    assert store.predict("day", [{"sky": "sun"}], target="play").tolist() == [True]
    with pytest.raises(ValueError, match="leave y out"):
        store.learn("day", rows, ["go"] * 3)


def test_the_smoothing_of_a_network_is_the_same_after_opening_again(store, path):
    rows = [{"sky": "rain", "play": False}, {"sky": "sun", "play": True}]
    store.create("day", by.BeliefNetwork([("sky", "play")]), smoothing=("back-off", 2))
    store.close()
    with by.open_store(path) as again:
        again.learn("day", rows)
        right = by.BeliefNetwork([("sky", "play")]).fit(rows, smoothing=("back-off", 2))
        assert again.model("day") == right and again.verify().ok
        half = by.BeliefNetwork([("sky", "play")]).fit(rows, smoothing=0.5)
        assert again.replay("day", {"smoothing": 0.5}) == half


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (by.LogisticRegression(), "can forget"),
        (by.KMeans(2), "can forget"),
        (by.GaussianMixture(2), "can forget"),
        (by.BayesDecision(by.NaiveBayes()), "decide over store.model"),
        (by.SemiSupervised(by.GaussianNB()), "depend on all rows"),
        (by.TextClassifier(tokenizer=str.split), "tokenizer of this TextClassifier is a function"),
        (by.GaussianNB(), "must know its classes"),
        (by.BeliefNetwork(tables={"sky": {"sun": 0.5, "rain": 0.5}}), "without counts"),
        (by.calibrated(by.NaiveBayes()), "Call fit first"),
        (by.NaiveBayes(numeric="even"), "^numeric must be one of"),
        ("NaiveBayes", "got a str"),
    ],
)
def test_models_that_cannot_be_kept_are_refused_with_the_reason(store, model, reason):
    with pytest.raises((TypeError, ValueError), match=reason):
        store.create("any", model)
    assert store.models() == []


def test_classes_and_smoothing_are_told_only_to_models_that_ask_for_them(store):
    with pytest.raises(TypeError, match="smoothing means nothing to a NaiveBayes"):
        store.create("play", by.NaiveBayes(), smoothing=1)
    with pytest.raises(TypeError, match="classes means nothing to a fitted TextClassifier"):
        store.create("spam", by.TextClassifier().fit(TEXTS, LABELS), classes=["ham", "spam"])


def test_a_name_is_taken_once_until_it_is_deleted(mail):
    assert mail.create("spam", by.TextClassifier()).already == (True,)
    with pytest.raises(ConflictError, match="already"):
        mail.create("spam", by.TextClassifier(smoothing=0.5))
    mail.delete("spam")
    assert mail.models() == []
    mail.create("spam", by.TextClassifier(smoothing=0.5))
    assert [event.op for event in mail.history("spam")] == ["create"]
    with pytest.raises(UnknownNameError, match="There is no model 'ham'"):
        mail.predict("ham", ["free"])


def test_a_copy_of_a_model_learns_for_itself(mail):
    before = mail.state("spam").model
    mail.model("spam").partial_fit(["prize"], ["spam"])
    assert mail.state("spam").model is before and before.class_count_.sum() == 4


def test_answers_are_those_of_the_model(mail):
    model = mail.model("spam")
    assert mail.predict("spam", ["free"]).tolist() == model.predict(["free"]).tolist()
    assert mail.predict_proba("spam", ["free"]).tolist() == model.predict_proba(["free"]).tolist()
    assert str(mail.explain("spam", "free", top=1)) == str(model.explain("free", top=1))
