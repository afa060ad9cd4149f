"""Two models on the same rows: how good each of them is, and where they differ."""

from pathlib import Path
from typing import Any

import numpy as np

from bayesic.data.text_files import text_blocks
from bayesic.evaluation.running_scores import sums_of
from bayesic.serve.bodies import JSON, MODEL, check_fields, content_type, read_body
from bayesic.serve.server import Asked
from bayesic.serve.shapes import is_text_model
from bayesic.store.bodies import Row, rows_of
from bayesic.store.store import Store
from bayesic.studio.models.known_rows import known_rows
from bayesic.studio.studio import Studio
from bayesic.studio.text.learning import of_table

MOST = 50  # rows in which they differ that are listed
LONGEST = 200  # characters of a row

Rows = list[tuple[str, Row]]  # with their ids


async def compare(studio: Studio, asked: Asked) -> Any:
    """Compare two models on the rows that the first one knows, or on those of a table."""
    store = asked.server.store
    if content_type(asked.request, (JSON, MODEL)) == JSON:
        body = await asked.json()
        check_fields(body, ("with",))
        other = body["with"]
        rows = await asked.server.work_long(journal_rows, store, asked.name)
    else:
        query, limits = asked.request.query_params, asked.server.limits
        data = await read_body(asked.request, limits.upload, limits.long_seconds)
        other, names = query.get("with", ""), (query.get("text", ""), query.get("label", ""))
        reads_texts = is_text_model(store.state(asked.name).model)
        rows = await asked.server.work_long(of_table, asked, data, table_rows, *names, reads_texts)
    models = {name: store.state(name).model for name in (asked.name, str(other))}
    return await asked.server.work_long(compared, models, rows)


def journal_rows(store: Store, name: str) -> Rows:
    """The rows that a model knows now."""
    known = known_rows(store.history(name))
    found = [(id, row) for id, row in known.items() if row is not None]
    if not found:
        raise ValueError(
            f"The journal of {name!r} has no rows: the model came with what it knows. Compare them "
            "on a table."
        )
    return found


def table_rows(path: Path, text: str, label: str, reads_texts: bool) -> Rows:
    """The rows of a table, with their numbers of 1 or more."""
    if not reads_texts:
        return [(str(number), row) for number, row in enumerate(rows_of(path, label), start=1)]
    texts: list[Any] = []
    labels: list[Any] = []
    for some, classes in text_blocks(path, text or None, label):
        texts += some.texts()
        labels += [] if classes is None else classes.tolist()
    rows = rows_of(texts, labels)
    return [(str(number), row) for number, row in enumerate(rows, start=1)]


def compared(models: dict[str, Any], rows: Rows) -> dict[str, Any]:
    """The scores of each model, and the rows to which they answer differently."""
    labels = [row.y for _, row in rows]
    told, answers, sure = [], [], []
    for name, model in models.items():
        if not hasattr(model, "classes_") or not hasattr(type(model), "predict_proba"):
            raise ValueError(f"Only models that have learned classes are compared, not {name!r}.")
        posterior = model.predict_proba([row.x for _, row in rows])
        scores = sums_of(posterior, model, labels).to_dict()
        scores.pop("calibration", None)
        told.append({"name": name, **scores})
        classes = model.classes_.tolist()
        answers.append([classes[place] for place in posterior.argmax(axis=1).tolist()])
        places = [classes.index(label) if label in classes else -1 for label in labels]
        sure.append([p[at] if at >= 0 else 0.0 for p, at in zip(posterior, places, strict=True)])
    differ = [place for place in range(len(rows)) if len({str(one[place]) for one in answers}) > 1]
    differ.sort(key=lambda place: -np.ptp([each[place] for each in sure]))
    return {
        "models": told,
        "rows": len(rows),
        "n_differ": len(differ),
        "differ": [
            {
                "id": rows[place][0],
                "row": _short(rows[place][1].x),
                "truth": str(labels[place]),
                "answers": [str(each[place]) for each in answers],
                "probabilities": [float(each[place]) for each in sure],
            }
            for place in differ[:MOST]
        ],
    }


def _short(row: Any) -> str:
    if isinstance(row, dict):
        row = ", ".join(f"{name}={cell}" for name, cell in row.items())
    return str(row)[:LONGEST]
