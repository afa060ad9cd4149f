"""What models of weighted sums share: rows without gaps, and the checks around them."""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from bayesic.data.matrices import Matrix, as_matrix, refuse_infinities, sums_to_a_number
from bayesic.data.tables import is_table
from bayesic.data.targets import without_target

Array = np.ndarray


def complete_rows(model: BaseEstimator, X: Any, first: bool) -> Matrix:
    """X as a matrix of finite numbers whose columns suit the model; first tells them to it."""
    X = without_target(model, X)
    matrix = as_matrix(X)
    validate_data(model, X if is_table(X) else matrix, reset=first, skip_check_array=True)
    values = matrix.data if sparse.issparse(matrix) else matrix
    if not sums_to_a_number(values):
        refuse_infinities(values)
        if np.isnan(values).any():
            raise ValueError(
                f"Input X contains NaN, and {type(model).__name__} needs every feature of every "
                "row: there is no product from which one could be left out. Fill the gaps, leave "
                "these rows out, or take a naive Bayes model."
            )
    return matrix


def check_lengths(n_rows: int, n_targets: int) -> None:
    """Refuse rows and targets that are not of the same number."""
    if n_rows != n_targets:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{n_rows}, {n_targets}]. X has {n_rows} rows, y has {n_targets} targets: "
            "give one for each row."
        )


def refuse_overflow(sums: Array) -> None:
    """Refuse weighted sums that are no numbers any more."""
    if not np.isfinite(sums).all():
        raise ValueError(
            "The values of X are too large: their weighted sum overflows. "
            "Measure the column in a larger unit."
        )


def check_flag(name: str, given: Any) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(given, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, got {given!r}.")


def feature_names(model: BaseEstimator) -> list[str]:
    """The names of the columns that were learned; x0, x1, ... where they had none."""
    unnamed = [f"x{number}" for number in range(model.n_features_in_)]
    return list(getattr(model, "feature_names_in_", unnamed))
