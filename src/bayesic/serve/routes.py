"""The table of routes: what can be asked, by whom, and with what. It serves, and is documented."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from bayesic.serve import asking, health, inference, learning, models, openapi
from bayesic.serve.bodies import CSV, JSON, LINES, MODEL
from bayesic.serve.server import Asked


@dataclass(frozen=True)
class Route:
    """One thing that can be asked."""

    method: str
    path: str
    right: str | None  # None: anybody may ask
    answer: Callable[[Asked], Awaitable[Any]]
    takes: str = ""  # the schema of its body, by name; "" for none
    gives: str = "Object"  # the schema of its answer
    forms: tuple[str, ...] = (JSON,)  # content types of its body
    query: tuple[str, ...] = ()  # whole numbers in the address

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return (self.answer.__doc__ or "").strip().partition("\n")[0]


def _of_models() -> tuple[Route, ...]:
    one, at = "/models/{name}", ("at_least",)
    forms = (JSON, LINES, CSV)
    return (
        Route("GET", "/models", "read", models.listed),
        Route("PUT", one, "admin", models.created, "Create", "Receipt", (JSON, MODEL)),
        Route("GET", one, "read", models.shown, query=at),
        Route("DELETE", one, "admin", models.deleted),
        Route("GET", f"{one}/file", "read", models.downloaded, gives="File", query=at),
        Route("GET", f"{one}/summary", "read", models.summary, query=at),
        Route("GET", f"{one}/history", "read", models.history, query=("after", "limit")),
        Route("POST", f"{one}/learn", "learn", learning.learn, "Learn", "Receipt"),
        Route("POST", f"{one}/forget", "learn", learning.forget, "Forget", "Receipt"),
        Route("POST", f"{one}/correct", "learn", learning.correct, "Correct", "Receipt"),
        Route("POST", f"{one}/evaluate", "learn", learning.evaluate, "Learn"),
        Route("GET", f"{one}/evaluation", "read", learning.evaluation, query=at),
        Route("POST", f"{one}/predict", "read", asking.predict, "Predict", "Answers", forms, at),
        Route("POST", f"{one}/explain", "read", asking.explain, "Explain", query=at),
        Route("POST", f"{one}/decide", "read", asking.decide, "Decide", query=at),
        Route("POST", f"{one}/query", "read", asking.query, "Query", query=at),
    )


ROUTES: tuple[Route, ...] = (
    Route("GET", "/health/live", None, health.live),
    Route("GET", "/health/ready", None, health.ready),
    Route("GET", "/metrics", "read", health.metrics, gives="Text"),
    Route("GET", "/openapi.json", "read", openapi.document),
    *_of_models(),
    Route("GET", "/v2", None, inference.server_metadata),
    Route("GET", "/v2/health/live", None, inference.live),
    Route("GET", "/v2/health/ready", None, inference.ready),
    Route("GET", "/v2/models/{name}", "read", inference.metadata),
    Route("GET", "/v2/models/{name}/ready", "read", inference.model_ready),
    Route("POST", "/v2/models/{name}/infer", "read", inference.infer, "Infer"),
)
