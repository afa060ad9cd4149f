"""Many rows of evidence at once: tables in which any cell may be null."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bayesic.data.arguments import tell
from bayesic.kernels.trees import Evidence
from bayesic.networks.codes import state_codes
from bayesic.networks.engine import inference
from bayesic.networks.engine.tree import Scopes
from bayesic.networks.queries.evidence import Known
from bayesic.networks.queries.impossible import impossible
from bayesic.networks.queries.model import NamedModel
from bayesic.networks.queries.relevant import relevant_part
from bayesic.networks.variable_names import names_in

Array = np.ndarray


def posteriors(
    model: NamedModel, table: Any, targets: str | Iterable[str] | None = None
) -> dict[str, Array]:
    """Target -> P(target | what the row observed), float64 (n_rows, states of the target).

    Rows whose evidence is impossible are rows of 0, with a warning.
    """
    asked = model.variables if targets is None else names_in(targets)
    numbers = [model.number(name) for name in asked]
    answers, log_evidence = row_posteriors(
        model, state_codes(model.states, table), numbers, totals=False
    )
    rows = np.flatnonzero(log_evidence == -np.inf)
    if len(rows):
        tell(
            f"{len(rows)} of {len(log_evidence)} rows have evidence that cannot happen, "
            f"first row {rows[0]}. Their posteriors are 0 for every state; log_probability "
            "is -inf there, and query names what clashes."
        )
    return {model.variables[v]: answer for v, answer in zip(numbers, answers, strict=True)}


def log_probability(model: NamedModel, table: Any) -> Array:
    """log P(what the row observed), summed over all that it did not; -inf if it cannot happen."""
    codes = state_codes(model.states, table)
    if model.log_partition == -np.inf:
        raise impossible(model, Known())
    _, log_evidence = row_posteriors(model, codes, ())
    return log_evidence - model.log_partition


def row_posteriors(
    model: NamedModel, codes: Array, targets: Sequence[int], totals: bool = True
) -> tuple[list[Array], Array]:
    """The posterior of each target in each row, and the log of P(evidence); see `posteriors`.

    Rows in which what is not observed stands alone need no tree. Others are computed together in
    the tree of the whole model, or one by one where that is too wide: what a row observes can make
    its own tree narrow.
    """
    model.check_tables(range(len(model.states)))

    def others(asked: Scopes, evidence: Evidence) -> tuple[Array, Array]:
        if model.is_narrow:
            return inference.answers_from_tree(model.tree, asked, evidence)
        return _one_by_one(model, [variable for (variable,) in asked], evidence.states, totals)

    rows = inference.scaled_evidence(np.array(codes, np.int64, order="C")).evidence
    return inference.posteriors_by(model.factors, others, rows, targets, totals)


def _one_by_one(
    model: NamedModel, targets: Sequence[int], states: Array, totals: bool
) -> tuple[Array, Array]:
    """Each different row from a tree of its own."""
    different, kind = np.unique(states, axis=0, return_inverse=True)
    sizes = [model.factors.cardinalities[target] for target in targets]
    answers, log_total = np.zeros((len(different), sum(sizes))), np.empty(len(different))
    among = range(len(model.factors.scopes)) if totals else None
    for number, row in enumerate(different):
        known = Known({int(v): int(row[v]) for v in np.flatnonzero(row >= 0)})
        free = [target for target in targets if target not in known.states]
        part = relevant_part(model, free, known, among)
        found, log_total[number : number + 1] = inference.posteriors(
            part.tree(), part.row(), part.targets
        )
        if log_total[number] > -np.inf:
            of_target = dict(zip(free, found, strict=True))
            seen = [np.eye(size)[row[t]] for t, size in zip(targets, sizes, strict=True)]
            shares = [of_target.get(t, [s])[0] for t, s in zip(targets, seen, strict=True)]
            answers[number] = np.concatenate([*shares, []])
    return answers[kind], log_total[kind]
