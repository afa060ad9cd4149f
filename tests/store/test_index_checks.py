"""Indexes have no digest: what a damaged one says is never believed."""

import random
import sqlite3
import warnings
from contextlib import closing

import pytest

import bayesic as by
from bayesic.store.errors import StoreError
from bayesic.store.model_bytes import bytes_of
from helpers.stores import LABELS, TEXTS

INDEXES = ("event_of_model", "event_of_id", "sqlite_autoindex_snapshot_1")
NAMES = ("spam", "win")


@pytest.fixture
def closed(path):
    with by.open_store(path, snapshot_every=4) as store:
        store.create("spam", by.TextClassifier())
        store.create("win", by.NaiveBayes(), window=3)
        for number in range(20):
            text, label = TEXTS[number % 4], LABELS[number % 4]
            store.learn("spam", [f"{text} word{number}"], [label], ids=[f"m{number}"])
            store.learn("win", [{"wind": float(number)}], [label], ids=[number])
        store.correct("spam", "m1", "spam")
        store.forget("spam", ["m0"])
    return path


def pages_of(path, names):
    """Where the pages of these begin in a file of one page for each."""
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("pragma page_size").fetchone()
        roots = dict(connection.execute("select name, rootpage from sqlite_master"))
    return size, [(roots[name] - 1) * size for name in names]


def damaged_files(path, number, seed):
    """The file with one bit of an index flipped, where there is something."""
    whole, rng = path.read_bytes(), random.Random(seed)
    size, pages = pages_of(path, INDEXES)
    for _ in range(number):
        at = 0
        while not any(whole[at - 3 : at + 4]):
            at = rng.choice(pages) + rng.randrange(3, size)
        yield (
            f"byte {at}",
            whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :],
        )


def told_by(store, folder):
    """Every answer of a store; None where it is refused."""
    found = {}
    for name in NAMES:
        for what, ask in {
            "model": lambda name=name: bytes_of(store.model(name)),
            "history": lambda name=name: store.history(name),
            "latest": lambda name=name: store.latest(name, 5),
            "page": lambda name=name: store.latest(name, 5, before=30),
            "replay": lambda name=name: bytes_of(store.replay(name)),
            "at": lambda name=name: bytes_of(store.at(name, 30)),
            "export": lambda name=name: exported(store, name, folder / "rows.csv"),
            "curve": lambda name=name: store.learning_curve(name, 3),
        }.items():
            try:
                found[name, what] = ask()
            except StoreError:
                found[name, what] = None
    return found


def exported(store, name, path):
    store.export(name, path)
    return path.read_bytes()


def learned_again(store):
    """What comes of learning rows that are known, of forgetting and correcting."""
    text, wind = f"{TEXTS[2]} word2", {"wind": 19.0}
    receipts = [
        store.learn("spam", [text], [LABELS[2]], ids=["m2"]),
        store.learn("win", [wind], [LABELS[3]], ids=[19]),
        store.learn("win", [{"wind": 0.5}], [LABELS[0]], ids=["new"]),
        store.forget("spam", ["m1"]),
    ]
    known = [(receipt.seq, receipt.already) for receipt in receipts]
    return known, [bytes_of(store.model(name)) for name in NAMES]


@pytest.mark.parametrize("read_only", [True, False])
def test_a_damaged_index_changes_no_answer(closed, tmp_path, read_only):
    with by.open_store(closed, read_only=True) as store:
        right = told_by(store, tmp_path)
    for where, content in damaged_files(closed, 40, seed=read_only):
        damaged = tmp_path / f"{where}.store"
        damaged.write_bytes(content)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with by.open_store(damaged, read_only=read_only) as store:
                assert told_by(store, tmp_path) == right, where
                assert told or store.verify().ok, where
                assert read_only or store.verify().ok, where


def test_a_damaged_index_of_ids_lets_no_row_be_learned_twice(closed, tmp_path):
    whole = closed.read_bytes()
    with by.open_store(closed) as store:
        right = learned_again(store)
    closed.write_bytes(whole)
    for where, content in damaged_files(closed, 40, seed=3):
        damaged = tmp_path / f"{where}.store"
        damaged.write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with by.open_store(damaged) as store:
                assert learned_again(store) == right, where


def test_where_an_event_is_damaged_too_its_ids_are_refused_and_others_go_on(closed):
    content = bytearray(closed.read_bytes())
    size, (page,) = pages_of(closed, ["event_of_id"])
    content[page : page + size] = bytes(size)
    event = content.index(b"word7") + 4
    content[event] ^= 1
    closed.write_bytes(content)
    with pytest.warns(UserWarning, match="read without its indexes"):
        store = by.open_store(closed)
    with store:
        assert store.learn("win", [{"wind": 19.0}], [LABELS[3]], ids=[19]).already == (True,)
        with pytest.raises(StoreError, match="Event .* is damaged"):
            store.learn("spam", ["a new one"], [LABELS[0]], ids=["m99"])
        with pytest.raises(StoreError, match="Event .* is damaged"):
            store.forget("spam", ["m5"])


def test_indexes_are_made_anew_when_a_store_is_opened_for_writing(closed):
    content = bytearray(closed.read_bytes())
    size, (page,) = pages_of(closed, ["event_of_id"])
    content[page + size // 2 : page + size] = bytes(size // 2)
    closed.write_bytes(content)
    with pytest.warns(UserWarning, match="takes longer"), by.open_store(closed, read_only=True):
        pass
    with pytest.warns(UserWarning, match="made anew"), by.open_store(closed) as store:
        assert store.verify().ok
    with by.open_store(closed, read_only=True) as store:
        assert store.verify().ok
