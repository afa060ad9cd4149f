"""The options that several commands share, and how their values are read."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

Command = Callable[..., Any]

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

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
target = click.option(
    "--target", metavar="NAME", help="Column with the classes. Default: the model's, or the last."
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


# how a model learns -----------------------------------------------------------------------------


def parameters(command: Command) -> Command:
    """Add the options that say how a model learns."""
    options = [
        click.option(
            "--columns",
            multiple=True,
            metavar="NAME=KIND",
            help="Kind of a column: categorical, gaussian, kernel, binned, poisson, bernoulli, "
            "text or ignore. Repeatable; or a JSON file {name: kind}.",
        ),
        click.option(
            "--numeric",
            default="auto",
            show_default=True,
            metavar="KIND",
            help="Kind of all other columns of numbers: auto, gaussian, kernel, binned, poisson or "
            "categorical.",
        ),
        click.option(
            "--smoothing",
            multiple=True,
            metavar="AMOUNT",
            help="Pseudo-count of every value (1 if not given), m:2 for the m-estimate, auto, or "
            "COLUMN=AMOUNT for a single column. Repeatable.",
        ),
        click.option(
            "--prior",
            multiple=True,
            metavar="PRIOR",
            help="learned (as if not given), uniform, or CLASS=PROBABILITY for each class. "
            "Repeatable; or a JSON file {class: probability}.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


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
