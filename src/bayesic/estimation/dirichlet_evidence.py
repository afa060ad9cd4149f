"""Counts -> their probability with the shares integrated out, under a Dirichlet prior.

    P(counts) = Gamma(A) / Gamma(A + N) * product over v of Gamma(a_v + n_v) / Gamma(a_v)

for n_v occurrences of level v in a given order, N in all, and pseudo-counts a_v that sum to A
([Heckerman]; [CooperHerskovits] for a_v = 1). It is what the chain rule gives: the product
over the occurrences, one after the other, of (n_v + a_v) / (N + A) in those before it. Counts need
not be whole.
"""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from bayesic.estimation.prior import ClassPrior
from bayesic.estimation.smoothing import GivenShares, Lambda, MEstimate, UniformEstimate
from bayesic.kernels import Array

_FAR = 32.0  # from here on four terms of Stirling's series are exact to the last digit

_LARGEST_AMOUNT = 1e100


def log_rising(start: ArrayLike, count: ArrayLike) -> Array:
    """log Gamma(a + n) - log Gamma(a): for whole n the log of a (a + 1) ... (a + n - 1).

        n log a + (a + n - 1/2) log(1 + n / a) - n + r(a + n) - r(a)

    for large a, by Stirling's series with its remainder r: a difference of two log gammas would
    lose the digits by which a exceeds n. Of a = 0 it is -inf, and 0 if n = 0 too.

    >>> np.exp(log_rising([3.0, 100.0], 2)).round(9)  # 3 * 4, 100 * 101
    array([   12., 10100.])
    """
    start, count = np.broadcast_arrays(np.asarray(start, float), np.asarray(count, float))
    far = np.maximum(start, _FAR)
    by_series = count * np.log(far) + (far + count - 0.5) * np.log1p(count / far) - count
    by_series += _stirling_remainder(far + count) - _stirling_remainder(far)
    near = np.where(count > 0, np.minimum(start, _FAR), 1.0)
    by_gammas = scipy.special.gammaln(near + count) - scipy.special.gammaln(near)
    return np.where(count > 0, np.where(start > _FAR, by_series, by_gammas), 0.0)


def _stirling_remainder(x: Array) -> Array:
    """log Gamma(x) - ((x - 1/2) log x - x + log(2 pi) / 2), for large x."""
    inverse = 1.0 / x
    square = inverse * inverse
    return inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)))


def dirichlet_log_evidence(
    counts: ArrayLike, pseudo: ArrayLike, totals: ArrayLike, all_pseudo: ArrayLike
) -> float:
    """log P of counts, and of several sets of counts at once.

    counts : n_v of all sets, pseudo : a_v of each; totals : N of all sets, all_pseudo : A of each

    >>> flips = np.array([2, 1])  # head, head, tail: 1/2 * 2/3 * 1/4
    >>> float(np.exp(dirichlet_log_evidence(flips, 1.0, 3, 2.0)).round(6))
    0.083333
    """
    return float(log_rising(pseudo, counts).sum() - log_rising(all_pseudo, totals).sum())


def class_log_evidence(prior: ClassPrior) -> float:
    """log P of the classes of all rows.

        learned   Dirichlet, a pseudo-count of lambda for each class
        given     product of P(c)^N_c

    Where a model uses plain shares of the classes, which is not a prior, lambda is 1: all shares
    are equally likely a priori.

    >>> float(np.exp(class_log_evidence(ClassPrior(np.array([2, 1])))).round(6))
    0.083333
    """
    count = prior.class_count.astype(np.float64)
    if isinstance(prior.rule, str) and prior.rule == "learned":
        pseudo = prior.smoothing or 1.0
        return dirichlet_log_evidence(count, pseudo, count.sum(), pseudo * len(count))
    return float(scipy.special.xlogy(count, prior.probability).sum())


# proper priors ------------------------------------------------------------------------------------


def pseudo_counts_before(
    rule: object, n_seen: int, n_levels: int, where: str
) -> tuple[Array, float]:
    """a_v of the n_seen levels that a table has, and A, their sum over all n_levels.

    A rule that is not a proper prior, or that depends on the rows, is refused. `where` names the
    column in the message.

    >>> pseudo_counts_before(UniformEstimate(2.0), 2, 4, "column 'sky'")
    (array([0.5, 0.5]), 2.0)
    """
    if isinstance(rule, MEstimate):
        raise ValueError(
            f"The evidence needs a prior that does not depend on the rows, but {where} is smoothed "
            f"by ('m', {rule.amount:g}), the shares of its values in all rows. Use ('m', "
            f"{rule.amount:g}, 'uniform'), or a number above 0."
        )
    if not isinstance(rule, Lambda | UniformEstimate | GivenShares):
        raise ValueError(
            f"The evidence needs pseudo-counts that are a Dirichlet prior, but {where} is smoothed "
            f"by {rule!r:.80}. Use smoothing=1, or another number above 0."
        )
    check_proper(rule.amount, "smoothing", where)
    pseudo, all_pseudo = rule.pseudo_counts(np.zeros(n_seen + 1), 0.0, max(n_levels, 1))
    return pseudo[:-1], float(all_pseudo)


def check_proper(amount: ArrayLike, name: str, where: str) -> None:
    """Refuse pseudo-counts of 0, which are not a prior, and those too large to be added up."""
    if np.max(amount) > _LARGEST_AMOUNT:
        raise ValueError(
            f"The evidence needs {name} of at most {_LARGEST_AMOUNT:g}, got {np.max(amount):g}. "
            "Larger ones make all values equally likely just as well."
        )
    if not np.min(amount) > 0:
        raise ValueError(
            f"The evidence needs a prior under which rows can be predicted before any was seen, "
            "but "
            f"{where} has {name}=0, plain relative frequencies. Use {name}=1, under which all "
            "shares are equally likely a priori, or another number above 0."
        )
