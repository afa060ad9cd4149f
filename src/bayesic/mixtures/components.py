"""The components of a Gaussian mixture: statistics -> parameters -> log p(x, component)."""

from collections.abc import Callable
from types import ModuleType
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bayesic.data.arguments import as_numbers
from bayesic.estimation.normal_density import LOG_TWO_PI, Normals, log_densities, normals
from bayesic.kernels import Array, pick
from bayesic.kernels.rounding import EPSILON
from bayesic.statistics.cross_moments import CrossMoments
from bayesic.statistics.moments import ClassMoments

SoftMoments = CrossMoments | ClassMoments
COVARIANCE_TYPES = ("full", "tied", "diag", "spherical")


class Components(NamedTuple):
    """The parameters of a mixture.

    covariances : by type (n_components, n_features, n_features) full, (n_features, n_features)
                  tied, (n_components, n_features) diag, (n_components,) spherical
    """

    weights: Array  # (n_components,)
    means: Array  # (n_components, n_features)
    covariances: Array


def has_correlations(covariance_type: str) -> bool:
    """Whether the type has covariances between features."""
    return covariance_type in ("full", "tied")


def covariance_shape(covariance_type: str, n_components: int, n_features: int) -> tuple[int, ...]:
    """The shape of the covariances.

    >>> covariance_shape("tied", 5, 3)
    (3, 3)
    """
    return {
        "full": (n_components, n_features, n_features),
        "tied": (n_features, n_features),
        "diag": (n_components, n_features),
        "spherical": (n_components,),
    }[covariance_type]


def n_covariance_parameters(covariance_type: str, n_components: int, n_features: int) -> int:
    """The number of free parameters of the covariances.

    >>> [n_covariance_parameters(kind, 3, 2) for kind in COVARIANCE_TYPES]
    [9, 3, 6, 3]
    """
    of_matrix = n_features * (n_features + 1) // 2
    return {
        "full": n_components * of_matrix,
        "tied": of_matrix,
        "diag": n_components * n_features,
        "spherical": n_components,
    }[covariance_type]


def estimated(
    statistics: SoftMoments, covariance_type: str, reg_covar: float, before: Components | None
) -> Components:
    """The M-step: the parameters of maximum likelihood, given the expected statistics.

        weight_k = n_k / n,   mean_k,   Sigma_k = scatter_k / n_k + reg_covar I

    Tied: the sum of all scatter_k, divided by n. Spherical: the mean of the variances. A component
    that has lost its rows gets the weight 0 and stays where it was before: the likelihood does not
    depend on it any more.
    """
    count = np.asarray(statistics.class_count, dtype=np.float64)
    is_empty = count <= EPSILON * count.sum()
    count = np.where(is_empty, 0.0, count)
    divisor = np.where(is_empty, 1.0, count)
    if isinstance(statistics, CrossMoments):
        means, n_features = statistics.mean, statistics.n_features
        ridge = reg_covar * np.eye(n_features)
        if covariance_type == "tied":
            covariances = statistics.pooled_scatter() / count.sum() + ridge
        else:
            covariances = statistics.scatter / divisor[:, None, None] + ridge
    else:
        means = statistics.per_class.mean
        covariances = statistics.per_class.scatter / divisor[:, None] + reg_covar
        if covariance_type == "spherical":
            covariances = covariances.mean(axis=1)
    if before is not None and is_empty.any():
        means = np.where(is_empty[:, None], before.means, means)
        if covariance_type != "tied":
            lost = is_empty.reshape(-1, *[1] * (covariances.ndim - 1))
            covariances = np.where(lost, before.covariances, covariances)
    return Components(count / count.sum(), means, covariances)


# log p(x, component) --------------------------------------------------------------------------


def joint_log_density(
    components: Components, covariance_type: str, n_rows: int
) -> Callable[[Array], Array]:
    """A function from rows to log w_k p(x | k): (n_components, n_rows).

    n_rows : the number of rows of all calls together, by which the kernels are chosen
    """
    with np.errstate(divide="ignore"):
        log_weights = np.log(components.weights)[:, None]
    means = np.ascontiguousarray(components.means, dtype=np.float64)
    n_components, n_features = means.shape
    steps = n_rows * n_features * n_components
    if covariance_type == "full":
        classes = _not_singular(components, covariance_type)
        of_products = pick("centres", steps * n_features)
        return lambda values: log_densities(values, classes, of_products).T + log_weights
    if covariance_type == "tied":
        one = _not_singular(components, covariance_type)
        densities = _tied_log_densities(means, one, pick("centres", steps))
        return lambda values: densities(values) + log_weights
    kernels, variances = pick("classes", steps), variances_of(components, covariance_type)
    return lambda values: kernels.gaussian_scores(values, means, variances).T + log_weights


