"""Rows that fade: each counts half as much when a half-life has gone by, of rows or of time.

    weight of a row = 2^(-age / half-life)

as of the last row. So rows learned one by one, or in pieces, are those of one `fit` with these
weights: when rows come, the statistics of all before are multiplied once, by what they have aged.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from bayesic.data.arguments import is_number
from bayesic.data.spans import Span, seconds_of, span_of
from bayesic.data.typing import ArrayLike, Decay
from bayesic.kernels import Array
from bayesic.models.notes import LearningModel, Note
from bayesic.models.readers.reader import CodedRows, CodedSource
from bayesic.statistics.additive import LEAST_COUNT


@dataclass(frozen=True, eq=False)
class _FadingRows:
    """Rows with the weights that they have when all of them are learned."""

    rows: Iterable[CodedRows]
    weights: Array  # of each row
    left: float  # of what was learned before
    newest: float | None  # the moment of the last row, where rows fade by time

    def __iter__(self) -> Iterator[CodedRows]:
        weights, start = self.weights, 0
        for block in self.rows:
            of_block = weights[start : start + len(block.codes)]
            start += len(block.codes)
            yield block if (of_block == 1).all() else _weighed(block, of_block)


class Fades(LearningModel, Protocol):
    """A model with the parameter `decay`, and the moment of its last row under `newest_`."""

    newest_: float

    @property
    def decay(self) -> Decay:
        """A half-life, or None."""


def _weighed(rows: CodedRows, weights: Array) -> CodedRows:
    return replace(rows, weights=weights if rows.weights is None else weights * rows.weights)


def faded_to(age: ArrayLike, half_life: Span) -> Array:
    """What is left of a row of this age: 2^(-age / half-life), and 0 below LEAST_COUNT.

    >>> faded_to(np.array([0.0, 500.0, 2000.0]), Span(1000.0, False))
    array([1.        , 0.70710678, 0.25      ])
    """
    with np.errstate(over="ignore"):  # infinitely many half-lives, of which nothing is left
        left = np.exp2(-np.asarray(age) / half_life.length)
    return np.where(left < LEAST_COUNT, 0.0, left)


def checked_half_life(decay: object) -> Span | None:
    """The half-life that the parameter decay says; None if rows do not fade."""
    return None if decay is None else span_of("decay", decay)


def _as_read(model: Fades, rows: Iterable[CodedRows], times: object) -> Iterable[CodedRows]:
    """The rows, with what is left of them by the time of the last one, if they fade."""
    if model.decay is None and times is None:
        return rows
    half_life = checked_half_life(model.decay)
    if (times is None) == (half_life is not None and half_life.is_time):
        raise _refusal_of_times(model.decay, times)
    if half_life is None:
        return rows
    if isinstance(rows, CodedSource) and rows.is_sample:
        raise ValueError(
            f"With decay={model.decay!r} rows fade in their order, and the rows of a Spark "
            "DataFrame have none. Use decay=None, or give rows in memory."
        )
    n_rows, newest = sum(len(block.codes) for block in rows), None
    ages, aged = np.arange(n_rows - 1.0, -1.0, -1.0), float(n_rows)
    if half_life.is_time:
        moments = seconds_of(times, n_rows)
        last = getattr(model, "newest_", moments.max())
        newest = max(last, moments.max().item())
        ages, aged = newest - moments, newest - last
    weights, left = faded_to(ages, half_life), faded_to(aged, half_life).item()
    return _FadingRows(rows, weights, left, newest)


def _learn(model: Fades, rows: Iterable[CodedRows]) -> Iterable[CodedRows]:
    """Let what was learned so far fade to the time of the last of these rows."""
    if isinstance(rows, _FadingRows):
        _fade(model, rows.left)
        if rows.newest is not None:
            model.newest_ = rows.newest
    return rows


def _fade(model: Fades, left: float) -> None:
    """Let all that was learned so far count so much less, and what was chosen by it."""
    if left == 1 or not hasattr(model, "statistics_"):
        return
    model.statistics_ = model.statistics_.scaled(left)
    for note in model.notes:
        if note.fade is not None:
            note.fade(model, left)


def _as_of_both(model: Fades, other: Fades) -> Fades:
    """Another model as of the last row of both, and this one too; refused if they differ."""
    half_life, its_half_life = (checked_half_life(each.decay) for each in (model, other))
    if half_life is None and its_half_life is None:
        return other
    if half_life is None or half_life != its_half_life or not half_life.is_time:
        raise ValueError(
            "Only models with the same decay in time can be merged: this one has decay="
            f"{model.decay!r}, the other decay={other.decay!r}. Rows that fade by number have "
            "no order relative to those of another model: use a decay such as '30 days', or "
            "learn all rows with one model."
        )
    newest = [each.newest_ for each in (model, other) if hasattr(each, "newest_")]
    for each in (model, other):
        if hasattr(each, "newest_"):
            _fade(each, faded_to(max(newest) - each.newest_, half_life).item())
            each.newest_ = max(newest)
    return other


def _refuse(model: Fades, verb: str) -> None:
    if verb == "forget" and checked_half_life(model.decay) is not None:
        raise ValueError(
            f"With decay={model.decay!r} rows fade, so a row no longer has the weight it was "
            "learned with, and it cannot be removed. Old rows fade by themselves. To forget "
            "given rows exactly, use decay=None; in a store "
            "a window leaves old rows out: create(name, model, window='30 days')."
        )


def _state(model: Fades) -> dict[str, object]:
    return {"newest": model.newest_} if hasattr(model, "newest_") else {}


def _restore(model: Fades, state: dict[str, Any]) -> None:
    if "newest" in state:
        if not is_number(state["newest"]) or not np.isfinite(state["newest"]):
            raise ValueError("The moment of the last row must be a number of seconds.")
        model.newest_ = float(state["newest"])


def _refusal_of_times(decay: object, times: object) -> ValueError:
    if times is None:
        return ValueError(
            f"With decay={decay!r} rows fade by time: pass times=, the time of each row or one "
            "for all, such as times=time.time(), or set a decay in rows, such as decay=1000."
        )
    return ValueError(
        f"times are for rows that fade by time, and this model has decay={decay!r}. Leave times "
        "out, or set a decay such as '30 days'."
    )


# the note of a model that has the parameter decay: a half-life, or None. It keeps newest_, the
# moment of the last row, where rows fade by time
FADING = Note(
    read=_as_read,
    learn=_learn,
    merge=_as_of_both,
    refuse=_refuse,
    keys=frozenset({"newest"}),
    state=_state,
    restore=_restore,
)
