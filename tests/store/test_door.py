"""What a store refuses to take in, so that all that it took in can be given back."""

import gzip
import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest

import bayesic as by
from bayesic.store.plain_rows import Row, line_of

HALF = "half \ud83d of a pair"
LONG = "雨" * 1001
OLD = Path(__file__).parent / "older_stores" / "version1.store.gz"
WRITTEN = datetime(2026, 11, 19, tzinfo=UTC).timestamp()  # a day later


@pytest.mark.parametrize("bad", [HALF, LONG], ids=["half a pair", "too long"])
def test_classes_and_columns_that_are_no_names_are_refused_wherever_they_come_from(store, bad):
    store.create("play", by.NaiveBayes())
    store.learn("play", {"sky": ["rain"]}, ["stay"], ids=[1])
    before = store.state("play")
    fitted = by.NaiveBayes().fit({"sky": ["rain", "sun"]}, ["stay", bad])
    odd_column = by.NaiveBayes().fit({bad: ["rain", "sun"]}, ["stay", "go"])
    network = by.BeliefNetwork([("storm", "fire")])
    store.create("day", network)
    store.learn("day", [{"storm": "yes", "fire": "no"}], ids=["monday"])
    for refused in (
        lambda: store.learn("play", {"sky": ["sun"]}, [bad]),
        lambda: store.learn("play", {bad: ["sun"]}, ["go"]),
        lambda: store.learn("play", [{"sky": "sun"}, {bad: "sun"}], ["go", "go"]),
        lambda: store.correct("play", 1, bad),
        lambda: store.correct("day", "monday", {bad: "no"}),
        lambda: store.create("other", fitted),
        lambda: store.create("other", odd_column),
        lambda: store.create("other", by.GaussianNB(), classes=["stay", bad]),
        lambda: store.submit("learn", "play", {"sky": ["sun"]}, [bad]),
    ):
        with pytest.raises(ValueError, match=r"half of a surrogate pair|at most 1,000 characters"):
            refused()
    assert store.state("play") is before and store.models() == ["play", "day"]
    assert store.verify().ok


def test_names_of_a_thousand_characters_are_taken(store):
    store.create("play", by.NaiveBayes())
    store.learn("play", {LONG[1:]: ["sun"]}, [LONG[1:]])
    assert store.model("play").classes_.tolist() == ["雨" * 1000]


@pytest.mark.parametrize("rows", [[HALF], {"text": [HALF]}, [["rain", HALF]]])
def test_half_of_a_pair_in_a_cell_is_refused_and_all_rows_can_be_exported(store, tmp_path, rows):
    store.create("mail", by.NaiveBayes() if rows != [HALF] else by.TextClassifier())
    with pytest.raises(ValueError, match=r"Row 0 has half of a surrogate pair.*Repair the text"):
        store.learn("mail", rows, ["spam"])
    with pytest.raises(ValueError, match="The name of a model must be a text"):
        store.create(HALF, by.NaiveBayes())


def test_a_row_that_is_too_long_is_refused_and_the_longest_can_be_exported(store, tmp_path):
    store.create("mail", by.TextClassifier())
    with pytest.raises(ValueError, match=r"at most 16,000,000 bytes.*row 1 has 16,000,004"):
        store.learn("mail", ["free", "雨" * 5_333_333 + "x"], ["spam", "spam"])
    longest = "雨" * 3_000_000  # 18 MB where all but ASCII is escaped
    store.learn("mail", [longest], ["spam"])
    assert store.export("mail", tmp_path / "rows.parquet") == 1
    assert pd.read_parquet(tmp_path / "rows.parquet")["text"].tolist() == [longest]


def test_half_of_a_pair_that_was_learned_once_stops_no_export(path, clock, tmp_path):
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    clock[0] = WRITTEN
    line = line_of(Row(HALF, "spam"))
    assert json.loads(line)["x"] == HALF
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update event set body = ? where id = 'm5'", (line,))
        connection.execute("delete from snapshot where model = 1 and seq > 2")
    with by.open_store(path) as store:
        assert store.export("spam", tmp_path / "rows.csv") == 5
        assert "half ? of a pair" in pd.read_csv(tmp_path / "rows.csv")["text"].tolist()
        store.correct("spam", "m5", "ham")
        assert store.verify().ok
