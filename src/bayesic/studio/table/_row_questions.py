"""Questions about a learned table over HTTP: reasons, fractions, nomogram, evaluation, the file."""

import math
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

import bayesic as by
from bayesic.data.languages import language
from bayesic.data.snapshots import snapshot
from bayesic.evaluation.report import evaluate_answers
from bayesic.serve.request_bodies import MODEL, check_fields
from bayesic.serve.server import ServerRequest
from bayesic.store.model_bytes import bytes_of
from bayesic.store.plain_rows import Row, rows_of
from bayesic.store.store import Store
from bayesic.studio._calibration_bins import bins_for_page
from bayesic.studio.table import _profile, _row_answers
from bayesic.studio.table._open_tables import OpenTable, TableModel, corrected, shown, typed
from bayesic.studio.table._table_requests import (
    changes,
    class_named,
    costs_of,
    learned_of,
    model_of_table,
    table_of,
)
from bayesic.studio.workspace import Studio, Subject

JUDGED = {"NaiveBayes": 20_000}  # rows that are judged, by model
JUDGED_OTHERWISE = 2_000
AT_ONCE = 10_000  # cells that are judged without a worker
SHARES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)  # marks below a nomogram


async def explain(studio: Studio, request: ServerRequest) -> object:
    """Why a row, with cells as they are or changed, gets its answer."""
    body = await request.json()
    check_fields(body, ("learned", "row"), ("cells", "answer", "against", "costs", "reject", "seq"))
    table = await table_of(studio, request)
    learned, state = await model_of_table(studio, request, body["learned"])
    row = _row(table, learned, body)
    model = state.model
    compared = {
        name: None if body.get(name) is None else class_named(model, body[name])
        for name in ("answer", "against")
    }
    how = costs_of(model, body)
    found = await request.server.work(_row_answers.explained, model, row, compared, *how)
    changed = await request.server.work(changes, request.store, learned)
    return {
        **found,
        **_facts(table, learned, body["row"], changed),
        "seq": state.seq,
    }


def _facts(
    table: OpenTable, learned: TableModel, number: int, changed: Mapping[str, object]
) -> dict[str, Any]:
    """The row as it stands in the file, and what happened to it since."""
    row, id = table.row(table.index(number)), str(number)
    label = row.pop(learned.target)
    return {
        "label": label,
        "cells": [
            [name, shown(cell)]
            for name, cell in row.items()
            if learned.columns.get(name) != "ignore"
        ],
        "corrected": corrected(changed, id, label),
        "forgotten": id in changed and changed[id] is None,
    }


async def work(studio: Studio, request: ServerRequest) -> object:
    """The calculation of a row in fractions, in the language of the page."""
    body = await request.json()
    check_fields(body, ("learned", "row"), ("cells", "seq", "language"))
    table = await table_of(studio, request)
    learned, state = await model_of_table(studio, request, body["learned"])
    row = _row(table, learned, body)
    with language(body.get("language", "en")):
        return {"work": await request.server.work(_row_answers.worked, state.model, row)}


def _row(table: OpenTable, learned: TableModel, body: Mapping[str, Any]) -> dict[str, object]:
    row = table.row(table.index(body["row"]))
    for name, text in (body.get("cells") or {}).items():
        row[name] = typed(table, name, text)
    del row[learned.target]
    return row


async def nomogram(studio: Studio, request: ServerRequest) -> object:
    """The points of each column, for models that add them up."""
    body = await request.json()
    check_fields(body, ("learned",), ("answer", "against", "seq"))
    _, state = await model_of_table(studio, request, body["learned"])
    model = state.model
    if not hasattr(model, "nomogram"):
        raise ValueError(
            f"A nomogram adds up points of columns, and {type(model).__name__} is no such sum. "
            "NaiveBayes is: learn it to see one."
        )
    classes = [
        None if body.get(key) is None else class_named(model, body[key])
        for key in ("answer", "against")
    ]
    found = (await request.server.work(model.nomogram, *classes)).to_dict()
    n_classes = {"n_classes": len(model.classes_)}
    return {
        **found,
        **n_classes,
        "scale": [[share, math.log(share / (1 - share))] for share in SHARES],
    }


