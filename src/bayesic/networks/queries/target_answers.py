"""What a network says of a target in rows that observe it, as if they did not."""

from typing import NamedTuple

import numpy as np

from bayesic.evaluation.judged import Answers
from bayesic.kernels import Array
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries._posteriors import joint, row_posteriors
from bayesic.networks.queries.checked_evidence import CheckedEvidence


class TargetAnswers(NamedTuple):
    """P(target | all else) of the rows that observe the target."""

    answers: Answers
    n_left_out: int  # rows that do not observe the target
    n_impossible: int  # rows whose other cells cannot happen: they get P(target)


def target_answers(model: NamedModel, codes: Array, target: str) -> TargetAnswers:
    """What the network says of the target from all else that each row observes.

    codes : what the rows observe, as `state_codes`

    >>> from bayesic.datasets.networks import asia
    >>> model = asia()._named_model()
    >>> rows = np.full((2, len(model.states)), -1)
    >>> rows[:, model.number("smoke")], rows[0, model.number("lung")] = 0, 1
    >>> found = target_answers(model, rows, "lung")
    >>> found.answers.posterior, found.answers.codes, found.n_left_out
    (array([[0.1, 0.9]]), array([1]), 1)
    """
    number = model.number(target)
    rows = np.flatnonzero(codes[:, number] >= 0)
    if not len(rows):
        raise ValueError(f"No row has a state of {target}, so there is nothing to compare with.")
    evidence = codes[rows]
    evidence[:, number] = -1
    posterior, impossible = posterior_or_prior(model, evidence, number)
    answers = Answers(model.states[target], posterior, codes[rows, number], rows, None)
    return TargetAnswers(answers, len(codes) - len(rows), int(impossible.sum()))


def posterior_or_prior(model: NamedModel, codes: Array, number: int) -> tuple[Array, Array]:
    """P(target | row), or P(target) where a row cannot happen; and in which rows it cannot.

    number : of the target, which the rows do not observe
    """
    [posterior], log_evidence = row_posteriors(model, codes, [number], totals=False)
    impossible = log_evidence == -np.inf
    if impossible.any():
        posterior = np.where(impossible[:, None], prior_of(model, number), posterior)
    return posterior, impossible


def prior_of(model: NamedModel, number: int) -> Array:
    """P(target), when nothing is observed."""
    return joint(model, [number], CheckedEvidence())
