"""The parameters of models, as their files tell: read, not run, so that --help loads no NumPy."""

import ast
import re
from functools import cache
from importlib.abc import InspectLoader
from importlib.util import find_spec
from typing import NamedTuple

from bayesic.catalogue import MODELS


class Parameter(NamedTuple):
    """A parameter of a constructor."""

    takes: str  # its type, as it is written there
    default: object
    says: str  # the first sentence of its lines in the docstring


@cache
def parameters_of(model: str) -> dict[str, Parameter]:
    """The parameters of a model of the catalogue, by name.

    >>> parameters_of("KNeighborsClassifier")["n_neighbors"]
    Parameter(takes='int', default=5, says='how many rows vote, k')
    """
    definition = next(
        node
        for node in ast.parse(_source_of(MODELS[model].home)).body
        if isinstance(node, ast.ClassDef) and node.name == model
    )
    said = first_sentences(ast.get_docstring(definition) or "")
    constructor = next(
        node.args
        for node in definition.body
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    )
    _, *positional = constructor.args
    named = [*positional, *constructor.kwonlyargs]
    defaults = [*constructor.defaults, *constructor.kw_defaults]
    return {
        one.arg: Parameter(_written(one.annotation), _value(default), said.get(one.arg, ""))
        for one, default in zip(named, defaults, strict=True)
    }


@cache
def _source_of(module: str) -> str:
    specification = find_spec(module)
    assert specification is not None and isinstance(specification.loader, InspectLoader)
    return specification.loader.get_source(module) or ""


def _written(annotation: ast.expr | None) -> str:
    return "" if annotation is None else ast.unparse(annotation)


def _value(default: ast.expr | None) -> object:
    return None if default is None else ast.literal_eval(default)


def first_sentences(docstring: str) -> dict[str, str]:
    """The first sentence about each parameter.

    >>> first_sentences('''Neighbours.
    ...
    ... Parameters
    ... ----------
    ... k : how many rows vote. Few follow
    ...     the data closely
    ... p : the distance
    ... ''')
    {'k': 'how many rows vote', 'p': 'the distance'}
    """
    lines = docstring.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    parts = re.findall(r"^(\w+) : (.*(?:\n    .*)*)", lines, re.MULTILINE)
    return {name: re.split(r"\.(?: |$)", " ".join(text.split()))[0] for name, text in parts}
