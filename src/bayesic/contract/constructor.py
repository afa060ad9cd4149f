"""The parameters of an estimator: the arguments of its constructor, read, set and shown."""

import sys
from collections import defaultdict
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from inspect import Parameter, signature
from itertools import islice
from typing import Any

N_SHOWN = 30  # elements of a long list
N_CHARACTERS = 700  # of all parameters together
WIDTH = 80


def parameter_names(kind: type) -> tuple[str, ...]:
    """The parameters of a kind of estimator, sorted.

    >>> class Urn:
    ...     def __init__(self, red=1, blue=1): ...
    >>> parameter_names(Urn)
    ('blue', 'red')
    """
    return tuple(_defaults(kind))


@cache
def _defaults(kind: type) -> dict[str, object]:
    """The parameters of a kind of estimator by name, and their defaults."""
    _, *given = signature(kind.__init__).parameters.values()  # type: ignore[misc]
    stars = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)  # of a class without a constructor
    named = {each.name: each.default for each in given if each.kind not in stars}
    return dict(sorted(named.items()))


def is_estimator(value: object) -> bool:
    """Whether a value has parameters of its own."""
    return hasattr(value, "get_params") and not isinstance(value, type)


# setting ----------------------------------------------------------------------------------------


def set_parameters(estimator: object, params: Mapping[str, object]) -> None:
    """Set these parameters; `a__b` is the parameter b of the estimator that is parameter a."""
    inside: dict[str, dict[str, object]] = defaultdict(dict)
    for name, value in params.items():
        name, nested, rest = name.partition("__")
        if name not in parameter_names(type(estimator)):
            raise ValueError(
                f"Invalid parameter {name!r} for estimator {estimator}. "
                f"Valid parameters are: {list(parameter_names(type(estimator)))!r}."
            )
        if nested:
            inside[name][rest] = value
        else:
            setattr(estimator, name, value)
    for name, of_part in inside.items():
        getattr(estimator, name).set_params(**of_part)


# copies -----------------------------------------------------------------------------------------


def clone(estimator: object) -> Any:
    """An estimator with the same parameters that has learned nothing, as of scikit-learn's `clone`.

    scikit-learn is loaded only for its own.
    """
    is_ours = type(estimator).__module__.startswith("bayesic.") and is_estimator(estimator)
    if not is_ours:
        from sklearn.base import clone as scikit_learns_clone

        return scikit_learns_clone(estimator)
    copy = type(estimator)(**{name: _fresh(value) for name, value in _given(estimator).items()})
    for name in ("_metadata_request", "_sklearn_output_config"):  # as scikit-learn keeps them
        if hasattr(estimator, name):
            setattr(copy, name, deepcopy(getattr(estimator, name)))
    return copy


def _given(estimator: object) -> dict[str, object]:
    return {name: getattr(estimator, name) for name in parameter_names(type(estimator))}


def _fresh(value: Any) -> Any:
    if is_estimator(value):
        return clone(value)
    if type(value) in (list, tuple, set, frozenset):
        return type(value)(map(_fresh, value))
    if type(value) is dict:
        return {key: _fresh(each) for key, each in value.items()}
    return deepcopy(value)


# showing ----------------------------------------------------------------------------------------


def shown_estimator(estimator: object) -> str:
    """The class and the parameters that differ from the default, as scikit-learn shows them.

    >>> from bayesic.models.columns.naive_bayes import NaiveBayes
    >>> NaiveBayes(smoothing=0.5, columns=None)
    NaiveBayes(smoothing=0.5)
    """
    kind: type = type(estimator)
    name, defaults = kind.__name__, _defaults(kind)
    indent = len(name) + 1
    parts = [
        f"{each}={_shown(value, indent + len(each) + 2)}"
        for each, value in _given(estimator).items()
        if _shows_all() or _differs(value, defaults[each])
    ]
    text = f"{name}({_in_lines(parts, indent)})"
    if len(text) <= N_CHARACTERS:
        return text
    return f"{text[: N_CHARACTERS // 2]}...{text[-N_CHARACTERS // 2 :]}"


def _differs(value: object, default: object) -> bool:
    return value is not default and repr(value) != repr(default)


def _shown(value: Any, indent: int = 0) -> str:
    """A parameter; of many elements the first, in lines that begin below each other.

    >>> _shown([0.5] * 50).count("0.5"), _shown({"rain": 1})
    (30, "{'rain': 1}")
    """
    whole = repr(value)
    if type(value) not in (list, tuple, dict) or not value:
        return whole.replace("\n", "\n" + " " * (indent - 1)) if is_estimator(value) else whole
    if len(value) <= N_SHOWN and indent + len(whole) < WIDTH:
        return whole
    if type(value) is dict:
        elements = [f"{key!r}: {each!r}" for key, each in islice(value.items(), N_SHOWN)]
    else:
        elements = [*map(repr, islice(value, N_SHOWN))]
    rest = ["..."] if len(value) > N_SHOWN else []
    return f"{whole[0]}{_in_lines(elements + rest, indent)}{whole[-1]}"


def _in_lines(parts: list[str], indent: int) -> str:
    """Parts with commas, in lines of at most WIDTH characters."""
    lines = [""]
    for part in parts:
        joined = f"{lines[-1]}, {part}" if lines[-1] else part
        width = max(map(len, joined.splitlines()))
        if lines[-1] and indent + width >= WIDTH - 1:
            lines[-1] += ","
            lines.append(part)
        else:
            lines[-1] = joined
    return f"\n{' ' * indent}".join(lines)


def _shows_all() -> bool:
    """Whether the user has asked scikit-learn to show defaults as well, which loads it."""
    loaded: Any = sys.modules.get("sklearn")
    return hasattr(loaded, "get_config") and not loaded.get_config()["print_changed_only"]
