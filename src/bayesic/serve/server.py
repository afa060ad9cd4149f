"""What all requests share: the store, its limits, who may ask; and one request, with all of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from time import perf_counter, thread_time
from typing import Any, TypeVar
from weakref import WeakSet

import anyio
from starlette.requests import Request
from starlette.responses import Response

from bayesic.data.arguments import without_warnings
from bayesic.data.json_text import json_text
from bayesic.networks.network import BeliefNetwork
from bayesic.serve.bodies import JSON, read_json
from bayesic.serve.limits import Limits
from bayesic.serve.metrics import Metrics
from bayesic.serve.refusals import RETRY_AFTER, RefusedError
from bayesic.serve.scores import Scores
from bayesic.serve.tokens import Token
from bayesic.store.events import State
from bayesic.store.store import Store

Result = TypeVar("Result")
N_THREADS = 8  # that answer; more would only wait for each other
SMALL = 4_000  # bytes of a question that is answered at once,
QUICK = 0.002  # if the model has answered within so many seconds
BETWEEN_LOOKS = 0.005  # seconds


@dataclass(eq=False)
class Server:
    """The store, and what is known of those who ask."""

    store: Store
    limits: Limits = field(default_factory=Limits)
    metrics: Metrics = field(default_factory=Metrics)
    tokens: tuple[Token, ...] = ()
    hosts: frozenset[str] | None = None  # names by which one may ask; None for any
    scores: Scores = field(default_factory=Scores)
    quick: WeakSet[State] = field(default_factory=WeakSet)  # have answered, and quickly
    threads: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(N_THREADS))

    async def work(self, function: Callable[..., Result], *given: Any, **by_name: Any) -> Result:
        """What a function returns, computed in another thread; refused if it takes too long."""
        try:
            with anyio.fail_after(self.limits.seconds):
                return await anyio.to_thread.run_sync(
                    partial(_quietly, function, *given, **by_name),
                    abandon_on_cancel=True,
                    limiter=self.threads,
                )
        except TimeoutError:
            raise later(
                f"There was no answer within {self.limits.seconds:g} s. Ask about fewer rows, or "
                "try again later."
            ) from None

    def note_quick(self, state: State, function: Callable[..., Result], *given: Any) -> Result:
        """What a function returns; if that took no time, the state is one that answers quickly."""
        start = thread_time()  # others that work meanwhile do not count
        found = function(*given)
        if thread_time() - start < QUICK and not isinstance(state.model, BeliefNetwork):
            self.quick.add(state)
        return found


def later(sentence: str) -> RefusedError:
    """Why a request is to come again later."""
    headers = {"retry-after": str(round(RETRY_AFTER))}
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, sentence, headers)


def _quietly(function: Callable[..., Result], *given: Any, **by_name: Any) -> Result:
    with without_warnings():
        return function(*given, **by_name)


@dataclass(frozen=True, eq=False)
class Asked:
    """One request."""

    server: Server
    request: Request

    @property
    def name(self) -> str:
        """The model that it is about."""
        return self.request.path_params["name"]

    async def json(self) -> dict[str, Any]:
        """The object that it brings."""
        return await read_json(self.request, self.server.limits)

    async def state(self) -> State:
        """The model; with ?at_least=SEQ, as soon as it has this event in it."""
        seq, seconds = self.number("at_least", 0), self.server.limits.seconds
        with anyio.move_on_after(seconds):
            while (state := self.server.store.state(self.name)).seq < seq:
                await anyio.sleep(BETWEEN_LOOKS)  # no thread waits: others could not be answered
            return state
        raise later(
            f"Event {seq} of {self.name!r} did not come within {seconds:g} s. Is it the "
            "number that a receipt told, of this model?"
        )

    async def of_model(self, state: State, function: Callable[..., Result], *given: Any) -> Result:
        """What a function returns that asks a model; the time is noted.

        The first answer of a state may take long, and is computed in another thread. After that a
        small question is answered at once: to change threads would take longer.
        """
        start, length = perf_counter(), self.request.headers.get("content-length", "")
        if state in self.server.quick and length.isdigit() and int(length) <= SMALL:
            found = _quietly(function, *given)
        else:
            found = await self.server.work(self.server.note_quick, state, function, *given)
        self.server.metrics.observe("bayesic_predict_seconds", perf_counter() - start)
        return found

    def number(self, name: str, default: int) -> int:
        """A whole number of the address."""
        text = self.request.query_params.get(name)
        if text is None:
            return default
        if not text.isdecimal() or len(text) > 18:
            raise RefusedError(
                HTTPStatus.UNPROCESSABLE_ENTITY,
                f"{name} must be a whole number from 0 on, got {text!r:.60}.",
            )
        return int(text)


def reply(
    value: Any, status: HTTPStatus = HTTPStatus.OK, headers: dict[str, str] | None = None
) -> Response:
    """A value as JSON. Half of a surrogate pair is an escape, as JSON has it."""
    text = json_text(value).encode("utf-8", "backslashreplace")
    return Response(text, status, headers, media_type=JSON)
