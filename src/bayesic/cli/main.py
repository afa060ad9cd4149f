"""The command `bayesic`. Only click is imported here, so that --help answers at once."""

import os
import signal
import sys
from io import TextIOWrapper
from typing import NoReturn

import click

from bayesic import __version__
from bayesic.cli._help import LazyGroup

COMMANDS = {
    "fit": "Learn a model from a table or from texts.",
    "predict": "Predict, and decide, for the rows of a table or for texts.",
    "evaluate": "How good the answers are on data that was not learned.",
    "explain": "Why a row or a text gets its answer.",
    "plot": "A picture of a model and its answers, as a PNG or SVG file.",
    "show": "What a model has learned.",
    "drift": "What has changed between two models.",
    "update": "Learn more rows or texts.",
    "forget": "Remove rows or texts from a model.",
    "merge": "Add up models that were learned separately.",
    "export": "Write a model as SQL or ONNX, so that other programs can predict.",
    "studio": "Open networks and tables on a page in the browser.",
    "serve": "Serve a store of models over HTTP.",
    "warm-up": "Compile all kernels now, so that no query waits for them.",
    "demo": "The textbook story of playing tennis, or of texts.",
}

# with their own commands and their own page
GROUPS = {"network": "Belief networks: queries, files, samples, learning."}


@click.group(
    cls=LazyGroup,
    lines=COMMANDS | GROUPS,
    module="bayesic.cli.commands",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="bayesic")
def commands() -> None:
    """Bayesian learning by counting: from tables and texts to answers and reasons.

    Tables are CSV, TSV or Parquet files. Texts are a column of these, or files and mails in
    folders. Models are .bayes files, or on a server: http://127.0.0.1:8000/models/spam.
    """


class OwnProcess:
    """Says to commands that the process is theirs, and ends with them."""


def main() -> None:
    """Run the command line, and end the process."""
    if sys.stderr is None:  # it was closed (2>&-)
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            _prepare(stream)
    if sys.stdout is None:  # before anything is done, and before a file takes its number
        end("stdout is closed, so there is nowhere to write. Send it to a file or to /dev/null.")
    if hasattr(signal, "SIGPIPE"):
        # as other tools end when the reader has seen enough (| head); not for what serves sockets
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        commands(prog_name="bayesic", obj=OwnProcess())
    except OSError as error:  # of --help, which is written before a command runs
        end(f"stdout cannot be written: {error.strerror or error}.")
    except SystemExit as ended:
        _end_with(ended.code)


def _end_with(code: str | int | None) -> NoReturn:
    """End the process with this code, unless the last words do not get through to stdout."""
    try:
        sys.stdout.flush()
    except OSError as error:
        if code:  # it was said already
            end("", int(code))
        end(f"stdout cannot be written: {error.strerror or error}.")
    sys.exit(code)


def end(sentence: str, code: int = 1) -> NoReturn:
    """End the process with a sentence; what is left for stdout is dropped."""
    if sentence:
        click.echo(f"Error: {sentence}", err=True)
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # Python tries again when it shuts down
    sys.exit(code)


def _prepare(stream: TextIOWrapper) -> None:
    """Let a stream take any name: a terminal without Chinese shows codes such as \\u6674.

    Files and pipes get UTF-8, in which tables are read, whatever the language of the system is.
    """
    encoding = stream.encoding if stream.isatty() else "utf-8"
    stream.reconfigure(encoding=encoding, errors="backslashreplace")


if __name__ == "__main__":
    main()
