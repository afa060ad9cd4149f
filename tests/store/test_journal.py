"""What a store remembers, and what is there after opening again."""

import sqlite3

import numpy as np
import pandas as pd
import pytest

import bayesic as by
from bayesic.store.errors import (
    ClosedError,
    ConflictError,
    DamagedError,
    ReadOnlyError,
    UnknownIdError,
)
from helpers.stores import DAYS, LABELS, PLAY, TEXTS, same

# the journal ------------------------------------------------------------------------------------


def test_history_tells_what_happened_in_order(mail):
    mail.correct("spam", "m2", "spam")
    mail.forget("spam", ["m1"])
    events = mail.history("spam")
    assert [event.op for event in events] == ["create", *["learn"] * 4, "correct", "forget"]
    assert [event.seq for event in events] == sorted(event.seq for event in events)
    assert (events[1].id, events[1].row.x, events[1].row.y) == ("m1", "free money", "spam")
    assert mail.history("spam", after=events[4].seq, limit=1) == events[5:6]


def test_at_gives_the_model_as_it_was_after_each_event(path):
    with by.open_store(path, snapshot_every=2) as store:
        store.create("spam", by.TextClassifier())
        for text, label in zip(TEXTS, LABELS, strict=True):
            store.learn("spam", [text], [label])
        for n, event in enumerate(store.history("spam")[1:], start=1):
            assert same(store.at("spam", event.seq), by.TextClassifier().fit(TEXTS[:n], LABELS[:n]))


def test_replay_learns_the_same_rows_with_other_parameters_or_another_model(mail):
    mail.correct("spam", "m2", "spam")
    mail.forget("spam", ["m3"])
    texts, labels = ["free money", "lunch today", "rain today"], ["spam", "spam", "ham"]
    half = by.TextClassifier(smoothing=0.5).fit(texts, labels)
    assert np.array_equal(
        mail.replay("spam", {"smoothing": 0.5}).predict_proba(TEXTS), half.predict_proba(TEXTS)
    )
    bernoulli = by.TextClassifier("bernoulli").fit(texts, labels)
    replayed = mail.replay("spam", by.TextClassifier("bernoulli"))
    assert np.array_equal(replayed.predict_proba(TEXTS), bernoulli.predict_proba(TEXTS))
    assert mail.model("spam").smoothing == 1.0


def test_replay_without_a_change_gives_the_same_bits(store):
    rng = np.random.default_rng(7)
    store.create("iris", by.GaussianNB(), classes=["setosa", "virginica"])
    for size in (1, 5, 1, 1, 12):
        labels = rng.choice(["setosa", "virginica"], size)
        store.learn("iris", rng.normal(size=(size, 3)), labels)
    assert same(store.replay("iris"), store.model("iris"))


def test_a_model_that_must_know_its_classes_can_replay_the_rows_of_one_that_need_not(store):
    rows, labels = [[1.0, 2.0], [3.0, 1.0], [2.0, 2.0], [5.0, 1.0]], PLAY
    store.create("play", by.NaiveBayes())
    store.learn("play", rows, labels)
    fitted = by.GaussianNB().fit(rows, labels)
    assert (
        store.replay("play", by.GaussianNB()).predict(rows).tolist()
        == fitted.predict(rows).tolist()
    )


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_export_writes_the_rows_that_survive(store, tmp_path, ending):
    store.create("play", by.NaiveBayes())
    store.learn("play", {**DAYS, "id": [1, 2, 3, 4]}, PLAY, ids=["a day", "b", "c", "d"])
    store.forget("play", ["b"])
    file = tmp_path / f"rows.{ending}"
    assert store.export("play", file) == 3
    table = (pd.read_parquet if ending == "parquet" else pd.read_csv)(file)
    assert table.columns.tolist() == ["id", "time", "y", "sky", "wind", "id_"]
    assert table["id"].tolist() == ["a day", "c", "d"]
    assert table["wind"].tolist() == pytest.approx([3.5, np.nan, 2.0], nan_ok=True, abs=0)
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".bayesic")] == []
    with pytest.raises(ValueError, match=r"\.parquet or \.csv"):
        store.export("play", tmp_path / "rows.xlsx")


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_columns_that_are_alike_to_a_database_are_exported_under_names_of_their_own(
    store, tmp_path, ending
):
    store.create("play", by.NaiveBayes())
    rows = [{"sky": "sun", "Sky": "blue", "": "x"}, {"SKY": "grey", "ID": "seven"}]
    store.learn("play", rows, ["go", "stay"], ids=["a", "b"])
    file = tmp_path / f"rows.{ending}"
    store.export("play", file)
    table = (pd.read_parquet if ending == "parquet" else pd.read_csv)(file, dtype_backend="pyarrow")
    names = ["id", "time", "y", "sky", "Sky_", "column", "SKY__", "ID_"]
    assert table.columns.tolist() == names
    assert table[names[3:]].fillna("").to_numpy().tolist() == [
        ["sun", "blue", "x", "", ""],
        ["", "", "", "grey", "seven"],
    ]


