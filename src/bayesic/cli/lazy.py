"""A group of commands, each of which is imported when it is run, not before."""

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from bayesic.cli.help import helpful
from bayesic.cli.messages import sentence, warnings_as_notes

INTERRUPTED = 130  # what shells expect of a command that was ended with Ctrl-C


class LazyGroup(click.Group):
    """Commands by name with one line of help each: --help imports none of them.

    The command `fit` is `bayesic.cli.fit.command`, and `warm-up` that of `warm_up`; other groups
    have a package of their own. Errors of the library end a command with one sentence on stderr and
    exit code 1.
    """

    def __init__(
        self, *args: Any, lines: Mapping[str, str], package: str = "bayesic.cli", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.lines = lines
        self.package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which they are used."""
        return list(self.lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name not in self.lines:
            return None
        words = f"{self.package}.{cmd_name}".removeprefix("bayesic.cli.").replace(".", " ")
        module = import_module(f"{self.package}.{cmd_name.replace('-', '_')}")
        return helpful(module.command, words)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands for --help, from the lines alone."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.lines.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what goes wrong is said in one sentence."""
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
