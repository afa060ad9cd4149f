"""The options that say how a model learns, made from the parameters of the models.

The catalogue says which parameters have an option, and signatures and docstrings say the rest:
types, defaults, and the first sentence of each parameter as its help. What stands here is how
values are typed.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import click

from bayesic.catalogue import MODELS, Input, ModelEntry, typed_models
from bayesic.cli._given import columns_given, number_or_words, parents_given, prior_given
from bayesic.cli._options import parsed_by
from bayesic.cli._signatures import Parameter, parameters_of

NAMED = {"n_neighbors": "neighbors", "priors": "prior"}  # parameters with another name here
LISTS_OF_STOP_WORDS = ("en", "zh")
TABLES: tuple[Input, ...] = ("table", "numbers")
TEXTS: tuple[Input, ...] = ("texts",)


class Ngrams(click.ParamType):
    """How many words are taken together: 1-2 from one to two, 2 two only."""

    name = "ngrams"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """The least and the largest number."""
        least, _, largest = str(value).partition("-")
        if not (least.isdecimal() and (largest or least).isdecimal()):
            self.fail(f"must be a number or two, such as 2 or 1-2, got {value!r}.", param, ctx)
        return int(least), int(largest or least)


class StopWords(click.ParamType):
    """The name of a list that the library has, or a file with one word a line."""

    name = "stop words"

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | list[str]:
        """The name, or the words."""
        if value in LISTS_OF_STOP_WORDS:
            return str(value)
        return [word for line in _read_text(Path(value)).splitlines() if (word := line.strip())]


def _read_text(path: Path) -> str:
    """What a file of UTF-8 text holds."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} must be UTF-8 text, but is not. Save it as UTF-8.") from None


# how values are typed -----------------------------------------------------------------------------


class Form(NamedTuple):
    """How a value is typed: `--prior spam=0.2`."""

    metavar: str
    hint: str = ""  # what the help adds
    read: Callable[[Any], Any] | None = None  # the text, or texts, as an argument
    kind: click.ParamType | type | None = None
    many: bool = False  # it may be given several times


FORMS = {
    "smoothing": Form(
        "AMOUNT",
        "Or auto; m:2 for the m-estimate, m:2:uniform with equal shares, m:2:FILE with a JSON file "
        "{value: p}; COLUMN=AMOUNT for a single column, repeatable; back-off, or back-off:2 with "
        "its strength. Not every model takes all of these.",
        many=True,
    ),
    "decay": Form("SPAN", "Such as 1000 or '30 days', since they were learned.", number_or_words),
    "columns": Form(
        "NAME=KIND", "Repeatable; or a JSON file {name: kind}.", columns_given, many=True
    ),
    "numeric": Form("KIND"),
    "variance": Form("RULE"),
    "weights": Form("RULE"),
    "prior": Form(
        "PRIOR",
        "Given as CLASS=PROBABILITY, repeatable; or as a JSON file {class: probability}.",
        prior_given,
        many=True,
    ),
    "k": Form("NUMBER", read=parents_given),
    "covariance": Form("SHAPE"),
    "shrinkage": Form("AMOUNT", read=number_or_words),
    "C": Form("VARIANCE", kind=float),
    "tokenizer": Form("NAME"),
    "ngrams": Form("NUMBERS", "1, or 1-2 to include pairs.", kind=Ngrams()),
    "stop_words": Form("LIST", "A list is a file with one word per line.", kind=StopWords()),
}


# options ------------------------------------------------------------------------------------------


def option_of(parameter: str) -> str:
    """The name of the option that gives a parameter of a model."""
    return NAMED.get(parameter, parameter)


@cache
def takers() -> dict[str, list[ModelEntry]]:
    """Option -> the models that take it."""
    models_of: dict[str, list[ModelEntry]] = {}
    for entry in MODELS.values():
        for parameter in entry.options:
            models_of.setdefault(option_of(parameter), []).append(entry)
    return models_of


def options_of(reads: Collection[Input]) -> list[str]:
    """The options that are for models which read this, and for no others."""
    return [
        option
        for option, entries in takers().items()
        if all(entry.reads in reads for entry in entries) and option != "model"
    ]


class ModelOption(click.Option):
    """An option that says how a model learns, under its heading in the help."""

    heading = "How it learns"


def model_options() -> list[click.Option]:
    """All of them."""
    headings = {
        **dict.fromkeys(options_of(TABLES), "How it learns tables"),
        **dict.fromkeys(options_of(TEXTS), "How it learns texts"),
    }
    made = [_model_option(), *(_option(name) for name in takers() if name != "model")]
    for option in made:
        option.heading = headings.get(str(option.name), option.heading)
    return [*made]


def _option(name: str) -> ModelOption:
    """The option of this name: in the words of the first model that takes it."""
    entries = takers()[name]
    parameters = [_parameter(entry, name) for entry in entries]
    first, form = parameters[0], _form(name, parameters[0])
    return ModelOption(
        [f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}", name],
        type=form.kind,
        multiple=form.many,
        callback=parsed_by(form.read) if form.read else None,
        metavar=form.metavar,
        show_default=_defaults(entries, parameters),
        help=" ".join(filter(None, (f"{_names(entries)}: {_typed(first.says)}.", form.hint))),
    )


def _parameter(entry: ModelEntry, option: str) -> Parameter:
    name = next(each for each in entry.options if option_of(each) == option)
    return parameters_of(entry.name)[name]


def _form(name: str, parameter: Parameter) -> Form:
    """As it is said above; or else a number or a word, as the type of the parameter says."""
    if name in FORMS:
        return FORMS[name]
    return Form("NUMBER", kind=int) if parameter.takes.startswith("int") else Form(name.upper())


def _names(entries: Sequence[ModelEntry]) -> str:
    """The models as --model names them."""
    names = ", ".join(entry.typed or "texts" for entry in entries)
    return "Texts" if names == "texts" else names


def _typed(text: str) -> str:
    """What a docstring says, as it is typed here.

    >>> _typed('"auto", or np.inf')
    'auto, or inf'
    """
    return text.replace('"', "").replace("np.inf", "inf")


def _defaults(entries: Sequence[ModelEntry], parameters: Sequence[Parameter]) -> str:
    """The default of the first model, and those of others that have another."""
    first, *_ = shown = [_shown(parameter.default) for parameter in parameters]
    others = zip(entries, parameters, shown, strict=True)
    return "; ".join(
        [
            first,
            *(
                f"{entry.typed}: {default}"
                for entry, parameter, default in others
                if default not in (first, "none")
            ),
        ]
    )


def _shown(default: object) -> str:
    if default is None:
        return "none"
    return str(default[0]) if isinstance(default, tuple) else str(default)


def _model_option() -> ModelOption:
    """Which model learns: by another name of tables, or by a parameter of the one of texts."""
    tables, numbers = (", ".join(each.typed for each in typed_models([kind])) for kind in TABLES)
    (texts,) = takers()["model"]
    of_texts = _parameter(texts, "model")
    usual, *_ = typed_models()
    return ModelOption(
        ["--model"],
        metavar="MODEL",
        show_default=f"{usual.typed}; texts: {of_texts.default}",
        help=f"Tables: {tables}; auto if you do not want to choose. Tables of numbers: {numbers}. "
        f"Texts: {_typed(of_texts.says)}; auto chooses the model and how words are cut.",
    )
