"""What was acknowledged is known to be what was acknowledged: each event is sealed and chained."""

import gzip
import random
import sqlite3
import sys
import warnings
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

import bayesic as by
from bayesic.store.errors import DamagedError, StoreError
from bayesic.store.model_bytes import bytes_of
from helpers.environment import run_python
from helpers.stores import LABELS, TEXTS

OLD = Path(__file__).parent / "older_stores" / "version1.store.gz"
WRITTEN = datetime(2026, 11, 19, tzinfo=UTC).timestamp()  # a day later
WORDS = [b"free money", b"lunch today", b"free lunch", b"rain today", b"lightning"]


def change(path, statement, *given):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, given)


@pytest.fixture
def closed(path):
    """A store of two models that is closed; events 2 to 7 are of rows of 'spam'."""
    with by.open_store(path, snapshot_every=3) as store:
        store.create("spam", by.TextClassifier())
        for number, (text, label) in enumerate(zip(TEXTS, LABELS, strict=True)):
            store.learn("spam", [text], [label], ids=[f"m{number}"])
        store.correct("spam", "m1", "spam")
        store.forget("spam", ["m0"])
        store.create("rain", by.TextClassifier())
        store.learn("rain", ["lightning"], ["storm"], ids=["r1"])
    return path


# one cell ---------------------------------------------------------------------------------------

CELLS = {
    "model": 9, "call": 1, "id": "m9", "time": 5.0, "op": "forget", "body": '{"x":"x","y":"ham"}',
    "digest": "0", "seal": b"0" * 16,
}  # fmt: skip


@pytest.mark.parametrize("cell", CELLS)
def test_a_changed_cell_is_told_by_verify_and_left_out_of_history_and_export(
    closed, tmp_path, cell
):
    change(closed, f"update event set {cell} = ? where seq = 3", CELLS[cell])
    with by.open_store(closed) as store:
        told = str(store.verify())
        assert "event 3" in told.lower() or "before event 4" in told.lower()
        with pytest.warns(UserWarning, match=r"(Event 3 is|Before event 4 an event of this model)"):
            assert [event.seq for event in store.history("spam")] == [1, 2, 4, 5, 6, 7]
        with pytest.warns(UserWarning, match=r"missing or damaged|Event 3 is damaged"):
            assert store.export("spam", tmp_path / "rows.csv") == 3
        with pytest.raises(DamagedError, match=r"[eE]vent (3|4)"):
            store.replay("spam")
        assert [event.id for event in store.history("rain")] == ["", "r1"]
        store.learn("rain", ["sun"], ["dry"])


def test_a_changed_chain_is_told_and_all_events_are_read(closed):
    change(closed, "update event set chain = ? where seq = 3", b"0" * 16)
    with by.open_store(closed) as store:
        assert len(store.verify().problems) == 1
        with pytest.warns(UserWarning, match="Before event 3"):
            assert len(store.history("spam")) == 7


@pytest.mark.parametrize("seqs", [(3,), (3, 5), (7,), (6, 7)])
def test_missing_events_are_told(closed, seqs):
    for seq in seqs:
        change(closed, "delete from event where seq = ?", seq)
    with by.open_store(closed, read_only=True) as store:
        assert "missing" in str(store.verify())


@pytest.mark.parametrize("gone", ["delete from event", "update event set body = 'no JSON'"])
def test_an_export_of_which_no_row_is_left_says_that_events_are_damaged(closed, tmp_path, gone):
    change(closed, f"{gone} where model = 1 and seq > 1")
    with by.open_store(closed) as store:
        with pytest.raises(DamagedError, match=r"No row can be read.*(missing or|is) damaged"):
            store.export("spam", tmp_path / "rows.csv")
        assert not [*tmp_path.glob("rows.csv")]


def test_all_damaged_events_are_listed(closed):
    change(closed, "update event set body = 'no JSON' where seq in (2, 4)")
    with by.open_store(closed, read_only=True) as store:
        told = str(store.verify())
        assert "'spam': Event 2 is damaged" in told and "'spam': Event 4 is damaged" in told


