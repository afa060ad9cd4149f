"""`bayesic studio` as a process: it opens files, prints where it is, and ends in peace."""

import signal
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import parse_qs

from click.testing import CliRunner

import bayesic as by
from bayesic.cli.main import commands
from bayesic.datasets import asia
from bayesic.serve.tokens import add_token
from helpers.http_server import ask


@contextmanager
def studying(*words):
    """A studio in a process of its own, and the line that it prints."""
    command = [sys.executable, "-m", "bayesic", "studio", "--no-open", *map(str, words)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            line = process.stdout.readline()
            assert line.startswith("The studio is open at http://127.0.0.1:"), process.stderr.read()
            yield process, line.split()[5]
        finally:
            process.kill()


def test_files_are_open_and_ctrl_c_ends_it_with_a_sentence(tmp_path):
    asia().write(tmp_path / "clinic.bif")
    fitted = by.BeliefNetwork([("rain", "wet")]).fit({"rain": ["yes"], "wet": ["no"]}, 1)
    fitted.save(tmp_path / "rain.bayes")
    (tmp_path / "rows.csv").write_text("xray,dysp\nyes,no\n")
    files = [tmp_path / name for name in ("clinic.bif", "rain.bayes", "rows.csv")]
    with studying(*files) as (process, address):
        base, _, place = address.partition("/desk/network#")
        assert place == "document=clinic&cases=rows"
        told = ask(base, "GET", "/studio/documents").json["documents"]
        assert [each["name"] for each in told] == ["clinic", "rain"]
        assert ask(base, "GET", "/studio/cases").json["cases"][0]["columns"] == ["xray", "dysp"]
        assert ask(base, "GET", "/").status == 200
        assert ask(base, "GET", "/models").json == {"models": []}
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert process.stdout.read() == "The studio is closed.\n"
        assert process.stderr.read() == ""


def test_tables_may_be_in_another_encoding(tmp_path):
    (tmp_path / "天气.csv").write_bytes("天,去\n晴,是\n雨,否\n".encode("gbk"))
    with studying(tmp_path / "天气.csv", "--encoding", "gbk") as (_, address):
        base, _, place = address.partition("/desk/table#")
        assert parse_qs(place) == {"table": ["天气"]}
        (told,) = ask(base, "GET", "/studio/cases").json["cases"]
        assert told == {"cases": "天气", "n_rows": 2, "columns": ["天", "去"]}
    for encoding, sentence in [("klingon", "no encoding 'klingon'"), ("ascii", "must be text in")]:
        run = CliRunner().invoke(
            commands, ["studio", str(tmp_path / "天气.csv"), "--encoding", encoding]
        )
        assert run.exit_code == 1
        assert sentence in run.output


def test_a_table_alone_opens_the_table_desk(tmp_path):
    (tmp_path / "my rows.csv").write_text("sky,go\nsun,yes\nrain,no\n")
    with studying(tmp_path / "my rows.csv") as (_, address):
        base, _, place = address.partition("/desk/table#")
        assert place == "table=my+rows"
        (told,) = ask(base, "GET", "/studio/tables").json["tables"]
        assert told == {"name": "my rows", "n_rows": 2, "n_columns": 2}


def test_a_store_that_is_named_stays(tmp_path):
    with studying("--store", tmp_path / "mail.store") as (process, address):
        base = address.rstrip("/")
        assert ask(base, "PUT", "/models/spam", {"model": "TextClassifier"}).status == 201
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
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
    with studying("--tokens", tmp_path / "tokens") as (_, address):
        base = address.rstrip("/")
        assert ask(base, "GET", "/studio/documents").status == 401
        known = ask(base, "GET", "/studio/documents", authorization=f"Bearer {token}")
        assert known.json["documents"] == []
        assert ask(base, "GET", "/").status == 200  # the page is no secret
    (tmp_path / "none").touch()
    assert "has no token in it" in refused("--tokens", tmp_path / "none")


def test_a_model_that_is_no_network_is_taken_into_the_store(tmp_path):
    model = by.NaiveBayes().fit({"sky": ["sun", "rain"]}, ["play", "stay"])
    model.save(tmp_path / "days.bayes")
    store = tmp_path / "kept.store"
    for name in ("days", "days 2"):  # each time under a name that is free
        with studying(tmp_path / "days.bayes", "--store", store) as (process, address):
            base, _, place = address.partition("/desk/models#")
            assert parse_qs(place) == {"model": [name]}
            told = ask(base, "POST", f"/models/{name}/predict", {"row": {"sky": "sun"}}).json
            assert told["prediction"] == "play"
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
