"""`bayesic serve` as a process: it listens, makes tokens, refuses, and ends in peace."""

import json
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from functools import partial
from urllib.parse import urlsplit

from click.testing import CliRunner

import bayesic as by
from bayesic.cli.main import commands
from bayesic.serve.access_tokens import read_tokens
from bayesic.store.errors import StoreError
from helpers.http_server import ask, wait_until

STUCK = """
import threading
import bayesic as by
from bayesic.cli.main import main
from bayesic.serve import running
running.SECONDS_TO_END = 0.5
def stuck(*_):
    print("stuck", flush=True)
    threading.Event().wait(600)
by.TextClassifier.predict_proba = stuck
main()
"""


@contextmanager
def served(store, *options, program=("-m", "bayesic"), **how):
    """A server in a process of its own, and its address."""
    command = [sys.executable, *program, "serve", str(store), "--port", "0", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how
    ) as process:
        try:
            line = process.stdout.readline()
            assert line.startswith(f"Serving {store} on http://127.0.0.1:"), process.stderr.read()
            yield process, line.split()[-1]
        finally:
            process.kill()


def refused(*words):
    result = CliRunner().invoke(commands, ["serve", *words], prog_name="bayesic")
    assert result.exit_code != 0
    return result.stderr


def learn_until_it_ends(store, prefix, acknowledged):
    """Learn one row after the other, and note which were acknowledged."""
    try:
        for row in range(10_000):
            store.learn("spam", ["free"], ["spam"], ids=[f"{prefix} {row}"])
            acknowledged.append(f"{prefix} {row}")
    except (OSError, StoreError):
        pass


def test_sigterm_ends_a_server_when_all_that_it_accepted_is_done(tmp_path):
    acknowledged = []
    path = tmp_path / "mail.store"
    with served(path, "--quiet") as (process, address), by.connect(address) as store:
        store.create("spam", by.TextClassifier())
        threads = [
            threading.Thread(target=learn_until_it_ends, args=[store, number, acknowledged])
            for number in range(4)
        ]
        for thread in threads:
            thread.start()
        wait_until(lambda: len(acknowledged) >= 100)
        process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join()
        assert process.wait(30) == 0
        assert process.stderr.read() == ""
    assert not (tmp_path / "mail.store-wal").exists()  # the store was closed
    with by.open_store(path) as store:
        ids = [event.id for event in store.history("spam")]
        assert set(acknowledged) <= set(ids) and len(set(ids)) == len(ids)
        assert store.verify().ok


def test_sigterm_does_not_wait_for_an_answer_that_takes_longer_than_promised(tmp_path):
    path = tmp_path / "mail.store"
    with served(path, "--quiet", program=("-c", STUCK)) as (process, address):
        with by.connect(address) as store:
            store.create("spam", by.TextClassifier())
            store.learn("spam", ["free", "lunch"], ["spam", "ham"])
        parts = urlsplit(address)
        with socket.create_connection((parts.hostname, parts.port)) as connection:
            head = "POST /models/spam/predict HTTP/1.1\r\nHost: localhost\r\n"
            head += 'Content-Type: application/json\r\nContent-Length: 15\r\n\r\n{"row": "free"}'
            connection.sendall(head.encode())
            assert process.stdout.readline() == "stuck\n"
            process.send_signal(signal.SIGTERM)
            answer = b"".join(iter(partial(connection.recv, 65536), b""))  # it comes in parts
            assert process.wait(30) == 0
        assert answer.startswith(b"HTTP/1.1 503 ") and b"The server ends" in answer
        assert "Traceback" not in process.stderr.read()
    assert not (tmp_path / "mail.store-wal").exists()  # the store was closed
    with by.open_store(path) as store:
        assert store.verify().ok


def test_after_kills_all_that_was_acknowledged_over_http_is_there_once(tmp_path):
    acknowledged = []
    for kill in range(4):
        path = tmp_path / "mail.store"
        with served(path, "--quiet") as (process, address), by.connect(address) as store:
            store.create("spam", by.TextClassifier())
            threads = [
                threading.Thread(
                    target=learn_until_it_ends, args=[store, f"{kill} {number}", acknowledged]
                )
                for number in range(4)
            ]
            before = len(acknowledged)
            for thread in threads:
                thread.start()
            wait_until(lambda n=before + 30 + 17 * kill: len(acknowledged) >= n)
            process.kill()
            for thread in threads:
                thread.join()
    with by.open_store(tmp_path / "mail.store") as store:
        ids = [event.id for event in store.history("spam") if event.op == "learn"]
        assert set(acknowledged) <= set(ids) and len(set(ids)) == len(ids)
        assert store.model("spam").class_count_.tolist() == [len(ids)]
        assert store.verify().ok


def test_the_log_has_a_line_of_json_for_each_request(tmp_path):
    with served(tmp_path / "mail.store") as (process, address):
        ask(address, "GET", "/health/live")
        line = json.loads(process.stderr.readline())
        assert line["path"] == "/health/live" and line["status"] == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_a_second_server_on_a_store_ends_with_a_sentence(tmp_path):
    with served(tmp_path / "mail.store"):
        told = refused(str(tmp_path / "mail.store"), "--port", "0")
        assert "one at a time may write. Use --read-only to read and follow it." in told
        with served(tmp_path / "mail.store", "--read-only") as (_, address):
            assert ask(address, "GET", "/models").json == {"models": []}
            answer = ask(address, "PUT", "/models/spam", {"model": "TextClassifier"})
            assert (answer.status, "with --read-only" in answer.json["message"]) == (405, True)


def test_a_token_is_made_printed_and_kept_as_a_hash(tmp_path):
    file = str(tmp_path / "tokens")
    words = ["serve", "mail.store", "--tokens", file, "--new-token", "learn"]
    result = CliRunner().invoke(commands, words)
    assert len(result.stdout.strip()) > 40
    (token,) = read_tokens(tmp_path / "tokens")
    assert token.right == "learn" and result.stdout.strip() not in token.sha256
    with served(tmp_path / "mail.store", "--tokens", file) as (_, address):
        assert ask(address, "GET", "/models").status == 401


def test_what_cannot_be_served_is_refused_with_a_sentence(tmp_path):
    store = str(tmp_path / "mail.store")
    assert "tokens are needed" in refused(store, "--host", "0.0.0.0")
    assert "give both" in refused(store, "--new-token", "read")
    (tmp_path / "tokens").write_text("")
    assert "has no token" in refused(store, "--tokens", str(tmp_path / "tokens"))
    (tmp_path / "text").write_text("rain " * 1000)
    assert "Error" in refused(str(tmp_path / "text"))
    assert "There is no folder" in refused(str(tmp_path / "missing" / "mail.store"))


def test_without_the_extra_the_one_line_to_type_is_printed(tmp_path):
    program = """
import sys
sys.modules["starlette"] = None
from bayesic.cli.main import main
sys.argv = ["bayesic", "serve", "mail.store"]
main()
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path
    )
    assert ran.returncode == 1
    assert "pip install 'bayesic[serve]'" in ran.stderr and "Traceback" not in ran.stderr


def test_a_port_that_is_taken_is_named(tmp_path):
    with served(tmp_path / "mail.store") as (_, address):
        port = address.rpartition(":")[2]
        command = [
            sys.executable,
            "-m",
            "bayesic",
            "serve",
            str(tmp_path / "other"),
            "--port",
            port,
        ]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert ran.returncode == 1
        assert port in ran.stderr and "Traceback" not in ran.stderr