def test_a_damaged_event_behind_the_last_snapshot_stops_its_model_and_no_other(closed, tmp_path):
    with by.open_store(closed) as store:
        store.learn("spam", ["prize"], ["spam"])
    change(closed, "delete from snapshot where seq > 4")
    change(closed, "update event set body = replace(body, 'rain', 'sun') where seq = 5")
    with by.open_store(closed) as store:
        with pytest.raises(DamagedError, match="The model 'spam' cannot be used: Event 5 is dam"):
            store.predict("spam", ["free"])
        store.learn("rain", ["dry"], ["sun"])
        with pytest.warns(UserWarning, match="Event 5 is damaged"):
            assert store.export("spam", tmp_path / "rows.csv") == 3
        store.delete("spam")
        assert store.verify().ok


def test_a_learning_curve_whose_beginning_is_damaged_says_so(closed):
    change(closed, "update model set bytes = zeroblob(500) where name = 'spam'")
    with by.open_store(closed) as store:
        assert store.predict("spam", ["free"]).tolist() == ["spam"]  # the snapshot is whole
        with pytest.raises(DamagedError, match=r"no beginning.*after event 1 is damaged"):
            store.learning_curve("spam")


def test_a_damaged_row_is_neither_forgotten_nor_corrected_nor_learned_again(closed):
    change(closed, "update event set body = replace(body, 'lunch', 'laugh') where seq = 4")
    with by.open_store(closed) as store:
        before = store.state("spam")
        for verb, *given in (
            ("forget", ["m2"]), ("correct", "m2", "ham"), ("compact",),
            ("learn", ["free lunch"], ["ham"], ["m2"]),
        ):  # fmt: skip
            with pytest.raises(DamagedError, match=r"Event 4 is damaged.*verify\(\) lists"):
                getattr(store, verb)("spam", *given)
        assert store.state("spam") is before


@pytest.mark.parametrize(
    "statement",
    [
        "update snapshot set seq = 6 where seq = (select max(seq) from snapshot)",
        "update head set seq = 3",
        "update model set told = '{\"window\": 2}'",
        "update model set cut = 3",
        "delete from model where number = 2",
        "delete from head",
    ],
)
def test_changes_of_the_other_tables_are_told(closed, statement):
    change(closed, statement)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with by.open_store(closed) as store:
            assert not store.verify().ok


# indexes ----------------------------------------------------------------------------------------


def without_entries(path, index, columns, kept):
    """Take entries out of an index: SQLite then finds only the events for which `kept` holds."""
    whole = f"create index {index} on event ({columns})"
    rewrite = "update sqlite_master set sql = ? where name = ?"
    for definition, then in ((f"{whole} where {kept}", f"reindex {index}"), (whole, "select 1")):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("pragma writable_schema = on")
            connection.execute(rewrite, (definition, index))
            connection.commit()
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(then)


def test_rows_are_exported_replayed_and_compacted_whatever_the_index_of_ids_has(closed, tmp_path):
    with by.open_store(closed) as store:
        store.export("spam", tmp_path / "right.csv")
        right = bytes_of(store.replay("spam"))
    without_entries(closed, "event_of_id", "model, id", "seq not in (6, 7)")
    with pytest.warns(UserWarning, match="missing from index event_of_id"):
        reader = by.open_store(closed, read_only=True)
    with reader:
        assert "missing from index event_of_id" in str(reader.verify())
        assert reader.export("spam", tmp_path / "rows.csv") == 3
        assert (tmp_path / "rows.csv").read_bytes() == (tmp_path / "right.csv").read_bytes()
        assert bytes_of(reader.replay("spam")) == right
    with pytest.warns(UserWarning, match="made anew"):
        store = by.open_store(closed)
    with store:
        assert store.verify().ok
        for _ in range(2):
            assert store.export("spam", tmp_path / "rows.csv") == 3
            assert (tmp_path / "rows.csv").read_bytes() == (tmp_path / "right.csv").read_bytes()
            assert bytes_of(store.replay("spam")) == right
            store.compact("spam")


