"""Rows that fade: each counts half as much when a half-life has gone by, of rows or of time.

    weight of a row = 2^(-age / half-life)

as of the last row. So rows learned one by one, or in pieces, are those of one `fit` with these
weights: when rows come, the statistics of all before are multiplied once, by what they have aged.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bayesic.data.arguments import is_number
from bayesic.data.snapshots import answering, held_still, learning
from bayesic.data.spans import Span, seconds_of, span_of
from bayesic.data.typing import ArrayLike, LabelsLike, TableLike
from bayesic.kernels import Array
from bayesic.models.readers.reader import CodedRows, CountedElsewhere
from bayesic.statistics.additive import LEAST_COUNT

if TYPE_CHECKING:
    from bayesic.models.counting import CountingModel


@dataclass(frozen=True, eq=False)
class FadingRows:
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


def _weighed(rows: CodedRows, weights: Array) -> CodedRows:
    return replace(rows, weights=weights if rows.weights is None else weights * rows.weights)


def faded_to(age: Any, half_life: Span) -> Any:
    """What is left of a row of this age: 2^(-age / half-life), and 0 below LEAST_COUNT.

    >>> faded_to(np.array([0.0, 500.0, 2000.0]), Span(1000.0, False))
    array([1.        , 0.70710678, 0.25      ])
    """
    with np.errstate(over="ignore"):  # infinitely many half-lives, of which nothing is left
        left = np.exp2(-np.asarray(age) / half_life.length)
    return np.where(left < LEAST_COUNT, 0.0, left)


class Fades:
    """A counting model with the parameter decay: a half-life, or None.

    It is not an ABC of its own, for the reason given in HoldsChoices.
    """

    decay: Any
    statistics_: Any
    held_: Any
    newest_: float  # the moment of the last row, where rows fade by time

    # verbs ----------------------------------------------------------------------------------

    @learning
    def fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        times: ArrayLike | None = None,
    ) -> Self:
        """Learn from rows X with targets y; whatever was learned before is gone.

        X : array, sparse matrix, table of pandas, polars or pyarrow, dict of columns, list of rows;
            or the path of a CSV, TSV or Parquet file, a DuckDB relation, or a lazy table of polars,
            PySpark, Dask or Ibis: counted where it is, or read block by block
        y : the class of each row, or the number to be predicted; or the name of the column of X
            that holds it
        sample_weight : weights of the rows; a row of weight 2 counts twice
        times : the time of each row, if decay is a span of time: seconds since 1970, datetimes, or
            strings such as "2026-05-01T12:30"; a single one for all rows
        """
        return self._learn_anew(X, y, sample_weight, times=times)  # type: ignore[attr-defined]

    @learning
    def partial_fit(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        classes: Iterable[Any] | None = None,
        sample_weight: ArrayLike | None = None,
        times: ArrayLike | None = None,
    ) -> Self:
        """Learn more rows (incremental): the model is the same as from one `fit` on all rows.

        classes : every class that can occur, if the first rows may lack one
        times : the time of each row, if decay is a span of time
        """
        model: Any = self  # a CountingModel
        model._check_verb("partial_fit")
        declared = model._declared(classes)
        return model._learn(X, y, sample_weight, declared=declared, times=times)

    @answering
    def leave_one_out(
        self,
        X: TableLike,
        y: LabelsLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        times: ArrayLike | None = None,
    ) -> Array:
        """The answer for each learned row, as if that row had not been learned.

        Equal to learning all other rows (with all classes declared) and predicting this one, for
        every row, in three to five times the time of one answer. What the model has chosen by
        itself (column types, cut points, bandwidths, lambdas) stays fixed. Pass the weights that
        were learned. With decay, pass the latest rows in the order of learning, or their times:
        each is removed with its current weight.
        """
        return self._left_out_of_all(X, y, sample_weight, times=times)  # type: ignore[attr-defined]

    @learning
    def merge(self, other: "CountingModel") -> Self:
        """Add everything that another model of this kind has learned; ignore its parameters.

        Rows that fade over time are merged as of the latest row of both. Rows that fade by number
        have no order relative to those of another model: such models cannot be merged.
        """
        same: Any = other
        if type(other) is type(self) and (self._half_life or same._half_life):
            same = self._as_of_both(held_still(same))
        return super().merge(same)  # type: ignore[misc]  # of CountingModel

    # how it is done -------------------------------------------------------------------------

    def _check_decay(self) -> None:
        _ = self._half_life

    @property
    def _half_life(self) -> Span | None:
        return None if self.decay is None else span_of("decay", self.decay)

    def _rows_to_learn(
        self, X: Any, y: Any, sample_weight: Any, times: Any = None, **told: Any
    ) -> Iterable[CodedRows]:
        """The rows, with what is left of them by the time of the last one, if they fade."""
        rows = super()._rows_to_learn(X, y, sample_weight, **told)  # type: ignore[misc]
        half_life = self._half_life
        if (times is None) == (half_life is not None and half_life.is_time):
            raise _refusal_of_times(self.decay, times)
        if half_life is None:
            return rows
        if isinstance(rows, CountedElsewhere):
            raise ValueError(
                f"With decay={self.decay!r} rows fade in their order, and the rows of a Spark "
                "DataFrame have none. Use decay=None, or give rows in memory."
            )
        n_rows, newest = sum(len(block.codes) for block in rows), None
        ages, aged = np.arange(n_rows - 1.0, -1.0, -1.0), float(n_rows)
        if half_life.is_time:
            moments = seconds_of(times, n_rows)
            last = getattr(self, "newest_", moments.max())
            newest = max(last, moments.max().item())
            ages, aged = newest - moments, newest - last
        weights, left = faded_to(ages, half_life), faded_to(aged, half_life).item()
        return FadingRows(rows, weights, left, newest)

    def _learn_rows(
        self, rows: Iterable[CodedRows], declared: Array | None = None, is_all: bool = False
    ) -> Any:
        if isinstance(rows, FadingRows):
            self._fade(rows.left)
            vars(self).update({} if rows.newest is None else {"newest_": rows.newest})
        return super()._learn_rows(rows, declared, is_all)  # type: ignore[misc]

    def _fade(self, left: float) -> None:
        """Let all that was learned so far count so much less, and what was chosen by it."""
        if left == 1 or not hasattr(self, "statistics_"):
            return
        self.statistics_ = self.statistics_.scaled(left)
        if "held_" in vars(self):
            self.held_ = replace(self.held_, n_rows=self.held_.n_rows * left)

    def _as_of_both(self, other: Any) -> Any:
        """Another model as of the last row of both, and this one too; refused if they differ."""
        half_life = self._half_life
        if half_life is None or half_life != other._half_life or not half_life.is_time:
            raise ValueError(
                "Only models with the same decay in time can be merged: this one has decay="
                f"{self.decay!r}, the other decay={other.decay!r}. Rows that fade by number have "
                "no order relative to those of another model: use a decay such as '30 days', or "
                "learn all rows with one model."
            )
        newest = [model.newest_ for model in (self, other) if hasattr(model, "newest_")]
        for model in (self, other):
            if hasattr(model, "newest_"):
                model._fade(faded_to(max(newest) - model.newest_, half_life).item())
                model.newest_ = max(newest)
        return other

    def _check_verb(self, verb: str) -> None:
        if verb == "forget" and self._half_life is not None:
            raise ValueError(
                f"With decay={self.decay!r} rows fade, so a row no longer has the weight it was "
                "learned with, and it cannot be removed. Old rows fade by themselves. To forget "
                "given rows exactly, use decay=None; in a store "
                "a window leaves old rows out: create(name, model, window='30 days')."
            )
        super()._check_verb(verb)  # type: ignore[misc]

    # files ----------------------------------------------------------------------------------

    def _extra_state(self) -> dict[str, Any]:
        state = super()._extra_state()  # type: ignore[misc]
        return {**state, "newest": self.newest_} if hasattr(self, "newest_") else state

    def _restore_extra_state(self, state: dict[str, Any]) -> None:
        rest = {name: part for name, part in state.items() if name != "newest"}
        if "newest" in state:
            if not is_number(state["newest"]) or not np.isfinite(state["newest"]):
                raise ValueError("The moment of the last row must be a number of seconds.")
            self.newest_ = float(state["newest"])
        super()._restore_extra_state(rest)  # type: ignore[misc]


def _refusal_of_times(decay: Any, times: Any) -> ValueError:
    if times is None:
        return ValueError(
            f"With decay={decay!r} rows fade by time: pass times=, the time of each row or one "
            "for all, such as times=time.time(), or set a decay in rows, such as decay=1000."
        )
    return ValueError(
        f"times are for rows that fade by time, and this model has decay={decay!r}. Leave times "
        "out, or set a decay such as '30 days'."
    )
