"""The help of every command: options under headings, real defaults, examples that can be typed."""

import inspect
import re
import shlex

import click
import pytest
from click.testing import CliRunner

from bayesic.catalogue import class_named
from bayesic.cli import network
from bayesic.cli._model_options import option_of, takers
from bayesic.cli.main import COMMANDS, commands

EVERY = [*COMMANDS, *(f"network {name}" for name in network.COMMANDS)]
every_command = pytest.mark.parametrize("words", EVERY)


def help_of(words):
    result = CliRunner().invoke(commands, [*words.split(), "--help"], prog_name="bayesic")
    assert result.exit_code == 0
    return result.stdout


def command_of(words):
    found = commands
    for word in words:
        if not isinstance(found, click.Group) or word.startswith("-"):
            break
        found = found.get_command(click.Context(found), word)
    return found


@every_command
def test_every_command_has_two_examples_that_can_be_typed(words):
    examples = re.findall(r"^  (bayesic .*)$", help_of(words).partition("Examples:\n")[2], re.M)
    assert len(examples) == 2
    for example in examples:
        _, *typed = shlex.split(example.partition(" < ")[0])
        assert typed[: len(words.split())] == words.split()
        rest = typed[len(words.split()) :]
        command_of(typed).make_context("bayesic", rest)  # refuses what cannot be typed


@every_command
def test_all_options_but_help_stand_under_a_heading(words):
    rest = re.search(r"^Options:\n(.*?)\n\n", help_of(words), re.M | re.S)[1]
    assert re.findall(r"^  (?:-\w, )?(--[\w-]+)", rest, re.M) == ["--help"]


@every_command
def test_no_default_is_told_in_prose(words):
    text = " ".join(help_of(words).split())
    assert not re.search(r"if not given|as if not|Default:", text)
    assert "[default: (" not in text


@pytest.mark.parametrize("option", takers())
def test_defaults_are_those_of_the_library(option):
    text = " ".join(help_of("fit").split())
    typed = f"-{option}" if len(option) == 1 else f"--{option.replace('_', '-')}"
    after = re.search(rf" {re.escape(typed)} [A-Z=]+ .*?\[default: (.*?)\]", text)[1]
    first, *others = after.split("; ")
    shown = dict(each.split(": ") for each in others)
    for entry in takers()[option]:
        (parameter,) = [each for each in entry.options if option_of(each) == option]
        default = inspect.signature(class_named(entry.name)).parameters[parameter].default
        value = default[0] if isinstance(default, tuple) else default
        if parameter != "priors":  # None is the learned prior
            expected = "none" if value is None else str(value)
            assert shown.get(entry.typed or "texts", first) == expected


def test_help_names_the_models_that_take_an_option():
    text = " ".join(help_of("fit").split())
    assert "--weights RULE naive, tan, kdb: learned, so that columns" in text
    assert "--min-count NUMBER Texts: words that occur less often in total are ignored." in text
