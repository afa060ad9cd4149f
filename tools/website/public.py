"""The public names: what they are, and where they come from."""

import importlib
import inspect
import re
import typing
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import bayesic as by
from bayesic.data import typing as accepted

# modules whose names are used with the module before them
MODULES = ("hypotheses", "decisions", "mixtures", "networks", "networks.editing", "datasets")
MODULES += ("plots", "spark", "export")

# types of `bayesic.data.typing` that are too long to be spelt out in a signature
ALIASES = ("ArrayLike", "FilePath", "LabelsLike", "LossLike", "RandomState", "TableLike")
ALIASES += ("Kind", "Smoothing")


class Name(NamedTuple):
    """A public name, as typed after `by.`, and what it stands for."""

    name: str
    value: Any


class Member(NamedTuple):
    """A method or property of a class."""

    name: str
    kind: str  # method, classmethod, staticmethod, property
    value: Any


def public_names() -> list[Name]:
    """Every name that has an entry of its own: of the package, and of its public modules.

    >>> [one.name for one in public_names() if one.name.endswith(("bayes_rule", "find_s"))]
    ['hypotheses.bayes_rule', 'hypotheses.find_s']
    """
    top = [Name(name, getattr(by, name)) for name in by.__all__]
    names = [one for one in top if not isinstance(one.value, ModuleType)]
    known = {id(one.value) for one in names}
    for module in MODULES:
        inside = (Name(f"{module}.{name}", value) for name, value in names_in(module))
        names += [one for one in inside if id(one.value) not in known]
    return names


def names_in(module: str) -> list[tuple[str, Any]]:
    """The names of a public module: those in its `__all__`, or the functions written there."""
    home = importlib.import_module(f"bayesic.{module}")
    if hasattr(home, "__all__"):
        return [(name, getattr(home, name)) for name in home.__all__]
    return [
        (name, value)
        for name, value in vars(home).items()
        if inspect.isfunction(value) and value.__module__ == home.__name__ and name[0] != "_"
    ]


def members_of(kind: type) -> Iterator[Member]:
    """Methods and properties of a class, those of this library alone, in alphabetical order."""
    for name in sorted(dir(kind)):
        owner = next((base for base in kind.__mro__ if name in vars(base)), None)
        if name.startswith("_") or owner is None or not owner.__module__.startswith("bayesic"):
            continue
        value = inspect.getattr_static(kind, name)
        if isinstance(value, (classmethod, staticmethod)):
            yield Member(name, type(value).__name__, value.__func__)
        elif isinstance(value, property):
            yield Member(name, "property", value)
        elif inspect.isfunction(value):
            yield Member(name, "method", value)


@cache
def returned_classes() -> tuple[type, ...]:
    """Classes of this library that public functions and methods return, and are no public names."""
    public = [one.value for one in public_names()]
    found: dict[type, None] = {}
    waiting = list(public)
    while waiting:
        value = waiting.pop(0)
        inside = members_of(value) if isinstance(value, type) else [Member("", "", value)]
        calls = [getattr(one.value, "fget", one.value) for one in inside]
        for kind in (kind for call in calls for kind in _classes_in(_returned(call))):
            if kind not in found and kind not in public:
                found[kind] = None
                waiting.append(kind)
    bases = {
        base for kind in (*found, *public) if isinstance(kind, type) for base in kind.__mro__[1:]
    }
    return tuple(sorted(set(found) - bases, key=lambda kind: kind.__name__))


def _returned(call: Any) -> Any:
    """What a call is annotated to return; names in quotes are looked up where it is written."""
    note = getattr(call, "__annotations__", {}).get("return")
    if isinstance(note, str):
        places = [vars(importlib.import_module(call.__module__)), vars(typing)]
        note = next((place[note] for place in places if note in place), None)
    return note


def _classes_in(note: Any) -> Iterator[type]:
    for part in typing.get_args(note):
        yield from _classes_in(part)
    kind = typing.get_origin(note) or note
    if isinstance(kind, type) and kind.__module__.startswith("bayesic") and kind.__name__[0] != "_":
        yield kind


def signature_of(value: Any) -> str:
    """Parameters with types, as an editor shows them: `(X, y=None) -> Self`.

    >>> from bayesic.decisions.sure_answers import rank
    >>> signature_of(rank)
    '(model: Classifier, X: TableLike, target: Hashable, n: int | None = None) -> Ranking'
    """
    signature = inspect.signature(value)
    parameters = list(signature.parameters.values())
    if parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    if isinstance(value, type):
        signature = signature.replace(return_annotation=inspect.Signature.empty)
    text = _short(str(signature.replace(parameters=parameters)))
    for whole, name in _aliases():
        text = text.replace(whole, name)
    text = re.sub(r"Union\[(\w+), NoneType\]", r"\1 | None", text)
    return re.sub(r"Union\[(\w+)\]", r"\1", text)


def _short(text: str) -> str:
    """Types without the modules that they come from."""
    return re.sub(r"(?<![\w'\"])(?:\w+\.)+(?=[A-Za-z_]\w*)|'(?=\w+'$)|(?<=\w)'$", "", text)


def _spelt_out(alias: Any) -> str:
    """What stands in a signature for an alias."""
    text = _short(inspect.formatannotation(alias))
    return text.removeprefix("Union[").removesuffix("]") if text.startswith("Union[") else text


@cache
def _aliases() -> list[tuple[str, str]]:
    """Aliases as a signature spells them out, with their names; the longest first."""
    pairs = [(_spelt_out(getattr(accepted, name)), name) for name in ALIASES]
    return sorted(pairs, key=lambda pair: -len(pair[0]))
