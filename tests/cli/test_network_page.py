"""`bayesic network --help` answers at once, and the page about it is complete and true."""

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import bayesic as by
from bayesic.cli.main import GROUPS, commands
from bayesic.cli.network import COMMANDS
from helpers.command_line import modules_loaded, options_of, section_of

PAGE = (Path(__file__).parents[2] / "docs" / "network-command.md").read_text(encoding="utf-8")

every_command = pytest.mark.parametrize("name", COMMANDS)


def command_named(name):
    group = commands.get_command(click.Context(commands), "network")
    return group.get_command(click.Context(group), name)


def options_named(name):
    return options_of(command_named(name))


def section(name):
    return section_of(PAGE, name)


def test_help_loads_nothing_but_click_and_a_question_only_numpy(folder):
    by.datasets.asia().write(folder / "asia.bif")
    assert modules_loaded("network", "--help") == "[]"
    assert modules_loaded("network", "fit", "--help") == "[]"
    assert modules_loaded("network", "query", "asia.bif", "lung") == "['numpy']"


def test_the_group_is_listed_with_its_first_line():
    group = commands.get_command(click.Context(commands), "network")
    assert GROUPS["network"] == group.help.splitlines()[0]
    assert GROUPS["network"] in CliRunner().invoke(commands, ["--help"]).stdout


@every_command
def test_every_command_has_its_help_and_its_line(name):
    result = CliRunner().invoke(commands, ["network", name, "--help"], prog_name="bayesic")
    assert result.stdout.startswith(f"Usage: bayesic network {name} ")
    assert COMMANDS[name] == command_named(name).help.splitlines()[0]


@every_command
def test_every_command_and_option_is_on_the_page_and_no_other(name):
    assert f"[`{name}`](#{name})" in PAGE
    missing = [option for option in options_named(name) if f"`{option}" not in section(name)]
    assert missing == []
    for line in section(name).splitlines():
        example = re.match(r"\$ bayesic network (\w+)", line)
        named = set(re.findall(r"--[a-z][a-z-]*", line))
        assert named - options_named(example[1] if example else name) == set(), line


def test_the_page_has_no_other_commands():
    assert re.findall(r"^## (\w+)$", PAGE, re.M) == list(COMMANDS)


def test_every_example_of_the_page_gives_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", PAGE, re.M | re.S)
    shown = "".join(body for kind, _, body in blocks if kind == "console")
    printed = ""
    for kind, name, body in blocks:
        if name:
            Path(name).write_text(body, encoding="utf-8")
        elif kind == "console":
            for line in re.findall(r"^\$ (.*)$", body, re.M):
                words = shlex.split(line)[1:]
                result = CliRunner().invoke(commands, words, prog_name="bayesic")
                assert result.exception is None or isinstance(result.exception, SystemExit)
                printed += f"$ {line}\n{result.output}"
    assert without_steps(printed) == without_steps(shown)


def without_steps(text):
    """How many steps a search takes is no promise."""
    return re.sub(r"\d+ steps?", "steps", text)
