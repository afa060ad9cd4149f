"""Models as folds of their events: what was learned is added, what was forgotten taken away.

A call (the rows of one `learn`, `forget` or `correct`) is one step of the fold: it is one
`partial_fit`, now and whenever the journal is replayed. So a model is a function of the calls in
their order, bit for bit, however they were written to the disk in groups.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from bayesic.catalogue import entry_of
from bayesic.data.arguments import has_learned, without_warnings
from bayesic.data.snapshots import snapshot
from bayesic.models.columns.naive_bayes import NaiveBayes
from bayesic.models.counting import ROWS_IN_TURN
from bayesic.models.held_choices import held_by, make_room
from bayesic.store.plain_rows import Row

MOST_ROWS = ROWS_IN_TURN  # that are learned together


@dataclass(frozen=True, eq=False)
class Call:
    """One step of the fold."""

    last: int  # the number of its last event
    learned: Sequence[Row] = ()
    forgotten: Sequence[Row] = ()
    left: Sequence[Row] = ()  # their window
    time: float | Sequence[float] = 0.0  # seconds since 1970, of all rows or of each


def applied(model: Any, call: Call, declared: Mapping[str, object]) -> object:
    """Another model, which has learned and forgotten these rows; or what the model raises.

    declared : further arguments of the first `partial_fit`

    >>> import bayesic as by
    >>> model = applied(by.TextClassifier(), Call(1, [Row("free", "spam"), Row("hi", "ham")]), {})
    >>> applied(model, Call(2, forgotten=[Row("free", "spam")]), {}).statistics_.class_count
    array([1, 0])
    """
    if not call.learned and not call.forgotten:  # none leaves unless others come
        return model
    model = snapshot(model)
    with without_warnings():  # a replay must not depend on what is done with warnings
        if call.learned:  # first: a row that is corrected may be the only one
            first = {} if has_learned(model) else declared
            times = {"times": call.time} if isinstance(_decay(model), str) else {}
            model.partial_fit(*_arguments(call.learned), **first, **times)
        if call.forgotten:
            model.forget(*_arguments(call.forgotten))
        if call.left:
            model.forget(*_arguments(call.left))
            if hasattr(model, "held_"):
                make_room(model, len(call.left))
    return model


def _decay(model: object) -> object:
    return getattr(model, "decay", None)


def _arguments(rows: Sequence[Row]) -> list[object]:
    labels = [[row.y for row in rows]] if rows[0].y is not None else []
    return [[row.x for row in rows], *labels]


def adds_up(model: Any) -> bool:
    """Whether learning several calls at once gives the same bits as learning one by one.

    So it is where a model follows from sums of whole numbers: these are exact in any order. Moments
    are rounded, so it matters what was added to what; `NaiveBayes` adds a few rows one by one.
    """
    if not has_learned(model) or _decay(model) is not None:
        return False
    if isinstance(model, NaiveBayes):  # a column that shows its first value is chosen at that row
        return model.statistics_.is_whole and model.statistics_.columns.keys() >= _columns(model)
    if not entry_of(model).keeps_whole_numbers:
        return False
    known = getattr(model.statistics_, "is_whole", None)  # texts know it, and are long to look at
    return _is_whole(model.statistics_) if known is None else known


def chooses_after(model: Any, n_rows: int) -> bool:
    """Whether a model that holds its choices chooses again after learning this many more rows.

    When it does is a question of how many rows there are: so it must not learn beyond that in one
    step.
    """
    held = held_by(model) if hasattr(model, "held_") else None
    return held is not None and held.is_due(model.statistics_.class_count.sum().item() + n_rows)


def _columns(model: NaiveBayes) -> set[str]:
    """The columns that take part."""
    return set(model._reader().features)


def _is_whole(part: object) -> bool:
    if isinstance(part, np.ndarray):
        return part.dtype.kind not in "fc"
    if is_dataclass(part):
        return all(_is_whole(getattr(part, field.name)) for field in fields(part))
    if isinstance(part, Mapping):
        return all(map(_is_whole, part.values()))
    return not isinstance(part, float)


def folded(model: object, calls: Iterable[Call], declared: Mapping[str, object]) -> Any:
    """The model after all of these calls, one by one, or what is the same."""
    waiting: list[Row] = []
    can_wait = adds_up(model)
    for call in calls:
        if can_wait and not call.forgotten and not call.left:
            if len(waiting) + len(call.learned) > MOST_ROWS:
                model, waiting = applied(model, Call(0, waiting), declared), []
            waiting += call.learned
            if len(waiting) < MOST_ROWS and not chooses_after(model, len(waiting)):
                continue
            call = Call(call.last)
        model, waiting = applied(model, Call(0, waiting), declared), []
        model = applied(model, call, declared)
        can_wait = adds_up(model)
    return applied(model, Call(0, waiting), declared)
