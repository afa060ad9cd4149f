"""What a server refuses: each with its status, and a sentence that shows the way out."""

import json
import math
import socket
import time
from contextlib import suppress
from functools import partial
from urllib.parse import urlsplit

import pytest

import bayesic as by
from bayesic.serve.access_tokens import add_token, read_tokens
from bayesic.serve.request_limits import RequestLimits
from bayesic.serve.running import check_address
from helpers.http_server import ask, serving, wait_until

TIGHT = RequestLimits(body=20_000, rows=20, cells=10, classes=3, vocabulary=5, seconds=1.0)
JSON = {"content_type": "application/json"}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("stores") / "mail.store", TIGHT) as address:
        ask(address, "PUT", "/models/spam", {"model": "TextClassifier"})
        body = {"rows": ["free", "lunch"], "y": ["spam", "ham"], "ids": [1, 2]}
        assert ask(address, "POST", "/models/spam/learn", body).status == 200
        yield address


def learn(address, body, **headers):
    return ask(address, "POST", "/models/spam/learn", body, **headers)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"rows": ["free"] * 21, "y": ["spam"] * 21}, 413, "20 rows"),
        ({"row": {f"column {n}": 1 for n in range(11)}, "y": "spam"}, 413, "10 cells"),
        ({"row": "x" * 30_000, "y": "spam"}, 413, "20,000 bytes"),
        ({"rows": ["a", "b"], "y": ["news", "sport"]}, 422, "3 classes"),
        ({"rows": [], "y": []}, 422, "at least one row"),
        ({"rows": "/etc/passwd", "y": "label"}, 422, "must be a list"),
        ({"rows": ["free"], "y": "label"}, 422, "must be a list"),
        ({"rows": ["free"], "y": ["spam"], "ids": 7}, 422, "must be a list"),
        ({"rows": ["free", {"sky": "rain"}], "y": ["spam", "ham"]}, 422, "all objects"),
        ({"rows": [17], "y": ["spam"]}, 422, "all objects"),
        ({"row": {"sky": {"cloud": 1}}, "y": "spam"}, 422, "column of its own"),
        ({"rows": [["a"], ["b", ["c"]]], "y": ["spam", "ham"]}, 422, "column of its own"),
        ({"row": "free", "rows": ["free"]}, 422, "either"),
        ({"y": "spam"}, 422, "either"),
        ({"row": "free", "label": "spam"}, 422, "'label'"),
        ({"row": "free", "y": None}, 422, "needs a label"),
        ({"row": "free", "y": {"deep": 1}}, 422, "got a dict"),
        ({"row": "free"}, 422, "give y"),
        ({"row": "free", "y": "spam", "id": ["a"]}, 422, "id must be"),
        ([1, 2], 422, "must be an object"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_with_a_sentence(address, body, status, words):
    answer = learn(address, body)
    assert answer.status == status, answer.bytes
    assert words in answer.json["message"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "must be JSON"),
        (b"{", "must be JSON"),
        (b"\xff\xfe", "must be JSON"),
        (b'{"row": ' + b"1" * 5000 + b"}", "must be JSON"),
        (b"[" * 10_000 + b"]" * 9_000, "20 deep"),
        (b"[" * 30 + b"]" * 30, "20 deep"),
    ],
)
def test_what_is_no_json_or_too_deep_is_refused(address, body, words):
    answer = learn(address, body, **JSON)
    assert answer.status == 400, answer.bytes
    assert words in answer.json["message"]


def test_a_vocabulary_that_is_full_takes_no_more_texts(address):
    ask(address, "PUT", "/models/words", {"model": "TextClassifier"})
    body = {"rows": ["one two three", "four five six"], "y": ["low", "high"]}
    assert ask(address, "POST", "/models/words/learn", body).status == 200
    answer = ask(address, "POST", "/models/words/learn", {"row": "seven", "y": "high"})
    assert answer.status == 422 and "5 words" in answer.json["message"]


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_the_content_type_is_demanded(address, kind):
    headers = {} if kind is None else {"content_type": kind}
    answer = learn(address, b'{"row": "free", "y": "spam"}', **headers)
    assert answer.status == 415 and "application/json" in answer.json["message"]
    compressed = learn(address, b"{}", **JSON, content_encoding="gzip")
    assert compressed.status == 415


