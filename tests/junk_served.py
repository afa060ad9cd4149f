"""Junk for a server and a studio in process: every route, with bodies of likely and odd fields."""

import asyncio
import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import bayesic as by
from bayesic.serve._application import Application
from bayesic.serve._metrics import Metrics
from bayesic.serve.request_limits import RequestLimits
from bayesic.serve.routes import ROUTES, Route
from bayesic.serve.server import Server
from bayesic.studio.launch import LIMITS
from bayesic.studio.routes import studio_routes
from bayesic.studio.workspace import Studio
from helpers.coroutines import run
from helpers.http_server import teach_models
from junk_values import NAMES, spoiled_bytes, spoiled_text

Case = Callable[[], Any]
MODELS = ("plans", "短信", "numbers", "day", "empty", "made", "no such model", "__proto__")
DOCUMENTS = ("asia", "asia-2", "playtennis", "tennis", "no such document", *MODELS)
FORMS = ("application/json", "application/x-ndjson", "text/csv", "application/octet-stream", "")
CSV = "sky,wind,play\nrain,9.5,stay\nsun,1.0,go\n"
ROW = {"sky": "rain", "wind": 2.5}
ROWS = (ROW, [1.0, 2.0], "free money", {"storm": True}, {"wind": "many"}, {}, [])
FIELDS: dict[str, tuple] = {
    "row": ROWS,
    "rows": ([ROW], [[1.0, 2.0]], ["free lunch"], [{"storm": False, "fire": "no"}], []),
    "y": (["stay"], "stay", ["spam"], [0], [[None]], [None]),
    "ids": (["a"], [1, 2], [[1]], [None]),
    "id": ("a", 1, 2.5),
    "model": ("NaiveBayes", "TextClassifier", "GaussianNB", "BeliefNetwork", "plans", "KMeans"),
    "parameters": ({"smoothing": 2}, {"columns": {"sky": "ignore"}}, {"__proto__": 1}),
    "classes": (["go", "stay"], [0, 1], [[None]], [{}], [True, 1, 1.0], ["x" * 5000]),
    "targets": ("fire", ["storm", "fire"]),
    "given": ({"fire": "no"}, {"storm": True}, {"smoke": "yes"}),
    "loss": ({"take": {"go": 0, "stay": 2}},),
    "evidence": ({"smoke": "yes"}, {"tub": {"yes": 0.2, "no": 0.8}}),
    "event": ({"kind": "addVariable", "name": "x"}, {"kind": "rename"}, {"kind": []}),
    "base": (0, 1),
    "version": (0, 1, 10**30),
    "example": ("asia", "tennis", "campfire", "mails"),
    "target": ("play", "fire", "sky"),
    "kinds": ({"sky": "categorical"}, {"sky": "text"}),
    "text": ("free money", "\ud800", "=1+1"),
    "label": ("spam", "ham", "go"),
    "name": NAMES,
    "from": ("asia", "plans", 0),
    "to": ("asia", 1, 5),
    "first": ("smoke", ["smoke"]),
    "second": ("lung", ["lung"]),
    "points": ([[0.0, 1.0], [1.0, 0.0]], 10),
    "language": ("en", "zh"),
    "day": (ROW, 1),
    **{name: (0, 1, 2.5, [1], {"a": 1}) for name in ("k", "top", "seq", "count", "limit")},
    **dict.fromkeys(("smoothing", "spread", "means", "covariance"), (0.5, 1, "auto", True)),
}


