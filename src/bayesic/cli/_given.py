"""How the values of options are read: texts of the command line -> arguments of models."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

# the type of a parameter that takes not every smoothing -> what it takes, and examples
SMOOTHING: dict[str, tuple[tuple[type, ...], str]] = {
    "Smoothing": ((float, str, tuple), "such as 0.5, m:2, m:2:uniform or auto"),
    "float": ((float,), "such as 0.5"),
    "float | Literal['auto']": ((float, str), "such as 0.5, or auto"),
    "DependenceSmoothing": ((float, tuple), "such as 0.5, or m:2 or back-off"),
}


def smoothing_given(texts: Sequence[str], takes: str, model: str) -> object:
    """Smoothing as a model takes it: `takes` is the type of its parameter, `model` its name here.

    >>> smoothing_given(["sky=0.5", "wind=auto"], "Smoothing | Mapping[str, Smoothing]", "naive")
    {'sky': 0.5, 'wind': 'auto'}
    >>> smoothing_given(["m:2:uniform"], "Smoothing", "texts")
    ('m', 2.0, 'uniform')
    >>> smoothing_given(["back-off:2"], "DependenceSmoothing", "kdb")
    ('back-off', 2.0)
    """
    if list(texts) == ["back-off"] and takes == "DependenceSmoothing":
        return "back-off"
    amount = _amount_or_amounts(texts)
    types, example = SMOOTHING.get(takes, ((object,), ""))
    if not isinstance(amount, types):
        raise click.UsageError(
            f"--smoothing must be one number {example}, for {model}, got {' and '.join(texts)}."
        )
    return amount


def _amount_or_amounts(texts: Sequence[str]) -> object:
    if len(texts) == 1 and "=" not in texts[0]:
        return _amount(texts[0])
    if not all("=" in text for text in texts):
        raise click.UsageError(
            f"--smoothing must be one amount for all columns, or COLUMN=AMOUNT for each that is "
            f"named, got {' and '.join(texts)}."
        )
    return {name: _amount(text) for name, text in _pairs(texts, "--smoothing", "sky=0.5").items()}


def _amount(text: str) -> object:
    if text == "auto":
        return text
    is_estimate = text.startswith("m:")
    number, _, shares = text.removeprefix("m:").partition(":")
    strength = text.removeprefix("back-off:")
    try:
        amount = float(number if is_estimate else strength)
    except ValueError:
        raise _unknown_amount(text) from None
    if not is_estimate:
        return amount if strength == text else ("back-off", amount)
    return ("m", amount, _shares(shares, text)) if shares else ("m", amount)


def _shares(shares: str, text: str) -> str | dict[str, object]:
    """The p of an m-estimate: "uniform", or what a JSON file {value: p} holds."""
    if shares == "uniform":
        return shares
    if not shares.endswith(".json"):
        raise _unknown_amount(text)
    return _json_object(Path(shares))


def _unknown_amount(text: str) -> click.UsageError:
    return click.UsageError(
        "--smoothing must be a number such as 0.5, m:2, m:2:uniform, m:2:p.json with {value: p}, "
        f"auto, back-off:2, or COLUMN=AMOUNT, got {text!r}."
    )


def parents_given(text: str | None) -> int | str | None:
    """A whole number, or "auto".

    >>> parents_given("2"), parents_given("auto")
    (2, 'auto')
    """
    try:
        return None if text is None else int(text)
    except ValueError:
        return text


def number_or_words(text: str | None) -> float | str | None:
    """A number, or words such as auto and 30 days.

    >>> number_or_words("0.1"), number_or_words("30 days")
    (0.1, '30 days')
    """
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def columns_given(texts: Iterable[str]) -> dict[str, str]:
    """Column name -> kind, from NAME=KIND and JSON files.

    >>> columns_given(["age=gaussian", "zip=categorical"])
    {'age': 'gaussian', 'zip': 'categorical'}
    """
    return _pairs(texts, "--columns", "age=gaussian")


def prior_given(texts: Sequence[str]) -> str | dict[str, float]:
    """The prior: "learned", "uniform", or a dict of class name and probability.

    >>> prior_given(["ham=0.8", "spam=0.2"]), prior_given([])
    ({'ham': 0.8, 'spam': 0.2}, 'learned')
    """
    if not texts:
        return "learned"
    if len(texts) == 1 and texts[0] in ("learned", "uniform"):
        return texts[0]
    return _probabilities(texts, "--prior", "spam=0.2")


def thresholds_given(texts: Iterable[str]) -> dict[str, float]:
    """Class name -> the least probability at which it is predicted.

    >>> thresholds_given(["spam=0.99"])
    {'spam': 0.99}
    """
    return _probabilities(texts, "--threshold", "spam=0.99")


def loss_given(path: Path | None) -> Mapping[Any, Any] | None:
    """Action -> class -> cost, from a JSON file or a table; None without a file."""
    if path is None or path.suffix.lower() == ".json":
        return None if path is None else _json_object(path)
    from bayesic.decisions.loss import read_loss  # loads NumPy

    return read_loss(path)


def _probabilities(texts: Iterable[str], option: str, example: str) -> dict[str, float]:
    numbers: dict[str, float] = {}
    for name, value in _pairs(texts, option, example).items():
        try:
            numbers[name] = float(value)
        except (TypeError, ValueError):
            raise click.UsageError(
                f"{option} must give a number for each class, got {value!r} for {name!r}."
            ) from None
    return numbers


def _pairs(texts: Iterable[str], option: str, example: str) -> dict[str, Any]:
    pairs: dict[str, object] = {}
    for text in texts:
        # from the right: names of columns may contain =, kinds and numbers do not
        name, equals, value = text.rpartition("=")
        if equals:
            pairs[name] = value
        elif text.endswith(".json"):
            pairs |= _json_object(Path(text))
        else:
            raise click.UsageError(f"{option} must look like {example}, got {text!r}.")
    return pairs


def _json_object(path: Path) -> dict[str, object]:
    """What a JSON file with names and values holds."""
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} must be a JSON file, but is not: {error}.") from error
    if not isinstance(value, dict):
        raise ValueError(f"{path} must hold an object {{name: value}}, got {value!r:.50}.")
    return value
