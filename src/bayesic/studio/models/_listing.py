"""The models of the store: a list, and one of them."""

from typing import Any

import numpy as np

from bayesic.catalogue import is_text_model
from bayesic.data.arguments import has_learned
from bayesic.serve.learning import committed
from bayesic.serve.models import uploaded as model_of_bytes
from bayesic.serve.request_bodies import MODEL, content_type, read_body
from bayesic.serve.server import ServerRequest
from bayesic.serve.shapes import classes_of
from bayesic.store.errors import ConflictError, StoreError
from bayesic.store.store import Store
from bayesic.studio.network.files import name_of
from bayesic.studio.workspace import Studio


async def listed(studio: Studio, request: ServerRequest) -> object:
    """All models, each with its kind, rows and classes, and when it learned last."""
    return {"models": await request.server.work(_listed, request.store)}


def _listed(store: Store) -> list[dict[str, object]]:
    found = []
    for name in store.models():
        try:
            found.append(entry_of(store, name))
        except StoreError as error:  # it is damaged, or was deleted in this moment
            found.append({"name": name, "problem": str(error)})
    return found


async def shown(studio: Studio, request: ServerRequest) -> object:
    """One model."""
    return await request.server.work(entry_of, request.store, request.name)


def entry_of(store: Store, name: str) -> dict[str, Any]:
    """The entry of a model in a list."""
    state = store.state(name)
    model, last = state.model, store.latest(name, 1)
    statistics = model.statistics_ if has_learned(model) else None
    counts = getattr(statistics, "class_count", np.array([]))
    labels = classes_of(model)
    return {
        "name": name,
        "kind": type(model).__name__,
        "is_text": is_text_model(model),
        "seq": state.seq,
        "rows": counts.sum().item() if len(counts) else None,
        "labels": labels,
        "classes": [str(label) for label in labels],
        "counts": counts.tolist(),
        "time": last[0].time if last else None,
        "predicts": hasattr(type(model), "predict_proba") and bool(labels),
    }


async def uploaded(studio: Studio, request: ServerRequest) -> object:
    """Take a model file into the store, under the name of the file."""
    content_type(request.http, (MODEL,))
    limits, name = request.limits, name_of(request.http.query_params.get("name", "model"))
    data = await read_body(request.http, limits.upload, limits.seconds)
    model = await request.server.work(model_of_bytes, data)
    if name in request.store.models():
        raise ConflictError(f"There is a model {name!r} in the store already. Rename the file.")
    await committed(request, "create", name, model)
    return {"name": name}
