"""Learning a table: short ones row by row in the store, long ones in a worker."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bayesic import catalogue
from bayesic.data.distinct import is_missing
from bayesic.data.labels import take_column
from bayesic.data.rows_read import counting_rows
from bayesic.data.source import opened_file
from bayesic.kernels import Array
from bayesic.progress import telling
from bayesic.store.model_bytes import bytes_of
from bayesic.studio.table._open_tables import OpenTable

# the models of tables on the page, the average first -> the kinds of columns that they take
MODELS = {
    name: catalogue.MODELS[name].kinds
    for name in ("AutoBayes", *catalogue.MODELS)
    if catalogue.MODELS[name].kinds
}
JOURNALLED = 60_000  # cells: tables of so many are learned row by row, with all rows in the journal
AVERAGED = 600_000  # cells: above, NaiveBayes is suggested, and not an average that takes long


def suggested_model(table: OpenTable) -> str:
    """The model to begin with: the average of all, unless that would take long."""
    cells = table.cases.n_rows * len(table.stored)
    return "AutoBayes" if cells <= AVERAGED else "NaiveBayes"


def kinds_of(model: object) -> tuple[str, ...]:
    """The kinds of columns that a model takes."""
    if not isinstance(model, str) or model not in MODELS:
        raise ValueError(f"The model must be one of {', '.join(MODELS)}, got {model!r:.60}.")
    return MODELS[model]


def made(kind: str, columns: Mapping[str, str]) -> Any:
    """A model that has learned nothing."""
    return catalogue.class_named(kind)(columns=dict(columns) or None)


def is_short(table: OpenTable) -> bool:
    """Whether each row of the table is learned by its id."""
    return table.is_whole and table.cases.n_rows * len(table.stored) <= JOURNALLED


def fitted(
    _: object,
    path: Path,
    target: str,
    kind: str,
    columns: Mapping[str, str],
    n_rows: int,
    told: Path,
) -> bytes:
    """The bytes of a model that has learned a whole file. For a worker.

    n_rows : of the file, for the progress, which is written to the file `told`
    """
    model = made(kind, columns)
    with counting_rows(_counted(n_rows, told)), telling(partial(_tell, told)):
        model.fit(path, y=target)
    return bytes_of(model)


def fitted_without_gaps(
    _: object,
    path: Path,
    target: str,
    kind: str,
    columns: Mapping[str, str],
    n_rows: int,
    told: Path,
) -> bytes:
    """The same where some rows have no label: they are left out."""
    ignored = {name: "ignore" for name, how in columns.items() if how == "ignore"}
    model = made(kind, columns)
    with counting_rows(_counted(n_rows, told)), telling(partial(_tell, told)):
        rows, labels = take_column(opened_file(path).whole({**ignored, target: "label"}), target)
        known = np.flatnonzero([not is_missing(label) for label in labels])
        model.fit(_at(rows, known), labels[known].tolist())
    return bytes_of(model)


def _at(rows: Any, indices: Array) -> Any:
    if isinstance(rows, Mapping):
        return {name: [cells[index] for index in indices] for name, cells in rows.items()}
    return rows.take(indices)


def _counted(n_rows: int, told: Path) -> Callable[[int], None]:
    read = 0

    def more(rows: int) -> None:
        nonlocal read
        read += rows
        if read <= n_rows:  # models that read the file again have other things to tell
            _tell(told, "reading rows", read, n_rows)

    return more


def _tell(told: Path, what: str, done: int, total: int | None) -> None:
    new = told.with_suffix(".new")
    new.write_text(json.dumps({"what": what, "done": done, "total": total}))
    new.replace(told)  # a reader never finds half of it
