"""What several test files share: the five estimators, small data for them, comparisons."""

import copy
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import click
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import bayesic as by
from bayesic.data.columns import Categories, Nothing, Numbers, Texts

FIVE = (by.BernoulliNB, by.CategoricalNB, by.ComplementNB, by.GaussianNB, by.MultinomialNB)
WORDS = ("ham", "news", "spam")


def fresh(Model: type) -> Any:
    """A new model whose answers do not hang on the last digit.

    The default var_smoothing makes scores of -1e10 and more where a class has but one value.
    """
    return Model(var_smoothing=1e-3) if Model is by.GaussianNB else Model()


class Rows(NamedTuple):
    """Rows that all five estimators can learn: small whole numbers, labels, perhaps weights."""

    X: np.ndarray
    y: np.ndarray
    weights: np.ndarray | None = None

    def where(self, chosen: Any) -> "Rows":
        weights = None if self.weights is None else self.weights[chosen]
        return Rows(self.X[chosen], self.y[chosen], weights)

    @property
    def codes(self) -> np.ndarray:
        """The number of each label among WORDS."""
        return np.searchsorted(WORDS, self.y)


@st.composite
def labelled_rows(
    draw: st.DrawFn,
    min_rows: int = 1,
    max_rows: int = 8,
    max_features: int = 3,
    n_features: int | None = None,
    missing: bool = False,
    weights: st.SearchStrategy[float] | None = None,
) -> Rows:
    """Rows of counts from 0 to 4, some of them NaN if missing, with labels from WORDS."""
    n_rows = draw(st.integers(min_rows, max_rows))
    if n_features is None:
        n_features = draw(st.integers(1, max_features))
    X = draw(hnp.arrays(np.int64, (n_rows, n_features), elements=st.integers(0, 4)))
    if missing:
        X = np.where(draw(hnp.arrays(bool, X.shape)), np.nan, X.astype(np.float64))
    y = np.array(draw(st.lists(st.sampled_from(WORDS), min_size=n_rows, max_size=n_rows)))
    if weights is None:
        return Rows(X, y)
    drawn = draw(st.lists(weights, min_size=n_rows, max_size=n_rows))
    return Rows(X, y, np.array(drawn, dtype=np.float64))


# Sums and differences of quarters are exact in floating point.
quarters = st.integers(1, 12).map(lambda number: number / 4)
quarters_or_zero = st.integers(0, 12).map(lambda number: number / 4)


def assert_same(ours: Any, theirs: Any, tolerance: float = 0.0, scale: float = 1.0) -> None:
    """Two statistics hold the same numbers: exactly, or to a tolerance relative to the scale.

    scale is the largest value of the data. A mean may be off by tolerance * scale, a sum of squares
    by tolerance * scale^2 for each value in it; counts are always compared exactly.
    """
    assert type(ours) is type(theirs)
    for field in fields(ours):
        mine, other = getattr(ours, field.name), getattr(theirs, field.name)
        if is_dataclass(mine):
            assert_same(mine, other, tolerance, scale)
        elif field.name in ("mean", "scatter"):
            one = scale if field.name == "mean" else scale**2 * max(1.0, theirs.count.max())
            np.testing.assert_allclose(mine, other, rtol=0, atol=tolerance * one)
        else:
            np.testing.assert_array_equal(mine, other, err_msg=field.name)


def arrays_in(statistics: Any) -> Iterator[np.ndarray]:
    """All arrays that a statistic is made of."""
    for field in fields(statistics):
        value = getattr(statistics, field.name)
        if is_dataclass(value):
            yield from arrays_in(value)
        else:
            yield value


@contextmanager
def impossible_rows_allowed() -> Iterator[None]:
    """Do not mind the warning that rows are impossible in every class."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*impossible in every class.*")
        yield


def probabilities(model: Any, X: Any) -> np.ndarray:
    with impossible_rows_allowed():
        return model.predict_proba(X)


def assert_same_model(ours: Any, theirs: Any, X: Any, tolerance: float = 1e-12) -> None:
    """Two models know the same classes, keep the same statistics and give the same answers."""
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    assert_same(ours.statistics_, theirs.statistics_, tolerance, scale=4.0)
    np.testing.assert_allclose(
        probabilities(ours, X), probabilities(theirs, X), rtol=1e-6, atol=1e-9
    )


def state_of(model: Any) -> dict[str, Any]:
    """All that a model holds, copied, to be compared later."""
    return copy.deepcopy(vars(model))


def assert_unchanged(model: Any, before: dict[str, Any]) -> None:
    after = vars(model)
    assert list(after) == list(before)
    for name, value in before.items():
        _assert_equal(after[name], value, name)


def _assert_equal(now: Any, before: Any, name: str) -> None:
    assert type(now) is type(before), name
    if is_dataclass(before):
        for field in fields(before):
            _assert_equal(getattr(now, field.name), getattr(before, field.name), field.name)
    elif isinstance(before, np.ndarray):
        assert now.dtype == before.dtype, name
        np.testing.assert_array_equal(now, before, err_msg=name)
    else:
        # by representation: constructor arguments may be anything, NaN and nested lists included
        assert repr(now) == repr(before), name


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    """Environment variables for the time of a block, also inside property tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in variables.items():
            patch.setenv(name, value)
        yield


@contextmanager
def cells_per_block(cells: int) -> Iterator[None]:
    """Blocks as small as this, so that small data has several."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bayesic.data.blocks.CELLS_PER_BLOCK", cells)
        yield


def run_python(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a Python of its own, with these environment variables."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )


def seen(cells):
    """The kind of the cells, and each of them with None for not observed."""
    if isinstance(cells, Numbers):
        assert cells.values.dtype == np.float64
        return Numbers, [None if np.isnan(value) else value for value in cells.values.tolist()]
    if isinstance(cells, Categories):
        assert cells.codes.dtype == np.intp
        assert set(cells.codes.tolist()) - {-1} == set(range(len(cells.levels)))
        names = [*cells.levels, None]
        return Categories, [names[code] for code in cells.codes]
    if isinstance(cells, Texts):
        return Texts, cells.texts
    return Nothing, [None] * len(cells)


# the command line and its pages -------------------------------------------------------------------

HEAVY = ("numpy", "scipy", "sklearn", "duckdb", "narwhals", "pyarrow", "rich", "numba")


def modules_loaded(*words: str) -> str:
    """Which heavy modules the command line loads for these words, as a printed list."""
    program = f"""
import sys
from bayesic.cli.main import main
sys.argv = ["bayesic", *{words!r}]
try:
    main()
except SystemExit:
    print([name for name in {HEAVY!r} if name in sys.modules])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return ran.stdout.splitlines()[-1]


def options_of(command: click.Command) -> set[str]:
    """All that options of a command are called."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    return {name for option in options for name in option.opts}


def section_of(page: str, name: str) -> str:
    """The part of a page about one command."""
    found = re.search(rf"^## {name}$(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert found is not None
    return found[1]
