"""Models over HTTP: list, create, upload, download, delete; summary and history."""

from http import HTTPStatus
from inspect import signature
from typing import Any

from starlette.responses import Response

import bayesic as by
from bayesic.data.arguments import has_learned
from bayesic.registry import MODELS
from bayesic.serve.bodies import JSON, MODEL, check_fields, content_type, parsed, read_body
from bayesic.serve.learning import committed
from bayesic.serve.refusals import RefusedError
from bayesic.serve.server import Asked, reply
from bayesic.serve.shapes import told_of
from bayesic.store.errors import DamagedError, StoreError
from bayesic.store.model_bytes import bytes_of, model_of

MOST_EVENTS = 1000  # of a history at once
TOLD = ("classes", "smoothing")  # what a model may have to know before it learns


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
        model = await asked.server.work(_uploaded, data)
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


def _uploaded(data: bytes) -> Any:
    try:
        return model_of(data)
    except DamagedError as error:  # what came is damaged, not the store
        raise ValueError(str(error)) from None


def made(name: Any, parameters: Any) -> Any:
    """A model of the library that has learned nothing.

    >>> made("TextClassifier", {"smoothing": 0.5}).smoothing
    0.5
    """
    is_known = isinstance(name, str) and name in {*MODELS, "BeliefNetwork"}
    if not is_known or not hasattr(by, name):
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
    """The bytes of a model file."""
    state = await asked.state()
    data = await asked.server.work(bytes_of, state.model)
    return Response(data, headers={"bayesic-seq": str(state.seq)}, media_type=MODEL)


async def summary(asked: Asked) -> Any:
    """What a model has learned."""
    state = await asked.state()
    if not has_learned(state.model):
        return {"seq": state.seq, "model": type(state.model).__name__, "rows": 0}
    told = await asked.server.work(lambda: state.model.summary().to_dict())
    return {"seq": state.seq, **told}


async def history(asked: Asked) -> Any:
    """What happened to a model, a part at a time."""
    after, limit = asked.number("after", 0), asked.number("limit", MOST_EVENTS)
    if not 1 <= limit <= MOST_EVENTS:
        raise RefusedError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            f"limit must be from 1 to {MOST_EVENTS}, got {limit}. Ask on with ?after=SEQ.",
        )
    events = await asked.server.work(asked.server.store.history, asked.name, after, limit)
    return {
        "events": [
            {"seq": event.seq, "op": event.op, "id": event.id, "time": event.time}
            | ({} if event.row is None else {"row": event.row.x, "y": event.row.y})
            for event in events
        ]
    }
