"""Odd names of classes and columns, and tables of odd shapes: up to 5,000 of each."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import bayesic as by
from junk_values import NAMES

Case = Callable[[], Any]
MODELS = (
    by.NaiveBayes,
    by.JointBayes,
    by.TreeAugmentedNB,
    by.KDependence,
    by.AveragedOneDependence,
    by.BayesForest,
    by.GaussianNB,
    by.GaussianBayes,
    by.LinearDiscriminantAnalysis,
    by.MultinomialNB,
    by.CategoricalNB,
    by.TextClassifier,
)
NAMED = MODELS[:6]  # learn tables with names
VERBS = ("predict_proba", "explain", "leave_one_out", "evaluate", "summary", "predict")
LARGEST = 5000
MOST_CELLS, RARELY = 5e4, 1e8  # rows x classes x columns, of nearly all cases and of few
SHARE_OF_LARGE = 0.01


# names ----------------------------------------------------------------------------------------


def odd_names(random: Random) -> Case:
    """A model of columns and classes with odd names says the same after each way in and out."""
    Model = random.choice(NAMED)
    columns = random.sample(NAMES, random.randrange(1, 4))
    classes = random.sample(NAMES, random.randrange(2, 4))
    n_rows = 12
    levels = [*random.sample(NAMES, 2), "sun"]
    table: dict[str, list] = {name: random.choices(levels, k=n_rows) for name in columns}
    if random.random() < 0.5:
        table[columns[0]] = [random.gauss(0, 1) for _ in range(n_rows)]
    y = [classes[number % len(classes)] for number in range(n_rows)]
    return lambda: _says_the_same(Model(), table, y)


def _says_the_same(model: Any, table: dict[str, list], y: list) -> Any:
    model.fit(table, y)
    said = model.predict_proba(table)
    if sorted(model.classes_.tolist()) != sorted(set(y)):
        raise AssertionError(f"the classes are {model.classes_.tolist()}, given {sorted(set(y))}")
    row = {name: column[0] for name, column in table.items()}
    for shown in (model, model.summary(), model.explain(row)):
        str(shown), repr(shown)
    html = model.explain(row)._repr_html_() + model.summary()._repr_html_()
    if "<script>" in html:
        raise AssertionError("a name is written as HTML")
    model.save("model.bayes")
    if not np.array_equal(by.load("model.bayes").predict_proba(table), said):
        raise AssertionError("a file of the model answers otherwise")
    try:
        by.to_sql(model, "visits")
    except (ValueError, TypeError, NotImplementedError) as error:
        if " " not in str(error):
            raise AssertionError(f"no sentence: {error!r}") from error
    Path("model.bayes").unlink()
    return said


# shapes ---------------------------------------------------------------------------------------


def _size(random: Random, most: int) -> int:
    """From 1 to most, small ones more often."""
    return int(most ** random.random())


def odd_shape(random: Random) -> Case:
    """A table of any shape is answered, or refused by a sentence, in time and memory."""
    Model, verb = random.choice(MODELS), random.choice(VERBS)
    most = RARELY if random.random() < SHARE_OF_LARGE else MOST_CELLS
    while True:
        n_rows, n_columns, n_classes = (_size(random, LARGEST) for _ in range(3))
        if n_rows * n_columns * min(n_classes, n_rows) <= most:
            break
    seed, kind = random.randrange(2**31), random.choice(("whole", "numbers", "words"))
    return lambda: _answer(Model(), verb, (n_rows, n_columns, n_classes), seed, kind)


def _answer(model: Any, verb: str, shape: tuple[int, int, int], seed: int, kind: str) -> Any:
    n_rows, n_columns, n_classes = shape
    rng = np.random.default_rng(seed)
    codes = rng.integers(n_classes, size=n_rows)
    y = [f"site {code}" for code in codes.tolist()]
    X: Any = rng.integers(0, 5, (n_rows, n_columns))
    if kind == "numbers":
        X = np.abs(rng.normal(codes[:, None], 3.0, (n_rows, n_columns)))
    if isinstance(model, by.TextClassifier):
        X = [" ".join(f"word{number}" for number in row[:30]) for row in X.tolist()]
    elif kind == "words" and type(model) in NAMED:
        X = {f"column {number}": X[:, number].astype(str).tolist() for number in range(n_columns)}
    model.fit(X, y)
    few = {name: column[:3] for name, column in X.items()} if isinstance(X, dict) else X[:3]
    if verb == "evaluate":
        return str(by.evaluate(model, X, y)) and None
    if verb == "leave_one_out":
        return model.leave_one_out(X, y)
    if verb == "summary":
        return str(model.summary()) and None
    return getattr(model, verb)(few)