def test_compact_wipes_forgotten_rows_out_of_the_file(mail, path):
    mail.learn("spam", ["secret-word-of-mine"], ["spam"], ids=["secret"])
    mail.forget("spam", ["secret"])
    before = mail.model("spam")
    mail.compact("spam")
    assert same(mail.model("spam"), before) and mail.verify().ok
    files = [file for file in path.parent.iterdir() if file.name.startswith(path.name)]
    assert all(b"secret-word" not in file.read_bytes() for file in files)
    mail.correct("spam", "m1", "ham")
    mail.forget("spam", ["m2"])
    assert mail.export("spam", path.with_suffix(".csv")) == 3
    with pytest.raises(DamagedError, match="cut"):
        mail.at("spam", 2)


def test_compact_without_rows_keeps_the_model_and_still_learns_each_id_once(mail, path):
    mail.compact("spam", keep_rows=False)
    assert mail.learn("spam", TEXTS, LABELS, ids=["m1", "m2", "m3", "m4"]).already == (True,) * 4
    with pytest.raises(ConflictError):
        mail.learn("spam", ["other"], ["spam"], ids=["m1"])
    for refused in (
        lambda: mail.forget("spam", ["m1"]),
        lambda: mail.correct("spam", "m1", "ham"),
        lambda: mail.replay("spam"),
        lambda: mail.export("spam", path.with_suffix(".csv")),
    ):
        with pytest.raises(UnknownIdError, match="dropped"):
            refused()
    mail.learn("spam", ["prize"], ["spam"], ids=["m5"])
    mail.forget("spam", ["m5"])
    mail.close()
    with by.open_store(path) as again:
        assert same(again.model("spam"), mail.model("spam")) and again.verify().ok


# opening ----------------------------------------------------------------------------------------


def test_a_closed_store_takes_nothing_more(store):
    store.close()
    store.close()
    with pytest.raises(ClosedError, match="Open it again"):
        store.create("spam", by.TextClassifier())


def test_a_reader_cannot_write(mail, path):
    with by.open_store(path, read_only=True) as reader:
        assert reader.predict("spam", ["free"]).tolist() == ["spam"]
        with pytest.raises(ReadOnlyError, match="read_only=True, and cannot learn"):
            reader.learn("spam", ["free"], ["spam"])


def test_what_is_no_store_is_refused(tmp_path):
    with pytest.raises(ValueError, match="one file, got the folder"):
        by.open_store(tmp_path)
    with pytest.raises(FileNotFoundError, match="There is no store"):
        by.open_store(tmp_path / "none.store", read_only=True)
    (tmp_path / "text.store").write_text("this is no database " * 100)
    with pytest.raises(DamagedError, match="no store"):
        by.open_store(tmp_path / "text.store")
    with sqlite3.connect(tmp_path / "other.store") as other:
        other.execute("create table sales (day text)")
    other.close()
    with pytest.raises(DamagedError, match="another program"):
        by.open_store(tmp_path / "other.store")


def test_bad_ids_and_names_are_refused(mail):
    for ids in ([1.5], [None], [""], ["\ud800"]):
        with pytest.raises(TypeError, match="An id must be a text or a whole number"):
            mail.learn("spam", ["free"], ["spam"], ids=ids)
    with pytest.raises(ValueError, match="each only once"):
        mail.learn("spam", ["free", "lunch"], ["spam", "ham"], ids=["m7", "m7"])
    with pytest.raises(ValueError, match="one id for each of the 1 rows"):
        mail.learn("spam", ["free"], ["spam"], ids=["m7", "m8"])
    with pytest.raises(ValueError, match="must be a text"):
        mail.create("", by.NaiveBayes())
    with pytest.raises(ValueError, match="verb must be one of create"):
        mail.submit("predict", "spam", ["free"])


def test_long_ids_chinese_names_and_odd_texts_come_back_as_they_were(store, path):
    long, odd = "身份" * 5_000, '"quotes"\n\x00 and 🌧'
    store.create("天气 模型", by.TextClassifier())
    store.learn("天气 模型", [odd, "今天下雨"], ["雨", "晴"], ids=[long, "二"])
    store.close()
    with by.open_store(path) as again:
        event = again.history("天气 模型")[1]
        assert (event.id, event.row.x, event.row.y) == (long, odd, "雨")
        assert again.learn("天气 模型", [odd], ["雨"], ids=[long]).already == (True,)
        again.forget("天气 模型", [long])
        assert again.verify().ok


def test_times_never_fall_when_the_clock_goes_backwards(store, path, monkeypatch):
    clock = iter([1000.0, 2000.0, 500.0, 1500.0, 2500.0, 400.0, 400.0])
    monkeypatch.setattr("bayesic.store._journal.wall_clock", lambda: next(clock))
    store.create("spam", by.TextClassifier())
    for text, label in zip(TEXTS, LABELS, strict=True):
        store.learn("spam", [text], [label])
    assert [event.time for event in store.history("spam")] == [1000, 2000, 2000, 2000, 2500]
    store.close()
    with by.open_store(path) as again:
        again.learn("spam", ["free"], ["spam"])
        assert again.history("spam")[-1].time == 2500