async def evaluate(studio: Studio, request: ServerRequest) -> object:
    """How good the answers are, each row judged as if it had not been learned."""
    body = await request.json()
    check_fields(body, ("learned",), ("costs", "reject", "seq"))
    table = await table_of(studio, request)
    learned, state = await model_of_table(studio, request, body["learned"])
    key = learned.name, state.seq
    judged = studio.tables.judged
    if key not in judged:
        changed = await request.server.work(changes, request.store, learned)
        given = await request.server.work(_known_rows, table, learned, changed)
        if len(given[1]) * len(given[0]) <= AT_ONCE:
            found = await request.server.work(held_out, state.model, *given)
        else:
            found = await studio.long(request, Subject(key, state.model), held_out, *given)
        if isinstance(found, dict):  # it was cancelled
            return found
        for old in [old for old in judged if old[0] == learned.name]:
            del judged[old]
        judged[key] = found, given[2]
    (given_answers, how), numbers = judged[key]
    loss, reject = costs_of(state.model, body)
    report = await request.server.work(evaluate_answers, given_answers, how, "row", loss, reject)
    classes = state.model.classes_.tolist()
    return {
        **report.to_dict(),
        "classes": list(report.classes),
        "confusion": report.confusion.tolist(),
        "worst": [
            {
                "row": numbers[row.row],
                "truth": row.truth,
                "answer": row.answer,
                "probability": row.probability,
            }
            for row in report.worst
        ],
        "calibration": bins_for_page(part for part in report.calibration if part.n_rows),
        "regions": _row_answers.regions(classes, loss, reject),
        "n_known": learned.n_rows,
        "seq": state.seq,
    }


def rows_known(studio: Studio, store: Store, name: str) -> list[tuple[str, Row]]:
    """The rows that a model knows which has learned an open table, with their numbers."""
    learned = studio.tables.learned.get(name)
    table = None if learned is None else studio.tables.open.get(learned.table)
    if learned is None or table is None:
        return []
    columns, labels, numbers = _known_rows(table, learned, changes(store, learned))
    return list(zip(map(str, numbers), rows_of(columns, labels), strict=True)) if numbers else []


def _known_rows(
    table: OpenTable, learned: TableModel, changed: Mapping[str, object]
) -> tuple[dict[str, list], list, list[int]]:
    """Rows that the model knows now, with their labels and numbers; of many rows some."""
    indices, labels = _profile.labelled(table, learned.target)
    known = []
    for index, label in zip(indices, labels, strict=True):
        id = str(table.numbers[index])
        label = changed.get(id, label)
        if label is not None:
            known.append((index, label))
    most = JUDGED.get(learned.kind, JUDGED_OTHERWISE)
    known = known[:: -(-len(known) // most)] if known else known
    kept = [index for index, _ in known]
    numbers = [int(table.numbers[index]) for index in kept]
    return table.without(learned.target, kept), [label for _, label in known], numbers


def held_out(model: Any, columns: dict[str, list], labels: list, _: list[int]) -> tuple[Any, str]:
    """The answers for rows that were learned, each as if it alone had not been. For a worker."""
    found = by.evaluate(model, columns, labels, cv="leave-one-out")
    return found.answers, found.how


async def downloaded(studio: Studio, request: ServerRequest) -> object:
    """The model as a file, which knows its target: rows of the same table may be asked of it."""
    learned = learned_of(studio, request, request.http.query_params.get("learned"))
    model = snapshot(request.store.state(learned.name).model)
    model.target_name_ = learned.target
    return Response(await request.server.work(bytes_of, model), media_type=MODEL)
