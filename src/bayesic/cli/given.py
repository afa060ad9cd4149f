"""How the values of options are read: texts of the command line -> arguments of models."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click


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
    >>> smoothing_given(["m:2:uniform"])
    ('m', 2.0, 'uniform')
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
    number, _, shares = text.removeprefix("m:").partition(":")
    try:
        amount = float(number if is_estimate else text)
    except ValueError:
        raise _unknown_amount(text) from None
    if not is_estimate:
        return amount
    return ("m", amount, _shares(shares, text)) if shares else ("m", amount)


def _shares(shares: str, text: str) -> Any:
    """The p of an m-estimate: "uniform", or what a JSON file {value: p} holds."""
    if shares == "uniform":
        return shares
    if not shares.endswith(".json"):
        raise _unknown_amount(text)
    return json_object(Path(shares))


def _unknown_amount(text: str) -> click.UsageError:
    return click.UsageError(
        "--smoothing must be a number such as 0.5, m:2, m:2:uniform, m:2:p.json with {value: p}, "
        f"auto, or COLUMN=AMOUNT, got {text!r}."
    )


def text_smoothing_given(values: Iterable[str]) -> Any:
    """Smoothing as TextClassifier takes it.

    >>> text_smoothing_given(["auto"]), text_smoothing_given(["m:2"])
    ('auto', ('m', 2.0))
    """
    amount = smoothing_given(values)
    if isinstance(amount, dict):
        raise click.UsageError(
            f"--smoothing must be one number such as 0.5, m:2, m:2:uniform or auto for texts, got "
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


def network_smoothing_given(values: Iterable[str], model: str) -> Any:
    """Smoothing as the models take it in which columns depend on each other.

    >>> network_smoothing_given(["m:2"], "tan"), network_smoothing_given([], "tan")
    (('m', 2.0), 1.0)
    """
    amount = smoothing_given(values)
    if isinstance(amount, (str, dict)):
        raise click.UsageError(
            f"--smoothing must be one number such as 0.5, or m:2, for {model}, got "
            f"{' and '.join(values)}."
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


def thresholds_given(values: Iterable[str]) -> dict[str, float]:
    """Class name -> the probability from which on it is answered.

    >>> thresholds_given(["spam=0.99"])
    {'spam': 0.99}
    """
    told = _pairs(values, "--threshold", "spam=0.99")
    return {name: _probability(name, value, "--threshold") for name, value in told.items()}


def _probability(name: str, value: Any, option: str = "--prior") -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise click.UsageError(
            f"{option} must give a number for each class, got {value!r} for {name!r}."
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