def test_only_names_of_this_machine_are_answered(address):
    port = urlsplit(address).port
    assert ask(address, "GET", "/models", host=f"localhost:{port}").status == 200
    answer = ask(address, "GET", "/models", host="evil.example")
    assert answer.status == 400 and "evil.example" in answer.json["message"]


def test_unknown_paths_methods_models_and_ids_are_named(address):
    assert ask(address, "GET", "/nothing").json["error"] == "Not Found"
    assert ask(address, "PATCH", "/models").status == 405
    unknown = ask(address, "GET", "/models/news")
    assert unknown.status == 404 and unknown.json["error"] == "UnknownNameError"
    missing = ask(address, "POST", "/models/spam/forget", {"ids": ["never"]})
    assert missing.status == 404 and missing.json["error"] == "UnknownIdError"
    assert ask(address, "GET", "/models/spam/history?limit=0").status == 422


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"model": "os.system"}, "must name a model"),
        ({"model": ["NaiveBayes"]}, "must name a model"),
        ({"model": "NaiveBayes", "parameters": {"smooth": 1}}, "smoothing"),
        ({"model": "NaiveBayes", "parameters": "smoothing"}, "smoothing"),
        ({"model": "LogisticRegression"}, "can forget"),
        ({"model": "GaussianNB"}, "must know its classes"),
        ({"model": "TextClassifier", "parameters": {"tokenizer": "os.system"}}, "tokenizer"),
        ({"model": "NaiveBayes", "classes": [[None]]}, "flat list"),
        ({"model": "NaiveBayes", "classes": [["ham"], ["spam"]]}, "flat list"),
        ({"model": "NaiveBayes", "classes": ["ham", ["spam", "eggs"]]}, "flat list"),
        ({"model": "NaiveBayes", "classes": {"ham": 1}}, "flat list"),
        ({"model": "BayesForest", "parameters": {"n_trees": 10**30}}, "up to 10000"),
        ({"model": "BayesForest", "parameters": {"smoothing": math.inf}}, "finite"),
        ({"model": "LinearDiscriminantAnalysis", "parameters": {"shrinkage": "auto"}}, "ledoit"),
        ({"model": "TextClassifier", "parameters": {"min_count": 10**400}}, "up to 1e+20"),
    ],
)
def test_a_model_that_cannot_be_is_refused(address, body, words):
    answer = ask(address, "PUT", "/models/other", body)
    if answer.status == 201:  # a parameter is checked when the model learns
        answer = ask(address, "POST", "/models/other/learn", {"row": "free", "y": "spam"})
    assert answer.status == 422, answer.bytes
    assert words in answer.json["message"]


def test_an_event_that_no_receipt_told_is_not_waited_for(address):
    seq = ask(address, "GET", "/models/spam").json["seq"]
    answer = ask(address, "GET", f"/models/spam?at_least={seq + 1}")
    assert answer.status == 422 and f"is {seq}" in answer.json["message"]


def test_what_was_refused_changed_nothing(address):
    before = ask(address, "GET", "/models/spam").json["seq"]
    learn(address, {"rows": ["free", None], "y": ["spam", None]})
    assert ask(address, "GET", "/models/spam").json["seq"] == before


# clients that take their time -------------------------------------------------------------------


def opened(address):
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=20)


def received(connection):
    """All that comes until the server closes."""
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts)


