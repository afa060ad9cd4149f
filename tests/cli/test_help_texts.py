"""The help of every command: options under headings, real defaults, examples that can be typed."""

import inspect
import re
import shlex

import click
import pytest
from click.testing import CliRunner

import bayesic as by
from bayesic.cli import network
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


@pytest.mark.parametrize(
    ("option", "model", "parameter"),
    [
        ("--smoothing", "NaiveBayes", "smoothing"),
        ("--smoothing", "TextClassifier", "smoothing"),
        ("--decay", "NaiveBayes", "decay"),
        ("--model", "TextClassifier", "model"),
        ("--numeric", "NaiveBayes", "numeric"),
        ("--prior", "NaiveBayes", "prior"),
        ("-k", "KDependence", "k"),
        ("-n", "AveragedOneDependence", "n"),
        ("--shrinkage", "GaussianBayes", "shrinkage"),
        ("-C", "LogisticRegression", "C"),
        ("--neighbors", "KNeighborsClassifier", "n_neighbors"),
        ("--smoothing", "KNeighborsClassifier", "smoothing"),
        ("--language", "TextClassifier", "language"),
        ("--analyzer", "TextClassifier", "analyzer"),
        ("--min-count", "TextClassifier", "min_count"),
        ("--drop-top", "TextClassifier", "drop_top"),
        ("--stop-words", "TextClassifier", "stop_words"),
        ("--weighting", "TextClassifier", "weighting"),
    ],
)
def test_defaults_are_those_of_the_library(option, model, parameter):
    default = inspect.signature(getattr(by, model)).parameters[parameter].default
    text = " ".join(help_of("fit").split())
    after = re.search(rf" {re.escape(option)} [A-Z=]+ .*?\[default: (.*?)\]", text)[1]
    values = [value.rpartition(": ")[2] for value in after.split("; ")]
    assert ("none" if default is None else str(default)) in values
