"""The table of routes: it finds the answer to a request, and is what /openapi.json describes."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from bayesic.serve import _health, _open_inference, _openapi, _predicting, keeping, learning, models
from bayesic.serve.refusals import RefusedError
from bayesic.serve.request_bodies import CSV, JSON, LINES, MODEL
from bayesic.serve.server import ServerRequest


@dataclass(frozen=True)
class Route:
    """One method of one path."""

    method: str
    path: str
    right: str | None  # None: no token is needed
    answer: Callable[[ServerRequest], Awaitable[object]]
    takes: str = ""  # the schema of its body, by name; "" for none
    gives: str = "Object"  # the schema of its answer
    forms: tuple[str, ...] = (JSON,)  # content types of its body
    query: tuple[str, ...] = ()  # numbers and moments in the address

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return (self.answer.__doc__ or "").strip().partition("\n")[0]


SPANS = ("since", "start", "until")


def _of_models() -> tuple[Route, ...]:
    one, at = "/models/{name}", ("at_least",)
    forms = (JSON, LINES, CSV)
    return (
        Route("GET", "/models", "read", models.listed),
        Route("PUT", one, "admin", models.created, "Create", "Receipt", (JSON, MODEL)),
        Route("GET", one, "read", models.shown, query=at),
        Route("DELETE", one, "admin", models.deleted),
        Route("GET", f"{one}/file", "read", models.downloaded, gives="File", query=(*at, "seq")),
        Route("GET", f"{one}/summary", "read", models.summary, query=at),
        Route("GET", f"{one}/history", "read", keeping.history, query=("after", "limit")),
        Route("GET", f"{one}/latest", "read", keeping.latest, query=("before", "limit")),
        Route("GET", f"{one}/learning-curve", "read", keeping.learning_curve, query=("points",)),
        Route("GET", f"{one}/drift", "read", keeping.drift, gives="Drift", query=SPANS),
        Route("GET", f"{one}/rows.csv", "read", keeping.rows_as_csv, gives="Csv"),
        Route("GET", f"{one}/rows.parquet", "read", keeping.rows_as_parquet, gives="Parquet"),
        Route("POST", f"{one}/learn", "learn", learning.learn, "Learn", "Receipt"),
        Route("POST", f"{one}/adopt", "learn", learning.adopt, "Learn", "Receipt"),
        Route("POST", f"{one}/forget", "learn", learning.forget, "Forget", "Receipt"),
        Route("POST", f"{one}/correct", "learn", learning.correct, "Correct", "Receipt"),
        Route("POST", f"{one}/evaluate", "learn", learning.evaluate, "Learn"),
        Route("GET", f"{one}/evaluation", "read", learning.evaluation, query=at),
        Route(
            "POST", f"{one}/predict", "read", _predicting.predict, "Predict", "Answers", forms, at
        ),
        Route("POST", f"{one}/explain", "read", _predicting.explain, "Explain", query=at),
        Route("POST", f"{one}/decide", "read", _predicting.decide, "Decide", query=at),
        Route("POST", f"{one}/query", "read", _predicting.query, "Query", query=at),
        Route("POST", f"{one}/replay", "admin", keeping.replay, "Replay", "File", (JSON, MODEL)),
        Route("POST", f"{one}/compact", "admin", keeping.compact, "Compact", "Receipt"),
    )


ROUTES: tuple[Route, ...] = (
    Route("GET", "/health/live", None, _health.live),
    Route("GET", "/health/ready", None, _health.ready),
    Route("GET", "/metrics", "read", _health.metrics, gives="Text"),
    Route("GET", "/openapi.json", "read", _openapi.document),
    Route("GET", "/verify", "admin", keeping.verify, gives="Verified"),
    *_of_models(),
    Route("GET", "/v2", None, _open_inference.server_metadata),
    Route("GET", "/v2/health/live", None, _open_inference.live),
    Route("GET", "/v2/health/ready", None, _open_inference.ready),
    Route("GET", "/v2/models/{name}", "read", _open_inference.metadata),
    Route("GET", "/v2/models/{name}/ready", "read", _open_inference.model_ready),
    Route("POST", "/v2/models/{name}/infer", "read", _open_inference.infer, "Infer"),
)

NAME_PARTS = (2, 3)  # /models/{name}, /v2/models/{name}
PARAMETER = re.compile(
    r"{(\w+)(:path)?}"
)  # a parameter of a path; one with slashes in it is {name:path}


class RouteTable:
    """All routes of a server, and how a request finds its own.

    more : routes beside those that every server has

    >>> route, parameters = RouteTable().found("POST", "/models/spam/predict")
    >>> route.path, parameters
    ('/models/{name}/predict', {'name': 'spam'})
    """

    def __init__(self, more: Sequence[Route] = ()) -> None:
        self._by_path = _by_path(ROUTES)  # path -> method -> route
        others = _by_path(more)
        self._others = [(_pattern_of(path), methods) for path, methods in others.items()]

    def found(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        """The route of a request, and the parameters of its path; refused if there is none."""
        methods, parameters = self._methods_of(path)
        route = methods.get("GET" if method == "HEAD" else method)
        if route is not None:
            return route, parameters
        raise RefusedError(
            HTTPStatus.METHOD_NOT_ALLOWED if methods else HTTPStatus.NOT_FOUND,
            f"There is no {method:.20} {path:.200}. GET /openapi.json lists what there is; the "
            "name of a model has no slash in it.",
            {"allow": ", ".join(methods)} if methods else {},
        )

    def _methods_of(self, path: str) -> tuple[dict[str, Route], dict[str, str]]:
        """The routes of a path by method, and the parameters in it."""
        parts = path.split("/")
        for index in NAME_PARTS:
            if len(parts) > index and parts[index]:
                found = self._by_path.get("/".join([*parts[:index], "{name}", *parts[index + 1 :]]))
                if found:
                    return found, {"name": parts[index]}
        if path in self._by_path:
            return self._by_path[path], {}
        for pattern, methods in self._others:
            match = pattern.fullmatch(path)
            if match:
                return methods, match.groupdict()
        return {}, {}


def _by_path(routes: Sequence[Route]) -> dict[str, dict[str, Route]]:
    found: dict[str, dict[str, Route]] = {}
    for route in routes:
        found.setdefault(route.path, {})[route.method] = route
    return found


def _pattern_of(path: str) -> re.Pattern[str]:
    """The regular expression of the paths of a route.

    >>> _pattern_of("/table/{variable:path}").fullmatch("/table/wet/dry")["variable"]
    'wet/dry'
    """
    return re.compile(
        PARAMETER.sub(lambda m: f"(?P<{m[1]}>{'.+' if m[2] else '[^/]+'})", path), re.S
    )