@cache
def _taught() -> bytes:
    """The file of a store with a model of each shape of rows."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "taught"
        with by.open_store(path) as store:
            teach_models(store)
        return path.read_bytes()


def json_junk(random: Random, depth: int = 2) -> Any:
    """Anything that JSON can hold, and a little more."""
    choice = random.randrange(8)
    if choice < 4 or depth == 0:
        odd = (None, True, 0, -1, 2.5, 1e308, 10**30, float("nan"), "", "\ud800", "a\x00b", "雨")
        return random.choice((*odd, random.choice(NAMES)))
    items = [json_junk(random, depth - 1) for _ in range(random.randrange(4))]
    return items if choice < 6 else {random.choice(NAMES): item for item in items}


def body_of(random: Random) -> bytes:
    """A body: fields that routes know, some of them junk; or a table; or bytes."""
    choice = random.randrange(12)
    if choice == 0:
        return spoiled_text(random, CSV).encode(errors="surrogatepass")
    if choice == 1:
        return spoiled_bytes(random, CSV.encode())
    if choice == 2:
        return json.dumps(json_junk(random, 3)).encode()
    some = random.sample(sorted(FIELDS), random.randrange(5))
    share = random.choice([0.0, 0.2, 0.6])
    told = {
        name: json_junk(random) if random.random() < share else random.choice(FIELDS[name])
        for name in some
    }
    text = json.dumps(told)
    return (spoiled_text(random, text) if choice == 3 else text).encode(errors="surrogatepass")


def request_of(random: Random, routes: tuple[Route, ...]) -> tuple[str, str, str, str, bytes]:
    """Method, path, query, content type and body."""
    route = random.choice(routes)
    path = route.path
    for place in ("{name}", "{cases}", "{variable:path}", "{desk}", "{folder}", "{file}"):
        names = DOCUMENTS if random.random() < 0.9 else NAMES
        path = path.replace(place, random.choice(names).replace("/", ""))
    query = ""
    if route.query and random.random() < 0.7:
        odd = ("0", "1", "-1", "9" * 40, "x", "nan", "2024-01-05", "%00")
        query = f"{random.choice(route.query)}={random.choice(odd)}"
    fitting = random.choice(route.forms) if random.random() < 0.9 else random.choice(FORMS)
    return route.method, path, query, fitting, body_of(random) if route.method != "GET" else b""


async def _asked(app: Application, told: tuple[str, str, str, str, bytes]) -> tuple[int, bytes]:
    method, path, query, form, body = told
    incoming = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Any] = []
    ended = asyncio.Event()

    async def receive() -> Any:
        if incoming:
            return incoming.pop()
        await ended.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", form.encode())]
    headers.append((b"content-length", str(len(body)).encode()))
    scope = {
        "type": "http", "method": method, "path": path, "query_string": query.encode(),
        "headers": headers, "client": ("127.0.0.1", 1), "http_version": "1.1", "scheme": "http",
        "raw_path": path.encode(errors="surrogatepass"), "root_path": "", "extensions": {},
        "server": ("localhost", 80),
    }  # fmt: skip
    await app(scope, receive, send)
    ended.set()
    parts = [part.get("body", b"") for part in sent[1:]]
    return sent[0]["status"], b"".join(parts)


def _answers(requests: list, limits: RequestLimits, studio: Studio | None) -> None:
    """A store, and these requests to it; what is not expected is a fault."""
    path = Path("store")
    path.write_bytes(_taught())
    routes = studio_routes(studio) if studio else ()
    with by.open_store(path) as store:
        app = Application(Server(store, limits, Metrics(), more_routes=routes))
        for told in requests:
            status, body = run(_asked(app, told))
            what = f"{told[0]} {told[1]}?{told[2]} {told[4][:300]!r}: {status} {body[:300]!r}"
            if status >= 500 and status != 503:
                raise AssertionError(what)
            if status >= 400 and b" " not in body:
                raise AssertionError(f"no sentence: {what}")
            if body[:1] == b"{" and told[1] != "/metrics":
                json.load(io.BytesIO(body), parse_constant=_refuse_constant)
        problems = store.verify().problems
    if problems:
        raise AssertionError(f"{requests}: {problems}")


def _refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} in an answer is no JSON")


def server_body(random: Random) -> Case:
    """Requests to a server."""
    requests = [request_of(random, ROUTES) for _ in range(random.randrange(1, 6))]
    return lambda: _answers(requests, RequestLimits(), None)


@cache
def _routes_of_studio() -> tuple[Route, ...]:
    studio = Studio()
    studio.close()
    return studio_routes(studio)


def studio_body(random: Random) -> Case:
    """Requests to a studio, in which documents are open."""
    opened = [
        ("POST", f"/studio/{what}", "", "application/json", json.dumps({"example": name}).encode())
        for what, name in (("documents", "asia"), ("tables", "tennis"), ("texts", "mails"))
        if random.random() < 0.6
    ]
    own = tuple(route for route in _routes_of_studio() if not route.path.startswith("/studio/page"))
    requests = opened + [request_of(random, own) for _ in range(random.randrange(1, 6))]

    def run() -> None:
        studio = Studio()
        try:
            _answers(requests, LIMITS, studio)
        finally:
            studio.close()

    return run
