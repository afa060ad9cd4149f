"""Models over HTTP: list, create, upload, download, delete; summary."""

from http import HTTPStatus
from inspect import signature
from typing import Any

from starlette.responses import Response

import bayesic as by
from bayesic.data.arguments import has_learned
from bayesic.serve.bodies import JSON, MODEL, check_fields, content_type, parsed, read_body
from bayesic.serve.learning import committed
from bayesic.serve.server import Asked, reply
from bayesic.serve.shapes import MODEL_NAMES, told_of
from bayesic.store.errors import DamagedError, StoreError
from bayesic.store.model_bytes import bytes_of, model_of
from bayesic.store.store import Store

TOLD = ("classes", "smoothing", "window")  # what `create` may be told beside the model


async def listed(asked: Asked) -> Any:
    """All models."""
    store, told = asked.server.store, []
    for name in store.models():
        try:
            state = store.state(name)
        except StoreError as error:  # it is damaged, or was deleted in this moment
            told.append({"name": name, "problem": str(error)})
        else:
            told.append(told_of(name, state.seq, state.model))
    return {"models": told}


async def shown(asked: Asked) -> Any:
    """One model: its parameters, classes and columns."""
    state = await asked.state()
    return told_of(asked.name, state.seq, state.model)


async def created(asked: Asked) -> Response:
    """A new model: from its name and parameters, or from the bytes of a model file."""
    form = content_type(asked.request, (JSON, MODEL))
    limits = asked.server.limits
    if form == MODEL:
        data = await read_body(asked.request, limits.upload, limits.seconds)
        model = await asked.server.work(uploaded, data)
        body = parsed(asked.request.headers.get("bayesic-told", "{}").encode(), limits)
        check_fields(body, (), TOLD)
    else:
        body = await asked.json()
        check_fields(body, ("model",), ("parameters", *TOLD))
        model = made(body["model"], body.get("parameters", {}))
    told = {name: body[name] for name in TOLD if name in body}
    receipt = await committed(asked, "create", asked.name, model, **told)
    status = HTTPStatus.OK if all(receipt["already"]) else HTTPStatus.CREATED
    return reply(receipt, status)


def uploaded(data: bytes) -> Any:
    """The model of a file that came."""
    try:
        return model_of(data)
    except DamagedError as error:  # what came is damaged, not the store
        raise ValueError(str(error)) from None


def made(name: Any, parameters: Any) -> Any:
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


async def deleted(asked: Asked) -> Any:
    """The model is gone, with all its rows."""
    await committed(asked, "delete", asked.name)
    asked.server.scores.drop(asked.name)
    return {"deleted": asked.name}


async def downloaded(asked: Asked) -> Response:
    """The bytes of a model file; with ?seq=SEQ, of the model as it was after this event."""
    if asked.has("seq"):
        seq = asked.number("seq", 0)
        return file_of(await asked.server.work_long(_bytes_at, asked.server.store, asked.name, seq))
    state = await asked.state()
    return file_of(await asked.server.work(bytes_of, state.model), state.seq)


def _bytes_at(store: Store, name: str, seq: int) -> bytes:
    return bytes_of(store.at(name, seq))


def file_of(data: bytes, seq: int | None = None) -> Response:
    """The bytes of a model file as an answer."""
    headers = {} if seq is None else {"bayesic-seq": str(seq)}
    return Response(data, headers=headers, media_type=MODEL)


async def summary(asked: Asked) -> Any:
    """What a model has learned."""
    state = await asked.state()
    if not has_learned(state.model):
        return {"seq": state.seq, "model": type(state.model).__name__, "rows": 0}
    told = await asked.server.work(lambda: state.model.summary().to_dict())
    return {"seq": state.seq, **told}
