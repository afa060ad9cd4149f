"""Questions of one row that have come at the same moment are answered together.

To ask a model about a row takes nearly as long as to ask it about ten. Nobody waits for others to
come: what the loop has read in one turn is gathered, and answered in the next.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from bayesic.kernels import Array
from bayesic.store.journal_events import State

MOST = 64  # rows that are answered before others have their turn

Shape = tuple[object, ...]
Question = tuple[object, "asyncio.Future[Array]"]  # a row, and where its answer goes


def shape_of(row: Any) -> Shape:
    """What rows must have in common to be one table: the columns, and the type of each cell.

    >>> shape_of({"sky": "rain", "wind": 2.5}) == shape_of({"sky": "sun", "wind": 1.0})
    True
    >>> shape_of({"sky": "rain", "wind": 2.5}) == shape_of({"sky": "sun", "wind": None})
    False
    """
    if isinstance(row, dict):
        return (*row, *map(type, row.values()))
    return (*map(type, row),) if isinstance(row, list) else (type(row),)


class QuestionBatches:
    """The questions that wait for this turn of the loop to end.

    ask : calls a function for the model of a name, as `ask(name, function, rows)`
    """

    def __init__(self, ask: Callable[..., Any]) -> None:
        self._ask = ask
        self._waiting: dict[tuple[str, State, Shape], list[Question]] = {}

    def posterior(self, name: str, state: State, row: object) -> "asyncio.Future[Array]":
        """P(class) of this row, as soon as all that have come with it are known."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._answer)
        future: asyncio.Future[Array] = loop.create_future()
        self._waiting.setdefault((name, state, shape_of(row)), []).append((row, future))
        return future

    def _answer(self) -> None:
        key = next(iter(self._waiting))
        group, rest = self._waiting[key][:MOST], self._waiting.pop(key)[MOST:]
        if rest:
            self._waiting[key] = rest
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._answer)
        name, state, _ = key
        self._answer_some(name, state, [each for each in group if not each[1].done()])

    def _answer_some(self, name: str, state: State, group: list[Question]) -> None:
        """Answer these; if that is refused, each by itself."""
        rows = [row for row, _ in group]
        try:
            posterior = self._ask(name, state.model.predict_proba, rows) if rows else ()
        except Exception as error:
            if len(group) == 1:
                group[0][1].set_exception(error)
                return
            for each in group:
                self._answer_some(name, state, [each])
            return
        for (_, future), probabilities in zip(group, posterior, strict=True):
            future.set_result(probabilities)
