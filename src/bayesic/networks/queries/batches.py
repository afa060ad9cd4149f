"""Many rows of evidence at once: tables in which any cell may be null."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from bayesic.data.notices import tell
from bayesic.networks.codes import state_codes
from bayesic.networks.engine import inference
from bayesic.networks.queries.evidence import Known
from bayesic.networks.queries.impossible import impossible
from bayesic.networks.queries.model import NamedModel

Array = np.ndarray


def posteriors(
    model: NamedModel, table: Any, targets: str | Iterable[str] | None = None
) -> dict[str, Array]:
    """Target -> P(target | what the row observed), float64 (n_rows, states of the target).

    Rows whose evidence is impossible are rows of 0, with a warning.
    """
    names = model.variables if targets is None else _listed(targets)
    numbers = [model.number(name) for name in names]
    answers, log_evidence = inference.posteriors(
        model.tree, state_codes(model.states, table), numbers, totals=False
    )
    rows = np.flatnonzero(log_evidence == -np.inf)
    if len(rows):
        tell(
            f"{len(rows)} of {len(log_evidence)} rows have evidence that cannot happen, "
            f"first row {rows[0]}. Their posteriors are 0 for every state; log_probability "
            "is -inf there, and query names what clashes."
        )
    return dict(zip(names, answers, strict=True))


def _listed(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def log_probability(model: NamedModel, table: Any) -> Array:
    """log P(what the row observed), summed over all that it did not; -inf if it cannot happen."""
    codes = state_codes(model.states, table)
    if model.log_partition == -np.inf:
        raise impossible(model, Known())
    _, log_evidence = inference.posteriors(model.tree, codes, ())
    return log_evidence - model.log_partition
