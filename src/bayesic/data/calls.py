"""Calls that lack an argument or have one too many, answered in the words of the user.

Python's own words name the class where a verb is written, which users never see.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, TypeVar, cast

from bayesic.datasets.textbook import TextbookTable

Made = TypeVar("Made")
Method = TypeVar("Method", bound=Callable[..., Any])

SMOOTHING = "smoothing", "alpha"  # what our models and those of scikit-learn call it
SMOOTHING_ELSEWHERE = {*SMOOTHING, "l", "lam", "lambda_", "laplace"}


def called(
    method: Callable[..., Made],
    model: object,
    args: Sequence[object],
    by_name: Mapping[str, object],
) -> Made:
    """What the method gives; a call that does not fit its arguments is refused with a sentence."""
    try:
        return method(model, *args, **by_name)
    except TypeError:
        check_call(signature(method), type(model), method.__name__, args, by_name)
        raise  # the call fits: this is about something else


def in_words(method: Method) -> Method:
    """The method, of which a call that does not fit is refused with a sentence.

    >>> class Urn:
    ...     @in_words
    ...     def __init__(self, balls, smoothing=1): ...
    >>> Urn(10, laplace=2)
    Traceback (most recent call last):
    TypeError: Urn has no argument 'laplace'. Write smoothing=2.
    """

    @wraps(method)
    def worded(self: object, *args: object, **by_name: object) -> Any:
        return called(method, self, args, by_name)

    return cast("Method", worded)


def constructor(method: Method) -> Method:
    """An estimator's `__init__`, of which arguments without a name are checked at once.

    Rows are what people give it first. scikit-learn's `clone` and `set_params` give names, and must
    not be refused: what has a name is checked by the first verb.

    >>> class Urn:
    ...     @constructor
    ...     def __init__(self, balls=1): ...
    >>> Urn([[3, 4]])
    Traceback (most recent call last):
    TypeError: Urn takes balls first, got rows (list). Rows are given to fit: Urn().fit(X, y).
    """

    @wraps(method)
    def checked(self: object, *args: object, **by_name: object) -> Any:
        called(method, self, args, by_name)
        if args:
            _refuse_rows(type(self), args[0])
            getattr(self, "_check_parameters", lambda: None)()

    return cast("Method", checked)


def _refuse_rows(of: type, given: object) -> None:
    """Refuse rows as the first argument of a constructor: none of them takes a list or a table."""
    is_table = isinstance(given, (list, tuple, TextbookTable)) or hasattr(given, "shape")
    if isinstance(given, Mapping):
        is_table = any(isinstance(cells, (list, tuple)) for cells in given.values())
    if is_table:
        takes = list(signature(of).parameters.values())
        raise TypeError(
            f"{of.__name__} takes {takes[0].name} first, got rows ({type(given).__name__})."
            f"{_place_of_data(of, '__init__', takes)}"
        )


def check_call(
    takes: Signature, of: type, verb: str, args: Sequence[object], by_name: Mapping[str, object]
) -> None:
    """Refuse arguments, without self, that do not fit; takes has self."""
    try:
        takes.bind(None, *args, **by_name)
    except TypeError:
        known = list(takes.parameters.values())[1:]
    else:
        return
    name = of.__name__ if verb == "__init__" else f"{of.__name__}.{verb}"
    in_order = [each.name for each in known if each.kind is Parameter.POSITIONAL_OR_KEYWORD]
    it_takes = _taken(known)
    for unknown in [given for given in by_name if given not in takes.parameters]:
        advice = _smoothing_for(unknown, by_name[unknown], of, takes)
        raise TypeError(f"{name} has no argument {unknown!r}. {advice or it_takes}") from None
    if len(args) > len(in_order):
        few = f"{len(args)} argument{'s' * (len(args) > 1)} without a name"
        raise TypeError(f"{name} got {few}. {it_takes}{_place_of_data(of, verb, known)}") from None
    for twice in [given for given in in_order[: len(args)] if given in by_name]:
        raise TypeError(f"{name} got {twice} twice. {it_takes}") from None
    missing = [
        each.name
        for each in known[len(args) :]
        if each.default is Parameter.empty and each.name not in by_name and each.kind in BY_NAME
    ]
    more = f" {it_takes}" if len(known) > len(missing) else ""
    raise TypeError(f"{name} needs {_listed(missing)}.{more}") from None


def _taken(known: Sequence[Parameter]) -> str:
    in_order = [each.name for each in known if each.kind is Parameter.POSITIONAL_OR_KEYWORD]
    named = [f"{each.name}=" for each in known if each.kind is Parameter.KEYWORD_ONLY]
    by_names = f"by name {_listed(named)}" if named else ""
    takes_others = any(each.kind is Parameter.VAR_KEYWORD for each in known)
    others = "others by name" if takes_others else ""
    taken = ", and ".join(filter(None, [_listed(in_order), by_names, others]))
    return f"It takes {taken or 'none'}."


def _place_of_data(of: type, verb: str, known: Sequence[Parameter]) -> str:
    """Where rows belong, or smoothing, if that can be meant."""
    if verb == "__init__":
        needed = ", ".join(each.name for each in known if each.default is Parameter.empty)
        return f" Rows are given to fit: {of.__name__}({needed}).fit(X, y)."
    if not any(each.kind is Parameter.KEYWORD_ONLY for each in known):
        return ""
    parameters = signature(of).parameters
    meant = [word for word in SMOOTHING if word in parameters]
    if not meant:
        return ""
    return f" The model itself takes {meant[0]}: {of.__name__}({meant[0]}=...)."


def _smoothing_for(unknown: str, value: object, of: type, takes: Signature) -> str:
    """What to write in place of a word for smoothing; nothing for other words."""
    if unknown not in SMOOTHING_ELSEWHERE:
        return ""
    for known in SMOOTHING:
        if known in takes.parameters:
            return f"Write {known}={value!r:.40}."
        if known in signature(of).parameters:
            return f"It is a parameter of the model: {of.__name__}({known}={value!r:.40})."
    return ""


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


BY_NAME = Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY
