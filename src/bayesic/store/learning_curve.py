"""How good a model was while it learned: each row is predicted before it is learned."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bayesic.data.arguments import check_whole_number, has_learned, without_warnings
from bayesic.evaluation.running_scores import Sums, sums_of
from bayesic.networks.network import BeliefNetwork
from bayesic.store._fold import Call, folded
from bayesic.store._journal_lines import calls, refuse
from bayesic.store._model_snapshots import states_kept
from bayesic.store.journal_events import StoredModel


@dataclass(frozen=True)
class CurvePoint:
    """How good predictions were up to an event, and in the part that ends with it."""

    seq: int
    time: float  # seconds since 1970
    n_rows: int  # predicted so far
    accuracy: float  # so far
    log_loss: float
    recent_accuracy: float  # of the part
    recent_log_loss: float


def learning_curve(
    connection: sqlite3.Connection, stored: StoredModel, points: Any
) -> list[CurvePoint]:
    """The scores of a model over its journal, in so many parts of equal length.

    The rows of a part are predicted by the model as it was before the part, and then learned,
    forgotten and corrected as they were. So a row is always predicted by a model that has not seen
    it. Rows of a class that was new, or of which all rows were forgotten, are not scored.
    """
    check_whole_number("points", points, 1)
    _refuse_others(stored.state.model)
    *_, (begin, model) = states_kept(connection, stored.number)
    if isinstance(model, str):
        refuse(f"There is no beginning to start from: {model}.")
    found: list[CurvePoint] = []
    total = Sums()
    for part in _parts(connection, stored, begin, points):
        sums = _scored(model, part)
        total = total + sums
        model = folded(model, part, stored.declared)
        if sums.rows:
            found.append(_point(part[-1], total, sums))
    return found


def _refuse_others(model: object) -> None:
    if isinstance(model, BeliefNetwork) or not hasattr(type(model), "predict_proba"):
        raise ValueError(
            f"Only what predicts classes has a learning curve, and this is a "
            f"{type(model).__name__}. Use history to see what it has learned."
        )


def _parts(
    connection: sqlite3.Connection, stored: StoredModel, begin: int, points: int
) -> Iterator[list[Call]]:
    """The calls of a journal in parts of about as many events each."""
    (n_events,) = connection.execute(
        "select count(*) from event where model = ? and seq > ? and op = 'learn'",
        (stored.number, begin),
    ).fetchone()
    length = max(1, -(-n_events // points))
    part: list[Call] = []
    n_rows = 0
    for call in _short(calls(connection, stored.number, begin), length):
        new = 0 if call.forgotten else len(call.learned)
        if new and n_rows >= length:  # what is forgotten meanwhile, those that come do not know
            yield part
            part, n_rows = [], 0
        part.append(call)
        n_rows += new
    if part:
        yield part


def _short(calls: Iterator[Call], length: int) -> Iterator[Call]:
    """The same, but what only learns is cut into calls of at most so many rows."""
    for call in calls:
        if call.forgotten or call.left or len(call.learned) <= length:
            yield call
            continue
        rows = iter(call.learned)
        while some := list(islice(rows, length)):
            yield Call(call.last, some, time=call.time)


def _scored(model: Any, part: list[Call]) -> Sums:
    """The scores of rows that are new; those that are corrected were known before."""
    rows = [row for call in part if not call.forgotten for row in call.learned]
    if not rows or not has_learned(model):
        return Sums(not_scored=len(rows))
    with without_warnings():
        posterior = model.predict_proba([row.x for row in rows])
    return sums_of(posterior, model, [row.y for row in rows])


def _point(call: Call, total: Sums, part: Sums) -> CurvePoint:
    time = call.time if isinstance(call.time, float) else max(call.time)
    return CurvePoint(
        seq=call.last,
        time=time,
        n_rows=total.rows,
        accuracy=total.right / total.rows,
        log_loss=total.log_loss / total.rows,
        recent_accuracy=part.right / part.rows,
        recent_log_loss=part.log_loss / part.rows,
    )
