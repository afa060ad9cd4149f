"""The weight of shrinkage that predicts learned rows best, each as if it had not been learned."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from bayesic.data.blocks import in_threads
from bayesic.estimation.prior import ClassPrior

Array = np.ndarray

# From none to all: few, because the loss is flat around its least value.
CANDIDATES = (0.0, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.0)


def leave_one_out_losses(
    scorers: Sequence[Callable[[slice], Array]],
    blocks: Iterable[slice],
    prior: ClassPrior,
    codes: Array,
    weights: Array,
) -> Array:
    """The sum of -log P(class | row) over learned rows, for each of the candidates.

    scorers : for each candidate a function from a block of rows to log p(x | c) with this weight of
              shrinkage, each row not learned, (n_rows, n_classes)

    Rows whose class is impossible without them say nothing about the weight and are left out.
    """

    def losses_of(rows: slice) -> Array:
        own, row_weights = codes[rows], weights[rows]
        log_prior = prior.log_without(own, row_weights).T
        each = np.arange(len(own))
        possible = log_prior[each, own] > -np.inf
        losses = []
        for scores_without in scorers:
            joint = log_prior + scores_without(rows)
            with np.errstate(invalid="ignore"):  # rows so far out that no class explains them
                log_posterior = joint[each, own] - np.logaddexp.reduce(joint, axis=1)
                losses.append(-(row_weights * log_posterior)[possible].sum())
        return np.nan_to_num(losses, nan=np.inf, posinf=np.inf)

    return sum(in_threads(losses_of, blocks), start=np.zeros(len(scorers)))


def best_candidate(losses: Array) -> float:
    """The candidate of least loss, the largest of those that are equal.

    >>> best_candidate(np.arange(10.0)), best_candidate(np.zeros(10))
    (0.0, 1.0)
    """
    return CANDIDATES[len(losses) - 1 - int(losses[::-1].argmin())]
