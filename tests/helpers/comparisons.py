"""Are two statistics, two models, or one model before and after, the same?"""

import copy
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


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
