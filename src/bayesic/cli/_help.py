"""Groups that import a command when it is run, and help with headings and examples."""

import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import click

from bayesic.cli._messages import sentence, warnings_as_notes

Headings = Mapping[str, tuple[str, ...]]

INTERRUPTED = 130  # what shells expect of a command that was ended with Ctrl-C

# heading -> the options under it; what is named nowhere stands under "Options"
HEADINGS = {
    "What is read": ("--text", "--target", "--class", "--stdin", "--encoding", "--row", "--id"),
    "How it learns": ("--noise", "--new-classes"),
    "How it learns tables": (),  # options of models know their heading
    "How it learns texts": (),
    "Authentication": ("--token",),
    "Who can connect": (
        *("--host", "--port", "--tokens", "--no-token", "--new-token", "--name", "--read-only"),
    ),
    "Where it runs": ("--no-open", "--store"),
    "Limits": (
        *("--max-body", "--max-upload", "--max-rows", "--max-cells"),
        *("--max-classes", "--max-vocabulary"),
    ),
    "What is compared": ("--since", "--start", "--until"),
    "What is held out": ("--cv", "--share", "--leave-one-out", "--seed"),
    "Decisions": ("--loss", "--reject", "--threshold"),
    "What is written": (
        *("--column", "--against", "--work", "--texts", "--worst"),
        *("--sql", "--table", "--dialect", "--onnx", "--dtype", "--missing"),
        *("--for-spreadsheets", "--proba", "--top", "--keep", "--out", "--json", "--quiet"),
    ),
}
OF_NETWORKS = {
    "What is known": ("--given", "--likelihood", "--do"),
    "The edges": ("--edges", "--structure", "--learn"),
    "How it is computed": ("--method", "--smoothing", "--starts", "--samples", "-n", "--seed"),
    "Files": ("--normalise", "--table", "--out", "--json"),
}

# two for each command
EXAMPLES = {
    "fit": (
        "bayesic fit tennis.csv --target PlayTennis --out tennis.bayes",
        "bayesic fit mails.csv --text subject --text body --target label -o spam.bayes",
    ),
    "predict": (
        "bayesic predict tennis.bayes new.csv --keep --out answers.csv",
        "bayesic predict http://127.0.0.1:8000/models/spam --stdin mail < mail.eml",
    ),
    "evaluate": (
        "bayesic evaluate tennis.csv --target PlayTennis --cv 10",
        "bayesic evaluate spam.bayes mails.csv --leave-one-out",
    ),
    "explain": (
        "bayesic explain tennis.bayes new.csv --row 0",
        'bayesic explain spam.bayes --text "Free money"',
    ),
    "plot": (
        "bayesic plot confusion tennis.bayes tennis.csv --out confusion.png",
        'bayesic plot evidence spam.bayes --text "Free money" -o evidence.svg',
    ),
    "show": (
        "bayesic show tennis.bayes",
        "bayesic show tennis.bayes --column Outlook",
    ),
    "drift": (
        "bayesic drift may.bayes june.bayes",
        "bayesic drift http://127.0.0.1:8000/models/spam --since 2026-06-01",
    ),
    "update": (
        "bayesic update tennis.bayes more.csv",
        "bayesic update spam.bayes - --class spam < mail.eml",
    ),
    "forget": (
        "bayesic forget tennis.bayes more.csv",
        "bayesic forget spam.bayes mail.eml --class spam",
    ),
    "merge": (
        "bayesic merge monday.bayes tuesday.bayes --out week.bayes",
        "bayesic merge week.bayes wednesday.bayes --out week.bayes",
    ),
    "export": (
        "bayesic export tennis.bayes --sql --table days --keep day",
        "bayesic export tennis.bayes --onnx tennis.onnx",
    ),
    "studio": (
        "bayesic studio",
        "bayesic studio asia.bif rows.csv",
    ),
    "serve": (
        "bayesic serve mail.store",
        "bayesic serve mail.store --tokens tokens.txt --new-token learn",
    ),
    "warm-up": (
        "bayesic warm-up",
        "bayesic warm-up --json",
    ),
    "demo": (
        "bayesic demo",
        "bayesic demo --texts",
    ),
    "network query": (
        "bayesic network query asia.bif dysp --given smoke=yes",
        "bayesic network query asia.bif --given xray=yes --json",
    ),
    "network show": (
        "bayesic network show asia.bif",
        "bayesic network show asia.bif --table dysp",
    ),
    "network convert": (
        "bayesic network convert asia.bif asia.json",
        "bayesic network convert asia.net asia.xml.gz",
    ),
    "network sample": (
        "bayesic network sample asia.bif -n 1000 --seed 1 --out rows.csv",
        "bayesic network sample asia.bif -n 10 --given smoke=yes",
    ),
    "network fit": (
        "bayesic network fit rows.csv --edges 'smoke->lung,smoke->bronc' --out lungs.bif",
        "bayesic network fit rows.csv --learn hill-climb --smoothing 1 -o found.json",
    ),
}


