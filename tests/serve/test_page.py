"""The page of the server: every example of curl gives what the page shows, every route is there."""

import re
import shlex
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import bayesic as by
from bayesic.serve.routes import ROUTES
from helpers.http_server import ask, serving

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8000"


def curled(address, line):
    """What the server says to a line of curl."""
    words = shlex.split(line)
    assert words.pop(0) == "curl"
    given = {"-X": None, "-H": "", "-d": None}
    while words:
        word = words.pop(0)
        if word in given:
            given[word] = words.pop(0)
        else:
            assert word.startswith(ADDRESS)
            path = urlsplit(word).path
    body = None if given["-d"] is None else given["-d"].encode()
    headers = {"content_type": given["-H"].partition(": ")[2]} if given["-H"] else {}
    method = given["-X"] or ("GET" if body is None else "POST")
    return ask(address, method, path, body, **headers).bytes.decode()


def rounded(text):
    return re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.10f}", text)


def test_every_example_gives_what_the_page_shows(tmp_path):
    shown = "".join(re.findall(r"^```console\n(.*?)^```$", PAGE, re.M | re.S))
    with serving(tmp_path / "mail.store") as address:
        lines = re.findall(r"^\$ (.*)$", shown, re.M)
        printed = "".join(f"$ {line}\n{curled(address, line)}\n" for line in lines)
    assert rounded(printed) == rounded(shown)


def test_the_python_of_the_page_runs(tmp_path, capsys):
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)
    with serving(tmp_path / "mail.store") as address:
        exec(program.replace(ADDRESS, address), {"by": by})
    assert capsys.readouterr().out == "['go']\n"


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_every_route_is_on_the_page_with_its_right(route):
    (line,) = [
        line
        for line in PAGE.splitlines()
        if line.startswith("|") and f"`{route.method} {route.path}`" in line
    ]
    assert line.split("|")[2].strip() == (route.right or "")
