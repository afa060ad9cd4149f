"""Two models on the same rows: how good each of them is, and where they differ.

A row that a model has learned is judged as if that model had not learned it.
"""

from pathlib import Path
from typing import Any

import numpy as np

from bayesic.catalogue import is_text_model
from bayesic.data.arguments import has_learned
from bayesic.data.source import opened_file
from bayesic.data.text_files import text_blocks
from bayesic.data.typing import Classifier
from bayesic.evaluation.running_scores import sums_of
from bayesic.evaluation.scores import disputed
from bayesic.serve.request_bodies import JSON, MODEL, check_fields, content_type, read_body
from bayesic.serve.server import ServerRequest
from bayesic.store.plain_rows import Row, rows_of
from bayesic.store.store import Store
from bayesic.studio.models._known_rows import known_rows
from bayesic.studio.table._row_questions import rows_known
from bayesic.studio.text._text_learning import of_table
from bayesic.studio.workspace import Studio

MOST = 50  # rows in which they differ that are listed
LONGEST = 200  # characters of a row

Rows = list[tuple[str, Row]]  # with their ids


async def compare(studio: Studio, request: ServerRequest) -> object:
    """Compare two models on the rows that the first one knows, or on those of a table."""
    store = request.store
    reading = request.server.work_long
    if content_type(request.http, (JSON, MODEL)) == JSON:
        body = await request.json()
        check_fields(body, ("with",))
        other = body["with"]
        rows = await reading(learned_rows, studio, store, request.name)
        if not rows:
            raise ValueError(
                f"The journal of {request.name!r} has no rows: the model came with what it knows. "
                "Compare them on a table."
            )
    else:
        query, limits = request.http.query_params, request.limits
        data = await read_body(request.http, limits.upload, limits.long_seconds)
        other, names = query.get("with", ""), (query.get("text", ""), query.get("label", ""))
        reads_texts = is_text_model(store.state(request.name).model)
        rows = await reading(of_table, request, data, table_rows, *names, reads_texts)
    models = {name: store.state(name).model for name in (request.name, str(other))}
    known = {name: await reading(learned_rows, studio, store, name) for name in models}
    return await reading(compared, models, rows, known)


def learned_rows(studio: Studio, store: Store, name: str) -> Rows:
    """The rows that a model knows now: of its journal, and of the table that it learned whole."""
    journal = known_rows(store.history(name))
    present = {id: row for id, row in journal.items() if row is not None}
    return list((dict(rows_known(studio, store, name)) | present).items())


def table_rows(path: Path, text: str, label: str, reads_texts: bool) -> Rows:
    """The rows of a table, with their numbers of 1 or more."""
    if not reads_texts:
        return [(str(number), row) for number, row in enumerate(rows_of(path, label), start=1)]
    texts: list[Any] = []
    labels: list[Any] = []
    for some, classes in text_blocks(opened_file(path), text or None, label):
        texts += some.texts()
        labels += [] if classes is None else classes.tolist()
    rows = rows_of(texts, labels)
    return [(str(number), row) for number, row in enumerate(rows, start=1)]


def compared(models: dict[str, Classifier], rows: Rows, known: dict[str, Rows]) -> dict[str, Any]:
    """The scores of each model, and the rows to which they answer differently.

    known : the rows that each model has learned
    """
    labels = [row.y for _, row in rows]
    summaries, answers, sure = [], [], []
    for name, model in models.items():
        if not hasattr(model, "classes_") or not hasattr(type(model), "predict_proba"):
            raise ValueError(f"Only models that have learned classes are compared, not {name!r}.")
        posterior, n_left_out = _answers(model, rows, known[name])
        scores = sums_of(posterior, model, labels).to_dict()
        scores.pop("calibration", None)
        summaries.append(
            {
                "name": name,
                "kind": type(model).__name__,
                "left_out": n_left_out,
                "is_flattered": n_left_out < len(rows) and _knows_more(model, known[name]),
                **scores,
            }
        )
        classes = model.classes_.tolist()
        answers.append([str(classes[index]) for index in posterior.argmax(axis=1).tolist()])
        indices = [classes.index(label) if label in classes else -1 for label in labels]
        sure.append([p[at] if at >= 0 else 0.0 for p, at in zip(posterior, indices, strict=True)])
    differ = disputed(answers, np.array(sure))
    return {
        "models": summaries,
        "rows": len(rows),
        "n_differ": len(differ),
        "differ": [
            {
                "id": rows[index][0],
                "row": _short(rows[index][1].x),
                "truth": str(labels[index]),
                "answers": [each[index] for each in answers],
                "probabilities": [float(each[index]) for each in sure],
            }
            for index in differ[:MOST]
        ],
    }


def _answers(model: Any, rows: Rows, known: Rows) -> tuple[Any, int]:
    """P(class) of each row, left out of the model if it knows the row; how many it knows."""
    posterior = np.array(model.predict_proba([row.x for _, row in rows]))
    learned = {_content(row) for _, row in known} if _can_leave_out(model) else set()
    indices = [index for index, (_, row) in enumerate(rows) if _content(row) in learned]
    if indices:
        left_out = [rows[index][1] for index in indices]
        posterior[indices] = model.leave_one_out(
            [row.x for row in left_out], [row.y for row in left_out]
        )
    return posterior, len(indices)


def _can_leave_out(model: object) -> bool:
    """Whether single rows can be left out; where they fade, each has a weight of its own."""
    return hasattr(model, "leave_one_out") and getattr(model, "decay", None) is None


def _knows_more(model: Any, known: Rows) -> bool:
    """Whether a model has learned rows that cannot be left out."""
    counts = getattr(model.statistics_, "class_count", None) if has_learned(model) else None
    if counts is None or not _can_leave_out(model):
        return True
    return bool(counts.sum() > len(known))


def _content(row: Row) -> object:
    """What makes two rows the same."""
    cells = row.x
    if isinstance(cells, dict):
        cells = frozenset(cells.items())
    return tuple(cells) if isinstance(cells, list) else cells, row.y


def _short(row: object) -> str:
    if isinstance(row, dict):
        row = ", ".join(f"{name}={cell}" for name, cell in row.items())
    return str(row)[:LONGEST]
