"""What --help shows beside the first lines: options under headings, and examples."""

from collections.abc import Iterable, Mapping
from typing import Any

import click

Headings = Mapping[str, tuple[str, ...]]

# heading -> the options under it; what is named nowhere stands under "Options"
HEADINGS = {
    "What is read": ("--text", "--target", "--class", "--stdin", "--encoding", "--row"),
    "How it learns": ("--model", "--smoothing", "--new-classes"),
    "How it learns tables": (
        *("--columns", "--numeric", "--variance", "--prior", "-k", "-n"),
        *("--shrinkage", "-C", "--neighbors"),
    ),
    "How it learns texts": (
        *("--language", "--ngrams", "--analyzer", "--tokenizer", "--min-count", "--drop-top"),
        *("--stop-words", "--weighting"),
    ),
    "What is held out": ("--cv", "--share", "--leave-one-out", "--seed"),
    "Decisions": ("--loss", "--reject", "--threshold"),
    "What is written": (
        *("--column", "--against", "--work", "--texts", "--worst"),
        *("--proba", "--top", "--keep", "--out", "--json"),
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
        'bayesic predict spam.bayes --text "Free money" --threshold spam=0.99',
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


class HelpfulCommand(click.Command):
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
                told = record[0], plain_default(record[1])
                under.setdefault(self._heading(option), []).append(told)
        for heading, records in under.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def _heading(self, option: click.Option) -> str:
        found = (h for h, names in self.headings.items() if not set(names).isdisjoint(option.opts))
        return next(found, "Options")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, one a line, as they are typed."""
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


def plain_default(text: str) -> str:
    """A default that is told in words as one that is a value.

    >>> plain_default("How sure.  [default: (1.0)]")
    'How sure.  [default: 1.0]'
    """
    start, mark, rest = text.rpartition("[default: (")
    told, end, after = rest.rpartition(")")
    return f"{start}[default: {told}{after}" if mark and end else text


def helpful(command: click.Command, words: str) -> click.Command:
    """A command with the help of this file; `words` are what is typed: "network fit"."""
    if isinstance(command, click.Group):
        return command
    return HelpfulCommand(
        command.name,
        context_settings=command.context_settings,
        callback=command.callback,
        params=command.params,
        help=command.help,
        headings=OF_NETWORKS if words.startswith("network ") else HEADINGS,
        examples=EXAMPLES.get(words, ()),
    )
