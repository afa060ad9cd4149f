"""Rows drawn from a model."""

from typing import Any, NamedTuple

import numpy as np

from bayesic.data.arguments import check_is_fitted, check_whole_number
from bayesic.data.typing import Label, RandomState
from bayesic.kernels import Array
from bayesic.models.readers.known_columns import KnownColumns, known_columns


class Sample(NamedTuple):
    """Rows drawn from a model: a dict of columns, or an array of rows, and their classes."""

    X: Any
    y: Array


def sample_of(model: Any, n: int, label: Label | None, random_state: RandomState) -> Sample:
    """So many rows from a model whose fitted object has `sampled(codes, rng)`."""
    from sklearn.utils.validation import check_random_state  # takes long to load

    check_is_fitted(model)
    check_whole_number("n", n, least=0)
    fitted, classes = model._fitted, model.classes_
    rng = np.random.default_rng(check_random_state(random_state).randint(2**31))
    if label is None:
        codes = rng.choice(len(classes), int(n), p=fitted.prior.probability)
    else:
        codes = np.full(int(n), _code_of(label, classes.tolist()))
    rows = fitted.sampled(codes, rng)
    if isinstance(rows, dict):
        rows = _as_learned(rows, known_columns(model))
    return Sample(rows, classes[codes])


def _as_learned(columns: dict[str, Array], known: KnownColumns) -> Any:
    """Columns as `predict` wants them: rows if what was learned had no names."""
    if known.named:
        return columns
    n_rows = len(next(iter(columns.values()), ()))
    rows = np.full((n_rows, len(known.names)), None)
    for index, name in enumerate(known.names):
        if name in columns:
            rows[:, index] = columns[name]
    return rows


def _code_of(label: Label, classes: list) -> int:
    if label not in classes:
        raise ValueError(f"label must be one of the classes {classes}, got {label!r}.")
    return classes.index(label)
