"""Many threads, several processes: who waits for whom, and what comes out."""

import os
import signal
import sqlite3
import sys
import threading
from contextlib import contextmanager
from time import sleep

import numpy as np
import pytest

import bayesic as by
from bayesic.store import _model_snapshots
from bayesic.store.errors import BusyError, DiskError, InUseError, ReadOnlyError
from bayesic.store.model_bytes import bytes_of
from helpers.environment import run_python

CLASSES = ["ham", "spam"]


def begin(store):
    """Models that sum whole numbers, that sum others, and that choose something from the rows."""
    store.create("spam", by.TextClassifier(smoothing="auto", max_words=5))
    store.create("heights", by.GaussianNB(), classes=CLASSES)
    store.create("days", by.NaiveBayes())
    store.learn("spam", ["free", "lunch"], ["spam", "ham"])
    store.learn("heights", [[1.0], [2.0]], CLASSES)


@pytest.fixture
def store(path):
    with by.open_store(path) as opened:
        begin(opened)
        yield opened


@contextmanager
def disk_held_up(path):
    """While this lasts, nothing can be written."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("begin immediate")
    try:
        yield
    finally:
        connection.execute("rollback")
        connection.close()


def test_many_threads_learn_and_nothing_is_lost_or_counted_twice(store):
    def learn(client):
        for number in range(15):
            ids = [f"{client}-{number}"]
            store.learn("spam", [f"free {client}"], ["spam"], ids)
            store.learn("spam", [f"free {client}"], ["spam"], ids)  # as after a lost answer
            assert store.predict("spam", ["free"]).tolist() == ["spam"]

    threads = [threading.Thread(target=learn, args=(client,)) for client in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.model("spam").class_count_.tolist() == [1, 91]
    assert store.verify().ok


def test_an_answer_comes_when_the_row_is_visible(store):
    for number in range(20):
        receipt = store.learn("spam", ["free"], ["spam"], [number])
        assert store.state("spam").seq == receipt.seq
        assert store.model("spam").class_count_.tolist() == [1, 2 + number]


def test_readers_do_not_wait_for_the_disk(store, path):
    before = store.state("spam")
    with disk_held_up(path):
        waiting = store.submit("learn", "spam", ["rain"], ["ham"])
        assert store.predict("spam", ["free"]).tolist() == ["spam"]
        assert store.state("spam") is before and not waiting.done()
    assert store.wait("spam", waiting.result().seq).model.class_count_.tolist() == [2, 1]


def test_too_many_waiting_calls_are_refused_and_those_that_wait_are_done(path):
    with by.open_store(path, most_waiting=5) as store:
        store.create("spam", by.TextClassifier())
        with disk_held_up(path):
            futures = []
            with pytest.raises(BusyError, match="Try again in 1 s") as refused:
                while len(futures) < 100:
                    futures += [store.submit("learn", "spam", ["free"], ["spam"])]
            assert refused.value.retry_after == 1.0
        assert len(futures) >= 5
        assert [future.result().already for future in futures] == [(False,)] * len(futures)
        assert store.model("spam").class_count_.tolist() == [len(futures)]


def test_whoever_wants_to_know_is_told_of_each_commit(path):
    told = []

    def note(calls, seconds):
        told.append((calls, seconds))
        raise RuntimeError("which is nobody's concern")

    with by.open_store(path, on_commit=note) as store:
        store.create("spam", by.TextClassifier())
        with disk_held_up(path):
            store.submit("learn", "spam", ["free"], ["spam"])
            while store.n_waiting:
                sleep(0.001)  # the first is on its way, the others gather
            futures = [store.submit("learn", "spam", ["free"], ["spam"]) for _ in range(7)]
            assert store.n_waiting == 7
        assert all(future.result().already == (False,) for future in futures)
        assert store.n_waiting == 0 and store.model("spam").class_count_.tolist() == [8]
    assert [calls for calls, _ in told] == [1, 1, 7] and min(seconds for _, seconds in told) > 0


def calls():
    rng = np.random.default_rng(5)
    for number in range(40):
        yield "heights", rng.normal(170, 10, (2, 1)).tolist(), CLASSES
        yield "spam", [f"free word{number % 7}"], [CLASSES[number % 2]]
        day = {"sky": "sun" if number % 3 else "rain", "wind": float(rng.normal())}
        yield "days", [day], [CLASSES[number % 2]]


def test_the_model_is_the_same_bit_for_bit_however_calls_fell_into_groups(store, path, tmp_path):
    with disk_held_up(path):
        waiting = [store.submit("learn", *call) for call in calls()]
    seqs = [future.result().seq for future in waiting]
    with by.open_store(tmp_path / "other.store") as other:
        begin(other)
        for call in calls():
            other.learn(*call)
        for name in store.models():
            assert bytes_of(store.model(name)) == bytes_of(other.model(name))
    assert len(set(seqs)) == len(seqs) and store.verify().ok


def test_so_it_is_when_a_column_has_more_values_than_are_kept(path, tmp_path, monkeypatch):
    monkeypatch.setattr("bayesic.statistics.value_tables.MOST_VALUES", 32)
    rng = np.random.default_rng(6)
    days = [{"wind": wind, "sky": "sun"} for wind in rng.uniform(1, 4, 120).tolist()]
    late = [{"wind": 2.5, "sky": sky, "heat": heat} for sky, heat in [("fog", None), ("sun", 3.5)]]
    labels = [*rng.choice(CLASSES, 110), *["eggs"] * 12]  # the last one comes late, as does heat
    with by.open_store(path) as store, by.open_store(tmp_path / "other.store") as other:
        for each in (store, other):
            each.create("days", by.NaiveBayes())
            each.learn("days", [{**days[0], "heat": None}], ["ham"])
        with disk_held_up(path):
            waiting = [
                store.submit("learn", "days", [day], [label])
                for day, label in zip([*days, *late], labels, strict=True)
            ]
        for day, label in zip([*days, *late], labels, strict=True):
            other.learn("days", [day], [label])
        assert all(future.result().already == (False,) for future in waiting)
        assert store.model("days").statistics_.columns["wind"].bits < 52
        assert bytes_of(store.model("days")) == bytes_of(other.model("days"))
        assert store.verify().ok


def test_in_a_group_only_the_call_that_is_wrong_is_refused(store, path):
    with disk_held_up(path):
        first = store.submit("learn", "spam", ["free"], ["spam"], ["m1"])
        twice = store.submit("learn", "spam", ["free"], ["spam"], ["m1"])
        wrong = store.submit("learn", "spam", [["no text"]], ["spam"])
        mixed = store.submit("learn", "spam", ["free"], [3])
        other = store.submit("learn", "heights", [[3.0]], ["ham"])
        gone = store.submit("forget", "spam", ["m1"])
    assert (first.result().already, twice.result().already) == ((False,), (True,))
    for refused in (wrong, mixed):
        with pytest.raises((TypeError, ValueError)):
            refused.result()
    assert other.result().already == gone.result().already == (False,)
    assert store.model("spam").class_count_.tolist() == [1, 1] and store.verify().ok


def test_a_call_that_was_cancelled_while_it_waited_is_not_done(store, path):
    with disk_held_up(path):
        busy = store.submit("learn", "spam", ["free"], ["spam"])
        cancelled = [store.submit("learn", "spam", ["free"], ["spam"]) for _ in range(3)]
        n_cancelled = sum(future.cancel() for future in cancelled)
    assert busy.result().already == (False,)
    store.learn("spam", ["rain"], ["ham"])
    assert store.model("spam").class_count_.tolist() == [2, 5 - n_cancelled]


# other processes --------------------------------------------------------------------------------


def test_a_second_writer_is_refused_with_a_sentence(store, path):
    with pytest.raises(InUseError, match="one at a time may write"):
        by.open_store(path)
    program = f"import bayesic as by; by.open_store({str(path)!r})"
    refused = run_python(program)
    assert refused.returncode != 0 and "one at a time may write" in refused.stderr


def test_another_process_reads_what_was_learned(store, path):
    program = (
        f"import bayesic as by\nwith by.open_store({str(path)!r}, read_only=True) as store:\n"
        "    print(store.models(), store.predict('spam', ['free']).tolist())"
    )
    assert run_python(program).stdout.strip() == "['spam', 'heights', 'days'] ['spam']"


def test_a_reader_follows_what_is_written(store, path):
    with by.open_store(path, read_only=True) as reader:
        for number in range(5):
            receipt = store.learn("heights", [[150.0 + number]], ["spam"], [number])
        store.correct("heights", 2, "ham")
        receipt = store.forget("heights", [1, 3])
        followed = reader.wait("heights", receipt.seq).model
        assert bytes_of(followed) == bytes_of(store.model("heights"))
        store.forget("heights", [0])
        store.compact("heights")
        store.create("rain", by.TextClassifier())
        receipt = store.learn("rain", ["wet"], ["rain"])
        reader.wait("rain", receipt.seq)
        assert reader.models() == ["spam", "heights", "days", "rain"]
        assert bytes_of(reader.model("heights")) == bytes_of(store.model("heights"))
        store.delete("rain")
        store.create("rain", by.TextClassifier("bernoulli"))
        receipt = store.learn("rain", ["dry"], ["sun"])
        assert reader.wait("rain", receipt.seq).model.model == "bernoulli"
        assert reader.verify().ok
        with pytest.raises(TimeoutError, match="did not come within"):
            reader.wait("rain", receipt.seq + 1000, timeout=0.05)


def test_a_reader_that_was_there_first_follows_who_begins_to_write_later(store, path):
    store.close()
    with by.open_store(path, read_only=True) as reader, by.open_store(path) as writer:
        for number in range(3):
            receipt = writer.learn("spam", ["rain"], ["ham"], [number])
            reader.wait("spam", receipt.seq)
        writer.compact("spam")
        receipt = writer.forget("spam", [0])
        assert reader.wait("spam", receipt.seq).model.class_count_.tolist() == [3, 1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_is_told_that_it_cannot_write(path):
    program = f"""
