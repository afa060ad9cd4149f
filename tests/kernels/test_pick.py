"""One door to the kernels: which twin a question gets, and that the twins are twins."""

import inspect
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesic import kernels
from bayesic.kernels import TWINS, pick
from helpers.environment import environment

pytest.importorskip("numba")

FOLDER = Path(kernels.__file__).parent

# The compiled kernels of junction trees take a plan for many rows and write into arrays.
OTHER_ARGUMENTS = {"trees", "passes"}


def module_name(file):
    return None if file is None else f"bayesic.kernels.{file}"


def name_of(module):
    return None if module is None else module.__name__


def public_functions(module):
    return {name for name in module.__all__ if callable(getattr(module, name))}


def parameters_of(function):
    return list(inspect.signature(getattr(function, "py_func", function)).parameters)


def test_the_table_names_files_that_are_there_each_compiled_one_once():
    for twins in TWINS.values():
        for file in (twins.reference, twins.compiled):
            assert file is None or (FOLDER / f"{file}.py").is_file()
    assert len({twins.compiled for twins in TWINS.values()}) == len(TWINS)


def test_every_compiled_file_is_in_the_table_or_serves_one_that_is():
    named = {twins.compiled for twins in TWINS.values()}
    sources = {file.stem: file.read_text(encoding="utf-8") for file in FOLDER.glob("_compiled*.py")}
    for name in sources.keys() - named:
        assert any(f"kernels.{name} import" in source for source in sources.values()), name


@pytest.mark.parametrize("name", [name for name in TWINS if TWINS[name].reference])
def test_twins_have_the_same_functions_with_the_same_arguments(name):
    reference, compiled = pick(name, 0), pick(name, TWINS[name].threshold)
    for function in public_functions(compiled):
        assert hasattr(reference, function)
        if name not in OTHER_ARGUMENTS:
            ours, theirs = getattr(compiled, function), getattr(reference, function)
            assert parameters_of(ours) == parameters_of(theirs), function
    if name not in OTHER_ARGUMENTS:
        assert public_functions(compiled) == public_functions(reference)


@pytest.mark.parametrize("name", TWINS)
@given(steps=st.lists(st.integers(0, 10**9), min_size=1))
def test_the_size_of_the_question_alone_decides_however_much_was_asked_before(name, steps):
    reference, compiled, threshold = TWINS[name]
    with environment(BAYESIC_KERNELS=""):
        for n in [*steps, threshold - 1, threshold, *steps]:
            expected = reference if n < threshold else compiled
            assert name_of(pick(name, n)) == module_name(expected)


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("steps", [0, 1, 10**9, math.inf])
def test_the_environment_forces_either(name, steps):
    with environment(BAYESIC_KERNELS="reference"):
        assert name_of(pick(name, steps)) == module_name(TWINS[name].reference)
    with environment(BAYESIC_KERNELS="compiled"):
        assert name_of(pick(name, steps)) == module_name(TWINS[name].compiled)
