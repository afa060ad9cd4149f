"""The options that several commands share."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from bayesic.cli.given import (
    columns_given,
    loss_given,
    number_or_words,
    parents_given,
    prior_given,
)
from bayesic.cli.on_server import TOKEN
from bayesic.cli.places import FILE, MODEL, MODEL_PLACE, PICTURE, SOURCE_PLACE

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

__all__ = ("PICTURE", "SOURCE_PLACE")  # for commands
WRITE = "File to write."


def limit(name: str, default: int, told: str) -> Decorator:
    """How much is taken at most."""
    return click.option(
        name,
        type=click.IntRange(min=1),
        default=default,
        show_default=True,
        metavar="NUMBER",
        help=told,
    )


class Ngrams(click.ParamType):
    """How many words are taken together: 1-2 from one to two, 2 two only."""

    name = "ngrams"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, int]:
        """The least and the largest number."""
        least, _, largest = str(value).partition("-")
        if not (least.isdecimal() and (largest or least).isdecimal()):
            self.fail(f"must be a number or two, such as 2 or 1-2, got {value!r}.", param, ctx)
        return int(least), int(largest or least)


class StopWords(click.ParamType):
    """The name of a list that the library has, or a file with one word a line."""

    name = "stop words"

    def convert(self, value: Any, param: Any, ctx: Any) -> str | list[str]:
        """The name, or the words."""
        if value in LISTS_OF_STOP_WORDS:
            return str(value)
        return [word for line in _read_text(Path(value)).splitlines() if (word := line.strip())]


LISTS_OF_STOP_WORDS = ("en", "zh")


def _read_text(path: Path) -> str:
    """What a file of UTF-8 text holds."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} must be UTF-8 text, but is not. Save it as UTF-8.") from None


def together(*decorators: Decorator) -> Decorator:
    """Several options as one decorator, in this order."""

    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def parsed_by(read: Callable[[Any], Any]) -> Callable[..., Any]:
    """What click does with the value of an option, where a function of ours reads it."""
    return lambda context, option, value: read(value)


def _column_names(names: tuple[str, ...]) -> str | tuple[str, ...] | None:
    """The names of columns as models take them: none, one, or several.

    >>> _column_names(()), _column_names(("body",)), _column_names(("subject", "body"))
    (None, 'body', ('subject', 'body'))
    """
    return names if len(names) > 1 else next(iter(names), None)


def row(text: str) -> Decorator:
    """The option that names one row or text by its number."""
    return click.option(
        "--row",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        metavar="NUMBER",
        help=text,
    )


def _read_as(context: click.Context, encoding: str | None) -> None:
    """Let all files be read in this encoding until the command ends."""
    from bayesic.data.encodings import reading_as

    if encoding is not None:
        try:
            context.with_resource(reading_as(encoding))
        except ValueError as error:
            raise click.BadParameter(str(error)) from error


