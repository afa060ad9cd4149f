"""The JSON schemas of bodies and answers: in general, and of one model with its columns."""

from bayesic.networks.network import BeliefNetwork
from bayesic.serve.shapes import CELL, LABEL, MODEL_NAMES, Schema, answer_schema, row_schema

SHAPES: list[Schema] = [
    {"type": "object", "additionalProperties": CELL, "minProperties": 1},
    {"type": "array", "items": CELL, "minItems": 1},
    {"type": ["string", "null"]},
]
ROW: Schema = {
    "description": "an object by column, a list of cells, or a text",
    "oneOf": SHAPES,
}
ROWS: Schema = {
    "oneOf": [{"type": "array", "items": shape, "minItems": 1} for shape in SHAPES],
}
ID: Schema = {"type": ["string", "integer"], "minLength": 1}
IDS: Schema = {"type": "array", "items": ID, "minItems": 1, "uniqueItems": True}
IDS_IF_ANY: Schema = {**IDS, "type": ["array", "null"]}
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


Fields = dict[str, Schema]


def one_or_many(row: Schema, one: tuple[Fields, Fields], many: tuple[Fields, Fields]) -> Schema:
    """An object with `row`, or one with `rows`, and what must and what may go with each."""
    rows = ROWS if row is ROW else {"type": "array", "items": row, "minItems": 1}
    return {"oneOf": [some({"row": row} | one[0], one[1]), some({"rows": rows} | many[0], many[1])]}


def _listed(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def _learn(row: Schema, label: Schema | None) -> Schema:
    if label is None:
        return one_or_many(row, ({}, {"id": ID}), ({}, {"ids": IDS_IF_ANY}))
    labels = {"type": "array", "items": label, "minItems": 1}
    return one_or_many(row, ({"y": label}, {"id": ID}), ({"y": labels}, {"ids": IDS_IF_ANY}))


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


def learn_schema(model: object) -> Schema:
    """What a model learns. New classes may come, so those that are known are examples."""
    if isinstance(model, BeliefNetwork):
        return _learn(row_schema(model, to_learn=True), None)
    known = answer_schema(model)
    label = {**LABEL, "examples": known["enum"]} if "enum" in known else known
    return _learn(row_schema(model), label)


def predict_schema(model: object) -> Schema:
    """What a model can be asked."""
    row = row_schema(model)
    if not isinstance(model, BeliefNetwork):
        return one_or_many(row, ({}, {}), ({}, {}))
    target: Fields = {"target": {"enum": list(model.variables)}}
    return one_or_many(row, (target, {}), (target, {}))


def answers_schema(model: object) -> Schema:
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
        {"model": {"enum": sorted(MODEL_NAMES)}},
        {
            "parameters": {"type": "object"},
            "classes": _listed(CELL),
            "smoothing": {},
            "window": {
                "type": ["integer", "string", "null"],
                "minimum": 1,
                "description": "how many rows, the last ones, or a span of time: 30 days",
            },
        },
    ),
    "Learn": one_or_many(
        ROW, ({}, {"y": LABEL, "id": ID}), ({}, {"y": _listed(LABEL), "ids": IDS_IF_ANY})
    ),
    "Forget": some({"ids": IDS}),
    "Correct": some({"id": ID, "y": {}}),
    "Predict": one_or_many(ROW, ({}, _TARGET), ({}, _TARGET)),
    "Answers": _answers(CELL),
    "Explain": some(
        {"row": ROW},
        {"answer": CELL, "against": CELL, "top": {"type": "integer", "minimum": 1}, **_TARGET},
    ),
    "Decide": one_or_many(ROW, ({}, _LOSS | _TARGET), ({}, _LOSS | _TARGET)),
    "Replay": some({}, {"model": NAME, "parameters": {"type": "object"}}),
    "Compact": some({}, {"keep_rows": {"type": "boolean"}}),
    "Drift": some(
        {
            "n_earlier": {"type": "number"},
            "n_later": {"type": "number"},
            "changes": _listed(
                some(
                    {
                        "column": NAME,
                        "change": {"type": ["number", "string", "null"]},  # "inf" is a text
                        "values": _listed(NAME),
                    }
                )
            ),
        }
    ),
    "Verified": some(
        {
            "ok": {"type": "boolean"},
            "models": {"type": "integer"},
            "events": {"type": "integer"},
            "problems": _listed(NAME),
        }
    ),
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