def head_of(length, path="/models/spam/learn"):
    lines = (f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json")
    return "\r\n".join([*lines, f"Content-Length: {length}", "", ""]).encode()


@pytest.mark.parametrize("sent", [b"", b"GET /mod", b"GET /models HTTP/1.1\r\nHost: loc"])
def test_a_connection_without_a_whole_request_is_closed(address, sent):
    with opened(address) as connection:
        connection.sendall(sent)
        assert received(connection) == b""


def test_a_request_that_trickles_in_is_closed(address):
    with opened(address) as connection:
        start = time.monotonic()
        with pytest.raises(OSError):
            for mark in b"GET /models HTTP/1.1\r\nX-Slow: " + b"x" * 1000:
                connection.sendall(bytes([mark]))
                time.sleep(0.05)
        assert time.monotonic() - start < 10


def test_a_body_that_does_not_come_is_answered_and_the_connection_closed(address):
    with opened(address) as connection:
        connection.sendall(head_of(1000) + b'{"row": ')
        answer = received(connection)
    assert answer.startswith(b"HTTP/1.1 408 ") and b"within 1 s" in answer


def test_a_body_of_100_megabytes_is_refused_before_it_is_read(address):
    with opened(address) as connection:
        connection.sendall(head_of(100_000_000))
        answer = received(connection)
    assert answer.startswith(b"HTTP/1.1 413 ") and b"20,000 bytes" in answer


def test_a_body_without_a_length_is_refused_when_it_is_too_long(address):
    head = head_of(0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
    with opened(address) as connection:
        connection.sendall(head)
        for _ in range(3):
            connection.sendall(b"2710\r\n" + b" " * 10_000 + b"\r\n")
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413 ")


def test_a_client_that_does_not_take_its_answer_is_let_go(tmp_path, caplog):
    with serving(
        tmp_path / "mail.store", RequestLimits(seconds=1.0, body=10**7, rows=10**6)
    ) as address:
        ask(address, "PUT", "/models/spam", {"model": "TextClassifier"})
        learn(address, {"rows": ["free", "hi"], "y": ["spam" * 200, "ham" * 200]})
        lines = b'"free"\n' * 50_000  # the answers have 100 MB
        head = head_of(len(lines), "/models/spam/predict").replace(b"json", b"x-ndjson")
        with opened(address) as connection:
            connection.sendall(head + lines)
            wait_until(lambda: status_counted(address, "/models/{name}/predict"))
    assert [record for record in caplog.records if record.exc_info] == []


def test_an_answer_that_is_not_taken_to_its_end_is_given_up(tmp_path):
    with serving(tmp_path / "mail.store", RequestLimits(seconds=0.5, body=10**7)) as address:
        ask(address, "PUT", "/models/spam", {"model": "TextClassifier"})
        label = "s" * 1000
        learn(address, {"rows": ["free", "hi"], "y": [label, "ham"]})
        body = json.dumps({"rows": ["free"] * 10_000}).encode()  # one answer of 10 MB
        with opened(address) as connection:
            connection.sendall(head_of(len(body), "/models/spam/predict") + body)
            time.sleep(2)
            with suppress(ConnectionResetError):
                assert len(received(connection)) < 10_000 * len(label)


def test_a_client_that_goes_away_in_the_middle_of_a_body_is_no_failure(address, caplog):
    caplog.set_level("INFO", "bayesic.access")
    with opened(address) as connection:
        connection.sendall(head_of(1000) + b'{"row": ')
    wait_until(lambda: any('"status": 400' in line for line in caplog.messages))
    assert [record for record in caplog.records if record.exc_info] == []


def status_counted(address, route):
    """Whether a request to this route has ended, well or not."""
    return f'route="{route}"' in ask(address, "GET", "/metrics").bytes.decode()


# tokens -------------------------------------------------------------------------------------------


def test_tokens_have_rights_and_are_kept_as_hashes(tmp_path):
    file = tmp_path / "tokens"
    tokens = {right: add_token(file, right) for right in ("read", "learn", "admin")}
    written = file.read_text()
    assert not any(token in written for token in tokens.values())
    assert file.stat().st_mode & 0o077 == 0
    with serving(tmp_path / "mail.store", tokens=read_tokens(file)) as address:

        def status(right, method, path, body=None):
            headers = {} if right is None else {"authorization": f"Bearer {tokens[right]}"}
            return ask(address, method, path, body, **headers).status

        create = ("PUT", "/models/spam", {"model": "TextClassifier"})
        learned = ("POST", "/models/spam/learn", {"row": "free", "y": "spam", "id": 1})
        asked = ("POST", "/models/spam/predict", {"row": "free"})
        assert [status(right, *create) for right in (None, "read", "learn")] == [401, 403, 403]
        assert status("admin", *create) == 201
        assert [status(right, *learned) for right in (None, "read", "learn")] == [401, 403, 200]
        assert [status(right, *asked) for right in (None, "read", "learn")] == [401, 200, 200]
        assert status(None, "GET", "/metrics") == status(None, "GET", "/openapi.json") == 401
        assert status(None, "GET", "/health/ready") == 200
        wrong = ask(address, "GET", "/models", authorization="Bearer guessed")
        assert wrong.status == 401 and wrong.headers["www-authenticate"] == "Bearer"
        basic = ask(address, "GET", "/models", authorization=f"Basic {tokens['read']}")
        assert basic.status == 401


def test_another_address_needs_tokens(tmp_path):
    check_address("127.0.0.1", ())
    with pytest.raises(ValueError, match="tokens are needed"):
        check_address("0.0.0.0", ())
    add_token(tmp_path / "tokens", "read")
    check_address("0.0.0.0", read_tokens(tmp_path / "tokens"))


def test_a_file_of_tokens_that_is_none_is_refused(tmp_path):
    (tmp_path / "tokens").write_text("read my-secret\n")
    with pytest.raises(ValueError, match="line 1"):
        read_tokens(tmp_path / "tokens")


# the store ----------------------------------------------------------------------------------------


def test_a_store_whose_queue_is_full_says_when_to_come_back(tmp_path, monkeypatch):
    from bayesic.store._writer import Writer

    with serving(tmp_path / "mail.store") as address:
        ask(address, "PUT", "/models/spam", {"model": "TextClassifier"})
        monkeypatch.setattr(Writer, "n_waiting", property(lambda self: 10**9))
        answer = learn(address, {"row": "free", "y": "spam"})
        monkeypatch.undo()
        assert answer.status == 503 and answer.headers["retry-after"] == "1"
        assert answer.json["error"] == "BusyError"
        assert learn(address, {"row": "free", "y": "spam"}).status == 200


def test_a_second_server_may_read_and_follow_but_not_write(tmp_path):
    with serving(tmp_path / "mail.store") as address:
        ask(address, "PUT", "/models/spam", {"model": "TextClassifier"})
        with pytest.raises(by.store.errors.InUseError), serving(tmp_path / "mail.store"):
            pass
        with serving(tmp_path / "mail.store", RequestLimits(seconds=2.0), read_only=True) as reader:
            seq = learn(address, {"rows": ["free", "hi"], "y": ["spam", "ham"]}).json["seq"]
            path = f"/models/spam/predict?at_least={seq}"
            assert ask(reader, "POST", path, {"row": "free"}).json["prediction"] == "spam"
            refused = learn(reader, {"row": "free", "y": "spam"})
            assert refused.status == 405 and "read_only" in refused.json["message"]
            late = ask(reader, "POST", f"/models/spam/predict?at_least={seq + 1}", {"row": "a"})
            assert late.status == 503 and "did not come" in late.json["message"]


def test_what_nobody_expected_is_no_traceback_for_the_client(address, monkeypatch, caplog):
    def broken(*_, **__):
        raise RuntimeError("a secret of the machine")

    monkeypatch.setattr(by.TextClassifier, "predict_proba", broken)
    answer = ask(address, "POST", "/models/spam/predict", {"row": "free"})
    assert answer.status == 500 and b"secret" not in answer.bytes
    assert "secret" in caplog.text


def test_each_request_is_a_line_of_json_in_the_log(address, caplog):
    caplog.set_level("INFO", "bayesic.access")
    ask(address, "GET", "/models/spam\n")

    def lines():
        every = [json.loads(message) for message in list(caplog.messages)]
        return [line for line in every if line["path"] == "/models/spam\n"]

    wait_until(lines)  # it is written after the answer has gone
    assert [(line["method"], line["status"]) for line in lines()] == [("GET", 404)]


FOREIGN = [
    {"sec_fetch_site": "cross-site"},
    {"sec_fetch_site": "same-site"},  # another port of this machine
    {"sec_fetch_site": "cross-site", "origin": "https://evil.example"},
    {"origin": "https://evil.example"},
    {"origin": "http://127.0.0.1:1"},
    {"origin": "null"},
    {"origin": ""},
]


@pytest.mark.parametrize("headers", FOREIGN)
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/models", None),
        ("GET", "/metrics", None),
        ("POST", "/models/spam/predict", {"row": "free"}),
        ("POST", "/models/spam/learn", {"row": "free", "y": "spam"}),
        ("PUT", "/models/other", {"model": "TextClassifier"}),
        ("DELETE", "/models/spam", None),
        ("GET", "/v2/models/spam", None),
    ],
)
def test_a_page_of_another_site_is_refused_whatever_it_asks(address, method, path, body, headers):
    before = ask(address, "GET", "/models/spam").json
    answer = ask(address, method, path, body, **headers)
    assert answer.status == 403, answer.bytes
    assert "only pages of this server" in answer.json["message"]
    assert ask(address, "GET", "/models/spam").json == before


