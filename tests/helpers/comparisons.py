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
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for key, value in theirs.items():
            assert_same(ours[key], value, tolerance, scale)
    elif isinstance(theirs, tuple) and any(map(is_dataclass, theirs)):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            assert_same(mine, other, tolerance, scale)
    elif not is_dataclass(theirs):
        np.testing.assert_array_equal(ours, theirs)
    else:
        for field in fields(theirs):
            mine, other = getattr(ours, field.name), getattr(theirs, field.name)
            if field.name == "mean":
                np.testing.assert_allclose(mine, other, rtol=0, atol=tolerance * scale)
            elif field.name == "scatter":
                count = theirs.count if hasattr(theirs, "count") else theirs.class_count
                allowed = tolerance * scale**2 * max(1.0, float(count.max(initial=0)))
                _assert_same_scatter(mine, other, allowed)
            else:
                assert_same(mine, other, tolerance, scale)


def _assert_same_scatter(ours: np.ndarray, theirs: np.ndarray, allowed: float) -> None:
    """Sums of squares, or of products, that differ by no more than is allowed.

    Where no more than rounding is left of the squares of a feature they are 0, and so are its
    products with the others, which may be larger: at most sqrt(s_ii s_jj).
    """
    if ours.ndim < 3:
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=allowed)
        return
    squares = [np.diagonal(scatter, axis1=1, axis2=2) for scatter in (ours, theirs)]
    np.testing.assert_allclose(*squares, rtol=0, atol=allowed)
    varies = (squares[0] > 0) & (squares[1] > 0)
    largest = np.sqrt(np.max(squares, axis=0))
    bound = largest[:, :, None] * largest[:, None, :] * (1 + 1e-9)
    bound = np.where(varies[:, :, None] & varies[:, None, :], 0.0, bound) + allowed
    assert (np.abs(ours - theirs) <= bound).all()


def arrays_in(statistic: Any) -> Iterator[np.ndarray]:
    """All arrays that a statistic is made of."""
    if isinstance(statistic, np.ndarray):
        yield statistic
    elif isinstance(statistic, dict):
        for value in statistic.values():
            yield from arrays_in(value)
    elif isinstance(statistic, tuple):
        for value in statistic:
            yield from arrays_in(value)
    elif is_dataclass(statistic):
        for field in fields(statistic):
            yield from arrays_in(getattr(statistic, field.name))


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
