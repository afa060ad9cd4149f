"""The Open Inference Protocol, version 2: the same answers for clients that speak it.

A column is an input of shape [n] or [n, 1] with its name; texts are the input "text"; a model
without names of columns takes one input of shape [n, columns]. Outputs are "prediction" and, of
classes, "probability".
"""

from collections.abc import Sequence
from http import HTTPStatus
from math import prod
from typing import Any

import bayesic as by
from bayesic.catalogue import is_text_model
from bayesic.networks.network import BeliefNetwork
from bayesic.serve._health import check_ready
from bayesic.serve._predicting import answers_of
from bayesic.serve.refusals import RefusedError
from bayesic.serve.request_bodies import check_shapes
from bayesic.serve.request_limits import check_answer, check_rows
from bayesic.serve.server import ServerRequest
from bayesic.serve.shapes import NUMBERS, classes_of, columns_of, has_names

NUMBER_TYPES = {"FP16", "FP32", "FP64", *(f"{sign}INT{n}" for sign in ("", "U") for n in (8, 16))}
TYPES = NUMBER_TYPES | {"INT32", "INT64", "UINT32", "UINT64", "BOOL", "BYTES"}


async def server_metadata(request: ServerRequest) -> object:
    """What this server is."""
    return {"name": "bayesic", "version": by.__version__, "extensions": []}


async def live(request: ServerRequest) -> object:
    """The process runs."""
    return {"live": True}


async def ready(request: ServerRequest) -> object:
    """Requests can be answered."""
    check_ready(request.server)
    return {"ready": True}


async def model_ready(request: ServerRequest) -> object:
    """The model can be asked."""
    request.store.state(request.name)
    return {"name": request.name, "ready": True}


async def metadata(request: ServerRequest) -> object:
    """Inputs and outputs of a model."""
    state = await request.state()
    model = state.model
    outputs = [{"name": "prediction", "datatype": _answer_type(model), "shape": [-1]}]
    classes = classes_of(model)
    if classes:
        outputs.append({"name": "probability", "datatype": "FP64", "shape": [-1, len(classes)]})
    return {
        "name": request.name,
        "versions": [str(state.seq)],
        "platform": f"bayesic {type(model).__name__}",
        "inputs": inputs_of(model),
        "outputs": outputs,
    }


def inputs_of(model: object) -> list[dict[str, object]]:
    """The inputs of a model.

    >>> inputs_of(by.TextClassifier())
    [{'name': 'text', 'datatype': 'BYTES', 'shape': [-1]}]
    """
    if is_text_model(model):
        return [{"name": "text", "datatype": "BYTES", "shape": [-1]}]
    columns = columns_of(model) or {}
    if not has_names(model):
        return [{"name": "rows", "datatype": "FP64", "shape": [-1, len(columns)]}]
    return [
        {"name": name, "datatype": "FP64" if kind in NUMBERS else "BYTES", "shape": [-1]}
        for name, kind in columns.items()
    ]


def _answer_type(model: object) -> str:
    classes = classes_of(model)
    if not classes and not hasattr(type(model), "predict_proba"):
        return "FP64"
    for kind, name in ((bool, "BOOL"), (int, "INT64"), (float, "FP64")):
        if classes and all(type(label) is kind for label in classes):
            return name
    return "BYTES"


async def infer(request: ServerRequest) -> object:
    """Predict rows that come as tensors."""
    if "inference-header-content-length" in request.http.headers:
        raise RefusedError(
            HTTPStatus.BAD_REQUEST,
            "Tensors come as JSON here, got binary data. Set binary_data=False in the client.",
        )
    body = await request.json(any_type=True)  # its clients do not tell it
    state = await request.state()
    if isinstance(state.model, BeliefNetwork):
        raise ValueError("A network must know the target: use /models/{name}/predict or query.")
    rows = rows_of_tensors(state.model, body.get("inputs"))
    check_shapes(rows)
    check_rows(rows, request.limits)
    check_answer(len(rows), len(classes_of(state.model)), request.limits)
    answers = await request.of_model(state, answers_of, state.model, rows, {})
    predictions = answers["predictions"]
    kind = _answer_type(state.model)
    if kind == "BYTES":
        predictions = list(map(str, predictions))
    outputs = [_tensor("prediction", kind, [len(rows)], predictions)]
    if "classes" in answers:
        flat = [value for row in answers["probabilities"] for value in row]
        outputs.append(_tensor("probability", "FP64", [len(rows), len(answers["classes"])], flat))
    wanted = {part.get("name") for part in body.get("outputs") or [] if isinstance(part, dict)}
    answer = {"id": body["id"]} if "id" in body else {}
    return answer | {
        "model_name": request.name,
        "model_version": str(state.seq),
        "outputs": [part for part in outputs if not wanted or part["name"] in wanted],
    }


def _tensor(
    name: str, datatype: str, shape: list[int], data: Sequence[object]
) -> dict[str, object]:
    return {"name": name, "datatype": datatype, "shape": shape, "data": data}


def rows_of_tensors(model: object, inputs: object) -> list[Any]:
    """The rows that tensors hold.

    >>> tensor = {"name": "text", "datatype": "BYTES", "shape": [2, 1], "data": ["free", "lunch"]}
    >>> rows_of_tensors(by.TextClassifier(), [tensor])
    ['free', 'lunch']
    """
    if not isinstance(inputs, list) or not inputs:
        raise ValueError(f'"inputs" must be a list of tensors, got {inputs!r:.60}.')
    read = [_read(tensor) for tensor in inputs]
    numbers = {n_rows for _, n_rows, _, _ in read}
    if len(numbers) > 1:
        raise ValueError(f"All inputs must have as many rows, got {sorted(numbers)}.")
    if is_text_model(model) or not has_names(model):
        if len(read) > 1:
            raise ValueError(f"This model takes one input, got {len(read)}.")
        (_, n_rows, width, flat) = read[0]
        if is_text_model(model):
            return flat
        return [flat[row * width : (row + 1) * width] for row in range(n_rows)]
    wide = [name for name, _, width, _ in read if width > 1]
    if wide:
        raise ValueError(f"A column has the shape [n] or [n, 1], got a wider one: {wide}.")
    names = [name for name, _, _, _ in read]
    cells = zip(*(flat for _, _, _, flat in read), strict=True)
    return [dict(zip(names, row, strict=True)) for row in cells]


def _read(tensor: object) -> tuple[str, int, int, list[object]]:
    """Name, rows, cells of a row, and all cells of a tensor."""
    fields = ("name", "shape", "datatype", "data")
    if not isinstance(tensor, dict) or any(field not in tensor for field in fields):
        raise ValueError(f"A tensor must have {', '.join(fields)}, got {tensor!r:.80}.")
    shape, flat = tensor["shape"], _flat(tensor["data"])
    if str(tensor["datatype"]) not in TYPES:
        raise ValueError(
            f"datatype must be one of {sorted(TYPES)}, got {tensor['datatype']!r:.40}."
        )
    is_shape = isinstance(shape, list) and all(type(n) is int and n >= 0 for n in shape)
    if not is_shape or len(shape) not in (1, 2) or prod(shape) != len(flat) or not flat:
        raise ValueError(
            f"The shape of {tensor['name']!r:.60} must be [n] or [n, columns] and fit its "
            f"{len(flat)} cells, got {shape!r:.60}."
        )
    return str(tensor["name"]), shape[0], prod(shape[1:]), flat


def _flat(data: object) -> list[object]:
    if not isinstance(data, list):
        return [data]
    return [cell for part in data for cell in (_flat(part) if isinstance(part, list) else [part])]
