"""`bayesic warm-up` leaves no kernel to be compiled."""

import ast
import importlib
import os
from pathlib import Path

import numpy as np
import pytest

import bayesic as by
from bayesic import kernels
from helpers.environment import environment, run_python

pytest.importorskip("numba")
pytest.importorskip("rjieba")


def kernels_called_from_python():
    """The compiled functions that `pick` gives out, or that are called in plain Python."""
    picked = {twins.compiled for twins in kernels.TWINS.values()}
    for file in sorted(Path(kernels.__file__).parent.glob("_compiled*.py")):
        module = importlib.import_module(f"bayesic.kernels.{file.stem}")
        body = ast.parse(file.read_text(encoding="utf-8")).body
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        plain = [function for function in functions if not function.decorator_list]
        named = {node.id for f in plain for node in ast.walk(f) if isinstance(node, ast.Name)}
        for name in named | set(module.__all__ if file.stem in picked else ()):
            if hasattr(getattr(module, name, None), "signatures"):
                yield getattr(module, name)


@pytest.fixture(scope="module")
def asked():
    from bayesic.warm_up import questions, warm_up

    answered = [*warm_up()]
    assert answered == list(questions())
    return answered


def test_every_kernel_is_compiled(asked):
    entries = {entry.py_func.__qualname__: entry for entry in kernels_called_from_python()}
    assert len(entries) > 30
    assert [name for name, entry in entries.items() if not entry.signatures] == []


def test_larger_questions_have_nothing_left_to_compile(asked):
    before = {entry: len(entry.signatures) for entry in kernels_called_from_python()}
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 8)), rng.integers(0, 4, 500)
    table = {f"column {j}": rng.integers(0, 3, 500).astype(str) for j in range(5)}
    texts = ["some free words", "更多的免费的词", "and others"] * 50
    with environment(BAYESIC_KERNELS="compiled"):
        by.GaussianNB().fit(X, y).leave_one_out(X, y)
        by.QuadraticDiscriminantAnalysis().fit(X, y).predict(X)
        by.GaussianMixture(3).fit(X)
        by.TreeAugmentedNB().fit(table, y).predict(table)
        by.learn_structure(table).posteriors({"column 0": table["column 0"]})
        by.TextClassifier().fit(texts, ["ham", "spam", "news"] * 50).predict(texts)
    assert {entry: len(entry.signatures) for entry in before} == before


def test_the_environment_is_as_it_was(asked):
    assert "BAYESIC_KERNELS" not in os.environ


def test_without_numba_it_says_how_to_get_it():
    run = run_python(
        """
import sys
sys.modules["numba"] = None
from bayesic.cli.main import main
sys.argv = ["bayesic", "warm-up"]
main()
"""
    )
    assert run.returncode == 1
    assert "pip install 'bayesic[fast]'" in run.stderr
    assert "Traceback" not in run.stderr
