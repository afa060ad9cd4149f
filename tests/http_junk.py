"""Junk over HTTP: in each parameter of each model, and at each place of a good body of each route.

    python tests/http_junk.py              all of it: some 100,000 requests in five minutes
    python tests/http_junk.py --every 50   every 50th case

Fine is an answer, or a refusal with a sentence. Everything else is a fault: it is shown with the
request. Warnings are faults as well. `serve/test_http_junk.py` sends a small part of it.
"""

import argparse
import json
import warnings
from collections.abc import Iterator
from copy import deepcopy
from http.client import HTTPException
from inspect import signature
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import bayesic as by
from bayesic.serve.shapes import MODEL_NAMES
from helpers.http_server import ask, serving

JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 0.5, -0.5, 1e308, 1e-320, float("nan"), float("inf")),
    *(10**5, 10**9, 2**63, 10**30, -(10**30), 10**400),
    *("", "a", "auto", "nan", "inf", "1", "雨", "\ud800", "a\x00b", "x" * 5000, "1e308"),
    *([], [None], [[None]], [[]], [[[1]]], [1], [0.5, 0.5], ["a"], ["a", "b"], [True], ["a", 1]),
    *([["a", "b"]], [["a", "b"], ["b", "a"]], [["a", "a"]], [{}], [["m", 0]]),
    *(["m", 0], ["m", 1e308], ["m", None]),
    *({}, {"a": None}, {"a": []}, {"a": {}}, {"a": "b"}, {"a": 1}, {"a": ["x", "y"]}, {"": 0}),
    *({"sky": "number"}, {"sky": ["category", 1]}, {"wind": "text"}, {"float": "inf"}),
    *({"go": 0.5, "stay": 0.5}, {"go": float("nan")}, {"a": {"b": {"c": 1}}}),
)
DAYS = [{"sky": "rain", "wind": 9.5}, {"sky": "sun", "wind": 1.0}, {"sky": "sun", "wind": 2.5}]
STORMS = [{"storm": True, "fire": "no"}, {"storm": False, "fire": "yes"}]
TO_LEARN: tuple[dict[str, Any], ...] = (
    {"rows": DAYS, "y": ["stay", "go", "go"]},
    {"rows": [[1.0, 2.0], [3.0, 4.5], [2.0, 2.0]], "y": [0, 1, 1]},
    {"rows": ["free money", "lunch", "free"], "y": ["stay", "go", "go"]},
    {"rows": STORMS},
)
TABLES = (
    *(b"", b"\n", b",", b"a\n", b"sky,wind\n", b"sky,wind\nrain\n", b"sky,wind\nrain,1,2\n"),
    *(b"sky,wind\nrain,inf\n", b"sky,wind\nrain,nan\n", b'sky,wind\n"rain,1\n', b"sky,sky\n1,2\n"),
    *(b"sky,wind\r\nrain,1\rsun,2\n", b"sky\n\xed\xa0\x80\n", b"sky,wind\n2020-01-01,2020-01-01\n"),
    *(b"a,b\n0x10,0b1\n", b"\xef\xbb\xbfsky;wind\nrain;1\n", b"\xff\xfe", b"\x00", b"\x1f\x8b\x08"),
    *(b"{}", b"[]", b"null", b"NaN", b'{"sky":"rain"}\n[1]\n', b'"a"\n"\\ud800"\n', b"{}\n{}\n"),
    *(b"[1,2]\n[3]\n", b"[1,NaN]\n", b"[1e999,1]\n", b"[true,false]\n", b'["a","b"]\n'),
)
QUERIES = ("history?after", "history?limit", "latest?before", "latest?limit", "summary?at_least",
           "learning-curve?points", "drift?since", "drift?since=1&start", "drift?since=1&until",
           "file?seq")  # fmt: skip
CUTS = ("", "0", "1", "-1", "a", "1e5", "٣", "9" * 18, "9" * 30, "2026-05-01", "2026-99-99",
        "0001-01-01", "9999-12-31T23:59", "2026-05-01T12:30+99:00", "nan", "1.0")  # fmt: skip


