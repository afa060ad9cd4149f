"""The boundary between two classes, as the coefficients of a linear or quadratic rule."""

from collections.abc import Sequence
from typing import NamedTuple

from bayesic.data.typing import Label
from bayesic.estimation.normal_density import Normals
from bayesic.kernels import Array


class LinearRule(NamedTuple):
    """The rule between two classes: the first one where a_0 + a . x > 0."""

    a_0: float
    a: Array  # (n_features,)


class QuadraticRule(NamedTuple):
    """The rule between two classes: the first one where a_0 + a . x + x . A x > 0."""

    a_0: float
    a: Array  # (n_features,)
    A: Array  # (n_features, n_features), symmetric


def numbers_of_two(classes: Array, first: Label, second: Label) -> tuple[int, int]:
    """The indices of two classes.

    >>> import numpy as np
    >>> numbers_of_two(np.array(["ham", "spam"]), "spam", "ham")
    (1, 0)
    """
    names = classes.tolist()
    unknown = [name for name in (first, second) if name not in names]
    if unknown:
        raise ValueError(f"first and second must be among the classes {names}, got {unknown}.")
    return names.index(first), names.index(second)


def quadratic_rule(normals: Normals, log_prior: Array, pair: Sequence[int]) -> QuadraticRule:
    """The rule between two normal classes.

        A   = -1/2 (Sigma_1^-1 - Sigma_2^-1)
        a   = Sigma_1^-1 mean_1 - Sigma_2^-1 mean_2
        a_0 = log P(c_1) / P(c_2) - 1/2 log |Sigma_1| / |Sigma_2|
              - 1/2 (mean_1 . Sigma_1^-1 mean_1 - mean_2 . Sigma_2^-1 mean_2)

    >>> import numpy as np
    >>> from bayesic.estimation.normal_density import normals
    >>> wide_and_narrow = normals(np.array([[0.0], [2.0]]), np.array([[[4.0]], [[1.0]]]))
    >>> rule = quadratic_rule(wide_and_narrow, np.log([0.5, 0.5]), (0, 1))
    >>> round(rule.a_0, 6), rule.a.tolist(), rule.A.tolist()  # -log 2 + 2
    (1.306853, [-2.0], [[0.375]])
    """
    of_classes = []
    for c in pair:
        precision = normals.whitening[c] @ normals.whitening[c].T
        slope = precision @ normals.mean[c]
        constant = log_prior[c] - normals.log_scale[c].sum() - 0.5 * normals.mean[c] @ slope
        of_classes.append((constant, slope, -0.5 * precision))
    (first, a_1, A_1), (second, a_2, A_2) = of_classes
    return QuadraticRule(float(first - second), a_1 - a_2, A_1 - A_2)
