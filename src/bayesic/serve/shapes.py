"""What a model reads and answers: its columns and classes, as plain values and as JSON schemas."""

from typing import Any

import bayesic as by
from bayesic.catalogue import MODELS, is_text_model
from bayesic.data.arguments import has_learned
from bayesic.models.summaries.description import column_kinds
from bayesic.networks.network import BeliefNetwork

Schema = dict[str, Any]
MODEL_NAMES = {*MODELS, "BeliefNetwork"} & {*by.__all__}  # of which one can be made by its name

CELL: Schema = {"type": ["string", "number", "boolean", "null"]}
LABEL: Schema = {"type": ["string", "number", "boolean"]}
NUMBER: Schema = {"type": ["number", "boolean", "null"]}
NUMBERS = {"number", "gaussian", "kernel", "binned", "poisson"}  # kinds of columns


def classes_of(model: object) -> list[Any]:
    """The classes that a model answers; none if it has learned nothing, or predicts numbers."""
    classes = getattr(model, "classes_", None)
    return [] if classes is None else classes.tolist()


def columns_of(model: Any) -> dict[str, str] | None:
    """The kind of each column; None of texts, and of a model that has learned nothing."""
    if isinstance(model, BeliefNetwork):
        return dict.fromkeys(model.variables, "states")
    if is_text_model(model) or not has_learned(model):
        return None
    try:
        return {str(name): kind for name, kind in column_kinds(model).items()}
    except AttributeError:  # a model around others
        return {part["name"]: part["kind"] for part in model.summary().to_dict()["columns"]}


def has_names(model: object) -> bool:
    """Whether a model finds columns by their names."""
    return isinstance(model, BeliefNetwork) or hasattr(model, "feature_names_in_")


def description_of(name: str, seq: int, model: Any) -> dict[str, object]:
    """What a list says about a model."""
    is_network = isinstance(model, BeliefNetwork)
    return {
        "name": name,
        "model": type(model).__name__,
        "parameters": {} if is_network else model.get_params(deep=False),
        "seq": seq,
        "has_learned": has_learned(model),
        "classes": classes_of(model),
        "columns": columns_of(model),
    }


def row_schema(model: object, to_learn: bool = False) -> Schema:
    """What a row of this model may be.

    >>> import bayesic as by
    >>> row_schema(by.TextClassifier())
    {'type': ['string', 'null'], 'description': 'a text'}
    """
    if is_text_model(model):
        return {"type": ["string", "null"], "description": "a text"}
    columns = columns_of(model)
    if columns is None:
        return {"description": "an object by column, a list of cells, or a text"}
    as_list = {"minItems": len(columns), "maxItems": len(columns)}
    if not has_names(model):
        return {"type": "array", "items": NUMBER, **as_list}
    if isinstance(model, BeliefNetwork):
        cells = {name: _state_schema(model, name) for name in columns}
        needed = {"required": list(columns)} if to_learn else {"minProperties": 1}
        return {"type": "object", "properties": cells, **needed}
    cells = {name: _cell_schema(kind) for name, kind in columns.items()}
    as_object = {"properties": cells, "additionalProperties": False, "minProperties": 1}
    return {"type": ["object", "array"], **as_object, "items": CELL, **as_list}


def _state_schema(model: BeliefNetwork, name: str) -> Schema:
    """States are examples: others may be learned, and that of the target is not read."""
    try:
        return {**CELL, "examples": [*model.states(name), None]}
    except ValueError:  # they are not known yet
        return CELL


def _cell_schema(kind: str) -> Schema:
    if kind == "text":
        return {"type": ["string", "null"], "description": kind}
    return {**CELL, "description": f"{kind}: a number" if kind in NUMBERS else kind}


def answer_schema(model: object) -> Schema:
    """What a model may predict."""
    classes = classes_of(model)
    if classes:
        return {"enum": classes}
    return CELL if hasattr(type(model), "predict_proba") else {"type": "number"}