import os, warnings
import bayesic as by
from bayesic.store.errors import InUseError
warnings.simplefilter("ignore")
store = by.open_store({str(path)!r})
store.create("spam", by.TextClassifier())
if os.fork() == 0:
    try:
        store.learn("spam", ["free"], ["spam"])
    except InUseError as error:
        print(error, flush=True)
    os._exit(0)
os.wait()
store.learn("spam", ["free"], ["spam"])
store.close()
"""
    done = run_python(program)
    assert done.returncode == 0 and "was forked" in done.stdout


def test_a_commit_looks_only_at_the_models_that_learned(path, monkeypatch):
    looked_at = []
    followed = _model_snapshots.followed
    monkeypatch.setattr(
        _model_snapshots,
        "followed",
        lambda one, held: looked_at.append(held.name) or followed(one, held),
    )
    with by.open_store(path) as store:
        for number in range(20):
            store.create(f"mail {number}", by.TextClassifier())
        with by.open_store(path, read_only=True) as reader:
            for name in ("mail 3", "mail 7", "mail 3"):
                receipt = store.learn(name, ["free"], ["spam"])
                assert reader.wait(name, receipt.seq).seq == receipt.seq
            assert sorted(reader.models()) == sorted(store.models())
    assert looked_at == ["mail 3", "mail 7", "mail 3"]


@pytest.mark.skipif(not hasattr(os, "link"), reason="there are no hard links here")
def test_a_file_of_two_names_is_not_written_by_either(path, tmp_path):
    with by.open_store(path) as store:
        store.create("mail", by.TextClassifier())
        store.learn("mail", ["free"], ["spam"])
        (tmp_path / "elsewhere").mkdir()
        other = tmp_path / "elsewhere" / "other.store"
        os.link(path, other)
        with pytest.raises(ReadOnlyError, match=r"has 2 names \(hard links\).*Remove the other"):
            by.open_store(other)
        store.learn("mail", ["lunch"], ["ham"])
    with by.open_store(other, read_only=True) as reader:
        assert reader.verify().ok and reader.model("mail").class_count_.sum() == 2
    with pytest.raises(ReadOnlyError, match="has 2 names"):
        by.open_store(path)
    other.unlink()
    with by.open_store(path) as store:
        assert store.verify().ok


@pytest.mark.skipif(sys.platform != "linux", reason="files are locked by their inode on Linux")
@pytest.mark.parametrize("is_same_process", [True, False])
def test_a_file_that_is_moved_while_it_is_open_has_no_second_writer(
    path, tmp_path, is_same_process
):
    moved = tmp_path / "moved.store"
    with by.open_store(path) as store:
        store.create("mail", by.TextClassifier())
        store.learn("mail", ["free"], ["spam"])
        path.rename(moved)
        if is_same_process:
            with pytest.raises(InUseError, match="before it was moved"):
                by.open_store(moved)
        else:
            opened = run_python(f"import bayesic as by; by.open_store({str(moved)!r})")
            assert "InUseError" in opened.stderr
        with pytest.raises(DiskError, match="was moved, replaced or removed .* Move the file back"):
            store.learn("mail", ["late"], ["ham"])
        moved.rename(path)
        store.learn("mail", ["lunch"], ["ham"])
    with by.open_store(path) as store:
        assert store.model("mail").class_count_.sum() == 2


@pytest.mark.skipif(sys.platform != "linux", reason="files are locked by their inode on Linux")
def test_a_child_that_was_forked_does_not_keep_a_store_locked(path):
    with by.open_store(path):
        child = os.fork()
        if child == 0:
            sleep(30)
            os._exit(0)
    try:
        by.open_store(path).close()
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
