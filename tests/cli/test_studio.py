"""`bayesic studio` as a process: it opens files, prints where it is, and ends in peace."""

import re
import signal
import subprocess
import sys
import webbrowser
from contextlib import contextmanager
from urllib.parse import parse_qsl, urlsplit

import pytest
from click.testing import CliRunner

import bayesic as by
from bayesic.cli.main import commands
from bayesic.datasets import asia
from bayesic.serve.access_tokens import add_token
from bayesic.serve.routes import ROUTES as SERVED
from bayesic.studio.routes import studio_routes
from bayesic.studio.workspace import Studio
from helpers.http_server import ask, serving


class Opened:
    """A studio in a process of its own, at the address that it has printed."""

    def __init__(self, process, address):
        self.process, self.address = process, address
        parts = urlsplit(address)
        self.base, self.path = f"http://{parts.netloc}", parts.path
        self.fields = dict(parse_qsl(parts.fragment))
        token = self.fields.pop("token", None)
        self.header = {} if token is None else {"authorization": f"Bearer {token}"}

    def ask(self, method, path, body=None):
        return ask(self.base, method, path, body, **self.header)

    def ended(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(30)


@contextmanager
def studying(*words):
    """A studio in a process of its own."""
    command = [sys.executable, "-m", "bayesic", "studio", "--no-open", *map(str, words)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline()
            assert line.startswith("The studio is open at http://127.0.0.1:"), process.stderr.read()
            yield Opened(process, line.split()[5])
        finally:
            process.kill()


def test_files_are_open_and_ctrl_c_ends_it_with_a_sentence(tmp_path):
    asia().write(tmp_path / "clinic.bif")
    fitted = by.BeliefNetwork([("rain", "wet")]).fit({"rain": ["yes"], "wet": ["no"]}, smoothing=1)
    fitted.save(tmp_path / "rain.bayes")
    (tmp_path / "rows.csv").write_text("xray,dysp\nyes,no\n")
    files = [tmp_path / name for name in ("clinic.bif", "rain.bayes", "rows.csv")]
    with studying(*files) as studio:
        assert studio.path == "/desk/network"
        assert studio.fields == {"document": "clinic", "cases": "rows"}
        told = studio.ask("GET", "/studio/documents").json["documents"]
        assert [each["name"] for each in told] == ["clinic", "rain"]
        (cases,) = studio.ask("GET", "/studio/cases").json["cases"]
        assert cases["columns"] == ["xray", "dysp"]
        assert studio.ask("GET", "/").status == 200
        assert studio.ask("GET", "/models").json == {"models": []}
        assert studio.ended(signal.SIGINT) == 0
        assert studio.process.stdout.read() == "The studio is closed.\n"
        assert studio.process.stderr.read() == ""


def test_tables_may_be_in_another_encoding(tmp_path):
    (tmp_path / "天气.csv").write_bytes("天,去\n晴,是\n雨,否\n".encode("gbk"))
    with studying(tmp_path / "天气.csv", "--encoding", "gbk") as studio:
        assert (studio.path, studio.fields) == ("/desk/table", {"table": "天气"})
        (told,) = studio.ask("GET", "/studio/cases").json["cases"]
        assert told == {"cases": "天气", "n_rows": 2, "columns": ["天", "去"]}
    for encoding, sentence in [("klingon", "no encoding 'klingon'"), ("ascii", "must be text in")]:
        run = CliRunner().invoke(
            commands, ["studio", str(tmp_path / "天气.csv"), "--encoding", encoding]
        )
        assert run.exit_code == 1
        assert sentence in run.output


def test_a_table_alone_opens_the_table_desk(tmp_path):
    (tmp_path / "my rows.csv").write_text("sky,go\nsun,yes\nrain,no\n")
    with studying(tmp_path / "my rows.csv") as studio:
        assert (studio.path, studio.fields) == ("/desk/table", {"table": "my rows"})
        (told,) = studio.ask("GET", "/studio/tables").json["tables"]
        assert told == {"name": "my rows", "n_rows": 2, "n_columns": 2}


def test_a_store_that_is_named_stays(tmp_path):
    with studying("--store", tmp_path / "mail.store") as studio:
        assert studio.ask("PUT", "/models/spam", {"model": "TextClassifier"}).status == 201
        assert studio.ended() == 0
    with by.open_store(tmp_path / "mail.store") as store:
        assert [*store.models()] == ["spam"]


def refused(*words):
    result = CliRunner().invoke(commands, ["studio", "--no-open", *map(str, words)])
    assert result.exit_code == 1
    return result.stderr


def test_a_file_that_cannot_be_opened_is_refused_before_anything_begins(tmp_path):
    assert "There is no file" in refused(tmp_path / "nothing.bif")
    assert "There is no file" in refused(tmp_path / "nothing.csv")
    (tmp_path / "notes.bif").write_text("hello")
    assert "it is no file of a network" in refused(tmp_path / "notes.bif")


def test_a_store_that_is_open_elsewhere_is_refused_in_the_words_of_the_command(tmp_path):
    by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ["play", "stay"]).save(tmp_path / "days.bayes")
    with by.open_store(tmp_path / "mail.store"):
        for files in ([], [tmp_path / "days.bayes"]):
            told = refused("--store", tmp_path / "mail.store", *files)
            assert "may write. End that one first, or name another store with --store." in told


def test_without_the_extra_the_line_to_type_is_told():
    code = "import sys; sys.modules['starlette'] = None; from bayesic.cli.main import main; main()"
    command = [sys.executable, "-c", code, "studio", "--no-open"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert "pip install 'bayesic[serve]'" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_with_tokens_nobody_else_on_this_machine_can_ask(tmp_path):
    token = add_token(tmp_path / "tokens", "read")
    with studying("--tokens", tmp_path / "tokens") as studio:
        assert studio.header == {}  # only hashes are known here
        assert studio.ask("GET", "/studio/documents").status == 401
        header = f"Bearer {token}"
        known = ask(studio.base, "GET", "/studio/documents", authorization=header)
        assert known.json["documents"] == []
        assert studio.ask("GET", "/").status == 200  # the page is no secret
    (tmp_path / "none").touch()
    assert "has no token in it" in refused("--tokens", tmp_path / "none")


def test_a_model_that_is_no_network_is_taken_into_the_store(tmp_path):
    model = by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ["play", "stay"])
    model.save(tmp_path / "days.bayes")
    store = tmp_path / "kept.store"
    for name in ("days", "days 2"):  # each time under a name that is free
        with studying(tmp_path / "days.bayes", "--store", store) as studio:
            assert (studio.path, studio.fields) == ("/desk/models", {"model": name})
            told = studio.ask("POST", f"/models/{name}/predict", {"row": {"sky": "sun"}}).json
            assert told["prediction"] == "play"
            assert studio.ended() == 0


@pytest.fixture
def routes():
    """Method and path of all that needs a right."""
    studio = Studio()
    found = (*SERVED, *studio_routes(studio))
    studio.close()
    return [
        (route.method, re.sub(r"{[^}]*}", "asia", route.path))
        for route in found
        if route.right is not None
    ]


def test_nothing_but_the_page_is_given_without_the_token(routes):
    with studying() as studio:
        assert len(studio.header["authorization"]) > 40
        for method, path in routes:
            for header in ({}, {"authorization": "Bearer guessed"}, {"authorization": ""}):
                answer = ask(studio.base, method, path, {} if method == "POST" else None, **header)
                assert answer.status == 401, (method, path, answer.bytes)
                assert "at the end of the address" in answer.json["message"]
        assert studio.ask("GET", "/studio/documents").status == 200
        for path in ("/", "/desk/table", "/studio/page/frame/page.js", "/health/live"):
            assert ask(studio.base, "GET", path).status == 200
    with studying() as another:
        assert another.header != studio.header


def test_with_no_token_every_account_of_the_machine_can_ask():
    with studying("--no-token") as studio:
        assert studio.header == {}
        assert studio.ask("GET", "/studio/documents").status == 200
        foreign = {"sec_fetch_site": "same-site"}
        assert ask(studio.base, "GET", "/studio/documents", **foreign).status == 403
        assert ask(studio.base, "GET", "/desk/table", **foreign).status == 200


def test_with_tokens_of_a_file_there_is_no_way_around_them(tmp_path):
    add_token(tmp_path / "tokens", "read")
    words = ["studio", "--no-open", "--no-token", "--tokens", str(tmp_path / "tokens")]
    ended = CliRunner().invoke(commands, words)
    assert ended.exit_code == 2
    assert "pass only one" in ended.output


def test_the_browser_is_given_an_address_that_opens_once(tmp_path, monkeypatch):
    (tmp_path / "rows.csv").write_text("sky,go\nsun,yes\nrain,no\n")
    opened = []

    def look(address):
        opened.append(ask("http://" + urlsplit(address).netloc, "GET", urlsplit(address).path))

    def served(store, port, studio, started, tokens):
        with serving(store, tokens=tokens, more_routes=studio_routes(studio)) as address:
            started(address)

    monkeypatch.setattr(webbrowser, "open", lambda address: [look(address), look(address)])
    monkeypatch.setattr("bayesic.cli.studio.run", served)
    ended = CliRunner().invoke(commands, ["studio", str(tmp_path / "rows.csv")])
    assert ended.exit_code == 0, ended.output
    first, second = opened
    assert first.status == 303
    assert first.headers["location"].startswith("/desk/table#table=rows&token=")
    assert first.headers["location"] in ended.output
    assert second.status == 404
    assert "location" not in second.headers
    assert "opened the studio once" in second.json["message"]
