"""The rows that were answered worst: those to whose class the least probability was given."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bayesic.evaluation.scores import truth_probability

Array = np.ndarray


class WorstRow(NamedTuple):
    """A row, what it is, and what the model took it for."""

    row: int  # its number in what was given, from 0 on
    truth: Any
    answer: Any
    probability: float  # of the truth


def worst_rows(
    posterior: Array, codes: Array, names: Sequence[Any], numbers: Array, n: int
) -> tuple[WorstRow, ...]:
    """The n rows of least P(true class), the worst first; equal ones in their order.

    numbers : the number of each row in what was given

    >>> posterior, codes = np.array([[0.75, 0.25], [0.9, 0.1], [0.2, 0.8]]), np.array([0, 1, 1])
    >>> worst_rows(posterior, codes, ["ham", "spam"], np.arange(3), n=1)
    (WorstRow(row=1, truth='spam', answer='ham', probability=0.1),)
    """
    probability = truth_probability(posterior, codes)
    places = np.argsort(probability, stable=True)[:n]
    answers = posterior[places].argmax(axis=1)
    columns = numbers[places], codes[places], answers, probability[places]
    return tuple(
        WorstRow(row, names[truth], names[answer], share)
        for row, truth, answer, share in zip(*map(np.ndarray.tolist, columns), strict=True)
    )
