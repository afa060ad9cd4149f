"""The options that several commands share."""

from collections.abc import Callable, Iterable
from typing import Any

import click

from bayesic.cli._given import (
    loss_given,
)
from bayesic.cli._help import OptionsOfModels
from bayesic.cli._on_server import TOKEN
from bayesic.cli._paths_and_addresses import FILE, MODEL, MODEL_PLACE, PICTURE, SOURCE_PLACE

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

__all__ = ("PICTURE", "SOURCE_PLACE")  # for commands
WRITE = "File to write."


def limit(name: str, default: int, help_text: str) -> Decorator:
    """How much is taken at most."""
    return click.option(
        name,
        type=click.IntRange(min=1),
        default=default,
        show_default=True,
        metavar="NUMBER",
        help=help_text,
    )


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


of_models = click.option("--of-models", cls=OptionsOfModels)


def is_given(parameter: str) -> bool:
    """Whether the user typed this option."""
    default = click.core.ParameterSource.DEFAULT
    return click.get_current_context().get_parameter_source(parameter) is not default


def first_given(parameters: Iterable[str]) -> str | None:
    """The first of these options that the user typed, as it is typed."""
    given = next((name for name in parameters if is_given(name)), None)
    known = click.get_current_context().command.params
    return next((option.opts[0] for option in known if option.name == given), None)
