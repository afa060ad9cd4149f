"""Which rows surprise a model: those of least probability."""

from typing import NamedTuple

import numpy as np

from bayesic.kernels import Array
from bayesic.networks.queries._model import NamedModel
from bayesic.networks.queries._posteriors import row_log_probability


class SurprisingRow(NamedTuple):
    """A row and how probable the model finds it."""

    row: int  # its number in the table, from 0 on
    log_probability: float  # log P(what the row observed); -inf if it cannot happen


class Surprise(NamedTuple):
    """How probable a model finds the rows of a table."""

    rows: tuple[SurprisingRow, ...]  # the least probable ones, the least first
    mean: float  # of log P(row) over the rows that can happen; NaN if there are none
    n_impossible: int  # rows that cannot happen
    n_rows: int


def surprise(model: NamedModel, codes: Array, n: int) -> Surprise:
    """The n least probable rows, equal ones in their order, and the mean over all.

    codes : what the rows observe, as `state_codes`

    >>> from bayesic.datasets.networks import asia
    >>> model = asia()._named_model()
    >>> rows = np.full((2, len(model.states)), -1)
    >>> rows[:, model.number("smoke")], rows[:, model.number("lung")] = [0, 1], 0
    >>> found = surprise(model, rows, n=2)
    >>> [(each.row, round(each.log_probability, 4)) for each in found.rows]  # log 0.005, log 0.05
    [(1, -5.2983), (0, -2.9957)]
    """
    log_probability = row_log_probability(model, codes)
    possible = log_probability[log_probability > -np.inf]
    first = np.argsort(log_probability, stable=True)[:n]
    pairs = zip(first.tolist(), log_probability[first].tolist(), strict=True)
    return Surprise(
        tuple(SurprisingRow(*pair) for pair in pairs),
        possible.mean().item() if len(possible) else float("nan"),
        len(log_probability) - len(possible),
        len(log_probability),
    )
