"""`connect` has the verbs of a store: the same code runs on either, and gives the same."""

import socket
import threading
from inspect import signature

import numpy as np
import pytest

import bayesic as by
from bayesic.serve.access_tokens import add_token, read_tokens
from bayesic.serve.client import RemoteStore
from bayesic.store.errors import (
    ConflictError,
    ReadOnlyError,
    UnknownEventError,
    UnknownIdError,
    UnknownNameError,
)
from bayesic.store.store import Store
from helpers.http_server import serving

MAILS = ["free money, buy today", "lunch today?", "get a free gift", "rain, no lunch"]
LABELS = ["spam", "ham", "spam", "ham"]


@pytest.fixture(params=["store", "connection"])
def store(request, tmp_path):
    if request.param == "store":
        with by.open_store(tmp_path / "mail.store") as store:
            yield store
    else:
        with serving(tmp_path / "mail.store") as address, by.connect(address) as store:
            yield store


def test_the_verbs_are_the_same_on_either(store):
    assert store.create("spam", by.TextClassifier()).already == (False,)
    assert store.create("spam", by.TextClassifier()).already == (True,)
    receipt = store.learn("spam", MAILS, LABELS, ids=[1, 2, 3, 4])
    assert store.learn("spam", [MAILS[1]], ["ham"], ids=[2]).already == (True,)
    assert receipt.ids == ("1", "2", "3", "4") and receipt.seq == max(receipt.seqs)
    store.correct("spam", 4, "spam")
    store.forget("spam", [1])
    right = by.TextClassifier().fit(MAILS[1:], ["ham", "spam", "spam"])
    assert np.array_equal(store.predict_proba("spam", MAILS), right.predict_proba(MAILS))
    assert store.predict("spam", MAILS).tolist() == right.predict(MAILS).tolist()
    assert np.array_equal(store.model("spam").predict_proba(MAILS), right.predict_proba(MAILS))
    ops = [(event.op, event.id) for event in store.history("spam", after=receipt.seq)]
    assert ops == [("correct", "4"), ("forget", "1")]
    assert store.history("spam", limit=2)[1].row.x == MAILS[0]
    state = store.state("spam")
    assert store.wait("spam", receipt.seq).seq == state.seq
    assert store.models() == ["spam"]
    store.delete("spam")
    assert store.models() == []


def test_the_journal_is_the_same_on_either(store, tmp_path):
    store.create("spam", by.TextClassifier())
    receipt = store.learn("spam", MAILS, LABELS, ids=[1, 2, 3, 4])
    store.forget("spam", [4])
    store.correct("spam", 3, "ham")
    then = by.TextClassifier().fit(MAILS, LABELS)
    assert np.array_equal(store.at("spam", receipt.seq).class_count_, [2, 2])
    assert np.array_equal(store.at("spam", receipt.seq).predict_proba(MAILS), proba(then))
    now = by.TextClassifier(smoothing=0.5).fit(MAILS[:3], ["spam", "ham", "ham"])
    replayed = store.replay("spam", {"smoothing": 0.5})
    assert np.array_equal(replayed.predict_proba(MAILS), proba(now))
    other = store.replay("spam", by.TextClassifier("bernoulli"))
    assert other.model == "bernoulli" and other.class_count_.tolist() == [2, 1]
    assert store.replay("spam").class_count_.tolist() == [2, 1]
    assert store.replay("spam", {"smoothing": ("m", 2.0)}).class_count_.tolist() == [2, 1]
    for path in (tmp_path / "rows.csv", tmp_path / "rows.parquet"):
        assert store.export("spam", path) == 3
        again = by.TextClassifier().fit(path, y="y", text="text")
        assert np.array_equal(proba(again), store.predict_proba("spam", MAILS))
    assert store.verify().ok and (store.verify().n_models, store.verify().n_events) == (1, 7)
    assert store.compact("spam").already == (False,)
    assert [event.op for event in store.history("spam")][1:] == [
        "learn",
        "learn",
        "forget",
        "correct",
    ]
    store.compact("spam", keep_rows=False)
    assert store.model("spam").class_count_.tolist() == [2, 1]
    assert str(store.verify()).endswith("all is well")


def test_what_has_changed_is_told_alike_on_either(store):
    store.create("spam", by.TextClassifier(smoothing=0))
    receipt = store.learn("spam", MAILS, LABELS)
    times = [event.time for event in store.history("spam")]
    models = [by.TextClassifier(smoothing=0).fit(MAILS[k : k + 2], LABELS[:2]) for k in (0, 2)]
    expected = by.drift(*models)
    assert expected.changes[0].change == float("inf")  # a word that no earlier mail has
    assert store.drift("spam", since=receipt.seqs[2]) == expected
    later = store.learn("spam", ["free lunch"], ["ham"])
    assert store.drift("spam", receipt.seqs[2], start=times[0], until=later.seq) == expected
    for since in (times[-1] + 1e6, "2000-01-01"):
        with pytest.raises(ValueError, match="Both spans need rows that 'spam' still knows"):
            store.drift("spam", since)
    with pytest.raises(ValueError, match="until must be the number of an event, or a moment"):
        store.drift("spam", 3, until="yesterday")
    with pytest.raises(UnknownNameError, match="no model 'news'"):
        store.drift("news", 3)