class Case(NamedTuple):
    """One request."""

    method: str
    path: str
    body: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012 (nobody changes it)


# models -----------------------------------------------------------------------------------------


def made_by_junk() -> Iterator[Case]:
    """Models, each with junk for one of its parameters, or for what goes with them."""
    for name in sorted(MODEL_NAMES):
        for parameter in signature(getattr(by, name)).parameters:
            for junk in JUNK:
                yield _made({"model": name, "parameters": {parameter: junk}})
        for field in ("classes", "smoothing", "window", "model", "parameters"):
            for junk in JUNK:
                yield _made({"model": name, field: junk})


def _made(body: Any) -> Case:
    return Case("PUT", "/models/made", body)


def asked_of_the_made() -> Iterator[Case]:
    """What is asked of a model that could be made: to learn, to answer, to tell of itself."""
    for body in TO_LEARN:
        yield Case("POST", "/models/made/learn", body)
        row = body["rows"][0]
        target = {"target": "fire"} if "y" not in body else {}
        for verb in ("predict", "explain", "decide"):
            yield Case("POST", f"/models/made/{verb}", {"row": row} | target)
    for path in ("/models", "/openapi.json", "/v2/models/made", "/models/made/summary"):
        yield Case("GET", path)
    yield Case("GET", "/models/made/file")
    yield Case("POST", "/models/made/replay", {"parameters": {}})
    yield Case("DELETE", "/models/made")


# bodies -----------------------------------------------------------------------------------------


class Known(NamedTuple):
    """A model of the store, with a row that it takes, and a label."""

    name: str
    row: Any
    y: Any = None


KNOWN = (
    Known("plans", DAYS[0], "go"),
    Known("calibrated", DAYS[0], "go"),
    Known("mails", "free money", "go"),
    Known("numbers", [1.0, 2.0], 1),
    Known("line", [1.0, 2.0], 0.5),
    Known("near", [1.0, 2.0], 0),
    Known("day", STORMS[0]),
    Known("empty", DAYS[0], "go"),
)


def taught(store: Any) -> None:
    """Models of each shape of rows."""
    store.create("plans", by.NaiveBayes())
    store.learn("plans", DAYS, ["stay", "go", "go"])
    store.create(
        "calibrated", by.Calibrated(by.NaiveBayes()).fit(DAYS * 3, ["stay", "go"] * 4 + ["go"])
    )
    store.create("mails", by.TextClassifier())
    store.learn("mails", ["free money", "lunch"], ["stay", "go"])
    store.create("numbers", by.GaussianNB(), classes=[0, 1])
    store.learn("numbers", [[1.0, 2.0], [3.0, 4.0]], [0, 1])
    store.create("line", by.LeastSquares())
    store.learn("line", [[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]], [0.5, 1.0, 2.5])
    store.create("near", by.KNeighborsClassifier(n_neighbors=1))
    store.learn("near", [[1.0, 2.0], [3.0, 4.0]], [0, 1])
    store.create("day", by.BeliefNetwork([("storm", "fire")]), smoothing=1)
    store.learn("day", STORMS)
    store.create("empty", by.JointBayes())


def good_bodies(known: Known) -> Iterator[tuple[str, Any]]:
    """Bodies of each verb that are taken, or nearly."""
    _, row, y = known
    label, labels, target = (
        ({}, {}, {"target": "fire"}) if y is None else ({"y": y}, {"y": [y, y]}, {})
    )
    loss = {"loss": {"keep": {str(y): 1}, "drop": {str(y): 0}}, "reject_loss": 0.5}
    for verb in ("learn", "adopt", "evaluate"):
        yield verb, {"row": row, "id": f"{verb} 1"} | label
        yield verb, {"rows": [row, row], "ids": [f"{verb} 2", f"{verb} 3"]} | labels
    yield "correct", {"id": "learn 1", "y": {"fire": "no"} if y is None else y}
    yield "forget", {"ids": ["learn 1"]}
    for verb, more in (("predict", {}), ("decide", loss)):
        yield verb, {"row": row} | target | more
        yield verb, {"rows": [row, row]} | target | more
    yield "explain", {"row": row, "answer": y, "against": None, "top": 1} | target
    likely = {"fire": {"yes": 0.5, "no": 1}}
    yield "query", {"targets": ["fire", "storm"], "given": {"storm": True}, "likelihoods": likely}
    yield "query", {"targets": "fire", "likelihoods": {"fire": [0.5, 1]}, "do": {"storm": True}}
    yield "replay", {"model": "NaiveBayes", "parameters": {"smoothing": 1}}
    yield "replay", {"parameters": {"smoothing": 1}}
    yield "compact", {"keep_rows": True}


