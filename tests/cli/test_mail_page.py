"""The page about mails: its scripts and lines run as they stand, with a server on loopback."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bayesic as by
from helpers.http_server import serving
from helpers.mails import HAM, SPAM, made_up_maildirs

PAGE = (Path(__file__).parents[2] / "docs" / "mail.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8000"
BLOCKS = re.findall(r"^```sh (\S+)\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.fixture
def shell(tmp_path):
    """Runs lines in a folder of mails, where `bayesic` and `python` are those of the tests."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, module in (("bayesic", "-m bayesic"), ("python", "")):
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        (tools / name).chmod(0o755)

    def run(lines, **more):
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["sh", "-e", "-c", lines],
            cwd=tmp_path,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
            timeout=120,
            **more,
        )

    return run


def write_mails(folder):
    """Mail with a Maildir for each class, Maildir/.Junk with one more, two mails as files."""
    mails = made_up_maildirs(folder / "Mail")
    junk = folder / "Maildir" / ".Junk"
    for name in ("cur", "new", "tmp"):
        (junk / name).mkdir(parents=True)
    more = SPAM.replace(b"win@", b"prize@").replace(b"Buy", b"free prize " * 40)
    (junk / "cur" / "1700000000.M1.host:2,S").write_bytes(more)
    (mails / "ham" / "cur" / "more").write_bytes(HAM.replace(b"lunch@", b"dinner@"))
    (folder / "win.eml").write_bytes(SPAM.replace(b"win@", b"again@"))
    (folder / "again.eml").write_bytes(more.replace(b"\n\n", b"\nX-Bayes: ham\n\n", 1))


def test_the_lines_of_the_page_learn_mark_correct_and_forget(shell, tmp_path):
    write_mails(tmp_path)
    with serving(tmp_path / "mail.store") as address:
        for name, body in BLOCKS:
            if name != "run":
                (tmp_path / name).write_text(body.replace(ADDRESS, address))
        first, second = (body.replace(ADDRESS, address) for name, body in BLOCKS if name == "run")
        ran = shell(first)
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.splitlines()[0].endswith(": 3 texts learned.")
        assert ran.stdout.splitlines()[1].endswith(": 1 text learned.")
        ran = shell(second)
        assert ran.returncode == 0, ran.stderr
        told = [line.rpartition(": ")[2] for line in ran.stdout.splitlines()]
        assert told == ["1 text learned.", "0 texts learned, 1 corrected.", "1 text forgotten."]
        with by.connect(address) as store:
            ops = [(event.op, event.id) for event in store.history("spam")][-3:]
            assert ops == [(op, "<again@rain.example>") for op in ("learn", "correct", "forget")]
            assert store.model("spam").class_count_.tolist() == [2, 2]
    marked = (tmp_path / "marked.eml").read_text()
    assert marked.startswith("X-Bayes: spam\nMessage-ID:") and marked.count("X-Bayes") == 1
    assert marked.endswith("free prize ")


def test_a_mail_passes_unchanged_where_no_server_answers(shell, tmp_path):
    write_mails(tmp_path)
    (script,) = (body for name, body in BLOCKS if name == "bayesic-mark")
    (tmp_path / "bayesic-mark").write_text(script.replace(ADDRESS, "http://127.0.0.1:1"))
    ran = shell("sh bayesic-mark < win.eml > marked.eml")
    assert ran.returncode == 0
    assert (tmp_path / "marked.eml").read_bytes() == (tmp_path / "win.eml").read_bytes()


def test_a_line_before_the_headers_stays_the_first(shell, tmp_path):
    write_mails(tmp_path)
    (script,) = (body for name, body in BLOCKS if name == "bayesic-mark")
    with serving(tmp_path / "mail.store") as address:
        with by.connect(address) as store:
            store.create("spam", by.TextClassifier())
            store.learn("spam", tmp_path / "Mail")
        (tmp_path / "bayesic-mark").write_text(script.replace(ADDRESS, address))
        (tmp_path / "box.eml").write_bytes(b"From lucky Mon Nov 16 2026\n" + HAM)
        ran = shell("sh bayesic-mark < box.eml")
    assert ran.stdout.splitlines()[:2] == ["From lucky Mon Nov 16 2026", "X-Bayes: ham"]
