"""The command line from outside: what it loads, its options, its pages, a terminal."""

import re
import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path

import click
from click.testing import CliRunner

from bayesic.cli.main import commands

HEAVY = ("numpy", "scipy", "sklearn", "duckdb", "narwhals", "pyarrow", "rich", "numba")


class Terminal(StringIO):
    """A stream that is a terminal and keeps what is written to it."""

    def isatty(self) -> bool:
        return True


def modules_loaded(*words: str) -> str:
    """Which heavy modules the command line loads for these words, as a printed list."""
    program = f"""
import sys
from bayesic.cli.main import main
sys.argv = ["bayesic", *{words!r}]
try:
    main()
except SystemExit:
    print([name for name in {HEAVY!r} if name in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return ran.stdout.splitlines()[-1]


def options_of(command: click.Command) -> set[str]:
    """All that options of a command are called."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    return {name for option in options for name in option.opts}


def section_of(page: str, name: str) -> str:
    """The part of a page about one command."""
    found = re.search(rf"^## {name}$(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert found is not None
    return found[1]


def ran(line: str) -> str:
    """A command as it stands on the page, perhaps behind `cat FILE |`, and all that it prints."""
    words, stdin = shlex.split(line), None
    if words[0] == "cat":
        stdin, words = Path(words[1]).read_bytes(), words[3:]
    assert words[0] == "bayesic"
    result = CliRunner().invoke(commands, words[1:], prog_name="bayesic", input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return f"$ {line}\n{result.output}"


def rounded(text: str) -> str:
    """Decimals with ten digits: the last ones differ from one machine to the next."""
    return re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.10f}", text)