def tensors(known: Known) -> dict[str, Any]:
    """The body of an inference."""
    is_list = isinstance(known.row, list)
    name = "rows" if is_list else "sky" if isinstance(known.row, dict) else "text"
    kind, shape = ("FP64", [1, 2]) if is_list else ("BYTES", [1])
    data = known.row if is_list else ["rain"]
    return {"id": "1", "inputs": [{"name": name, "shape": shape, "datatype": kind, "data": data}]}


def asked_with_junk() -> Iterator[Case]:
    """Each route of each model, with junk at each place of a good body, and in the address."""
    for known in KNOWN:
        path = f"/models/{known.name}"
        for verb, body in good_bodies(known):
            yield from (Case("POST", f"{path}/{verb}", bad) for bad in spoilt(body))
        for bad in spoilt(tensors(known)):
            yield Case("POST", f"/v2{path}/infer", bad)
        for form in ("text/csv", "application/x-ndjson", "application/json"):
            for table in TABLES:
                yield Case("POST", f"{path}/predict", table, {"content_type": form})
        for query in QUERIES:
            yield from (Case("GET", f"{path}/{query}={cut}") for cut in CUTS)
        for verb in ("", "/summary", "/history", "/evaluation", "/rows.csv", "/rows.parquet"):
            yield Case("GET", path + verb)
        for junk in JUNK:
            told = {"content_type": "application/octet-stream"}
            yield Case("PUT", "/models/up", b"junk", told | {"bayesic_told": json.dumps(junk)})


def spoilt(body: Any) -> Iterator[Any]:
    """The body with junk at each of its places, and without each of its fields."""
    for place in _places(body):
        yield from (_with(body, place, junk) for junk in JUNK)
    yield from ({name: body[name] for name in body if name != left} for left in body)


def _places(part: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield above
    keys = part if isinstance(part, dict) else range(len(part)) if isinstance(part, list) else ()
    for key in keys:
        yield from _places(part[key], (*above, key))


def _with(body: Any, place: tuple[Any, ...], junk: Any) -> Any:
    if not place:
        return junk
    whole = part = deepcopy(body)
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = junk
    return whole


# what is wrong ------------------------------------------------------------------------------------


def problem_of(address: str, case: Case) -> str | None:
    """What is wrong with the answer to a request, None if nothing is."""
    try:
        answer = ask(address, case.method, case.path, case.body, **case.headers)
    except HTTPException as error:
        return f"{case!r:.400}: broken off, {error!r}"
    if answer.status >= 500 or (answer.status >= 400 and not answer.json["message"].strip()):
        return f"{case!r:.400}: {answer.status} {answer.bytes!r:.200}"
    return None


def problems(address: str, every: int) -> Iterator[str]:
    """What is wrong with every so many-th of all cases."""
    for case in islice(made_by_junk(), 0, None, every):
        yield from filter(None, [problem_of(address, case)])
        if ask(address, "GET", "/models/made").status == 200:
            yield from filter(None, (problem_of(address, each) for each in asked_of_the_made()))
    for case in islice(asked_with_junk(), 0, None, every):
        yield from filter(None, [problem_of(address, case)])


def faults(every: int) -> list[str]:
    """All that is wrong."""
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        with serving(Path(folder) / "junk.store") as address, by.connect(address) as store:
            taught(store)
            return list(problems(address, every))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    found = faults(parser.parse_args().every)
    print("\n".join(found) or "nothing was found")
    raise SystemExit(bool(found))