@pytest.mark.parametrize("site", ["same-origin", "none", None])
def test_our_own_page_and_the_person_are_answered(address, site):
    host = urlsplit(address).netloc
    headers = {"origin": f"http://{host}"} | ({} if site is None else {"sec_fetch_site": site})
    assert ask(address, "GET", "/models", **headers).status == 200
    assert ask(address, "POST", "/models/spam/predict", {"row": "free"}, **headers).status == 200


def test_a_link_of_another_site_may_lead_to_what_holds_no_data(address):
    assert ask(address, "GET", "/health/live", sec_fetch_site="cross-site").status == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/models", 200),
        ("GET", "/metrics", 200),
        ("GET", "/models/spam/file", 200),
        ("GET", "/models/spam/rows.csv", 200),
        ("GET", "/health/live", 200),
        ("GET", "/models/nothing", 404),
        ("GET", "/nothing", 404),
        ("PATCH", "/models", 405),
        ("POST", "/models/spam/learn", 415),
        ("GET", "/models/spam/history?limit=0", 422),
    ],
)
def test_no_answer_is_kept_guessed_at_or_given_to_other_sites(address, method, path, status):
    answer = ask(address, method, path)
    assert answer.status == status
    assert answer.headers.get_all("cache-control") == ["no-store"]
    assert answer.headers.get_all("x-content-type-options") == ["nosniff"]
    assert answer.headers.get_all("cross-origin-resource-policy") == ["same-origin"]


@pytest.mark.parametrize("sent", [b"\0\r\n\r\n", b"GET /models HTTP/1.1\r\n\r\n"])
def test_what_is_no_http_is_refused_with_the_same_headers(address, sent):
    assert_guarded(answer_to(address, sent), b"400")


def test_a_connection_too_many_is_refused_with_the_same_headers(tmp_path):
    with serving(tmp_path / "mail.store", RequestLimits(connections=1)) as address:
        sent = b"GET /models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        assert_guarded(answer_to(address, sent), b"503")


def answer_to(address, sent):
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
        connection.sendall(sent)
        return b"".join(iter(partial(connection.recv, 65536), b""))


def assert_guarded(answer, status):
    assert answer.split()[1] == status
    for line in (
        b"cache-control: no-store",
        b"x-content-type-options: nosniff",
        b"cross-origin-resource-policy: same-origin",
    ):
        assert answer.lower().count(line) == 1, answer