def proba(model):
    return model.predict_proba(MAILS)


def test_a_window_is_the_same_on_either(store):
    store.create("spam", by.TextClassifier(), window=2)
    store.learn("spam", MAILS, LABELS)
    last = by.TextClassifier().fit(MAILS[2:], LABELS[2:])
    assert np.array_equal(store.predict_proba("spam", MAILS), proba(last))
    store.create("recent", by.TextClassifier(), window="30 days")
    for window in (0, 2.5, "moon", 10**400):
        with pytest.raises(ValueError, match="window must be"):
            store.create("other", by.TextClassifier(), window=window)
    assert store.models() == ["spam", "recent"]


def test_what_the_journal_does_not_have_is_refused_alike(store, tmp_path):
    store.create("spam", by.TextClassifier())
    with pytest.raises(ValueError, match="no rows to export"):
        store.export("spam", tmp_path / "rows.csv")
    with pytest.raises(ValueError, match=".parquet or .csv"):
        store.export("spam", tmp_path / "rows.txt")
    with pytest.raises(FileNotFoundError, match="no folder"):
        store.export("spam", tmp_path / "missing" / "rows.csv")
    assert not (tmp_path / "rows.csv").exists()
    with pytest.raises(UnknownEventError, match="began later"):
        store.at("spam", 0)
    with pytest.raises(ValueError, match="smoothing must be"):
        store.learn("spam", MAILS, LABELS)
        store.replay("spam", {"smoothing": -1})
    with pytest.raises(ValueError, match="Invalid parameter"):
        store.replay("spam", {"colour": "red"})
    store.compact("spam", keep_rows=False)
    with pytest.raises(UnknownIdError, match="no longer there"):
        store.export("spam", tmp_path / "rows.csv")
    with pytest.raises(TimeoutError, match="did not come within 0.1 s"):
        store.wait("spam", 10**6, timeout=0.1)


@pytest.mark.parametrize("verb", [name for name in vars(Store) if not name.startswith("_")])
def test_every_verb_is_there_with_the_same_arguments(verb):
    if verb in ("submit", "n_waiting", "problem", "is_read_only"):  # of this very process
        return
    ours, theirs = signature(getattr(Store, verb)), signature(getattr(RemoteStore, verb))
    rows = [name for name in theirs.parameters if verb != "explain"]  # explains one row
    assert rows == [name for name in ours.parameters if verb != "explain"]
    assert [each.default for each in ours.parameters.values()] == [
        each.default for each in theirs.parameters.values()
    ]


def test_a_long_history_comes_in_parts(tmp_path):
    with serving(tmp_path / "mail.store") as address, by.connect(address) as store:
        store.create("spam", by.TextClassifier())
        store.learn("spam", ["free"] * 2500, ["spam"] * 2500, ids=range(2500))
        assert len(store.history("spam")) == 2501
        assert [event.id for event in store.history("spam", after=1, limit=1200)][-1] == "1199"
        latest = [event.id for event in store.latest("spam", 1200)]
        assert latest == [str(id) for id in range(2499, 1299, -1)]
        assert [event.id for event in store.latest("spam", 5, before=3)] == ["0", ""]


