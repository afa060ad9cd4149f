"""`bayesic --help` answers at once, and the page of documentation is complete and true."""

import re
from importlib.metadata import entry_points
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import bayesic as by
from bayesic.cli.main import COMMANDS, commands, main
from helpers.command_line import modules_loaded, options_of, ran, rounded, section_of

PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")

every_command = pytest.mark.parametrize("name", COMMANDS)


def command_named(name):
    return commands.get_command(click.Context(commands), name)


def options_named(name):
    return options_of(command_named(name))


def section(name):
    return section_of(PAGE, name)


def test_help_loads_nothing_but_click():
    assert modules_loaded("--help") == "[]"


@every_command
def test_every_command_has_its_help(name):
    result = CliRunner().invoke(commands, [name, "--help"], prog_name="bayesic")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: bayesic {name} ")


def test_the_help_of_fit_and_a_wrong_option_load_nothing_heavy():
    assert modules_loaded("fit", "--help") == "[]"
    assert modules_loaded("evaluate", "--wrong") == "[]"


@every_command
def test_the_line_of_help_is_the_first_sentence_of_the_command(name):
    first_line = command_named(name).help.splitlines()[0]
    assert COMMANDS[name] == first_line
    assert COMMANDS[name] in CliRunner().invoke(commands, ["--help"]).stdout


def test_the_version_is_that_of_the_library():
    assert by.__version__ in CliRunner().invoke(commands, ["--version"]).stdout


def test_the_script_is_installed():
    (script,) = entry_points(group="console_scripts", name="bayesic")
    assert script.load() is main


# the page -----------------------------------------------------------------------------------------


@every_command
def test_every_command_and_option_is_on_the_page(name):
    assert f"[`{name}`](#{name})" in PAGE
    missing = [option for option in options_named(name) if f"`{option}" not in section(name)]
    assert missing == []
    assert f"$ bayesic {name}" in section(name)


@every_command
def test_the_page_names_no_option_that_does_not_exist(name):
    for line in section(name).splitlines():
        example = re.match(r"\$ (?:cat \S+ \| )?bayesic ([\w-]+)", line)
        named = set(re.findall(r"--[a-z][a-z-]*", line))
        assert named - options_named(example[1] if example else name) == set(), line


@every_command
def test_defaults_of_the_page_are_those_of_the_command(name):
    """A default of one word is the value itself; a number is on the page in any case."""
    rows = {
        option: row
        for row in section(name).splitlines()
        for option in re.findall(r"`(--[\w-]+)", row)
    }
    for option in command_named(name).params:
        row = rows.get(option.opts[0], "")
        shown = re.findall(r"\[default: (\S+)\]", row)
        is_said = bool(option.default) and type(option.default) in (int, str)
        if is_said and (shown or type(option.default) is int):
            assert shown == [str(option.default)] or f" {option.default} " in row, option.opts


def test_the_page_has_no_other_commands():
    assert re.findall(r"^## ([\w-]+)$", PAGE, re.M) == list(COMMANDS)
    everywhere = set(re.findall(r"--[a-z][a-z-]*", PAGE.partition("## fit")[0]))
    of_servers = {"--class", "--token", "--id"}
    assert everywhere <= {"--help", "--version", "--json", "--encoding"} | of_servers


def test_every_example_of_the_page_gives_what_the_page_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", PAGE, re.M | re.S)
    shown = "".join(body for kind, _, body in blocks if kind == "console")
    printed = ""
    for kind, name, body in blocks:
        if name:
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text(body, encoding="utf-8")
        elif kind == "console":
            printed += "".join(map(ran, re.findall(r"^\$ (.*)$", body, re.M)))
    assert rounded(printed) == rounded(shown)
