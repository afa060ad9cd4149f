"""Moments -> the density of the rows with means and covariances integrated out.

    Sigma ~ inverse Wishart(nu, Psi),   mean ~ N(m, Sigma / k)

    p(rows) = pi^(-N d / 2) * Gamma_d((nu + N) / 2) / Gamma_d(nu / 2)
              * |Psi|^(nu / 2) / |Psi_N|^((nu + N) / 2) * product over g of (k / (k + n_g))^(d / 2)
    Psi_N = Psi + sum over g of scatter_g + k n_g / (k + n_g) (mean_g - m)(mean_g - m)^T

([Murphy] eq. 266, [Gelman] section 3.6) for groups g of n_g rows, N in all, each with a mean of its
own and all with one covariance. This one formula is all four: full is a group for each covariance,
tied all classes as groups of one; diagonal has d = 1, and spherical too, where the columns of a
class are the groups. It is what the chain rule gives: the product over the rows of the
multivariate t density of each, given those before it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from bayesic.data.arguments import as_numbers, is_number
from bayesic.estimation.dirichlet_evidence import log_rising
from bayesic.kernels import Array
from bayesic.statistics.cross_moments import CrossMoments, diagonal_of
from bayesic.statistics.moments import LARGEST_VALUE, Moments

_FEWEST_ROWS, _MOST_ROWS = 1e-100, 1e100


@dataclass(frozen=True)
class NormalPrior:
    """The normal inverse Wishart prior of means and variances.

    The mean of a column is about `mean`, as if from mean_rows rows. Its expected variance is
    `variance`, with nu = variance_rows + d + 1 and Psi = variance_rows * variance: so the prior of
    a column is the same, however many columns share a covariance.
    """

    mean: Any = 0.0  # of all columns, or of each
    variance: Any = 1.0
    mean_rows: float = 1.0
    variance_rows: float = 1.0

    def of_columns(self, n_columns: int) -> "NormalPrior":
        """The same with a mean and a variance for each column, checked."""
        for name in ("mean_rows", "variance_rows"):
            given = getattr(self, name)
            if not is_number(given) or not _FEWEST_ROWS <= given <= _MOST_ROWS:
                raise ValueError(
                    f"{name} must be a number above 0, {_FEWEST_ROWS:g} to {_MOST_ROWS:g}, got "
                    f"{given!r:.80}. It says how many rows the prior counts for: 0 is not a prior."
                )
        mean = _one_for_each("mean", self.mean, n_columns)
        variance = _one_for_each("variance", self.variance, n_columns)
        if not (variance > 0).all():
            raise ValueError(
                f"variance must be above 0, got {self.variance!r:.80}. It is the expected "
                "variance of a column within a class."
            )
        return NormalPrior(mean, variance, float(self.mean_rows), float(self.variance_rows))


def _one_for_each(name: str, given: object, n_columns: int) -> Array:
    values = as_numbers(given, name)
    if values.shape not in ((), (n_columns,)) or not (np.abs(values) <= LARGEST_VALUE).all():
        raise ValueError(
            f"{name} must be a number, or one for each of the {n_columns} columns, got "
            f"{given!r:.80}."
        )
    return np.broadcast_to(values, (n_columns,))


def normal_log_evidence(
    count: Array, mean: Array, scatter: Array, prior: NormalPrior, d: int
) -> Array:
    """log p(rows) of groups that share a covariance: (...).

    count : (..., n_groups), mean : (..., n_groups, d), scatter : (..., d, d), of all groups

    prior has means (..., n_groups, d) and variances (..., d), or what is broadcast to them.

    >>> day = np.array([1.0]), np.array([[0.0]]), np.array([[0.0]])  # one row, at the prior mean
    >>> normal_log_evidence(*day, NormalPrior(), d=1).round(6)  # t, 3 degrees of freedom, scale 2/3
    np.float64(-0.798156)
    """
    k, nu = prior.mean_rows, prior.variance_rows + d + 1
    psi = np.broadcast_to(prior.variance_rows * np.asarray(prior.variance), scatter.shape[:-1])
    step = mean - prior.mean
    between = np.einsum("...g,...gi,...gj->...ij", k / (k + count) * count, step, step)
    scale = np.sqrt(psi)
    with np.errstate(over="ignore"):
        in_units = (scatter + between) / scale[..., :, None] / scale[..., None, :]
    if not np.isfinite(in_units).all():
        raise ValueError(
            "The rows are too far from the prior for floating point. Give a mean and a variance "
            "in the units of the columns."
        )
    # after `-` the rounded eigenvalues may be a little below 0
    log_growth = np.log1p(np.maximum(np.linalg.eigvalsh(in_units), 0.0)).sum(axis=-1)
    n_rows = count.sum(axis=-1)
    gammas = log_rising((nu - np.arange(d)) / 2, n_rows[..., None] / 2).sum(axis=-1)
    densities = n_rows / 2 * (d * np.log(np.pi) + np.log(psi).sum(axis=-1))
    of_means = d / 2 * np.log1p(count / k).sum(axis=-1)
    return gammas - densities - (nu + n_rows) / 2 * log_growth - of_means


def columns_log_evidence(moments: Moments, prior: NormalPrior) -> float:
    """log p of columns that are independent in each group; gaps are left out."""
    count, mean, scatter = moments.arrays()
    prior = prior.of_columns(mean.shape[1])
    own = NormalPrior(
        prior.mean[:, None, None], prior.variance[:, None], prior.mean_rows, prior.variance_rows
    )
    each = normal_log_evidence(
        count[..., None], mean[..., None, None], scatter[..., None, None], own, d=1
    )
    return float(each.sum())


def spherical_log_evidence(moments: CrossMoments, prior: NormalPrior) -> float:
    """log p of classes in which all columns have one variance."""
    prior = prior.of_columns(moments.n_features)
    if np.ptp(prior.variance):
        raise ValueError(
            "variance must be one number for covariance='spherical', where all columns of a class "
            f"have the same variance, got {prior.variance.tolist()!r:.80}."
        )
    own = NormalPrior(prior.mean[:, None], prior.variance[:1], prior.mean_rows, prior.variance_rows)
    scatter = diagonal_of(moments.scatter).sum(axis=1)[:, None, None]
    count = np.broadcast_to(moments.class_count[:, None].astype(np.float64), moments.mean.shape)
    return float(normal_log_evidence(count, moments.mean[..., None], scatter, own, d=1).sum())


def correlated_log_evidence(moments: CrossMoments, prior: NormalPrior, tied: bool) -> float:
    """log p of classes with a covariance matrix for each, or one that is tied."""
    count, d = moments.class_count.astype(np.float64), moments.n_features
    prior = prior.of_columns(d)
    if tied:
        scatter = moments.pooled_scatter()
        return float(normal_log_evidence(count, moments.mean, scatter, prior, d))
    groups = count[:, None], moments.mean[:, None], moments.scatter
    return float(normal_log_evidence(*groups, prior, d).sum())