def _tied_log_densities(
    means: Array, one: Normals, kernels: ModuleType
) -> Callable[[Array], Array]:
    """A function from rows without gaps to log p(x | k), for components with one covariance.

    They are squared distances of whitened rows from whitened means.
    """
    middle, whitening = means.mean(axis=0), one.whitening[0]
    centres = (means - middle) @ whitening
    constant = means.shape[1] * LOG_TWO_PI + 2 * one.log_scale.sum()

    def densities(values: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):  # far out: -inf
            squares = kernels.squared_distances((values - middle) @ whitening, centres)
        squares[np.isnan(squares)] = np.inf  # inf - inf: one of the two was too large
        return -0.5 * (squares + constant)

    return densities


def variances_of(components: Components, covariance_type: str) -> Array:
    """The variance of each feature in each component, for diag and spherical."""
    variances = components.covariances
    if covariance_type == "spherical":
        variances = np.repeat(variances[:, None], components.means.shape[1], axis=1)
    if not (variances > 0).all():
        _refuse_singular()
    return np.ascontiguousarray(variances, dtype=np.float64)


def _not_singular(components: Components, covariance_type: str) -> Normals:
    """The densities of the components through Cholesky factors; one for all if they are tied."""
    is_tied = covariance_type == "tied"
    matrices = components.covariances[None] if is_tied else components.covariances
    try:
        return normals(components.means[: len(matrices)], matrices)
    except np.linalg.LinAlgError:
        _refuse_singular()
        raise


def precision_factors(components: Components, covariance_type: str) -> Array:
    """Upper triangular U with U U^T the inverse covariance; without covariances 1 / deviation."""
    if covariance_type == "full":
        return _not_singular(components, covariance_type).whitening
    if covariance_type == "tied":
        return _not_singular(components, covariance_type).whitening[0]
    return 1 / np.sqrt(components.covariances)


def _refuse_singular() -> None:
    raise ValueError(
        "The covariance of every component must have an inverse, but one component has collapsed "
        "onto rows without spread in some direction, where its density is unbounded. Raise "
        "reg_covar, use fewer components, or scale the features alike."
    )


# starting parameters given by the user ----------------------------------------------------------


def checked_weights_init(given: ArrayLike, n_components: int) -> Array:
    """One weight for each component, 0 or more, that sum to 1.

    >>> checked_weights_init([0.25, 0.75], 2)
    array([0.25, 0.75])
    """
    weights = _of_shape("weights_init", given, (n_components,))
    if not ((weights >= 0).all() and np.isclose(weights.sum(), 1.0)):
        raise ValueError(
            f"weights_init must be probabilities that sum to 1, got {weights.tolist()} with the "
            f"sum {weights.sum():g}. Divide them by their sum."
        )
    return weights / weights.sum()


def checked_means(given: ArrayLike, n_components: int, n_features: int) -> Array:
    """One mean for each component."""
    return _of_shape("means_init", given, (n_components, n_features))


def checked_precisions(
    given: ArrayLike, covariance_type: str, n_components: int, n_features: int
) -> Array:
    """The covariances whose inverse is given.

    >>> checked_precisions([4.0, 0.5], "spherical", 2, 3)
    array([0.25, 2.  ])
    """
    shape = covariance_shape(covariance_type, n_components, n_features)
    precisions = _of_shape("precisions_init", given, shape)
    if not has_correlations(covariance_type):
        if not (precisions > 0).all():
            raise ValueError(
                f"precisions_init must be above 0, got {precisions.min():g}. Precisions are 1 "
                "divided by variances."
            )
        return 1 / precisions
    if not np.allclose(precisions, precisions.swapaxes(-2, -1)):
        raise ValueError("precisions_init must hold symmetric matrices, these are not.")
    if not (np.linalg.eigvalsh(precisions) > 0).all():
        raise ValueError(
            "precisions_init must hold matrices with eigenvalues above 0, these have others. "
            "Precisions are the inverse of covariance matrices."
        )
    covariances = np.linalg.inv(precisions)
    return (covariances + covariances.swapaxes(-2, -1)) / 2


def _of_shape(name: str, given: ArrayLike, shape: tuple[int, ...]) -> Array:
    values = as_numbers(given, name)
    if values.shape != shape or not np.isfinite(values).all():
        raise ValueError(
            f"{name} must hold finite numbers in the shape {shape}, got shape {values.shape}."
        )
    return values