token = click.option(
    "--token",
    envvar="BAYESIC_TOKEN",
    callback=lambda context, option, given: context.meta.update({TOKEN: given}),
    expose_value=False,  # commands that query a server find it in the context
    metavar="TOKEN",
    show_default="the environment variable BAYESIC_TOKEN",
    help="Token, if MODEL is the URL of a model on a server that requires one.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
target = click.option(
    "--target",
    metavar="NAME",
    show_default="that of the model, or the last; for texts the only other",
    help="Column with the classes.",
)
encoding = click.option(
    "--encoding",
    metavar="NAME",
    callback=lambda context, option, name: _read_as(context, name),
    expose_value=False,  # it holds for all files, until the command ends
    show_default="utf-8",
    help="Encoding of CSV files and texts, such as gbk. Mails declare their own.",
)
text_column = together(
    click.option(
        "--text",
        multiple=True,
        callback=parsed_by(_column_names),
        metavar="NAME",
        show_default="that of the model, if there is one",
        help="Column with the texts; several are joined by a line break, in this order.",
    ),
    encoding,
)
stdin = together(
    click.option(
        "--stdin",
        type=click.Choice(["lines", "text", "mail"]),
        default="lines",
        show_default=True,
        help="What stdin holds: one text per line, one text, or one mail.",
    ),
    encoding,
)
loss = click.option(
    "--loss",
    type=FILE,
    callback=parsed_by(loss_given),
    metavar="FILE",
    help="Costs: JSON {action: {class: cost}}, or CSV with a row for each action.",
)
reject = click.option(
    "--reject", type=float, metavar="COST", help="Cost of taking no action; allows 'reject'."
)

# a command that changes a model file
change = together(
    click.argument("model", type=MODEL_PLACE),
    click.argument("sources", type=FILE, nargs=-1, required=True, metavar="SOURCE..."),
    click.option("--class", "label", metavar="CLASS", help="Class of all given texts and mails."),
    click.option(
        "--stdin",
        type=click.Choice(["mail", "text", "lines"]),
        default="mail",
        show_default=True,
        help="What stdin holds, where SOURCE is -: one mail, one text, or one text per line.",
    ),
    text_column,
    target,
    click.option(
        "--id",
        "id_column",
        metavar="NAME",
        help="Column with the ids of rows, for a model on a server: each is learned once.",
    ),
    click.option("--out", "-o", type=MODEL, metavar="MODEL", show_default="MODEL", help=WRITE),
    token,
    as_json,
)


# how a model learns -----------------------------------------------------------------------------

parameters = together(
    click.option(
        "--smoothing",
        multiple=True,
        metavar="AMOUNT",
        show_default="1.0; knn: 0.0",
        help="Pseudo-count of every value or word, or auto; m:2 for the m-estimate, m:2:uniform "
        "with equal shares, m:2:FILE with a JSON file {value: p}. For tables also COLUMN=AMOUNT "
        "for a single column. Repeatable. For tan, kdb and aode a number, m:2 or m:2:uniform, "
        "back-off, or back-off:2 with its strength. For knn, pseudo-count of every class.",
    ),
    click.option(
        "--decay",
        callback=parsed_by(number_or_words),
        metavar="SPAN",
        show_default="none",
        help="Half-life: rows or texts this old count half as much. A number of rows, such as "
        "1000, or a span of time, such as '30 days', since they were learned. For naive, tan, "
        "kdb, aode and "
        "texts.",
    ),
    click.option(
        "--model",
        metavar="MODEL",
        show_default="naive; texts: multinomial",
        help="Tables: naive; tan, kdb or aode, in which columns depend on each other; forest; "
        "auto for the average of the family, if you do not want to choose; or, for tables of "
        "numbers, gaussian, qda, lda, logistic or knn. Texts: multinomial, complement, "
        "bernoulli or binary-multinomial; or auto, which chooses the model and how words are cut.",
    ),
    click.option(
        "--columns",
        multiple=True,
        callback=parsed_by(columns_given),
        metavar="NAME=KIND",
        help="Tables: type of a column: categorical, gaussian, kernel, binned, poisson, bernoulli, "
        "text or ignore; for tan, kdb and aode categorical, binned or ignore. Repeatable; or a "
        "JSON file {name: kind}.",
    ),
    click.option(
        "--numeric",
        default="auto",
        show_default=True,
        metavar="KIND",
        help="Tables: type of all other numeric columns: auto, gaussian, kernel, binned, "
        "poisson or categorical.",
    ),
    click.option(
        "--variance",
        default="smoothed",
        show_default=True,
        metavar="RULE",
        help="naive: variance of gaussian columns: smoothed, ml (divided by N) or unbiased (by "
        "N - 1).",
    ),
    click.option(
        "--weights",
        metavar="RULE",
        help="naive, tan, kdb: learned, so that columns which repeat each other count less.",
    ),
    click.option(
        "--prior",
        multiple=True,
        callback=parsed_by(prior_given),
        metavar="PRIOR",
        show_default="learned",
        help="Tables: learned, uniform, or CLASS=PROBABILITY for each class. Repeatable; or a "
        "JSON file {class: probability}.",
    ),
    click.option(
        "-k",
        callback=parsed_by(parents_given),
        metavar="NUMBER",
        show_default="1",
        help="kdb: the most columns that a column may depend on; auto to choose it, and the "
        "columns.",
    ),
    click.option(
        "-n",
        type=int,
        metavar="NUMBER",
        show_default="1",
        help="aode: how many columns the others depend on, 1 or 2.",
    ),
    click.option(
        "--shrinkage",
        callback=parsed_by(number_or_words),
        metavar="AMOUNT",
        show_default="none",
        help="gaussian, qda, lda: weight of a simpler covariance, from 0 to 1, or auto; for "
        "gaussian also ledoit-wolf.",
    ),
    click.option(
        "-C",
        "C",
        type=float,
        metavar="VARIANCE",
        show_default="1.0",
        help="logistic: variance of the prior of each weight; inf for no penalty.",
    ),
    click.option(
        "--neighbors",
        type=int,
        metavar="NUMBER",
        show_default="5",
        help="knn: how many neighbours vote.",
    ),
    click.option(
        "--language", metavar="LANGUAGE", show_default="auto", help="Texts: auto, en or zh."
    ),
    click.option(
        "--ngrams",
        type=Ngrams(),
        metavar="NUMBERS",
        show_default="1",
        help="Texts: lengths of runs of words: 1, or 1-2 to include pairs.",
    ),
    click.option(
        "--analyzer",
        metavar="ANALYZER",
        show_default="word",
        help="Texts: word, or char for runs of characters.",
    ),
    click.option(
        "--tokenizer",
        metavar="NAME",
        help="Texts: how they are cut, instead of --language and --analyzer: zh-words for "
        "Chinese words only, zh-characters, or whitespace for texts that are already cut.",
    ),
    click.option(
        "--min-count",
        type=int,
        metavar="NUMBER",
        show_default="1",
        help="Texts: ignore words that occur less often.",
    ),
    click.option(
        "--drop-top",
        type=int,
        metavar="NUMBER",
        show_default="0",
        help="Texts: ignore this many of the most frequent words.",
    ),
    click.option(
        "--max-words",
        type=int,
        metavar="NUMBER",
        show_default="all",
        help="Texts: use only this many words, those that say most about the class.",
    ),
    click.option(
        "--stop-words",
        type=StopWords(),
        metavar="LIST",
        show_default="none",
        help="Texts: words to ignore: en, zh, or a file with one word per line.",
    ),
    click.option(
        "--weighting",
        metavar="WEIGHTING",
        show_default="none",
        help="Texts: none, tf-idf or log-count-ratio.",
    ),
)


def is_given(parameter: str) -> bool:
    """Whether the user typed this option."""
    default = click.core.ParameterSource.DEFAULT
    return click.get_current_context().get_parameter_source(parameter) is not default


def first_given(parameters: Iterable[str]) -> str | None:
    """The first of these options that the user typed, as it is typed."""
    given = next((name for name in parameters if is_given(name)), None)
    known = click.get_current_context().command.params
    return next((option.opts[0] for option in known if option.name == given), None)