def test_nobody_listening_gives_a_sentence_with_the_way_out(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with (
        by.connect(f"http://127.0.0.1:{port}") as store,
        pytest.raises(ConnectionError, match=f":{port}: Connection refused. Start it with bayesic"),
    ):
        store.models()
    with (
        by.connect("http://no-such-host.invalid") as store,
        pytest.raises(ConnectionError, match="check the address"),
    ):
        store.models()


def test_what_speaks_no_http_gives_a_sentence(tmp_path):
    def speak():
        for _ in range(2):  # it is tried twice
            connection, _ = listening.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"220 mail.example ESMTP\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=speak)
        thread.start()
        with (
            by.connect(f"http://127.0.0.1:{listening.getsockname()[1]}") as store,
            pytest.raises(ConnectionError, match="No bayesic server answers"),
        ):
            store.models()
        thread.join()


def test_the_errors_are_the_same_on_either(store):
    with pytest.raises(UnknownNameError, match="no model 'news'"):
        store.predict("news", MAILS)
    store.create("spam", by.TextClassifier())
    store.learn("spam", MAILS[:2], LABELS[:2], ids=["a", "b"])
    with pytest.raises(ConflictError, match="another row"):
        store.learn("spam", MAILS[2:3], ["spam"], ids=["a"])
    with pytest.raises(UnknownIdError, match="never learned"):
        store.forget("spam", "c")
    with pytest.raises(ValueError, match="give y"):
        store.learn("spam", MAILS)


def test_tables_arrays_and_gaps_go_over(store):
    rows = {"sky": ["rain", "sun", None], "wind": [1.5, float("nan"), 3.0]}
    store.create("plans", by.NaiveBayes())
    store.learn("plans", rows, ["stay", "go", "go"])
    assert store.history("plans")[2].row.x == {"sky": "sun", "wind": None}
    store.create("numbers", by.GaussianNB(), classes=np.array([0, 1]))
    store.learn("numbers", np.array([[1.0], [2.0]]), np.array([0, 1]))
    assert store.predict("numbers", np.array([[1.1], [1.9]])).tolist() == [0, 1]
    store.create("line", by.LeastSquares())
    store.learn("line", [[1.0], [2.0], [3.0]], [2.0, 4.0, 6.0])
    assert store.predict("line", [[4.0]]) == pytest.approx([8.0])


def test_a_network_goes_over(store):
    days = [{"storm": True, "fire": "no"}, {"storm": False, "fire": "yes"}]
    store.create("day", by.BeliefNetwork([("storm", "fire")]), smoothing=1)
    store.learn("day", days)
    assert store.predict("day", [{"storm": True}], target="fire").tolist() == ["no"]
    assert store.predict_proba("day", [{"storm": True}], target="fire")[0, 0] == pytest.approx(
        2 / 3
    )


def test_the_reason_comes_as_plain_values(tmp_path):
    with serving(tmp_path / "mail.store") as address, by.connect(address) as store:
        store.create("spam", by.TextClassifier())
        store.learn("spam", MAILS, LABELS)
        reason = store.explain("spam", "free lunch", top=1)
        here = store.model("spam").explain("free lunch", top=1).to_dict()
        assert reason["weights"] == here["weights"]
        with pytest.raises(TypeError, match="has no classes"):
            store.create("line", by.LeastSquares())
            store.learn("line", [[1.0], [2.0]], [2.0, 4.0])
            store.predict_proba("line", [[1.0]])


def test_a_connection_that_was_closed_is_opened_again(tmp_path):
    with serving(tmp_path / "mail.store") as address, by.connect(address) as store:
        store.create("spam", by.TextClassifier())
        store._connection.idle[0].sock.shutdown(socket.SHUT_RDWR)
        store.learn("spam", MAILS, LABELS)
        assert len(store.history("spam")) == 5


def test_a_token_goes_with_each_request(tmp_path):
    token = add_token(tmp_path / "tokens", "read")
    with serving(tmp_path / "mail.store", tokens=read_tokens(tmp_path / "tokens")) as address:
        with by.connect(address, token) as store:
            assert store.models() == []
            with pytest.raises(PermissionError, match="right 'admin'"):
                store.create("spam", by.TextClassifier())
            for verb in (store.replay, store.compact):
                with pytest.raises(PermissionError, match="right 'admin'"):
                    verb("spam")
            with pytest.raises(PermissionError, match="right 'admin'"):
                store.verify()
        with (
            by.connect(address) as store,
            pytest.raises(PermissionError, match="token is needed"),
        ):
            store.models()


def test_a_server_that_only_reads_says_so(tmp_path):
    with by.open_store(tmp_path / "mail.store") as store:
        store.create("spam", by.TextClassifier())
    with serving(tmp_path / "mail.store", read_only=True) as address, by.connect(address) as store:
        with pytest.raises(ReadOnlyError):
            store.learn("spam", MAILS, LABELS)
        assert store.models() == ["spam"]


def test_an_address_that_is_none_is_refused():
    with pytest.raises(ValueError, match="http://127.0.0.1:8000"):
        by.connect("mail.store")


def test_many_threads_learn_and_ask_and_every_row_counts_once(tmp_path):
    n_threads, n_rows = 8, 20
    with serving(tmp_path / "mail.store") as address, by.connect(address) as store:
        store.create("spam", by.TextClassifier())
        store.learn("spam", MAILS, LABELS)

        def work(number):
            for row in range(n_rows):
                ids = [f"{number} {row}"]
                receipt = store.learn("spam", ["free"], ["spam"], ids)
                assert store.learn("spam", ["free"], ["spam"], ids).already == (True,)
                assert store.state("spam").seq >= receipt.seq  # what I learned, I see

        threads = [threading.Thread(target=work, args=[n]) for n in range(n_threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert store.model("spam").class_count_.tolist() == [2, 2 + n_threads * n_rows]