@pytest.mark.parametrize("seq", [1, 3, 7])
def test_events_that_the_index_of_models_lacks_are_read_from_the_table(closed, seq):
    without_entries(closed, "event_of_model", "model, seq", f"seq != {seq}")
    with pytest.warns(UserWarning, match="missing from index event_of_model"):
        store = by.open_store(closed, read_only=True)
    with store:
        for ask in (lambda: store.history("spam"), lambda: store.latest("spam", 7)[::-1]):
            assert [event.seq for event in ask()] == [1, 2, 3, 4, 5, 6, 7]
        assert bytes_of(store.replay("spam")) == bytes_of(store.model("spam"))


def test_a_state_after_an_event_that_is_missing_is_refused(closed):
    change(closed, "delete from event where seq = 6")
    with by.open_store(closed, read_only=True) as store:
        with pytest.raises(DamagedError, match="Before event 7 .* missing or damaged"):
            store.at("spam", 6)
        with pytest.warns(UserWarning, match="Before event 7"):
            assert [event.seq for event in store.latest("spam", 2, before=7)] == [5, 4]


# bytes ------------------------------------------------------------------------------------------


def asked_of(path, read_only):
    """What a store says: states and histories by model, and whether there was a word of damage."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            store = by.open_store(path, read_only=read_only)
        except StoreError:
            return None
        said, found = [], {}
        with store:
            for name in store.models():
                for ask in (
                    lambda name=name: bytes_of(store.model(name)),
                    lambda name=name: store.history(name),
                    lambda name=name: bytes_of(store.replay(name)),
                ):
                    try:
                        found.setdefault(name, []).append(ask())
                    except StoreError as error:
                        said.append(str(error))
            try:
                verified = store.verify()
            except StoreError:
                return None
            said += verified.problems
        return found, [*said, *(str(each.message) for each in told)]


def flipped(whole, at, rng):
    return whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :]


def damaged_files(whole, rng, number):
    """Files with other bytes at random places, one or some."""
    for _ in range(number):
        at, length = rng.randrange(100, len(whole)), rng.choice([1, 1, 1, 2, 16, 300])
        yield at, whole[:at] + rng.randbytes(length) + whole[at + length :]


def test_no_flipped_bit_of_a_row_goes_without_a_word(closed, tmp_path):
    whole, rng = closed.read_bytes(), random.Random(1)
    for number in range(40):
        word = rng.choice(WORDS)
        at = whole.index(word) + rng.randrange(len(word))
        damaged = tmp_path / f"{number}.store"
        damaged.write_bytes(flipped(whole, at, rng))
        found = asked_of(damaged, read_only=bool(number % 2))
        assert found is not None and found[1], f"byte {at}"


def test_no_damaged_byte_gives_a_wrong_answer_without_a_word_or_a_bare_error(closed, tmp_path):
    whole, right = closed.read_bytes(), asked_of(closed, read_only=True)
    assert right[1] == []
    for number, (at, content) in enumerate(damaged_files(whole, random.Random(2), 200)):
        damaged = tmp_path / f"{number}.store"
        damaged.write_bytes(content)
        found = asked_of(damaged, read_only=bool(number % 2))
        assert found is None or found[1] or found == right, f"byte {at}"


# what drops or rewrites events ------------------------------------------------------------------


@pytest.mark.parametrize("keep_rows", [True, False])
def test_a_compacted_journal_is_chained_again(closed, keep_rows):
    with by.open_store(closed) as store:
        store.compact("spam", keep_rows)
        assert store.verify().ok
        store.learn("spam", ["prize"], ["spam"])
        assert store.verify().ok
    with by.open_store(closed, read_only=True) as store:
        assert store.verify().ok and len(store.history("spam")) == 6
    change(closed, "update event set id = 'other' where seq = 4")
    with by.open_store(closed) as store:
        assert "Event 4 is damaged" in str(store.verify())


@pytest.mark.parametrize("ask", ["replay", "verify"])
def test_the_beginning_of_a_compacted_model_is_checked(closed, ask):
    change(closed, "update model set bytes = zeroblob(500) where name = 'spam'")
    with by.open_store(closed) as store:
        store.compact("spam")
        if ask == "verify":
            assert "replays begin is damaged" in str(store.verify())
        else:
            with pytest.raises(DamagedError, match="replays begin is damaged"):
                store.replay("spam")
        assert store.predict("spam", ["free"]).tolist() == ["spam"]


def test_rows_that_leave_a_window_are_checked(path):
    with by.open_store(path, snapshot_every=10) as store:
        store.create("mail", by.TextClassifier(), window=2)
        store.learn("mail", ["free", "lunch"], ["spam", "ham"])
    change(path, "delete from event where seq = 2")
    with by.open_store(path) as store:
        assert store.predict("mail", ["free"]).tolist() == ["spam"]  # the snapshot is whole
        with pytest.raises(DamagedError, match="missing or damaged"):
            store.learn("mail", ["rain"], ["ham"])


# version 1, which had no seals --------------------------------------------------------------------


@pytest.fixture
def old(path, clock):
    """A store that was written before there were seals: a correction, a window, a compaction."""
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    clock[0] = WRITTEN
    return path


def told_by(store):
    return {name: (bytes_of(store.model(name)), store.history(name)) for name in store.models()}


def test_an_older_store_is_read_as_it_is_and_sealed_when_it_is_written(old, tmp_path):
    before = old.read_bytes()
    with by.open_store(old, read_only=True) as store:
        assert store.verify().ok and len(store.history("spam")) == 9
        read = told_by(store)
        assert store.export("spam", tmp_path / "rows.csv") == 5
    assert old.read_bytes() == before
    with by.open_store(old) as store:
        assert told_by(store) == read and store.verify().ok
        store.learn("days", {"sky": ["sun"], "wind": [2.5]}, ["go"], ids=[4])
        assert store.learn("small", ["one"], ["a"], ids=[1]).already == (True,)
        assert store.verify().ok
    change(old, "update event set body = replace(body, 'prize', 'price')")
    with by.open_store(old) as store:
        assert "'spam': Event 6 is damaged" in str(store.verify())


def test_a_reader_of_an_older_store_goes_on_while_it_is_sealed(old):
    with by.open_store(old, read_only=True) as reader, by.open_store(old) as store:
        receipt = store.learn("spam", ["free"], ["spam"])
        state = reader.wait("spam", receipt.seq)
        assert bytes_of(state.model) == bytes_of(store.model("spam"))
        assert reader.verify().ok


def test_what_was_damaged_before_it_was_sealed_is_a_sentence(old):
    change(old, "update event set body = 'no JSON' where seq = 9 or seq = 5")
    change(old, "delete from snapshot where seq > 4 and model = 1")
    with by.open_store(old) as store:
        with pytest.raises(DamagedError, match="'spam' cannot be used: Event 5 is damaged"):
            store.model("spam")
        assert "Event 5" in str(store.verify())
        with pytest.warns(UserWarning, match="Event 5 is damaged"):
            assert 5 not in [event.seq for event in store.history("spam")]
        assert store.predict("small", ["one"]).tolist() == ["a"]


KILLED = """
import os, bayesic as by
from bayesic.store import _versions
real = _versions.seal_events
def dying(connection, number):
    real(connection, number)
    if number == 2:
        os.kill(os.getpid(), 9)
_versions.seal_events = dying
by.open_store({path!r})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of POSIX")
def test_a_kill_while_it_is_sealed_leaves_the_older_store(old):
    before = sqlite_dump(old)
    assert run_python(KILLED.format(path=str(old))).returncode == -9
    assert sqlite_dump(old) == before
    with by.open_store(old) as store:
        assert store.verify().ok and store.models() == ["spam", "days", "small"]


def sqlite_dump(path):
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())
