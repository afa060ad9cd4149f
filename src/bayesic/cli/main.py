"""The command `bayesic`. Only click is imported here, so that --help answers at once."""

import sys
from io import TextIOWrapper

import click

from bayesic import __version__
from bayesic.cli.lazy import LazyGroup

COMMANDS = {
    "fit": "Learn a model from a table or from texts.",
    "predict": "Answers, and decisions, for the rows of a table or for texts.",
    "evaluate": "How good the answers are on what was not learned.",
    "explain": "Why a row or a text gets its answer.",
    "plot": "A picture of a model and its answers, as a PNG or SVG file.",
    "show": "What a model has learned.",
    "update": "Learn more rows or texts.",
    "forget": "Take rows or texts back out of a model.",
    "merge": "Add up models that were learned apart.",
    "demo": "The textbook story of playing tennis, or of texts.",
}

# with commands of their own, and a page of their own
GROUPS = {"network": "Belief networks: questions, files, samples, learning."}


@click.group(
    cls=LazyGroup,
    lines=COMMANDS | GROUPS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="bayesic")
def commands() -> None:
    """Bayesian learning by counting: from tables and texts to answers and reasons.

    Tables are CSV, TSV or Parquet files. Texts are a column of these, or files and mails in
    folders. Models are .bayes files.
    """


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            prepare(stream)
    commands(prog_name="bayesic")


def prepare(stream: TextIOWrapper) -> None:
    """Let a stream take any name: a terminal without Chinese shows codes such as \\u6674.

    Files and pipes get UTF-8, in which tables are read, whatever the language of the system is.
    """
    encoding = stream.encoding if stream.isatty() else "utf-8"
    stream.reconfigure(encoding=encoding, errors="backslashreplace")


if __name__ == "__main__":
    main()