class _HelpfulCommand(click.Command):
    """A command whose help has its options under headings, with real defaults, and examples."""

    def __init__(self, *args: Any, headings: Headings, examples: Iterable[str], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.headings, self.examples = headings, tuple(examples)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options under their headings; those of no heading at the end."""
        under: dict[str, list[tuple[str, str]]] = {heading: [] for heading in self.headings}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is not None and isinstance(option, click.Option):
                line = record[0], _plain_default(record[1])
                under.setdefault(self._heading(option), []).append(line)
        for heading, records in under.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def _heading(self, option: click.Option) -> str:
        headings = (
            h for h, names in self.headings.items() if not set(names).isdisjoint(option.opts)
        )
        return getattr(option, "heading", None) or next(headings, "Options")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, one a line, as they are typed."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


def _plain_default(text: str) -> str:
    """A default given in words, written like one that is a value.

    >>> _plain_default("How sure.  [default: (1.0)]")
    'How sure.  [default: 1.0]'
    """
    start, mark, rest = text.rpartition("[default: (")
    line, end, after = rest.rpartition(")")
    return f"{start}[default: {line}{after}" if mark and end else text


def _helpful(command: click.Command, words: str) -> click.Command:
    """A command with the help of this file; `words` are what is typed: "network fit"."""
    if isinstance(command, click.Group):
        return command
    return _HelpfulCommand(
        command.name,
        context_settings=command.context_settings,
        callback=command.callback,
        params=[each for one in command.params for each in _made(one)],
        help=command.help,
        headings=OF_NETWORKS if words.startswith("network ") else HEADINGS,
        examples=EXAMPLES.get(words, ()),
    )


class OptionsOfModels(click.Option):
    """Stands for the options that say how a model learns, which are made when they are needed."""

    def made(self) -> list[click.Option]:
        """These options."""
        from bayesic.cli._model_options import model_options

        return model_options()


def _made(option: click.Parameter) -> Iterable[click.Parameter]:
    """The option itself, or those that it stands for."""
    return option.made() if isinstance(option, OptionsOfModels) else (option,)


class LazyGroup(click.Group):
    """Commands by name with one line of help each: --help imports none of them.

    module  : holds all commands: `warm-up` is its `warm_up`
    package : has a module for each command instead: `fit` is the `command` of its `fit`

    Errors of the library end a command with one sentence on stderr and exit code 1.
    """

    def __init__(
        self,
        *args: Any,
        lines: Mapping[str, str],
        module: str | None = None,
        package: str = "bayesic.cli",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.lines, self.module, self.package = lines, module, package

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which they are used."""
        return list(self.lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name not in self.lines:
            return None
        words = f"{self.package}.{cmd_name}".removeprefix("bayesic.cli.").replace(".", " ")
        if self.module is None:
            return _helpful(import_module(f"{self.package}.{cmd_name}").command, words)
        return _helpful(getattr(import_module(self.module), cmd_name.replace("-", "_")), words)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands for --help, from the lines alone."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.lines.items()))

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; errors become one sentence."""
        try:
            with warnings_as_notes():
                result = super().invoke(ctx)
                sys.stdout.flush()  # a closed pipe shows here, not when Python has shut down
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            raise  # the reader has seen enough (| head): click ends quietly
        except (ValueError, TypeError, OSError, MemoryError, ImportError) as error:
            raise click.ClickException(sentence(error)) from error
        return result
