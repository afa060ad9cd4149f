"""`connect` has the verbs of a store: the same code runs on either, and gives the same."""

import socket
import threading

import numpy as np
import pytest

import bayesic as by
from bayesic.serve.tokens import add_token, read_tokens
from bayesic.store.errors import ConflictError, ReadOnlyError, UnknownIdError, UnknownNameError
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
        store._idle[0].sock.shutdown(socket.SHUT_RDWR)
        store.learn("spam", MAILS, LABELS)
        assert len(store.history("spam")) == 5


def test_a_token_goes_with_each_request(tmp_path):
    token = add_token(tmp_path / "tokens", "read")
    with serving(tmp_path / "mail.store", tokens=read_tokens(tmp_path / "tokens")) as address:
        with by.connect(address, token) as store:
            assert store.models() == []
            with pytest.raises(PermissionError, match="right 'admin'"):
                store.create("spam", by.TextClassifier())
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
