"""A full or read-only disk, damaged files: a sentence, and what is whole goes on."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import bayesic as by
from bayesic.store.errors import DamagedError, DiskError
from bayesic.store.model_bytes import bytes_of
from helpers.comparisons import assert_same
from helpers.environment import run_python

LABELS = ["spam", "ham"]


def texts(n_rows):
    return [f"free word{number} {'lunch ' * 20}" for number in range(n_rows)]


def learned(n_rows):
    return by.TextClassifier().fit(texts(n_rows), (LABELS * n_rows)[:n_rows])


def change(path, statement, *given):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, given)


def filled(path, n_rows=40, snapshot_every=10):
    """A store with two models, of one call for each row."""
    with by.open_store(path, snapshot_every=snapshot_every) as store:
        store.create("spam", by.TextClassifier())
        for text, label in zip(texts(n_rows), LABELS * n_rows, strict=False):
            store.learn("spam", [text], [label])
        store.create("rain", by.TextClassifier())
        store.learn("rain", ["wet"], ["rain"], ids=["r1"])


# the disk ---------------------------------------------------------------------------------------


def test_a_full_disk_refuses_what_does_not_fit_and_takes_more_when_there_is_room(path):
    with by.open_store(path) as store:
        store.create("spam", by.TextClassifier())
        store.learn("spam", texts(2), LABELS, ids=[0, 1])
        disk = store._source._journal.connection
        disk.execute("pragma max_page_count = 1")  # as many as there are now
        before = store.state("spam")
        with pytest.raises(DiskError, match="disk is full.*Make room"):
            store.learn("spam", texts(500), LABELS * 250)
        assert store.state("spam") is before
        assert store.predict("spam", ["free word0"]).tolist() == ["spam"]
        disk.execute("pragma max_page_count = 1000000")
        store.learn("spam", texts(500), LABELS * 250)
        assert store.model("spam").class_count_.sum() == 502 and store.verify().ok


@pytest.mark.skipif(os.name != "posix", reason="files of limited size are of POSIX")
def test_a_file_that_may_not_grow_loses_nothing_that_was_acknowledged(path):
    program = f"""
import resource, bayesic as by
from bayesic.store.errors import DiskError
store = by.open_store({str(path)!r})
store.create("spam", by.TextClassifier())
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
done = 0
try:
    for number in range(1000):
        store.learn("spam", ["lunch " * 200], ["ham"], ids=[number])
        done += 1
except DiskError as error:
    print(done, error)
import os; os._exit(0)
"""
    done = run_python(program)
    n_done, _, sentence = done.stdout.partition(" ")
    assert "The disk did not take" in sentence, done.stderr
    with by.open_store(path) as store:
        assert store.verify().ok
        assert store.model("spam").class_count_.tolist() in ([int(n_done)], [int(n_done) + 1])


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_a_store_that_may_not_be_written_is_read(path):
    filled(path)
    is_root = os.geteuid() == 0  # who may write anywhere, so must become nobody
    with TemporaryDirectory() as folder:
        shutil.copy(path, f"{folder}/models.store")
        Path(f"{folder}/models.store").chmod(0o444)
        Path(folder).chmod(0o555)
        done = run_python(read_by_nobody(path, Path(folder) / "models.store", is_root))
        Path(folder).chmod(0o755)
    assert "To read it, use read_only=True" in done.stdout, done.stderr
    assert "['rain'] True" in done.stdout, done.stderr


def read_by_nobody(mine, theirs, is_root):
    return f"""
import os, bayesic as by
from bayesic.store.errors import ReadOnlyError
with by.open_store({str(mine)!r}, read_only=True) as store:
    store.predict("rain", ["wet"]), store.verify()  # all is loaded, also what nobody may read
if {is_root}:
    os.setuid(65534)
try:
    by.open_store({str(theirs)!r})
except ReadOnlyError as error:
    print(error)
with by.open_store({str(theirs)!r}, read_only=True) as store:
    print(store.predict("rain", ["wet"]).tolist(), store.verify().ok)
"""


# the files --------------------------------------------------------------------------------------


def test_of_a_log_that_was_cut_off_what_came_before_is_there(path, tmp_path):
    with by.open_store(path) as store:
        store.create("spam", by.TextClassifier())
        for text, label in zip(texts(12), LABELS * 6, strict=True):
            store.learn("spam", [text], [label])
        shutil.copy(path, tmp_path / "base")
        log = Path(f"{path}-wal").read_bytes()
    n_left = []
    for size in range(0, len(log), len(log) // 15):
        cut = tmp_path / f"cut{size}.store"
        shutil.copy(tmp_path / "base", cut)
        Path(f"{cut}-wal").write_bytes(log[:size] + b"\0" * (size % 7))
        with by.open_store(cut) as store:
            assert store.verify().ok
            n_left.append(len(store.history("spam")) - 1 if store.models() else 0)
            if n_left[-1] > 0:
                assert_same(store.model("spam").statistics_, learned(n_left[-1]).statistics_)
    assert n_left == sorted(n_left) and n_left[0] == 0 and n_left[-1] > 5


def test_a_damaged_snapshot_is_told_and_the_journal_is_replayed(path):
    filled(path)
    with by.open_store(path, read_only=True) as store:
        right = bytes_of(store.model("spam"))
    last = "(select max(seq) from snapshot where model = 1)"
    change(path, f"update snapshot set bytes = zeroblob(500) where seq = {last}")
    with pytest.warns(UserWarning, match="Of 'spam' the state .* more of the journal"):
        store = by.open_store(path)
    with store:
        assert bytes_of(store.model("spam")) == right
        assert "checksum" in str(store.verify()) and not store.verify().ok
        store.learn("spam", ["free"], ["spam"])
    change(path, "update snapshot set bytes = zeroblob(500)")
    with pytest.warns(UserWarning, match="damaged"), by.open_store(path) as store:
        assert store.model("spam").class_count_.sum() == 41


def test_a_model_without_a_whole_state_is_refused_and_others_go_on(path):
    filled(path, snapshot_every=1000)
    change(path, "update model set sha256 = 'no' where name = 'spam'")
    with by.open_store(path) as store:
        assert store.models() == ["spam", "rain"]
        for ask in (
            lambda: store.predict("spam", ["free"]),
            lambda: store.learn("spam", ["free"], ["spam"]),
            lambda: store.model("spam"),
        ):
            with pytest.raises(DamagedError, match="What is kept of the model 'spam'"):
                ask()
        assert len(store.history("spam")) == 41
        store.learn("rain", ["dry"], ["sun"])
        assert store.predict("rain", ["dry"]).tolist() == ["sun"]
        assert len(store.verify().problems) == 1
        store.delete("spam")
        assert store.verify().ok


def test_a_damaged_page_of_the_journal_leaves_readable_what_is_on_others(path):
    filled(path, n_rows=300, snapshot_every=100)
    content = bytearray(path.read_bytes())
    page = content.index(b"word20 ") // 4096
    content[page * 4096 : (page + 1) * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    with pytest.warns(UserWarning, match="read without its indexes"):
        store = by.open_store(path)
    with store:  # the snapshot is behind the damage
        assert_same(store.model("spam").statistics_, learned(300).statistics_)
        assert store.predict("rain", ["wet"]).tolist() == ["rain"]
        with pytest.warns(UserWarning, match="an event of this model is missing or damaged"):
            kept = store.history("spam")
        assert 250 < len(kept) < 301 and kept[-1].row.x == texts(300)[-1]
        assert any("damaged" in problem for problem in store.verify().problems)
        assert store.history("rain")[-1].id == "r1"
