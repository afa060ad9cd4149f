"""The posterior of one target in rows of a table, whatever the rows observe of the rest."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from bayesic.data.arguments import tell
from bayesic.data.distinct import NOT_OBSERVED
from bayesic.data.states import States
from bayesic.networks.codes import block_codes
from bayesic.networks.learning.complete import variable_blocks
from bayesic.networks.queries.batches import row_posteriors
from bayesic.networks.queries.evidence import Known
from bayesic.networks.queries.marginals import joint
from bayesic.networks.queries.model import NamedModel

Array = np.ndarray


def target_posteriors(model: NamedModel, table: Any, target: str) -> Array:
    """P(target | all else that the row observes): (n_rows, states of the target).

    A row whose evidence cannot happen answers P(target), with a warning.
    """
    number = model.number(target)
    answers, n_impossible = [], 0
    for codes in evidence_blocks(model, table, target):
        [posterior], log_evidence = row_posteriors(model, codes, [number], totals=False)
        impossible = log_evidence == -np.inf
        if impossible.any():
            posterior = np.where(impossible[:, None], prior_of(model, number), posterior)
        n_impossible += int(impossible.sum())
        answers.append(posterior)
    tell_impossible(n_impossible, target)
    return np.concatenate(answers)


def evidence_blocks(model: NamedModel, table: Any, target: str) -> Iterator[Array]:
    """What the rows observe, as `state_codes`, block by block; nothing of the target."""
    number, n_rows = model.number(target), 0
    others = {name: states for name, states in model.states.items() if name != target}
    for block in variable_blocks(table, model.states):
        n_rows += block.n_rows
        codes = np.full((block.n_rows, len(model.states)), NOT_OBSERVED, order="F")
        codes[:, np.arange(len(model.states)) != number] = block_codes(others, block)
        yield codes
    if not n_rows:
        raise ValueError("The table has no rows: there is nothing to answer.")


def prior_of(model: NamedModel, number: int) -> Array:
    """P(target), when nothing is observed."""
    return joint(model, [number], Known())


def tell_impossible(n_rows: int, target: str) -> None:
    """Warn of rows that were answered by P(target)."""
    if n_rows:
        tell(
            f"{n_rows} row(s) have evidence that cannot happen in this network: the answer for "
            f"them is P({target}). More smoothing makes nothing impossible."
        )


def as_labels(states: States) -> Array:
    """States as an array to pick from, of their own type where all have the same.

    >>> as_labels((True, False)), as_labels(("yes", 1))
    (array([ True, False]), array(['yes', 1], dtype=object))
    """
    same = len({*map(type, states)}) == 1
    return np.array(states) if same else np.fromiter(states, object, len(states))
