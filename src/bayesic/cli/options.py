"""The options that several commands share, and how their values are read."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

FILE = click.Path(path_type=Path)


class ModelFile(click.Path):
    """The path of a model file, which ends in .bayes."""

    name = "model file"

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Any, ctx: Any) -> Path:
        """The path, if it has the right ending."""
        path = Path(str(super().convert(value, param, ctx)))
        if not is_model_file(path):
            self.fail(f"a model file must end in .bayes, got {str(path)!r}.", param, ctx)
        return path


def is_model_file(path: Path) -> bool:
    """Whether the path has the ending of a model file.

    >>> is_model_file(Path("spam.bayes")), is_model_file(Path("spam.csv"))
    (True, False)
    """
    return path.suffix.lower() == ".bayes"


MODEL = ModelFile()


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
        return [word for line in read_text(Path(value)).splitlines() if (word := line.strip())]


LISTS_OF_STOP_WORDS = ("en", "zh")


def read_text(path: Path) -> str:
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


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
out = click.option("--out", "-o", type=MODEL, required=True, metavar="MODEL", help="File to write.")
target = click.option(
    "--target", metavar="NAME", help="Column with the classes. Default: the model's, or the last."
)
text_column = click.option(
    "--text", metavar="NAME", help="Column with the texts. Default: the model's."
)
stdin = click.option(
    "--stdin",
    type=click.Choice(["lines", "text", "mail"]),
    default="lines",
    show_default=True,
    help="What stdin holds: one text a line, one text, or one mail.",
)
loss = click.option(
    "--loss",
    type=FILE,
    metavar="FILE",
    help="Costs: JSON {action: {class: cost}}, or CSV with a row for each action.",
)
reject = click.option(
    "--reject", type=float, metavar="COST", help="Cost of taking no action; allows 'reject'."
)

# a command that changes a model file
change = together(
    click.argument("model", type=MODEL),
    click.argument("source", type=FILE),
    text_column,
    target,
    click.option(
        "--out", "-o", type=MODEL, metavar="MODEL", help="File to write. Default: the same."
    ),
    as_json,
)


# how a model learns -----------------------------------------------------------------------------

# the models of tables, and the options that each of them has
TABLE_MODELS = {
    "naive": ("smoothing", "columns", "numeric", "prior"),
    "gaussian": ("prior", "shrinkage"),
    "qda": ("prior", "shrinkage"),
    "lda": ("prior", "shrinkage"),
    "logistic": ("C",),
    "knn": ("neighbors", "smoothing"),
}
OF_TABLES = ("columns", "numeric", "prior", "shrinkage", "C", "neighbors")
OF_TEXTS = (
    *("model", "language", "ngrams", "analyzer"),
    *("min_count", "drop_top", "stop_words", "weighting"),
)
OF_LEARNING = (*OF_TABLES, *OF_TEXTS, "smoothing")

parameters = together(
    click.option(
        "--smoothing",
        multiple=True,
        metavar="AMOUNT",
        help="Pseudo-count of every value or word (1 if not given), or auto. For tables also m:2 "
        "for the m-estimate, or COLUMN=AMOUNT for a single column. Repeatable. For knn, "
        "pseudo-count of every class (0 if not given).",
    ),
    click.option(
        "--model",
        metavar="MODEL",
        help="Tables: naive (as if not given), or for tables of numbers gaussian, qda, lda, "
        "logistic or knn. Texts: multinomial (as if not given), complement, bernoulli or "
        "binary-multinomial.",
    ),
    click.option(
        "--columns",
        multiple=True,
        metavar="NAME=KIND",
        help="Tables: kind of a column: categorical, gaussian, kernel, binned, poisson, bernoulli, "
        "text or ignore. Repeatable; or a JSON file {name: kind}.",
    ),
    click.option(
        "--numeric",
        default="auto",
        show_default=True,
        metavar="KIND",
        help="Tables: kind of all other columns of numbers: auto, gaussian, kernel, binned, "
        "poisson or categorical.",
    ),
    click.option(
        "--prior",
        multiple=True,
        metavar="PRIOR",
        help="Tables: learned (as if not given), uniform, or CLASS=PROBABILITY for each class. "
        "Repeatable; or a JSON file {class: probability}.",
    ),
    click.option(
        "--shrinkage",
        metavar="AMOUNT",
        help="gaussian, qda, lda: weight of a simpler covariance, from 0 to 1, or auto; for "
        "gaussian also ledoit-wolf.",
    ),
    click.option(
        "-C",
        "C",
        type=float,
        metavar="VARIANCE",
        help="logistic: variance of the prior of each weight (1 if not given); inf for no penalty.",
    ),
    click.option(
        "--neighbors", type=int, metavar="NUMBER", help="knn: rows that are asked (5 if not given)."
    ),
    click.option("--language", metavar="LANGUAGE", help="Texts: auto (as if not given), en or zh."),
    click.option(
        "--ngrams",
        type=Ngrams(),
        metavar="NUMBERS",
        help="Texts: how many words are taken together: 1 (as if not given), 1-2 for pairs too.",
    ),
    click.option(
        "--analyzer",
        metavar="ANALYZER",
        help="Texts: word (as if not given), or char for runs of characters.",
    ),
    click.option(
        "--min-count",
        type=int,
        metavar="NUMBER",
        help="Texts: words that occur less often take no part.",
    ),
    click.option(
        "--drop-top",
        type=int,
        metavar="NUMBER",
        help="Texts: so many of the most frequent words take no part.",
    ),
    click.option(
        "--stop-words",
        type=StopWords(),
        metavar="LIST",
        help="Texts: words that take no part: en, zh, or a file with one word a line.",
    ),
    click.option(
        "--weighting",
        metavar="WEIGHTING",
        help="Texts: none (as if not given), tf-idf or log-count-ratio.",
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


def table_model_given(model: str | None, path: Path) -> str:
    """The name of a model of tables; refused if it has not the other options that are given."""
    name = model or "naive"
    if name not in TABLE_MODELS:
        raise click.UsageError(
            f"--model must be one of {', '.join(TABLE_MODELS)} for tables, got {name!r}. To learn "
            f"{path} as texts, name their column by --text."
        )
    others = [option for option in ("smoothing", *OF_TABLES) if option not in TABLE_MODELS[name]]
    option = next(filter(is_given, others), None)
    if option is not None:
        models = [other for other, options in TABLE_MODELS.items() if option in options]
        raise click.UsageError(
            f"{first_given([option])} is for --model {', '.join(models)}, not for {name}. "
            "Leave it out."
        )
    return name


def columns_given(values: Iterable[str]) -> dict[str, str]:
    """Column name -> kind, from NAME=KIND and JSON files.

    >>> columns_given(["age=gaussian", "zip=categorical"])
    {'age': 'gaussian', 'zip': 'categorical'}
    """
    return _pairs(values, "--columns", "age=gaussian")


def smoothing_given(values: Iterable[str]) -> Any:
    """Smoothing as NaiveBayes takes it.

    >>> smoothing_given(["m:2"]), smoothing_given(["sky=0.5", "wind=auto"]), smoothing_given([])
    (('m', 2.0), {'sky': 0.5, 'wind': 'auto'}, 1.0)
    """
    texts = list(values)
    if not any("=" in text for text in texts) and len(texts) <= 1:
        return _amount(texts[0]) if texts else 1.0
    if not all("=" in text for text in texts):
        raise click.UsageError(
            f"--smoothing must be one amount for all columns, or COLUMN=AMOUNT for each that is "
            f"named, got {' and '.join(texts)}."
        )
    return {name: _amount(text) for name, text in _pairs(texts, "--smoothing", "sky=0.5").items()}


def _amount(text: str) -> Any:
    if text == "auto":
        return text
    is_estimate = text.startswith("m:")
    try:
        number = float(text.removeprefix("m:"))
    except ValueError:
        raise click.UsageError(
            f"--smoothing must be a number such as 0.5, m:2, auto, or COLUMN=AMOUNT, got {text!r}."
        ) from None
    return ("m", number) if is_estimate else number


def text_smoothing_given(values: Iterable[str]) -> Any:
    """Smoothing as TextClassifier takes it.

    >>> text_smoothing_given(["auto"]), text_smoothing_given(["0.5"])
    ('auto', 0.5)
    """
    amount = smoothing_given(values)
    if isinstance(amount, (tuple, dict)):
        raise click.UsageError(
            f"--smoothing must be one number such as 0.5, or auto, for texts, got "
            f"{' and '.join(values)}."
        )
    return amount


def share_smoothing_given(values: Iterable[str]) -> float:
    """Smoothing as KNeighborsClassifier takes it.

    >>> share_smoothing_given(["0.5"])
    0.5
    """
    amount = smoothing_given(values)
    if not isinstance(amount, float):
        raise click.UsageError(
            f"--smoothing must be one number such as 0.5 for knn, got {' and '.join(values)}."
        )
    return amount


def shrinkage_given(text: str) -> float | str:
    """A number, or the name of a way to find one.

    >>> shrinkage_given("0.1"), shrinkage_given("auto")
    (0.1, 'auto')
    """
    try:
        return float(text)
    except ValueError:
        return text


def prior_given(values: Iterable[str]) -> Any:
    """The prior: "learned", "uniform", or a dict of class name and probability.

    >>> prior_given(["ham=0.8", "spam=0.2"]), prior_given([])
    ({'ham': 0.8, 'spam': 0.2}, 'learned')
    """
    texts = list(values)
    if not texts:
        return "learned"
    if len(texts) == 1 and texts[0] in ("learned", "uniform"):
        return texts[0]
    told = _pairs(texts, "--prior", "spam=0.2")
    return {name: _probability(name, value) for name, value in told.items()}


def _probability(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise click.UsageError(
            f"--prior must give a number for each class, got {value!r} for {name!r}."
        ) from None


def _pairs(values: Iterable[str], option: str, example: str) -> dict[str, Any]:
    pairs: dict[str, Any] = {}
    for text in values:
        # from the right: names of columns may contain =, kinds and numbers do not
        name, equals, value = text.rpartition("=")
        if equals:
            pairs[name] = value
        elif text.endswith(".json"):
            pairs |= json_object(Path(text))
        else:
            raise click.UsageError(f"{option} must be such as {example}, got {text!r}.")
    return pairs


def json_object(path: Path) -> dict[str, Any]:
    """What a JSON file with names and values holds."""
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} must be a JSON file, but is not: {error}.") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path} must hold an object {{name: value}}, got {value!r:.50}.")
    return value
