"""The JSON schemas of bodies and answers: in general, and of one model with its columns."""

from typing import Any

from bayesic.networks.network import BeliefNetwork
from bayesic.serve.shapes import CELL, Schema, answer_schema, row_schema

ROW: Schema = {
    "description": "an object by column, a list of cells, or a text",
    "type": ["object", "array", "string", "null"],
}
ID: Schema = {"type": ["string", "integer"]}
NAME: Schema = {"type": "string"}
NUMBERS: Schema = {"type": "array", "items": {"type": "number"}}


def some(needed: dict[str, Schema], allowed: dict[str, Schema] | None = None) -> Schema:
    """An object with these fields and no others.

    >>> some({"id": {"type": "string"}})["required"]
    ['id']
    """
    return {
        "type": "object",
        "properties": needed | (allowed or {}),
        "required": list(needed),
        "additionalProperties": False,
    }


def one_or_many(row: Schema, one: dict[str, Schema], many: dict[str, Schema]) -> Schema:
    """An object with `row`, or one with `rows`, and what goes with each."""
    rows = {"type": "array", "items": row, "minItems": 1}
    return {"oneOf": [some({"row": row}, one), some({"rows": rows}, many)]}


def _listed(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def _learn(row: Schema, label: Schema | None) -> Schema:
    of_one = {"id": ID} | ({} if label is None else {"y": label})
    of_many = {"ids": _listed(ID)} | ({} if label is None else {"y": _listed(label)})
    return one_or_many(row, of_one, of_many)


def _answers(answer: Schema) -> Schema:
    seq, classes = {"type": "integer"}, _listed(answer)
    one: dict[str, Schema] = {"classes": classes, "probabilities": NUMBERS}
    many: dict[str, Schema] = {"classes": classes, "probabilities": _listed(NUMBERS)}
    return {
        "oneOf": [
            some({"seq": seq, "prediction": answer}, one),
            some({"seq": seq, "predictions": _listed(answer)}, many),
        ]
    }


def learn_schema(model: Any) -> Schema:
    """What a model learns. New classes may come, so those that are known are examples."""
    if isinstance(model, BeliefNetwork):
        return _learn(row_schema(model), None)
    known = answer_schema(model)
    label = {**CELL, "examples": known["enum"]} if "enum" in known else known
    return _learn(row_schema(model), label)


def predict_schema(model: Any) -> Schema:
    """What a model can be asked."""
    row = row_schema(model)
    if not isinstance(model, BeliefNetwork):
        return one_or_many(row, {}, {})
    target: dict[str, Schema] = {"target": {"enum": list(model.variables)}}
    return one_or_many(row, target, target)


def answers_schema(model: Any) -> Schema:
    """What a model answers."""
    return _answers(CELL if isinstance(model, BeliefNetwork) else answer_schema(model))


_STATES: Schema = {"type": "object"}
_TARGET: dict[str, Schema] = {"target": NAME}
_LOSS: dict[str, Schema] = {
    "loss": {"type": ["object", "null"], "description": "{action: {class: cost}}"},
    "reject_loss": {"type": ["number", "null"]},
}

SCHEMAS: dict[str, Schema] = {
    "Object": {"type": "object"},
    "Error": some({"error": NAME, "message": NAME}),
    "Receipt": some(
        {
            "ids": _listed(NAME),
            "seqs": _listed({"type": "integer"}),
            "already": _listed({"type": "boolean"}),
            "seq": {"type": "integer"},
        }
    ),
    "Create": some(
        {"model": NAME},
        {"parameters": {"type": "object"}, "classes": _listed(CELL), "smoothing": {}},
    ),
    "Learn": _learn(ROW, CELL),
    "Forget": some({"ids": {"type": "array", "items": ID, "minItems": 1}}),
    "Correct": some({"id": ID, "y": {}}),
    "Predict": one_or_many(ROW, _TARGET, _TARGET),
    "Answers": _answers(CELL),
    "Explain": some(
        {"row": ROW},
        {"answer": CELL, "against": CELL, "top": {"type": "integer", "minimum": 1}, **_TARGET},
    ),
    "Decide": one_or_many(ROW, _LOSS | _TARGET, _LOSS | _TARGET),
    "Query": some({}, {"targets": {}, "given": _STATES, "likelihoods": _STATES, "do": _STATES}),
    "Infer": {
        "type": "object",
        "required": ["inputs"],
        "properties": {
            "id": NAME,
            "inputs": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["name", "shape", "datatype", "data"],
                    "properties": {
                        "name": NAME,
                        "datatype": NAME,
                        "shape": _listed({"type": "integer", "minimum": 0}),
                        "data": {"type": "array"},
                    },
                },
            },
        },
    },
}
