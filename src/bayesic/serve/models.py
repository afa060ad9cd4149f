"""Models over HTTP: list, create, upload, download, delete; summary."""

from http import HTTPStatus
from inspect import signature
from typing import Any

from starlette.responses import Response

import bayesic as by
from bayesic.data.arguments import has_learned
from bayesic.serve.learning import committed
from bayesic.serve.request_bodies import JSON, MODEL, check_fields, content_type, parsed, read_body
from bayesic.serve.server import ServerRequest, reply
from bayesic.serve.shapes import MODEL_NAMES, description_of
from bayesic.store.errors import DamagedError, StoreError
from bayesic.store.model_bytes import bytes_of, model_of
from bayesic.store.store import Store

DECLARED = ("classes", "smoothing", "window")  # fields of `create` beside the model


async def listed(request: ServerRequest) -> object:
    """All models."""
    store = request.store
    entries: list[dict[str, object]] = []
    for name in store.models():
        try:
            state = store.state(name)
        except StoreError as error:  # it is damaged, or was deleted in this moment
            entries.append({"name": name, "problem": str(error)})
        else:
            entries.append(description_of(name, state.seq, state.model))
    return {"models": entries}


async def shown(request: ServerRequest) -> object:
    """One model: its parameters, classes and columns."""
    state = await request.state()
    return description_of(request.name, state.seq, state.model)


async def created(request: ServerRequest) -> Response:
    """A new model: from its name and parameters, or from the bytes of a model file."""
    form = content_type(request.http, (JSON, MODEL))
    limits = request.limits
    if form == MODEL:
        data = await read_body(request.http, limits.upload, limits.seconds)
        model = await request.server.work(uploaded, data)
        body = parsed(request.http.headers.get("bayesic-told", "{}").encode(), limits)
        check_fields(body, (), DECLARED)
    else:
        body = await request.json()
        check_fields(body, ("model",), ("parameters", *DECLARED))
        model = made(body["model"], body.get("parameters", {}))
    declared = {name: body[name] for name in DECLARED if name in body}
    receipt = await committed(request, "create", request.name, model, **declared)
    status = HTTPStatus.OK if all(receipt["already"]) else HTTPStatus.CREATED
    return reply(receipt, status)


def uploaded(data: bytes) -> Any:
    """The model of a file that came."""
    try:
        return model_of(data)
    except DamagedError as error:  # what came is damaged, not the store
        raise ValueError(str(error)) from None


def made(name: object, parameters: object) -> Any:
    """A model of the library that has learned nothing.

    >>> made("TextClassifier", {"smoothing": 0.5}).smoothing
    0.5
    """
    if not isinstance(name, str) or name not in MODEL_NAMES:
        raise ValueError(f'"model" must name a model, such as NaiveBayes, got {name!r:.60}.')
    kind = getattr(by, name)
    known = [each for each in signature(kind).parameters if each != "tables"]
    if not isinstance(parameters, dict) or not parameters.keys() <= set(known):
        raise ValueError(
            f"The parameters of a {name} must be an object with some of {', '.join(known)}, got "
            f"{parameters!r:.80}."
        )
    return kind(**parameters)


async def deleted(request: ServerRequest) -> object:
    """The model is gone, with all its rows."""
    await committed(request, "delete", request.name)
    request.server.scores.drop(request.name)
    return {"deleted": request.name}


async def downloaded(request: ServerRequest) -> Response:
    """The bytes of a model file; with ?seq=SEQ, of the model as it was after this event."""
    if request.has("seq"):
        seq = request.number("seq", 0)
        return file_of(await request.server.work_long(_bytes_at, request.store, request.name, seq))
    state = await request.state()
    return file_of(await request.server.work(bytes_of, state.model), state.seq)


def _bytes_at(store: Store, name: str, seq: int) -> bytes:
    return bytes_of(store.at(name, seq))


def file_of(data: bytes, seq: int | None = None) -> Response:
    """The bytes of a model file as an answer."""
    headers = {} if seq is None else {"bayesic-seq": str(seq)}
    return Response(data, headers=headers, media_type=MODEL)


async def summary(request: ServerRequest) -> object:
    """What a model has learned."""
    state = await request.state()
    if not has_learned(state.model):
        return {"seq": state.seq, "model": type(state.model).__name__, "rows": 0}
    learned = await request.server.work(lambda: state.model.summary().to_dict())
    return {"seq": state.seq, **learned}
