"""What all requests share: the store, limits, tokens; and one request, with all of it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from time import monotonic, perf_counter, thread_time
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from bayesic.data.arguments import without_warnings
from bayesic.data.json_text import json_text
from bayesic.kernels import Array
from bayesic.networks.network import BeliefNetwork
from bayesic.serve._metrics import Metrics
from bayesic.serve._receipts import Receipts
from bayesic.serve._score_sums import SumsByModel
from bayesic.serve._together import QuestionBatches
from bayesic.serve._worker_threads import WorkerThreads
from bayesic.serve.access_tokens import Token
from bayesic.serve.refusals import RETRY_AFTER, RefusedError
from bayesic.serve.request_bodies import JSON, read_json
from bayesic.serve.request_limits import RequestLimits
from bayesic.store.journal_drift import Cut, cut_typed
from bayesic.store.journal_events import State
from bayesic.store.published import did_not_come
from bayesic.store.store import Store

if TYPE_CHECKING:
    from bayesic.serve.routes import Route

Result = TypeVar("Result")
N_THREADS = 8  # that answer; more would only wait for each other
N_LONG = 2  # threads that read the whole journal: those that answer never wait for them
SMALL = 4_000  # bytes of a question that is answered at once,
QUICK = 0.002  # if the model has answered one within so many seconds,
SLOW = 0.05  # and none in more than these
BETWEEN_LOOKS = 0.005  # seconds
LARGEST = 10**18 - 1  # number that can be asked for in an address


@dataclass(eq=False)
class Server:
    """The store, its limits and tokens, and what was measured of the models."""

    store: Store
    limits: RequestLimits = field(default_factory=RequestLimits)
    metrics: Metrics = field(default_factory=Metrics)
    tokens: tuple[Token, ...] = ()
    hosts: frozenset[str] | None = None  # host names that are answered; None for any
    more_routes: "Sequence[Route]" = ()  # beside those that every server has
    scores: SumsByModel = field(default_factory=SumsByModel)
    quick: set[str] = field(default_factory=set)  # names of models that answer quickly
    receipts: Receipts = field(default_factory=Receipts)
    together: QuestionBatches = field(init=False)
    workers: WorkerThreads = field(default_factory=lambda: WorkerThreads(N_THREADS))
    long_workers: WorkerThreads = field(default_factory=lambda: WorkerThreads(N_LONG))

    def __post_init__(self) -> None:
        self.together = QuestionBatches(self.noted)

    async def work(
        self, function: Callable[..., Result], *given: object, **by_name: object
    ) -> Result:
        """What a function returns, computed in another thread; refused if it takes too long."""
        working = partial(function, *given, **by_name)
        return await _in_thread(working, self.limits.seconds, self.workers)

    async def work_long(
        self, function: Callable[..., Result], *given: object, **by_name: object
    ) -> Result:
        """The same for what may take minutes, such as a replay; few at a time."""
        working = partial(function, *given, **by_name)
        return await _in_thread(working, self.limits.long_seconds, self.long_workers)

    def close(self) -> None:
        """Close the store. Answers still being computed are finished and thrown away."""
        self.workers.close()
        self.long_workers.close()
        self.store.close()

    @property
    def is_working(self) -> bool:
        """Whether a thread computes an answer."""
        return self.workers.is_working or self.long_workers.is_working

    def noted(self, name: str, function: Callable[..., Result], *given: object) -> Result:
        """What a function of a model returns; its time decides where the next one runs."""
        start = thread_time()  # others that work meanwhile do not count
        found = _quietly(function, *given)
        seconds = thread_time() - start
        if seconds < QUICK:
            self.quick.add(name)
        elif seconds > SLOW:
            self.quick.discard(name)
        return found


def later(sentence: str) -> RefusedError:
    """The refusal of a request that may be sent again later (status 503)."""
    headers = {"retry-after": str(round(RETRY_AFTER))}
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, sentence, headers)


async def _in_thread(
    working: Callable[[], Result], seconds: float, workers: WorkerThreads
) -> Result:
    try:
        return await workers.result(partial(_quietly, working), seconds)
    except TimeoutError:
        raise later(
            f"There was no answer within {seconds:g} s. Ask about fewer rows, or try again later."
        ) from None


def _quietly(function: Callable[..., Result], *given: object, **by_name: object) -> Result:
    with without_warnings():
        return function(*given, **by_name)


@dataclass(frozen=True, eq=False)
class ServerRequest:
    """One request."""

    server: Server
    http: Request
    name: str = ""  # of the model that it is about
    path_parameters: Mapping[str, str] = field(default_factory=dict)  # as in /models/{name}

    @property
    def store(self) -> Store:
        """The store of the server."""
        return self.server.store

    @property
    def limits(self) -> RequestLimits:
        """What the server takes."""
        return self.server.limits

    async def json(self, any_type: bool = False) -> dict[str, Any]:
        """The JSON object of its body; `any_type`: also without a content type."""
        return await read_json(self.http, self.limits, any_type)

    async def state(self) -> State:
        """The model; with ?at_least=SEQ, as soon as it has this event in it.

        Only a follower has to wait: the writer has seen everything that a receipt confirms.
        """
        seq, store = self.number("at_least", 0), self.store
        seconds = self.limits.seconds
        state, until = store.state(self.name), monotonic() + seconds
        while state.seq < seq:
            if not store.is_read_only:
                raise ValueError(
                    f"The last event of {self.name!r} is {state.seq}, got at_least={seq}. Is it "
                    "a number from a receipt of this model?"
                )
            if monotonic() > until:
                raise later(str(did_not_come(self.name, seq, seconds)))
            await asyncio.sleep(BETWEEN_LOOKS)  # no thread waits: others could not be answered
            state = store.state(self.name)
        return state

    def is_quick(self, state: State) -> bool:
        """Whether this is a small question to a model that answers small ones quickly."""
        if self.name not in self.server.quick or isinstance(state.model, BeliefNetwork):
            return False
        length = self.http.headers.get("content-length", "")
        return length.isdigit() and int(length) <= SMALL

    async def of_model(
        self, state: State, function: Callable[..., Result], *given: object
    ) -> Result:
        """What a function of a model returns; the time is measured.

        The first answer of a model may take long, and is computed in another thread. After that a
        small question is answered at once: to change threads would take longer.
        """
        start = perf_counter()
        if self.is_quick(state):
            found = self.server.noted(self.name, function, *given)
        else:
            found = await self.server.work(self.server.noted, self.name, function, *given)
        self.server.metrics.observe("bayesic_predict_seconds", perf_counter() - start)
        return found

    async def posterior(self, state: State, row: object) -> Array:
        """P(class) of one row, computed together with those of others; the time is measured."""
        start = perf_counter()
        found = await self.server.together.posterior(self.name, state, row)
        self.server.metrics.observe("bayesic_predict_seconds", perf_counter() - start)
        return found

    def has(self, name: str) -> bool:
        """Whether the query string has this parameter."""
        return name in self.http.query_params

    def cut(self, name: str) -> Cut | None:
        """The number of an event, or a moment, of the address; None if it is not there."""
        text = self.http.query_params.get(name)
        if text is not None and text.isdecimal():
            return self.number(name, 0)
        return None if text is None else cut_typed(name, text)

    def number(self, name: str, default: int) -> int:
        """A whole number of the address."""
        text = self.http.query_params.get(name)
        if text is None:
            return default
        if not text.isdecimal() or len(text) > len(str(LARGEST)):
            raise RefusedError(
                HTTPStatus.UNPROCESSABLE_ENTITY,
                f"{name} must be a whole number from 0 to {LARGEST}, got {text!r:.60}.",
            )
        return int(text)


def reply(
    value: object, status: HTTPStatus = HTTPStatus.OK, headers: dict[str, str] | None = None
) -> Response:
    """A value as JSON."""
    return Response(as_bytes(json_text(value)), status, headers, media_type=JSON)


def as_bytes(text: str) -> bytes:
    """A text in UTF-8. Half of a surrogate pair is an escape, as JSON has it."""
    return text.encode("utf-8", "backslashreplace")
